// Queries from the host to the driving page. Each has a number, gets at most one answer, and a signal cancels it.
import { abortable } from '../../core/loop/abort.js'
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import type { AnswerTo, HostMessage, PageQuery, ProgressOf, QueryKind, QueryOf } from '../../core/data/protocol.js'

interface PendingQuery {
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  readonly onProgress: (value: unknown) => void
}

/** The queries that the page has not answered yet. */
export class PageQueries {
  readonly #post: (message: HostMessage) => void
  readonly #pending = new Map<number, PendingQuery>()
  #lastId: number
  /** What the queries are about: see the field `offer` of their message. A `prepare` of the user's turn removes it. */
  offer: number | undefined

  /** @param lastId the queries have the numbers after it */
  constructor(post: (message: HostMessage) => void, lastId = 0) {
    this.#post = post
    this.#lastId = lastId
  }

  /**
   * Sends a query and resolves with the page's answer. Aborting `signal` cancels the query on the page and rejects
   * immediately with the signal's reason. `path`: the calls of agents that the query belongs in.
   * @throws the page's own error, or `closed` when the page closes first.
   */
  ask<K extends QueryKind>(
    ask: QueryOf<K>,
    signal: AbortSignal,
    onProgress: (value: ProgressOf<K>) => void = () => undefined,
    path: readonly CallId[] = [],
  ): Promise<AnswerTo<K>> {
    const id = ++this.#lastId
    if (ask.type === 'prepare' && path.length === 0) this.offer = undefined
    return abortable<AnswerTo<K>>(
      signal,
      (resolve, reject) => {
        // The page is trusted to answer and report in the shapes that `Queries` declares.
        this.#pending.set(id, { resolve, reject, onProgress } as PendingQuery)
        this.#post({
          type: 'ask',
          id,
          path,
          ask: ask as PageQuery,
          ...(this.offer === undefined ? {} : { offer: this.offer }),
        })
      },
      () => {
        this.#pending.delete(id)
        this.#post({ type: 'cancel', ask: id })
      },
    )
  }

  /** Settles a query. Ignored if it was cancelled or already answered. */
  answer(id: number, answer: { value: unknown } | { error: Failure }): void {
    const query = this.#pending.get(id)
    if (query === undefined) return
    this.#pending.delete(id)
    if ('error' in answer) query.reject(toErrorValue(answer.error))
    else query.resolve(answer.value)
  }

  /** Passes a value to the `onProgress` of a query, if it is still pending. */
  progress(id: number, value: unknown): void {
    this.#pending.get(id)?.onProgress(value)
  }

  /** Rejects every pending query with `closed`, because the page is gone. */
  close(): void {
    for (const { reject } of this.#pending.values()) reject(new ToolAgentError('closed', 'The page was closed.'))
    this.#pending.clear()
  }
}
