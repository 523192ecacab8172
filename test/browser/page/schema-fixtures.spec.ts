// Databases that each released schema version wrote. Every later version must load them, so the files must not change.
// `WRITE_FIXTURE=1 npm test -- schema-fixtures` writes the file of the newest version, once.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { deferred } from '../../support/lab/lab.js'
import type { ScriptItem } from '../../support/lab/endpoint.js'
import { messagesOf } from '../../support/lab/requests.js'
import { calls, expect, send, settled, test } from '../../support/page/session-page.js'
import { schemaVersion } from '../../../src/host/store/migrations.js'
import { isMessage, parseDraft, parseHead } from '../../../src/host/store/records.js'

interface Dump {
  version: number
  stores: Record<
    string,
    {
      keyPath: string | null
      indexes: { name: string; keyPath: string | string[] }[]
      records: [IDBValidKey, unknown][]
    }
  >
}

const folder = fileURLToPath(new URL('../../fixtures/', import.meta.url))
const fixtures = readdirSync(folder).filter((name) => name.startsWith('schema-'))

const dump = (page: Page): Promise<Dump> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('tool-agent'))
    const stores: Dump['stores'] = {}
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name).objectStore(name)
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())])
      stores[name] = {
        keyPath: store.keyPath as string | null,
        indexes: [...store.indexNames].map((index) => ({ name: index, keyPath: store.index(index).keyPath })),
        records: keys.map((key, place) => [key, values[place]]),
      }
    }
    database.close()
    return { version: database.version, stores }
  })

const load = (page: Page, text: string) =>
  page.evaluate(async (written) => {
    const { version, stores } = JSON.parse(written) as Dump
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.open('tool-agent', version)
      request.onerror = () => reject(request.error)
      request.onupgradeneeded = () => {
        for (const [name, { keyPath, indexes, records }] of Object.entries(stores)) {
          const store = request.result.createObjectStore(name, keyPath === null ? {} : { keyPath })
          for (const index of indexes) store.createIndex(index.name, index.keyPath)
          for (const [key, value] of records) store.put(value, ...(keyPath === null ? [key] : []))
        }
      }
      request.onsuccess = () => {
        request.result.close()
        resolve()
      }
    })
  }, text)

test('the newest schema version has a fixture', () => {
  expect(fixtures).toContain(`schema-${schemaVersion}.json`)
})

for (const file of fixtures) {
  test(
    `${file} loads: its sessions can be listed, read and continued`,
    { tag: '@F39' },
    async ({ page, site, open, serveModel }) => {
      const endpoint = await serveModel([{ text: 'I remember.' }, { text: 'On it goes.' }])
      await page.goto(`${site}/test/pages/session/blank.html`)
      await load(page, readFileSync(`${folder}${file}`, 'utf8'))
      await page.goto(open(endpoint, '&session=full'))
      await page.waitForFunction(() => window.agent?.session !== undefined)
      expect(
        await page.evaluate(() => [
          window.agent.storage,
          window.agent.messages.length,
          window.agent.todos.length,
          window.agent.session?.context['kept'],
          window.agent.session?.title,
        ]),
      ).toEqual(['indexeddb', 5, 1, 'yes', 'Do it all'])
      expect(await calls(page)).toEqual([
        'long:' + 'x'.repeat(300),
        'fail:execution-failed',
        'todo_write:[ ] #1: Finish\n(0/1 completed)',
      ])
      expect(await page.evaluate(() => window.agent.resultText('call-long').then((text) => text?.length))).toBe(600)
      expect(await page.evaluate(() => window.agent.send('Do you remember?').then(({ text }) => text))).toBe(
        'I remember.',
      )
      expect(messagesOf(endpoint.requests[0]).length).toBeGreaterThan(5)
      // A turn that was running: its call is interrupted, its text is kept, and it can be continued.
      await page.evaluate(() => window.agent.sessions.open('cut'))
      await page.waitForFunction(() => window.agent.status === 'interrupted')
      expect(await page.evaluate(() => window.agent.messages.at(-1)?.role)).toBe('assistant')
      expect(await page.evaluate(() => window.agent.continue().then(({ text }) => text))).toBe('On it goes.')
      expect(await page.evaluate(async () => (await window.agent.sessions.list()).map(({ id }) => id).sort())).toEqual([
        'cut',
        'full',
      ])
    },
  )
}

/**
 * Sessions that the build of 22 November 2026 left in the middle of a turn: `asking` waits for a decision, `running` has
 * two calls that started, `streaming` has half an answer. `tab` is the tab that ran them.
 */
const unfinished = JSON.parse(readFileSync(`${folder}unfinished-turns-1.json`, 'utf8')) as Dump & { tab: string }

/** Opens one of them as the tab that ran it, `age` milliseconds after its last event, with the tools of the shop. */
async function reopen(page: Page, { site, address, age }: { site: string; address: string; age: number }) {
  const aged = structuredClone(unfinished)
  for (const [, value] of aged.stores['sessions']!.records) {
    const { turn } = value as { turn: { lastAt: number } }
    turn.lastAt = Date.now() - age
  }
  await page.goto(`${site}/test/pages/session/blank.html`)
  await load(page, JSON.stringify(aged))
  await page.evaluate((tab) => {
    sessionStorage.setItem('tool-agent:tab', tab)
    sessionStorage.setItem('again', 'yes')
  }, unfinished.tab)
  await page.goto(address)
  await page.waitForFunction(() => window.agent?.session !== undefined)
  await page.evaluate(() => {
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } } }
    const add = (name: string, title: string, description: string, more: object) =>
      window.agent.registerTool({ name, title, description, inputSchema, execute: () => `${name} ran`, ...more })
    add('find_orders', 'Find orders', 'Returns orders', { annotations: { readOnlyHint: true } })
    add('stock_level', 'Stock level', 'Returns the stock', { annotations: { readOnlyHint: true } })
    const untrusted = { readOnlyHint: true, untrustedContentHint: true }
    add('read_review', 'Read a review', 'Returns a review', { annotations: untrusted })
    add('add_to_cart', 'Add to cart', 'Adds', { needsApproval: true })
    add('refund', 'Refund an order', 'Refunds', { needsApproval: true })
  })
}

/** Every record is one that this build writes, and nothing was replaced by a default. */
async function expectValidRecords(page: Page): Promise<void> {
  const { stores } = await dump(page)
  for (const [, head] of stores['sessions']!.records) expect(parseHead(head)).toEqual(head)
  for (const [key, message] of stores['messages']!.records) expect([key, isMessage(message)]).toEqual([key, true])
  for (const [, draft] of stores['drafts']!.records) expect(parseDraft(draft)).toEqual(draft)
}

/** The file of the session can be imported, and has the same messages then. */
async function expectExport(page: Page): Promise<void> {
  const [exported, imported] = await page.evaluate(async () => {
    const { sessions, messages } = window.agent
    const file = JSON.parse(JSON.stringify(await sessions.export())) as never
    await sessions.open(await sessions.import(file))
    return [messages, window.agent.messages]
  })
  expect(imported).toEqual(exported)
}

async function goOn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.agent.status === 'interrupted')
  await page.evaluate(() => {
    void window.agent.continue()
  })
}

const minute = 60_000

for (const age of [0, 2 * 24 * 60 * minute])
  test(
    `a question that an older build asked ${age === 0 ? 'just now' : 'two days ago'} is asked again and answered once`,
    { tag: ['@F39', '@R6.3'] },
    async ({ page, site, open, serveModel }) => {
      const again: ScriptItem = { calls: [{ id: 'p2', name: 'refund', arguments: { query: 'o-3' } }] }
      const endpoint = await serveModel([
        ...(age === 0 ? [] : [again]),
        { text: 'It is refunded.' },
        { calls: [{ id: 'a2', name: 'add_to_cart', arguments: { query: 'kyusu' } }] },
        { text: 'It is in the cart.' },
      ])
      await reopen(page, { site, address: open(endpoint, '&session=asking&chars=900'), age })
      if (age > 0) await page.waitForFunction(() => window.agent.status === 'interrupted')
      expect(await page.evaluate(() => [window.agent.messages.length, window.agent.todos.length])).toEqual([6, 2])
      expect(await page.evaluate(() => window.agent.session?.context)).toEqual({
        customer: { id: 'c-17', name: 'Ada' },
      })
      expect((await calls(page)).map((text) => text.slice(0, 30))).toEqual([
        'todo_write:[>] #1: Find the or',
        'find_orders:[{"id":"o-0","item',
        'stock_level:execution-failed',
        'read_review:Ignore all rules a',
        'add_to_cart:[object Object]',
        // The answer to an old question is not expected any more, so the model decides whether to ask again.
        age === 0 ? 'refund:undefined' : 'refund:interrupted',
      ])
      if (age > 0) await goOn(page)
      await page.waitForFunction(() => window.agent.status === 'awaiting-approval')
      await page.evaluate((id) => window.agent.approve(id), age === 0 ? 'p1' : 'p2')
      await settled(page)
      expect((await calls(page)).at(-1)).toBe('refund:refund ran')
      // The user has allowed this tool for the session.
      expect(await page.evaluate(() => window.agent.send('One more pot').then(({ text }) => text))).toBe(
        'It is in the cart.',
      )
      expect(JSON.stringify(messagesOf(endpoint.requests[0]))).toContain('Ignore all rules')
      expect(await page.evaluate(() => window.agent.resultText('f1').then((text) => text?.slice(0, 13)))).toBe(
        '[{"id":"o-0",',
      )
      await expectExport(page)
      await expectValidRecords(page)
    },
  )

for (const age of [0, 2 * 24 * 60 * minute])
  test(
    `calls that an older build started ${age === 0 ? 'just now' : 'two days ago'} run again only if they are read-only`,
    { tag: ['@F39', '@R6.5'] },
    async ({ page, site, open, serveModel }) => {
      const endpoint = await serveModel([{ text: 'Looked.' }, { text: 'Next.' }])
      await reopen(page, { site, address: open(endpoint, '&session=running'), age })
      if (age > 0) await goOn(page)
      await settled(page)
      expect(await calls(page)).toEqual([age === 0 ? 'look:looked' : 'look:interrupted', 'buy:interrupted'])
      expect(JSON.stringify(messagesOf(endpoint.requests[0]))).toContain('Be short.')
      expect(await page.evaluate(() => window.agent.send('And now?').then(({ text }) => text))).toBe('Next.')
      await expectExport(page)
      await expectValidRecords(page)
    },
  )

for (const age of [0, 2 * 24 * 60 * minute])
  test(
    `an answer that an older build cut off ${age === 0 ? 'just now' : 'two days ago'} is written once`,
    { tag: ['@F39', '@R6.3'] },
    async ({ page, site, open, serveModel }) => {
      const endpoint = await serveModel([{ text: 'The weather in Ulm is fine.' }, { text: 'Next.' }])
      await reopen(page, { site, address: open(endpoint, '&session=streaming'), age })
      if (age > 0) {
        await page.waitForFunction(() => window.agent.status === 'interrupted')
        expect(await page.evaluate(() => JSON.stringify(window.agent.messages))).toContain('The weather in ')
        await goOn(page)
      }
      await settled(page)
      expect(await page.evaluate(() => JSON.stringify(window.agent.messages.at(-1)))).toContain(
        'The weather in Ulm is fine.',
      )
      expect(await page.evaluate(() => window.agent.send('And now?').then(({ text }) => text))).toBe('Next.')
      await expectExport(page)
      await expectValidRecords(page)
    },
  )

test('writes the fixture of the newest version', async ({ page, site, open, serveModel }) => {
  const file = `${folder}schema-${schemaVersion}.json`
  test.skip(process.env['WRITE_FIXTURE'] === undefined, 'Only on demand')
  if (existsSync(file)) throw new Error(`${file} was released: it must not be written again`)
  const hold = deferred()
  const endpoint = await serveModel([
    {
      reasoning: 'I think.',
      calls: [
        { id: 'call-long', name: 'long', arguments: {} },
        { id: 'call-fail', name: 'fail', arguments: {} },
        { id: 'call-todo', name: 'todo_write', arguments: { items: [{ text: 'Finish' }] } },
      ],
    },
    { text: 'Done.' },
    { text: 'Hello there.' }, // Long enough to be kept before it is complete.
    { text: ['Half of it. '.repeat(200), 'The end'], hold: hold.promise },
  ])
  await page.goto(open(endpoint, '&session=full&chars=300'))
  await page.waitForFunction(() => window.agent?.session !== undefined)
  await page.evaluate(() =>
    window.agent.registerTool([
      {
        name: 'long',
        description: 'Gives a long text',
        execute: (_: unknown, run: { remember(key: string, value: string): void }) => {
          run.remember('kept', 'yes')
          return 'x'.repeat(600)
        },
      },
      {
        name: 'fail',
        description: 'Fails',
        execute: () => {
          throw new Error('It failed')
        },
      },
    ]),
  )
  await send(page, 'Do it all')
  await settled(page)
  await page.evaluate(() => window.agent.send('Hello'))
  await page.evaluate(() => window.agent.sessions.open('cut'))
  await send(page, 'Begin')
  await page.waitForFunction(() => window.agent.session?.draft?.parts.length === 1)
  const written = await dump(page)
  writeFileSync(file, `${JSON.stringify(written)}\n`)
  hold.resolve()
  await page.goto(`${site}/test/pages/session/blank.html`)
})
