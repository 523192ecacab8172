// Jobs of `npm run questions`: by real pointer and with default settings, each ends right, and every effect that reached
// the network was asked about before.
import { allJobs } from '../../../../bench/questions/all-jobs.mjs'
import { changesBetween } from '../../../../bench/questions/changes.mjs'
import { judge, judgeChanges } from '../../../../bench/questions/figures.mjs'
import { runJob } from '../../../../bench/questions/job.mjs'
import { expect, test } from '../../../support/project/dist.js'
import { installPackages } from '../../../support/page/frameworks.js'

/** Jobs of the usual run: a confirmation and a drag. */
const usual = new Set(['shop/delete', 'calendar/move'])

test('there are sixty plain jobs and forty of single-page applications, each with a name of its own', () => {
  expect(new Set(allJobs.map(({ name }) => name)).size).toBe(allJobs.length)
  const count = (wanted: string): number => allJobs.filter(({ app }) => (app?.group ?? 'plain') === wanted).length
  expect(['plain', 'spa', 'leaking', 'server-driven'].map(count)).toEqual([60, 40, 10, 12])
})

test('a change of the data is told by the list, the entry and the field', () => {
  const before = {
    cards: [
      { id: 1, name: 'Old' },
      { id: 2, name: 'New', column: 'todo' },
    ],
    theme: 'light',
  }
  const after = {
    cards: [
      { id: 2, name: 'New', column: 'done' },
      { id: 3, name: 'Ship' },
    ],
    theme: 'dark',
  }
  expect(changesBetween(before, after)).toEqual([
    'remove cards "Old"',
    'add cards "Ship"',
    'set cards "New" column = "done"',
    'set theme = "dark"',
  ])
  expect(changesBetween(before, structuredClone(before))).toEqual([])
})

for (const { name, job, app } of allJobs)
  test(`${name}: ${job.task}`, usual.has(name) ? {} : { tag: '@long' }, async ({ browser, dist }) => {
    if (app?.group) await installPackages()
    const run = await runJob(browser, { ...(app ? { app } : {}), job, dist })
    const missed = (app?.group ? judgeChanges(run) : judge(run)).missed.map(({ effect, what }) => `${effect} ${what}`)
    expect({ ended: run.ended, problem: run.problem, missed, differs: run.differs }).toEqual({
      ended: true,
      problem: undefined,
      missed: [],
      differs: undefined,
    })
    if (job.effects.length === 1) expect(run.questions.length).toBeLessThanOrEqual(3)
  })
