// Finds and starts WebKitGTK, Safari's engine, with WebKitWebDriver on a virtual screen. The fixtures are in
// `test/support/page/webkit.ts`. Playwright's own WebKit is a different build and is not used.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * @typedef {{ driver: string, browser: string, xvfb: string | undefined }} FoundWebKit
 *   `xvfb` is undefined if DISPLAY is set.
 * @typedef {{ url: string, capabilities: Record<string, unknown>, stop(): Promise<void> }} RunningWebKit
 * @typedef {import('node:child_process').ChildProcess} Child
 */

/** How long a screen, a driver or a browser may take to start, in milliseconds. */
const startTimeout = 30_000

/**
 * The three programs, or the names of the missing ones. `WEBKIT_PATH` sets another MiniBrowser; with `none`, WebKit is
 * not used.
 * @returns {FoundWebKit | { missing: string[] }}
 */
export function findWebKit() {
  const given = process.env['WEBKIT_PATH']
  if (given === 'none') return { missing: ['WEBKIT_PATH=none'] }
  const driver = inPath('WebKitWebDriver')
  const browser = given || miniBrowsers()[0]
  const xvfb = inPath('Xvfb')
  const missing = []
  if (!driver) missing.push('WebKitWebDriver')
  if (!browser || !existsSync(browser)) missing.push('MiniBrowser')
  if (!xvfb && !process.env['DISPLAY']) missing.push('Xvfb')
  if (!driver || !browser || missing.length > 0) return { missing }
  return { driver, browser, xvfb }
}

/** @param {string} command */
function inPath(command) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path))
}

/** The MiniBrowser programs, newest first. Debian has them in /usr/lib/<architecture>/webkit2gtk-4.1, others in /usr/libexec. */
function miniBrowsers() {
  const libraries = subfolders('/usr/lib').filter((folder) => folder.endsWith('-gnu'))
  return ['/usr/libexec', '/usr/lib', ...libraries]
    .flatMap((folder) =>
      subfolders(folder)
        .filter((path) => /\/webkit2?gtk-[\d.]+$/.test(path))
        .sort()
        .reverse(),
    )
    .map((folder) => join(folder, 'MiniBrowser'))
    .filter((path) => existsSync(path))
}

/** @param {string} folder */
function subfolders(folder) {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/**
 * The Playwright project for WebKit, if it is installed. Its tests start WebKit themselves, so the project has no
 * browser.
 * @returns {{ name: string, testDir: string }[]}
 */
export function webkitProjects() {
  return 'missing' in findWebKit() ? [] : [{ name: 'webkit', testDir: 'test/webkit' }]
}

/**
 * For `npm test`: starts WebKit once and returns what to print. `problem` is set if its tests cannot run.
 * @returns {Promise<{ text: string, problem?: true }>}
 */
export async function reportWebKit() {
  const found = findWebKit()
  if ('missing' in found) {
    return {
      text:
        'WebKit: none, its tests are skipped. ' +
        `Install webkit2gtk-driver and xvfb (missing: ${found.missing.join(', ')}).`,
      problem: true,
    }
  }
  try {
    return { text: `WebKit ${await version(found)} from the system: ${found.browser}` }
  } catch (error) {
    return {
      text: `WebKit does not start (${found.browser}): ${error instanceof Error ? error.message : error}`,
      problem: true,
    }
  }
}

/** @param {FoundWebKit} found */
async function version(found) {
  const running = await startWebKit(found)
  try {
    const response = await fetch(`${running.url}/session`, {
      method: 'POST',
      body: JSON.stringify({ capabilities: { alwaysMatch: running.capabilities } }),
      signal: AbortSignal.timeout(startTimeout),
    })
    const { value } =
      /** @type {{ value: { sessionId?: string, message?: string, capabilities?: { browserVersion?: string } } }} */ (
        await response.json()
      )
    if (!value.sessionId) throw new Error(value.message ?? 'it did not open a session')
    await fetch(`${running.url}/session/${value.sessionId}`, { method: 'DELETE' })
    return value.capabilities?.browserVersion ?? ''
  } finally {
    await running.stop()
  }
}

/**
 * Starts a screen and a driver on a free port. `stop()` ends both and all browsers they started; the exit of this process
 * does the same.
 * @param {FoundWebKit} found
 * @returns {Promise<RunningWebKit>}
 */
export async function startWebKit(found) {
  /** @type {Child[]} */
  const children = []
  const killAll = () => {
    for (const child of children) kill(child)
  }
  const stop = async () => {
    process.off('exit', killAll)
    killAll()
    await Promise.all(children.map(exited))
  }
  process.on('exit', killAll)
  try {
    const display = found.xvfb ? await startScreen(found.xvfb, children) : (process.env['DISPLAY'] ?? '')
    const port = await freePort()
    const env = {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
      // WebKitGTK measures a line of text in a font from there as 0 pixels high.
      FONTCONFIG_FILE: undefined,
      // The sandbox of WebKitGTK needs user namespaces, which root in a container does not have.
      ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}),
    }
    const driver = spawn(found.driver, [`--port=${port}`], { env, stdio: 'ignore', detached: true })
    children.push(driver)
    const url = `http://127.0.0.1:${port}`
    await untilReady(url, driver)
    return {
      url,
      capabilities: { 'webkitgtk:browserOptions': { binary: found.browser, args: ['--automation'] } },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Starts a screen and returns its number, which Xvfb writes to a pipe.
 * @param {string} xvfb
 * @param {Child[]} children
 * @returns {Promise<string>}
 */
function startScreen(xvfb, children) {
  const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
  children.push(screen)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Xvfb does not start')), startTimeout)
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
    screen.once('error', reject)
    const pipe = /** @type {import('node:stream').Readable} */ (screen.stdio[3])
    let text = ''
    pipe.on('data', (chunk) => {
      text += chunk
      if (!text.includes('\n')) return
      clearTimeout(timer)
      resolve(`:${text.trim()}`)
    })
  })
}

/** @param {string} url @param {Child} driver */
async function untilReady(url, driver) {
  const until = Date.now() + startTimeout
  while (Date.now() < until && driver.exitCode === null) {
    const isReady = await fetch(`${url}/status`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await pause(20)
  }
  throw new Error('WebKitWebDriver does not start')
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port is free')),
      )
    })
  })
}

/** Ends the process group, including the browsers that a driver started. @param {Child} child */
function kill(child) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** @param {Child} child @returns {Promise<void>} */
function exited(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
  })
}
