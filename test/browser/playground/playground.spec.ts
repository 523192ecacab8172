import type { Locator, Page } from 'playwright/test'
import { parseRequest } from '../../../playground/server/chat.js'
import { offlineModel } from '../../../playground/offline/offline-model.js'
import { workingDaysAfter } from '../../../playground/shop/working-days.js'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { expect, test as base } from '../../support/page/site.js'

interface Seen {
  /** Policy violations, errors of the page, messages on the console that are errors. */
  readonly problems: string[]
  /** Names of the tools that required approval, over all pages. */
  readonly approvals: string[]
  /** Addresses of the documents that were loaded. */
  readonly documents: string[]
}

const test = base.extend<{ seen: Seen }>({
  seen: [
    async ({ page }, use) => {
      const seen: Seen = { problems: [], approvals: [], documents: [] }
      await page.exposeFunction('tellProblem', (text: string) => {
        seen.problems.push(text)
      })
      await page.exposeFunction('tellApproval', (name: string) => {
        seen.approvals.push(name)
      })
      await page.addInitScript(() => {
        // The offline model writes without pauses. A blank page has no storage.
        if (origin !== 'null') sessionStorage['playground-pace'] ??= '0'
        const tell = globalThis as unknown as { tellProblem(text: string): void; tellApproval(name: string): void }
        document.addEventListener('securitypolicyviolation', (event) => {
          tell.tellProblem(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
        })
        document.addEventListener('tool-agent-approval-request', (event) => {
          tell.tellApproval((event as HTMLElementEventMap['tool-agent-approval-request']).call.name)
        })
      })
      page.on('pageerror', (error) => {
        seen.problems.push(error.message)
      })
      page.on('console', (message) => {
        if (message.type() === 'error') seen.problems.push(message.text())
      })
      page.on('framenavigated', (frame) => {
        if (frame === page.mainFrame()) seen.documents.push(new URL(frame.url()).pathname)
      })
      await use(seen)
      expect(seen.problems).toEqual([])
    },
    { auto: true },
  ],
})

const booking = 'a table for 4 on Friday at 19:30 for Ada Lovelace, ada@example.org, no shellfish'
const shopping = 'find the cheapest teapot, then add two to the cart, then apply the coupon TEA10'

/** Waits for the assistant's own tools as well as the page's. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.waitForFunction(() => {
    const agent = document.querySelector<ToolAgentElement>('tool-agent')
    return (
      (agent?.status === 'ready' || agent?.status === 'idle') && agent.tools.some(({ name }) => name === 'form_fill')
    )
  })
}
async function say(page: Page, text: string): Promise<void> {
  const box = page.locator('tool-agent').getByRole('textbox')
  await box.fill(text)
  await box.press('Enter')
}
async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const agent = document.querySelector<ToolAgentElement>('tool-agent')
    return agent?.status === 'idle' && agent.messages.at(-1)?.role === 'assistant'
  })
}
/** The transcript. The live region for screen readers repeats its text. */
const talk = (page: Page): Locator => page.locator('tool-agent').getByRole('log')
const texts = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.flatMap((message) =>
          message.role === 'assistant'
            ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
            : [],
        )
        .join('\n') ?? '',
  )
const runs = (page: Page, name: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
        .filter(
          (part) =>
            part.type === 'tool-call' &&
            part.call.name === wanted &&
            part.result?.error === undefined &&
            part.result !== undefined,
        ).length ?? 0,
    name,
  )
const todos = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      document.querySelector<ToolAgentElement>('tool-agent')?.todos.map(({ text, status }) => `${status}: ${text}`) ??
      [],
  )
const cart = (page: Page): Promise<unknown> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('kettle-and-leaf-cart') ?? 'null') as unknown)
/** Every field of the form that has a name, as it would be sent. */
const held = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('#booking')
    return Object.fromEntries(
      [...new FormData(form ?? undefined)].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : value.name,
      ]),
    )
  })
/** A real click, once the question could be read. */
async function allow(page: Page): Promise<void> {
  await page.locator('tool-agent .decision[data-ready]').locator('.approve').click()
}

test('the booking sentence ends with the form’s own values right, each reported, nothing submitted', async ({
  page,
  site,
}) => {
  await open(page, `${site}/playground/booking/`)
  const before = await held(page)
  const friday = await page.evaluate(() => {
    const day = new Date()
    day.setDate(day.getDate() + ((5 - day.getDay() + 7) % 7 || 7))
    return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
  })
  await say(page, booking)
  await expect(talk(page).getByText('Nothing was submitted')).toBeVisible()
  await atRest(page)
  const wanted = {
    date: friday,
    time: '19:30',
    guests: '4',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    notes: 'no shellfish',
  }
  expect(await held(page)).toEqual({ ...before, ...wanted })
  // The panel shows an escaped sign without its backslash.
  const report = (await texts(page)).replaceAll('\\', '')
  const inWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(friday))
  for (const [label, value] of [
    ['Date', inWords.replace(/^(\w+) /, '$1, ')],
    ['Arrival time', '19:30'],
    ['Guests', '4'],
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['E-mail', 'ada@example.org'],
    ['Allergies and wishes', 'no shellfish'],
  ])
    expect(report).toContain(`${label} (${value})`)
  expect(report).toContain('press “Book the table” yourself')
  expect(report).not.toMatch(/[a-z]_[a-z]|\[ref=e\d|[✓✗]/)
  await expect(talk(page).getByRole('link', { name: 'ada@example.org' })).toHaveCount(0)
  await expect(page.locator('#confirmation')).toBeHidden()
  await expect(page.locator('#booking')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/playground/booking/')
})

test('the form that the assistant filled is submitted by the visitor alone, and says what is missing', async ({
  page,
  site,
}) => {
  await open(page, `${site}/playground/booking/`)
  await say(page, booking)
  await atRest(page)
  await page.getByRole('button', { name: 'Book the table' }).click()
  await expect(page.locator('#summary')).toHaveText('One field needs another look.')
  await page.getByLabel('I have read the house rules').check()
  await page.getByRole('button', { name: 'Book the table' }).click()
  await expect(page.locator('#confirmation')).toContainText('Ada Lovelace')
  await expect(page.locator('#confirmed-details')).toContainText('no shellfish')
})

test('a question about free tables is answered by the page’s own function and fills nothing', async ({
  page,
  site,
}) => {
  await open(page, `${site}/playground/booking/`)
  const before = await held(page)
  await say(page, 'is a table free on Saturday for 6?')
  await atRest(page)
  expect(await runs(page, 'check_tables')).toBe(1)
  expect(await held(page)).toEqual(before)
})

test('a delivery takes working days, so no order arrives on a weekend', () => {
  const friday = Date.parse('2026-11-20T23:30:00Z')
  expect([1, 2, 5, 6].map((days) => workingDaysAfter(friday, days))).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-27',
    '2026-11-30',
  ])
  expect(workingDaysAfter(Date.parse('2026-11-21T08:00:00Z'), 2)).toBe('2026-11-24')
})

test('the shop sentence goes over a full navigation, asks for approval once and ends with todos done', async ({
  page,
  site,
  seen,
}) => {
  await open(page, `${site}/playground/shop/`)
  await say(page, shopping)
  await page.waitForURL('**/playground/shop/cart.html')
  await expect(page.locator('tool-agent').getByRole('group', { name: 'Apply a coupon' })).toContainText('TEA10')
  expect(await cart(page)).toEqual({ lines: [{ productId: 'pot-betty', quantity: 2 }] })
  await allow(page)
  await expect(talk(page).getByText('All 3 steps are done.')).toBeVisible()
  await atRest(page)
  expect(await cart(page)).toEqual({ lines: [{ productId: 'pot-betty', quantity: 2 }], coupon: 'TEA10' })
  await expect(page.locator('#total')).toHaveText('€52.20')
  expect(await todos(page)).toEqual([
    'completed: find the cheapest teapot',
    'completed: add two to the cart',
    'completed: apply the coupon TEA10',
  ])
  expect(seen.approvals).toEqual(['apply_coupon'])
  expect(seen.documents).toEqual(['/playground/shop/', '/playground/shop/cart.html'])
  expect([
    await runs(page, 'find_products'),
    await runs(page, 'add_to_cart'),
    await runs(page, 'apply_coupon'),
  ]).toEqual([1, 1, 1])
})

test('a page without the tool says in short that another page may have it', async ({ page, site }) => {
  await open(page, `${site}/playground/shop/`)
  await say(page, 'apply the coupon TEA10')
  await expect(talk(page).getByText('Another page may have a tool for it: Cart')).toBeVisible()
  await atRest(page)
  expect(await texts(page)).not.toContain('`find_products`')
})

test('a reload while the question waits brings it back, and the answer counts once', async ({ page, site }) => {
  await open(page, `${site}/playground/shop/`)
  await say(page, shopping)
  await page.waitForURL('**/playground/shop/cart.html')
  await page.waitForFunction(
    () => document.querySelector<ToolAgentElement>('tool-agent')?.status === 'awaiting-approval',
  )
  await page.reload()
  await allow(page)
  await expect(talk(page).getByText('All 3 steps are done.')).toBeVisible()
  await atRest(page)
  expect(await cart(page)).toEqual({ lines: [{ productId: 'pot-betty', quantity: 2 }], coupon: 'TEA10' })
  expect(await todos(page)).toEqual([
    'completed: find the cheapest teapot',
    'completed: add two to the cart',
    'completed: apply the coupon TEA10',
  ])
})

test(
  'a reload while the answer streams begins that step again, and nothing is put into the cart twice',
  { tag: '@long' },
  async ({ page, site }) => {
    await open(page, `${site}/playground/shop/`)
    // Slow enough to be caught in the middle.
    await page.evaluate(() => {
      sessionStorage.setItem('playground-pace', '40')
    })
    await say(page, shopping)
    await page.waitForFunction(() =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.session?.draft?.parts.some(({ type }) => type === 'tool-input'),
    )
    await page.evaluate(() => {
      sessionStorage.setItem('playground-pace', '0')
    })
    await page.reload()
    await page.waitForURL('**/playground/shop/cart.html')
    await allow(page)
    await expect(talk(page).getByText('All 3 steps are done.')).toBeVisible()
    await atRest(page)
    expect(await cart(page)).toEqual({ lines: [{ productId: 'pot-betty', quantity: 2 }], coupon: 'TEA10' })
    expect(await runs(page, 'add_to_cart')).toBe(1)
  },
)

test(
  'a reload while a slow tool runs goes on by itself, and the next message works',
  { tag: '@long' },
  async ({ page, site }) => {
    await open(page, `${site}/playground/shop/`)
    await say(page, 'how long does delivery to Hamburg take?')
    await page.waitForFunction(() =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.some(
          (message) =>
            message.role === 'assistant' &&
            message.parts.some(
              (part) => part.type === 'tool-call' && part.started !== undefined && part.result === undefined,
            ),
        ),
    )
    await page.reload()
    await expect(talk(page).getByText('how long does delivery to Hamburg take?').first()).toBeVisible()
    await expect(talk(page).getByText('working days')).toBeVisible()
    await atRest(page)
    expect(await runs(page, 'estimate_delivery')).toBe(1)
    await say(page, 'what is in the cart?')
    await page.waitForFunction(
      () =>
        document.querySelector<ToolAgentElement>('tool-agent')?.messages.filter(({ role }) => role === 'user')
          .length === 2,
    )
    await atRest(page)
    expect(await runs(page, 'cart_read')).toBe(1)
  },
)

test('what a tool remembered is known after a reload, and in no request', { tag: '@long' }, async ({ page, site }) => {
  // The same model on a server that records its requests.
  const endpoint = await startEndpoint((body) => {
    const parts = offlineModel(parseRequest(body))
    return {
      text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
      calls: parts.flatMap((part) =>
        part.type === 'tool-call' ? [{ id: part.id, name: part.name, arguments: part.input }] : [],
      ),
    }
  })
  await page.goto(site)
  await page.evaluate((url) => {
    sessionStorage.setItem('playground-model', JSON.stringify({ kind: 'endpoint', url, model: 'm', needsKey: false }))
  }, endpoint.url)
  await open(page, `${site}/playground/shop/`)
  await say(page, 'please remember that I live in Hamburg')
  await atRest(page)
  await page.reload()
  await page.waitForFunction(
    () => document.querySelector<ToolAgentElement>('tool-agent')?.session?.context['deliveryCity'] === 'Hamburg',
  )
  await expect(talk(page).getByText('please remember that I live in Hamburg').first()).toBeVisible()
  await say(page, 'how long does delivery take?')
  await expect(talk(page).getByText('working days')).toBeVisible()
  expect(
    await page.evaluate(() =>
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
        .flatMap((part) =>
          part.type === 'tool-call' && part.call.name === 'estimate_delivery' ? [part.result?.output] : [],
        ),
    ),
  ).toMatchObject([{ city: 'Hamburg' }])
  const sent = endpoint.requests.map(({ raw, headers, path }) => raw + JSON.stringify(headers) + path)
  expect(sent.length).toBe(4)
  expect(sent.join('\n')).not.toMatch(/c-1042|deliveryCity/)
  await endpoint.close()
})

test(
  'on a product’s page “add two” means that product, and each site has conversations of its own',
  { tag: '@long' },
  async ({ page, site }) => {
    await open(page, `${site}/playground/booking/`)
    await say(page, 'who are you?')
    await atRest(page)
    await open(page, `${site}/playground/shop/product.html?id=pot-glass`)
    expect(await page.evaluate(() => document.querySelector<ToolAgentElement>('tool-agent')?.messages.length)).toBe(0)
    await page.locator('tool-agent').getByRole('button', { name: 'add two to the cart' }).click()
    await page.waitForURL('**/playground/shop/cart.html')
    await expect(talk(page).getByText('2 × Glass teapot put into the cart.')).toBeVisible()
    await atRest(page)
    expect(await cart(page)).toEqual({ lines: [{ productId: 'pot-glass', quantity: 2 }] })
  },
)

test('the cart is emptied, a thing is taken out, and both are taken back by a word', async ({ page, site }) => {
  const lines = [
    { productId: 'pot-glass', quantity: 2 },
    { productId: 'cup-travel', quantity: 1 },
  ]
  await open(page, `${site}/playground/shop/cart.html`)
  await page.evaluate((all) => {
    localStorage.setItem('kettle-and-leaf-cart', JSON.stringify({ lines: all }))
  }, lines)
  await open(page, `${site}/playground/shop/cart.html`)
  const turn = async (text: string, wanted: unknown): Promise<void> => {
    await say(page, text)
    await expect.poll(() => cart(page)).toEqual({ lines: wanted })
    await atRest(page)
  }
  await turn('remove the teapot', lines.slice(1))
  await turn('undo that', [lines[1], lines[0]])
  await turn('empty my cart', [])
  await turn('mach das rückgängig', [lines[1], lines[0]])
  await expect(page.getByLabel('Quantity of Glass teapot')).toHaveValue('2')
})

test('what the model offers is a button, and pressing it is understood', async ({ page, site }) => {
  await open(page, `${site}/playground/shop/`)
  await say(page, 'leg zwei Teekannen in den Warenkorb')
  await expect(talk(page).getByText('Welches meinen Sie')).toBeVisible()
  await atRest(page)
  expect(await cart(page)).toBeNull()
  await page.locator('tool-agent').getByRole('button', { name: 'leg zwei Brown Betty teapot in den Warenkorb' }).click()
  await page.waitForURL('**/playground/shop/cart.html')
  expect(await cart(page)).toEqual({ lines: [{ productId: 'pot-betty', quantity: 2 }] })
})

test('a tool that fails at times is asked once more', async ({ page, site, seen }) => {
  await open(page, `${site}/playground/shop/`)
  await say(page, 'is the kyoto teapot in stock?')
  await expect(talk(page).getByText('The first try failed, the second worked.')).toBeVisible()
  await atRest(page)
  // The console shows the error of the tool to the page's developer.
  expect(seen.problems.splice(0)).toEqual([expect.stringMatching(/^\[tool-agent\] Tool "check_stock" failed in call /)])
})

test(
  'an endpoint of one’s own gets the key, which is stored nowhere and asked for again after a navigation',
  { tag: '@long' },
  async ({ page, site }) => {
    const key = 'sk-of-the-visitor'
    const endpoint = await startEndpoint([{ text: 'A real model says hello.' }, { text: 'Again, hello.' }])
    await open(page, `${site}/playground/shop/`)
    await page.getByRole('button', { name: 'Offline model' }).click()
    const panel = page.locator('#model-panel')
    await panel.getByLabel('Any endpoint').check()
    await panel.getByRole('button', { name: 'Use this model' }).click()
    await expect(panel.getByRole('alert')).toHaveText('Give the URL of the endpoint')
    await panel.getByRole('textbox', { name: 'URL' }).fill(endpoint.url)
    await panel.getByLabel('Model', { exact: true }).fill('my-model')
    await panel.getByLabel('Key', { exact: true }).fill(key)
    await panel.getByRole('button', { name: 'Use this model' }).click()
    await expect(panel).toBeHidden()
    await say(page, 'hello')
    await expect(talk(page).getByText('A real model says hello.')).toBeVisible()
    await atRest(page)
    expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(endpoint.requests[0]?.body?.['model']).toBe('my-model')
    expect(
      await page.evaluate(async () => {
        const settled = <T>(request: IDBRequest<T>): Promise<T> =>
          new Promise((resolve, reject) => {
            request.onsuccess = () => {
              resolve(request.result)
            }
            request.onerror = () => {
              reject(request.error ?? new Error('No database'))
            }
          })
        const records: unknown[] = []
        for (const { name = '' } of await indexedDB.databases()) {
          const database = await settled(indexedDB.open(name))
          for (const store of database.objectStoreNames)
            records.push(await settled(database.transaction(store).objectStore(store).getAll()))
          database.close()
        }
        if (records.flat().length === 0) throw new Error('The session is not stored, so this shows nothing')
        return JSON.stringify([
          { ...localStorage },
          { ...sessionStorage },
          records,
          document.cookie,
          document.documentElement.outerHTML,
        ])
      }),
    ).not.toContain(key)
    await page.goto(`${site}/playground/shop/cart.html`)
    await page.waitForFunction(() => document.querySelector<ToolAgentElement>('tool-agent')?.status === 'idle')
    await say(page, 'hello again')
    await expect(panel.getByRole('alert')).toContainText('Enter it again')
    await panel.getByLabel('Key', { exact: true }).fill(key)
    await panel.getByRole('button', { name: 'Use this model' }).click()
    await expect(talk(page).getByText('Again, hello.')).toBeVisible()
    await atRest(page)
    expect(endpoint.requests[1]?.headers.authorization).toBe(`Bearer ${key}`)
    await endpoint.close()
  },
)

test('the assistant reads and fills the page, never the dock around it', async ({ page, site }) => {
  await open(page, `${site}/playground/shop/checkout.html`)
  await page.evaluate(() => {
    localStorage.setItem('kettle-and-leaf-cart', JSON.stringify({ lines: [{ productId: 'pot-glass', quantity: 1 }] }))
  })
  await open(page, `${site}/playground/shop/checkout.html`)
  await page.getByRole('button', { name: 'Inspector' }).click()
  await page.getByRole('button', { name: 'Offline model' }).click()
  await page.getByLabel('Any endpoint').check()
  await expect(page.getByLabel('Key', { exact: true })).toBeVisible()
  const seen = await page.evaluate(async () => {
    const agent = document.querySelector<ToolAgentElement>('tool-agent')
    return JSON.stringify([await agent?.callTool('form_read', {}), await agent?.callTool('page_read', {})])
  })
  expect(seen).toContain('Street and number')
  expect(seen).not.toMatch(/Any endpoint|up to and including|Use this model|Inspector|password/)
})

test('the inspector opens beside the page and has seen what happened before', async ({ page, site }) => {
  await open(page, `${site}/playground/booking/`)
  await say(page, 'who are you?')
  await atRest(page)
  const inspector = page.locator('tool-agent-inspector')
  await expect(inspector).toBeHidden()
  await page.getByRole('button', { name: 'Inspector' }).click()
  await expect(inspector).toContainText('turn-end')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(inspector).toBeHidden()
})

test('on a narrow screen the assistant is a sheet that a bar opens, and the bar says when it waits', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await open(page, `${site}/playground/shop/cart.html`)
  await expect(page.locator('tool-agent')).toBeHidden()
  await page.getByRole('button', { name: 'Shop assistant' }).click()
  await expect(page.locator('tool-agent')).toBeVisible()
  await page.locator('.dock').getByRole('button', { name: 'Close' }).click()
  await page.evaluate(() => {
    void document.querySelector<ToolAgentElement>('tool-agent')?.send('apply the coupon TEA10')
  })
  await page.getByRole('button', { name: 'Shop assistant is waiting for you' }).click()
  const deny = page.locator('tool-agent').getByRole('button', { name: 'Don’t allow' })
  // The text field does not cover the question.
  await expect
    .poll(async () => {
      const [button, field] = [
        await deny.boundingBox(),
        await page.locator('tool-agent textarea').first().boundingBox(),
      ]
      return (field?.y ?? 0) - (button?.y ?? Infinity) - (button?.height ?? 0)
    })
    .toBeGreaterThan(0)
  await deny.click()
  await atRest(page)
  for (const path of [
    '/',
    '/playground/booking/',
    '/playground/shop/',
    '/playground/shop/product.html?id=pot-betty',
    '/playground/shop/cart.html',
    '/playground/shop/checkout.html',
  ]) {
    await page.goto(site + path)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      path,
    ).toBeLessThanOrEqual(0)
  }
})

test('on a narrow screen the sheet leaves half of the page, and each filled field is visible', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, `${site}/playground/booking/`)
  await page.getByRole('button', { name: 'Halden’s assistant' }).click()
  const sheet = page.locator('.dock')
  await page.evaluate(() => {
    const covered: string[] = []
    Object.assign(globalThis, { covered })
    document.addEventListener('input', ({ target }) => {
      const field = target as HTMLInputElement
      // The playground scrolls in its own listener.
      queueMicrotask(() => {
        const top = document.querySelector('.dock')?.getBoundingClientRect().top ?? 0
        const box = field.getBoundingClientRect()
        if (box.top < 0 || box.bottom > top) covered.push(field.name)
      })
    })
  })
  await say(page, booking)
  await atRest(page)
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@example.org')
  expect(await page.evaluate(() => (globalThis as unknown as { covered: string[] }).covered)).toEqual([])
  const top = (await sheet.boundingBox())?.y ?? 0
  expect(top).toBeGreaterThan(844 * 0.45)
  await sheet.getByRole('button', { name: 'Taller' }).click()
  expect((await sheet.boundingBox())?.y).toBeLessThan(844 * 0.15)
})

test('a visitor can shop by hand: search, product, cart, coupon, order', async ({ page, site }) => {
  await open(page, `${site}/`.replace(/\/$/, '/playground/shop/'))
  await page.getByLabel('Search the shop').fill('teapot')
  await expect(page.locator('.product')).toHaveCount(3)
  await page.getByRole('link', { name: 'Glass teapot' }).click()
  for (const key of ['ArrowUp', 'ArrowUp']) await page.getByLabel('Quantity').press(key)
  await page.getByRole('button', { name: 'Add to the cart' }).click()
  await page.waitForURL('**/cart.html')
  await expect(page.locator('#cart-count')).toHaveText('3')
  await page.getByRole('textbox', { name: 'Coupon' }).fill('nothing')
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'There is no coupon' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Coupon' }).fill('tea10')
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(page.locator('#total')).toHaveText('€102.60')
  await page.getByRole('link', { name: 'To the checkout' }).click()
  await page.waitForURL('**/checkout.html')
  // Chromium drops what is typed before a page is painted.
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  for (const [label, value] of [
    ['Full name', 'Ada Lovelace'],
    ['E-mail', 'ada@example.org'],
    ['Street and number', '12 Dock Street'],
    ['Postcode', '10115'],
    ['City', 'Berlin'],
  ] as const)
    await page.getByLabel(label).fill(value)
  await page.getByRole('button', { name: 'Place the order' }).click()
  await expect(page.locator('#placed')).toContainText('€102.60')
  expect(await cart(page)).toEqual({ lines: [] })
})
