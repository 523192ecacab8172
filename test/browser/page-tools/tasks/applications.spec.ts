// Tasks in the applications of `npm run tasks` that need no package: with the whole element and a real pointer, the state
// of the server is the wanted one, and a policy with a wrong goal is not accepted.
import { apps, tasksOf } from '../../../../bench/tasks/applications/all-apps.mjs'
import { runAppTask } from '../../../../bench/tasks/applications/app-run.mjs'
import { expect, test } from '../../../support/project/dist.js'

/** A drag. */
const usual = new Set(['board/reorder'])

for (const { app, task } of tasksOf(apps).filter(
  ({ app: { needs }, task: { needs: feature } }) => !needs && !feature,
)) {
  const name = `${app.name}/${task.name}`
  test(`${name}: ${task.task}`, usual.has(name) ? {} : { tag: '@long' }, async ({ browser, dist }) => {
    const { done, problem, falseSuccesses, wrongTargets } = await runAppTask(browser, {
      app,
      task,
      goal: task.goal,
      dist,
    })
    expect({ done, problem, falseSuccesses, wrongTargets }).toEqual({
      done: true,
      problem: undefined,
      falseSuccesses: [],
      wrongTargets: [],
    })
    // What tells a wrong end from the right one belongs to the application.
    if (!usual.has(name) && app.tasks[0] !== task) return
    const wrong = await runAppTask(browser, { app, task, goal: task.mistake, dist })
    expect(wrong.done).toBe(false)
  })
}
