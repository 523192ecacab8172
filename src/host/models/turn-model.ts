// Chooses the model for one call of a turn: the one given to `serve`, one on the page, or the configured endpoint. A
// model without tool calling is wrapped in the text protocol.
import type { ModelAttempt } from '../../core/loop/turn-deps.js'
import type { AgentEvent } from '../../core/data/event.js'
import { dropUndefined, type JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { ModelAdapter } from '../../core/data/model.js'
import type { HostConfig, PageAnswers } from '../../core/data/protocol.js'
import type { PageQueries } from '../rpc/to-page.js'
import { modelFor, textProtocolFile } from './resolve-model.js'
import { pageModel } from './page-model.js'
import { withThinkingApart } from './thinking-in-text.js'

/** What the choice of a model needs from the host. */
export interface TurnModelDeps {
  /** The model given to `serve`. It replaces the one that the page configures. */
  readonly given: ModelAdapter | undefined
  /** Asks the page for headers, and for the parts of a model on the page. */
  readonly queries: PageQueries
  /** The newest configuration. Throws `not-open` until a page has opened a session. */
  config(): HostConfig
  /**
   * Emits a debug event. Called only with `debug` on; must not throw, because a lost debug event must not fail a step.
   */
  show(event: AgentEvent, path: readonly CallId[] | undefined): void
  /** Milliseconds since the epoch. */
  now(): number
}

/**
 * `TurnDeps.model` of a turn. `takeHeaders`: returns the headers that came with the message, once.
 */
export type TurnModel = (
  attempt: ModelAttempt,
  path: readonly CallId[] | undefined,
  takeHeaders: () => PageAnswers['headers'] | undefined,
) => Promise<ModelAdapter>

/** Creates the model of a turn. It rejects with `no-endpoint` or `invalid-option` if the page configures no model. */
export function turnModel({ given, queries, config, show, now }: TurnModelDeps): TurnModel {
  const adapterFor: TurnModel = async (...given) => withThinkingApart(chosen(...given))
  const chosen = (...[{ step, attempt, request }, path, takeHeaders]: Parameters<TurnModel>): ModelAdapter => {
    if (given) return given
    const current = config()
    const { debug, hooks, pageModel: isOnPage } = current
    const onRequest = (body?: JsonValue) =>
      show(dropUndefined({ type: 'step-request', at: now(), step, attempt, request, body }), path)
    const onResponse = (body: JsonValue) => show({ type: 'step-response', at: now(), step, attempt, body }, path)
    if (isOnPage) {
      if (debug) onRequest()
      return pageModel(
        (signal, onPart) => queries.ask({ type: 'model', request }, signal, onPart, path),
        debug ? onResponse : undefined,
      )
    }
    return modelFor(current, {
      headers: async (reason) => {
        if (!hooks.headers) return {}
        return takeHeaders() ?? queries.ask({ type: 'headers', reason }, new AbortController().signal)
      },
      ...(debug ? { onRequest, onResponse } : {}),
    })
  }
  return async (call, path, takeHeaders) => {
    const current = config()
    const { textProtocol } = current
    if (!textProtocol) return adapterFor(call, path, takeHeaders)
    return (await textProtocolFile(current)).textModel(
      (request) => adapterFor({ ...call, request }, path, takeHeaders),
      call,
      textProtocol,
    )
  }
}
