// The order desk end to end, with a scripted model that has only what a real model has: the user's message and the
// results of its calls. It names labels, and references from those results.
import type { Page } from 'playwright/test'
import type { JsonObject } from '../../../src/core/data/json.js'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import { startEndpoint, type Endpoint, type Reply } from '../../support/lab/endpoint.js'
import { resultsOf } from '../../support/lab/requests.js'
import { expect, test } from '../../support/page/site.js'

/** Gives a call, or the last text, and gets the text of the call's result. */
type Model = Generator<readonly [name: string, input: JsonObject] | string, void, string>

/** Serves the model, and sets it as the endpoint of the page's assistant. */
async function serve(page: Page, site: string, model: Model): Promise<Endpoint> {
  let begun = false
  const endpoint = await startEndpoint((_body, request): Reply => {
    const { value } = begun ? model.next(resultsOf(request).at(-1) ?? '') : model.next('')
    begun = true
    if (value === undefined) return { text: 'There is nothing more to do.' }
    return typeof value === 'string' ? { text: value } : { calls: [{ name: value[0], arguments: value[1] }] }
  })
  await page.goto(site)
  await page.evaluate((url) => {
    sessionStorage.setItem('playground-model', JSON.stringify({ kind: 'endpoint', url, model: 'm', needsKey: false }))
  }, endpoint.url)
  await page.goto(`${site}/playground/orders/`)
  await page.waitForFunction(() => {
    const agent = document.querySelector<ToolAgentElement>('tool-agent')
    return agent?.status === 'ready' && agent.tools.some(({ name }) => name === 'page_click')
  })
  return endpoint
}

/** Sends a message. Resolves when its turn has started, because the agent is idle until then. */
async function say(page: Page, text: string): Promise<void> {
  const box = page.locator('tool-agent').getByRole('textbox')
  await box.fill(text)
  await box.press('Enter')
  await page.waitForFunction(
    (sent) =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.some(
          (message) =>
            message.role === 'user' && message.parts.some((part) => part.type === 'text' && part.text === sent),
        ),
    text,
  )
}

/** Approves every question with a real click until the turn rests. Returns the questions, in order. */
async function allowAll(page: Page): Promise<string[]> {
  const asked: string[] = []
  const card = page.locator('tool-agent .approval')
  for (let questions = 0; questions < 40; questions++) {
    await page.waitForFunction(() => document.querySelector<ToolAgentElement>('tool-agent')?.status !== 'running')
    if (
      (await page.evaluate(() => document.querySelector<ToolAgentElement>('tool-agent')?.status)) !==
      'awaiting-approval'
    )
      return asked
    const id = await page.evaluate(
      () =>
        document
          .querySelector<ToolAgentElement>('tool-agent')
          ?.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
          .flatMap((part) =>
            part.type === 'tool-call' && part.approval && !part.result && !part.started ? [part.call.id] : [],
          )[0],
    )
    asked.push((await card.innerText()).replace(/\s+/g, ' '))
    await page.locator('tool-agent .decision[data-ready]').locator('.approve').click()
    // The next question may look the same.
    await page.waitForFunction(
      (call) =>
        document
          .querySelector<ToolAgentElement>('tool-agent')
          ?.messages.some(
            (message) =>
              message.role === 'assistant' &&
              message.parts.some(
                (part) => part.type === 'tool-call' && part.call.id === call && part.started !== undefined,
              ),
          ),
      id,
    )
  }
  throw new Error('It asks for ever')
}

const results = (page: Page): Promise<unknown[]> =>
  page.evaluate(
    () =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
        .flatMap((part) =>
          part.type === 'tool-call' && part.result?.error
            ? [`${part.call.name}: ${part.result.error.code} ${part.result.error.message}`]
            : [],
        ) ?? [],
  )

/** The refs of an outline's lines that fit, in order. */
function refs(outline: string, line: RegExp): string[] {
  return outline
    .split('\n')
    .filter((one) => line.test(one))
    .flatMap((one) => /\[ref=(e\d+)\]/.exec(one)?.[1] ?? [])
}

/** A row of the table as a person sees it. */
const row = (page: Page, number: string) =>
  page.locator('#orders tr', { has: page.getByRole('rowheader', { name: number }) })

test.setTimeout(120_000)

test('packed orders are found by the filters, opened, noted and sent on their way', async ({ page, site }) => {
  let number = ''
  function* model(): Model {
    const fields = yield ['form_read', {}]
    expect(fields).toContain('Search')
    const filled = yield [
      'form_fill',
      {
        fields: [
          { field: 'Search', value: 'Hanse' },
          { field: 'Status', value: 'Packed' },
        ],
      },
    ]
    expect(filled).not.toContain('"ok":false')
    const outline = yield ['page_read', {}]
    const [first] = refs(outline, /button "\d{4}"/)
    number = /button "(\d{4})"/.exec(outline)?.[1] ?? ''
    const opened = yield ['page_click', { target: first ?? '' }]
    expect(opened).toContain(`Order ${number}`)
    const noted = yield ['form_fill', { fields: [{ field: 'New note', value: 'Leave it with the porter' }] }]
    expect(noted).not.toContain('"ok":false')
    yield ['page_click', { target: 'Add note' }]
    const sent = yield ['page_click', { target: 'Mark as shipped' }]
    // The result reports what changed, so the model reads nothing again.
    expect(sent).toContain(`Order ${number} is on its way.`)
    yield ['page_click', { target: 'Close' }]
    yield `Order ${number} is on its way.`
  }
  const endpoint = await serve(page, site, model())
  await say(page, 'Send the first packed order of a Hanse customer on its way, and note: Leave it with the porter')
  const asked = await allowAll(page)
  expect(await results(page)).toEqual([])
  // The desk keeps its orders in the page: nothing leaves it, so there is nothing to ask about.
  expect(asked).toEqual([])
  await expect(page.locator('tool-agent').getByRole('log')).toContainText(`Order ${number} is on its way.`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Search').fill(number)
  await expect(row(page, number)).toContainText('Shipped')
  await page.getByRole('button', { name: number, exact: true }).click()
  await expect(page.getByRole('dialog', { name: `Order ${number}` })).toContainText('Leave it with the porter')
  await endpoint.close()
})

test('a row is edited in place: a refused value is reported, a corrected one is saved; sorting and paging are seen', async ({
  page,
  site,
}) => {
  let number = ''
  let good = ''
  function* model(): Model {
    yield ['page_click', { target: 'Total' }]
    const sorted = yield ['page_click', { target: 'Next page' }]
    expect(sorted).toContain('Page 2 of 6')
    const outline = yield ['page_read', {}]
    number = /button "Edit order (\d{4})"/.exec(outline)?.[1] ?? ''
    yield ['page_click', { target: `Edit order ${number}` }]
    const fields = yield ['form_read', {}]
    const [, shipBy = ''] = new RegExp(`Ship by, order ${number}[^]*?(\\d{4}-\\d\\d-\\d\\d)`).exec(fields) ?? []
    good = new Date(Date.parse(shipBy) + 86_400_000).toISOString().slice(0, 10)
    yield ['form_fill', { fields: [{ field: `Ship by, order ${number}`, value: '2001-01-01' }] }]
    const refused = yield ['page_click', { target: `Save order ${number}` }]
    expect(refused).toContain('cannot leave before it was placed')
    yield [
      'form_fill',
      {
        fields: [
          { field: `Ship by, order ${number}`, value: good },
          { field: `Status, order ${number}`, value: 'Cancelled' },
        ],
      },
    ]
    const saved = yield ['page_click', { target: `Save order ${number}` }]
    expect(saved).toContain(`Order ${number} is saved.`)
    yield 'Saved.'
  }
  const endpoint = await serve(page, site, model())
  await say(page, 'Cancel the first order on the second page by total, and move it by a day')
  await allowAll(page)
  expect(await results(page)).toEqual([])
  expect(new URL(page.url()).search).toBe('?sort=total&page=2')
  await expect(row(page, number)).toContainText('Cancelled')
  await expect(row(page, number).locator('time').nth(1)).toHaveAttribute('datetime', good)
  await endpoint.close()
})

test('the desk works by keyboard and survives a reload and the way back', async ({ page, site }) => {
  await page.goto(`${site}/playground/orders/`)
  await page.getByLabel('Status').selectOption('Packed')
  const first = await page.locator('#orders tbody th').first().innerText()
  await page.getByRole('button', { name: first, exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Order ${first}` })
  await expect(dialog.getByRole('heading', { name: `Order ${first}` })).toBeFocused()
  await page.reload()
  await expect(dialog).toBeVisible()
  await page.getByRole('heading', { name: `Order ${first}` }).focus()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: first, exact: true })).toBeFocused()
  await expect(page.getByLabel('Status')).toHaveValue('packed')
  await page.goBack()
  await expect(dialog).toBeVisible()
})
