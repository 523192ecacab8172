// The 320 sentences of the playground, said to the demos without a browser. `npm run sentences` says them to the
// real pages.
import { heldOut } from '../../fixtures/playground-held-out.js'
import { newcomers } from '../../fixtures/playground-newcomers.js'
import { booking, cartPage, orders, sentences, shop, type Language } from '../../fixtures/playground-languages.js'
import { visitors } from '../../fixtures/playground-visitors.js'
import { sayInNode } from '../../support/playground/demos-in-node.js'
import { verdictOf } from '../../support/playground/verdict.js'
import { expect, test } from 'playwright/test'

const languages: readonly Language[] = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'ar']

for (const [name, all] of Object.entries({ developed: sentences, 'held-out': heldOut, newcomers, visitors }))
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
      all.length * (all === newcomers || all === visitors ? 0.65 : 0.6),
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

test('what is denied is not what is meant, some of the guests are not all, and "a cup" is one of several', async () => {
  const terrace = { seating: 'terrace', date: '2026-11-20', time: '19:00', guests: '2' }
  for (const sentence of [
    booking(
      'en',
      'not the terrace, at the bar',
      { fields: { ...terrace, seating: 'bar' } },
      {
        before: ['table for 2 on Friday at 7pm on the terrace'],
      },
    ),
    booking(
      'ja',
      'テラスではなく店内でお願いします',
      { fields: { ...terrace, seating: 'inside' } },
      {
        before: ['金曜日の19時に2人で、テラス'],
      },
    ),
    booking(
      'ja',
      'テラスはやめて店内で',
      { fields: { ...terrace, seating: 'inside' } },
      {
        before: ['金曜日の19時に2人で、テラス'],
      },
    ),
    booking(
      'fr',
      'à 21h au lieu de 20h',
      { fields: { date: '2026-11-20', time: '21:00', guests: '2' } },
      {
        before: ['une table pour 2 vendredi à 20h'],
      },
    ),
    booking('en', 'two of us are vegan', { fields: { diet: ['vegan'] } }),
    booking('ja', '二人はベジタリアンです', { fields: { diet: ['vegetarian'] } }),
    booking('en', 'a table for my wife and me on Friday at 7pm', {
      fields: { date: '2026-11-20', time: '19:00', guests: '2' },
    }),
    booking('de', 'einen Hochstuhl brauchen wir nicht', { fields: { highChair: '' } }),
    shop('de', 'nimm einen Becher raus', { cart: { 'cup-travel': 1 } }, cartPage({ 'cup-travel': 2 })),
    shop('de', 'nimm den Becher raus', { cart: {} }, cartPage({ 'cup-travel': 2 })),
    shop('es', 'tres en lugar de dos', { cart: { 'tea-assam': 3 } }, cartPage({ 'tea-assam': 2 })),
    orders('en', 'mark 4148 as packed, not shipped', { statuses: { 4148: 'packed' } }),
  ])
    expect((await sayInNode(sentence)).wrong, sentence.say).toEqual([])
  // What stands alone with "not" is still no wish.
  for (const say of ['not on the terrace', 'do not book', 'remove the date'])
    expect((await sayInNode(booking('en', say, {}))).isChanged, say).toBe(false)
})
