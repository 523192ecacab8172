// The tools of one agent by name, in the order they came. Whoever registers can take back exactly what he registered,
// never what somebody else put in its place.
import { toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { createToolEntry, toolSpecOf, type ToolDefinition, type ToolEntry } from './registered-tool.js'
import * as log from '../log.js'
import type { AnyTool } from './tool.js'

export type { ToolEntry } from './registered-tool.js'

export interface RegisterOptions {
  /** Aborting it unregisters. */
  readonly signal?: AbortSignal
  /** A tool of the same name gives way instead of throwing `duplicate-tool`. */
  readonly replace?: boolean
  /** Who brought it; undefined for the page's own. */
  readonly source?: string
}

export class ToolRegistry {
  readonly #entries = new Map<string, ToolEntry>()
  readonly #listeners = new Set<() => void>()
  readonly #pending = new Set<Promise<void>>()
  /** What else must be undone when an entry goes. */
  readonly #leave = new WeakMap<ToolEntry, () => void>()
  readonly #onError: (failure: Failure) => void
  #lint: (entry: ToolEntry) => void = () => undefined

  constructor({
    onError = (failure) => log.logError(failure, failure.message),
  }: { onError?: (failure: Failure) => void } = {}) {
    this.#onError = onError
  }

  /**
   * All of them or, if one throws `invalid-tool` or `duplicate-tool`, none. Returns the function that unregisters. A
   * zod 3 or zod/mini schema is converted later: if that fails, the tool is taken out and `onError` hears of it.
   */
  register(tools: AnyTool | readonly AnyTool[], { signal, replace = false, source }: RegisterOptions = {}): () => void {
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
          `Tool "${name}" is already registered: unregister it first, or pass { replace: true }`,
        )
      }
      names.add(name)
    }
    if (signal?.aborted) return () => undefined
    const unregister = (): void => this.#remove(entries)
    signal?.addEventListener('abort', unregister, { once: true })
    // A signal may live as long as the page: with the last of its tools it is let go.
    const left = new Set(entries)
    for (const entry of entries) {
      const before = this.#entries.get(entry.name)
      if (before !== undefined) this.#leave.get(before)?.()
      this.#entries.set(entry.name, entry)
      this.#leave.set(entry, () => {
        left.delete(entry)
        if (left.size === 0) signal?.removeEventListener('abort', unregister)
      })
      this.#follow(entry)
    }
    if (entries.length > 0) this.#changed()
    return unregister
  }

  get(name: string): ToolEntry | undefined {
    return this.#entries.get(name)
  }

  entries(): readonly ToolEntry[] {
    return [...this.#entries.values()]
  }

  /** The definition of an entry as it is offered now; `url` and `locale` are what a description may depend on. */
  specOf(entry: ToolEntry, page: { readonly url: string; readonly locale: string }): ToolDefinition {
    return toolSpecOf(entry, page, this.#onError)
  }

  /** Gives hints on every tool, those that are here and those to come. */
  lintWith(lint: (entry: ToolEntry) => void): void {
    this.#lint = lint
    for (const entry of this.entries()) lint(entry)
  }

  /** Called after each change. Returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Resolves when every schema is converted, or its tool taken out. Never rejects. */
  async ready(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }

  #follow(entry: ToolEntry): void {
    if (entry.ready === undefined) return this.#lint(entry)
    const settled = entry.ready
      .then(
        () => {
          this.#lint(entry)
          if (this.#entries.get(entry.name) === entry) this.#changed()
        },
        (error: unknown) => {
          this.#remove([entry])
          this.#onError(toFailure(error, 'invalid-tool'))
        },
      )
      .finally(() => this.#pending.delete(settled))
    this.#pending.add(settled)
  }

  #remove(entries: readonly ToolEntry[]): void {
    const mine = entries.filter((entry) => this.#entries.get(entry.name) === entry)
    for (const entry of mine) {
      this.#entries.delete(entry.name)
      this.#leave.get(entry)?.()
    }
    if (mine.length > 0) this.#changed()
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}
