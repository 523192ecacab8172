// What controls announce that have a symbol or an icon in place of words. Half of them was kept back while the rule was
// made.
import { developed, heldBack, neighbours, type IconKind } from '../../../fixtures/icon-controls.js'
import { expect, test } from '../../../support/page/one-page.js'
import { open } from '../../../support/page/page-tools-call.js'

interface Tool {
  execute(input: object, run: object): Promise<unknown>
  readonly [key: symbol]: { preview(input: object, run: object): { readonly effect?: string } }
}

const isAnnounced: Readonly<Record<IconKind, (effect: string) => boolean>> = {
  destroy: (effect) => effect === 'destroy',
  send: (effect) => effect === 'send' || effect === 'destroy',
  asks: (effect) => !/^(view|value|go)$/.test(effect),
  shows: (effect) => /^(view|value)$/.test(effect),
  plain: (effect) => effect !== 'send' && effect !== 'destroy',
}

for (const [name, rows] of Object.entries({ developed, 'kept back': heldBack, 'those of other libraries': neighbours }))
  test(`icons that were ${name}: 98 % of the deeds are announced, and 5 % of the others at most`, async ({
    page,
    site,
  }) => {
    await open(page, `${site}/test/pages/page-tools/act-click.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    // Fonts of icons give their elements a size.
    await page.addStyleTag({
      content:
        'i, button span, mat-icon, ion-icon, sl-icon, iconify-icon { display: inline-block; min-width: 16px; height: 16px }',
    })
    const effects = await page.evaluate(
      async (all) => {
        const { pageTools } = window as unknown as { pageTools: Map<string, Tool> }
        const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
        const found: string[] = []
        for (const html of all) {
          document.body.innerHTML = html
          const answer = JSON.stringify(await pageTools.get('dom_query')?.execute({ selector: '[data-it]' }, run))
          const target = /\be\d+\b/.exec(answer)?.[0] ?? ''
          const click = pageTools.get('page_click')?.[Symbol.for('tool-agent.internals')]
          try {
            found.push(click?.preview({ target }, run).effect ?? 'none')
          } catch (error) {
            found.push(`${String(error)} ${answer}`)
          }
        }
        return found
      },
      rows.map(([, html]) => html),
    )
    const wrong = rows.flatMap(([kind, html], at) =>
      isAnnounced[kind](effects[at] ?? '') ? [] : [{ kind, effect: effects[at], html }],
    )
    const isHarmless = (kind: IconKind): boolean => kind === 'plain' || kind === 'shows'
    const missed = wrong.filter(({ kind }) => !isHarmless(kind))
    const alarms = wrong.filter(({ kind }) => isHarmless(kind))
    const harmless = rows.filter(([kind]) => isHarmless(kind)).length
    expect.soft(missed.length / (rows.length - harmless), JSON.stringify(missed, null, 1)).toBeLessThan(0.02)
    expect.soft(alarms.length / harmless, JSON.stringify(alarms, null, 1)).toBeLessThanOrEqual(0.05)
  })
