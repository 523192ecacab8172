// The last line of a run and its status, which scripts and continuous integration read.
import { writeFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import Tally from '../../../scripts/tally.mjs'

type Outcome = 'expected' | 'unexpected' | 'skipped' | 'unrun'

/** Playwright's file about a failed test, if it has one. */
let errorContext: string | undefined

/** Tells the reporter of a run with these tests, and returns what it makes of them. */
async function tell(...outcomes: Outcome[]): Promise<{ line: string | undefined; status: string; failed: string[] }> {
  const attachments = [{ name: 'error-context', path: errorContext }]
  const tally = new Tally()
  const tests = outcomes.map((outcome) => ({
    location: { file: 'a.spec.ts' },
    parent: { project: () => ({ name: 'node' }) },
    titlePath: () => ['node', 'a.spec.ts', outcome],
    results:
      outcome === 'unrun'
        ? []
        : [
            {
              duration: 1,
              errors: [{ message: 'x' }],
              status: outcome === 'skipped' ? 'skipped' : 'passed',
              attachments,
            },
          ],
    outcome: () => outcome,
  }))
  tally.onBegin({}, { allTests: () => tests } as never)
  const isOver = outcomes.includes('unexpected') ? 'failed' : 'passed'
  const { status } = await tally.onEnd({
    status: outcomes.includes('unrun') ? 'timedout' : isOver,
    duration: 1,
  } as never)
  return { line: tally.line, status, failed: tally.summary?.filter((line) => /^(Failed: | {4})/.test(line)) ?? [] }
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

test('a failed test tells what its page showed', async ({}, info) => {
  errorContext = info.outputPath('error-context.md')
  writeFileSync(errorContext, '# Error details\n\n```yaml\n- heading "Hello"\n- button "Go"\n```\n\n# Test source\n')
  expect((await tell('unexpected', 'expected')).failed).toEqual([
    'Failed: node › a.spec.ts › unexpected: x',
    '    - heading "Hello"',
    '    - button "Go"',
  ])
  errorContext = info.outputPath('missing.md')
  expect((await tell('unexpected')).failed).toHaveLength(1)
  errorContext = undefined
})
