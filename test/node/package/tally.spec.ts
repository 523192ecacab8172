// The last line of a run and its status, which scripts and continuous integration read.
import { expect, test } from 'playwright/test'
import Tally from '../../../scripts/tally.mjs'

type Outcome = 'expected' | 'unexpected' | 'skipped' | 'unrun'

/** Tells the reporter of a run with these tests, and returns what it makes of them. */
async function tell(...outcomes: Outcome[]): Promise<{ line: string | undefined; status: string; failed: string[] }> {
  const tally = new Tally()
  const tests = outcomes.map((outcome) => ({
    location: { file: 'a.spec.ts' },
    parent: { project: () => ({ name: 'node' }) },
    titlePath: () => ['node', 'a.spec.ts', outcome],
    results:
      outcome === 'unrun'
        ? []
        : [{ duration: 1, errors: [{ message: 'x' }], status: outcome === 'skipped' ? 'skipped' : 'passed' }],
    outcome: () => outcome,
  }))
  tally.onBegin({}, { allTests: () => tests } as never)
  const isOver = outcomes.includes('unexpected') ? 'failed' : 'passed'
  const { status } = await tally.onEnd({
    status: outcomes.includes('unrun') ? 'timedout' : isOver,
    duration: 1,
  } as never)
  return { line: tally.line, status, failed: tally.summary?.filter((line) => line.startsWith('Failed: ')) ?? [] }
}

test('a run whose tests are all skipped has not failed', async () => {
  expect(await tell('skipped', 'skipped')).toEqual({
    line: '0 passed, 0 failed, 2 skipped',
    status: 'passed',
    failed: [],
  })
  expect(await tell('expected', 'skipped')).toEqual({
    line: '1 passed, 0 failed, 1 skipped',
    status: 'passed',
    failed: [],
  })
})

test('a run without tests, with a failed test, or that was cut off has failed', async () => {
  expect(await tell()).toEqual({ line: '0 passed, 1 failed', status: 'failed', failed: [] })
  expect(await tell('expected', 'unexpected')).toEqual({
    line: '1 passed, 1 failed',
    status: 'failed',
    failed: ['Failed: node › a.spec.ts › unexpected: x'],
  })
  expect(await tell('skipped', 'unrun')).toEqual({
    line: '0 passed, 1 failed, 1 skipped',
    status: 'timedout',
    failed: [],
  })
})
