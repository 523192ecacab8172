// A Playwright reporter that ends every run with one line a machine can read: `12 passed, 0 failed, 1 skipped`. A run in
// which nothing ran, or in which a file could not be loaded, has failed.

/**
 * @import { Reporter, TestCase, FullResult, Suite } from 'playwright/types/testReporter'
 * @implements {Reporter}
 */
export default class Tally {
  /** @type {Suite | undefined} */
  suite
  errors = 0

  /** @param {unknown} config @param {Suite} suite */
  onBegin(config, suite) {
    this.suite = suite
  }

  onError() {
    this.errors += 1
  }

  /** @param {FullResult} result @returns {Promise<{ status: FullResult['status'] }>} */
  async onEnd(result) {
    const outcomes = (this.suite?.allTests() ?? []).map(outcome)
    const count = (/** @type {string} */ wanted) => outcomes.filter((one) => one === wanted).length
    const passed = count('passed')
    const skipped = count('skipped')
    const unrun = count('unrun')
    // Tests that never ran in a run that was interrupted or timed out are no success.
    const failed = count('failed') + this.errors + (result.status === 'passed' ? 0 : unrun)
    const nothing = passed + failed === 0
    this.line = `${passed} passed, ${failed + Number(nothing)} failed${skipped ? `, ${skipped} skipped` : ''}`
    return { status: failed > 0 || nothing ? (result.status === 'passed' ? 'failed' : result.status) : result.status }
  }

  async onExit() {
    if (process.argv.includes('--list')) return
    process.stdout.write(`${this.line ?? '0 passed, 1 failed'}\n`)
  }

  printsToStdio() {
    return false
  }
}

/** @param {TestCase} test */
function outcome(test) {
  if (test.results.length === 0) return 'unrun'
  const kind = test.outcome()
  if (kind === 'skipped') return test.results.some((result) => result.status === 'interrupted') ? 'unrun' : 'skipped'
  return kind === 'expected' ? 'passed' : 'failed'
}
