// What is read of a conversation that a page imports: what people read in it, and what the model read. Anyone may have
// written the file, so nothing that decides about anything is a field here: grants, approvals, starts of calls, tool
// context, facts, metadata of providers, tokens. Other fields are dropped and not refused, because the file may be
// older or newer than this server. Ids of messages and types of files are claims, which sessions/imports.ts replaces.
import { z } from 'zod'
import { effects } from '../../core/data/effect.js'
import type { ErrorCode, Failure } from '../../core/data/failure.js'
import type {
  AssistantMessage,
  Message,
  Reason,
  SummaryMessage,
  ToolCallPart,
  ToolResult,
  UserMessage,
} from '../../core/data/message.js'
import { count, flag, id, json, line, list, maxFrame, text, time } from './bounds.js'

/** Levels of objects and lists in a file. A tool of a page may return many. */
export const maxFileDepth = 256
/** Values in a file, of all levels together. */
export const maxFileValues = 500_000

/** A text of a message, which in a browser may be as long as an output. */
const words = text(maxFrame)
/** A name of a kind. It is open here: a newer file may have more, and nobody branches on one that is not known. */
const kind = <T extends string>() =>
  z.custom<T>((value) => typeof value === 'string' && /^[a-z][a-z-]{0,39}$/.test(value))

/** Base64, or a data URL. Never an address, which somebody would fetch. */
const content = z.string().regex(/^(?:data:[\w.+/-]*(?:;[\w=.-]+)*;base64,)?[A-Za-z0-9+/_-]*={0,2}$/)

const modelOutput = z.union([
  words,
  z.object({
    type: z.literal('content'),
    value: list(
      z.union([
        z.object({ type: z.literal('text'), text: words }),
        z.object({ type: z.literal('file'), mediaType: line, data: content, name: line.exactOptional() }),
      ]),
      100,
    ),
  }),
])

const ended = {
  modelOutput: modelOutput.exactOptional(),
  input: json.exactOptional(),
  summary: line.exactOptional(),
  change: z.object({ before: line.exactOptional(), after: line.exactOptional() }).exactOptional(),
  effect: z.enum(effects).exactOptional(),
  cut: z.object({ chars: count }).exactOptional(),
  outputChars: count.exactOptional(),
  startedAt: time.exactOptional(),
  endedAt: time,
  attempts: count.max(100),
}

const failure = z.object({
  code: kind<ErrorCode>(),
  message: words,
  details: json.exactOptional(),
}) satisfies z.ZodType<Failure>

const result = z.union([
  z.object({ ...ended, output: json }),
  z.object({ ...ended, error: failure }),
]) satisfies z.ZodType<ToolResult>

const toolCall: z.ZodType<ToolCallPart> = z.object({
  type: z.literal('tool-call'),
  // The model may have made the name up.
  call: z.object({ id, name: text(256), input: json, raw: words.exactOptional() }),
  via: z.object({ name: text(256), input: json }).exactOptional(),
  title: line.exactOptional(),
  result: result.exactOptional(),
  child: z.object({ messages: z.lazy(() => list(childMessage, 1_000)) }).exactOptional(),
})

const said = { id: line, at: time, replaced: flag }
const textPart = z.object({ type: z.literal('text'), text: words })
const userText = textPart.extend({ name: line.exactOptional() })
/** Its content was uploaded before. */
const upload = z.object({
  type: z.literal('file'),
  mediaType: line,
  data: z.literal(''),
  upload: id,
  name: line.exactOptional(),
})
const user = { ...said, role: z.literal('user') }
const userMessage = z.object({
  ...user,
  parts: list(z.union([userText, upload]), 200),
}) satisfies z.ZodType<UserMessage>
const answer = z.object({
  ...said,
  role: z.literal('assistant'),
  parts: list(z.union([textPart, z.object({ type: z.literal('reasoning'), text: words }), toolCall]), 1_000),
  reason: kind<Reason>().exactOptional(),
}) satisfies z.ZodType<AssistantMessage>
const summary = z.object({
  ...said,
  role: z.literal('summary'),
  text: words,
  upTo: count,
}) satisfies z.ZodType<SummaryMessage>
/** Of an agent in a call. Its task is a text. */
const childMessage: z.ZodType<Message> = z.discriminatedUnion('role', [
  z.object({ ...user, parts: list(userText, 200) }),
  answer,
  summary,
])

const todo = z.object({ id: text(100), text: line, status: z.enum(['pending', 'in_progress', 'completed']) })

/** A file of `sessions.export`. */
export const importedFile = z.object({
  format: z.literal('tool-agent-session'),
  version: z.literal(1),
  session: z.object({
    title: words.exactOptional(),
    createdAt: time.exactOptional(),
    messages: list(z.discriminatedUnion('role', [userMessage, answer, summary]), 10_000),
    todos: list(todo, 20).exactOptional(),
  }),
  results: z.record(id, json).exactOptional(),
  outputs: z.record(id, z.string()).exactOptional(),
})
/** A file that is read. */
export type ImportedFile = z.output<typeof importedFile>
