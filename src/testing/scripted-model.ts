// A model that answers from a script, one step per request. A script must match its test exactly: an unexpected request
// fails the turn, and `done()` fails if a step was not used.
import { errorMessage, ToolAgentError } from '../core/data/errors.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../core/data/model.js'
import { Script, type ScriptedAnswer } from './script.js'

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
  const script = new Script<ModelRequest, string | ScriptedAnswer>('scriptedModel', steps, lastMessage)
  const failure = (error: unknown): ToolAgentError =>
    new ToolAgentError('bad-request', errorMessage(error), { cause: error, details: { retry: false } })
  const answer = async (request: ModelRequest): Promise<ScriptedAnswer> => {
    let step
    try {
      step = script.take(request)
    } catch (error) {
      throw failure(error)
    }
    if (typeof step !== 'function') return script.check(step, `step ${script.count}`)
    try {
      const result = await step(request)
      return script.check(result, `the function of step ${script.count}`)
    } catch (error) {
      if (error instanceof ToolAgentError && error.code !== 'invalid-option') throw error
      throw failure(script.fail(error))
    }
  }
  return {
    requests: script.requests,
    async *stream(request, signal) {
      const scripted = await answer(request)
      signal.throwIfAborted()
      if (scripted.text !== undefined) yield* textParts(scripted.text)
      for (const { id, name, input } of script.callsOf(scripted))
        yield { type: 'tool-call', toolCallId: id, toolName: name, input }
      yield { type: 'finish', finishReason: { unified: script.reasonOf(scripted) } }
    },
    done: () => {
      script.done()
    },
  }
}

function* textParts(text: string): Generator<ModelPart> {
  yield { type: 'text-start', id: 'text' }
  yield { type: 'text-delta', id: 'text', delta: text }
  yield { type: 'text-end', id: 'text' }
}

/** Describes the last message of a request, for an error message. */
function lastMessage({ messages }: ModelRequest): string {
  const last = messages.at(-1)
  return last === undefined ? 'no message' : `a ${last.role} message: ${JSON.stringify(last.content).slice(0, 200)}`
}
