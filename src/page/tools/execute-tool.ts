// Runs one call of one tool on the page: attempts with time-out and retry, then the output as JSON and as text. The
// time-out starts when the function starts, so waiting for a slot or an approval does not count.
import { errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import { maxOutputChars } from '../../core/data/plain-json.js'
import type { ToolCall } from '../../core/data/message.js'
import { mayHaveHappened } from '../../core/prompt/failure-text.js'
import type { ContextChange } from '../../core/data/session.js'
import { isRepeatable, retryPause } from '../../core/data/tool.js'
import { contextChange } from '../tool-context.js'
import * as log from '../log.js'
import { untilAborted } from '../promises.js'
import { askDuring } from './ask.js'
import { Attempt, type Waiting } from './attempt.js'
import type { ToolDefinition } from './compiled-tool.js'
import type { ToolEntry } from './registered-tool.js'
import { toJson } from '../schema/json-value.js'
import { issuesText } from '../schema/validation-issue.js'
import type { ToolRun } from './tool.js'

/** When and how often a tool ran. */
export interface ToolAttempt {
  /** Attempts that started; at least 1. */
  readonly attempts: number
  /** Milliseconds since the epoch, at the start of the first attempt. */
  readonly startedAt: number
  /** Milliseconds since the epoch. */
  readonly endedAt: number
}
/** The output of a call with the context keys it set, or its failure. */
export type EndedTool = ToolAttempt &
  (
    | { readonly output: unknown; readonly context: ContextChange; readonly failure?: never; readonly waits?: never }
    | { readonly failure: Failure; readonly thrown?: unknown; readonly output?: never; readonly waits?: never }
  )
/** A tool that waits until the user has decided. */
export interface PausedTool extends ToolAttempt {
  /** What it holds or asks. */
  readonly waits: Waiting
  /** How it ends by itself while it waits, such as when it cannot hold something any longer. */
  readonly ended: Promise<EndedTool>
  /** Goes on with what the user has decided. `signal`: that of the query which waits for it then. */
  goOn(decided: unknown, signal: AbortSignal): Promise<ExecutedTool>
  /** Ends it: nobody will decide. Resolves when its function has returned. */
  end(reason: unknown): Promise<unknown>
}
/** How a tool ended, or that it waits. */
export type ExecutedTool = EndedTool | PausedTool

/** The part of `ToolRun` that stays the same for all attempts of a call. */
export type RunFacts = Omit<ToolRun, 'signal' | 'remember' | 'report' | 'ask' | 'hold'>

type ToolCallParts = [entry: ToolEntry, spec: ToolDefinition, input: unknown, facts: RunFacts]

/** Who waits for a tool. */
export interface ToolQuery {
  /** Aborts the running attempt and the pause between two attempts. */
  readonly signal: AbortSignal
  readonly onProgress: (value: unknown) => void
  /** A page tool may hold what it is about to send, until the user has decided. */
  readonly mayHold: boolean
  /** Why the tool cannot ask the user anything; undefined if it can. */
  readonly noQuestions: string | undefined
}

/**
 * Runs the tool until an attempt settles or pauses. Retries only after a time-out, and only tools that may run twice.
 * Never rejects. Ignores late results of an attempt that timed out.
 */
export function executeTool(
  ...call: [...ToolCallParts, ToolQuery & { readonly mayHold: false; readonly noQuestions: string }]
): Promise<EndedTool>
export function executeTool(...call: [...ToolCallParts, ToolQuery]): Promise<ExecutedTool>
export async function executeTool(
  entry: ToolEntry,
  spec: ToolDefinition,
  input: unknown,
  facts: RunFacts,
  { signal, onProgress, mayHold, noQuestions }: ToolQuery,
): Promise<ExecutedTool> {
  const startedAt = Date.now()
  const mayRepeat = isRepeatable(spec)
  for (let attempt = 1; ; attempt++) {
    const attempted = () => ({ attempts: attempt, startedAt, endedAt: Date.now() })
    // Stopped before the first attempt or between two attempts, so the function does not run.
    if (signal.aborted)
      return { ...attempted(), failure: mayHaveHappened('cancelled', 'Stopped.', mayRepeat || attempt === 1) }
    const one = new Attempt(spec.timeout, signal)
    const context: ContextChange[number][] = []
    const run: ToolRun = {
      ...facts,
      signal: one.signal,
      remember: (key, value) => {
        context.push(contextChange(key, value))
      },
      report: (progress) => {
        if (!one.signal.aborted) onProgress(toJson(progress).json)
      },
      ask: askDuring(one, facts.toolCallId, noQuestions),
      ...(mayHold ? { hold: (held) => one.pause({ held }) } : {}),
    }
    const failed = (thrown: unknown): EndedTool => {
      if (one.isCancelled || (one.signal.aborted && !one.isTimedOut)) {
        const failure = mayHaveHappened('cancelled', 'Stopped while the tool was running.', mayRepeat)
        return { ...attempted(), failure, thrown }
      }
      if (!one.isTimedOut) return { ...attempted(), failure: failureFrom(thrown), thrown }
      const cause = `The tool did not finish within ${spec.timeout} ms.`
      return { ...attempted(), failure: mayHaveHappened('timeout', cause, mayRepeat), thrown }
    }
    const running = call(entry, input, run, onProgress)
    const ended = untilAborted(running, one.signal)
      .then((output): EndedTool => ({ ...attempted(), output, context }), failed)
      .finally(() => one.stop())
    const next = await untilPaused(one, { running, ended, attempted })
    if (!one.isTimedOut || attempt > spec.maxRetries) return next
    // An abort during the pause is handled at the top of the loop.
    await untilAborted(new Promise((resolve) => setTimeout(resolve, retryPause)), signal).catch(() => undefined)
  }
}

/** How an attempt ends, or that it waits for the user before. */
async function untilPaused(
  attempt: Attempt,
  tool: {
    readonly running: Promise<unknown>
    readonly ended: Promise<EndedTool>
    readonly attempted: () => ToolAttempt
  },
): Promise<ExecutedTool> {
  const { running, ended, attempted } = tool
  const next = await attempt.next(ended)
  if (!('goOn' in next)) return next
  return {
    ...attempted(),
    waits: next,
    ended,
    goOn: (decided, signal) => {
      next.goOn(decided, signal)
      return untilPaused(attempt, tool)
    },
    end: (reason) => {
      attempt.end(reason)
      return running.catch(() => undefined)
    },
  }
}

async function call(
  entry: ToolEntry,
  input: unknown,
  run: ToolRun,
  onProgress: (value: unknown) => void,
): Promise<unknown> {
  const { tool } = entry
  if (tool.execute === undefined)
    throw new ToolAgentError('unavailable', `The tool '${entry.name}' has no execute function`)
  const returned: unknown = await tool.execute(input as never, run)
  if (!isAsyncIterable(returned)) return returned
  return lastOf(returned[Symbol.asyncIterator](), run.signal, onProgress)
}

/** Returns the last value. Earlier values are reported as progress, unless the end follows immediately. */
async function lastOf(
  iterator: AsyncIterator<unknown>,
  signal: AbortSignal,
  onProgress: (value: unknown) => void,
): Promise<unknown> {
  let last: unknown
  let next = await iterator.next()
  while (!next.done) {
    if (signal.aborted) {
      void iterator.return?.() // Runs the generator's `finally`; its end is not awaited.
      throw signal.reason
    }
    last = next.value
    const following = iterator.next()
    const isEnd = await Promise.race([
      following.then((one) => one.done === true),
      new Promise<false>((resolve) => setTimeout(() => resolve(false))),
    ])
    if (!isEnd && !signal.aborted) onProgress(toJson(last).json)
    next = await following
  }
  return last
}

/** A thrown `ToolAgentError` keeps its code and details. Any other error becomes `execution-failed`. */
function failureFrom(thrown: unknown): Failure {
  if (thrown instanceof ToolAgentError)
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.details === undefined ? {} : { details: thrown.details }),
    }
  return { code: 'execution-failed', message: errorMessage(thrown).slice(0, 1_000) }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.asyncIterator in value &&
    typeof value[Symbol.asyncIterator] === 'function' &&
    !(typeof ReadableStream !== 'undefined' && value instanceof ReadableStream)
  )
}

/** An output in the forms that are stored and sent. */
export interface PresentedOutput {
  /** The JSON form, for the page and the session. */
  readonly output: JsonValue
  /** The text that the model receives. */
  readonly text: string
  /** Content parts with files; the model receives them instead of `text`. */
  readonly content?: JsonValue
}

/** @throws ToolAgentError `not-serializable` for a value that has no JSON form. */
export function toPresented(value: unknown): PresentedOutput {
  const { json: output, text } = toJson(value, maxOutputChars)
  return { output, text }
}

/**
 * Applies `toModelOutput` and returns the output for the page and for the model. `own`: the output without it.
 * @throws ToolAgentError `not-serializable`, or what `toModelOutput` throws.
 */
export function presentOutput(
  entry: ToolEntry,
  { id: toolCallId, input }: Pick<ToolCall, 'id'> & { readonly input: unknown },
  output: unknown,
  own = toPresented(output),
): PresentedOutput {
  const convert = entry.tool.toModelOutput
  if (convert === undefined) return own
  const made: unknown = convert({ toolCallId, input: input as never, output: output as never })
  if (isObject(made) && made['type'] === 'content' && Array.isArray(made['value'])) {
    return { ...own, content: toJson(made['value']).json }
  }
  const shown =
    isObject(made) && (made['type'] === 'text' || made['type'] === 'json') && 'value' in made ? made['value'] : made
  return { ...own, text: toJson(shown, maxOutputChars).text }
}

/** Checks an output against the tool's `outputSchema`. A mismatch is logged; the value is used anyway. */
export async function checkOutput(entry: ToolEntry, output: JsonValue): Promise<void> {
  try {
    const checked = await entry.outputSchema?.validate(output)
    if (checked && 'issues' in checked)
      log.logWarning(`The output of '${entry.name}' does not match its outputSchema: ${issuesText(checked.issues)}`)
  } catch (thrown) {
    log.logWarning(`The outputSchema of '${entry.name}' failed: ${errorMessage(thrown)}`)
  }
}
