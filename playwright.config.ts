// All tests: node specs first, then the browser specs in each available browser. `npm test` checks which browsers start
// and sets their paths in the environment; `npx playwright test` alone uses the first one it finds.
//
// The project `chromium` runs the headless shell of Chromium, if that is installed. A spec that needs what the shell does
// not have, such as the back/forward cache, starts Chromium itself.
//
// `npm test` runs the default part. `npm run test:long` sets TEST_LONG and runs what the default part leaves out: the node
// specs with all seeds, browser tests tagged `@long`, those tagged `@matrix` with all their cases, and in Firefox the
// specs that an engine should not change, with the tests tagged `@one-engine` of other specs.
// TEST_ALL runs both parts, for commands that pick tests by title.
import { defineConfig, type Project } from 'playwright/test'
import { candidates, headlessShell, launchSettings, type BrowserName } from './scripts/browsers.mjs'
import { webkitProjects } from './scripts/webkit.mjs'

const ci = Boolean(process.env['CI'])
const isLong = process.env['TEST_LONG'] === '1'

/**
 * Specs whose result may depend on the engine: storage, page lifecycle, forms, actions, the element, the package. Specs
 * of single features of page tools, and most of the package, run in Firefox only in the long run.
 */
const engineSpecs =
  /\/(?!act-(?:changes|click|cover|edges|press|scroll|targets|turn)|dist-(?!worker\.)|form-(?:batch|calendars|codes|corpora|faults|mixed|radios|suggestions|words))(?:act|dist|element|form|frameworks|kill-matrix|libraries|page-life|panel-scroll|sessions|storage|store|tabs|worker)[\w-]*\.spec\.ts$/
/** In Firefox, the long run also has what the default run tests in Chromium only. */
const firefoxParts = isLong ? { grep: /@(?:long|matrix|one-engine)/ } : { grepInvert: /@(?:long|one-engine)/ }
const parts = isLong ? { grep: /@(?:long|matrix)/ } : { grepInvert: /@long/ }
const isAll = process.env['TEST_ALL'] === '1'
const part = isAll ? {} : parts

export default defineConfig({
  testDir: 'test',
  forbidOnly: ci,
  retries: 0,
  // A browser test waits for half of its time, so three workers use two cores better than two.
  workers: 3,
  // Generous, because a test waits for a condition and the machine may be slow.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  globalTimeout: ci ? 40 * 60_000 : 0,
  reporter: [['list'], ['./scripts/tally.mjs']],
  projects: [
    { name: 'node', testDir: 'test/node', ...(isLong ? {} : part) },
    ...chromium(),
    ...firefox(),
    ...webkitProjects().map((project) => ({ ...project, ...part })),
  ],
})

function chromium(): Project[] {
  const shell = headlessShell()
  const use = shell ? launchSettings(shell) : (settings('chromium') ?? { browserName: 'chromium' })
  return [{ name: 'chromium', testDir: 'test/browser', ...part, use }]
}

function firefox(): Project[] {
  const use = process.env['FIREFOX_PATH'] === 'none' ? undefined : settings('firefox')
  if (use === undefined) return []
  const engine: Project = {
    name: 'firefox',
    testDir: 'test/browser',
    testMatch: engineSpecs,
    ...(isAll ? {} : firefoxParts),
    use,
  }
  return isLong ? [engine, { name: 'firefox-rest', testDir: 'test/browser', testIgnore: engineSpecs, use }] : [engine]
}

function settings(name: BrowserName): Project['use'] | undefined {
  const found = candidates(name)[0]
  return found && launchSettings(found)
}
