// `npm test`: finds the browsers, installs Chromium if there is none, and runs Playwright Test with the given arguments
// (`npm test -- some.spec.ts`). Type check, lint and build are tests. `--long` runs the tests that the default run leaves
// out, and without other arguments also the mutants.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireNode } from './node-version.mjs'
import { isPostgresRequired, missingPostgres } from './postgres.mjs'

requireNode()
const root = fileURLToPath(new URL('..', import.meta.url))
const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
const isLong = process.argv.includes('--long')
const args = process.argv.slice(2).filter((arg) => arg !== '--long')

if (isLong) process.env['TEST_LONG'] = '1'
databases()
if (!onlyNode(args)) await browsers().catch((error) => fail(error.message))
const commands = [[cli, 'test', ...args], ...(isLong && args.length === 0 ? [[join(root, 'scripts/mutants.mjs')]] : [])]
process.exitCode = commands.map((command) => run(process.execPath, command)).every(Boolean) ? 0 : 1

async function browsers() {
  // Imported here, because it needs `npm ci`, and the check of the Node version must come first.
  const { candidates, headlessShell, probe } = await import('./browsers.mjs')
  const required = (process.env['REQUIRED_BROWSERS'] ?? '').split(/[\s,]+/)

  /** Starts a browser and says what happened. @param {import('./browsers.mjs').Found} found @param {string} called */
  const starts = async (found, called) => {
    const result = await probe(found)
    const isStarted = 'version' in result
    if (isStarted) say(`${called} ${result.version} from ${found.from}: ${found.path}`)
    else say(`${called} from ${found.from} does not start (${found.path}): ${result.problem}`)
    return isStarted
  }

  /** @param {'chromium' | 'firefox'} name */
  const find = async (name) => {
    for (const found of candidates(name)) {
      if (!(await starts(found, title(name)))) continue
      process.env[`${name.toUpperCase()}_PATH`] = found.path
      return true
    }
    return false
  }

  // Looked for before `find` sets CHROMIUM_PATH.
  const shell = headlessShell()
  if (!(await find('chromium'))) {
    for (const install of installers()) {
      say(`Chromium: none starts. Installing it: ${install.map((command) => command.join(' ')).join(' && ')}`)
      const done = install.every(([command = '', ...rest]) => run(command, rest))
      if (done && (await find('chromium'))) break
    }
    if (!process.env['CHROMIUM_PATH']) {
      fail('Chromium could not be found or installed. Set CHROMIUM_PATH to Chromium, Chrome or Edge and try again.')
    }
  }
  const hasShell = shell !== undefined && (await starts(shell, 'Headless shell of Chromium'))
  process.env['CHROMIUM_SHELL_PATH'] = hasShell ? shell.path : 'none'
  if (!(await find('firefox'))) {
    if (required.includes('firefox')) fail('Firefox: none starts, but REQUIRED_BROWSERS requires it.')
    say('Firefox: none, its tests are skipped. Install it, or set FIREFOX_PATH.')
    process.env['FIREFOX_PATH'] = 'none'
  }
  const { reportWebKit } = await import('./webkit.mjs')
  const webkit = await reportWebKit()
  if (webkit.problem) {
    if (required.includes('webkit')) fail(`${webkit.text} REQUIRED_BROWSERS requires it.`)
    process.env['WEBKIT_PATH'] = 'none'
  }
  say(webkit.text)
}

function databases() {
  const missing = missingPostgres()
  if (missing.length === 0) return
  const install = `apt-get install ${missing.join(' ')}`
  if (isPostgresRequired()) fail(`PostgreSQL: none (${install}), but REQUIRED_DATABASES requires it.`)
  say(`PostgreSQL: none, its tests are skipped. Install it: ${install}`)
}

function installers() {
  const all = [[[process.execPath, cli, 'install', 'chromium']]]
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    all.push([
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', 'chromium'],
    ])
  }
  return all
}

/** @param {string[]} args */
function onlyNode(args) {
  const projects = args.flatMap((arg, index) => {
    if (arg === '--project') return [args[index + 1]]
    return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : []
  })
  return projects.length > 0 && projects.every((project) => project === 'node')
}

/** @param {string} command @param {string[]} rest */
function run(command, rest) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' }
  const { status, error } = spawnSync(command, rest, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env })
  if (error) say(`${command}: ${error.message}`)
  return status === 0
}

/** @param {string} text @returns {never} */
function fail(text) {
  say(text)
  say('0 passed, 1 failed')
  process.exit(1)
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}

/** @param {string} name */
function title(name) {
  return name === 'firefox' ? 'Firefox' : 'Chromium'
}
