// The tools of one agent, by name, in the order of registration. The function that `register` returns removes only what
// that call registered, never a tool that has replaced it since.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import {
  createToolEntry,
  describeTool,
  isCompiled,
  type CompiledTool,
  type ToolDescription,
  type ToolEntry,
} from './registered-tool.js'
import * as log from '../log.js'
import type { AnyTool } from './tool.js'

export type { ToolEntry } from './registered-tool.js'

/** Options of `registerTool`. */
export interface RegisterOptions {
  /** Aborting it unregisters the tools. */
  readonly signal?: AbortSignal
  /** True: replaces a registered tool of the same name instead of throwing `duplicate-tool`. Default: false. */
  readonly replace?: boolean
  /** @internal `provider` for a provider's tools; undefined for the page's own tools. */
  readonly source?: string
}

/** The registered tools of one agent. */
export class ToolRegistry {
  /** The number of changes so far. */
  changes = 0
  readonly #entries = new Map<string, ToolEntry>()
  /** The place of each name in requests. A tool that is offered again has its old place. */
  readonly #places = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  /** Tools for whose schemas code is being loaded. */
  readonly #pending = new Map<ToolEntry, Promise<void>>()
  /** Tools that are being loaded. */
  readonly #expected = new Set<Promise<unknown>>()
  /** Clean-up of an entry, run when it is removed or replaced. */
  readonly #cleanUp = new WeakMap<ToolEntry, () => void>()
  readonly #onError: (failure: Failure) => void
  #compileTool: ((entry: ToolEntry) => Promise<void> | undefined) | undefined
  #lint: (entry: CompiledTool) => void = () => undefined

  constructor({
    onError = (failure) => log.logError(failure, failure.message),
  }: { onError?: (failure: Failure) => void } = {}) {
    this.#onError = onError
  }

  /**
   * Registers all tools, or none if one of them is invalid. Returns the function that unregisters them. Schemas are
   * compiled later; if that fails, the tool is removed and `onError` receives the failure.
   * @throws ToolAgentError `invalid-tool` or `duplicate-tool`.
   */
  register(tools: AnyTool | readonly AnyTool[], options: RegisterOptions = {}): () => void {
    const { signal, replace = false, source } = options
    const entries = (Array.isArray(tools) ? (tools as readonly AnyTool[]) : [tools as AnyTool]).map((tool) =>
      createToolEntry(tool, source),
    )
    const names = new Set<string>()
    for (const { name } of entries) {
      if (names.has(name))
        throw new ToolAgentError('duplicate-tool', `Tool "${name}" is in the list twice: give each its own name`)
      if (!replace && this.#entries.has(name)) {
        throw new ToolAgentError(
          'duplicate-tool',
          `Tool "${name}" is already registered: unregister it, or pass { replace: true }`,
        )
      }
      names.add(name)
    }
    if (signal?.aborted) return () => undefined
    const unregister = (): void => this.#remove(entries)
    signal?.addEventListener('abort', unregister, { once: true })
    // The listener is removed with the last of these tools, because the signal may live as long as the page.
    const left = new Set(entries)
    for (const entry of entries) {
      const before = this.#entries.get(entry.name)
      if (before !== undefined) this.#cleanUp.get(before)?.()
      this.#entries.set(entry.name, entry)
      this.#cleanUp.set(entry, () => {
        left.delete(entry)
        if (left.size === 0) signal?.removeEventListener('abort', unregister)
      })
    }
    // Afterwards, because it may call listeners, which must see all tools of the list.
    for (const entry of entries) this.#compile(entry)
    if (entries.length > 0) this.#changed()
    return unregister
  }

  /** The tool of this name; undefined if there is none. */
  get(name: string): ToolEntry | undefined {
    return this.#entries.get(name)
  }

  /** All tools, in the order of registration. */
  entries(): readonly ToolEntry[] {
    return [...this.#entries.values()]
  }

  /**
   * Tools by name, also of providers and of a `send`, in the order in which their names were first offered. A new one
   * comes last. So requests keep their beginning, which providers of models cache. `isOffered`: the next request has
   * these tools, so that is their place from now on.
   */
  inOrder<T>(tools: ReadonlyMap<string, T>, isOffered = true): ReadonlyMap<string, T> {
    if (isOffered)
      for (const name of tools.keys()) if (!this.#places.has(name)) this.#places.set(name, this.#places.size)
    const last = this.#places.size
    const placed = [...tools].map(([name, tool]) => ({ name, tool, place: this.#places.get(name) ?? last }))
    return new Map(placed.sort((one, other) => one.place - other.place).map(({ name, tool }) => [name, tool]))
  }

  /** The current description of an entry. A description function receives `url` and `locale`. */
  describe(entry: ToolEntry, page: { readonly url: string; readonly locale: string }): ToolDescription {
    return describeTool(entry, page, this.#onError)
  }

  /** Sets the compiler, once, and runs it on every tool: now on those registered, later on each new one. */
  compileWith(compileTool: (entry: ToolEntry) => Promise<void> | undefined): void {
    if (this.#compileTool) return
    this.#compileTool = compileTool
    this.#compileAll()
    this.#changed()
  }

  /** Sets the linter, and runs it on every compiled tool, now or when it is compiled. */
  lintWith(lint: (entry: CompiledTool) => void): void {
    this.#lint = lint
    for (const entry of this.entries()) if (isCompiled(entry)) lint(entry)
  }

  /** Throws what is wrong with these tools. Their schemas are included once the compiler is set. */
  check(tools: readonly AnyTool[]): void {
    let failure: Failure | undefined
    const own = new ToolRegistry({ onError: (one) => (failure ??= one) })
    own.#compileTool = this.#compileTool
    own.register(tools)
    if (failure) throw toErrorValue(failure)
  }

  /** Calls `listener` after each change. Returns the function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Tools are being loaded: `ready` waits for them, or for their failure. */
  expect(loading: Promise<unknown>): void {
    const settled: Promise<unknown> = loading.then(
      () => this.#expected.delete(settled),
      () => this.#expected.delete(settled),
    )
    this.#expected.add(settled)
  }

  /**
   * Resolves when every tool is loaded and compiled or removed, or the code for its schemas could not be loaded. Tries
   * that again. Never rejects.
   */
  async ready(): Promise<void> {
    while (this.#expected.size > 0) await Promise.all(this.#expected)
    this.#compileAll()
    while (this.#pending.size > 0) await Promise.all(this.#pending.values())
  }

  #compileAll(): void {
    for (const entry of this.entries()) if (!isCompiled(entry) && !this.#pending.has(entry)) this.#compile(entry)
  }

  #compile(entry: ToolEntry): void {
    const done = () => {
      if (isCompiled(entry)) this.#lint(entry)
    }
    const failed = (error: unknown) => {
      const failure = toFailure(error, 'invalid-tool')
      // Code that could not be loaded is loaded again by `ready`.
      if (failure.code !== 'unavailable') this.#remove([entry])
      this.#onError(failure)
    }
    try {
      const pending = this.#compileTool?.(entry)
      if (pending === undefined) return done()
      const settled = pending.then(done, failed).finally(() => {
        this.#pending.delete(entry)
        // Thousands may be pending.
        if (this.#pending.size === 0) this.#changed()
      })
      this.#pending.set(entry, settled)
    } catch (error) {
      failed(error)
    }
  }

  #remove(entries: readonly ToolEntry[]): void {
    const current = entries.filter((entry) => this.#entries.get(entry.name) === entry)
    for (const entry of current) {
      this.#entries.delete(entry.name)
      this.#cleanUp.get(entry)?.()
    }
    if (current.length > 0) this.#changed()
  }

  #changed(): void {
    this.changes++
    // A copy, so that a listener that is added meanwhile is not called.
    const listeners = [...this.#listeners]
    for (const listener of listeners) listener()
  }
}
