// 320 sentences in seven languages, said to the three demos: the hundred that the offline model was developed with, a hundred
// that no rule of it was made for, sixty of newcomers and sixty of visitors. `npm run sentences` says all of them, prints a
// table of sentence, answer and verdict for each set, and writes it to test-results. The default run says one of each language.
import { writeFileSync } from 'node:fs'
import { heldOut } from '../../fixtures/playground-held-out.js'
import { newcomers } from '../../fixtures/playground-newcomers.js'
import { visitors } from '../../fixtures/playground-visitors.js'
import { sentences, type Language } from '../../fixtures/playground-languages.js'
import { preparePage, saySentence, type Outcome, type Sentence } from '../../support/playground/say-sentence.js'
import { verdictOf, type Verdict } from '../../support/playground/verdict.js'
import { expect, test } from '../../support/page/site.js'
import type { Browser } from 'playwright/test'

const languages: readonly Language[] = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'ar']
const verdicts: readonly Verdict[] = ['useful', 'honest', 'wrong']
/** Each set with the part of it that must be useful. */
const sets = {
  developed: [sentences, 0.6],
  'held-out': [heldOut, 0.6],
  newcomers: [newcomers, 0.65],
  visitors: [visitors, 0.65],
} as const

test('a sentence of each language is not answered wrongly', async ({ browser, site }) => {
  test.setTimeout(240_000)
  const chosen = languages.map((language, index) => sentences.filter((one) => one.language === language)[index]!)
  const outcomes = await sayAll(chosen, browser, site)
  expect(outcomes.filter((outcome) => verdictOf(outcome) === 'wrong').map(rowOf)).toEqual([])
})

for (const [name, [all, share]] of Object.entries(sets))
  test(
    `of ${all.length} sentences none is answered wrongly, and ${share * 100} % usefully: ${name}`,
    { tag: '@long' },
    async ({ browser, site }, info) => {
      test.setTimeout(1_800_000)
      const parts = process.env['SENTENCES']?.split('|')
      const chosen = all.filter(({ say }) => parts === undefined || parts.some((part) => say.includes(part)))
      const outcomes = await sayAll(chosen, browser, site)
      const figures = figuresOf(outcomes)
      const table = [
        '| demo | sentence | answer | verdict |',
        '|:--|:--|:--|:--|',
        ...outcomes.map(rowOf),
        '',
        ...figures.map((line) => line.join(' ')),
      ].join('\n')
      writeFileSync(info.outputPath('sentences.md'), `${table}\n`)
      await info.attach('sentences.md', { path: info.outputPath('sentences.md'), contentType: 'text/markdown' })
      console.log(`\n${name}\n${table}`)
      const count = (language: string, verdict: Verdict): number =>
        Number(figures.find(([first]) => first === language)?.[verdicts.indexOf(verdict) + 1]?.split(' ')[1])
      expect(count('all', 'wrong')).toBe(0)
      if (parts !== undefined) return
      expect(count('all', 'useful')).toBeGreaterThanOrEqual(all.length * share)
      expect(languages.filter((language) => count(language, 'useful') < all.length * 0.06)).toEqual([])
    },
  )

/** A line for each language and one for all: the name, then a verdict and its count in each cell. */
function figuresOf(outcomes: readonly Outcome[]): string[][] {
  return [...languages, 'all'].map((language) => [
    language,
    ...verdicts.map((verdict) => {
      const found = outcomes.filter(
        (one) => verdictOf(one) === verdict && (language === 'all' || one.sentence.language === language),
      )
      return `${verdict} ${found.length}`
    }),
  ])
}

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
