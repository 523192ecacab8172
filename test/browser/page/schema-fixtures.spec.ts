// Databases that each released schema version wrote. Every later version must load them, so the files must not change.
// `WRITE_FIXTURE=1 npm test -- schema-fixtures` writes the file of the newest version, once.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { deferred } from '../../support/lab/lab.js'
import { messagesOf } from '../../support/lab/requests.js'
import { calls, expect, send, settled, test } from '../../support/page/session-page.js'
import { schemaVersion } from '../../../src/host/store/migrations.js'

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
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.json'))

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
