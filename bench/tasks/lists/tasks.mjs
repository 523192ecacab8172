/** @type {import("../task-run.mjs").Task[]} */
export const tasks = []
