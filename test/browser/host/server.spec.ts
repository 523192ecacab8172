// A page whose host is a server: the element in a browser, a server in Node, and what happens between them.
import type { Page } from 'playwright/test'
import { z } from 'zod'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../src/core/data/model.js'
import { defineTool } from '../../../src/page/tools/tool.js'
import { scriptedModel } from '../../../src/testing/scripted-model.js'
import { expect, test as base } from '../../support/page/site.js'
import { deferred } from '../../support/lab/lab.js'
import { aServer } from '../../support/server/sockets.js'

/** Buys once for each message, and says what the page has answered. It waits where a test says so. */
function shopModel() {
  const asked: ModelRequest[] = []
  let wait = Promise.resolve()
  const model: ModelAdapter = {
    async *stream(request): AsyncIterable<ModelPart> {
      asked.push(request)
      await wait
      const last = request.messages.at(-1)
      const isDone = last?.role === 'tool'
      if (isDone)
        yield { type: 'text-delta', id: '1', delta: JSON.stringify(last.content).match(/Order \d/)?.[0] ?? 'Nothing' }
      else yield { type: 'tool-call', toolCallId: `c${asked.length}`, toolName: 'buy', input: '{}' }
      yield { type: 'finish', finishReason: { unified: isDone ? 'stop' : 'tool-calls' } }
    },
  }
  const pause = () => {
    const { promise, resolve } = deferred<void>()
    wait = promise
    return resolve
  }
  return { model, asked, pause }
}

const test = base.extend<{ shop: ReturnType<typeof shopModel> & Awaited<ReturnType<typeof aServer>> }>({
  shop: async ({ site, context }, use) => {
    const made = shopModel()
    const server = await aServer(made.model, { origins: [site], instructions: 'You sell teapots.' })
    await context.addCookies([{ name: 'user', value: 'anna', url: site }])
    await use({ ...made, ...server })
    await server.close()
  },
})

/** The shop, whose tool asks before it buys and counts what was bought. */
async function openShop(page: Page, site: string, host: string): Promise<void> {
  await page.addInitScript((address) => {
    window.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given)
        document.documentElement.dataset['worker'] = ''
      }
    }
    addEventListener('DOMContentLoaded', () => {
      const start = setInterval(() => {
        if (document.documentElement.dataset['ready'] === undefined) return
        clearInterval(start)
        void window.load().then(() => {
          const element = document.createElement('tool-agent')
          element.setAttribute('host', address)
          element.registerTool({
            name: 'buy',
            title: 'Buy',
            description: 'Buys what is in the cart. Returns the number of the order.',
            inputSchema: { type: 'object', properties: {} },
            needsApproval: true,
            execute: () => {
              const bought = Number(localStorage.getItem('bought') ?? 0) + 1
              localStorage.setItem('bought', String(bought))
              return `Order ${bought}`
            },
          })
          document.body.append(element)
        })
      }, 10)
    })
  }, host)
  await page.goto(`${site}/test/pages/panel/element.html`)
  await panel(page).waitFor({ state: 'attached' })
}

const panel = (page: Page) => page.locator('tool-agent')
const bought = (page: Page) => page.evaluate(() => Number(localStorage.getItem('bought') ?? 0))
const allow = (page: Page) => panel(page).getByRole('button', { name: 'Buy', exact: true })

async function say(page: Page, text: string): Promise<void> {
  await panel(page).getByRole('textbox').last().fill(text)
  await panel(page).getByRole('textbox').last().press('Enter')
}

test('a question outlives its page, and is answered by the page that is there', async ({
  page,
  context,
  site,
  shop,
}) => {
  await openShop(page, site, `ws://${shop.host}/`)
  await say(page, 'A teapot, please')
  await expect(allow(page)).toBeVisible()
  expect(JSON.stringify(shop.asked[0])).toContain('You sell teapots.')
  // A second tab follows, without a word about the first one.
  const other = await context.newPage()
  await openShop(other, site, `ws://${shop.host}/`)
  const id = await page.evaluate(() => document.querySelector('tool-agent')!.session!.id)
  await other.evaluate((one) => document.querySelector('tool-agent')!.agent.sessions.open(one), id)
  await expect(allow(other)).toBeVisible()
  await expect(panel(other).locator('.notices')).toBeEmpty()
  await page.reload()
  await expect(allow(page)).toBeVisible()
  await allow(page).click()
  for (const one of [page, other]) await expect(panel(one).getByText('Order 1', { exact: true })).toBeVisible()
  expect([await bought(page), shop.asked.length]).toEqual([1, 2])
  const state = () =>
    page.evaluate(() => [
      document.querySelector('tool-agent')!.agent.host,
      document.querySelector('tool-agent')!.storage,
    ])
  expect(await state()).toEqual(['server', 'server'])
  await expect(page.locator('html')).not.toHaveAttribute('data-worker')
})

test('a socket that breaks is told in words, and the conversation goes on over the next one', async ({
  page,
  site,
  shop,
}) => {
  await openShop(page, site, `ws://${shop.host}/`)
  const goOn = shop.pause()
  await say(page, 'A teapot, please')
  await expect.poll(() => shop.asked.length).toBe(1)
  shop.cut()
  goOn()
  await allow(page).click()
  await expect(panel(page).getByText('Order 1', { exact: true })).toBeVisible()
  await expect(panel(page).locator('.notices')).toBeEmpty()
  // While no socket is accepted, the page says so, and keeps what the visitor sends.
  await page.context().clearCookies()
  shop.cut()
  await expect(panel(page).getByText('The assistant cannot be reached.')).toBeVisible()
  await say(page, 'Another one')
  await page.context().addCookies([{ name: 'user', value: 'anna', url: site }])
  await allow(page).click()
  await expect(panel(page).getByText('Order 2', { exact: true })).toBeVisible()
  await expect(panel(page).locator('.notices')).toBeEmpty()
  expect(await bought(page)).toBe(2)
})

test('a page that no server accepts says so, keeps the text in the field, and runs nothing itself', async ({
  page,
  site,
  shop,
}) => {
  await page.context().clearCookies()
  await openShop(page, site, `ws://${shop.host}/`)
  await say(page, 'A teapot, please')
  await expect(panel(page).getByText('The assistant cannot be reached.')).toBeVisible()
  await expect(panel(page).getByRole('textbox').last()).toHaveValue('A teapot, please')
  await expect(page.locator('html')).not.toHaveAttribute('data-worker')
  await page.context().addCookies([{ name: 'user', value: 'anna', url: site }])
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  await allow(page).click()
  await expect(panel(page).getByText('Order 1', { exact: true })).toBeVisible()
})

test('a question about a tool of the server has its labels, takes changes that the server accepts, and can be allowed for longer', async ({
  page,
  context,
  site,
}) => {
  const ran: unknown[] = []
  const inputSchema = z.object({
    order: z
      .int()
      .meta({ title: 'Order number' })
      .refine((order) => order !== 13, { error: 'Order 13 was paid back already.' }),
  })
  const refund = defineTool({
    name: 'refund_order',
    title: 'Pay back',
    description: 'Pays the price of an order back',
    inputSchema,
    needsApproval: true,
    execute: (input) => void ran.push(input),
  })
  const call = { calls: [{ name: 'refund_order', input: { order: 1 } }] }
  const { host, close } = await aServer(scriptedModel([call, call, 'Paid']), { origins: [site], tools: [refund] })
  await context.addCookies([{ name: 'user', value: 'anna', url: site }])
  await openShop(page, site, `ws://${host}/`)
  await say(page, 'Pay it back, please')
  const card = panel(page).locator('.approval')
  await expect(card.locator('.arguments')).toHaveText(/Order number\s*1/)
  await card.locator('.change').click()
  await card.getByLabel('Order number').fill('13')
  await card.getByRole('button', { name: 'Pay back', exact: true }).click()
  await expect(card.locator('.form .problem')).toHaveText('Order 13 was paid back already.')
  await card.getByLabel('Order number').fill('5')
  await card.locator('.approve-menu').click()
  await card.locator('.menu .remember').click()
  await expect(panel(page).getByText('Paid', { exact: true })).toBeVisible()
  expect(ran).toEqual([{ order: 5 }, { order: 1 }])
  await close()
})

/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function attach(page: Page, name: string): Promise<void> {
  await panel(page).evaluate((element) => element.setAttribute('attachments', 'image/*,text/*'))
  const buffer = Buffer.from(pixel, 'base64')
  await panel(page).locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await expect(chips(page)).toHaveText([new RegExp(name)])
}
const chips = (page: Page) => panel(page).getByRole('list', { name: 'Attached files' }).getByRole('listitem')
const picture = (page: Page) => panel(page).locator('tool-agent-transcript tool-agent-file', { hasText: 'teapot.png' })

test('a picture is uploaded, and is seen in the page that sent it and on another device', async ({
  page,
  context,
  site,
  shop,
}) => {
  await openShop(page, site, `ws://${shop.host}/`)
  await attach(page, 'teapot.png')
  await say(page, 'This one, please')
  await allow(page).click()
  await expect(panel(page).getByText('Order 1', { exact: true })).toBeVisible()
  // The page has encoded it again.
  const file = shop.asked[0]!.messages.flatMap(({ role, content }) => (role === 'user' ? [...content] : [])).find(
    (part) => part.type === 'file',
  )
  expect(file).toMatchObject({ mediaType: 'image/png', filename: 'teapot.png', data: expect.stringMatching(/^iVBOR/) })
  await expect(picture(page).locator('canvas')).toBeVisible()
  await expect(chips(page)).toHaveCount(0)
  const id = await page.evaluate(() => document.querySelector('tool-agent')!.session!.id)
  const other = await context.newPage()
  await openShop(other, site, `ws://${shop.host}/`)
  await other.evaluate((one) => document.querySelector('tool-agent')!.agent.sessions.open(one), id)
  await panel(other).evaluate((element) => ((element as unknown as { open: boolean }).open = true))
  await expect(picture(other).locator('canvas')).toBeVisible()
})

test('a picture that cannot be uploaded is told in words, and stays in the field with its text', async ({
  page,
  site,
  shop,
}) => {
  await openShop(page, site, `ws://${shop.host}/`)
  await attach(page, 'teapot.png')
  await page.route(`http://${shop.host}/`, (route) => route.abort())
  await say(page, 'This one, please')
  await expect(panel(page).getByText('The assistant cannot be reached.')).toBeVisible()
  await expect(panel(page).getByRole('textbox').last()).toHaveValue('This one, please')
  await expect(chips(page)).toHaveText([/teapot\.png/])
  expect(shop.asked).toEqual([])
  await page.unroute(`http://${shop.host}/`)
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  await allow(page).click()
  await expect(panel(page).getByText('Order 1', { exact: true })).toBeVisible()
  expect(shop.asked.length).toBe(2)
})
