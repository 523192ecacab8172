// What every store promises, as named cases for any test runner, in Node and inside a page. A case throws if the
// promise is broken. Add a case to the file of its topic; one that only some stores can run says in `needs` why.
import type { Store } from '../../core/state/store.js'
import type { CaseDefinition, CaseTools } from './case.js'
import { claimCases } from './claims.js'
import { concurrencyCases } from './concurrency.js'
import { crashCases } from './crashes.js'
import { fileCases } from './files.js'
import { readingCases } from './reading.js'
import { userCases } from './users.js'
import { valueCases } from './values.js'

/** How the cases reach a store. `Data` is one place for sessions: a file, a database, a map. */
export interface StoreHarness<Data> {
  /** Makes an empty place, one for each case. */
  create(): Data | Promise<Data>
  /** Opens a store over it. Two stores over one place behave like two tabs. */
  open(data: Data): Store | Promise<Store>
  /** Opens the sessions of one user. Only for a store that keeps users apart; `open` is then one of them. */
  openAs?(data: Data, user: string): Store | Promise<Store>
  /** Only for stores that keep uploaded files (`Store.files`), by users: `openAs` is there, too. */
  hasFiles?(): true
  /** Ends everything over the place as a crash would. `open` must then find what was committed. */
  crash?(data: Data): void | Promise<void>
  /** Removes every record, as a browser does that clears its storage. Open stores must notice it. */
  clear?(data: Data): void | Promise<void>
  /** Removes the place. Its stores are closed before. */
  remove?(data: Data): void | Promise<void>
}

/** One promise of stores. */
export interface StoreCase {
  /** The promise in plain words. */
  readonly title: string
  /** Why the case cannot run with this harness; absent if it can. */
  readonly skip?: string
  /**
   * Runs the case with a place of its own.
   * @throws {Error} if the store breaks the promise, with what was expected and what came
   */
  run(): Promise<void>
}

const cases: readonly CaseDefinition[] = [
  ...claimCases,
  ...readingCases,
  ...valueCases,
  ...concurrencyCases,
  ...crashCases,
  ...fileCases,
  ...userCases,
]

/**
 * The cases that a store must pass, for any test runner:
 * `for (const { title, skip, run } of storeConformance(harness)) test(title, { skip }, run)`.
 */
export function storeConformance<Data>(harness: StoreHarness<Data>): StoreCase[] {
  return cases.map((definition) => {
    const { title, needs } = definition
    const run = () => runCase(harness, definition)
    if (needs === undefined || harness[needs] !== undefined) return { title, run }
    return { title, run, skip: `The harness has no ${needs}().` }
  })
}

async function runCase<Data>(harness: StoreHarness<Data>, { needs, run }: CaseDefinition): Promise<void> {
  const data = await harness.create()
  const opened: Store[] = []
  const keep = async (opening: Store | Promise<Store>): Promise<Store> => {
    const store = await opening
    opened.push(store)
    return store
  }
  const missing = () => Promise.reject(new Error(`A case without needs: '${needs}' uses it.`))
  const { openAs, crash, clear } = harness
  const tools: CaseTools = {
    open: () => keep(harness.open(data)),
    openAs: (user) => (openAs === undefined ? missing() : keep(openAs.call(harness, data, user))),
    crash: async () => {
      if (crash === undefined) return missing()
      await crash.call(harness, data)
      opened.length = 0
    },
    clear: async () => (clear === undefined ? missing() : clear.call(harness, data)),
  }
  try {
    await run([await tools.open(), await tools.open()], tools)
  } finally {
    for (const store of opened) store.close()
    await harness.remove?.(data)
  }
}
