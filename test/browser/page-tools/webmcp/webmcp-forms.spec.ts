// Forms that say they are tools, where the browser knows nothing of it: read, filled and sent by us.
import { expect, test } from '../../../support/page/one-page.js'
import { call, keepOffer, open, tools } from '../../../support/page/webmcp-call.js'

interface Answer {
  fields: { field: string; now: unknown; ok: boolean; problem?: string }[]
  submitted: boolean
  note?: string
  answer?: unknown
}
const values = (form: string) =>
  [...new FormData(document.querySelector<HTMLFormElement>(`#${form}`) ?? undefined)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : 'file',
  ])

test('every visible tool form is a tool, only the first per name', { tag: '@S17' }, async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  expect((await tools(page)).map(({ name }) => name)).toEqual(['book.room', 'search_rooms', 'log_in', 'send_away'])
})

test(
  'the schema has visible labels, and no private, hidden, read-only or file fields',
  { tag: '@S17' },
  async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/webmcp.html`)
    const [book] = await tools(page)
    expect(book).toEqual({
      name: 'book.room',
      title: 'Book a room',
      description: 'Fills the booking form for a room of this house.',
      exclusive: true,
      annotations: { autosubmit: false },
      inputSchema: {
        type: 'object',
        required: ['guest_name_', 'size'],
        additionalProperties: false,
        properties: {
          guest_name_: { type: 'string', pattern: '^(?:[A-Z].*)$', maxLength: 40, description: 'Guest name' },
          nights: { type: 'integer', minimum: 1, maximum: 30, description: 'How many nights to stay' },
          arrival: { type: 'string', description: 'Arrival (like 2026-11-27, min 2026-01-01)' },
          size: { type: 'string', enum: ['Small', 'Large', 's1', 'l9'], description: 'Size' },
          board: { type: 'string', enum: ['None', 'Half', 'n', 'h'], description: 'Board' },
          extra: {
            type: 'array',
            items: { type: 'string', enum: ['Breakfast', 'Parking', '1', '2'] },
            uniqueItems: true,
            description: 'What comes with it',
          },
          pets: { type: 'boolean', description: 'Pets' },
          wishes: { type: 'string', description: 'Wishes' },
          without_a_name: { type: 'string', description: 'Without a name' },
        },
      },
    })
  },
)

test('without toolautosubmit the form is filled and not submitted', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  await page.evaluate(() =>
    document.querySelector('#book')?.addEventListener('submit', () => {
      document.title = 'sent'
    }),
  )
  const answer = await call<Answer>(page, 'book.room', {
    guest_name_: 'Ada',
    nights: 3,
    arrival: '2026-05-01',
    size: 'Large',
    board: 'Half',
    extra: ['Parking'],
    pets: true,
    without_a_name: 'here',
  })
  expect(answer).toMatchObject({
    submitted: false,
    note: expect.stringContaining('the user must check and submit it'),
  })
  expect(answer.fields.filter(({ ok }) => !ok)).toEqual([])
  expect(await page.evaluate(values, 'book')).toEqual([
    ['guest[name]', 'Ada'],
    ['nights', '3'],
    ['arrival', '2026-05-01'],
    ['size', 'l9'],
    ['board', 'h'],
    ['extra', '2'],
    ['pets', 'on'],
    ['wishes', ''],
    ['password', ''],
    ['cc', ''],
    ['passport', 'file'],
    ['token', 'CANARY-TOKEN'],
    ['trap', ''],
    ['rate', '100'],
  ])
  expect(await page.locator('#nameless').inputValue()).toBe('here')
  expect(await page.title()).not.toBe('sent')
})

test('options and checkboxes are chosen by value, too', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  const input = { guest_name_: 'Ada', size: 'l9', board: 'h', extra: ['Breakfast', '2'] }
  const answer = await call<Answer>(page, 'book.room', input)
  expect(answer.fields.filter(({ ok }) => !ok)).toEqual([])
  const sent = await page.evaluate(values, 'book')
  expect(sent.filter(([name = '']) => ['size', 'board', 'extra'].includes(name))).toEqual([
    ['size', 'l9'],
    ['board', 'h'],
    ['extra', '1'],
    ['extra', '2'],
  ])
})

test('a label counts before a value that is equal to it', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  await page.evaluate(() => {
    const [first, second] = document.querySelectorAll<HTMLInputElement>('#book [name=extra]')
    first?.closest('label')?.lastChild?.replaceWith(' 2')
    if (second) second.value = '2'
  })
  await call<Answer>(page, 'book.room', { guest_name_: 'Ada', size: 'Small', extra: ['2'] })
  expect(
    await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('#book [name=extra]')].map(({ checked }) => checked),
    ),
  ).toEqual([true, false])
})

test('with toolautosubmit the page sees an agent’s submit, and its answer is the result', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  await page.evaluate(() =>
    document.querySelector('#search')?.addEventListener('submit', (given) => {
      const event = given as SubmitEvent & { agentInvoked?: boolean; respondWith?(answer: unknown): void }
      event.preventDefault()
      const form = document.querySelector<HTMLFormElement>('#search')
      event.respondWith?.(
        Promise.resolve({
          agent: event.agentInvoked,
          by: (event.submitter as HTMLButtonElement).name,
          found: new FormData(form ?? undefined).get('q'),
        }),
      )
    }),
  )
  expect(await call<Answer>(page, 'search_rooms', { q: 'sea view' })).toMatchObject({
    submitted: true,
    answer: { agent: true, by: 'go', found: 'sea view' },
  })
  // What the user sends is not an agent's.
  const own = page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener(
          'submit',
          (event) => resolve((event as { agentInvoked?: boolean }).agentInvoked ?? false),
          { once: true },
        )
      }),
  )
  await page.locator('#search button').click()
  expect(await own).toBe(false)
})

test('reports the page’s error, rejects an early respondWith, and reports a missing answer', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  const on = (kind: string) =>
    page.evaluate(
      (kind) =>
        document.querySelector('#search')?.addEventListener(
          'submit',
          (given) => {
            const event = given as SubmitEvent & { respondWith(answer: unknown): void }
            if (kind === 'early') {
              try {
                event.respondWith('too early')
              } catch (thrown) {
                document.title = (thrown as Error).name
              }
            }
            event.preventDefault()
            if (kind === 'error') event.respondWith(Promise.reject(new Error('No room is free')))
          },
          { once: true },
        ),
      kind,
    )
  await on('error')
  expect(await call(page, 'search_rooms', { q: 'a' })).toEqual({
    error: 'execution-failed',
    message: 'The form was submitted, but the page returned an error: No room is free',
  })
  await on('early')
  expect(await call(page, 'search_rooms', { q: 'a' })).toMatchObject({
    submitted: true,
    note: expect.stringContaining('returned no result'),
  })
  expect(await page.title()).toBe('InvalidStateError')
})

test('a form without a handler navigates', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  const gone = page.waitForURL(/\?q=sea&go=1/)
  await call(page, 'search_rooms', { q: 'sea' }).catch(() => undefined) // The page may be gone before its answer.
  await gone
})

test(
  'a form with a private field is filled, not submitted, and names that field',
  { tag: '@S18' },
  async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/webmcp.html`)
    const answer = await call<Answer>(page, 'log_in', { user: 'ada' })
    expect(answer).toMatchObject({
      submitted: false,
      note: expect.stringContaining('Secret word (private: the user fills it)'),
    })
    expect((await tools(page)).find(({ name }) => name === 'log_in')?.inputSchema).toMatchObject({
      properties: { user: {} },
      additionalProperties: false,
    })
  },
)

test('a rejected value is reported, and the form is not submitted', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('#search [name=q]')
    field?.addEventListener('change', () => {
      field.value = 'other'
    })
    document.querySelector('#search')?.addEventListener('submit', () => {
      document.title = 'sent'
    })
  })
  expect(await call<Answer>(page, 'search_rooms', { q: 'sea' })).toMatchObject({
    submitted: false,
    fields: [{ ok: false, now: 'other' }],
  })
  expect(await page.title()).not.toBe('sent')
})

test(
  'a form that changes to another site while filled is not submitted; a re-rendered one is',
  { tag: '@S14' },
  async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/webmcp.html`)
    await page.evaluate(() => {
      document.addEventListener('submit', (event) => {
        event.preventDefault()
        ;(event as { respondWith?(answer: unknown): void }).respondWith?.(
          (event.target as HTMLFormElement).dataset['made'] ?? 'first',
        )
      })
      const form = document.querySelector('#search')
      form?.addEventListener(
        'change',
        () => {
          const again = form.cloneNode(true) as HTMLFormElement
          again.dataset['made'] = 'anew'
          const field = again.querySelector<HTMLInputElement>('[name=q]')
          if (field) field.value = 'sea'
          form.replaceWith(again)
        },
        { once: true },
      )
    })
    expect(await call<Answer>(page, 'search_rooms', { q: 'sea' })).toMatchObject({ submitted: true, answer: 'anew' })
    await page.evaluate(() =>
      document
        .querySelector('#search')
        ?.addEventListener('change', () =>
          document.querySelector('#search button')?.setAttribute('formaction', '//elsewhere.example/'),
        ),
    )
    expect(await call<Answer>(page, 'search_rooms', { q: 'view' })).toMatchObject({
      submitted: false,
      note: expect.stringContaining('another site'),
    })
  },
)

test('equal checkboxes are distinguished, and long descriptions leave room for the format', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  await page.evaluate(() => {
    for (const label of document.querySelectorAll('#book label:has([name=extra])'))
      label.lastChild?.replaceWith(' Included')
    document.querySelector('#book [name=arrival]')?.setAttribute('toolparamdescription', 'long '.repeat(100))
  })
  const properties = (await tools(page))[0]?.inputSchema?.['properties'] as {
    extra: { items: { enum: string[] } }
    arrival: { description: string }
  }
  const [, second] = properties.extra.items.enum
  expect(new Set(properties.extra.items.enum).size).toBe(4)
  expect(properties.arrival.description).toMatch(/^long .+… \(like 2026-11-27, min 2026-01-01\)$/)
  expect(properties.arrival.description).toHaveLength(150)
  expect(await call<Answer>(page, 'book.room', { guest_name_: 'Ada', size: 'Small', extra: [second] })).toMatchObject({
    submitted: false,
  })
  expect(
    await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('#book [name=extra]')].map(({ checked }) => checked),
    ),
  ).toEqual([false, true])
})

test('a form that submits to another site has the consequential hint', { tag: '@S14' }, async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  const marked = (await tools(page)).filter(({ annotations }) => annotations?.['consequentialHint'])
  expect(marked.map(({ name }) => name)).toEqual(['send_away'])
})

test('texts of a tool are cleaned and shortened', { tag: '@S3' }, async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  await page.evaluate(() => {
    document
      .querySelector('#search')
      ?.setAttribute('tooldescription', `Finds\u200b\u{e0041} rooms.\u0007 ${'x'.repeat(2_000)}`)
    document.querySelector('#search input')?.setAttribute('toolparamdescription', 'y'.repeat(2_000))
  })
  const search = (await tools(page)).find(({ name }) => name === 'search_rooms')
  expect(search?.description).toMatch(/^Finds rooms\. x+…$/)
  expect(search?.description).toHaveLength(500)
  expect((search!.inputSchema!['properties'] as { q: { description: string } }).q.description).toHaveLength(150)
})

test(
  'a form that changed or was removed after the offer does not run',
  { tag: ['@S3', '@R2.13'] },
  async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/webmcp.html`)
    await keepOffer(page)
    await page.evaluate(() => document.querySelector('#search')?.setAttribute('action', 'https://elsewhere.example/'))
    expect(await call(page, 'search_rooms', { q: 'sea' }, 'kept')).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('changed'),
    })
    await page.evaluate(() => document.querySelector('#book')?.remove())
    expect(await call(page, 'book.room', { nights: 2 }, 'kept')).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('removed'),
    })
    expect((await tools(page)).map(({ name }) => name)).not.toContain('book.room')
  },
)

test('finds, fills and submits forms in open shadow roots and frames', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(async () => {
    const make = (name: string): HTMLFormElement => {
      const form = document.createElement('form')
      for (const [attribute, value] of [
        ['toolname', name],
        ['tooldescription', `Asks ${name}`],
        ['toolautosubmit', ''],
      ] as const)
        form.setAttribute(attribute, value)
      const label = Object.assign(document.createElement('label'), { textContent: `Word of ${name}` })
      label.append(Object.assign(document.createElement('input'), { name: 'word' }))
      form.append(label)
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        ;(event as { respondWith?(answer: unknown): void }).respondWith?.(
          `${name}: ${String(new FormData(form).get('word'))}`,
        )
      })
      return form
    }
    const host = document.body.appendChild(document.createElement('div'))
    host.attachShadow({ mode: 'open' }).append(make('shadow'))
    const frame = Object.assign(document.createElement('iframe'), { src: '/test/pages/session/blank.html' })
    await new Promise((resolve) => {
      frame.onload = resolve
      document.body.append(frame)
    })
    frame.contentDocument?.body.append(make('framed'))
  })
  for (const name of ['shadow', 'framed'])
    expect(await call<Answer>(page, name, { word: 'hi' }), name).toMatchObject({
      submitted: true,
      answer: `${name}: hi`,
    })
})
