// The shop of examples/server on two devices, with the packed package: what a customer asks on a laptop, with a picture,
// runs on the server, uses the tool of that page, and waits for a question that the phone answers.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { mergeTests, type Browser, type BrowserContextOptions, type Page, type TestInfo } from 'playwright/test'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { prepare, serve } from '../../support/integrations/projects.js'
import { installPackages, packageFolder } from '../../support/project/installed-packages.js'
import { expect, test as packedTest } from '../../support/integrations/packed-test.js'
import { test as postgresTest } from '../../support/postgres/postgres-test.js'

const test = mergeTests(packedTest, postgresTest)

test.skip(({ browserName }) => browserName !== 'chromium', 'the result does not depend on the browser')

/** A picture of one dot. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const assistant = (page: Page) => page.locator('tool-agent')

/** A device on which a customer has signed in and opened the assistant. */
async function device(
  browser: Browser,
  url: string,
  { user, password }: Record<string, string>,
  how: BrowserContextOptions,
) {
  const context = await browser.newContext(how)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(url)
  await page.getByLabel('Name').fill(user!)
  await page.getByLabel('Password').fill(password!)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Tea shop' })).toBeVisible()
  await assistant(page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => {
    one.open = true
  })
  return { page, problems, close: () => context.close() }
}

interface Played {
  readonly browser: Browser
  readonly tarball: string
  readonly info: TestInfo
  /** Where conversations are; undefined: in a file. */
  readonly database?: string
}

async function play({ browser, tarball, info, database }: Played): Promise<void> {
  test.setTimeout(300_000)
  installPackages('better-sqlite3')
  installPackages('postgres')
  const endpoint = await startEndpoint([])
  const project = {
    name: 'Server',
    folder: 'examples/server',
    links: {
      ws: 'node_modules',
      'better-sqlite3': 'test/better-sqlite3/node_modules',
      pg: 'test/postgres/node_modules',
    },
  }
  const made = prepare(project, tarball, endpoint.url)
  if ('problem' in made) throw new Error(made.problem)
  const { folder, remove } = made
  const shop = await serve(['node', 'server.mjs'], folder, {
    MODEL_ENDPOINT: endpoint.url,
    DATA: folder,
    ...(database === undefined ? {} : { DATABASE_URL: database }),
  })
  const anna = { user: 'anna', password: 'sencha' }
  try {
    const laptop = await device(browser, shop.url, anna, { viewport: { width: 1280, height: 800 } })
    const phone = await device(browser, shop.url, anna, { viewport: { width: 390, height: 844 }, isMobile: true })
    const other = await device(browser, shop.url, { user: 'ben', password: 'assam' }, {})
    endpoint.push(
      { calls: [{ name: 'selected_tea', arguments: {} }] },
      { calls: [{ name: 'order_tea', arguments: { tea: 'Assam' } }] },
      { text: 'Your Assam is on its way.' },
    )
    await laptop.page.getByLabel('Tea').selectOption('Assam')
    const choosing = laptop.page.waitForEvent('filechooser')
    await assistant(laptop.page).getByRole('button', { name: 'Attach files' }).click()
    await (await choosing).setFiles({ name: 'tin.png', mimeType: 'image/png', buffer: picture })
    await expect(assistant(laptop.page).getByRole('list', { name: 'Attached files' })).toContainText('tin.png')
    await assistant(laptop.page).getByRole('textbox').fill('Order the tea that I have selected')
    await assistant(laptop.page).getByRole('textbox').press('Enter')

    const question = assistant(phone.page).getByRole('group', { name: /Order tea/ })
    await expect(question).toContainText('Order Assam and pay for it?')
    await expect(assistant(laptop.page).getByRole('group', { name: /Order tea/ })).toBeVisible()
    for (const [name, { page }] of Object.entries({ laptop, phone }))
      await info.attach(name, { body: await page.screenshot({ path: info.outputPath(`${name}.png`) }) })
    await question.getByRole('button', { name: 'Order tea', exact: true }).click()
    for (const { page } of [laptop, phone])
      await expect(assistant(page).getByText('Your Assam is on its way.').first()).toBeVisible()

    // The model has read the picture, and the phone has read it from the server.
    for (const { raw } of endpoint.requests) expect(raw).toContain('data:image/png;base64,')
    const file = assistant(phone.page).locator('tool-agent-file')
    await file.scrollIntoViewIfNeeded()
    await expect(file.locator('canvas')).toHaveCount(1)

    const Database = createRequire(packageFolder('better-sqlite3'))('better-sqlite3') as new (file: string) => {
      prepare(sql: string): { all(): unknown[] }
      close(): void
    }
    const orders = new Database(join(folder, 'shop.db'))
    expect(orders.prepare('SELECT * FROM orders').all()).toEqual([{ number: 1, user: 'anna', tea: 'Assam' }])
    orders.close()
    // Another customer, with the same id of the conversation, has a conversation of their own.
    await assistant(other.page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => one.agent.connect())
    expect(
      await assistant(other.page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => one.agent.messages),
    ).toEqual([])
    expect([laptop, phone, other].flatMap(({ problems }) => problems)).toEqual([])
    for (const { close } of [laptop, phone, other]) await close()
  } finally {
    await shop.stop()
    await endpoint.close()
    remove()
  }
}

test(
  'a question that is asked on a laptop is answered on a phone, and the order is in the database',
  { tag: '@long' },
  ({ browser, tarball }, info) => play({ browser, tarball, info }),
)

test(
  'the conversations are in PostgreSQL if DATABASE_URL names one',
  { tag: '@long' },
  async ({ browser, tarball, postgres }, info) => {
    const database = `postgres://test@${encodeURIComponent(postgres.folder)}/postgres`
    await play({ browser, tarball, info, database })
    const { rows } = await postgres.pool().query('SELECT user_id, length FROM tool_agent_sessions')
    expect(rows).toEqual([{ user_id: 'anna', length: 4 }])
    const files = 'SELECT type FROM tool_agent_files WHERE session IS NOT NULL'
    expect((await postgres.pool().query(files)).rows).toEqual([{ type: 'image/png' }])
  },
)
