// Storage faults with a whole agent: full, cleared, refused, blocked, evicted, or large. The conversation continues,
// the panel shows what is not saved, and saved messages are not lost.
import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright/test'
import { isObject, type JsonObject } from '../../../src/core/data/json.js'
import type { Endpoint } from '../../support/lab/endpoint.js'
import { deferred } from '../../support/lab/lab.js'
import { calls, expect, runs, send, settled, test } from '../../support/page/session-page.js'

const shared = '&session=shared'
const opened = (page: Page) => page.waitForFunction(() => window.agent?.host !== undefined)
const storage = (page: Page) => page.evaluate(() => window.agent.storage)
const say = (page: Page, text: string) =>
  page.evaluate((said) => window.agent.send(said).then((result) => result.text), text)
const texts = (page: Page) =>
  page.evaluate(() =>
    window.agent.messages.map((message) =>
      message.role === 'summary' ? '' : message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ),
  )
const lastOf = (body: JsonObject): string => {
  const last: unknown = Array.isArray(body['messages']) ? body['messages'].at(-1) : undefined
  return isObject(last) ? String(last['content']) : ''
}
const echo = (body: JsonObject) => ({ text: `echo ${lastOf(body)}` })

/** The room that the origin of the page has, as long as the session of the protocol lives. */
async function quota(context: BrowserContext, page: Page, quotaSize?: number): Promise<void> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(page.url()).origin,
    ...(quotaSize === undefined ? {} : { quotaSize }),
  })
}
/** Text that cannot be compressed. */
const noise = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000))).join('')
/** Random text of one byte a character. */
const ascii = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('')
/** Fills the storage with something else. */
const fill = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('filler', 1)
      request.onupgradeneeded = () => request.result.createObjectStore('bytes')
      request.onsuccess = () => resolve(request.result)
    })
    for (let key = 0, size = 1_000_000; size > 15_000; key++) {
      const bytes = new Uint8Array(size)
      for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65_536)))
      const stored = await new Promise<boolean>((resolve) => {
        const tx = database.transaction('bytes', 'readwrite')
        tx.objectStore('bytes').put(bytes, key)
        tx.oncomplete = () => resolve(true)
        tx.onabort = () => resolve(false)
      })
      if (!stored) size = Math.floor(size / 4)
    }
    database.close()
  })
/** What all stores of the database hold for a session. */
const records = (page: Page, id: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<Record<string, number>>((resolve) => {
        const request = indexedDB.open('tool-agent')
        request.onsuccess = () => {
          const database = request.result
          const names = [...database.objectStoreNames]
          const tx = database.transaction(names)
          const counts: Record<string, number> = {}
          for (const name of names) {
            const keys = tx.objectStore(name).getAllKeys()
            keys.onsuccess = () => {
              counts[name] = keys.result.filter((key) => (Array.isArray(key) ? key[0] : key) === wanted).length
            }
          }
          tx.oncomplete = () => {
            database.close()
            resolve(counts)
          }
        }
      }),
    id,
  )

test.describe('a full disk', () => {
  test.skip(({ browserName }) => browserName !== 'chromium', 'Only Chromium lets a test shrink the disk')
  // A write that finds the disk full is slow.
  test.describe.configure({ timeout: 120_000 })

  test(
    'a disk that fills up during an answer: all of it is shown, marked as unsaved and can be exported',
    { tag: ['@F28', '@F29', '@F43', '@R6.1'] },
    async ({ page, context, open, serveModel }) => {
      const words = Array.from({ length: 60 }, () => noise(1_500))
      const hold = deferred()
      const endpoint = await serveModel([
        { text: 'saved' },
        { text: ['begins ', ...words], hold: hold.promise },
        { text: 'after' },
        { text: 'once more' },
      ])
      await page.goto(open(endpoint, shared))
      expect(await say(page, 'Hello')).toBe('saved')
      expect(await storage(page)).toBe('indexeddb')
      const answer = say(page, 'Much')
      await page.waitForFunction(() => window.agent.session?.draft?.parts.length === 1)
      await quota(context, page, 3_000_000)
      await fill(page)
      hold.resolve()
      expect(await answer).toBe(`begins ${words.join('')}`)
      expect(await storage(page)).toBe('memory')
      expect(await page.evaluate(() => [window.agent.error?.code, window.agent.status])).toEqual(['storage', 'idle'])
      expect(await say(page, 'More')).toBe('after')
      const file = await page.evaluate(() => window.agent.sessions.export())
      expect(JSON.stringify(file)).toContain(words[59])
      expect((file['session'] as { messages: unknown[] }).messages).toHaveLength(6)
      // What had been saved is there after a reload, although the disk is full still, and what was not is asked for
      // again.
      await page.reload()
      await settled(page)
      expect(await texts(page)).toEqual(['Hello', 'saved', 'Much', 'once more'])
      expect(await storage(page)).toBe('memory')
    },
  )

  test(
    'a call that ran while the disk was full does not run again after a reload, and the model is warned',
    { tag: ['@long', '@F28', '@R6.5'] },
    async ({ page, context, open, serveModel }) => {
      const hold = deferred()
      const endpoint = await serveModel([
        { text: 'saved' },
        {
          text: ['begins ', noise(60_000)],
          calls: [{ id: 'b', name: 'buy', arguments: { of: 'one' } }],
          hold: hold.promise,
        },
        { text: 'after' },
      ])
      await page.goto(open(endpoint, shared))
      await say(page, 'Hello')
      await send(page, 'Buy')
      await page.waitForFunction(() => window.agent.session?.draft?.parts.length === 1)
      await quota(context, page, 3_000_000)
      await fill(page)
      hold.resolve()
      await expect.poll(() => runs(page, 'buy')).toBe(1)
      expect(await storage(page)).toBe('memory')
      await page.reload()
      await settled(page)
      expect(await runs(page, 'buy')).toBe(1)
      expect(await calls(page)).toEqual(['buy:interrupted'])
      expect((await texts(page)).at(-1)).toBe('after')
    },
  )

  for (const { where, more } of [
    { where: 'a worker', more: '' },
    { where: 'the page', more: '&rung=page' },
  ])
    test(
      `every message is answered after the disk became full, in ${where}`,
      { tag: ['@F28', '@F29', '@R6.1', '@long'] },
      async ({ page, context, site, open, serveModel }) => {
        const endpoint = await serveModel(() => ({ text: Array.from({ length: 44 }, () => ascii(10_000)) }))
        await page.goto(`${site}/test/pages/session/blank.html`)
        await quota(context, page, 2_000_000)
        await page.goto(open(endpoint, `&session=full${more}`))
        await opened(page)
        await page.evaluate(() =>
          window.agent.configure({ ...window.agent.options, contextWindow: { tokens: 100_000_000 } }),
        )
        const answers: string[] = []
        let stored: string[] = []
        for (let turn = 0; turn < 8; turn++) {
          answers.push((await say(page, `message ${turn}`)) ?? '')
          if ((await storage(page)) === 'indexeddb') stored = await texts(page)
        }
        expect(answers.map((text) => text.length)).toEqual(answers.map(() => 440_000))
        expect(await storage(page)).toBe('memory')
        expect(await page.evaluate(() => window.agent.messages.length)).toBe(16)
        // More room changes nothing until the page is loaded again.
        await quota(context, page)
        await say(page, 'with room')
        expect(await storage(page)).toBe('memory')
        await page.reload()
        // The turn in which the disk became full goes on, or is interrupted if it is too old by now.
        await page.waitForFunction(() => /^(idle|interrupted)$/.test(window.agent?.status ?? ''))
        expect((await texts(page)).slice(0, stored.length)).toEqual(stored)
        expect(stored.length).toBeGreaterThan(3)
        await say(page, 'after the reload')
        expect(await storage(page)).toBe('indexeddb')
      },
    )

  test(
    'after a session is deleted to make room, a new session is saved, and the one in memory after a reload',
    { tag: ['@F28', '@long'] },
    async ({ page, context, open, serveModel }) => {
      const endpoint = await serveModel(echo)
      await page.goto(open(endpoint, '&session=old'))
      await opened(page)
      await say(page, noise(20_000))
      await page.evaluate(() => window.agent.sessions.open('new'))
      await say(page, 'small')
      await quota(context, page, 3_000_000)
      await fill(page)
      await say(page, noise(30_000))
      expect(await storage(page)).toBe('memory')
      expect(await page.evaluate(async () => (await window.agent.sessions.list()).map(({ id }) => id))).toEqual([
        'new',
        'old',
      ])
      await page.evaluate(() => window.agent.sessions.delete('old'))
      expect(await records(page, 'old')).toEqual({ sessions: 0, messages: 0, results: 0, drafts: 0 })
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            indexedDB.deleteDatabase('filler').onsuccess = resolve
          }),
      )
      await quota(context, page)
      await say(page, 'again')
      expect(await storage(page)).toBe('memory')
      await page.evaluate(() => window.agent.sessions.create())
      await say(page, 'newer')
      expect(await storage(page)).toBe('indexeddb')
      await page.goto(open(endpoint, '&session=new'))
      await settled(page)
      expect((await texts(page)).slice(0, 2)).toEqual(['small', 'echo small'])
      await say(page, 'with room')
      expect(await storage(page)).toBe('indexeddb')
    },
  )
})

test(
  'when site data is cleared while the page is open, the session continues and is saved again',
  { tag: ['@F33', '@R6.1'] },
  async ({ page, context, open, serveModel, browserName }) => {
    const endpoint = await serveModel(echo)
    await page.goto(open(endpoint, shared))
    await opened(page)
    await say(page, 'before')
    if (browserName === 'chromium') {
      const cdp = await context.newCDPSession(page)
      await cdp.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' })
    } else {
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            indexedDB.deleteDatabase('tool-agent').onsuccess = resolve
          }),
      )
    }
    expect(await say(page, 'after')).toBe('echo after')
    expect(await storage(page)).toBe('indexeddb')
    expect(await page.evaluate(() => window.agent.error)).toBe(null)
    await page.goto(open(endpoint, shared))
    await opened(page)
    expect(await texts(page)).toEqual(['before', 'echo before', 'after', 'echo after'])
  },
)

test(
  'when site data is cleared during a turn, the turn finishes and its tools run once',
  { tag: ['@one-engine', '@F33'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel([{ calls: [{ id: 'w', name: 'wipe', arguments: {} }] }, { text: 'still here' }])
    await page.goto(open(endpoint, shared))
    await opened(page)
    await page.evaluate(() => {
      window.agent.registerTool({
        name: 'wipe',
        description: 'Clears the storage',
        execute: () =>
          new Promise((resolve) => {
            indexedDB.deleteDatabase('tool-agent').onsuccess = () => resolve('wiped')
          }),
      })
    })
    expect(await say(page, 'Go')).toBe('still here')
    await page.goto(open(endpoint, shared))
    await opened(page)
    expect(await texts(page)).toEqual(['Go', '', 'still here'])
  },
)

test(
  'a database that another tab deletes and makes again loses no conversation',
  { tag: '@F33' },
  async ({ page, context, site, open, serveModel }) => {
    const endpoint = await serveModel(echo)
    await page.goto(open(endpoint, shared))
    await opened(page)
    await say(page, 'before')
    const other = await context.newPage()
    await other.goto(open(endpoint, '&session=other'))
    await opened(other)
    const blank = await context.newPage()
    await blank.goto(`${site}/test/pages/session/blank.html`)
    await blank.evaluate(
      () =>
        new Promise((resolve) => {
          indexedDB.deleteDatabase('tool-agent').onsuccess = resolve
        }),
    )
    await say(other, 'first')
    expect(await say(page, 'after')).toBe('echo after')
    expect(await page.evaluate(() => [window.agent.storage, window.agent.error])).toEqual(['indexeddb', null])
    await page.reload()
    await opened(page)
    expect(await texts(page)).toEqual(['before', 'echo before', 'after', 'echo after'])
  },
)

test(
  'a session evicted while its page was closed starts again under the same id',
  { tag: ['@one-engine', '@F42', '@R6.2'] },
  async ({ page, site, open, serveModel }) => {
    const endpoint = await serveModel(echo)
    await page.goto(open(endpoint))
    await opened(page)
    await say(page, 'before')
    const id = await page.evaluate(() => window.agent.session?.id)
    await page.goto(`${site}/test/pages/session/blank.html`)
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          indexedDB.deleteDatabase('tool-agent').onsuccess = resolve
        }),
    )
    await page.goto(open(endpoint))
    await opened(page)
    expect(
      await page.evaluate(() => [window.agent.session?.id, window.agent.messages.length, window.agent.error]),
    ).toEqual([id, 0, null])
    expect(await say(page, 'after')).toBe('echo after')
  },
)

// --- Refused ---------------------------------------------------------------------------------------------------------

/** The element with the real agent. */
async function element(page: Page, site: string, endpoint: Endpoint, more = ''): Promise<void> {
  await page.goto(`${site}/test/pages/panel/element.html`)
  await page.evaluate(
    async ([url, more]) => {
      await window.load()
      document.body.insertAdjacentHTML('beforeend', `<tool-agent endpoint="${url}" model="m" ${more}></tool-agent>`)
      // Failures are the subject of the tests.
      document
        .querySelector('tool-agent')!
        .agent.connect()
        .catch(() => undefined)
    },
    [endpoint.url, more] as const,
  )
}

for (const { how, worker, says } of [
  { how: 'is refused', worker: 'refused', says: true },
  { how: 'is not there', worker: 'none', says: false },
]) {
  test(
    `a storage that ${how}: everything works, and the panel reports it and offers a file`,
    { tag: ['@F27', '@R6.1'] },
    async ({ page, site, serveModel, browserName }) => {
      await element(
        page,
        site,
        await serveModel([{ text: 'one' }]),
        `worker-url="/test/pages/session/no-storage-worker.js?how=${worker}"`,
      )
      const panel = page.locator('tool-agent')
      await expect(panel.locator('.badge')).toHaveText('Not saved')
      expect(
        await page.evaluate(() => [
          document.querySelector('tool-agent')?.agent?.host,
          document.querySelector('tool-agent')?.storage,
        ]),
      ).toEqual(['worker', 'memory'])
      await expect(panel.getByText('cannot be saved')).toHaveCount(says ? 1 : 0)
      await panel.locator('textarea').fill('Hello')
      await panel.locator('textarea').press('Enter')
      await expect(panel).toContainText('one')
      // Automated Firefox reports no download, so the test reads the blob that the browser received.
      await page.evaluate(() => {
        const make = URL.createObjectURL.bind(URL)
        URL.createObjectURL = (blob) => {
          Object.assign(window, { handed: (blob as Blob).text() })
          return make(blob)
        }
      })
      const download = browserName === 'chromium' ? page.waitForEvent('download') : undefined
      await panel.locator('.badge').click()
      await page.waitForFunction(() => 'handed' in window)
      const text = download
        ? await readFile(await (await download).path(), 'utf8')
        : await page.evaluate(() => (window as unknown as { handed: Promise<string> }).handed)
      const file = JSON.parse(text) as { format: string; session: { messages: unknown[] } }
      expect([file.format, file.session.messages.length]).toEqual(['tool-agent-session', 2])
      // The file is a session again.
      expect(
        await page.evaluate(async (data) => {
          const { sessions } = document.querySelector('tool-agent')!
          await sessions.open(await sessions.import(data as never))
          return document.querySelector('tool-agent')!.messages.length
        }, file),
      ).toBe(2)
    },
  )
}

test('works from memory in a sandboxed frame', { tag: ['@one-engine', '@F27'] }, async ({ page, site }) => {
  await page.route(/\/(src|test|node_modules|@)/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } })
  })
  await page.goto(`${site}/test/pages/session/blank.html`)
  await page.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-scripts')
    frame.src = url
    document.body.append(frame)
  }, `${site}/test/pages/session/session.html`)
  const frame = await expect
    .poll(() => page.frames().find((one) => one.url().includes('session.html')))
    .toBeDefined()
    .then(() => page.frames().find((one) => one.url().includes('session.html'))!)
  await frame.waitForFunction(() => window.agent?.host !== undefined)
  expect(await frame.evaluate(() => [window.agent.storage, window.agent.role, origin])).toEqual([
    'memory',
    'driver',
    'null',
  ])
  expect(
    await frame.evaluate(async () => {
      const modelAdapter = {
        async *stream() {
          yield* [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'from the sandbox' },
            { type: 'text-end', id: 't' },
            { type: 'finish', finishReason: { unified: 'stop' } },
          ] as never[]
        },
      }
      window.agent.configure({ ...window.agent.options, modelAdapter })
      return (await window.agent.send('Hello')).text
    }),
  ).toBe('from the sandbox')
})

test(
  'works from memory while another tab blocks the storage, and saves everything once it is released',
  { tag: ['@F30', '@F31', '@F32', '@R6.1'] },
  async ({ page, context, site, open, serveModel }) => {
    const endpoint = await serveModel(echo)
    const holder = await context.newPage()
    await holder.goto(`${site}/test/pages/session/blank.html`)
    // A tab of an older version, with a script that keeps its connection open.
    await holder.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('tool-agent', 1)
          request.onsuccess = () => {
            Object.assign(window, { held: request.result })
            request.result.close()
            resolve()
          }
        }),
    )
    await holder.evaluate(
      () =>
        new Promise<void>((resolve) => {
          indexedDB.deleteDatabase('tool-agent').onsuccess = () => resolve()
        }),
    )
    await holder.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('tool-agent', 1)
          request.onsuccess = () => {
            Object.assign(window, { held: request.result })
            indexedDB.deleteDatabase('tool-agent')
            resolve()
          }
        }),
    )
    await page.goto(open(endpoint, shared))
    await opened(page)
    expect(await storage(page)).toBe('memory')
    expect(await page.evaluate(() => window.agent.error)).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('Close the other tabs'),
    })
    expect(await say(page, 'Hello')).toBe('echo Hello')
    // A tab that waits in the same way and has no message.
    const silent = await context.newPage()
    await silent.goto(open(endpoint, '&session=silent'))
    await opened(silent)
    expect(await storage(silent)).toBe('memory')
    await holder.close()
    for (const one of [page, silent]) {
      await one.waitForFunction(() => window.agent.storage === 'indexeddb')
      expect(await one.evaluate(() => window.agent.error)).toBe(null)
      await say(one, 'Again')
      await one.reload()
      await opened(one)
    }
    const texts = (one: Page) =>
      one.evaluate(() =>
        window.agent.messages.flatMap((message) =>
          (message.role === 'user' ? message.parts : []).map((part) => (part.type === 'text' ? part.text : '')),
        ),
      )
    expect(await texts(page)).toEqual(['Hello', 'Again'])
    expect(await texts(silent)).toEqual(['Again'])
    expect(await storage(page)).toBe('indexeddb')
  },
)

test(
  'does not change a database of a newer version, works from memory and reports it',
  { tag: ['@one-engine', '@F36'] },
  async ({ page, site, open, serveModel }) => {
    const endpoint = await serveModel(echo)
    await page.goto(`${site}/test/pages/session/blank.html`)
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('tool-agent', 99)
          request.onupgradeneeded = () => {
            request.result.createObjectStore('sessions').put({ from: 'the future' }, 'a')
          }
          request.onsuccess = () => {
            request.result.close()
            resolve()
          }
        }),
    )
    await page.goto(open(endpoint, shared))
    await opened(page)
    expect(await say(page, 'Hello')).toBe('echo Hello')
    expect(await page.evaluate(() => [window.agent.storage, window.agent.error?.message])).toEqual([
      'memory',
      expect.stringContaining('newer version'),
    ])
    expect(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open('tool-agent')
            request.onsuccess = () => {
              request.result.transaction('sessions').objectStore('sessions').get('a').onsuccess = (event) =>
                resolve([request.result.version, (event.target as IDBRequest).result])
            }
          }),
      ),
    ).toEqual([99, { from: 'the future' }])
  },
)

for (const { what, stores } of [
  { what: 'has no stores', stores: {} },
  { what: 'has some of the stores', stores: { sessions: 'id', messages: undefined } },
  {
    what: 'has stores of the same names and other keys',
    stores: { sessions: undefined, messages: undefined, results: undefined, drafts: undefined },
  },
  {
    what: 'has the stores without their index',
    stores: { sessions: 'id', messages: undefined, results: undefined, drafts: undefined },
  },
]) {
  test(
    `does not change a database of this name that ${what}, works from memory and reports it`,
    { tag: ['@one-engine', '@F37', '@R6.1'] },
    async ({ page, site, open, serveModel }) => {
      await page.goto(`${site}/test/pages/session/blank.html`)
      await page.evaluate(
        (stores) =>
          new Promise<void>((resolve) => {
            const request = indexedDB.open('tool-agent', 1)
            request.onupgradeneeded = () => {
              for (const [name, keyPath] of Object.entries(stores))
                request.result.createObjectStore(name, { keyPath: keyPath ?? null })
            }
            request.onsuccess = () => {
              request.result.close()
              resolve()
            }
          }),
        stores as Record<string, string | undefined>,
      )
      await page.goto(open(await serveModel(echo), shared))
      await opened(page)
      expect(await page.evaluate(() => [window.agent.storage, window.agent.error?.message])).toEqual([
        'memory',
        expect.stringContaining('Another script uses the database'),
      ])
      expect(await say(page, 'Hello')).toBe('echo Hello')
      expect(
        await page.evaluate(
          () =>
            new Promise((resolve) => {
              const request = indexedDB.open('tool-agent')
              request.onsuccess = () => resolve([request.result.version, [...request.result.objectStoreNames]])
            }),
        ),
      ).toEqual([1, Object.keys(stores).sort()])
    },
  )
}

for (const { what, damage } of [
  {
    what: 'opens and cannot be read',
    damage: () => {
      IDBDatabase.prototype.transaction = () => {
        throw new DOMException('The database connection is closing.', 'InvalidStateError')
      }
    },
  },
  {
    what: 'cannot even be named',
    damage: () => {
      Object.defineProperty(globalThis, 'indexedDB', {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    },
  },
]) {
  test(
    `works from memory and reports it when the storage ${what}`,
    { tag: ['@F27', '@F34', '@R6.1'] },
    async ({ page, open, serveModel }) => {
      await page.addInitScript(damage)
      await page.goto(open(await serveModel(echo), `${shared}&rung=page`))
      await opened(page)
      expect(await page.evaluate(() => [window.agent.host, window.agent.storage, window.agent.error?.code])).toEqual([
        'page',
        'memory',
        'storage',
      ])
      expect(await say(page, 'Hello')).toBe('echo Hello')
    },
  )
}

test(
  'a clock that jumps back does not change the order',
  { tag: ['@one-engine', '@F44'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel(echo)
    await page.clock.install({ time: new Date('2026-05-01') })
    await page.goto(open(endpoint, `${shared}&rung=page`))
    await opened(page)
    await say(page, 'one')
    await page.clock.setSystemTime(new Date('2020-01-01'))
    await say(page, 'two')
    await page.clock.setSystemTime(new Date('2031-01-01'))
    await say(page, 'three')
    const before = await texts(page)
    expect(before).toEqual(['one', 'echo one', 'two', 'echo two', 'three', 'echo three'])
    await page.goto(open(endpoint, `${shared}&rung=page`))
    await opened(page)
    expect(await texts(page)).toEqual(before)
  },
)

// --- Deletion and size -----------------------------------------------------------------------------------------------

test(
  'deleting a session removes all of its records, also while it streams or has a shortened result',
  { tag: ['@one-engine', '@F25'] },
  async ({ page, context, open, serveModel }) => {
    const hold = deferred()
    const endpoint = await serveModel([
      { calls: [{ id: 'l', name: 'long', arguments: {} }] },
      { text: ['a '.repeat(2_000), 'word '.repeat(1_000)], hold: hold.promise },
    ])
    await page.goto(open(endpoint, `${shared}&chars=100`))
    await opened(page)
    await page.evaluate(() => {
      window.agent.registerTool({
        name: 'long',
        description: 'Long',
        annotations: { readOnlyHint: true },
        execute: () => 'x'.repeat(1_000),
      })
    })
    await send(page, 'Go')
    await expect.poll(() => records(page, 'shared')).toEqual({ sessions: 1, messages: 2, results: 1, drafts: 1 })
    const second = await context.newPage()
    await second.goto(open(endpoint, '&session=other'))
    await opened(second)
    await second.evaluate(() => window.agent.sessions.delete('shared'))
    hold.resolve()
    await page.waitForFunction(() => window.agent.error?.code === 'session-deleted' && window.agent.status === 'idle')
    expect(await records(second, 'shared')).toEqual({ sessions: 0, messages: 0, results: 0, drafts: 0 })
  },
)

test(
  'deletes the open session with all its records, and clear() deletes every session',
  { tag: ['@one-engine', '@R6.1'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel(echo)
    await page.goto(open(endpoint, shared))
    await opened(page)
    await say(page, 'one')
    await page.evaluate(() => window.agent.sessions.delete('shared'))
    expect(await records(page, 'shared')).toEqual({ sessions: 0, messages: 0, results: 0, drafts: 0 })
    await say(page, 'two')
    const id = await page.evaluate(() => window.agent.session?.id ?? '')
    await page.evaluate(() => window.agent.sessions.clear())
    expect(await records(page, id)).toEqual({ sessions: 0, messages: 0, results: 0, drafts: 0 })
    expect(await page.evaluate(() => window.agent.sessions.list())).toEqual([])
  },
)

test(
  'opens the last page of ten thousand messages, and lists a thousand sessions from their heads',
  { tag: ['@one-engine', '@R6.1'] },
  async ({ page, site, open, serveModel }) => {
    test.setTimeout(120_000)
    const endpoint = await serveModel(echo)
    await page.addInitScript(() => {
      // How many records of messages were read; the host is in the page.
      const read = { messages: 0 }
      Object.assign(window, { read })
      const { getAll, get } = IDBObjectStore.prototype
      IDBObjectStore.prototype.getAll = function (this: IDBObjectStore, ...given: Parameters<typeof getAll>) {
        const request = getAll.apply(this, given)
        if (this.name === 'messages')
          request.addEventListener('success', () => {
            read.messages += request.result.length
          })
        return request
      }
      IDBObjectStore.prototype.get = function (this: IDBObjectStore, ...given: Parameters<typeof get>) {
        if (this.name === 'messages') read.messages++
        return get.apply(this, given)
      }
    })
    await page.goto(open(endpoint, '&session=big&rung=page'))
    await opened(page)
    await say(page, 'first')
    await page.evaluate(() => {
      void window.agent.close()
    })
    await page.goto(`${site}/test/pages/session/blank.html`)
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.open('tool-agent')
          request.onsuccess = () => {
            const tx = request.result.transaction(['sessions', 'messages'], 'readwrite')
            const [sessions, messages] = [tx.objectStore('sessions'), tx.objectStore('messages')]
            sessions.get('big').onsuccess = ({ target }) => {
              const head = (target as IDBRequest).result as Record<string, unknown>
              sessions.put({ ...head, length: 10_000 })
              for (let number = 0; number < 1_000; number++)
                sessions.put({ ...head, id: `s${number}`, title: `Session ${number}`, updatedAt: number, length: 0 })
            }
            for (let at = 0; at < 10_000; at++) {
              messages.put(
                at % 2 === 0
                  ? { id: `m${at}`, role: 'user', parts: [{ type: 'text', text: `question ${at}` }], at }
                  : {
                      id: `m${at}`,
                      role: 'assistant',
                      parts: [{ type: 'text', text: `answer ${at}` }],
                      at,
                      reason: 'stop',
                    },
                ['big', at],
              )
            }
            tx.oncomplete = () => {
              request.result.close()
              resolve()
            }
            tx.onabort = () => reject(tx.error)
          }
        }),
    )
    await page.goto(open(endpoint, '&session=big&rung=page'))
    await opened(page)
    const read = () => page.evaluate(() => (window as unknown as { read: { messages: number } }).read.messages)
    expect(await page.evaluate(() => [window.agent.session?.start, window.agent.messages.length])).toEqual([9_800, 200])
    const atOpening = await read()
    expect(atOpening).toBeLessThanOrEqual(220)
    expect(await page.evaluate(async () => (await window.agent.sessions.list()).length)).toBe(1_001)
    expect(await read()).toBe(atOpening)
    await page.evaluate(() => window.agent.loadOlder())
    expect(await read()).toBe(atOpening + 50)
    expect((await texts(page))[0]).toBe('question 9750')
    expect(await say(page, 'next')).toBe('echo next')
    // With a summary, because all messages are longer than the default of `contextWindow.tokens`. The first turn read
    // them once.
    expect(await page.evaluate(() => window.agent.messages.length)).toBe(253)
    expect(await read()).toBe(atOpening + 50 + 10_000)
    expect(await say(page, 'and more')).toBe('echo and more')
    expect(await read()).toBe(atOpening + 50 + 10_000)
  },
)

test(
  'the panel loads older ones of ten thousand messages when scrolled up',
  { tag: ['@long', '@R6.1'] },
  async ({ page, site, serveModel }) => {
    await element(page, site, await serveModel(echo))
    await page.evaluate(() => document.querySelector('tool-agent')!.agent.connect())
    const file = {
      format: 'tool-agent-session',
      version: 1,
      session: {
        messages: Array.from({ length: 10_000 }, (_, at) => ({
          id: `m${at}`,
          role: at % 2 ? 'assistant' : 'user',
          parts: [{ type: 'text', text: `words ${at}` }],
          at,
          ...(at % 2 ? { reason: 'stop' } : {}),
        })),
      },
    }
    await page.evaluate(async (data) => {
      const { sessions } = document.querySelector('tool-agent')!
      await sessions.open(await sessions.import(data as never))
    }, file)
    const start = () => page.evaluate(() => document.querySelector('tool-agent')?.session?.start)
    expect(await start()).toBe(9_800)
    await expect(page.locator('tool-agent')).toContainText('words 9999')
    await expect
      .poll(async () => {
        await page.locator('tool-agent .log').evaluate((log) => {
          log.scrollTop = 1
        })
        await page.locator('tool-agent .log').evaluate((log) => {
          log.scrollTop = 0
        })
        return start()
      })
      .toBeLessThan(9_800)
  },
)
