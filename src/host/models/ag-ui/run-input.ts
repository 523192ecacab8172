// Turns a model request into the input of a run (`RunAgentInput`). The server knows the conversation by the ids of its
// messages, so they are those that the server gave, and else the same in every request.
import { formatId } from '../../../core/data/ids.js'
import { dropUndefined, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelContent } from '../../../core/data/message.js'
import type {
  ModelRequest,
  PromptAssistantPart,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
} from '../../../core/data/model.js'
import { takeFence } from '../../../core/prompt/cut-and-fence.js'
import { fingerprint } from '../../../core/state/fingerprint.js'
import { memoize } from '../../../core/state/memoize.js'
import { base64Of, fileContent, type PromptFile } from '../request/files.js'
import { ownMetadata } from '../request/names.js'

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'agUi'

/** What is stored with a text, a block of reasoning or a call. */
export type Own = {
  /** The server's id of its message, or of the call. */
  readonly id?: string
  /** Of a call: its message, if the server named one. */
  readonly parent?: string
  /** Of a call that the server ran: the message of the result. */
  readonly result?: string
  /** What a provider has encrypted, to be sent back. */
  readonly encryptedValue?: string
  /** The agent inside of the run that wrote it. */
  readonly subagentRunId?: string
  /** Of the text of an interrupt: the questions that are open. */
  readonly interrupts?: readonly string[]
}

/** What is stored with a part; empty for a part of another provider. */
export const ownOf = (part: PromptAssistantPart): Own => ownMetadata<Own>(part.providerOptions, metadataKey) ?? {}

/** The input of the run that a request starts. */
export function runInput(request: ModelRequest, forwardedProps: JsonObject = {}): JsonObject {
  const { conversation, system, messages, tools, toolChoice } = request
  const offered = toolChoice === 'none' ? [] : tools
  return dropUndefined({
    threadId: conversation?.id ?? `thread-${fingerprint(JSON.stringify(messages[0] ?? null))}`,
    runId: `run-${formatId(crypto.getRandomValues(new Uint8Array(12)))}`,
    state: conversation?.state ?? {},
    messages: [...(system === '' ? [] : [{ id: 'system', role: 'system', content: system }]), ...runMessages(messages)],
    tools: offered.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    context: [],
    forwardedProps,
    resume: cancelled(messages),
  })
}

/** The server takes no other input while its questions are open, and this page cannot answer them. */
function cancelled(messages: readonly PromptMessage[]): JsonValue[] | undefined {
  const newest = messages.findLast(({ role }) => role === 'assistant')
  if (newest?.role !== 'assistant') return undefined
  const open = newest.content.flatMap((part) => ownOf(part).interrupts ?? [])
  return open.length > 0 ? open.map((interruptId) => ({ interruptId, status: 'cancelled' })) : undefined
}

function runMessages(messages: readonly PromptMessage[]): JsonObject[] {
  let users = 0
  return messages.flatMap((message, index): JsonObject[] => {
    if (message.role === 'user') return [userMessage(message, users++)]
    const results = messages[index + 1]
    if (message.role === 'assistant')
      return answerMessages(message.content, results?.role === 'tool' ? results.content : [])
    return []
  })
}

const contentHash = memoize((message: PromptMessage) => fingerprint(JSON.stringify(message.content)))

/** A message that the user edited is another one, and one that was sent twice, too. */
function userMessage(message: Extract<PromptMessage, { role: 'user' }>, count: number): JsonObject {
  const { content } = message
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return {
    id: `user-${count}-${contentHash(message)}`,
    role: 'user',
    content: texts.length === content.length ? texts.join('\n\n') : content.map(contentPart),
  }
}

function contentPart(part: PromptUserPart | ModelContent[number]): JsonObject {
  return part.type === 'text' ? { type: 'text', text: part.text } : filePart(part)
}

function filePart(file: PromptFile): JsonObject {
  const content = fileContent(file)
  const { mediaType: mimeType, name, isRemote, data } = content
  const [kind = ''] = mimeType.split('/')
  return dropUndefined({
    type: ['image', 'audio', 'video'].includes(kind) ? kind : 'document',
    source: isRemote
      ? { type: 'url', value: data, mimeType }
      : { type: 'data', value: base64Of(content), mimeType: mimeType || 'application/octet-stream' },
    metadata: name === undefined ? undefined : { filename: name },
  })
}

/** A message of the server while it is put together. */
interface Written {
  readonly id: string
  readonly role: 'assistant' | 'reasoning'
  content?: string
  encryptedValue?: string | undefined
  subagentRunId?: string | undefined
  readonly calls: JsonObject[]
  readonly results: JsonObject[]
}

/**
 * The messages of an answer as the server wrote them: one for each id, in the order in which they began, each followed
 * by the results of its calls.
 */
function answerMessages(content: readonly PromptAssistantPart[], results: readonly PromptToolResult[]): JsonObject[] {
  const written = new Map<string, Written>()
  const messageOf = (id: string, role: Written['role'] = 'assistant'): Written => {
    const message = written.get(id) ?? { id, role, calls: [], results: [] }
    written.set(id, message)
    return message
  }
  let last: string | undefined
  for (const part of content) {
    const own = ownOf(part)
    if (part.type === 'tool-call') {
      const result = results.find(({ toolCallId }) => toolCallId === part.toolCallId)
      const id = own.id ?? part.toolCallId
      // Without a message, a call that the server made is one, and a call of another provider follows its text.
      const parent = own.id === undefined ? (last ?? id) : (own.parent ?? id)
      const message = messageOf(written.get(parent)?.role === 'reasoning' ? id : parent)
      message.calls.push(
        dropUndefined({
          id,
          type: 'function',
          function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          encryptedValue: own.encryptedValue,
        }),
      )
      if (result) message.results.push(toolMessage(result, id, own.result))
      continue
    }
    const isReasoning = part.type === 'reasoning' && own.subagentRunId === undefined
    // Only what a provider encrypted must come back. Older servers know no messages of reasoning.
    if (isReasoning && own.encryptedValue === undefined) continue
    if (part.text === '' && own.encryptedValue === undefined) continue
    const id = own.id ?? last ?? `answer-${fingerprint(part.text)}`
    const message = messageOf(id, isReasoning ? 'reasoning' : 'assistant')
    message.content = (message.content ?? '') + part.text
    message.encryptedValue ??= own.encryptedValue
    message.subagentRunId ??= own.subagentRunId
    if (!isReasoning) last = id
  }
  return [...written.values()].flatMap(({ calls, results: tools, ...message }) => [
    dropUndefined({ ...message, toolCalls: calls.length > 0 ? calls : undefined }),
    ...tools,
  ])
}

/** `from`: the message in which the server sent the result itself. Then its text goes back as it was. */
function toolMessage({ output }: PromptToolResult, toolCallId: string, from: string | undefined): JsonObject {
  const text = output.type === 'content' ? '' : output.value
  return dropUndefined({
    id: from ?? `result-${toolCallId}`,
    role: 'tool',
    toolCallId,
    content:
      output.type === 'content'
        ? output.value.map(contentPart)
        : ((from === undefined ? undefined : takeFence(text)?.text) ?? text),
    error: output.type === 'error-text' ? text : undefined,
  })
}
