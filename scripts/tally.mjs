// A Playwright reporter. At the end of a run it prints the ten slowest files, the counts of each project, the failed tests, and one line
// for scripts: `12 passed, 0 failed, 1 skipped`. A run also fails if it has no test, or a file could not be loaded.
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * @import { Reporter, TestCase, FullResult, Suite } from 'playwright/types/testReporter'
 * @implements {Reporter}
 */
export default class Tally {
  /** @type {Suite | undefined} */
  suite
  errors = 0
  /** @type {string[] | undefined} */
  summary
  /** @type {string | undefined} */
  line

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
    // Tests that did not run because the run was interrupted or timed out count as failed.
    const failed = count('failed') + this.errors + (result.status === 'passed' ? 0 : unrun)
    // Tests that are all skipped are no failure: what they need is not on this machine.
    const nothing = passed + failed + skipped === 0
    this.summary = [
      ...slowest(this.suite?.allTests() ?? []),
      ...perProject(this.suite?.allTests() ?? []),
      `Wall time: ${clock(result.duration)}`,
      ...failures(this.suite?.allTests() ?? []),
    ]
    this.line = `${passed} passed, ${failed + Number(nothing)} failed${skipped ? `, ${skipped} skipped` : ''}`
    const isFailure = failed > 0 || nothing
    return { status: isFailure && result.status === 'passed' ? 'failed' : result.status }
  }

  async onExit() {
    if (process.argv.includes('--list')) return
    for (const line of this.summary ?? []) process.stdout.write(`${line}\n`)
    process.stdout.write(`${this.line ?? '0 passed, 1 failed'}\n`)
  }

  printsToStdio() {
    return false
  }
}

/** The ten files whose tests took the longest in total. @param {TestCase[]} tests */
function slowest(tests) {
  /** @type {Map<string, { ms: number, count: number }>} */
  const files = new Map()
  for (const test of tests) {
    const name = `${projectOf(test)} ${basename(test.location.file)}`
    const sum = files.get(name) ?? { ms: 0, count: 0 }
    files.set(name, { ms: sum.ms + test.results.reduce((total, one) => total + one.duration, 0), count: sum.count + 1 })
  }
  const rows = [...files].sort(([, a], [, b]) => b.ms - a.ms).slice(0, 10)
  return rows.length < 2
    ? []
    : [
        'Slowest files:',
        ...rows.map(([name, { ms, count }]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name} (${count} tests)`),
      ]
}

/** @param {TestCase[]} tests */
function perProject(tests) {
  const names = [...new Set(tests.map(projectOf))]
  return names.map((name) => {
    const outcomes = tests.filter((test) => projectOf(test) === name).map(outcome)
    const count = (/** @type {string} */ wanted) => outcomes.filter((one) => one === wanted).length
    return `${name}: ${count('passed')} passed, ${count('failed') + count('unrun')} failed, ${count('skipped')} skipped`
  })
}

/** The failed tests, beside the counts: the first lines of a long log are often cut off. @param {TestCase[]} tests */
function failures(tests) {
  return tests
    .filter((test) => outcome(test) === 'failed')
    .flatMap((test) => {
      const message = test.results.flatMap((one) => one.errors)[0]?.message ?? ''
      // oxlint-disable-next-line no-control-regex -- Colors of a terminal.
      const plain = message.replace(/\u001B\[[\d;]*m/g, '').replace(/\s+/g, ' ')
      return [`Failed: ${test.titlePath().filter(Boolean).join(' › ')}: ${plain.slice(0, 600)}`, ...pageOf(test)]
    })
}

/** What the page showed when a test failed, as Playwright has kept it: the files of a run are gone with its machine. @param {TestCase} test */
function pageOf(test) {
  const { path } =
    test.results.flatMap(({ attachments }) => attachments).find(({ name }) => name === 'error-context') ?? {}
  const text = path && existsSync(path) ? readFileSync(path, 'utf8') : ''
  const lines = /```yaml\n([^]*?)\n```/.exec(text)?.[1]?.split('\n') ?? []
  return lines.slice(0, 60).map((line) => `    ${line.slice(0, 200)}`)
}

/** @param {TestCase} test */
function projectOf(test) {
  return test.parent.project()?.name ?? ''
}

/** `4:05`. @param {number} ms */
function clock(ms) {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** @param {TestCase} test */
function outcome(test) {
  if (test.results.length === 0) return 'unrun'
  const kind = test.outcome()
  if (kind === 'skipped') return test.results.some((result) => result.status === 'interrupted') ? 'unrun' : 'skipped'
  return kind === 'expected' ? 'passed' : 'failed'
}
