// Names that several lists must have, which no type connects: a page tool or a provider that one of them lacks would work,
// and be shown or sent wrongly.
import { expect, test } from 'playwright/test'
import { providerNames } from '../../../src/core/data/model.js'
import { actTools } from '../../../src/page-tools/act/act-tools.js'
import { fillTools, readTools } from '../../../src/page-tools/definitions/tool-lists.js'
import { summaryOf } from '../../../src/page-tools/summaries/summaries.js'
import { protocols } from '../../../src/relay/protocols.js'
import { loadWords } from '../../../src/ui/i18n/locale.js'
import { languages } from '../../../src/ui/i18n/languages/languages.js'
import { pageTools } from '../../../src/ui/message/call/page-tool-names.js'

const names = [...readTools(), ...fillTools(), ...actTools()].map(({ name }) => name)

test('every page tool is known to the panel, with a title and a sentence in every language', async () => {
  expect(names.filter((name) => !pageTools.has(name))).toEqual([])
  for (const tag of ['en', ...languages.keys()]) {
    const untold = names.filter((name) => typeof summaryOf(name, { output: {}, locale: tag } as never) !== 'string')
    expect(untold, `sentences in ${tag}`).toEqual([])
    // In English they have the titles of their definitions.
    if (tag === 'en') continue
    const words = await loadWords(tag)
    expect(
      names.filter((name) => words.tools[name] === undefined),
      `titles in ${tag}`,
    ).toEqual([])
  }
})

test('the relay knows the protocol of every provider', () => {
  expect(Object.keys(protocols).sort()).toEqual([...providerNames].sort())
})
