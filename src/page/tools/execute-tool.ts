// One call of one tool on the page: lock, attempts with time-out and retry, then the output as JSON and as text. The
// clock of a time-out starts when the function starts, on the side where it runs.
import { errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import { mayHaveHappened } from '../../core/prompt/failure-text.js'
import type { ContextChange } from '../../core/data/session.js'
import { isRepeatable, retryPause } from '../../core/data/tool.js'
import { contextChange } from '../tool-context.js'
import * as log from '../log.js'
import type { ToolDefinition, ToolEntry } from './registered-tool.js'
import { toJson } from '../schema/output-json.js'
import { issuesText } from '../schema/compile.js'
import type { ToolRun } from './tool.js'

export interface ToolAttempt {
  readonly attempts: number
  readonly startedAt: number
  readonly endedAt: number
}
export type ExecutedTool = ToolAttempt &
  (
    | { readonly output: unknown; readonly context: ContextChange; readonly failure?: never }
    | { readonly failure: Failure; readonly thrown?: unknown; readonly output?: never }
  )

export type RunFacts = Omit<ToolRun, 'signal' | 'remember' | 'report'>

/**
 * Runs the tool until an attempt ends, retrying only what timed out and may run twice. Resolves always; late results
 * of an attempt that timed out are ignored. `signal` aborts the running attempt and the pause between two.
 */
export async function executeTool(
  entry: ToolEntry,
  spec: ToolDefinition,
  input: unknown,
  facts: RunFacts,
  signal: AbortSignal,
  onProgress: (value: unknown) => void,
): Promise<ExecutedTool> {
  const startedAt = Date.now()
  const mayRepeat = isRepeatable(spec)
  for (let attempt = 1; ; attempt++) {
    const context: ContextChange[number][] = []
    const attempted = () => ({ attempts: attempt, startedAt, endedAt: Date.now() })
    // Stopped before it began, or between two attempts: the function is not entered.
    if (signal.aborted)
      return { ...attempted(), failure: mayHaveHappened('cancelled', 'Stopped.', mayRepeat || attempt === 1) }
    const timer = timerFor(spec.timeout)
    const attemptSignal = AbortSignal.any([signal, timer.signal])
    const run: ToolRun = {
      ...facts,
      signal: attemptSignal,
      remember: (key, value) => {
        context.push(contextChange(key, value))
      },
      report: (progress) => {
        if (!attemptSignal.aborted) onProgress(toJson(progress).json)
      },
    }
    try {
      const output = await untilAborted(call(entry, input, run, onProgress), attemptSignal)
      return { ...attempted(), output, context }
    } catch (thrown) {
      if (signal.aborted) {
        return { ...attempted(), failure: mayHaveHappened('cancelled', 'Stopped while it ran.', mayRepeat), thrown }
      }
      if (!timer.signal.aborted) return { ...attempted(), failure: failureFrom(thrown), thrown }
      if (attempt > spec.maxRetries) {
        return {
          ...attempted(),
          failure: mayHaveHappened('timeout', `It did not end within ${spec.timeout} ms.`, mayRepeat),
          thrown,
        }
      }
    } finally {
      timer.stop()
    }
    await untilAborted(new Promise((resolve) => setTimeout(resolve, retryPause)), signal).catch(() => undefined) // Met at the top of the loop.
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

/** The last value is the result; one that is not followed by the end at once is shown as progress meanwhile. */
async function lastOf(
  iterator: AsyncIterator<unknown>,
  signal: AbortSignal,
  onProgress: (value: unknown) => void,
): Promise<unknown> {
  let last: unknown
  let next = await iterator.next()
  while (!next.done) {
    if (signal.aborted) {
      void iterator.return?.() // Its `finally` runs; nobody waits for it any more.
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

/** A tool may throw an error of ours to give its own code; anything else is `execution-failed`. */
function failureFrom(thrown: unknown): Failure {
  if (thrown instanceof ToolAgentError)
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.details === undefined ? {} : { details: thrown.details }),
    }
  return { code: 'execution-failed', message: errorMessage(thrown).slice(0, 1_000) }
}

function timerFor(ms: number): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const timer =
    ms > 0 && ms <= 2 ** 31 - 1
      ? setTimeout(() => controller.abort(new DOMException(`Timed out after ${ms} ms`, 'TimeoutError')), ms)
      : undefined
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
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

export interface PresentedOutput {
  readonly output: JsonValue
  readonly text: string
  readonly content?: JsonValue
}

export function toPresented(value: unknown): PresentedOutput {
  const { json: output, text } = toJson(value)
  return { output, text }
}

/** The output as JSON, the text for the model, or content with files. Throws `not-serializable`. */
export function presentOutput(entry: ToolEntry, toolCallId: string, input: unknown, output: unknown): PresentedOutput {
  const own = toPresented(output)
  const convert = entry.tool.toModelOutput
  if (convert === undefined) return own
  const made: unknown = convert({ toolCallId, input: input as never, output: output as never })
  if (isObject(made) && made['type'] === 'content' && Array.isArray(made['value'])) {
    return { ...own, content: toJson(made['value']).json }
  }
  const shown =
    isObject(made) && (made['type'] === 'text' || made['type'] === 'json') && 'value' in made ? made['value'] : made
  return { ...own, text: toJson(shown).text }
}

/** Checks what a tool returned against its `outputSchema`; a mismatch is the author's to mend, the value is still used. */
export async function checkOutput(entry: ToolEntry, output: JsonValue): Promise<void> {
  try {
    const checked = await entry.outputSchema?.validate(output)
    if (checked && 'issues' in checked)
      log.logWarning(`The output of '${entry.name}' does not fit its outputSchema: ${issuesText(checked.issues)}`)
  } catch (thrown) {
    log.logWarning(`The outputSchema of '${entry.name}' failed: ${errorMessage(thrown)}`)
  }
}
