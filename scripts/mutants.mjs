// `npm run mutants [-- filter…]`: takes each rule of `test/mutants/*.mjs` out of a copy of the project and expects the
// named test to fail. A filter is a row (`C40`), a range (`C70-C95`) or a part of a file's name; `--workers=1` is for a
// machine with other work. The copies are made once, so whoever edits meanwhile disturbs nothing.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { requireNode } from './node-version.mjs'

/**
 * @typedef {{ find: string, replace: string, all?: boolean }} Edit
 *   `find` occurs exactly once in the file; with `all` once or more, and each is replaced.
 * @typedef {{ row: string, rule: string, file: string, spec: string, test: string, from: string } & (Edit | { edits: (Edit & { file?: string })[] })} Mutant
 *   `row` one name or several (`C01 C03`); `test` is the test's own title, with or without the rows it begins with.
 */

/** Where the mutants stand, in the project. */
const folder = 'test/mutants'
/** A test that passes takes a second or two; one that waits for what the mutant took away ends here. */
const testTimeout = 20_000
/** A browser has to start first, and its page to be served. */
const browserTimeout = 40_000
const processTimeout = 120_000

/** The rows that a title begins with, and the rest of it, by which a test is known: rows come to a title over time. @param {string} title */
export function titleOf(title) {
  const rows = /^(?:(?:[CFS]\d{1,3}|R\d(?:\.\d{1,2})?) )*/.exec(title)?.[0] ?? ''
  return { rows: rows.split(' ').slice(0, -1), bare: title.slice(rows.length) }
}

/** @param {string} root @returns {Promise<Mutant[]>} */
export async function allMutants(root) {
  const files = readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.mjs'))
    .sort()
  const lists = await Promise.all(
    files.map(async (from) => {
      const { default: list } = await import(pathToFileURL(join(root, folder, from)).href)
      return list.map((/** @type {Mutant} */ one) => ({ ...one, test: titleOf(one.test).bare, from }))
    }),
  )
  return lists.flat()
}

/**
 * The files as the mutant leaves them, or a sentence why it does not fit any more.
 * @param {Mutant} mutant @param {(file: string) => string | undefined} read
 * @returns {{ files: Map<string, string> } | { stale: string }}
 */
export function mutate(mutant, read) {
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const edit of 'edits' in mutant ? mutant.edits : [mutant]) {
    const file = edit.file ?? mutant.file
    const code = files.get(file) ?? read(file)
    if (code === undefined) return { stale: `there is no ${file}` }
    const count = code.split(edit.find).length - 1
    if (count === 0 || (count > 1 && !edit.all))
      return { stale: `${file} has ${JSON.stringify(edit.find)} ${count} times` }
    files.set(
      file,
      code.replaceAll(edit.find, () => edit.replace),
    )
  }
  for (const [file, code] of files) {
    if (code === read(file)) return { stale: `${file} is the same with it` }
    const { errors } = parseSync(file, code)
    if (errors.length > 0) return { stale: `${file} does not parse with it: ${errors[0]?.message}` }
  }
  return { files }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  requireNode()
  process.exitCode = (await main(fileURLToPath(new URL('..', import.meta.url)), process.argv.slice(2))) ? 0 : 1
}

/** @param {string} root @param {string[]} words */
async function main(root, words) {
  const filters = words.filter((word) => !word.startsWith('--'))
  const workers = Number(words.find((word) => word.startsWith('--workers='))?.slice('--workers='.length) ?? 2)
  const mutants = (await allMutants(root)).filter(
    (one) => filters.length === 0 || filters.some((filter) => fits(one, filter)),
  )
  const trees = Array.from({ length: workers }, () => copy(root))
  const figures = { killed: 0, survived: 0, stale: 0 }
  // Whatever ends the run, its copies go.
  process.on('exit', () => {
    for (const tree of trees) rmSync(tree, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const sound = await baseline(mutants, trees)
  const queue = [...mutants]
  await Promise.all(
    trees.map(async (tree) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const { verdict, why } = await tryOne(mutant, tree, sound)
        figures[verdict] += 1
        say(`${verdict.padEnd(8)} ${mutant.row}: ${mutant.rule}${why ? `\n         ${why}` : ''}`)
      }
    }),
  )
  if (mutants.length === 0) say('No mutant has such a row or name.')
  say(`${figures.killed} killed, ${figures.survived} survived, ${figures.stale} stale`)
  return figures.survived + figures.stale === 0 && mutants.length > 0
}

/** @param {Mutant} mutant @param {string} filter */
function fits({ row, from, spec }, filter) {
  const [, letter = '', first = '', last = first] = /^([A-Z])([\d.]+)(?:-\1?([\d.]+))?$/.exec(filter) ?? []
  if (letter === '') return [from, spec].some((name) => name.includes(filter))
  // Rule 12 of a section comes behind rule 9, and a section alone is all of its rules.
  const place = (/** @type {string} */ text, rest = 0) => {
    const [major, minor = rest] = text.split('.').map(Number)
    return Number(major) * 1000 + minor
  }
  return row
    .split(' ')
    .some(
      (one) => one.startsWith(letter) && place(one.slice(1)) >= place(first) && place(one.slice(1)) <= place(last, 999),
    )
}

/** @param {string} root */
function copy(root) {
  const tree = mkdtempSync(join(tmpdir(), 'tool-agent-mutants-'))
  for (const name of readdirSync(root)) {
    if (/^(?:\.git|test-results|playwright-report|.*\.tgz)$/.test(name)) continue
    if (name === 'dist') symlinkSync(join(root, name), join(tree, name), 'junction')
    else if (name === 'node_modules') linkPackages(join(root, name), join(tree, name))
    else cpSync(join(root, name), join(tree, name), { recursive: true })
  }
  return tree
}

/** The packages alone: what the development server and the builds of tests keep there belongs to one tree. @param {string} from @param {string} to */
function linkPackages(from, to) {
  mkdirSync(to)
  for (const name of readdirSync(from))
    if (!/^\.(?:vite|cache)/.test(name)) symlinkSync(join(from, name), join(to, name), 'junction')
}

/**
 * Every test that is named, run once as things are: those that do not pass prove nothing.
 * @param {Mutant[]} mutants @param {string[]} trees
 */
async function baseline(mutants, trees) {
  /** @type {Map<string, Set<string>>} */
  const bySpec = new Map()
  for (const { spec, test } of mutants) bySpec.set(spec, (bySpec.get(spec) ?? new Set()).add(test))
  /** @type {Set<string>} */
  const sound = new Set()
  const queue = [...bySpec]
  await Promise.all(
    trees.map(async (tree) => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [spec, titles] = next
        const run = await runTests(tree, spec, [...titles])
        if (run.problem) say(`${spec}: ${run.problem}`)
        for (const { title, state } of run.tests) if (state === 'passed') sound.add(`${spec} ${title}`)
      }
    }),
  )
  return sound
}

/**
 * @param {Mutant} mutant @param {string} tree @param {Set<string>} sound
 * @returns {Promise<{ verdict: 'killed' | 'survived' | 'stale', why?: string }>}
 */
async function tryOne(mutant, tree, sound) {
  if (!sound.has(`${mutant.spec} ${mutant.test}`))
    return { verdict: 'stale', why: `without it, no test passes in ${mutant.spec} as “${mutant.test}”` }
  const read = (/** @type {string} */ file) =>
    existsSync(join(tree, file)) ? readFileSync(join(tree, file), 'utf8') : undefined
  const change = mutate(mutant, read)
  if ('stale' in change) return { verdict: 'stale', why: change.stale }
  const before = [...change.files.keys()].map((file) => ({ file, code: read(file) ?? '' }))
  for (const [file, code] of change.files) writeFileSync(join(tree, file), code)
  try {
    const { tests, problem } = await runTests(tree, mutant.spec, [mutant.test])
    const states = tests.filter(({ title }) => title === mutant.test)
    if (problem || states.length === 0)
      return { verdict: 'stale', why: `the test did not run: ${problem ?? 'nobody knows why'}` }
    const failed = states.find(({ state }) => state === 'failed')
    if (!failed) return { verdict: 'survived', why: `${mutant.file}; ${mutant.spec} “${mutant.test}”` }
    // A name that is not there would fail any test.
    if (failed.errors.some((error) => /^ReferenceError\b/.test(error)))
      return { verdict: 'stale', why: failed.errors[0] ?? '' }
    return { verdict: 'killed' }
  } finally {
    for (const { file, code } of before) writeFileSync(join(tree, file), code)
  }
}

/**
 * @typedef {{ title: string, state: 'passed' | 'failed' | 'other', errors: string[] }} Ran
 * @param {string} tree @param {string} spec @param {string[]} titles
 * @returns {Promise<{ tests: Ran[], problem?: string }>}
 */
async function runTests(tree, spec, titles) {
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
  const report = join(tree, 'report.json')
  rmSync(report, { force: true })
  const grep = titles.map((title) => title.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
  const isBrowser = spec.startsWith('test/browser/')
  const project = isBrowser ? 'chromium' : 'node'
  const timeout = isBrowser ? browserTimeout : testTimeout
  const args = [
    cli,
    'test',
    `${tree}/${spec}`.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    '-g',
    `(?:${grep})(?: @|$)`,
    `--project=${project}`,
    '--reporter=json',
    '--workers=1',
    `--timeout=${timeout}`,
  ]
  const ended = await new Promise((done) => {
    const env = {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      FORCE_COLOR: '0',
      TEST_LONG: '1',
      TEST_ALL: '1',
      TOOL_AGENT_CORPORA:
        process.env['TOOL_AGENT_CORPORA'] ||
        resolve(fileURLToPath(new URL('..', import.meta.url)), '../shared/corpora'),
    }
    const child = spawn(process.execPath, args, { cwd: tree, env, stdio: 'ignore' })
    const limit = titles.length * timeout + processTimeout
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    child.on('error', (error) => done(error.message))
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      done(signal ? `it took longer than ${limit / 1000} s` : undefined)
    })
  })
  if (ended) return { tests: [], problem: ended }
  if (!existsSync(report)) return { tests: [], problem: 'Playwright wrote no report' }
  const { suites, errors } = JSON.parse(readFileSync(report, 'utf8'))
  const tests = suites
    .flatMap(specsOf)
    .flatMap(
      (
        /** @type {{ title: string, tests: { status: string, results: { errors: { message?: string }[] }[] }[] }} */ {
          title,
          tests: runs,
        },
      ) =>
        runs.map(({ status, results }) => ({
          title: titleOf(title).bare,
          state: status === 'expected' ? 'passed' : status === 'unexpected' ? 'failed' : 'other',
          errors: results.flatMap((result) => result.errors.map(({ message = '' }) => plain(message))),
        })),
    )
  // A file that cannot be loaded is an error of the whole run, and none of its tests is there.
  return { tests, ...(errors.length > 0 ? { problem: plain(errors[0].message ?? '').split('\n')[0] } : {}) }
}

/** @param {{ specs?: object[], suites?: object[] }} suite @returns {any[]} */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** @param {string} text */
function plain(text) {
  return text.replace(/\u001b\[[\d;]*m/g, '')
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}
