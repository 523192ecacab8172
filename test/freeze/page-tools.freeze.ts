// Records what a move of code in the page tools must not change: what a model reads of a page, the kind that each
// control is taken for, what a question of each control says, what a click answers, the definitions, and the events that
// a page sees. `npm run freeze` compares it with the last recording, which `npm run freeze -- --update-snapshots` makes.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { corpusFiles, missingCorpus } from '../support/lab/corpora.js'
import { test as onePage, expect } from '../support/page/one-page.js'
import { call, open, openMarkup } from '../support/page/page-tools-call.js'
import { placeCss, placePages } from '../support/page/place-pages.js'
import { openWidgets, test as withWidgets, widgetPages } from '../support/page/widget-pages.js'
import { noteEvents } from './note-events.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['test/pages/page-tools', 'test/pages/page-tools/fill', 'test/pages/attack']
const ownPages = folders.flatMap((folder) =>
  readdirSync(root + folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => `${folder}/${file}`),
)
const forms = corpusFiles('forms', '.html')

const lines = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** What a model reads as the answer of a tool. */
async function said(page: Page, tool: string, input: object = {}): Promise<string> {
  const output = await call(page, tool, input)
  return page.evaluate(
    ([tool, output]) => {
      const { pageTools } = window as unknown as {
        pageTools: Map<string, { toModelOutput?(result: { output: unknown }): unknown }>
      }
      const isError = (output as { error?: string } | undefined)?.error !== undefined
      const text = isError ? output : (pageTools.get(tool)!.toModelOutput?.({ output }) ?? output)
      return typeof text === 'string' ? text : JSON.stringify(text, null, 1)
    },
    [tool, output] as const,
  )
}

/** The refs of the page's outline that can be clicked, at most `most`. */
async function refsOf(page: Page, most: number): Promise<string[]> {
  const outline = await said(page, 'page_read')
  const found = [...outline.matchAll(/\[ref=(?<ref>\w+)\]/g)].map((match) => match.groups!['ref']!)
  return [...new Set(found)].slice(0, most)
}

/** What the question of an action would show; the error where it is not possible. */
const forecast = (page: Page, tool: string, input: object): Promise<unknown> =>
  page.evaluate(
    ([tool, input]) => {
      type Foresee = Record<symbol, { preview(input: object, run: object): object }>
      const { pageTools } = window as unknown as { pageTools: Map<string, Foresee> }
      try {
        const run = { ...window.toolRun({ messages: [] }), toolCallId: 'forecast' }
        return { ...pageTools.get(tool)![Symbol.for('tool-agent.internals')]!.preview(input, run), plan: undefined }
      } catch (thrown) {
        return { error: (thrown as Error).message }
      }
    },
    [tool, input] as const,
  )

/** A reading of the page in every form that a model gets, with the question of each of its controls. */
async function reading(page: Page, questions: number): Promise<string> {
  const parts = [
    '# page_read',
    await said(page, 'page_read'),
    '# form_read',
    await said(page, 'form_read'),
    '# form_read, output',
    lines(await call(page, 'form_read')),
  ]
  for (const ref of await refsOf(page, questions))
    parts.push(`# click ${ref}`, lines(await forecast(page, 'page_click', { target: ref })))
  return parts.join('\n')
}

/** Without the address of the site, whose port is another one in each run. */
const stable = (text: string, site: string): string => text.replaceAll(site, 'http://site')

onePage.describe('readings', () => {
  for (const file of ownPages)
    onePage(file, async ({ page, site }) => {
      await open(page, `${site}/${file}`)
      expect(stable(await reading(page, 60), site)).toMatchSnapshot([`${file.replaceAll('/', '-')}.txt`])
    })

  onePage('pages of boxes', async ({ page, site }) => {
    onePage.slow()
    await openMarkup(page, site, '', 'a{}')
    const all: string[] = []
    for (const { name, html, css = '', setup } of placePages) {
      await page.evaluate(
        ([html, css]) => {
          document.querySelector('style')!.textContent = css
          document.body.innerHTML = html
        },
        [html, placeCss + css] as const,
      )
      if (setup) await page.evaluate(setup)
      all.push(`## ${name}`, await reading(page, 40))
    }
    expect(stable(all.join('\n'), site)).toMatchSnapshot(['pages-of-boxes.txt'])
  })

  onePage('recorded forms', async ({ page, site }) => {
    onePage.setTimeout(900_000)
    onePage.skip(forms.length === 0, missingCorpus('forms', 1))
    await page.route('**/*', (route) => (route.request().url().startsWith(site) ? route.continue() : route.abort()))
    const all: string[] = []
    for (const [at, form] of forms.entries()) {
      await page.route(`${site}/recorded?*`, (route) =>
        route.fulfill({ contentType: 'text/html', body: form.read().replaceAll(/<script[\s\S]*?<\/script>/gi, '') }),
      )
      await open(page, `${site}/recorded?${at}`)
      all.push(`## ${form.name}`, await reading(page, 0))
      await page.unroute(`${site}/recorded?*`)
    }
    expect(stable(all.join('\n'), site)).toMatchSnapshot(['recorded-forms.txt'])
  })
})

onePage.describe('answers of clicks', () => {
  for (const file of ownPages.filter((name) => name.includes('/act')))
    onePage(file, async ({ page, site }) => {
      onePage.setTimeout(600_000)
      await open(page, `${site}/${file}`)
      const all: string[] = []
      for (const ref of await refsOf(page, 25)) {
        // A page of its own, because a click may leave it.
        const tab = await page.context().newPage()
        await open(tab, `${site}/${file}`)
        await said(tab, 'page_read')
        const answer = await said(tab, 'page_click', { target: ref }).catch(() => 'the page was left')
        all.push(`# click ${ref}`, answer)
        await tab.close()
      }
      expect(stable(all.join('\n'), site)).toMatchSnapshot([`answers-${file.replaceAll('/', '-')}.txt`])
    })
})

/** Libraries make ids of random numbers, and controls without a name are called by them. */
function fixRandom(): void {
  let state = 1
  Math.random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

withWidgets.describe('widgets', () => {
  for (const library of widgetPages.keys())
    withWidgets(library, async ({ page, site, citiesUrl }) => {
      withWidgets.setTimeout(600_000)
      await page.addInitScript(fixRandom)
      await page.addInitScript(noteEvents)
      const rows = await openWidgets(page, site, library, citiesUrl)
      const all = ['# reading', await reading(page, 80)]
      for (const { label, value } of rows) {
        const answer = await said(page, 'form_fill', { values: { [label]: value } })
        const events = await page.evaluate(() => (window as unknown as { eventLog: string[] }).eventLog.splice(0))
        all.push(`# fill ${label}`, answer, ...events)
      }
      expect(stable(all.join('\n'), site)).toMatchSnapshot([`widgets-${library.replaceAll(/\W+/g, '-')}.txt`])
    })
})

onePage('definitions', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  const definitions = await page.evaluate(() =>
    [...(window as unknown as { pageTools: Map<string, object> }).pageTools.values()].map((tool) => ({ ...tool })),
  )
  expect(lines(definitions)).toMatchSnapshot(['definitions.json'])
})
