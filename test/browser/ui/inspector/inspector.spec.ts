// The inspector, which shows a developer what an agent does.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import type { Agent } from '../../../../src/page/agent.js'
import type { ToolAgentInspectorElement } from '../../../../src/inspector.js'
import type { FakeAgent } from '../../../support/lab/fake-agent.js'
import { expect, test as base } from '../../../support/page/panel.js'

const test = base.extend<{ bench: Page }>({
  bench: async ({ page, site }, use) => {
    await page.goto(`${site}/test/pages/panel/inspector.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await use(page)
  },
})

/** Adds an element with an agent, under the id that the inspector waits for. */
const arrive = (page: Page) =>
  page.evaluate(() => {
    const element = Object.assign(document.createElement('div'), { id: 'assistant', agent: window.fake })
    document.body.append(element)
  })
const entries = (page: Page) => page.locator('tool-agent-inspector .list details')
const emitTurn = (page: Page) =>
  page.evaluate(() => {
    for (const event of window.turnEvents()) window.fake.emit(event)
  })

test('finds an element that is added later, and says what it waits for', async ({ bench }) => {
  await expect(bench.locator('tool-agent-inspector')).toContainText('There is no <tool-agent id="assistant"> yet.')
  await arrive(bench)
  await expect(bench.locator('tool-agent-inspector')).toContainText('No events yet.')
})

test('is English from left to right in every page', async ({ bench }) => {
  await bench.evaluate(() => {
    document.documentElement.lang = 'ar'
    document.documentElement.dir = 'rtl'
  })
  const content = bench.locator('tool-agent-inspector [role=tabpanel]')
  expect(await content.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr')
  expect(await content.evaluate((one) => one.closest('[lang]')?.getAttribute('lang'))).toBe('en')
})

test('lists events with path and JSON, and joins the deltas of one text', async ({ bench }) => {
  await arrive(bench)
  await expect(bench.locator('tool-agent-inspector')).toContainText('No events yet.')
  await emitTurn(bench)
  await bench.evaluate(() => {
    window.fake.emit({ type: 'text-delta', delta: 'inner' }, ['t1'])
  })
  await expect(entries(bench).locator('b')).toHaveText([
    'text-delta',
    'turn-end',
    'tool-result',
    'tool-start',
    'step-end',
    'step-response',
    'text-delta',
    'step-request',
    'step-start',
    'turn-start',
  ])
  await expect(entries(bench).nth(6)).toContainText('×4')
  await expect(entries(bench).nth(6)).toContainText('Hello there.')
  await expect(entries(bench).first().locator('.path')).toHaveText(['t1'])
  await entries(bench).nth(2).locator('summary').click()
  await expect(entries(bench).nth(2).locator('pre')).toContainText('"modelOutput": "[1,2]"')
})

test('filters, pauses and clears the list, which holds at most a thousand events', async ({ bench }) => {
  await arrive(bench)
  await emitTurn(bench)
  await bench.getByRole('searchbox').fill('t1 CALLID')
  await expect(entries(bench).locator('b')).toHaveText(['tool-result', 'tool-start'])
  await bench.getByRole('searchbox').fill('')
  await bench.getByRole('checkbox', { name: 'Transient' }).uncheck()
  await expect(entries(bench).locator('b')).toHaveText([
    'turn-end',
    'tool-result',
    'tool-start',
    'step-end',
    'turn-start',
  ])
  await bench.getByRole('checkbox', { name: 'Pause' }).check()
  await bench.evaluate(() => {
    window.fake.emit({ type: 'session-change', at: 1, title: 'While paused' })
  })
  await bench.getByRole('tab', { name: 'Model calls' }).click()
  await bench.getByRole('tab', { name: 'Events' }).click()
  await expect(entries(bench)).toHaveCount(5)
  await bench.getByRole('checkbox', { name: 'Pause' }).uncheck()
  await expect(entries(bench).first()).toContainText('While paused')
  await bench.getByRole('button', { name: 'Clear' }).click()
  await expect(entries(bench)).toHaveCount(0)
  await bench.evaluate(() => {
    for (let index = 0; index < 1_200; index++)
      window.fake.emit({ type: 'session-change', at: index, title: `Title ${index}` })
  })
  await expect(entries(bench)).toHaveCount(1_000)
  await expect(entries(bench).first()).toContainText('Title 1199')
})

test('shows the request and response of a model call, and copies them as JSON', async ({
  bench,
  browserName,
  context,
}) => {
  await arrive(bench)
  await emitTurn(bench)
  await bench.getByRole('tab', { name: 'Model calls' }).click()
  const calls = bench.locator('tool-agent-inspector .call')
  await expect(calls).toHaveCount(1)
  await expect(calls).toContainText('812 ms')
  await calls.locator('summary').first().click()
  const request = { model: 'gpt-5-mini', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  expect(JSON.parse(await calls.locator('pre').innerText())).toEqual(request)
  await calls.locator('summary').last().click()
  await expect(calls.locator('pre')).toHaveCount(2)
  expect(JSON.parse(await calls.locator('pre').last().innerText())).toEqual({
    choices: [{ message: { content: 'Hello there.' } }],
  })
  if (browserName === 'chromium') await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await calls.getByRole('button', { name: 'Copy' }).first().click()
  await expect(calls.locator('[data-copied]')).toHaveCount(1)
  if (browserName === 'chromium')
    expect(JSON.parse(await bench.evaluate(() => navigator.clipboard.readText()))).toEqual(request)
})

test('lists a retried call separately, and matches the response to its request', async ({ bench }) => {
  await arrive(bench)
  await bench.evaluate(() => {
    const request = { model: 'm', system: '', messages: [], tools: [], toolChoice: 'auto' } as const
    window.fake.emit({ type: 'step-request', at: 1, step: 0, attempt: 1, request })
    window.fake.emit({ type: 'step-request', at: 2, step: 0, attempt: 2, request })
    window.fake.emit({ type: 'step-request', at: 3, step: 0, attempt: 1, request }, ['t1'])
    window.fake.emit({ type: 'step-response', at: 10, step: 0, attempt: 2, body: 'second' })
  })
  await bench.getByRole('tab', { name: 'Model calls' }).click()
  await expect(bench.locator('tool-agent-inspector .call h2')).toHaveText([
    /t1.*waiting/s,
    /attempt 2.*8 ms/s,
    /waiting/,
  ])
})

test('shows tools with their schemas, and the stored session', async ({ bench }) => {
  await arrive(bench)
  await bench.evaluate(() => {
    window.fake.set({
      tools: [
        {
          name: 'find_products',
          title: 'Find products',
          description: 'Finds.',
          inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
          annotations: { readOnlyHint: true },
          tool: { name: 'find_products' },
        },
      ],
    })
  })
  await bench.getByRole('tab', { name: 'Tools 3' }).click()
  await expect(bench.locator('tool-agent-inspector .call h2')).toHaveText([
    /find_products/,
    /todo_write.*built in/s,
    /todo_read.*built in/s,
  ])
  const tool = bench.locator('tool-agent-inspector .call').first()
  await expect(tool).toContainText('Finds.')
  await expect(tool).toContainText('readOnlyHint')
  await tool.locator('summary').click()
  await expect(tool.locator('pre')).toContainText('"query"')

  await bench.evaluate(() => {
    window.fake.configure({ todo: false })
  })
  await expect(bench.getByRole('tab', { name: 'Tools 1' })).toBeVisible()

  await bench.evaluate(() => {
    window.fake.show({
      id: 'stored-1',
      todos: [{ id: '1', text: 'Pour', status: 'pending' }],
      context: { tenant: 't1' },
    })
  })
  await bench.getByRole('tab', { name: 'Session' }).click()
  const line = (name: string) => bench.locator('tool-agent-inspector details', { hasText: name })
  await expect(line('Tool context')).toContainText('tenant')
  await line('Todos').locator('summary').click()
  await expect(line('Todos').locator('pre')).toContainText('Pour')
  await bench.evaluate(() => {
    window.fake.session = { ...window.fake.session!, todos: [] }
  })
  await bench.getByRole('button', { name: 'Refresh' }).click()
  await expect(line('Todos').locator('pre')).toHaveText('[]')
})

test('saves the trace as a file, also by keyboard', async ({ bench, browserName }) => {
  await arrive(bench)
  await bench.getByRole('tab', { name: 'Session' }).click()
  // Playwright reports downloads only from its own Firefox build. In another Firefox the test checks the link instead.
  const clicked = bench.evaluate(
    (isReal) =>
      new Promise<{ name: string; text: string }>((resolve) => {
        const { click } = HTMLAnchorElement.prototype
        HTMLAnchorElement.prototype.click = function () {
          void fetch(this.href)
            .then((response) => response.text())
            .then((text) => {
              resolve({ name: this.download, text })
            })
          if (isReal) click.call(this)
        }
      }),
    browserName === 'chromium',
  )
  const saving = browserName === 'chromium' ? bench.waitForEvent('download') : undefined
  await bench.getByRole('button', { name: 'Export trace' }).focus()
  await bench.keyboard.press('Enter')
  const { name, text } = await clicked
  expect(name).toBe('trace-session-1.json')
  expect(JSON.parse(text)).toMatchObject({ version: 1, session: { id: 'session-1' } })
  const file = await saving
  if (file) expect([file.suggestedFilename(), await readFile(await file.path(), 'utf8')]).toEqual([name, text])
})

test('sets debug while it is connected, restores it afterwards, and follows a new agent of the element', async ({
  bench,
}) => {
  await bench.evaluate(() => {
    window.fake.options = { model: 'm' }
  })
  await arrive(bench)
  await expect(bench.locator('tool-agent-inspector')).toContainText('No events yet.')
  expect(await bench.evaluate(() => window.fake.options)).toEqual({ model: 'm', debug: true })
  await bench.evaluate(() => {
    const other = new (window as unknown as { FakeAgent: typeof FakeAgent }).FakeAgent()
    const element = document.querySelector('#assistant')!
    Object.assign(element, { agent: other })
    element.dispatchEvent(new Event('tool-agent-session-change', { bubbles: true }))
    other.emit({ type: 'session-change', at: 1, title: 'From the other' })
  })
  await expect(entries(bench)).toContainText('From the other')
  expect(await bench.evaluate(() => window.fake.options)).toEqual({ model: 'm' })
  expect(
    await bench.evaluate(() => {
      const inspector = document.querySelector('tool-agent-inspector') as ToolAgentInspectorElement
      inspector.remove()
      return (document.querySelector('#assistant') as unknown as { agent: Agent }).agent.options.debug
    }),
  ).toBeUndefined()
})

test('arrow keys move between the tabs', async ({ bench }) => {
  await bench.getByRole('tab', { name: 'Events' }).focus()
  await bench.keyboard.press('ArrowRight')
  await expect(bench.getByRole('tab', { name: 'Model calls' })).toBeFocused()
  await expect(bench.getByRole('tab', { name: 'Model calls' })).toHaveAttribute('aria-selected', 'true')
  await bench.keyboard.press('End')
  await expect(bench.getByRole('tab', { name: 'Session' })).toBeFocused()
  await bench.keyboard.press('ArrowRight')
  await expect(bench.getByRole('tab', { name: 'Events' })).toBeFocused()
})
