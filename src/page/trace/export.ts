// A recording as JSON that may leave the page: without headers, credentials, queries of addresses and values of the
// tool context. Its keys stay, so that one sees what there was.
import { dropUndefined, isObject, type JsonObject } from '../../core/data/json.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { ContextChange, Session, Turn } from '../../core/data/session.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { AgentOptions } from '../options.js'
import type { Recording, Trace, TracedAgent, TracedTool } from './recorder.js'

/** Stands where a value of the tool context stood. */
const hidden = '[tool context]'
const secret = '[credential]'
/** From here on a text of the tool context is taken for a token, and looked for in all other texts, too. */
const tokenLength = 16
/** What is shorter would blot out plain words. */
const credentialLength = 8

export function exportTrace(recording: Recording, { options, config, tools, host, storage }: TracedAgent): Trace {
  const { start, entries, dropped } = recording
  const { endpoint, ...rest } = config
  const trace: Trace = {
    version: 1,
    exportedAt: Date.now(),
    host,
    storage,
    dropped,
    config: {
      ...rest,
      ...(endpoint === undefined ? {} : { endpoint: bareUrl(endpoint) }),
      approval: options.approval ?? 'hints',
    },
    tools: tools.map(traced),
    session: bareSession(start),
    events: entries.map(({ at, session, path, event }) =>
      session ? { at, session: bareSession(session) } : { at, path, event: bareEvent(event) },
    ),
  }
  const blots = blotsOf(recording, options)
  // By way of JSON: a copy, so that whoever has it cannot change what the agent shows.
  return JSON.parse(
    JSON.stringify(trace, (_key, value: unknown) => (typeof value === 'string' ? blotted(value, blots) : value)),
  ) as Trace
}

function traced({
  name,
  title,
  description,
  inputSchema,
  annotations,
  tool: { exclusive, returnDirect },
}: TracedAgent['tools'][number]): TracedTool {
  return dropUndefined({
    name,
    title,
    description,
    inputSchema: inputSchema as JsonObject,
    annotations: annotations as JsonObject,
    exclusive,
    returnDirect,
  })
}

function bareSession(session: Session): Session {
  return { ...session, context: keysOf(session.context), ...(session.turn ? { turn: bareTurn(session.turn) } : {}) }
}

function bareTurn(turn: Turn): Turn {
  const { url, facts, options } = turn
  const { toolContext } = options
  return {
    ...turn,
    url: bareUrl(url),
    facts: { ...facts, url: bareUrl(facts.url) },
    options: toolContext ? { ...options, toolContext: keysOf(toolContext) } : options,
  }
}

function bareEvent(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'turn-start':
      return { ...event, turn: bareTurn(event.turn) }
    case 'context-change':
      return { ...event, context: bareChange(event.context) }
    case 'tool-result':
      return event.context ? { ...event, context: bareChange(event.context) } : event
    default:
      return event
  }
}

function bareChange(change: ContextChange): ContextChange {
  return change.map(({ key, value }) => (value === undefined ? { key } : { key, value: hidden }))
}

function keysOf(context: ToolContext): ToolContext {
  return Object.fromEntries(Object.keys(context).map((key) => [key, hidden]))
}

/** Without query and fragment, which may hold a key. */
function bareUrl(url: string): string {
  return /^[^?#]*/.exec(url)?.[0] ?? ''
}

type Blot = readonly [text: string, mark: string]

/**
 * What is looked for in every text: a tool may have quoted a token that it was given, and a server a key that it was
 * sent. The longest first, so that a part does not spoil the whole.
 */
function blotsOf({ start, entries }: Recording, { headers, endpoint, toolContext = {} }: AgentOptions): Blot[] {
  const credentials = [
    ...(isObject(headers) ? Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)]) : []),
    ...new URLSearchParams(/\?([^#]*)/.exec(endpoint ?? '')?.[1] ?? '').values(),
  ]
  const values: unknown[] = [toolContext, start.context, start.turn?.options.toolContext]
  for (const { session, event } of entries) {
    if (session) values.push(session.context, session.turn?.options.toolContext)
    else if (event.type === 'turn-start') values.push(event.turn.options.toolContext)
    else if (event.type === 'context-change' || event.type === 'tool-result')
      values.push(event.context?.map(({ value }) => value))
  }
  const tokens = textsIn(values).filter((text) => text.length >= tokenLength && !/\s/.test(text))
  return [
    ...credentials.filter((text) => text.length >= credentialLength).map((text) => [text, secret] as const),
    ...[...new Set(tokens)].map((text) => [text, hidden] as const),
  ].sort(([one], [other]) => other.length - one.length)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function blotted(text: string, blots: readonly Blot[]): string {
  let safe = text
  for (const [part, mark] of blots) safe = safe.replaceAll(part, mark)
  return safe
}
