// Requests from the host to the driving page: numbered, answered once, cancelled by a signal.
import { abortable } from '../../core/turn/abort.js'
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { QueryOf } from '../../core/turn/turn-deps.js'
import type { CallId } from '../../core/data/message.js'
import type { PageAnswers, PageQuery, HostMessage } from '../../core/data/protocol.js'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  readonly onProgress: (value: unknown) => void
}

export class PageQueries {
  readonly #post: (message: HostMessage) => void
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  constructor(post: (message: HostMessage) => void) {
    this.#post = post
  }

  /** Aborting `signal` cancels the ask on the page and rejects at once with the signal's reason. */
  ask<K extends PageQuery['type']>(
    ask: QueryOf<K>,
    signal: AbortSignal,
    onProgress: (value: unknown) => void = () => undefined,
    path: readonly CallId[] = [],
  ): Promise<PageAnswers[K]> {
    const id = ++this.#last
    return abortable<PageAnswers[K]>(
      signal,
      (resolve, reject) => {
        // The page is ours and answers in the shape of its ask; `Answers` is the contract between the two.
        this.#waiting.set(id, { resolve: (value) => resolve(value as PageAnswers[K]), reject, onProgress })
        this.#post({ type: 'ask', id, path, ask })
      },
      () => {
        this.#waiting.delete(id)
        this.#post({ type: 'cancel', ask: id })
      },
    )
  }

  /** An answer to an ask that was cancelled or answered before is dropped. */
  answer(id: number, answer: { value: unknown } | { error: Failure }): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    if ('error' in answer) waiting.reject(toErrorValue(answer.error))
    else waiting.resolve(answer.value)
  }

  progress(id: number, value: unknown): void {
    this.#waiting.get(id)?.onProgress(value)
  }

  /** The page is gone: nothing will be answered. */
  close(): void {
    for (const { reject } of this.#waiting.values()) reject(new ToolAgentError('closed', 'The page was closed'))
    this.#waiting.clear()
  }
}
