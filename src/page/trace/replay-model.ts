// Replays the model of a trace: each request receives the recorded answer that belongs to it. An answer is played from
// the message of its step. If there is none (a failure, an answer without effect), the text that was shown is played.
import { withIndex } from '../../core/data/lists.js'
import type { AssistantPart } from '../../core/data/message.js'
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'
import {
  ownToolCalls,
  toolCallsOf,
  textOf,
  type AssistantMessage,
  type CallId,
  type Message,
  type Reason,
} from '../../core/data/message.js'
import { dropUndefined } from '../../core/data/json.js'
import type { FinishReason, ModelAdapter, ModelPart, ModelRequest } from '../../core/data/model.js'
import type { Session } from '../../core/data/session.js'
import type { Trace } from './trace.js'

/** One recorded answer. */
interface Answer {
  /** Joined path of the agent's calls; empty for the user's turn. */
  readonly path: string
  readonly step: number
  /** Text of the last user message, and id of the newest call, in the history that it answers. */
  readonly asked: string | undefined
  readonly after: CallId | undefined
  /** What was shown of it, in order. */
  readonly shown: { type: 'text' | 'reasoning'; text: string }[]
  message?: AssistantMessage
  finish: FinishReason
  error?: Failure
  /** It was stopped: nothing follows what was shown. */
  isStopped: boolean
  /** The page's stop condition ended the turn after it. */
  isLast: boolean
}

/** The answers of a trace, in the order of their requests. */
export function recordedAnswers({ session, events }: Trace): Answer[] {
  const answers: Answer[] = []
  // For the turn and each agent inside a call: what its history ends with, and its newest answer.
  const places = new Map<
    string,
    { asked: string | undefined; after: CallId | undefined; newest: Answer | undefined; isOpen: boolean }
  >()
  places.set('', { ...endOf(session), newest: undefined, isOpen: false })
  for (const { event, path, session: again } of events) {
    if (again) places.set('', { ...endOf(again), newest: undefined, isOpen: false })
    if (event === undefined) continue
    const key = path.join('/')
    const place = places.get(key) ?? { asked: undefined, after: undefined, newest: undefined, isOpen: false }
    places.set(key, place)
    const open = place.isOpen ? place.newest : undefined
    switch (event.type) {
      case 'turn-start':
        if (event.message) place.asked = textOf(event.message)
        place.newest = undefined
        place.isOpen = false
        break
      case 'step-start':
        place.newest = {
          path: key,
          step: event.step,
          asked: place.asked,
          after: place.after,
          shown: [],
          finish: 'stop',
          isStopped: true,
          isLast: false,
        }
        place.isOpen = true
        answers.push(place.newest)
        // The request was repeated, so the answer before it was not stopped.
        if (open) open.isStopped = false
        break
      case 'text-delta':
      case 'reasoning-delta': {
        const type = event.type === 'text-delta' ? 'text' : 'reasoning'
        const last = open?.shown.at(-1)
        if (last?.type === type) last.text += event.delta
        else open?.shown.push({ type, text: event.delta })
        break
      }
      case 'text-retract': {
        const last = open?.shown.findLast((part) => part.type === 'text')
        if (last) last.text = last.text.slice(0, Math.max(0, last.text.length - event.length))
        break
      }
      case 'step-retry':
        // A replay has no server to spare, so it retries without a delay.
        if (open)
          Object.assign(open, { error: { ...event.error, details: { retry: true, retryAfter: 0 } }, isStopped: false })
        place.isOpen = false
        break
      case 'step-end': {
        const { message } = event
        const calls = toolCallsOf(message)
        if (open)
          Object.assign(open, {
            message,
            isStopped: false,
            finish: ownToolCalls(message).length > 0 ? 'tool-calls' : 'stop',
          })
        place.after = calls.at(-1)?.call.id ?? place.after
        place.isOpen = false
        break
      }
      case 'turn-end':
        if (place.newest) endWith(place.newest, event.reason, event.error)
        place.isOpen = false
        break
      default:
    }
  }
  return answers
}

/** Derives from the end of a turn how its last answer ended. */
function endWith(answer: Answer, reason: Reason, error: Failure | undefined): void {
  answer.isLast = reason === 'condition'
  if (ownToolCalls(answer.message).length > 0) return
  answer.isStopped = reason === 'stopped' || reason === 'max-time' || reason === 'interrupted'
  if (error) answer.error = error
  if (reason === 'length' || reason === 'content-filter') answer.finish = reason
  // An empty answer is requested once more before the turn ends, but not one that announced calls and had none.
  if (reason === 'no-answer') answer.finish = 'tool-calls'
}

function endOf({ messages }: Session): { asked: string | undefined; after: CallId | undefined } {
  const asked = messages.findLast((message: Message) => message.role === 'user')
  return { asked: asked && textOf(asked), after: messages.flatMap(toolCallsOf).at(-1)?.call.id }
}

/** A model that plays recorded answers. */
export interface ReplayModel {
  /** For the option `modelAdapter`. Rejects with `bad-request`, without retries, when no answer is left. */
  readonly adapter: ModelAdapter
  /** Answers of the user's turns that were not played yet. */
  readonly left: number
  /** Whether the page's stop condition ended the turn after the newest answer. */
  isConditionMet(): boolean
}

/** A request without a recorded answer fails with `bad-request`, without retries. */
export function replayModel(recorded: readonly Answer[]): ReplayModel {
  const answers = [...recorded]
  let newest: Answer | undefined
  const take = (request: ModelRequest): Answer => {
    const { asked, after } = requestEnd(request)
    const fitting = answers.filter((answer) => answer.after === after)
    // A session that is not replayed from its start may have other call ids. Then answers are played in order.
    const chosen =
      fitting.find((answer) => answer.asked === asked) ?? fitting[0] ?? answers.find(({ path }) => path === '')
    if (chosen === undefined)
      throw new ToolAgentError(
        'bad-request',
        'The trace has no further answer of the model: this run makes more requests than the recorded one',
        {
          details: { retry: false },
        },
      )
    answers.splice(answers.indexOf(chosen), 1)
    return (newest = chosen)
  }
  return {
    adapter: { stream: (request, signal) => play(take(request), signal) },
    get left() {
      return answers.filter(({ path }) => path === '').length
    },
    isConditionMet: () => newest?.isLast === true,
  }
}

function requestEnd({ messages }: ModelRequest): { asked: string | undefined; after: CallId | undefined } {
  const user = messages.findLast((message) => message.role === 'user')
  const results = messages.findLast((message) => message.role === 'tool')
  return {
    asked: user?.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    after: results?.content.at(-1)?.toolCallId,
  }
}

async function* play(
  { message, shown, finish, error, isStopped }: Answer,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  for (const [index, part] of withIndex<AssistantPart | (typeof shown)[number]>(message?.parts ?? shown)) {
    const providerMetadata = 'metadata' in part ? part.metadata : undefined
    if (part.type === 'tool-call') {
      const { id: toolCallId, name: toolName, input, raw = JSON.stringify(input) } = part.call
      yield { type: 'tool-call', toolCallId, toolName, input: raw, ...(providerMetadata ? { providerMetadata } : {}) }
      if (part.result?.elsewhere) yield { type: 'tool-result', toolCallId, result: part.result }
    } else {
      const { type, text } = part
      const id = String(index)
      yield { type: `${type}-start`, id, ...(providerMetadata ? { providerMetadata } : {}) }
      yield { type: `${type}-delta`, id, delta: text }
      yield { type: `${type}-end`, id }
    }
  }
  if (error) throw toErrorValue(error)
  // Like the recorded one, it must not end until the caller stops it.
  if (isStopped)
    await new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason)
      })
    })
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = message?.usage ?? {}
  yield {
    type: 'finish',
    finishReason: { unified: finish },
    ...(message?.usage
      ? {
          usage: {
            ...(inputTokens === undefined
              ? {}
              : {
                  inputTokens: dropUndefined({
                    total: inputTokens,
                    cacheRead: cachedInputTokens,
                    cacheWrite: cacheWriteTokens,
                  }),
                }),
            ...(outputTokens === undefined ? {} : { outputTokens: { total: outputTokens } }),
          },
        }
      : {}),
  }
}
