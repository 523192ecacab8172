// The task pages of bench/tasks as tasks for a model. Each page says itself whether its task is done. The pages of jQuery
// UI need `npm ci` in test/frameworks and are left out. Run after `npm run build` with
// `node dist/cli.mjs eval evals/tasks.mjs`.
import { defineEvals } from 'tool-agent/testing'
import { allTasks } from '../bench/tasks/all-tasks.mjs'

/** @typedef {import('playwright').Page} Page */

const tasks = allTasks.filter(({ kind, extra }) => kind !== 'jquery-ui' && extra === undefined)

export default defineEvals(
  tasks.map(
    /** @returns {import('tool-agent/testing').Eval<Page>} */
    ({ kind, name, page = name, query = '', task }) => ({
      name: `${kind}/${name}`,
      page: `../bench/tasks/${kind}/${page}.html${query}`,
      prompt: task,
      maxSteps: 25,
      check: ({ page: opened }) =>
        opened
          .waitForFunction(() => Reflect.get(window, 'taskDone')?.() === true, undefined, { timeout: 2_000 })
          .then(
            () => true,
            () => false,
          ),
    }),
  ),
)
