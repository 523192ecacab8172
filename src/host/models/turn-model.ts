// The model for one call of a turn: the author's own, one on the page, or the configured endpoint; where the model has
// no tool calling of its own, behind the text protocol.
import type { TurnDeps } from '../../core/turn/turn-deps.js'
import { ToolAgentError } from '../../core/data/errors.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { ModelAdapter } from '../../core/data/model.js'
import type { HostConfig } from '../../core/data/protocol.js'
import type { PageQueries } from '../rpc/to-page.js'
import { modelFor, textProtocolFile } from './resolve-model.js'
import { pageModel } from './page-model.js'

export interface TurnModelDeps {
  /** The model to use whatever the page configures. */
  readonly given: ModelAdapter | undefined
  readonly asks: PageQueries
  /** Undefined until a page has opened. */
  config(): HostConfig | undefined
  /** Shows what was sent and answered, with `debug` alone. Awaited by nobody: a lost debug line must not fail a step. */
  show(event: AgentEvent, path: readonly CallId[] | undefined): void
  now(): number
}

export function turnModel({ given, asks, config, show, now }: TurnModelDeps): TurnDeps['model'] {
  const plain: TurnDeps['model'] = async ({ step, attempt, request }, path) => {
    const current = config()
    if (given) return given
    if (current === undefined) throw new ToolAgentError('no-endpoint', 'No page has configured a model')
    const { debug, hooks, pageModel: isOnPage } = current
    const onRequest = (body?: JsonValue) =>
      show({ type: 'step-request', at: now(), step, attempt, request, ...(body === undefined ? {} : { body }) }, path)
    const onResponse = (body: JsonValue) => show({ type: 'step-response', at: now(), step, attempt, body }, path)
    if (isOnPage) {
      if (debug) onRequest()
      return pageModel(
        (signal, onPart) => asks.ask({ type: 'model', request }, signal, onPart, path),
        debug ? onResponse : undefined,
      )
    }
    return modelFor(current, {
      headers: async (reason) =>
        hooks.headers ? asks.ask({ type: 'headers', reason }, new AbortController().signal) : {},
      ...(debug ? { onRequest, onResponse } : {}),
    })
  }
  return async (call, path) => {
    const current = config()
    if (!current?.textProtocol) return plain(call, path)
    const { textRequest, withTextProtocol } = await textProtocolFile(current)
    return withTextProtocol(
      await plain({ ...call, request: textRequest(call.request, current.textProtocol) }, path),
      current.textProtocol,
    )
  }
}
