// `npm run lint`: format, lint rules, unused files and exports, and the published package. Prints one line per check and
// the output of the checks that failed. `npm test` runs the same checks in test/node/package/lint.spec.ts.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireNode } from './node-version.mjs'

/**
 * @typedef {{ ok: boolean, output: string, seconds: number }} Result
 */

const root = fileURLToPath(new URL('..', import.meta.url))

/** The checks of the sources: name, and the command of a package of node_modules. */
export const sourceChecks = {
  format: ['oxfmt', '--check', '.'],
  lint: ['oxlint', '--type-aware'],
  unused: ['knip', '--no-progress', '--no-config-hints'],
}

/** The checks of the packed package: name, package and its arguments. The path of the tarball is appended. */
export const packageChecks = {
  package: ['publint', 'run', '--strict'],
  types: [
    '@arethetypeswrong/cli',
    '--profile',
    'esm-only',
    '--no-definitely-typed',
    '--no-emoji',
    '--no-color',
    '--format',
    'ascii',
    // Files that a page loads by URL. They have no declarations.
    '--exclude-entrypoints',
    './worker.js',
    './models/*.js',
    './custom-elements.json',
    './integrity.json',
    './themes/*.css',
    '--',
  ],
}

/**
 * Runs one command of node_modules in the project.
 * @param {readonly string[]} command
 * @returns {Promise<Result>} `ok` is false if it exits with another status than 0
 */
export async function runCheck([name = '', ...args]) {
  const begin = Date.now()
  return new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, FORCE_COLOR: '0' } }
    execFile(process.execPath, [binOf(name), ...args], options, (error, stdout, stderr) => {
      const problem = error && stdout + stderr === '' ? String(error) : ''
      const seconds = (Date.now() - begin) / 1000
      resolve({ ok: error === null, output: `${stdout}${stderr}${problem}`.trim(), seconds })
    })
  })
}

/**
 * Packs a build with `npm pack`, without the scripts of package.json.
 * @param {string} dist Folder of the build.
 * @param {string} folder Receives the package's files and the tarball.
 * @returns {{ tarball: string, files: string[] }} `files` are the paths of the packed files.
 */
export function pack(dist, folder) {
  const { scripts: _scripts, ...packageJson } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson))
  for (const name of ['README.md', 'LICENSE']) cpSync(join(root, name), join(folder, name))
  for (const name of packageJson.files.filter((/** @type {string} */ one) => /^\w/.test(one) && one !== 'dist')) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  cpSync(dist, join(folder, 'dist'), { recursive: true })
  const printed = execFileSync('npm', ['pack', '--json', '--silent'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const [packed] = /** @type {{ filename: string, files: { path: string }[] }[]} */ (JSON.parse(printed))
  if (packed === undefined) throw new Error(`npm pack listed no package: ${printed}`)
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) }
}

/** The script that a package names as its command. @param {string} name */
function binOf(name) {
  const folder = join(root, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const path = typeof bin === 'string' ? bin : (bin[name] ?? Object.values(bin)[0])
  return join(folder, path)
}

async function main() {
  requireNode()
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-lint-'))
  let failed = 0
  /** @param {string} name @param {Result} result */
  const report = (name, { ok, output, seconds }) => {
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s\n`)
    if (ok) return
    failed += 1
    process.stdout.write(`${output.replace(/^/gm, '       ')}\n`)
  }
  try {
    for (const [name, command] of Object.entries(sourceChecks)) report(name, await runCheck(command))
    const { build } = await import('./build.mjs')
    await build({ outDir: join(folder, 'build') })
    const target = mkdtempSync(join(folder, 'package-'))
    const { tarball } = pack(join(folder, 'build'), target)
    for (const [name, command] of Object.entries(packageChecks)) report(name, await runCheck([...command, tarball]))
  } finally {
    rmSync(folder, { recursive: true })
  }
  process.stdout.write(failed === 0 ? 'No problems found.\n' : `${failed} checks failed. npx oxfmt fixes the format.\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
