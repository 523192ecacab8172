// A model that answers from a script, one step per request. A script must match its test exactly: an unexpected request
// fails the turn, and `done()` fails if a step was not used.
import { errorMessage, ToolAgentError } from '../core/data/errors.js'
import { isObject, type JsonObject } from '../core/data/json.js'
import type { FinishReason, ModelAdapter, ModelPart, ModelRequest } from '../core/data/model.js'

/** A tool call of a scripted answer. */
export interface ScriptedCall {
  /** Name of the tool. It need not exist: a test may check what happens with an unknown tool. */
  readonly name: string
  /**
   * The arguments, or a string with the argument text as the model would write it, valid JSON or not.
   * @default {}
   */
  readonly input?: JsonObject | string
  /**
   * Id of the call, unique in the session.
   * @default `call_1`, `call_2`, … in the order of the script
   */
  readonly id?: string
}

/** What the model answers to one request. At least one of `text` and `calls` must be given. */
export interface ScriptedAnswer {
  /** Text of the answer. It comes before the calls. */
  readonly text?: string
  /** Tool calls of the answer, in this order. */
  readonly calls?: readonly ScriptedCall[]
  /**
   * Why the answer ends.
   * @default 'tool-calls' if the answer has calls, otherwise 'stop'
   */
  readonly finishReason?: FinishReason
}

/**
 * The answer to one request: a text, an answer with calls, or a function that receives the request and returns either.
 * The function may check the request: if it throws, the turn fails and `done()` throws the same error. To
 * simulate a model call that fails, throw a `ToolAgentError` with a model code (`unauthorized`, `network`, …). The
 * agent may then retry the call, and `done()` does not throw this error.
 */
export type ScriptedStep =
  | string
  | ScriptedAnswer
  | ((request: ModelRequest) => string | ScriptedAnswer | Promise<string | ScriptedAnswer>)

/** The adapter that `scriptedModel` returns. Pass it to an agent as `modelAdapter`. */
export interface ScriptedModel extends ModelAdapter {
  /** All requests so far, the oldest first. */
  readonly requests: readonly ModelRequest[]
  /**
   * Checks that each step was used, and that no other request came. Call it at the end of the test.
   * @throws {Error} if a step was not used, if there was an unexpected request, or if a step's function threw
   */
  done(): void
}

/**
 * Creates a model that answers the first request with the first step, the second with the second step, and so on.
 * A request after the last step fails the turn with the code `bad-request` and is not retried.
 * @throws {ToolAgentError} `invalid-option` if a step is not a text, an answer or a function
 */
export function scriptedModel(steps: readonly ScriptedStep[]): ScriptedModel {
  for (const [index, step] of steps.entries()) {
    if (typeof step !== 'function') checkAnswer(step, `step ${index + 1}`)
  }
  const requests: ModelRequest[] = []
  let calls = 0
  let firstError: unknown
  const fail = (error: unknown): ToolAgentError => {
    firstError ??= error
    return new ToolAgentError('bad-request', errorMessage(error), { cause: error, details: { retry: false } })
  }
  const answer = async (request: ModelRequest): Promise<ScriptedAnswer> => {
    const number = requests.push(request)
    const step = steps[number - 1]
    if (step === undefined) {
      throw fail(
        new Error(
          `scriptedModel: unexpected request ${number}: the script has ${steps.length} steps. ` +
            `The request ends with ${lastMessage(request)}. Add a step, or prevent the request.`,
        ),
      )
    }
    if (typeof step === 'string') return { text: step }
    if (typeof step !== 'function') return step
    try {
      const result = await step(request)
      checkAnswer(result, `the function of step ${number}`)
      return typeof result === 'string' ? { text: result } : result
    } catch (error) {
      throw error instanceof ToolAgentError && error.code !== 'invalid-option' ? error : fail(error)
    }
  }
  return {
    requests,
    async *stream(request, signal) {
      const { text, calls: scripted = [], finishReason } = await answer(request)
      signal.throwIfAborted()
      if (text !== undefined) yield* textParts(text)
      for (const { name, input = {}, id } of scripted) {
        calls += 1
        yield {
          type: 'tool-call',
          toolCallId: id ?? `call_${calls}`,
          toolName: name,
          input: typeof input === 'string' ? input : JSON.stringify(input),
        }
      }
      yield {
        type: 'finish',
        finishReason: { unified: finishReason ?? (scripted.length > 0 ? 'tool-calls' : 'stop') },
      }
    },
    done() {
      if (firstError !== undefined) throw firstError
      if (requests.length < steps.length) {
        throw new Error(
          `scriptedModel: ${steps.length - requests.length} of ${steps.length} steps were not used: ` +
            `the model received ${requests.length} requests. Remove the steps, or find out why the turn ended early.`,
        )
      }
    },
  }
}

function* textParts(text: string): Generator<ModelPart> {
  yield { type: 'text-start', id: 'text' }
  yield { type: 'text-delta', id: 'text', delta: text }
  yield { type: 'text-end', id: 'text' }
}

/** @throws {ToolAgentError} `invalid-option` if `value` is not a text or an answer */
function checkAnswer(value: unknown, place: string): asserts value is string | ScriptedAnswer {
  if (typeof value === 'string') return
  if (isObject(value)) {
    if (typeof value['text'] === 'string') return
    if (Array.isArray(value['calls']) && value['calls'].length > 0) return
  }
  throw new ToolAgentError(
    'invalid-option',
    `scriptedModel: ${place}: expected a string or an object with text or calls, received ${typeName(value)}`,
  )
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return isObject(value) ? 'an object without text and calls' : typeof value
}

/** Describes the last message of a request, for an error message. */
function lastMessage({ messages }: ModelRequest): string {
  const last = messages.at(-1)
  return last === undefined ? 'no message' : `a ${last.role} message: ${JSON.stringify(last.content).slice(0, 200)}`
}
