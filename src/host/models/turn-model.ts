// Chooses the model for one call of a turn: the one given to `serve`, one on the page, or the configured endpoint. A
// model without tool calling is wrapped in the text protocol.
import type { ModelAttempt } from '../../core/loop/turn-deps.js'
import type { AgentEvent } from '../../core/data/event.js'
import { dropUndefined, type JsonValue, isObject, type JsonObject } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { ModelAdapter, ModelPart } from '../../core/data/model.js'
import type { AnswerTo } from '../../core/data/protocol.js'
import type { Guest } from '../guest.js'
import { modelFor, textProtocolFile } from './resolve-model.js'
import { withThinkingApart } from './thinking-in-text.js'

/** What the choice of a model needs from the host. */
interface TurnModelDeps {
  /** The model given to `serve`. It replaces the one that the page configures. */
  readonly given: ModelAdapter | undefined
  /** The page that configures the model, and is asked for headers and for the parts of a model that it has. */
  guest(): Guest
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
  takeHeaders: () => AnswerTo<'headers'> | undefined,
) => Promise<ModelAdapter>

/** Creates the model of a turn. It rejects with `no-endpoint` or `invalid-option` if the page configures no model. */
export function turnModel({ given, guest, show, now }: TurnModelDeps): TurnModel {
  const adapterFor: TurnModel = async (...given) => withThinkingApart(chosen(...given))
  const chosen = (...[{ step, attempt, request }, path, takeHeaders]: Parameters<TurnModel>): ModelAdapter => {
    if (given) return given
    const { config, queries } = guest()
    const { debug, hooks, pageModel: isOnPage } = config
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
    return modelFor(config, {
      headers: async (reason) => {
        if (!hooks.headers) return {}
        return takeHeaders() ?? queries.ask({ type: 'headers', reason }, new AbortController().signal)
      },
      ...(debug ? { onRequest, onResponse } : {}),
    })
  }
  return async (call, path, takeHeaders) => {
    const { config } = guest()
    const { textProtocol } = config
    if (!textProtocol) return adapterFor(call, path, takeHeaders)
    return (await textProtocolFile(config)).textModel(
      (request) => adapterFor({ ...call, request }, path, takeHeaders),
      call,
      textProtocol,
    )
  }
}

// A model that runs on the page (`modelAdapter`). The host sends one query; the parts arrive as its progress.

/**
 * `ask` runs the page's model: it passes each part to `onPart` and resolves when the model ends. `onResponse` gets all
 * parts once, also after an error. Values without a `type` are ignored.
 */
export function pageModel(
  ask: (signal: AbortSignal, onPart: (part: unknown) => void) => Promise<null>,
  onResponse?: (body: JsonValue) => void,
): ModelAdapter {
  return {
    async *stream(_request, signal): AsyncIterable<ModelPart> {
      const parts: ModelPart[] = []
      const seen: JsonObject[] = []
      let wake: () => void = () => undefined
      let end: { error?: unknown } | undefined
      const onPart = (part: unknown) => {
        if (!isObject(part) || typeof part['type'] !== 'string') return
        parts.push(part as unknown as ModelPart)
        if (onResponse && part['type'] !== 'alive') seen.push(part as JsonObject)
        wake()
      }
      const ended = ask(signal, onPart).then(
        () => {
          end = {}
        },
        (error: unknown) => {
          end = { error }
        },
      )
      void ended.then(() => wake())
      try {
        for (;;) {
          const part = parts.shift()
          if (part) yield part
          else if (end) break
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        onResponse?.({ parts: seen })
      }
      if ('error' in end) throw end.error
    },
  }
}
