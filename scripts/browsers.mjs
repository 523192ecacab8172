// Finds the browsers for the tests, in this order: the environment (CHROMIUM_PATH, FIREFOX_PATH), Playwright's download,
// the system. Installs nothing; `test.mjs` starts what is found and installs what is missing.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, firefox } from 'playwright'

/**
 * @typedef {'chromium' | 'firefox'} BrowserName
 * @typedef {{ name: BrowserName, path: string, from: string }} Found
 */

/** @type {Record<BrowserName, { own: () => string, variable: string, commands: string[], places: string[] }>} */
const kinds = {
  chromium: {
    own: () => chromium.executablePath(),
    variable: 'CHROMIUM_PATH',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ...programFiles('Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'),
    ],
  },
  firefox: {
    own: () => firefox.executablePath(),
    variable: 'FIREFOX_PATH',
    commands: ['firefox-esr', 'firefox'],
    places: ['/Applications/Firefox.app/Contents/MacOS/firefox', ...programFiles('Mozilla Firefox\\firefox.exe')],
  },
}

/** @param {string[]} tails */
function programFiles(...tails) {
  const roots = [process.env['ProgramFiles'], process.env['ProgramFiles(x86)'], process.env['LocalAppData']]
  return roots.flatMap((root) => (root ? tails.map((tail) => `${root}\\${tail}`) : []))
}

/** Where these commands may be. @param {string[]} commands */
function onPath(commands) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return commands.flatMap((command) => folders.map((folder) => join(folder, command)))
}

/**
 * Every executable that may be this browser, best first. If its variable is set, only that one.
 * @param {BrowserName} name
 * @returns {Found[]}
 */
export function candidates(name) {
  const kind = kinds[name]
  const given = process.env[kind.variable]
  if (given) {
    if (!existsSync(given)) throw new Error(`${kind.variable}: ${given} does not exist`)
    return [{ name, path: given, from: kind.variable }]
  }
  /** @type {Found[]} */
  const found = []
  const own = kind.own()
  if (own && existsSync(own)) found.push({ name, path: own, from: 'Playwright' })
  const places = [...onPath(kind.commands), ...kind.places]
  for (const path of places) {
    if (existsSync(path)) found.push({ name, path, from: 'the system' })
  }
  return found
}

/**
 * The headless shell of Chromium: the same engine without windows, so the tests need a quarter less CPU. It has no
 * back/forward cache. Undefined if it is not installed, or if CHROMIUM_PATH names the browser to test.
 * @returns {Found | undefined}
 */
export function headlessShell() {
  const given = process.env['CHROMIUM_SHELL_PATH']
  if (given) return given === 'none' ? undefined : { name: 'chromium', path: given, from: 'CHROMIUM_SHELL_PATH' }
  if (process.env['CHROMIUM_PATH']) return undefined
  const path = onPath(['chromium-headless-shell', 'chrome-headless-shell']).find((place) => existsSync(place))
  return path === undefined ? undefined : { name: 'chromium', path, from: 'the system' }
}

/**
 * What Playwright switches off in Chromium. A second `--disable-features` replaces the first one, so this list repeats it.
 * `project-rules.spec.ts` compares both.
 */
export const playwrightDisables = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'BlockOriginHeaderModificationOnRedirect',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'Translate',
  'AutoDeElevate',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/**
 * Each window of Chromium loads two pages of its address bar, and each profile starts a spare process. Both take over half
 * of the time that a new page takes, and a test sees neither.
 */
const unseen = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

/** Settings of Firefox for tests. */
const firefoxPrefs = {
  // Its sandbox hides the fonts that `test/support/fonts/fonts.conf` names, and each letter becomes a box.
  'security.sandbox.content.read_path_whitelist': fileURLToPath(
    new URL('../node_modules/@expo-google-fonts/', import.meta.url),
  ),
  // Without a window it has no mouse: a fine pointer (2) that can hover (4).
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
}

/**
 * The launch settings for Playwright. A Firefox that is not Playwright's build needs the channel for WebDriver BiDi.
 * @param {Found} found
 */
export function launchSettings(found) {
  const args = found.name === 'chromium' ? [`--disable-features=${[...playwrightDisables, ...unseen].join(',')}`] : []
  const launchOptions = {
    executablePath: found.path,
    args,
    ...(found.name === 'firefox' ? { firefoxUserPrefs: firefoxPrefs } : {}),
  }
  if (found.name === 'chromium' || found.path === firefox.executablePath())
    return { browserName: found.name, launchOptions }
  return { browserName: found.name, channel: 'moz-firefox', launchOptions }
}

/** Starts the browser and opens a page. @param {Found} found @returns {Promise<{ version: string } | { problem: string }>} */
export async function probe(found) {
  const { channel, launchOptions } = launchSettings(found)
  const type = found.name === 'chromium' ? chromium : firefox
  try {
    const browser = await type.launch({ ...launchOptions, ...(channel ? { channel } : {}), timeout: 30_000 })
    try {
      const page = await browser.newPage()
      await page.goto('data:text/html,<title>ok</title>')
      if ((await page.title()) !== 'ok')
        throw new Error(`The test page has the title ${JSON.stringify(await page.title())}`)
      return { version: browser.version() }
    } finally {
      await browser.close()
    }
  } catch (error) {
    return {
      problem: String(error instanceof Error ? error.message : error)
        .split('\n')
        .slice(0, 4)
        .join(' ')
        .slice(0, 400),
    }
  }
}
