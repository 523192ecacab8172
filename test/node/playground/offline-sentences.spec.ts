// The 260 sentences of the playground, said to the demos without a browser. `npm run sentences` says them to the
// real pages.
import { heldOut } from '../../fixtures/playground-held-out.js'
import { newcomers } from '../../fixtures/playground-newcomers.js'
import { sentences, type Language } from '../../fixtures/playground-languages.js'
import { sayInNode } from '../../support/playground/demos-in-node.js'
import { verdictOf } from '../../support/playground/verdict.js'
import { expect, test } from 'playwright/test'

const languages: readonly Language[] = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'ar']

for (const [name, all] of Object.entries({ developed: sentences, 'held-out': heldOut, newcomers }))
  test(`none of ${all.length} sentences is answered wrongly, and 60 % usefully: ${name}`, async () => {
    const lines: string[] = []
    const useful = new Map(languages.map((language) => [language, 0]))
    const wrong: string[] = []
    for (const sentence of all) {
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
    expect([...useful.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(
      all.length * (all === newcomers ? 0.65 : 0.6),
    )
    const least = all.length * 0.06
    expect([...useful].filter(([, count]) => count < least)).toEqual([])
  })

test('a typing error is taken for nothing that another order cannot take back, and for no number', async () => {
  const changed: string[] = []
  for (const [demo, say] of [
    ['orders', 'charge order 4148 to packed'],
    ['orders', 'mark order 4148 as shiped'],
    ['orders', 'cansel order 4148'],
    ['booking', 'fine table on sunday at 8pm'],
    ['booking', 'tabel for tow on satuday at 7 pm'],
    ['shop', 'emty my cart'],
    ['shop', 'I dnot want the glass teapot in my cart'],
  ] as const) {
    const sentence = {
      language: 'en',
      demo,
      say,
      useful: {},
      ...(demo === 'shop' && { cart: { 'tea-mint': 1 } }),
    } as const
    const { isChanged, answer } = await sayInNode(sentence)
    if (isChanged) changed.push(`${say} → ${answer}`)
  }
  expect(changed).toEqual([])
  const { answer } = await sayInNode({ language: 'en', demo: 'orders', say: 'sort by custmer', useful: {} })
  expect(answer, 'what it was taken for is said').toContain('I took “custmer” to be customer.')
})

test('a question about numbers, and "all" of something, mean the filters of the page as people do', async () => {
  const said = async (say: string, before: string) =>
    sayInNode({ language: 'en', demo: 'orders', say, before: [before], useful: {} })
  const ofThem = await said('how many of them are late?', 'show orders from Lyon')
  expect([ofThem.isChanged, ofThem.answer]).toEqual([false, expect.stringContaining('Search “Lyon” and Late only')])
  const other = await said('how many orders are new?', 'show orders from Lyon')
  expect([other.isChanged, other.answer]).toEqual([false, expect.stringContaining('With Status “New”, the page says')])
})
