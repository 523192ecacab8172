// Exports a recording as JSON that may leave the page: without headers, credentials, query strings of addresses and
// values of the tool context. The keys of the context stay, so that a reader sees which values there were.
import { dropUndefined, isObject, type JsonObject } from '../../../core/data/json.js'
import type { AgentEvent } from '../../../core/data/event.js'
import type { ContextChange, Session, Turn } from '../../../core/data/session.js'
import type { ToolContext } from '../../../core/data/tool.js'
import type { AgentOptions } from '../../options.js'
import type { Recording, Trace, TracedAgent, TracedTool } from '../trace.js'

/** Replaces values of the tool context. */
const hidden = '[tool context]'
/** Replaces credentials. */
const secret = '[credential]'
/** A string of the tool context with at least this length may be a token, so it is redacted in all texts. */
const minTokenLength = 16
/** Shorter credentials are not redacted in texts, because they would match ordinary words. */
const minCredentialLength = 8

/** The trace of a recording. A deep copy: changing it does not affect the agent. */
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
    tools: tools.map(tracedTool),
    session: bareSession(start),
    events: entries.map(({ at, session, path, event }) =>
      session ? { at, session: bareSession(session) } : { at, path, event: bareEvent(event) },
    ),
  }
  const redactions = redactionsFor(recording, options)
  return JSON.parse(
    JSON.stringify(trace, (_key, value: unknown) => (typeof value === 'string' ? redact(value, redactions) : value)),
  ) as Trace
}

/** The definition of a tool, without its functions. */
function tracedTool({
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

/** A turn without address queries and without values of its tool context. */
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

/** An event without address queries and without values of the tool context. */
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

/** The context with each value replaced. */
function keysOf(context: ToolContext): ToolContext {
  return Object.fromEntries(Object.keys(context).map((key) => [key, hidden]))
}

/** The address without query and fragment, which may hold an API key. */
function bareUrl(url: string): string {
  return /^[^?#]*/.exec(url)?.[0] ?? ''
}

/** A text to redact, and what replaces it. */
type Redaction = readonly [text: string, mark: string]

/**
 * What is redacted in every text, because a tool may quote a token of its context, and a server a key of its request.
 * The longest come first: replacing a part of a longer one would leave the rest readable.
 */
function redactionsFor(
  { start, entries }: Recording,
  { headers, endpoint, toolContext = {} }: AgentOptions,
): Redaction[] {
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
  const tokens = stringsIn(values).filter((text) => text.length >= minTokenLength && !/\s/.test(text))
  return [
    ...credentials.filter((text) => text.length >= minCredentialLength).map((text) => [text, secret] as const),
    ...[...new Set(tokens)].map((text) => [text, hidden] as const),
  ].sort(([one], [other]) => other.length - one.length)
}

/** All strings in a value, at any depth. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function redact(text: string, redactions: readonly Redaction[]): string {
  let safe = text
  for (const [part, mark] of redactions) safe = safe.replaceAll(part, mark)
  return safe
}
