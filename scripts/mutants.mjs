// `npm run mutants [-- filter…]`: breaks each rule of `test/mutants/*.mjs` in a copy of the project and expects the named
// test to fail. A filter is part of a path of the code or the spec, such as `src/core` or `approval`. `--workers=1` is for
// a busy machine. The copies are made once, so that edits during the run have no effect. Part of `npm run test:long`.
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
 * @typedef {{ rule: string, file: string, find: string, replace: string, spec: string, test: string }} Mutant
 *   `rule` is what it breaks. `find` is a short piece of one line that the file has exactly once. `test` is the title of
 *   the test of `spec` that must then fail.
 */

/** The folder with the lists of mutants. */
const folder = 'test/mutants'
/** A passing test takes a second or two. With a mutant it may wait for something that never happens. */
const testTimeout = 20_000
/** For tests that start a browser. */
const browserTimeout = 40_000
const processTimeout = 120_000

/** Playwright's status of a test → its state here. @type {Map<string, Ran['state']>} */
const states = new Map([
  ['expected', 'passed'],
  ['unexpected', 'failed'],
])

/** All mutants of `test/mutants/`. @param {string} root @returns {Promise<Mutant[]>} */
export async function allMutants(root) {
  const files = readdirSync(join(root, folder)).sort()
  const lists = await Promise.all(files.map((name) => import(pathToFileURL(join(root, folder, name)).href)))
  return lists.flatMap((list) => list.default)
}

/**
 * The code as the mutant changes it, or the reason why it does not apply.
 * @param {Mutant} mutant @param {string | undefined} code
 * @returns {{ code: string } | { stale: string }}
 */
export function mutate({ file, find, replace }, code) {
  if (code === undefined) return { stale: `${file} does not exist` }
  const count = code.split(find).length - 1
  if (count !== 1) return { stale: `${file} contains ${JSON.stringify(find)} ${count} times` }
  const changed = code.replace(find, () => replace)
  if (changed === code) return { stale: `it does not change ${file}` }
  const { errors } = parseSync(file, changed)
  return errors.length > 0 ? { stale: `it makes ${file} invalid: ${errors[0]?.message}` } : { code: changed }
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
    ({ file, spec }) =>
      filters.length === 0 || filters.some((filter) => file.includes(filter) || spec.includes(filter)),
  )
  const trees = Array.from({ length: workers }, () => copy(root))
  const figures = { killed: 0, survived: 0, stale: 0 }
  // The copies are removed however the run ends.
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
        say(`${verdict.padEnd(8)} ${mutant.file}: ${mutant.rule}${why ? `\n         ${why}` : ''}`)
      }
    }),
  )
  if (mutants.length === 0) say('No mutant has this in its paths.')
  say(`${figures.killed} killed, ${figures.survived} survived, ${figures.stale} stale`)
  return figures.survived + figures.stale === 0 && mutants.length > 0
}

/** @param {string} root */
function copy(root) {
  const tree = mkdtempSync(join(tmpdir(), 'tool-agent-mutants-'))
  for (const name of readdirSync(root)) {
    if (/^(?:\.git|test-results|playwright-report|.*\.tgz)$/.test(name)) continue
    if (name === 'dist') symlinkSync(join(root, name), join(tree, name), 'junction')
    else if (name === 'node_modules') linkPackages(join(root, name), join(tree, name))
    // Packages that framework specs have installed below `test/` are large, and no mutant needs them.
    else
      cpSync(join(root, name), join(tree, name), { recursive: true, filter: (path) => !/\bnode_modules$/.test(path) })
  }
  return tree
}

/** Links the packages, but not the caches of the development server and of test builds. @param {string} from @param {string} to */
function linkPackages(from, to) {
  mkdirSync(to)
  for (const name of readdirSync(from))
    if (!/^\.(?:vite|cache)/.test(name)) symlinkSync(join(from, name), join(to, name), 'junction')
}

/**
 * Runs every named test once without a mutant. A test that does not pass cannot show anything.
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
    return { verdict: 'stale', why: `${mutant.spec} has no passing test “${mutant.test}”` }
  const path = join(tree, mutant.file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const change = mutate(mutant, before)
  if (before === undefined || 'stale' in change) return { verdict: 'stale', why: 'stale' in change ? change.stale : '' }
  writeFileSync(path, change.code)
  try {
    const { tests, problem } = await runTests(tree, mutant.spec, [mutant.test])
    const states = tests.filter(({ title }) => title === mutant.test)
    if (problem || states.length === 0)
      return { verdict: 'stale', why: `the test did not run: ${problem ?? 'no test has this title'}` }
    const failed = states.find(({ state }) => state === 'failed')
    if (!failed) return { verdict: 'survived', why: `${mutant.file}; ${mutant.spec} “${mutant.test}”` }
    // An undefined name would fail any test.
    if (failed.errors.some((error) => /^ReferenceError\b/.test(error)))
      return { verdict: 'stale', why: failed.errors[0] ?? '' }
    return { verdict: 'killed' }
  } finally {
    writeFileSync(path, before)
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
      done(signal ? `the run took longer than ${limit / 1000} s` : undefined)
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
          title,
          state: states.get(status) ?? 'other',
          errors: results.flatMap((result) => result.errors.map(({ message = '' }) => plain(message))),
        })),
    )
  // If a file cannot be loaded, the run has an error and none of its tests.
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
