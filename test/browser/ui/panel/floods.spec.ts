// Very large answers within all limits: the page stays responsive, and Stop ends the turn.
import type { Page } from 'playwright/test'
import { startEndpoint, type Endpoint, type Handler, type ScriptItem } from '../../../support/lab/endpoint.js'
import { expect, test as base } from '../../../support/page/site.js'

const test = base.extend<{ open(script: readonly ScriptItem[] | Handler): Promise<Page> }>({
  /** Opens a page with the element; the script defines its endpoint. */
  open: async ({ page, site }, use) => {
    const endpoints: Endpoint[] = []
    await use(async (script) => {
      const endpoint = await startEndpoint(script)
      endpoints.push(endpoint)
      await page.goto(`${site}/test/pages/panel/element.html`)
      await page.locator('html[data-ready]').waitFor({ state: 'attached' })
      await page.evaluate(async (url) => {
        await window.load()
        document.body.insertAdjacentHTML(
          'beforeend',
          `<button id="own" onclick="this.dataset.pressed = ''">The page's own</button><tool-agent endpoint="${url}" model="m" lang="en"></tool-agent>`,
        )
        document.querySelector('tool-agent')!.registerTool({
          name: 'echo',
          description: 'Echoes.',
          annotations: { readOnlyHint: true },
          execute: () => 'echo',
        } as never)
      }, endpoint.url)
      await page.locator('tool-agent textarea').last().waitFor()
      return page
    })
    await Promise.all(endpoints.map((endpoint) => endpoint.stop()))
  },
})

const send = async (page: Page): Promise<void> => {
  await page.locator('tool-agent textarea').last().fill('Go')
  await page.locator('tool-agent textarea').last().press('Enter')
}
/** The number of characters that the panel has drawn. */
const drawn = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('tool-agent')!.shadowRoot!.textContent!.length)
/** Characters that the next twenty frames add: a long text is drawn over several frames. */
const added = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const root = document.querySelector('tool-agent')!.shadowRoot!
    const before = root.textContent!.length
    for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame)
    return root.textContent!.length - before
  })
const received = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const parts = document.querySelector('tool-agent')!.session?.draft?.parts ?? []
    return parts.reduce((sum, part) => sum + part.text.length, 0)
  })
const ended = (page: Page) => page.evaluate(() => document.querySelector('tool-agent')!.session?.end?.reason)

/** Checks that the page runs scripts and reacts to a click, and that Stop ends the turn. */
async function answers(page: Page): Promise<void> {
  const began = Date.now()
  expect(await page.evaluate(() => 1 + 1)).toBe(2)
  await page.locator('#own').click({ timeout: 10_000 })
  await expect(page.locator('#own')).toHaveAttribute('data-pressed')
  await page.locator('tool-agent').getByRole('button', { name: 'Stop' }).click({ timeout: 10_000 })
  await expect.poll(() => ended(page)).toBe('stopped')
  expect(Date.now() - began).toBeLessThan(15_000)
}

const content = (text: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`
const sentence = 'All of this is tea, and none of it is coffee. '
/** Four million characters without a line break, just below the limit of an answer. */
function* manyWords(): Generator<string> {
  for (let sent = 0; sent < 3_900_000; sent += 65_000) yield content(sentence.repeat(65_000 / sentence.length))
}

test('draws a bounded part of four million streaming characters; the page responds and Stop ends the turn', async ({
  open,
}) => {
  const page = await open([{ raw: manyWords(), end: 'hang' }])
  await send(page)
  await expect.poll(() => received(page), { timeout: 60_000 }).toBeGreaterThan(3_800_000)
  await expect.poll(() => added(page)).toBe(0)
  expect(await drawn(page)).toBeLessThan(200_000)
  await expect(page.locator('tool-agent article .ending').last()).toContainText(
    'characters are shown when the answer is complete',
  )
  await answers(page)
  expect(await drawn(page)).toBeLessThan(200_000)
})

test('a long answer shows its first piece, more with each click, and its first piece after a reload', async ({
  open,
}) => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `Line ${index} of it.  `)
  const page = await open(() => ({
    raw: [
      ...lines
        .map((_, at) => at)
        .filter((at) => at % 1_000 === 0)
        .map((at) => content(`${lines.slice(at, at + 1_000).join('\n')}\n`)),
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
    ],
  }))
  await send(page)
  await expect.poll(() => ended(page), { timeout: 30_000 }).toBe('stop')
  const piece = page.locator('tool-agent tool-agent-text .text')
  const more = page.locator('tool-agent').getByRole('button', { name: 'Show more' })
  await expect(piece).toHaveCount(1)
  await expect(piece).toContainText('Line 0 of it.')
  await expect(more).toContainText(/\d{3},\d{3} characters left/)
  expect(await drawn(page)).toBeLessThan(150_000)
  await more.click()
  await expect(piece).toHaveCount(2)
  // Cut between two lines: no line is missing or repeated.
  const [first, second] = await piece.allInnerTexts()
  const last = Number(/Line (\d+) of it\.\s*$/.exec(first ?? '')?.[1])
  expect(second?.startsWith(`Line ${last + 1} of it.`)).toBe(true)
  expect(await drawn(page)).toBeLessThan(250_000)
  for (let pressed = 0; pressed < 20 && (await more.count()) > 0; pressed++) await more.click()
  await expect(piece.last()).toContainText('Line 29999 of it.')

  const id = await page.evaluate(() => document.querySelector('tool-agent')!.session!.id)
  await page.reload()
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.evaluate(async () => {
    await window.load()
    document.body.insertAdjacentHTML('beforeend', '<tool-agent model="m" lang="en"></tool-agent>')
  })
  await expect(piece).toHaveCount(1)
  expect(await page.evaluate(() => document.querySelector('tool-agent')!.session!.id)).toBe(id)
  expect(await drawn(page)).toBeLessThan(150_000)
})

test('two thousand calls in one answer end as an error, and the page responds', async ({ open }) => {
  const call = (index: number) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'echo', arguments: `{"at":${index}}` } }] } }] })}\n\n`
  const page = await open([
    {
      raw: [
        ...Array.from({ length: 2_000 }, (_, index) => call(index)),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}\n\ndata: [DONE]\n\n`,
      ],
    },
  ])
  await send(page)
  await expect(page.locator('tool-agent').getByRole('alert')).toContainText('cannot be read')
  expect(await page.locator('tool-agent details.call').count()).toBe(0)
  await page.locator('#own').click({ timeout: 10_000 })
  await expect(page.locator('#own')).toHaveAttribute('data-pressed')
})

test('with the maximum of calls in one answer, the page responds and Stop ends the turn', async ({ open }) => {
  const page = await open([
    { calls: Array.from({ length: 128 }, (_, index) => ({ name: 'echo', arguments: { index } })) },
  ])
  await page.evaluate(() => {
    document.querySelector('tool-agent')!.registerTool(
      {
        name: 'echo',
        description: 'Waits.',
        inputSchema: { type: 'object', properties: { index: { type: 'number' } } },
        timeout: 0,
        execute: () => new Promise(() => undefined),
      } as never,
      { replace: true },
    )
  })
  await send(page)
  await expect.poll(() => page.locator('tool-agent details.call[data-state="limit"]').count()).toBeGreaterThan(0)
  await answers(page)
  await expect(page.locator('tool-agent details.call:is([data-state="running"], [data-state="checking"])')).toHaveCount(
    0,
  )
})

test('with ten thousand chunks of one character, the page responds and Stop ends the turn', async ({ open }) => {
  const page = await open([
    { raw: Array.from({ length: 10_000 }, (_, index) => content(index % 40 === 39 ? '\n' : 'x')), end: 'hang' },
  ])
  await send(page)
  await expect.poll(() => received(page)).toBeGreaterThan(1_000)
  await answers(page)
})

test('the rest of an answer that arrives at once appears over several frames, completely', async ({ open }) => {
  const lines = Array.from({ length: 1_500 }, (_, index) => `- Line ${index} of *it*.`)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const page = await open([
    { text: 'A *short* one.' },
    {
      raw: [
        content('The *list*:\n\n'),
        held,
        content(lines.join('\n')),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      ],
    },
  ])
  // Markdown is loaded now. Before, a text is drawn as it was written.
  await send(page)
  await expect(page.locator('tool-agent article.assistant em')).toHaveText('short')
  await page.evaluate(() => {
    const root = document.querySelector('tool-agent')!.shadowRoot!
    const drawn = [0]
    const look = (): void => {
      // The newest message without its button.
      const text = root.querySelector('article.assistant:last-of-type .text')
      drawn.push(text?.textContent?.length ?? 0)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(window, { largestStep: () => Math.max(...drawn.map((now, index) => now - (drawn[index - 1] ?? 0))) })
  })
  await send(page)
  await expect(page.locator('tool-agent article.assistant em').last()).toHaveText('list')
  release()
  await expect(page.locator('tool-agent article.assistant li').last()).toHaveText('Line 1499 of it.')
  await expect(page.locator('tool-agent article.assistant li')).toHaveCount(1_500)
  expect(await page.evaluate(() => (window as unknown as { largestStep(): number }).largestStep())).toBeLessThan(8_500)
})
