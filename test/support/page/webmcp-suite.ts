// The behaviour of `document.modelContext` of the browser, and of a polyfill with other argument types.
import { expect, type test as base } from './site.js'
import { call, keepOffer, tools } from './webmcp-call.js'

interface Context {
  registerTool(tool: object, options?: { signal?: AbortSignal }): Promise<void>
  getTools(): Promise<{ name: string; title: string; description: string; inputSchema: object; annotations?: object }[]>
}
declare global {
  interface Document {
    modelContext: Context
  }
}

/** The page of forms is open, with `modelContext` in its document. */
export function modelContextSuite(test: typeof base, kind: 'browser' | 'polyfill'): void {
  test('a registered tool of the page has its schema, shortened texts, input and answer', async ({ page }) => {
    await page.evaluate(async () => {
      await document.modelContext.registerTool({
        name: 'add.to-cart',
        title: 'Add to the cart',
        description: `Adds\u200b a product. ${'x'.repeat(900)}`,
        inputSchema: {
          type: 'object',
          properties: { id: { type: 'string', description: 'y'.repeat(300) }, count: { type: 'number' } },
          required: ['id'],
        },
        annotations: { readOnlyHint: true },
        execute: (input: object) => ({ got: input }),
      })
    })
    const found = (await tools(page)).find(({ name }) => name === 'add.to-cart')
    expect(found).toMatchObject({
      title: 'Add to the cart',
      description: expect.stringMatching(/^Adds a product\. x+…$/),
      annotations: { readOnlyHint: true },
      exclusive: false,
    })
    expect([found?.description.length, found?.inputSchema]).toEqual([
      500,
      {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string', description: `${'y'.repeat(149)}…` }, count: { type: 'number' } },
      },
    ])
    expect(
      await call(page, 'add.to-cart', { id: 'tea', count: 2, toString: 'mine' }).then((text) =>
        typeof text === 'string' ? (JSON.parse(text) as unknown) : text,
      ),
    ).toEqual(
      kind === 'browser'
        ? { got: { id: 'tea', count: 2, toString: 'mine' } }
        : expect.objectContaining({ error: expect.anything() }),
    )
    expect(JSON.parse(await call(page, 'add.to-cart', { id: 'tea', count: 2 }))).toEqual({
      got: { id: 'tea', count: 2 },
    })
  })

  test('a tool that throws runs once', async ({ page }) => {
    await page.evaluate(() =>
      document.modelContext.registerTool({
        name: 'fails',
        description: 'Always fails',
        execute: () => {
          document.title += '!'
          throw new TypeError('no')
        },
      }),
    )
    await page.evaluate(() => {
      document.title = ''
    })
    expect(await call(page, 'fails')).toMatchObject({ error: expect.stringMatching(/Error/) })
    expect(await page.title()).toBe('!')
  })

  test('an MCP result becomes its text, or an error if it is marked as one', async ({ page }) => {
    await page.evaluate(async () => {
      const say = (isError: boolean) => ({
        isError,
        content: [
          { type: 'text', text: 'Two' },
          { type: 'text', text: 'lines' },
        ],
      })
      await document.modelContext.registerTool({
        name: 'says',
        description: 'Says two lines',
        execute: () => say(false),
      })
      await document.modelContext.registerTool({
        name: 'fails',
        description: 'Says two lines',
        execute: () => say(true),
      })
    })
    expect(await call(page, 'says')).toBe('Two\nlines')
    expect(await call(page, 'fails')).toEqual({ error: 'execution-failed', message: 'Two\nlines' })
  })

  test(
    'a listed form keeps our schema, without private, ignored and invisible fields',
    { tag: '@S17' },
    async ({ page }) => {
      const listed = await page.evaluate(async () =>
        (await document.modelContext.getTools()).map(
          ({ name, inputSchema }) => `${name} ${JSON.stringify(inputSchema)}`,
        ),
      )
      expect(listed.find((one) => one.startsWith('book.room'))).toContain('"password"')
      const found = await tools(page)
      expect(found.map(({ name }) => name)).toEqual(['book.room', 'search_rooms', 'log_in', 'send_away'])
      expect(JSON.stringify(found[0]?.inputSchema)).not.toMatch(/password|"cc"|token/)
    },
  )

  test('with toolautosubmit the submit goes through a browser that supports it', async ({ page }) => {
    await page.evaluate(() =>
      document.querySelector('#search')?.addEventListener('submit', (given) => {
        const event = given as SubmitEvent & { agentInvoked?: boolean; respondWith?(answer: unknown): void }
        event.preventDefault()
        const { get } = Object.getOwnPropertyDescriptor(SubmitEvent.prototype, 'agentInvoked') ?? {}
        const form = document.querySelector<HTMLFormElement>('#search')
        event.respondWith?.({
          agent: event.agentInvoked,
          real: get?.call(event) as unknown,
          found: new FormData(form ?? undefined).get('q'),
        })
      }),
    )
    expect(await call(page, 'search_rooms', { q: 'sea' })).toMatchObject({
      submitted: true,
      answer: { agent: true, real: true, found: 'sea' },
    })
  })

  test('without toolautosubmit the call does not wait, and the user submits the form', async ({ page }) => {
    expect(await call(page, 'book.room', { guest_name_: 'Ada', size: 'Small' })).toMatchObject({
      submitted: false,
      fields: [{ ok: true }, { ok: true }],
    })
    const own = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener(
            'submit',
            (event) => {
              event.preventDefault()
              resolve((event as { agentInvoked?: boolean }).agentInvoked)
            },
            { once: true },
          )
        }),
    )
    await page.locator('#send').click()
    expect(await own).toBe(false)
  })

  test('a call for an old definition does not run the new one', { tag: ['@S3', '@R2.13'] }, async ({ page }) => {
    await page.evaluate(async () => {
      const abort = new AbortController()
      await document.modelContext.registerTool(
        { name: 'pays', description: 'Pays one euro', execute: () => 'paid' },
        { signal: abort.signal },
      )
      Object.assign(window, { abort })
    })
    await keepOffer(page)
    expect(await call(page, 'pays', {}, 'kept')).toBe('paid')
    await page.evaluate(async () => {
      ;(window as unknown as { abort: AbortController }).abort.abort()
      await document.modelContext.registerTool({
        name: 'pays',
        description: 'Pays all there is',
        execute: () => {
          document.title = 'ran'
        },
      })
    })
    expect(await call(page, 'pays', {}, 'kept')).toMatchObject({ error: 'unavailable' })
    expect(await page.title()).not.toBe('ran')
  })
}
