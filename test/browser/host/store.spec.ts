// The IndexedDB store in a real page: the contract of all stores, and what only a browser can do to it.
import type { Page } from 'playwright/test'
import type { Store } from '../../../src/core/state/store.js'
import type { IdbOptions } from '../../../src/host/store/indexed-db.js'
import { expect, test } from '../../support/page/site.js'
import type { StoreCase, StoreHarness } from '../../../src/testing/store/conformance.js'

interface Kit {
  open(options?: IdbOptions): Promise<Store>
  /** The cases of all stores, each with a database of its own. */
  conformance: StoreCase[]
  /** A session with these texts, as its first commit. */
  create(store: Store, id: string, texts: string[]): Promise<void>
  texts(store: Store, id: string): Promise<string[] | undefined>
  /** The code and message of what was thrown, else `resolved`. */
  outcome(work: () => Promise<unknown>): Promise<string>
  raw(name: string, version?: number): Promise<IDBDatabase>
}
declare global {
  var kit: Kit
}

async function load(page: Page, site: string): Promise<void> {
  await page.goto(`${site}/test/pages/session/blank.html`)
  await page.evaluate(
    async (files) => {
      const [{ openIdbStore }, { storeConformance }, { emptySession }, { sessionHeadOf }] = (await Promise.all(
        files.map((file) => import(file)),
      )) as [
        typeof import('../../../src/host/store/indexed-db.js'),
        typeof import('../../../src/testing/store/conformance.js'),
        typeof import('../../../src/core/data/session.js'),
        typeof import('../../../src/core/state/store.js'),
      ]
      function idbHarness(): StoreHarness<{ name: string; stores: Store[] }> {
        let count = 0
        return {
          create: () => ({ name: `case-${count++}`, stores: [] }),
          async open({ name, stores }) {
            const store = await openIdbStore({ name })
            stores.push(store)
            return store
          },
          crash({ stores }) {
            for (const store of stores.splice(0)) store.close()
          },
          clear: ({ name }) =>
            new Promise((resolve, reject) => {
              const request = indexedDB.deleteDatabase(name)
              request.onsuccess = () => resolve()
              request.onerror = () => reject(request.error)
            }),
        }
      }
      globalThis.kit = {
        open: openIdbStore,
        conformance: storeConformance(idbHarness()),
        async create(store, id, texts) {
          const messages = texts.map(
            (text, index) => ({ id: `m${index}`, role: 'user', parts: [{ type: 'text', text }], at: index }) as const,
          )
          await store.claim(id, 0)
          // With the epoch 1, so that the tests can name those after it.
          await store.commit(id, 1, {
            head: sessionHeadOf({ ...emptySession(id, 'me', 1), epoch: 1, messages }),
            messages: messages.map((message, index) => ({ index, message })),
            whole: true,
          })
        },
        async texts(store, id) {
          const session = await store.read(id, 100)
          return session?.messages.map((message) =>
            'parts' in message
              ? message.parts.map((part) => ('text' in part ? part.text : part.type)).join()
              : message.role,
          )
        },
        async outcome(work) {
          try {
            await work()
            return 'resolved'
          } catch (error) {
            const { code, message } = error as { code?: string; message: string }
            return `${code}: ${message}`
          }
        },
        raw: (name, version) =>
          new Promise((resolve, reject) => {
            const request = indexedDB.open(name, version)
            request.onsuccess = () => resolve(request.result)
            request.onerror = () => reject(request.error)
          }),
      }
    },
    [
      '/src/host/store/indexed-db.ts',
      '/src/testing/store/conformance.ts',
      '/src/core/data/session.ts',
      '/src/core/state/store.ts',
    ],
  )
}

test.beforeEach(({ page, site }) => load(page, site))

test('IndexedDB passes the conformance of stores', { tag: ['@F24', '@F40', '@F41', '@R6.1'] }, async ({ page }) => {
  const [results, unhandled] = await page.evaluate(async () => {
    const unhandled: string[] = []
    addEventListener('unhandledrejection', (event) => unhandled.push(String(event.reason)))
    const results: { title: string; error: string }[] = []
    for (const { title, skip, run } of kit.conformance) {
      if (skip !== undefined) continue
      const error = await run().then(
        () => '',
        (thrown: unknown) => String(thrown),
      )
      results.push({ title, error })
    }
    // Rejections are reported in a task of their own.
    await new Promise((resolve) => setTimeout(resolve))
    return [results, unhandled] as const
  })
  // All but those of users, whom a browser keeps apart.
  expect(results.length).toBeGreaterThan(30)
  for (const { title, error } of results) expect.soft(error, title).toBe('')
  expect(unhandled).toEqual([])
})

test(
  'a commit whose transaction aborts rejects, even if the browser reports no end of a request',
  { tag: ['@F28', '@F29'] },
  async ({ page }) => {
    // Chromium aborts a transaction that finds the disk full without an event for a write that was not answered yet.
    const outcome = await page.evaluate(async () => {
      const store = await kit.open()
      await store.claim('a', 0)
      const { put } = IDBObjectStore.prototype
      IDBObjectStore.prototype.put = function (...given) {
        const request = put.apply(this, given)
        for (const type of ['success', 'error'])
          request.addEventListener(type, (event) => event.stopImmediatePropagation())
        return request
      }
      IDBTransaction.prototype.commit = function () {
        this.abort()
      }
      return kit.outcome(() => kit.create(store, 'a', ['one']))
    })
    expect(outcome).toMatch(/^storage/)
  },
)

test(
  'a session whose database was deleted counts as cleared, also if another tab makes the database again first',
  { tag: ['@F33', '@F25'] },
  async ({ page }) => {
    const outcomes = await page.evaluate(async () => {
      const [store, other] = [await kit.open(), await kit.open()]
      await kit.create(store, 'a', ['one'])
      await kit.create(store, 'b', ['one'])
      await new Promise((resolve) => {
        indexedDB.deleteDatabase('tool-agent').onsuccess = resolve
      })
      await kit.create(other, 'c', ['other'])
      const whole = { ...(await other.read('c', 1))!, id: 'a', epoch: 1 }
      const change = { head: { ...whole, length: 1 }, messages: [{ index: 0, message: whole.messages[0]! }] }
      const cleared = await kit.outcome(() => store.commit('a', 1, change))
      const again = await kit.outcome(() => store.commit('a', 1, { ...change, whole: true }))
      // A user deletes it in the other tab: that is no clearing.
      await other.delete('a')
      const deleted = await kit.outcome(() => store.commit('a', 1, { ...change, whole: true }))
      return [cleared, again, deleted, await kit.texts(store, 'a')]
    })
    expect(outcomes).toEqual([
      expect.stringMatching(/^storage: The browser cleared/),
      'resolved',
      expect.stringMatching(/^session-deleted/),
      undefined,
    ])
  },
)

test(
  'a session survives a reload, and a new host takes it over',
  { tag: ['@F24', '@R6.1'] },
  async ({ page, site }) => {
    await page.evaluate(async () => kit.create(await kit.open(), 'a', ['one', 'two']))
    await load(page, site)
    const [kind, epoch, texts, stale] = await page.evaluate(async () => {
      const store = await kit.open()
      const [{ epoch }, texts] = [await store.claim('a', 10), await kit.texts(store, 'a')]
      // The earlier tab may still exist, with an outdated state.
      return [store.kind, epoch, texts, await kit.outcome(() => store.commit('a', 1, { draft: null }))]
    })
    expect([kind, epoch, texts]).toEqual(['indexeddb', 2, ['one', 'two']])
    expect(stale).toMatch(/^lost-session/)
  },
)

test(
  'a commit is one transaction, with strict durability only on request',
  { tag: ['@F3', '@F40', '@R6.1'] },
  async ({ page }) => {
    const transactions = await page.evaluate(async () => {
      const store = await kit.open()
      await kit.create(store, 'a', ['one'])
      const seen: string[] = []
      const original = IDBDatabase.prototype.transaction
      IDBDatabase.prototype.transaction = function (names, mode, options) {
        seen.push(`${mode} ${options?.durability}`)
        return original.call(this, names, mode, options)
      }
      await store.commit('a', 1, { draft: { id: 'd', step: 0, parts: [] }, result: { callId: 'c', value: 1 } })
      await store.commit('a', 1, { draft: null, strict: true })
      await store.claim('a', 10)
      return seen
    })
    expect(transactions).toEqual(['readwrite relaxed', 'readwrite strict', 'readwrite relaxed'])
  },
)

test(
  'a commit requests its writes before the stored epoch is known, and ends its transaction',
  { tag: '@one-engine' },
  async ({ page }) => {
    const requests = await page.evaluate(async () => {
      const store = await kit.open()
      await kit.create(store, 'a', ['one'])
      const seen: string[] = []
      const { get, put } = IDBObjectStore.prototype
      IDBObjectStore.prototype.get = function (query) {
        const request = get.call(this, query)
        request.addEventListener('success', () => seen.push('answer'))
        return request
      }
      IDBObjectStore.prototype.put = function (...given) {
        seen.push(`put ${this.name}`)
        return put.apply(this, given)
      }
      const { commit } = IDBTransaction.prototype
      IDBTransaction.prototype.commit = function () {
        seen.push('commit')
        commit.call(this)
      }
      await store.commit('a', 1, { draft: { id: 'd', step: 0, parts: [] }, result: { callId: 'c', value: 1 } })
      await kit.outcome(() => store.commit('a', 2, { draft: { id: 'd', step: 1, parts: [] } }))
      return seen
    })
    // The second commit is refused.
    expect(requests).toEqual(['put results', 'put drafts', 'answer', 'commit', 'put drafts', 'answer'])
  },
)

test(
  'a blocked open fails with a storage error and works once the other tab closes its connection',
  { tag: '@F31' },
  async ({ page, context, site }) => {
    const other = await context.newPage()
    await load(other, site)
    await other.evaluate(async () => {
      Object.assign(window, { holder: await kit.raw('held', 1) })
    })
    const blocked = await page.evaluate(() => {
      indexedDB.deleteDatabase('held')
      return kit.outcome(() => kit.open({ name: 'held', timeout: 150 }))
    })
    expect(blocked).toMatch(/^storage: .*Close the other tabs/)
    await other.evaluate(() => {
      ;(window as unknown as { holder: IDBDatabase }).holder.close()
    })
    expect(await page.evaluate(async () => (await kit.open({ name: 'held' })).kind)).toBe('indexeddb')
  },
)

test(
  'a slow browser that creates the first database is not taken for another tab',
  { tag: '@F31' },
  async ({ page }) => {
    const [outcome, waited] = await page.evaluate(async () => {
      // The opening of the store waits for this one without an event, and there is no database that a tab could hold.
      const first = indexedDB.open('slow', 1)
      first.onupgradeneeded = () => {
        const records = first.result.createObjectStore('other')
        const until = performance.now() + 600
        const work = (): void => {
          if (performance.now() < until) records.get('x').onsuccess = work
          else first.transaction?.abort()
        }
        work()
      }
      const began = performance.now()
      const outcome = await kit.outcome(async () => {
        const store = await kit.open({ name: 'slow', timeout: 150 })
        await kit.create(store, 'a', ['one'])
      })
      return [outcome, performance.now() - began] as const
    })
    expect(waited).toBeGreaterThan(300)
    expect(outcome).not.toMatch(/^storage/)
  },
)

test(
  'a database deleted while open is opened again, and its sessions fail with storage',
  { tag: ['@F32', '@F33'] },
  async ({ page }) => {
    const [deleted, commit, claim, again] = await page.evaluate(async () => {
      const store = await kit.open({ name: 'wiped' })
      await kit.create(store, 'a', ['one'])
      const deleted = await new Promise<string>((resolve) => {
        const request = indexedDB.deleteDatabase('wiped')
        request.onsuccess = () => resolve('deleted')
        request.onblocked = () => resolve('blocked')
      })
      const commit = await kit.outcome(() => store.commit('a', 1, { draft: { id: 'd', step: 0, parts: [] } }))
      const claim = await store.claim('a', 10)
      await kit.create(store, 'a', ['anew'])
      return [deleted, commit, claim, await kit.texts(store, 'a')]
    })
    expect(deleted).toBe('deleted')
    expect(commit).toMatch(/^storage: The browser cleared/)
    expect(claim.session).toBeUndefined()
    expect(again).toEqual(['anew'])
  },
)

test('a database of a newer version fails with storage and is not changed', { tag: '@F36' }, async ({ page }) => {
  const [outcome, opening, version] = await page.evaluate(async () => {
    const store = await kit.open({ name: 'newer' })
    await kit.create(store, 'a', ['one'])
    const newer = await kit.raw('newer', 9)
    const outcome = await kit.outcome(() => store.read('a', 10))
    const opening = await kit.outcome(() => kit.open({ name: 'newer' }))
    return [outcome, opening, newer.version]
  })
  expect(outcome).toMatch(/^storage: .*newer version/)
  expect(opening).toMatch(/^storage: .*newer version/)
  expect(version).toBe(9)
})

test('retries a failing open three times and deletes nothing', { tag: ['@one-engine', '@F35'] }, async ({ page }) => {
  const outcomes = await page.evaluate(async () => {
    const store = await kit.open({ name: 'backing' })
    await kit.create(store, 'a', ['one'])
    store.close()
    let failures = 3
    let deletions = 0
    const { open, deleteDatabase } = IDBFactory.prototype
    IDBFactory.prototype.open = function (name, version) {
      if (failures-- > 0)
        throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError')
      return open.call(this, name, version)
    }
    IDBFactory.prototype.deleteDatabase = function (name) {
      deletions++
      return deleteDatabase.call(this, name)
    }
    const passed = await kit.texts(await kit.open({ name: 'backing' }), 'a')
    failures = 4
    return [passed, await kit.outcome(() => kit.open({ name: 'backing' })), deletions]
  })
  expect(outcomes).toEqual([['one'], expect.stringMatching(/^storage: .*backing store/), 0])
})

test('a migration that throws is rolled back, and the old version is intact', { tag: '@F38' }, async ({ page }) => {
  const [outcome, version, names, after] = await page.evaluate(async () => {
    const original = IDBDatabase.prototype.createObjectStore
    let made = 0
    IDBDatabase.prototype.createObjectStore = function (...given) {
      if (++made === 3) throw new DOMException('half way', 'ConstraintError')
      return original.apply(this, given)
    }
    const outcome = await kit.outcome(() => kit.open({ name: 'halfway' }))
    IDBDatabase.prototype.createObjectStore = original
    const found = (await indexedDB.databases()).find(({ name }) => name === 'halfway')
    const raw = found === undefined ? undefined : await kit.raw('halfway')
    const names = raw === undefined ? [] : [...raw.objectStoreNames]
    raw?.close()
    return [
      outcome,
      found?.version ?? 0,
      names,
      found === undefined ? (await kit.open({ name: 'halfway' })).kind : 'indexeddb',
    ]
  })
  expect(outcome).toMatch(/^storage: /)
  expect([version, names, after]).toEqual([0, [], 'indexeddb'])
})

test('reopens a lost connection once per operation', { tag: '@F34' }, async ({ page }) => {
  const [once, twice, after, openings] = await page.evaluate(async () => {
    const store = await kit.open({ name: 'lost' })
    await kit.create(store, 'a', ['one'])
    const original = IDBDatabase.prototype.transaction
    let losses = 0
    IDBDatabase.prototype.transaction = function (names, mode, options) {
      if (losses-- > 0)
        throw new DOMException(
          'Connection to Indexed Database server lost. Refresh the page to try again',
          'UnknownError',
        )
      return original.call(this, names, mode, options)
    }
    let openings = 0
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (name, version) {
      openings++
      return open.call(this, name, version)
    }
    losses = 1
    const once = await kit.outcome(() => store.commit('a', 1, { draft: { id: 'd', step: 0, parts: [] } }))
    losses = 2
    const twice = await kit.outcome(() => store.commit('a', 1, { draft: null }))
    losses = 0
    return [once, twice, await kit.texts(store, 'a'), openings]
  })
  expect(once).toBe('resolved')
  expect(twice).toMatch(/^storage: .*server lost/)
  expect(after).toEqual(['one'])
  expect(openings).toBe(3)
})

test('damaged records leave the rest of the session readable', { tag: ['@one-engine', '@F37'] }, async ({ page }) => {
  const [texts, window, list, length, counted, start] = await page.evaluate(async () => {
    const store = await kit.open({ name: 'damaged' })
    await kit.create(store, 'a', ['one', 'two', 'three', 'four'])
    await kit.create(store, 'b', ['one', 'two'])
    const raw = await kit.raw('damaged')
    const tx = raw.transaction(['messages', 'sessions', 'drafts'], 'readwrite')
    tx.objectStore('messages').put({ role: 'assistant', parts: 'what' }, ['a', 1])
    tx.objectStore('messages').delete(['a', 2])
    tx.objectStore('drafts').put(7, 'a')
    tx.objectStore('sessions').put({ id: 'b', scope: 'me', updatedAt: 5, todos: 'x' })
    tx.objectStore('sessions').put({ id: 'c', scope: 7 })
    tx.objectStore('sessions').put({ id: 'd', scope: 'me', updatedAt: -1, length: 1e9 })
    tx.objectStore('messages').put({ id: 'm', role: 'user', parts: [{ type: 'text', text: 'only one' }], at: 1 }, [
      'd',
      0,
    ])
    await new Promise((resolve) => {
      tx.oncomplete = resolve
    })
    raw.close()
    const session = await store.claim('a', 100)
    return [
      await kit.texts(store, 'a'),
      [session.session?.draft, session.session?.start],
      (await store.list('me')).map(({ id }) => id),
      [(await store.claim('b', 10)).epoch, await kit.texts(store, 'b'), (await store.claim('c', 10)).session],
      await kit.texts(store, 'd'),
      (await store.claim('d', 10)).session?.start,
    ] as const
  })
  expect(texts).toEqual(['one', '', '', 'four'])
  expect(window).toEqual([undefined, 0])
  expect(list).toEqual(['b', 'a', 'd'])
  expect(length).toEqual([2, ['one', 'two'], undefined])
  // The head counts messages that do not exist. The store must not search for each of them.
  expect(counted).toEqual(['only one'])
  expect(start).toBe(0)
})

test(
  'a long text of an older build is read, and one without a part is missing',
  { tag: ['@one-engine', '@F37', '@F39'] },
  async ({ page }) => {
    const [old, damaged] = await page.evaluate(async () => {
      const store = await kit.open({ name: 'parts' })
      await kit.create(store, 'a', ['one'])
      const text = Array.from({ length: 400_000 }, (_, index) => `line ${index}\n`).join('')
      await store.commit('a', 1, { result: { callId: 'new', value: text, output: text } })
      const raw = await kit.raw('parts')
      const keys = await new Promise<unknown>((resolve) => {
        const request = raw.transaction('results').objectStore('results').getAllKeys()
        request.onsuccess = () => resolve(request.result)
      })
      const tx = raw.transaction('results', 'readwrite')
      tx.objectStore('results').put(text, ['a', 'old'])
      tx.objectStore('results').delete(['a', 'new', 1])
      tx.objectStore('results').put({ not: 'a text' }, ['a', 'new', 'output', 2])
      // Any script of the origin can write here.
      tx.objectStore('results').put('foreign', ['a', 'old', 0.5])
      await new Promise((resolve) => {
        tx.oncomplete = resolve
      })
      raw.close()
      const piece = await store.resultText('a', 'old', { from: 3_000_000, to: 3_000_010 })
      return [
        [piece === text.slice(3_000_000, 3_000_010)],
        [
          keys,
          await store.result('a', 'new'),
          await store.resultText('a', 'new', { from: 0, to: 4 }),
          await store.resultText('a', 'new', { from: 1_048_570, to: 1_048_580 }),
        ],
      ] as const
    })
    expect(old).toEqual([true])
    expect(damaged).toEqual([
      [
        ['a', 'new'],
        ['a', 'new', 1],
        ['a', 'new', 2],
        ['a', 'new', 3],
        ['a', 'new', 4],
        ['a', 'new', 'output'],
        ['a', 'new', 'output', 1],
        ['a', 'new', 'output', 2],
        ['a', 'new', 'output', 3],
        ['a', 'new', 'output', 4],
      ],
      undefined,
      'line',
      undefined,
    ])
  },
)

test(
  'messages under foreign keys do not affect the session',
  { tag: ['@one-engine', '@F37', '@S24'] },
  async ({ page }) => {
    const [texts, older, length] = await page.evaluate(async () => {
      const store = await kit.open({ name: 'keys' })
      await kit.create(store, 'a', ['one', 'two'])
      const raw = await kit.raw('keys')
      const tx = raw.transaction(['messages', 'sessions'], 'readwrite')
      const foreign = { id: 'f', role: 'user', parts: [{ type: 'text', text: 'foreign' }], at: 1 }
      for (const rest of [
        ['x'],
        [new Date(0)],
        [-1],
        [0.5],
        [1.5],
        [7.5],
        [Infinity],
        [-Infinity],
        [1, 'x'],
        [9, 'x'],
        [[]],
        [],
      ])
        tx.objectStore('messages').put(foreign, ['a', ...rest])
      // The head has no length, so the store counts the messages.
      tx.objectStore('sessions').put({ id: 'a', scope: 'me', epoch: 1 })
      await new Promise((resolve) => {
        tx.oncomplete = resolve
      })
      raw.close()
      const texts = await kit.texts(store, 'a')
      const older = (await store.messages('a', 50, 50)).map(({ id }) => id)
      return [texts, older, (await store.claim('a', 100)).session?.messages.length]
    })
    expect(texts).toEqual(['one', 'two'])
    expect(older).toEqual(['m0', 'm1'])
    expect(length).toBe(2)
  },
)

test(
  'a full disk fails with a storage error that names it, and stored data stays',
  { tag: '@F28' },
  async ({ page, browserName, context }) => {
    test.skip(browserName !== 'chromium', 'only Chromium lets a test shrink the disk')
    const cdp = await context.newCDPSession(page)
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 2_000_000 })
    const [outcome, texts] = await page.evaluate(async () => {
      const store = await kit.open({ name: 'full' })
      await kit.create(store, 'a', ['one'])
      // Noise, because the database compresses.
      const noise = () => String.fromCharCode(...crypto.getRandomValues(new Uint16Array(32_000)))
      let outcome = 'resolved'
      for (let at = 0; at < 60 && outcome === 'resolved'; at++) {
        outcome = await kit.outcome(() =>
          store.commit('a', 1, { result: { callId: `c${at}`, value: noise() + noise() + noise() + noise() } }),
        )
      }
      return [outcome, await kit.texts(store, 'a')]
    })
    expect(outcome).toMatch(/^storage: .*full/)
    expect(texts).toEqual(['one'])
  },
)

test('fails with storage when IndexedDB is missing or refused', { tag: '@F27' }, async ({ page }) => {
  const outcomes = await page.evaluate(async () => {
    const original = IDBFactory.prototype.open
    IDBFactory.prototype.open = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    const refused = await kit.outcome(() => kit.open())
    IDBFactory.prototype.open = original
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined, configurable: true })
    return [refused, await kit.outcome(() => kit.open())]
  })
  expect(outcomes[0]).toMatch(/^storage: .*insecure/)
  expect(outcomes[1]).toMatch(/^storage: /)
})

test('a closed store rejects instead of reopening', { tag: '@one-engine' }, async ({ page }) => {
  expect(
    await page.evaluate(async () => {
      const store = await kit.open()
      store.close()
      return kit.outcome(() => store.read('a', 1))
    }),
  ).toBe('storage: The store was closed.')
})
