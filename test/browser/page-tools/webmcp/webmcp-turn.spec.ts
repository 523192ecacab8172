// A whole turn with tools that the page offers: offered under a name that fits, asked about once, run, told as outside
// text; also where the form leads to another page.
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'
import { resultsOf, toolNames } from '../../../support/lab/requests.js'

const form = (
  name: string,
  attributes: Record<string, string>,
) => `<form toolname="${name}" tooldescription="Does the work of ${name} on this page" ${Object.entries(attributes)
  .map(([key, value]) => `${key}="${value}"`)
  .join(' ')}>
  <label>Word <input name="word"></label><button>Go</button></form>`

/** The script of the session page, with the provider registered. */
const provider =
  '<script type="module">import { webMcpTools } from "/src/tools.ts"; import "./session.ts"; window.agent.registerToolProvider(webMcpTools())</script>'

/** On this page and on every later one: these forms, and the provider registered. */
async function offer(page: Page, address: string, forms: string): Promise<void> {
  await page.route('**/test/pages/session/session.html*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: (await response.text()).replace('<body></body>', `<body>${forms}${provider}</body>`),
    })
  })
  await page.goto(address)
  await page.waitForFunction(() => window.agent !== undefined)
}

const asked = (page: Page) => page.waitForFunction(() => window.agent.status === 'awaiting-approval')
const approve = (page: Page) =>
  page.evaluate(async () => {
    const parts = window.agent.messages.at(-1)
    const part =
      parts?.role === 'assistant'
        ? parts.parts.find((one) => one.type === 'tool-call' && one.approval && !one.result)
        : undefined
    if (part?.type === 'tool-call') await window.agent.approve(part.call.id)
  })

test(
  'a form has a valid name, needs approval only once, and its answer is fenced',
  { tag: ['@R1.2', '@R7.2', '@S6'] },
  async ({ page, serveModel, open }) => {
    const endpoint = await serveModel([
      { calls: [{ name: 'say_word', arguments: { word: 'tea' } }] },
      { calls: [{ name: 'say_word', arguments: { word: 'milk' } }] },
      { text: 'Done' },
    ])
    await offer(page, open(endpoint), form('say.word', {}))
    await send(page, 'Say tea')
    await asked(page)
    expect(await page.locator('input').inputValue()).toBe('')
    await approve(page)
    await settled(page)
    expect(toolNames(endpoint.requests[0])).toContain('say_word')
    expect(resultsOf(endpoint.requests[2])).toEqual([
      expect.stringMatching(/^<untrusted-[^]*"now":"tea"[^]*must check and submit/),
      expect.stringMatching(/^<untrusted-[^]*"now":"milk"/),
    ])
    expect(await page.locator('input').inputValue()).toBe('milk')
  },
)

test(
  'the first owner of a name keeps it: the page’s own tools, then the document, then its frames',
  { tag: '@S4' },
  async ({ page, serveModel, open }) => {
    const endpoint = await serveModel([{ text: 'ok' }])
    await offer(
      page,
      open(endpoint),
      `${form('look', {})}${form('twice', {})}<iframe srcdoc='${form('twice', { class: 'framed' }).replace('Does', 'Framed')}${form('framed', {})}'></iframe>`,
    )
    await page.frameLocator('iframe').locator('form').first().waitFor()
    await send(page, 'Hello')
    await settled(page)
    const offered = (endpoint.requests[0]!.body!['tools'] as { function: { name: string; description: string } }[]).map(
      ({ function: { name, description } }) => `${name}: ${description.slice(0, 6)}`,
    )
    expect(offered.filter((one) => /^(look|twice|framed)/.test(one))).toEqual([
      'look: Looks ',
      'twice: Does t',
      'framed: Does t',
    ])
  },
)

test(
  'a form with toolautosubmit ends on the page that it opens, and the next step runs there',
  { tag: '@R6.3' },
  async ({ page, serveModel, open }) => {
    const endpoint = await serveModel([
      { calls: [{ name: 'travel', arguments: { word: 'there' } }] },
      { text: 'Arrived' },
    ])
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().includes('word=')) sent.push(request.url())
    })
    const address = open(endpoint, '&chars=5000')
    const hidden = [...new URL(address).searchParams]
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
      .join('')
    await offer(
      page,
      address,
      form('travel', { toolautosubmit: '', action: '/test/pages/session/session.html' }).replace(
        '<label>',
        `${hidden}<label>`,
      ),
    )
    // The server of the next page takes its time. That page has another tool, and an answer for the call.
    await page.route(/word=there/, async (route) => {
      const response = await route.fetch()
      await pause(400)
      const data = JSON.stringify({ '@type': 'Reservation', reservationNumber: 'R-7' })
      const body = (await response.text()).replace(
        '<body></body>',
        `<body>${form('travel', {})}${form('unpack', {})}<script type="application/ld+json">${data}</script>${provider}</body>`,
      )
      await route.fulfill({ response, body })
    })
    await page.evaluate(() => window.agent.configure({ ...window.agent.options, limits: { resumeWait: 100 } }))
    await send(page, 'Travel')
    await asked(page)
    await approve(page)
    await page.waitForURL(/word=there/)
    await settled(page)
    const [part] = await page.evaluate(() => window.agent.messages).then((messages) => messages.flatMap(toolCallsOf))
    expect(part?.result?.output).toEqual({
      navigated: {
        from: address,
        to: expect.stringMatching(/session\.html$/),
        answer: { '@type': 'Reservation', reservationNumber: 'R-7' },
      },
    })
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/^<untrusted-[^]*"reservationNumber":"R-7"[^]*<\/untrusted-/)
    expect(toolNames(endpoint.requests[1])).toContain('unpack')
    expect(endpoint.requests).toHaveLength(2)
    expect(sent).toHaveLength(1)
  },
)
