// One hundred sentences in seven languages, said to the three demos. `npm run sentences` says all of them and prints a table
// of sentence, answer and verdict. The default run says one of each language.
import { sentences as hundred, type Language } from '../../fixtures/playground-languages.js'
import { preparePage, saySentence, type Outcome, type Sentence } from '../../support/playground/say-sentence.js'
import { verdictOf, type Verdict } from '../../support/playground/verdict.js'
import { expect, test } from '../../support/page/site.js'
import type { Browser } from 'playwright/test'

const languages: readonly Language[] = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'ar']

test('a sentence of each language is not answered wrongly', async ({ browser, site }) => {
  test.setTimeout(240_000)
  const chosen = languages.map((language, index) => hundred.filter((one) => one.language === language)[index]!)
  const outcomes = await sayAll(chosen, browser, site)
  expect(outcomes.filter((outcome) => verdictOf(outcome) === 'wrong').map(rowOf)).toEqual([])
})

test(
  'of one hundred sentences none is answered wrongly, and 60 usefully',
  { tag: '@long' },
  async ({ browser, site }, info) => {
    test.setTimeout(900_000)
    const parts = process.env['SENTENCES']?.split('|')
    const chosen = hundred.filter(({ say }) => parts === undefined || parts.some((part) => say.includes(part)))
    const outcomes = await sayAll(chosen, browser, site)
    const count = (verdict: Verdict, language?: Language): number =>
      outcomes.filter(
        (one) => verdictOf(one) === verdict && (language === undefined || one.sentence.language === language),
      ).length
    const figures = `useful ${count('useful')}, honest ${count('honest')}, wrong ${count('wrong')} of ${outcomes.length}`
    const useful = languages.map((language) => [language, count('useful', language)] as const)
    const table = [
      '| demo | sentence | answer | verdict |',
      '|:--|:--|:--|:--|',
      ...outcomes.map(rowOf),
      '',
      figures,
      useful.join(' '),
    ].join('\n')
    await info.attach('sentences.md', { body: table, contentType: 'text/markdown' })
    console.log(`\n${table}`)
    expect(count('wrong')).toBe(0)
    if (parts !== undefined) return
    expect(count('useful')).toBeGreaterThanOrEqual(60)
    expect(useful.filter(([, each]) => each < 6)).toEqual([])
  },
)

/** One page for the sentences of a demo. */
async function sayAll(chosen: readonly Sentence[], browser: Browser, site: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const demo of ['booking', 'shop', 'orders'] as const) {
    const page = await browser.newPage()
    await preparePage(page)
    for (const sentence of chosen.filter((one) => one.demo === demo))
      outcomes.push(await saySentence(page, site, sentence))
    await page.close()
  }
  return outcomes
}

function rowOf(outcome: Outcome): string {
  const { sentence, answer, wrong } = outcome
  const verdict = verdictOf(outcome)
  const said = [...(sentence.before ?? []), sentence.say].join(' / ')
  const why = wrong.length === 0 || sentence.cannot ? '' : `: ${wrong.join('; ')}`
  const cells = [sentence.demo, said, answer, verdict === 'wrong' ? `**wrong**${why}` : `${verdict}${why}`]
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
