// All tasks of `npm run tasks`: a policy that sees only the answers of the page tools does each of them, and the same
// policy with a wrong goal does not.
import type { Page } from 'playwright/test'
import { allTasks } from '../../../../bench/tasks/all-tasks.mjs'
import { prepareContext, runTask } from '../../../../bench/tasks/task-run.mjs'
import { serveTasks } from '../../../../bench/tasks/task-site.mjs'
import { expect, test as base } from '../../../support/page/frameworks.js'

const test = base.extend<object, { taskPage: Page }>({
  taskPage: [
    async ({ browser, frameworkPackages: _installed }, use) => {
      const context = await browser.newContext()
      await prepareContext(context)
      await serveTasks(context)
      await use(await context.newPage())
      await context.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('there are at least sixty tasks, and each has a name of its own', { tag: '@long' }, () => {
  const names = allTasks.map(({ kind, name }) => `${kind}/${name}`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(60)
})

for (const task of allTasks.filter(({ extra }) => extra === undefined))
  test(`${task.kind}/${task.name}: ${task.task}`, { tag: '@long' }, async ({ taskPage }) => {
    const { done, problem, falseSuccesses, faults } = await runTask(taskPage, task, task.goal)
    expect({ done, problem, falseSuccesses, faults }).toEqual({
      done: true,
      problem: undefined,
      falseSuccesses: [],
      faults: [],
    })
    const wrong = await runTask(taskPage, task, task.mistake)
    expect({ done: wrong.done, falseSuccesses: wrong.falseSuccesses, faults: wrong.faults }).toEqual({
      done: false,
      falseSuccesses: [],
      faults: [],
    })
  })
