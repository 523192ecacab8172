// What the messages of a guest contain: offers, verdicts and outcomes. Each shape is the part of its type in core/ that
// a page may decide, and `satisfies` compares them. What a page has run or read is marked as untrusted here.
import { z } from 'zod'
import type { NamedPart, Preview, PreviewChange } from '../../core/data/action.js'
import { effects, type TaskScope } from '../../core/data/effect.js'
import type { ErrorCode, Failure } from '../../core/data/failure.js'
import { questionIn } from '../../core/data/form-question.js'
import { isFormQuestion } from '../../core/data/question-bounds.js'
import type { ExecutionResult, HiddenTool, Offer, Verdict } from '../../core/data/protocol.js'
import type { PageFacts } from '../../core/data/session.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { ToolSpec } from '../../core/data/tool.js'
import { address, count, flag, id, json, jsonObject, line, list, maxFrame, text, time } from './bounds.js'

const effect = z.enum(effects)
const method = text(32)

/** Why something failed on the page. */
export const failure = z.strictObject({
  // The list of codes is open here: a newer page may have more, and nobody branches on one that is not known.
  code: z.custom<ErrorCode>((value) => typeof value === 'string' && /^[a-z-]{1,40}$/.test(value)),
  message: text(10_000),
  details: json.exactOptional(),
}) satisfies z.ZodType<Failure>

/** What the page is when the user acts. */
export const facts = z.strictObject({
  url: address,
  title: line,
  lang: text(64),
  // It stands outside of the fences, so it has no room for a sentence.
  timeZone: z.string().regex(/^[\w+\-/:]{0,64}$/),
  utcOffset: z.int().min(-1_440).max(1_440).exactOptional(),
  forms: text(50_000).exactOptional(),
  context: text(100_000).exactOptional(),
}) satisfies z.ZodType<PageFacts>

const toolSpec = z.strictObject({
  name: id,
  title: line.exactOptional(),
  description: text(20_000),
  inputSchema: jsonObject,
  annotations: z.strictObject({
    readOnlyHint: z.boolean().exactOptional(),
    destructiveHint: z.boolean().exactOptional(),
    idempotentHint: z.boolean().exactOptional(),
    untrustedContentHint: z.boolean().exactOptional(),
    consequentialHint: z.boolean().exactOptional(),
    title: line.exactOptional(),
    openWorldHint: z.boolean().exactOptional(),
  }),
  exclusive: z.boolean(),
  timeout: count.max(86_400_000),
  maxRetries: count.max(10),
  returnDirect: z.union([z.boolean(), z.literal('if-last')]),
  hash: id,
}) satisfies z.ZodType<ToolSpec>

const tools = list(toolSpec, 256)

/** Tools that the request did not have. What the page says of them instead of a result is untrusted. */
export const hiddenTools = list(
  toolSpec.extend({
    unread: z
      .strictObject({ error: failure, untrusted: z.boolean() })
      .transform(({ error }) => ({ error, untrusted: true }))
      .exactOptional(),
  }),
  256,
) satisfies z.ZodType<readonly HiddenTool[]>

/** The tools of a page, and the path of that page. Its origin is that of the socket. */
export const offer = z.strictObject({ number: count, path: address, tools }) satisfies z.ZodType<Offer>

/** The answer to `prepare`. A page has no word in `toolChoice`. */
export const prepared = z.strictObject({ path: address, tools, stop: z.boolean().exactOptional() })

const sentValue = { field: line, value: z.union([text(10_000), z.boolean()]), private: flag }

const stoppedEffect = z.strictObject({
  effect,
  does: z.enum(['request', 'submit', 'go', 'open', 'download', 'choose']),
  method: method.exactOptional(),
  url: address.exactOptional(),
  operation: line.exactOptional(),
  site: line.exactOptional(),
  values: list(z.strictObject(sentValue), 200).exactOptional(),
  done: z
    .strictObject({
      sent: list(line, 100).exactOptional(),
      filled: list(line, 200).exactOptional(),
      putBack: line.exactOptional(),
      refused: flag,
      left: list(line, 200).exactOptional(),
    })
    .exactOptional(),
}) satisfies z.ZodType<StoppedEffect>

const stopped = list(stoppedEffect, 50)

const namedPart = z.strictObject({
  role: text(100),
  name: line,
  place: z.strictObject({ role: text(100), name: line }).exactOptional(),
}) satisfies z.ZodType<NamedPart>

const previewChange = z.strictObject({
  what: z.enum(['target', 'address', 'around', 'value', 'hidden']),
  field: line.exactOptional(),
  before: text(10_000).exactOptional(),
  now: text(10_000).exactOptional(),
  was: namedPart.exactOptional(),
  is: namedPart.exactOptional(),
}) satisfies z.ZodType<PreviewChange>

const taskScope = z.discriminatedUnion('covers', [
  z.strictObject({ covers: z.literal('unknown') }),
  z.strictObject({
    covers: z.literal('send'),
    method,
    url: address,
    operation: line.exactOptional(),
    control: line,
  }),
]) satisfies z.ZodType<TaskScope>

const preview = z.strictObject({
  on: namedPart.exactOptional(),
  key: line.exactOptional(),
  by: namedPart.exactOptional(),
  effect: effect.exactOptional(),
  in: line.exactOptional(),
  heading: line.exactOptional(),
  amount: line.exactOptional(),
  stopped: stopped.exactOptional(),
  held: flag,
  refused: flag,
  changes: list(previewChange, 200).exactOptional(),
  loses: flag,
  task: taskScope.exactOptional(),
  does: z.enum(['click', 'submit', 'go', 'press', 'drag']).exactOptional(),
  how: z.enum(['double', 'right', 'middle', 'hold', 'hover']).exactOptional(),
  question: z.union([text(10_000), list(z.strictObject({ label: line, value: text(10_000) }), 100)]).exactOptional(),
  claim: text(10_000).exactOptional(),
  target: line.exactOptional(),
  types: text(10_000).exactOptional(),
  selects: text(10_000).exactOptional(),
  onto: namedPart.exactOptional(),
  to: line.exactOptional(),
  url: address.exactOptional(),
  method: method.exactOptional(),
  site: line.exactOptional(),
  opens: z.enum(['tab', 'download']).exactOptional(),
  values: list(z.strictObject(sentValue), 200).exactOptional(),
  filled: list(z.strictObject({ ...sentValue, group: line.exactOptional() }), 200).exactOptional(),
  more: count.max(10_000).exactOptional(),
}) satisfies z.ZodType<Preview>

/** A text of its own would count as that of the author. A page cannot say that, so it becomes the message. */
function untrustedError<T extends { readonly error: Failure; readonly text?: string }>({ text: said, ...given }: T) {
  const error = said === undefined ? given.error : { ...given.error, message: said }
  return { ...given, error, untrusted: true as const }
}

/** A question of a running tool that is none is left out: then the call has been stopped, and is checked again. */
function checkedQuestion<T extends { readonly error: Failure }>(given: T): T {
  const { code, message } = given.error
  const question = questionIn(given.error)
  return question === undefined || isFormQuestion(question) ? given : { ...given, error: { code, message } }
}

/** May a call run? What a page says about a call that it refuses may quote the page. */
export const verdict = z.discriminatedUnion('do', [
  z.strictObject({ callId: id, do: z.literal('run'), hash: id, input: json }),
  z.strictObject({
    callId: id,
    do: z.literal('ask'),
    hash: id,
    input: json,
    title: line,
    preview: preview.exactOptional(),
    page: address.exactOptional(),
    once: flag,
  }),
  z
    .strictObject({
      callId: id,
      do: z.literal('refuse'),
      error: failure,
      text: text(20_000).exactOptional(),
      fatal: failure.exactOptional(),
    })
    .transform(untrustedError),
]) satisfies z.ZodType<Verdict>

const ended = {
  callId: id,
  attempts: count.max(100),
  startedAt: time,
  endedAt: time,
  input: json.exactOptional(),
  context: list(z.strictObject({ key: id, value: json.exactOptional() }), 100).exactOptional(),
  summary: text(200).exactOptional(),
  change: z.strictObject({ before: text(200).exactOptional(), after: text(200).exactOptional() }).exactOptional(),
  effect: effect.exactOptional(),
  foreign: flag,
  repeats: flag,
  stopped: stopped.exactOptional(),
  held: flag,
}

/** How a call ended on a page. All of it is what the page says, so it is untrusted. */
export const outcome = z
  .union([
    z.strictObject({ ...ended, output: json, text: text(maxFrame), content: json.exactOptional() }),
    z.strictObject({
      ...ended,
      error: failure,
      text: text(20_000).exactOptional(),
      fatal: failure.exactOptional(),
    }),
  ])
  .transform((given) =>
    'error' in given ? untrustedError(checkedQuestion(given)) : { ...given, untrusted: true },
  ) satisfies z.ZodType<ExecutionResult>
