// The two hundred sentences of the playground, said to the demos without a browser. `npm run sentences` says them to the
// real pages.
import { heldOut } from '../../fixtures/playground-held-out.js'
import { sentences, type Language } from '../../fixtures/playground-languages.js'
import { sayInNode } from '../../support/playground/demos-in-node.js'
import { verdictOf } from '../../support/playground/verdict.js'
import { expect, test } from 'playwright/test'

const languages: readonly Language[] = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'ar']

for (const [name, hundred] of Object.entries({ developed: sentences, 'held-out': heldOut }))
  test(`none of one hundred sentences is answered wrongly, and 60 usefully: ${name}`, async () => {
    const lines: string[] = []
    const useful = new Map(languages.map((language) => [language, 0]))
    const wrong: string[] = []
    for (const sentence of hundred) {
      const outcome = await sayInNode(sentence)
      const verdict = verdictOf(outcome)
      const { language } = sentence
      if (verdict === 'useful') useful.set(language, (useful.get(language) ?? 0) + 1)
      const line = `${verdict} ${language} ${sentence.say} → ${outcome.answer} (${outcome.wrong.join('; ')})`
      if (verdict === 'wrong') wrong.push(line)
      lines.push(line.replaceAll(/\s+/g, ' '))
    }
    if (process.env['SHOW_SENTENCES']) console.log(lines.join('\n'), useful)
    expect(wrong).toEqual([])
    expect([...useful.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(60)
    expect([...useful].filter(([, count]) => count < 6)).toEqual([])
  })
