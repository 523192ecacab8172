// `npm run questions:widgets`: forty kinds of widgets with every handler, filled and pressed while every question is
// denied. Prints both error rates. Arguments: words of kinds; `--dist <folder>` takes another build, `--handler=<name>`
// one handler, `--mode=fill` or `act` one of both.
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { handlerNames, kinds, runWidget, widgetTable } from './widgets.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dist: { type: 'string', default: 'dist' }, handler: { type: 'string' }, mode: { type: 'string' } },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const chosen = kinds.filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)))
const chosenHandlers = handlerNames.filter((name) => values.handler === undefined || name === values.handler)
const folder = `${root}test-results/questions/`
const [found] = candidates('chromium')
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
try {
  for (const mode of /** @type {const} */ (['fill', 'act'])) {
    if (values.mode !== undefined && values.mode !== mode) continue
    const waiting = chosen.flatMap((kind) => chosenHandlers.map((handler) => ({ kind, handler }))).values()
    /** @type {import('./widgets.mjs').WidgetRun[]} */
    const runs = []
    const work = async () => {
      for (const { kind, handler } of waiting)
        runs.push(await runWidget(browser, { kind, handler, mode, dist: resolve(root, values.dist) }))
    }
    await Promise.all([work(), work(), work()])
    console.log(`\n**${mode}**, everything denied\n\n${widgetTable(runs)}`)
    // A run of tests meanwhile empties the folder.
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}widgets-${mode}.json`, JSON.stringify(runs, null, 2))
    for (const { kind, handler, leaked } of runs)
      if (leaked.length > 0) {
        console.error(`${mode}, ${kind}, ${handler}: ${leaked.join(', ')}`)
        process.exitCode = 1
      }
  }
} finally {
  await browser.close()
}
