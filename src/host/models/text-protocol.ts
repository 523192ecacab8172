// Models without tool calling of their own: the tools stand in the system text, calls come back as markup in the answer,
// results go back as user text. The wrapped model sees none of it as tools. What the markup holds is not judged here:
// the argument text goes to the loop as it came, which parses it and answers what is wrong with it.
import { dropUndefined, isObject, parseJson, type JsonValue } from '../../core/data/json.js'
import type { ModelContent } from '../../core/data/message.js'
import type {
  ModelAdapter,
  ModelPart,
  ModelRequest,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
} from '../../core/data/model.js'
import type { HostConfig } from '../../core/data/protocol.js'

export type TextProtocol = NonNullable<HostConfig['textProtocol']>

interface Form {
  readonly open: string
  readonly close: string
  readonly instructions: string
}

function formOf(protocol: TextProtocol): Form {
  const { open = '[TOOL_CALL]', close = '[/TOOL_CALL]', instructions } = protocol === true ? {} : protocol
  return {
    open: open.trim(),
    close: close.trim(),
    instructions:
      instructions ??
      [
        `To call a tool, write ${open}{"name":"tool_name","args":{}}${close} as plain text, not in a code block.`,
        '"args" is strict JSON that fits the schema of the tool. Write one call, or several, and nothing after them.',
        'The next message brings each result as [TOOL_RESULT …]…[/TOOL_RESULT]: never write one yourself. To answer, write no call.',
        'Tools:\n{tools}',
      ].join('\n'),
  }
}

/** The same model with the tools in its text. */
export function withTextProtocol(model: ModelAdapter, protocol: TextProtocol): ModelAdapter {
  return {
    stream(request, signal) {
      const parts = model.stream(textRequest(request, protocol), signal)[Symbol.asyncIterator]()
      const read = reader(formOf(protocol))
      const ready: ModelPart[] = []
      const iterator: AsyncIterator<ModelPart> = {
        async next() {
          for (;;) {
            const value = ready.shift()
            if (value) return { value, done: false }
            const next = await parts.next()
            if (next.done) return next
            ready.push(...read(next.value))
          }
        },
        // Not behind a read that hangs: whoever lets go of the answer ends the request.
        return: async () => (await parts.return?.()) ?? { value: undefined, done: true },
      }
      return { [Symbol.asyncIterator]: () => iterator }
    },
  }
}

// --- The request -------------------------------------------------------------------------------------------------

/**
 * The request without tools. `{tools}` in the instructions is where their list stands, else it follows them. Roles
 * alternate, as the chat templates of such models want it: what the user said stands behind the results in one message.
 */
export function textRequest(request: ModelRequest, protocol: TextProtocol): ModelRequest {
  const form = formOf(protocol)
  const messages: PromptMessage[] = []
  for (const [index, message] of request.messages.entries()) {
    const next = textMessage(message, form, hasDropped(request.messages[index - 1]))
    const last = messages.at(-1)
    if (last?.role === next.role)
      messages[messages.length - 1] = { ...next, content: [...last.content, ...next.content] } as PromptMessage
    else messages.push(next)
  }
  return {
    ...request,
    system: [request.system, toolText(request, form)].filter(Boolean).join('\n\n'),
    messages,
    tools: [],
    toolChoice: 'auto',
  }
}

function toolText({ tools, toolChoice }: ModelRequest, { instructions }: Form): string {
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

/** Whether calls of this answer were dropped: its last call that counts was marked so when it was read. */
function hasDropped(message: PromptMessage | undefined): boolean {
  if (message?.role !== 'assistant') return false
  return message.content.some((part) => part.type === 'tool-call' && part.providerOptions?.['textProtocol'] === dropped)
}

function textMessage(message: PromptMessage, { open, close }: Form, hasDropped: boolean): PromptMessage {
  if (message.role === 'user') return message
  if (message.role === 'tool') return { role: 'user', content: resultParts(message.content, hasDropped) }
  const said = message.content.filter((part) => part.type !== 'tool-call')
  const calls = message.content.flatMap((part) =>
    part.type === 'tool-call' ? [`${open}${JSON.stringify({ name: part.toolName, args: part.input })}${close}`] : [],
  )
  if (calls.length === 0) return message
  const text = calls.join('\n')
  return {
    role: 'assistant',
    content: [...said, { type: 'text', text: said.some((part) => part.type === 'text') ? `\n${text}` : text }],
  }
}

/** One text for all results of a step, and their files behind it. What a result says keeps its bytes. */
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

/** On the last call of an answer that had further ones, so that every later request says the same. */
const dropped = 'dropped'
const droppedNote = [
  'That answer had more calls, behind other text. They were not run: they came before these results.',
  'If they are still needed, write them now, one right after the other.',
].join(' ')

// --- The answer --------------------------------------------------------------------------------------------------

const argsKey = /"(?:args|arguments|parameters|input)"\s*:\s*$/
const nameFirst = /^\s*\{\s*"name"\s*:\s*"([^"\\]+)"/

/**
 * From the parts of a model that writes calls as text to parts with calls. Text goes through as it comes, but for what
 * may be the beginning of a call. Behind a call only further calls count: whatever else a model writes there, it writes
 * without the result, and often it is an invented one. Calls behind that are dropped, and the last call before them says so.
 */
function reader({ open, close }: Form): (part: ModelPart) => ModelPart[] {
  let state: 'text' | 'call' | 'behind' | 'over' = 'text'
  /** What is not decided yet: a possible marker, or the call that is being written. */
  let held = ''
  let text: Extract<ModelPart, { type: 'text-delta' }> = { type: 'text-delta', id: '', delta: '' }
  let ended: ModelPart | undefined
  let calls = 0
  // Given out when the next call or the end comes: until then more may be dropped behind it.
  let last: Extract<ModelPart, { type: 'tool-call' }> | undefined

  // --- One call: everything between the markers is its body.
  let at = 0 // How far the body is read.
  let depth = 0
  let inString = false
  let inside = -1 // Where the first marker inside a string stands: the end after all if the string is none.
  let argsFrom = -1
  let argsTo = -1
  let shown = -1 // How much of the arguments was shown; -1 before the name is known.

  const id = () => `call_${calls}`
  const begin = () => {
    state = 'call'
    held = held.slice(open.length)
    calls++
    at = depth = 0
    inString = false
    inside = argsFrom = argsTo = shown = -1
  }

  /** Reads on to the end of the body; true when a marker, or the end, ends it at `at`. */
  const scan = (isEnd: boolean): boolean => {
    for (; at < held.length; at++) {
      const char = held[at]
      const marks = [close, open].filter((marker) => char === marker[0])
      if (marks.some((marker) => held.startsWith(marker, at))) {
        if (!inString) return true
        if (inside < 0) inside = at
      } else if (!isEnd && marks.some((marker) => marker.startsWith(held.slice(at, at + marker.length)))) {
        return false
      }
      if (inString) {
        if (char === '\\') at++
        else if (char === '"') inString = false
      } else if (char === '"') {
        inString = true
      } else if (char === '{' || char === '[') {
        if (depth++ === 1 && argsFrom < 0 && argsKey.test(held.slice(Math.max(0, at - 40), at))) argsFrom = at
      } else if (char === '}' || char === ']') {
        if (--depth === 1 && argsFrom >= 0 && argsTo < 0) argsTo = at + 1
      }
    }
    return isEnd
  }

  /** The arguments as they come, once the name is known. */
  const show = (): ModelPart[] => {
    const parts: ModelPart[] = []
    const toolName = nameFirst.exec(held)?.[1]
    if (argsFrom < 0 || toolName === undefined) return parts
    if (shown < 0) {
      parts.push({ type: 'tool-input-start', id: id(), toolName })
      shown = argsFrom
    }
    const to = argsTo < 0 ? Math.min(at, held.length) : argsTo
    if (to > shown) parts.push({ type: 'tool-input-delta', id: id(), delta: held.slice(shown, to) })
    shown = Math.max(shown, to)
    return parts
  }

  const release = (): ModelPart[] => {
    const parts = last ? [last] : []
    last = undefined
    return parts
  }

  const end = (): ModelPart[] => {
    const parts = show()
    if (inside >= 0 && parseJson(held.slice(0, at)) === undefined) at = inside
    const body = held.slice(0, at).trim()
    const { name, input } = callOf(body, argsTo < 0 ? undefined : held.slice(argsFrom, argsTo))
    if (shown < 0)
      parts.push(
        { type: 'tool-input-start', id: id(), toolName: name },
        { type: 'tool-input-delta', id: id(), delta: input },
      )
    state = 'behind'
    held = held.slice(held.startsWith(close, at) ? at + close.length : at)
    parts.push({ type: 'tool-input-end', id: id() })
    last = { type: 'tool-call', toolCallId: id(), toolName: name, input }
    return parts
  }

  /** What can be said of the text so far. `isEnd`: nothing follows. */
  const go = (isEnd: boolean): ModelPart[] => {
    const parts: ModelPart[] = []
    for (;;) {
      if (state === 'text') {
        const place = held.indexOf(open)
        // Space before a call is no text either.
        const delta =
          place < 0 && isEnd ? held : held.slice(0, place < 0 ? held.length - partial(held, open) : place).trimEnd()
        if (delta !== '') parts.push({ ...text, delta })
        held = held.slice(place < 0 ? delta.length : place)
        if (place < 0) return parts
        begin()
      } else if (state === 'call') {
        if (!scan(isEnd)) return [...parts, ...show()]
        parts.push(...end())
      } else if (state === 'behind') {
        held = held.trimStart()
        if (held.startsWith(open)) {
          parts.push(...release())
          begin()
        } else if (!isEnd && open.startsWith(held)) {
          return parts
        } else {
          state = 'over'
        }
      } else {
        if (last && held.includes(open)) last = { ...last, providerMetadata: { textProtocol: dropped } }
        held = held.slice(-open.length + 1)
        return parts
      }
    }
  }

  return (part) => {
    if (part.type === 'text-delta') {
      held += part.delta
      text = part
      const parts = go(false)
      // An empty one for what is held back: the wait for the next part begins anew with each.
      return parts.length > 0 ? parts : [{ ...part, delta: '' }]
    }
    if (part.type === 'text-end') {
      ended = part
      return []
    }
    // An end that is none, such as one by length: what may be the beginning of a call is none, and no text either.
    const means =
      part.type !== 'finish' || part.finishReason.unified === 'stop' || part.finishReason.unified === 'tool-calls'
    const parts: ModelPart[] = means && (part.type === 'finish' || (ended && state === 'text')) ? go(true) : []
    if (part.type === 'finish') parts.push(...release())
    if (ended) parts.push(ended)
    ended = undefined
    if (part.type !== 'finish' || calls === 0 || part.finishReason.unified !== 'stop') return [...parts, part]
    return [...parts, { ...part, finishReason: { ...part.finishReason, unified: 'tool-calls' } }]
  }
}

/** How many of the last characters may be the beginning of the marker. */
function partial(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--)
    if (marker.startsWith(text.slice(-length))) return length
  return 0
}

/** Name and argument text of a body. `args`: the argument text where it is one object or array. */
function callOf(body: string, args: string | undefined): { name: string; input: string } {
  const value = parseJson(body)
  if (!isObject(value)) {
    // The whole body goes on as the arguments: they are no object, and the model is told why.
    const [, named, called] = /\bname["']?\s*[:=]\s*["']?([\w.-]+)|^([\w.-]+)\s*[({]/.exec(body) ?? []
    return { name: named ?? called ?? noName, input: body }
  }
  const { name } = value
  if (typeof name !== 'string' || name === '') return { name: noName, input: body }
  const given = (value['args'] ?? value['arguments'] ?? value['parameters'] ?? value['input'] ?? '') as JsonValue
  return { name, input: args ?? (typeof given === 'string' ? given : JSON.stringify(given)) }
}

/** A call of a tool that no one offered: the model is told, with the names there are, and can mend it. As text it would be lost. */
const noName = 'missing_name'
