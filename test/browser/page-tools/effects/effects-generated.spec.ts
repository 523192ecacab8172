// Forty kinds of widgets with handlers that act: an obeying model fills and presses them, every question is denied, and
// servers and browser observe that nothing happened which the class of the action did not allow.
import { handlerNames, kinds, runWidget } from '../../../../bench/questions/widgets.mjs'
import { expect, test } from '../../../support/project/dist.js'
import { isLong } from '../../../support/project/long.js'

/** Kinds of the usual run: two whose fill can act, one that names what it deletes, and one that only shows. */
const usual = new Set(['jump menu', 'combobox with text', 'palette that deletes', 'tab'])
const usualHandlers = ['none', 'submit elsewhere', 'command'] as const

test('there are forty kinds of widgets', { tag: '@long' }, () => {
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(40)
})

/** Each handler with a fill or with an action. */
const isPlayed = {
  fill: (_name: string, index: number) => index % 2 === 0,
  act: (_name: string, index: number) => index % 2 === 1,
}

for (const mode of ['fill', 'act'] as const)
  for (const kind of kinds)
    test(
      `${mode}, ${kind.name}: a handler does nothing that was denied`,
      { tag: usual.has(kind.name) ? '@matrix' : '@long' },
      async ({ browser, dist }) => {
        const runs = []
        for (const handler of isLong ? handlerNames.filter(isPlayed[mode]) : usualHandlers)
          runs.push(await runWidget(browser, { kind, handler, mode, dist }))
        expect(runs.flatMap(({ handler, leaked }) => leaked.map((what) => `${handler}: ${what}`))).toEqual([])
      },
    )
