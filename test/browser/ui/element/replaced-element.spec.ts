// A framework replaces the element: htmx swaps, Turbo visits, React keys. The new element continues the conversation.
import type { Page } from 'playwright/test'
import { startEndpoint, type Endpoint, type Handler, type ScriptItem } from '../../../support/lab/endpoint.js'
import { resultsOf } from '../../../support/lab/requests.js'
import { expect, test as base } from '../../../support/page/site.js'

declare global {
  interface Window {
    /** Puts an element into the page, with the page's tools. */
    make(attributes?: string, place?: 'before' | 'end'): void
    ran: string[]
  }
}

interface Shop {
  readonly page: Page
  readonly endpoint: Endpoint
}
const test = base.extend<{ open(script: readonly ScriptItem[] | Handler): Promise<Shop> }>({
  open: async ({ page, site }, use) => {
    const endpoints: Endpoint[] = []
    await use(async (script) => {
      const endpoint = await startEndpoint(script)
      endpoints.push(endpoint)
      await page.goto(`${site}/test/pages/panel/element.html`)
      await page.locator('html[data-ready]').waitFor({ state: 'attached' })
      await page.evaluate(async (url) => {
        await window.load()
        window.ran = []
        window.make = (attributes = '', place = 'end') => {
          const element = document
            .createRange()
            .createContextualFragment(`<tool-agent endpoint="${url}" model="m" lang="en" ${attributes}></tool-agent>`)
            .firstElementChild as HTMLElementTagNameMap['tool-agent']
          if (place === 'before') document.querySelector('tool-agent')!.before(element)
          else document.body.append(element)
          for (const [name, annotations] of [
            ['look', { readOnlyHint: true }],
            ['buy', {}],
          ] as const) {
            element.registerTool({
              name,
              description: name,
              annotations,
              execute: () => {
                window.ran.push(name)
                return window.ran.filter((one) => one === name).length === 1
                  ? new Promise(() => undefined)
                  : `${name} again`
              },
            } as never)
          }
        }
        window.make()
      }, endpoint.url)
      return { page, endpoint }
    })
    for (const endpoint of endpoints) await endpoint.close()
  },
})

const ask = (page: Page, text: string, place = 0) =>
  page.evaluate(async ([said, at]) => (await [...document.querySelectorAll('tool-agent')][at]!.send(said)).text, [
    text,
    place,
  ] as const)
const state = (page: Page, place = 0) =>
  page.evaluate((at) => {
    const { agent, session, messages, status } = [...document.querySelectorAll('tool-agent')][at]!
    return { host: agent?.host, id: session?.id, messages: messages.length, status }
  }, place)
const swap = (page: Page, attributes = '') =>
  page.evaluate((written) => {
    document.querySelector('tool-agent')!.remove()
    window.make(written)
  }, attributes)

test('a new element continues the conversation of the removed one as driver', async ({ open }) => {
  const { page } = await open([{ text: 'one' }, { text: 'two' }])
  expect(await ask(page, 'First')).toBe('one')
  const { id } = await state(page)
  await swap(page)
  await expect.poll(() => state(page)).toEqual({ host: 'worker', id, messages: 2, status: 'idle' })
  await expect(page.locator('tool-agent article')).toHaveText([/First/, /one/])
  expect(await ask(page, 'Second')).toBe('two')
  expect(await state(page)).toMatchObject({ id, messages: 4 })
})

test('continues it also when inserted before the removal, and when it sends immediately', async ({ open }) => {
  const { page } = await open([{ text: 'one' }, { text: 'two' }])
  await ask(page, 'First')
  const { id } = await state(page)
  const text = await page.evaluate(async () => {
    const old = document.querySelector('tool-agent')!
    window.make('', 'before')
    old.remove()
    return (await document.querySelector('tool-agent')!.send('Second')).text
  })
  expect(text).toBe('two')
  expect(await state(page)).toEqual({ host: 'worker', id, messages: 4, status: 'idle' })
})

test('when two elements are replaced together, each new one continues the conversation in its place', async ({
  open,
}) => {
  const { page } = await open([{ text: 'one' }, { text: 'two' }])
  await page.evaluate(() => {
    window.make()
  })
  await ask(page, 'First', 0)
  await ask(page, 'Second', 1)
  const ids = [(await state(page, 0)).id, (await state(page, 1)).id]
  await page.evaluate(() => {
    for (const old of document.querySelectorAll('tool-agent')) old.remove()
    window.make()
    window.make()
  })
  await expect
    .poll(async () => [await state(page, 0), await state(page, 1)])
    .toEqual(ids.map((id) => ({ host: 'worker', id, messages: 2, status: 'idle' })))
})

test('a new element with a session id drives that session immediately', async ({ open }) => {
  const { page } = await open([{ text: 'one' }])
  await page.evaluate(() => {
    document.querySelector('tool-agent')!.remove()
    window.make('session-id="order-1"')
  })
  await ask(page, 'First')
  const roles = await page.evaluate(async () => {
    document.querySelector('tool-agent')!.remove()
    window.make('session-id="order-1"')
    const element = document.querySelector('tool-agent')!
    const seen = new Set<string>()
    while (element.messages.length < 2) {
      await new Promise((resolve) => {
        requestAnimationFrame(resolve)
      })
      if (element.sessionRole !== undefined) seen.add(element.sessionRole)
    }
    return [...seen]
  })
  expect(roles).toEqual(['driver'])
})

test('an element with another scope starts a new conversation', async ({ open }) => {
  const { page } = await open([{ text: 'one' }])
  await ask(page, 'First')
  const { id } = await state(page)
  await swap(page, 'scope="grace"')
  await expect.poll(async () => (await state(page)).status).toBe('ready')
  await page.evaluate(() => document.querySelector('tool-agent')!.agent.connect())
  const next = await state(page)
  expect(next.messages).toBe(0)
  expect(next.id).not.toBe(id)
})

test('replaced during an answer, the new element repeats the step and continues the turn', async ({ open }) => {
  const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`
  const { page, endpoint } = await open([{ raw: half, end: 'hang' }, { text: 'The whole answer' }])
  await page.evaluate(() => {
    void document
      .querySelector('tool-agent')!
      .send('Go')
      .catch(() => undefined)
  })
  await page.waitForFunction(() => (document.querySelector('tool-agent')!.session?.draft?.parts.length ?? 0) > 0)
  await swap(page)
  await expect.poll(() => state(page)).toMatchObject({ host: 'worker', messages: 2, status: 'idle' })
  await expect(page.locator('tool-agent article').last()).toContainText('The whole answer')
  expect(endpoint.requests).toHaveLength(2)
})

test('replaced while tools run, the idempotent one runs again and the other is interrupted', async ({ open }) => {
  const { page, endpoint } = await open([
    {
      calls: [
        { name: 'look', arguments: {} },
        { name: 'buy', arguments: {} },
      ],
    },
    { text: 'done' },
  ])
  await page.evaluate(() => {
    void document
      .querySelector('tool-agent')!
      .send('Go')
      .catch(() => undefined)
  })
  await page.waitForFunction(() => window.ran.length === 2)
  await swap(page)
  await expect.poll(() => state(page)).toMatchObject({ host: 'worker', status: 'idle', messages: 3 })
  expect(await page.evaluate(() => window.ran)).toEqual(['look', 'buy', 'look'])
  const [looked, bought] = resultsOf(endpoint.requests[1])
  expect(looked).toBe('look again')
  expect(bought).toContain('may still have happened')
})

test('an old element that is put back after its replacement starts its own conversation', async ({ open }) => {
  const { page } = await open([{ text: 'one' }, { text: 'two' }])
  await ask(page, 'First')
  const { id } = await state(page)
  await page.evaluate(async () => {
    const old = document.querySelector('tool-agent')!
    old.remove()
    window.make()
    while (document.querySelector('tool-agent')!.messages.length === 0)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve)
      })
    document.body.append(old)
  })
  expect(await ask(page, 'Second', 1)).toBe('two')
  expect(await state(page, 0)).toEqual({ host: 'worker', id, messages: 2, status: 'idle' })
  expect((await state(page, 1)).id).not.toBe(id)
  expect(
    await page.evaluate(() => [...document.querySelectorAll('tool-agent')].map((element) => element.tools.length)),
  ).toEqual([2, 2])
})
