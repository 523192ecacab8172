// Ordinary sentences in the three demos. `npm run sentences` says all of them and prints a table; at least 80 % must have
// a useful answer. The default run says six.
import { sentences, type Sentence } from '../../fixtures/playground-sentences.js'
import { preparePage, saySentence, type Outcome } from '../../support/playground/say-sentence.js'
import { expect, test } from '../../support/page/site.js'
import type { Browser } from 'playwright/test'

const wanted = 0.8

/** A request, a correction, and what nobody can do. */
const few: readonly string[] = [
  'can i get a tabel for two tomorow evening around 8',
  'please send the booking now',
  'add 3 brown betty teapots and a kettle to my basket',
  'can i return a teapot if it is broken?',
  'wich customers are from london?',
  'delete order 4140',
]

test('six ordinary sentences have a useful answer', async ({ browser, site }) => {
  const chosen = sentences.filter(({ say }) => few.includes(say))
  expect(chosen).toHaveLength(few.length)
  const outcomes = await sayAll(chosen, browser, site)
  expect(outcomes.filter(({ wrong }) => wrong.length > 0).map(({ sentence, wrong }) => [sentence.say, wrong])).toEqual(
    [],
  )
})

test('at least 80 % of the sentences have a useful answer', { tag: '@long' }, async ({ browser, site }, info) => {
  test.setTimeout(900_000)
  const parts = process.env['SENTENCES']?.split('|')
  const chosen = sentences.filter(({ say }) => parts === undefined || parts.some((part) => say.includes(part)))
  const outcomes = await sayAll(chosen, browser, site)
  const right = outcomes.filter(({ wrong }) => wrong.length === 0).length
  const share = `${right} of ${outcomes.length} (${Math.round((100 * right) / outcomes.length)} %)`
  const table = ['| demo | sentence | answer | right |', '|:--|:--|:--|:--|', ...outcomes.map(rowOf), '', share].join(
    '\n',
  )
  await info.attach('sentences.md', { body: table, contentType: 'text/markdown' })
  console.log(`\n${table}`)
  expect(right / outcomes.length, share).toBeGreaterThanOrEqual(wanted)
})

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

function rowOf({ sentence, answer, wrong }: Outcome): string {
  const said = [...(sentence.before ?? []), sentence.say].join(' / ')
  const cells = [sentence.demo, said, answer, wrong.length === 0 ? 'yes' : `**no**: ${wrong.join('; ')}`]
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
