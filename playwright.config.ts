// One runner for everything: node specs first, then the browser specs in each browser that is there. `npm test` has
// tried the browsers and names them in the environment; a bare `npx playwright test` takes the first it finds.
import { defineConfig, type Project } from 'playwright/test'
import { candidates, launchSettings, type BrowserName } from './scripts/browsers.mjs'
import { webkitProjects } from './scripts/webkit.mjs'

const ci = Boolean(process.env['CI'])
const isLong = process.env['TEST_LONG'] === '1'

export default defineConfig({
  testDir: 'test',
  forbidOnly: ci,
  retries: 0,
  ...(isLong ? {} : { grepInvert: /@long/ }),
  workers: 2,
  // A machine may be slow; what is waited for comes, or does not.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  globalTimeout: ci ? 80 * 60_000 : 0,
  reporter: [['list'], ['./scripts/tally.mjs']],
  projects: [{ name: 'node', testDir: 'test/node' }, ...browser('chromium'), ...browser('firefox'), ...webkitProjects()],
})

function browser(name: BrowserName): Project[] {
  if (name === 'firefox' && process.env['FIREFOX_PATH'] === 'none') return []
  const found = candidates(name)[0]
  if (found === undefined && name === 'firefox') return []
  return [{ name, testDir: 'test/browser', use: found ? launchSettings(found) : { browserName: name } }]
}
