// form_fill on every widget of ten libraries, as a model calls it: the visible label and a natural value. What counts
// is what the application holds, never what the tool says. What does not work must be said by the tool and by the docs.
// A sample of other libraries is in fill/libraries.spec.ts. Prints a table, and writes it to `test-results/widgets/`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, openWidgets, test, widgetPages, widgetState } from '../../../support/page/widget-pages.js'
import { call } from '../../../support/page/page-tools-call.js'
import { root } from '../../../support/project/build-once.js'

interface Filled {
  readonly ok: boolean
  readonly problem?: string
}

/** The widgets of a library that the docs list as not filled. */
function listedInDocs(library: string): string[] {
  const docs = readFileSync(join(root, 'docs/page-tools.md'), 'utf8')
  const [, cell = ''] = new RegExp(`^\\| ${library} \\| (.*) \\|$`, 'm').exec(docs) ?? []
  return cell.split(/; /).filter((name) => name !== '')
}

for (const library of widgetPages.keys())
  test(
    `${library}: a widget holds what form_fill says, and what cannot be filled is an error`,
    { tag: '@long' },
    async ({ page, site, citiesUrl }, testInfo) => {
      test.setTimeout(600_000)
      const all = await openWidgets(page, site, library, citiesUrl)
      expect(all.filter(({ fails }) => fails).map(({ widget }) => widget)).toEqual(listedInDocs(library))
      const lines: string[] = []
      for (const { widget, label, value, state, fails } of all) {
        const before = await widgetState(page)
        const filled = await call<Filled[]>(page, 'form_fill', { fields: [{ field: label, value }] })
        const { [label]: held, ...others } = await widgetState(page)
        const isHeld = JSON.stringify(held) === JSON.stringify(state)
        const saysOk = filled.every(({ ok }) => ok)
        const success = isHeld ? 'ok' : 'false success'
        const verdict = saysOk ? success : 'error'
        const said = filled.map(({ problem }) => problem).join('; ')
        expect.soft(verdict, `${library}, ${widget}: ${said}`).toBe(fails ? 'error' : 'ok')
        expect.soft({ ...others, [label]: before[label] }, `${library}, ${widget}: other widgets`).toEqual(before)
        lines.push(`${widget.padEnd(40)}${verdict}${saysOk ? '' : `: ${said}`}`)
        // What an error leaves behind is not the next widget's.
        if (verdict !== 'ok') await openWidgets(page, site, library, citiesUrl)
      }
      const table = `${library}\n${lines.join('\n')}\n`
      console.log(table)
      const folder = join(testInfo.project.outputDir, 'widgets')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${library}.txt`), table)
    },
  )
