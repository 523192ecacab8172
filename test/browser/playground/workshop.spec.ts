// The pages of the workshop: a model of your own, the page-tool laboratory and recorded sessions.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import type { Trace } from '../../../src/testing.js'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { expect, test as base } from '../../support/page/site.js'

const test = base.extend<{ problems: string[] }>({
  problems: [
    async ({ page }, use) => {
      const problems: string[] = []
      page.on('pageerror', ({ message }) => problems.push(message))
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      await page.addInitScript(() => {
        if (origin !== 'null') sessionStorage['playground-pace'] ??= '0'
      })
      await use(problems)
      // Violations of the policy are messages on the console as well.
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

const recordings = ['booking', 'cart', 'orders'] as const
const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../playground/sessions/${name}.session.json`, import.meta.url))

test('the start page leads to each page of the workshop', async ({ page, site }) => {
  await page.goto(site)
  for (const [link, heading] of [
    ['Your own model', 'Your own model'],
    ['Page-tool laboratory', 'Page-tool laboratory'],
    ['Recorded sessions', 'Recorded sessions'],
    ['Theme editor', 'Theme editor'],
  ] as const) {
    await page.getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await page.getByRole('link', { name: 'tool-agent' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('An assistant inside the page')
  }
})

/** While pasted HTML is parsed, the policy refuses its style attributes and handlers. */
const refusals = /^(?:Applying inline style|Executing inline event handler) violates/

test('no page of the workshop is wider than a phone', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['model', 'lab', 'sessions', 'themes']) {
    await page.goto(`${site}/playground/${name}/`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const extra = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(extra, name).toBeLessThanOrEqual(0)
  }
})

async function pasted(page: Page, html: string): Promise<void> {
  await page.getByLabel('HTML').fill(html)
  await page.getByRole('button', { name: 'Read it' }).click()
}

test('the laboratory shows what the page tools return for pasted HTML, and what is private', async ({
  page,
  site,
  problems,
}) => {
  await page.goto(`${site}/playground/lab/`)
  await expect(page.getByLabel('Result of page_read')).toContainText('Create an account')
  await pasted(
    page,
    `<h2>Refunds</h2><p style="display:none">Hidden words</p><style>.gone { visibility: hidden }</style>
     <p class="gone">More hidden words</p><p>Your number is 4111 1111 1111 1111.</p>
     <form><label>City <input name="city" value="Porto"></label>
     <label>Card number <input name="card" value="4111111111111111"></label></form>`,
  )
  const outline = page.getByLabel('Result of page_read')
  await expect(outline).toContainText('Refunds')
  await expect(outline).not.toContainText(/hidden words|4111|Themes/i)
  const forms = page.getByLabel('Result of form_read')
  await expect(forms).toContainText('"Porto"')
  await expect(forms).not.toContainText('4111')
  const hidden = page.locator('#private')
  await expect(hidden).toContainText('Card number: the model reads only that it is filled (card)')
  await expect(hidden).toContainText('One copy of such a value')
  await pasted(page, '<p>Nothing to fill in.</p>')
  await expect(hidden).toHaveText('Nothing here is private.')
  expect(problems.splice(0).filter((text) => !refusals.test(text))).toEqual([])
})

test('pasted HTML runs nothing, loads nothing and leads nowhere', async ({ page, site, problems }) => {
  const outside: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/elsewhere')) outside.push(request.url())
  })
  await page.goto(`${site}/playground/lab/`)
  await expect(page.getByLabel('Result of page_read')).toContainText('Create an account')
  const address = page.url()
  await pasted(
    page,
    `<script>globalThis.ran = 1</script><img src="/elsewhere.png" onerror="globalThis.ran = 1">
     <svg onload="globalThis.ran = 1"><image href="/elsewhere.svg"/></svg><iframe src="/elsewhere"></iframe>
     <base href="/elsewhere/"><meta http-equiv="refresh" content="0; url=/elsewhere"><link rel="stylesheet" href="/elsewhere.css">
     <p style="background: url(/elsewhere.png)" onclick="globalThis.ran = 1" onpointerdown="globalThis.ran = 1">Press me</p>
     <style>@import "/elsewhere.css"; p { background: image-set("/elsewhere.png" 1x) }</style>
     <a href="javascript:globalThis.ran = 1">Script</a> <a href="/elsewhere">Away</a>
     <form action="/elsewhere"><button>Send</button></form>`,
  )
  await expect(page.getByLabel('Result of page_read')).toContainText('Press me')
  for (const name of ['Press me', 'Script', 'Away', 'Send']) await page.locator('#page').getByText(name).click()
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
  expect(page.url()).toBe(address)
  expect(outside).toEqual([])
  expect(problems.splice(0).filter((text) => !refusals.test(text))).toEqual([])
})

for (const name of recordings) {
  test(`the recorded session “${name}” is replayed to its end`, async ({ page, site }) => {
    const trace = JSON.parse(readFileSync(fileOf(name), 'utf8')) as Trace
    const answers = trace.events.flatMap(({ event }) => (event?.type === 'step-end' ? [event.message.parts] : []))
    const said = answers.map((parts) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''))
    await page.goto(`${site}/playground/sessions/`)
    await page
      .getByRole('button', { name: /^Replay: / })
      .nth(recordings.indexOf(name))
      .click()
    await expect(page.locator('#state')).toContainText('Every recorded answer was played.', { timeout: 60_000 })
    const played = await page.evaluate(() =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.flatMap((message) => (message.role === 'assistant' ? [message.parts] : []))
        .map((parts) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')),
    )
    expect(played).toEqual(said)
    expect(said.length).toBeGreaterThan(3)
  })
}

test('a trace of the visitor is replayed, and another file is refused with a reason', async ({ page, site }) => {
  await page.goto(`${site}/playground/sessions/`)
  await page.getByLabel('Or a trace of your own').setInputFiles(fileOf('cart'))
  await expect(page.locator('#state')).toContainText('“cart.session.json” has ended.')
  await page
    .getByLabel('Or a trace of your own')
    .setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{"version":2}') })
  await expect(page.getByRole('alert')).toContainText('expected a trace of version 1')
})

test('an endpoint of your own gets the key, which is in no storage, and its tool calls run', async ({ page, site }) => {
  const endpoint = await startEndpoint([
    { calls: [{ name: 'write_note', arguments: { text: 'buy tea' } }] },
    { text: 'I wrote it down.' },
  ])
  await page.goto(`${site}/playground/model/`)
  await page.getByRole('button', { name: 'Fill in the address of OpenRouter' }).click()
  await expect(page.getByLabel('Any endpoint')).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue('https://openrouter.ai/api/v1')
  await page.getByRole('textbox', { name: 'URL' }).fill(endpoint.url)
  await page.getByLabel('Model', { exact: true }).fill('my-model')
  await page.getByLabel('Key', { exact: true }).fill('sk-of-the-visitor')
  await page.getByRole('button', { name: 'Use this model' }).click()
  await expect(page.locator('#state')).toContainText('my-model at')
  await expect(page.locator('#code')).toContainText(`endpoint="${endpoint.url}"`)
  const box = page.locator('tool-agent').getByRole('textbox')
  await box.fill('write a note: buy tea')
  await box.press('Enter')
  await expect(page.locator('tool-agent').getByRole('log').getByText('I wrote it down.')).toBeVisible()
  await expect(page.locator('#notes')).toHaveText('buy tea')
  const bearer = 'Bearer sk-of-the-visitor'
  expect(endpoint.requests.map(({ headers }) => headers.authorization)).toEqual([bearer, bearer])
  expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toContain('sk-of')
  await endpoint.close()
})
