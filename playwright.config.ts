// All tests: node specs first, then the browser specs in each available browser. `npm test` checks which browsers start
// and sets their paths in the environment; `npx playwright test` alone uses the first one it finds.
//
// The project `chromium` runs the headless shell of Chromium, if that is installed. A spec that needs what the shell does
// not have, such as the back/forward cache, starts Chromium itself.
//
// `npm test` runs the default part, which takes a quarter of an hour on two cores. `npm run test:long` sets TEST_LONG and
// runs what the default part leaves out: the node specs with all seeds, the browser specs of `longSpecs`, tests tagged
// `@long`, those tagged `@matrix` with all their cases, and in Firefox also tests tagged `@one-engine` and the specs of
// page tools and panel that the default run has in Chromium only. TEST_ALL runs both parts, for commands that pick tests
// by path or title.
import { defineConfig, type Project } from 'playwright/test'
import { candidates, headlessShell, launchSettings, type BrowserName } from './scripts/browsers.mjs'
import { webkitProjects } from './scripts/webkit.mjs'

const ci = Boolean(process.env['CI'])
const isLong = process.env['TEST_LONG'] === '1'

/** Specs whose result may depend on the engine: storage, tabs, the life of the element, and the built package. */
const engineSpecs = specs(
  'host/(?:sessions|storage-faults|store|tabs|worker-faults)',
  'package/(?:dist|dist-worker|element-offline|load-errors)',
  'ui/element/element',
)
/**
 * Specs of the long run alone: the breadth of a feature whose core is tested elsewhere, and features that little else
 * uses. A change of one of them runs its specs with `TEST_ALL=1`.
 */
const longSpecs = specs(
  'cli/(?:attack-pages|eval)',
  'host/(?:endpoint-faults|kill-matrix)',
  'integrations/integrations',
  'mcp/mcp-dist',
  'package/(?:clobbered-document|dist-browser-model|dist-consumer|dist-providers|wrapper-mistakes)',
  'page-tools/act/act-(?:changes|cover|drag-libraries|edges|focus|hand|press|redrawn|reopen|scroll|text)',
  'page-tools/effects/(?:effects-generated|held-libraries|libraries)',
  'page-tools/fill/(?:form-calendars|form-codes|form-corpora|form-faults|form-mixed|form-suggestions|form-words|frameworks)',
  'page-tools/read/(?:page-tools-(?:clickable|clobbered|colors|hover|large|places|unseen)|place-libraries|row-lists-edges)',
  'playground/(?:order-desk|playground-sentences|workshop)',
  'site/start-pages',
  'ui/element/replaced-element',
  'ui/attachments/panel-attachments',
  'ui/inspector/inspector',
  'ui/isolation/(?:element|libraries)-menus',
  'ui/layout/(?:panel-embedding|panel-place|panel-reflow)',
  'ui/panel/(?:bad-input|floods|language-fit|message-actions|panel-agents|panel-frames|panel-layout|panel-scroll|theming)',
  'ui/selection/panel-selection',
  'ui/states/(?:axe|contact-sheets)',
)
/**
 * Specs that the long run has in Firefox beside `engineSpecs`, without their matrices: events, layout, focus, windows and
 * what leaves a page. No engine changes what words mean, which fields are private, or how a target is named, and Firefox
 * draws letters that the fonts of the tests do not have as boxes (`language-fit`). `tasks` and
 * `effects/questions` run jobs of the benchmarks, which use the DevTools protocol of Chromium for a real mouse and what
 * the browser did.
 */
const secondEngineSpecs = new RegExp(
  [
    '/browser/(?:page-tools/(?!tasks|sensitive|act/act-targets|read/row-lists|effects/(?:questions|effects|libraries))',
    'ui/(?!states|inspector|approval/approval-arguments|panel/language-fit)|page/|host/page-life)',
  ].join('|'),
)
const isBroad = /@(?:long|matrix|one-engine)/
const firefoxParts = isLong ? { grep: isBroad } : { grepInvert: /@(?:long|one-engine)/ }
const parts = isLong ? { grep: /@(?:long|matrix)/ } : { grepInvert: /@long/ }
const isAll = process.env['TEST_ALL'] === '1'
/** The folder of the recordings of `npm run freeze`, which runs nothing else. */
const freeze = process.env['FREEZE']
const part = isAll ? {} : parts

export default defineConfig({
  testDir: 'test',
  forbidOnly: ci,
  retries: 0,
  // A browser test waits for half of its time, so four workers use two cores better than two.
  workers: 4,
  // Generous, because a test waits for a condition and the machine may be slow. In the long run jobs of two minutes stand
  // beside worlds that are killed.
  timeout: isLong ? 300_000 : 90_000,
  expect: { timeout: isLong ? 45_000 : 15_000 },
  globalTimeout: ci && !isLong ? 40 * 60_000 : 0,
  reporter: [['list'], ['./scripts/tally.mjs']],
  projects: [
    { name: 'node', testDir: 'test/node', ...(isLong ? {} : part) },
    ...chromium(),
    ...firefox(),
    ...webkitProjects().map((project) => ({ ...project, ...part })),
  ],
})

/** Files of `test/browser/`, given as parts of regular expressions without their ending. */
function specs(...names: string[]): RegExp {
  return new RegExp(`/browser/(?:${names.join('|')})\\.spec\\.ts$`)
}

function chromium(): Project[] {
  const shell = headlessShell()
  const use = shell ? launchSettings(shell) : (settings('chromium') ?? { browserName: 'chromium' })
  if (freeze !== undefined)
    return [
      {
        name: 'freeze',
        testDir: 'test/freeze',
        testMatch: '*.freeze.ts',
        snapshotPathTemplate: `${freeze}/{arg}{ext}`,
        use,
      },
    ]
  const engine: Project = { name: 'chromium', testDir: 'test/browser', ...part, use }
  if (isAll) return [engine]
  const usual = { ...engine, testIgnore: longSpecs }
  return isLong ? [usual, { name: 'chromium-rest', testDir: 'test/browser', testMatch: longSpecs, use }] : [usual]
}

function firefox(): Project[] {
  const use = process.env['FIREFOX_PATH'] === 'none' ? undefined : settings('firefox')
  if (use === undefined) return []
  const engine: Project = { name: 'firefox', testDir: 'test/browser', use }
  if (isAll) return [engine]
  const usual = { ...engine, ...firefoxParts, testMatch: engineSpecs }
  const rest = { name: 'firefox-rest', testMatch: secondEngineSpecs, testIgnore: engineSpecs, grepInvert: isBroad }
  return isLong ? [usual, { ...engine, ...rest }] : [usual]
}

function settings(name: BrowserName): Project['use'] | undefined {
  const found = candidates(name)[0]
  return found && launchSettings(found)
}
