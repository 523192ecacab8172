// A case of the conformance, as the file of its topic defines it.
import type { Store } from '../../core/state/store.js'

/** What a case gets beside two stores over the same, empty place. */
export interface CaseTools {
  /** Opens one more store over the place. */
  open(): Promise<Store>
  /** See `StoreHarness`. */
  openAs(user: string): Promise<Store>
  /** Ends all stores of the case as a crash would. */
  crash(): Promise<void>
  /** See `StoreHarness`. */
  clear(): Promise<void>
}

/** A case as its file defines it. */
export interface CaseDefinition {
  readonly title: string
  /** The optional part of the harness without which the case is skipped. */
  readonly needs?: 'openAs' | 'crash' | 'clear' | 'hasFiles'
  run(stores: readonly [Store, Store], tools: CaseTools): Promise<void>
}
