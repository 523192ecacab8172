// Tool calling for models without tool calling of their own: the system text lists the tools, calls arrive as markup in
// the answer, and results are sent as user text. The wrapped model gets no tools.
import { dropUndefined } from '../../../core/data/json.js'
import type { ModelContent } from '../../../core/data/message.js'
import type {
  ModelAdapter,
  ModelRequest,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
} from '../../../core/data/model.js'
import type { HostConfig } from '../../../core/data/protocol.js'
import { transformedParts } from '../transformed-parts.js'
import { CallParser, dropped, type CallMarkers } from './text-protocol-parser.js'

/** The `textProtocol` option: `true` for the defaults. */
export type TextProtocol = NonNullable<HostConfig['textProtocol']>

interface Format extends CallMarkers {
  /** Tells the model how to call a tool. `{tools}` is replaced by the list of tools. */
  readonly instructions: string
}

function formatOf(protocol: TextProtocol): Format {
  const { open = '[TOOL_CALL]', close = '[/TOOL_CALL]', instructions } = protocol === true ? {} : protocol
  return {
    open: open.trim(),
    close: close.trim(),
    instructions:
      instructions ??
      [
        `To call a tool, write ${open}{"name":"tool_name","args":{}}${close} as plain text, not in a code block.`,
        '"args" is strict JSON that matches the schema of the tool. Write one or more calls and nothing after them.',
        'The next message contains each result as [TOOL_RESULT …]…[/TOOL_RESULT]. Never write a result yourself.',
        'To answer the user, write no call.',
        'Tools:\n{tools}',
      ].join('\n'),
  }
}

/** The wrapped model for one attempt. `modelFor` creates the model that streams the changed request. */
export async function textModel(
  modelFor: (request: ModelRequest) => Promise<ModelAdapter>,
  { request }: { readonly request: ModelRequest },
  protocol: TextProtocol,
): Promise<ModelAdapter> {
  return withTextProtocol(await modelFor(textRequest(request, protocol)), protocol)
}

/** Wraps a model: its requests list the tools as text, and calls in its text become tool call parts. */
export function withTextProtocol(model: ModelAdapter, protocol: TextProtocol): ModelAdapter {
  return {
    stream(request, signal) {
      const parser = new CallParser(formatOf(protocol))
      return transformedParts(model.stream(textRequest(request, protocol), signal), (part) => parser.add(part))
    },
  }
}

/**
 * The request with its tools, calls and results as text. Consecutive messages of one role are merged, because the chat
 * templates of such models require alternating roles. So results and the user message after them become one message.
 */
export function textRequest(request: ModelRequest, protocol: TextProtocol): ModelRequest {
  const format = formatOf(protocol)
  const messages: PromptMessage[] = []
  for (const [index, message] of request.messages.entries()) {
    const next = textMessage(message, format, hasDropped(request.messages[index - 1]))
    const last = messages.at(-1)
    if (last?.role === next.role)
      messages[messages.length - 1] = { ...next, content: [...last.content, ...next.content] } as PromptMessage
    else messages.push(next)
  }
  return {
    ...request,
    system: [request.system, toolText(request, format)].filter(Boolean).join('\n\n'),
    messages,
    tools: [],
    toolChoice: 'auto',
  }
}

function toolText({ tools, toolChoice }: ModelRequest, { instructions }: Format): string {
  if (tools.length === 0) return ''
  const list = tools
    .map(({ name, description, inputSchema }) => `- ${name}: ${description}\n  args: ${JSON.stringify(inputSchema)}`)
    .join('\n')
  const text = instructions.includes('{tools}')
    ? instructions.replaceAll('{tools}', () => list)
    : `${instructions}\n${list}`
  if (toolChoice === 'auto') return text
  if (toolChoice === 'none') return `${text}\nDo not call a tool now.`
  return `${text}\nCall ${toolChoice === 'required' ? 'a tool' : toolChoice.toolName} now, before you answer.`
}

/** Whether calls of this answer were dropped. */
function hasDropped(message: PromptMessage | undefined): boolean {
  if (message?.role !== 'assistant') return false
  return message.content.some((part) => part.type === 'tool-call' && part.providerOptions?.['textProtocol'] === dropped)
}

function textMessage(message: PromptMessage, { open, close }: Format, hasDropped: boolean): PromptMessage {
  if (message.role === 'user') return message
  if (message.role === 'tool') return { role: 'user', content: resultParts(message.content, hasDropped) }
  const other = message.content.filter((part) => part.type !== 'tool-call')
  const calls = message.content.flatMap((part) =>
    part.type === 'tool-call' ? [`${open}${JSON.stringify({ name: part.toolName, args: part.input })}${close}`] : [],
  )
  if (calls.length === 0) return message
  const text = calls.join('\n')
  return {
    role: 'assistant',
    content: [...other, { type: 'text', text: other.some((part) => part.type === 'text') ? `\n${text}` : text }],
  }
}

/** One text for all results of a step, followed by their files. The text of a result is not changed. */
function resultParts(results: readonly PromptToolResult[], hasDropped: boolean): PromptUserPart[] {
  const files: PromptUserPart[] = []
  const texts = results.map(({ toolCallId, toolName, output }) => {
    const content: ModelContent = output.type === 'content' ? output.value : [{ type: 'text', text: output.value }]
    const lines = content.map((part) => {
      if (part.type === 'text') return part.text
      const { mediaType, data, name, label } = part
      if (label) files.push({ type: 'text', text: label })
      files.push(dropUndefined({ type: 'file', mediaType, data, filename: name }))
      return '(a file follows below)'
    })
    return [
      `[TOOL_RESULT call=${JSON.stringify(toolCallId)} tool=${JSON.stringify(toolName)}]`,
      ...lines,
      '[/TOOL_RESULT]',
    ].join('\n')
  })
  if (hasDropped) texts.push(droppedNote)
  return [{ type: 'text', text: texts.join('\n\n') }, ...files]
}

/** Sent with the results of an answer whose further calls were dropped. */
const droppedNote = [
  'Your last answer contained more calls after other text. They did not run, because they were written before these',
  'results. If you still need them, write them now, one directly after the other.',
].join(' ')
