// Jobs of `npm run questions`: by real pointer and with default settings, each ends right, and every effect that reached
// the network was asked about before.
import { allJobs } from '../../../../bench/questions/all-jobs.mjs'
import { judge } from '../../../../bench/questions/figures.mjs'
import { runJob } from '../../../../bench/questions/job.mjs'
import { expect, test } from '../../../support/project/dist.js'

/** Jobs of the usual run: a confirmation and a drag. */
const usual = new Set(['shop/delete', 'calendar/move'])

test('there are sixty jobs, and each has a name of its own', { tag: '@long' }, () => {
  expect(new Set(allJobs.map(({ name }) => name)).size).toBe(60)
  expect(allJobs).toHaveLength(60)
})

for (const { name, job, app } of allJobs)
  test(`${name}: ${job.task}`, usual.has(name) ? {} : { tag: '@long' }, async ({ browser, dist }) => {
    const run = await runJob(browser, { ...(app ? { app } : {}), job, dist })
    const missed = judge(run).missed.map(({ effect, what }) => `${effect} ${what}`)
    expect({ ended: run.ended, problem: run.problem, missed }).toEqual({ ended: true, problem: undefined, missed: [] })
    if (job.effects.length === 1) expect(run.questions.length).toBeLessThanOrEqual(3)
  })
