// A list of answers that is used one by one, for a scripted model and a scripted endpoint.
import { isObject, type JsonObject } from '../core/data/json.js'
import type { FinishReason } from '../core/data/model.js'
import { ToolAgentError } from '../core/data/errors.js'

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

/** A step: an answer, or a function that receives the request and returns one. */
type Step<Request, Result> = string | ScriptedAnswer | ((request: Request) => Result | Promise<Result>)

/** The steps of one script, and what was asked of it. `name`: the function that the author called, for its errors. */
export class Script<Request, Result> {
  /** All requests so far, the oldest first. */
  readonly requests: Request[] = []
  readonly #name: string
  readonly #steps: readonly Step<Request, Result>[]
  readonly #describe: (request: Request) => string
  #calls = 0
  #firstError: unknown

  /** @throws ToolAgentError `invalid-option` if a step is not a text, an answer or a function */
  constructor(name: string, steps: readonly Step<Request, Result>[], describe: (request: Request) => string) {
    this.#name = name
    this.#steps = steps
    this.#describe = describe
    for (const [index, step] of steps.entries()) if (typeof step !== 'function') this.check(step, `step ${index + 1}`)
  }

  /** The number of the newest request, from 1. */
  get count(): number {
    return this.requests.length
  }

  /** Takes the step for a request. `done` throws the same error. @throws Error if there is none */
  take(request: Request): Step<Request, Result> {
    const number = this.requests.push(request)
    const step = this.#steps[number - 1]
    if (step === undefined)
      throw this.fail(
        new Error(
          `${this.#name}: unexpected request ${number}: the script has ${this.#steps.length} steps. ` +
            `The request ends with ${this.#describe(request)}. Add a step, or prevent the request.`,
        ),
      )
    return step
  }

  /** Keeps the first error for `done`, and returns the error. */
  fail<E>(error: E): E {
    this.#firstError ??= error
    return error
  }

  /** The calls of an answer as a model sends them: with ids, and the arguments as text. */
  callsOf({ calls = [] }: ScriptedAnswer): { id: string; name: string; input: string }[] {
    return calls.map(({ name, input = {}, id }) => {
      this.#calls += 1
      return { id: id ?? `call_${this.#calls}`, name, input: typeof input === 'string' ? input : JSON.stringify(input) }
    })
  }

  /** An answer that may be a text. @throws ToolAgentError `invalid-option` if `value` is neither */
  check(value: unknown, place: string): ScriptedAnswer {
    if (typeof value === 'string') return { text: value }
    if (isObject(value)) {
      if (typeof value['text'] === 'string') return value
      if (Array.isArray(value['calls']) && value['calls'].length > 0) return value
    }
    throw new ToolAgentError(
      'invalid-option',
      `${this.#name}: ${place}: expected a string or an object with text or calls, received ${typeName(value)}`,
    )
  }

  /** Why an answer ends, if it does not say so. */
  reasonOf({ finishReason, calls = [] }: ScriptedAnswer): FinishReason {
    return finishReason ?? (calls.length > 0 ? 'tool-calls' : 'stop')
  }

  /** @throws Error if a step was not used, if there was an unexpected request, or if a step's function threw */
  done(): void {
    if (this.#firstError !== undefined) throw this.#firstError
    const [used, all] = [this.requests.length, this.#steps.length]
    if (used < all)
      throw new Error(
        `${this.#name}: ${all - used} of ${all} steps were not used: the model received ${used} requests. ` +
          'Remove the steps, or find out why the turn ended early.',
      )
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return isObject(value) ? 'an object without text and calls' : typeof value
}
