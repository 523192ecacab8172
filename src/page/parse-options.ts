// Options are checked where they are set: a wrong one throws at once, names itself and says what would be right.
import { ToolAgentError } from '../core/data/errors.js'
import { isObject } from '../core/data/json.js'
import type { FilePart, TextPart } from '../core/data/message.js'
import type { HostConfig } from '../core/data/protocol.js'
import { unclobbered } from '../core/data/unclobbered.js'
import { defaultLimits, defaultReminder, type Limits } from '../core/data/tool.js'
import { copyContext } from './tool-context.js'
import type { AgentOptions, SendOptions } from './options.js'
import { modelUrls } from './link/spawn.js'

type Check = (value: unknown, name: string) => void

/** What was given, in the words of an error message. */
export const received = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 80))
    : Array.isArray(value)
      ? 'an array'
      : value === null || value === undefined || typeof value === 'number'
        ? String(value)
        : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`

const fail = (name: string, needed: string, value: unknown): never => {
  throw new ToolAgentError('invalid-option', `${name}: ${needed} is needed, got ${received(value)}`)
}
/** A name that there is not, with those that there are. */
const unknown = (name: string, what: string, known: object): never => {
  throw new ToolAgentError(
    'invalid-option',
    `${name}: there is no such ${what}. There are: ${Object.keys(known).join(', ')}`,
  )
}
const text: Check = (value, name) => {
  if (typeof value !== 'string') fail(name, 'a string', value)
}
const flag: Check = (value, name) => {
  if (typeof value !== 'boolean') fail(name, 'true or false', value)
}
const callable: Check = (value, name) => {
  if (typeof value !== 'function') fail(name, 'a function', value)
}
const object: Check = (value, name) => {
  if (!isObject(value)) fail(name, 'an object', value)
}
const oneOf =
  (...values: string[]): Check =>
  (value, name) => {
    if (typeof value !== 'string' || !values.includes(value))
      fail(name, values.map((one) => `'${one}'`).join(' or '), value)
  }
const either =
  (checks: Check[], needed: string): Check =>
  (value, name) => {
    const fits = checks.some((check) => {
      try {
        check(value, name)
        return true
      } catch {
        return false // The next alternative may fit; the error below names them all.
      }
    })
    if (!fits) fail(name, needed, value)
  }
/** Numbers by name, each with the least that makes sense. */
const numbers =
  (what: string, least: Readonly<Record<string, number>>): Check =>
  (value, name) => {
    object(value, name)
    for (const [key, one] of Object.entries(value as object)) {
      if (!Object.hasOwn(least, key)) unknown(`${name}.${key}`, what, least)
      if (one !== undefined && !(typeof one === 'number' && one >= least[key]!))
        fail(`${name}.${key}`, `a number, ${least[key]} or more,`, one)
    }
  }
const isFalse: Check = (value, name) => {
  if (value !== false) fail(name, 'false', value)
}

const checks: Record<keyof AgentOptions, Check> = {
  endpoint: (value, name) => {
    text(value, name)
    resolveEndpoint(value as string)
  },
  model: text,
  provider: oneOf('openai', 'openai-responses', 'anthropic', 'google', 'browser'),
  instructions: text,
  sessionId: checkName,
  scope: text,
  resume: oneOf('auto', 'ask', 'never'),
  approval: oneOf('hints', 'always', 'off'),
  workerUrl: text,
  headers: either([object, callable], 'an object or a function'),
  credentials: oneOf('same-origin', 'include'),
  toolContext: (value) => {
    copyContext(value)
  },
  limits: numbers('limit', Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 0]))),
  todo: either([isFalse, object], 'false or { afterRounds, text }'),
  context: numbers('option', { tokens: 1, keepResults: 0 }),
  textProtocol: checkTextProtocol,
  modelAdapter: (value, name) => {
    if (!isObject(value) || typeof value['stream'] !== 'function') fail(name, 'an object with a stream function', value)
  },
  retention: numbers('limit', { maxSessions: 0, maxAge: 0 }),
  stream: flag,
  debug: flag,
  logErrors: flag,
  exposeErrors: either([oneOf('message', 'generic'), callable], "'message', 'generic' or a function"),
  onUnknownTool: callable,
  onInvalidInput: callable,
  onToolError: callable,
  stopWhen: callable,
  hooks: object,
  tools: (value, name) => {
    if (!Array.isArray(value)) fail(name, 'an array of tools', value)
  },
}

/** The options without undefined ones. Throws `invalid-option` for an unknown name or a value that does not fit. */
export function parseOptions(options: unknown): AgentOptions {
  return parse(options, checks, '') as AgentOptions
}

function parse(options: unknown, known: Record<string, Check>, where: string): object {
  object(options, `${where}options`)
  const entries = Object.entries(options as object).filter(([, value]) => value !== undefined)
  for (const [name, value] of entries) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined
    if (check) check(value, `${where}${name}`)
    else unknown(`${where}${name}`, 'option', known)
  }
  return Object.fromEntries(entries)
}

const sendChecks: Record<keyof SendOptions, Check> = {
  tools: (value, name) => {
    if (!Array.isArray(value)) fail(name, 'an array of tools', value)
  },
  toolsMode: oneOf('merge', 'replace'),
  activeTools: (value, name) => {
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) fail(name, 'an array of names', value)
  },
  toolContext: object,
  toolChoice: (value, name) => {
    if (
      isObject(value)
        ? value['type'] !== 'tool' || typeof value['toolName'] !== 'string'
        : !['auto', 'none', 'required'].includes(String(value))
    ) {
      fail(name, "'auto', 'none', 'required' or { type: 'tool', toolName }", value)
    }
  },
  instructions: text,
  signal: (value, name) => {
    if (!(value instanceof AbortSignal)) fail(name, 'an AbortSignal', value)
  },
  whenBusy: oneOf('queue', 'interrupt'),
}

/** The options of one send; what it does not know must not be stored with the turn, so it throws. */
export function parseSendOptions(options: unknown): SendOptions {
  return parse(options, sendChecks, 'send: ') as SendOptions
}

/** A name that something is found by, such as a session's id. */
export function checkName(value: unknown, name: string): void {
  if (typeof value !== 'string' || value.trim() === '') fail(name, 'a non-empty string', value)
}

/** What is sent, as parts. */
export function parseInput(input: unknown): readonly (TextPart | FilePart)[] {
  if (typeof input === 'string') return [{ type: 'text', text: input }]
  const fits = (part: unknown) =>
    isObject(part) &&
    (part['type'] === 'text' ? ['text'] : part['type'] === 'file' ? ['mediaType', 'data'] : ['']).every(
      (key) => typeof part[key] === 'string',
    )
  if (!Array.isArray(input) || !input.every(fits))
    fail(
      'send',
      "a text, or an array of { type: 'text', text } and { type: 'file', mediaType, data },",
      Array.isArray(input) ? input.find((part) => !fits(part)) : input,
    )
  return input as (TextPart | FilePart)[]
}

function checkTextProtocol(value: unknown, name: string): void {
  if (typeof value === 'boolean') return
  if (!isObject(value)) return fail(name, 'true or { open, close, instructions }', value)
  const { open, close, instructions, ...rest } = value
  const known = { open, close, instructions }
  for (const key of Object.keys(rest)) unknown(`${name}.${key}`, 'option', known)
  for (const [key, one] of Object.entries(known)) {
    if (one !== undefined && (typeof one !== 'string' || one.trim() === ''))
      fail(`${name}.${key}`, 'a non-empty string', one)
  }
  const [one, other] = [String(open).trim(), String(close).trim()]
  if ((open === undefined) !== (close === undefined))
    throw new ToolAgentError('invalid-option', `${name}: open and close are given together`)
  if (open !== undefined && (one.startsWith(other) || other.startsWith(one)))
    fail(`${name}.close`, 'another text than open, and none that begins the other,', close)
}

/** The absolute URL of an endpoint. It must be https, on localhost, or of the page's own origin. */
export function resolveEndpoint(endpoint: string): string {
  const base = typeof document === 'object' ? unclobbered(document).baseURI : undefined
  if (!URL.canParse(endpoint, base)) {
    throw new ToolAgentError(
      'invalid-option',
      `endpoint: '${endpoint}' is not a URL${base ? '' : '; outside a page it must be absolute'}. Example: /v1`,
    )
  }
  const url = new URL(endpoint, base)
  const isLocal =
    url.hostname === 'localhost' ||
    url.hostname.endsWith('.localhost') ||
    url.hostname === '[::1]' ||
    /^127\./.test(url.hostname)
  const isOwn = typeof location === 'object' && url.origin === location.origin
  if (url.protocol !== 'https:' && !((url.protocol === 'http:' && isLocal) || isOwn)) {
    throw new ToolAgentError(
      'invalid-option',
      `endpoint: '${url.origin}' is neither https, nor localhost, nor the page's own origin`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolAgentError('invalid-option', 'endpoint: credentials do not belong in a URL; use the headers property')
  }
  return url.href
}

/** What of the options the host needs: JSON alone, without a credential. */
export function hostConfig(options: AgentOptions): HostConfig {
  const { endpoint, todo, hooks, headers, modelAdapter, textProtocol } = options
  return {
    ...(endpoint === undefined || endpoint === '' ? {} : { endpoint: resolveEndpoint(endpoint) }),
    model: options.model ?? '',
    provider: options.provider ?? 'openai',
    ...modelUrls(options.workerUrl),
    pageModel: modelAdapter !== undefined,
    instructions: options.instructions ?? '',
    limits: { ...defaultLimits, ...finiteLimits(options.limits ?? {}) },
    todo: todo === false ? false : { ...defaultReminder, ...dropUndefined(todo ?? {}) },
    ...(textProtocol ? { textProtocol: textProtocol === true || dropUndefined(textProtocol) } : {}),
    stream: options.stream ?? true,
    credentials: options.credentials ?? 'same-origin',
    resume: options.resume ?? 'auto',
    context: dropUndefined(options.context ?? {}),
    hooks: { beforeModel: hooks?.beforeModel !== undefined, headers: headers !== undefined },
    ...(options.retention ? { retention: dropUndefined(options.retention) } : {}),
    debug: options.debug ?? false,
  }
}

/** Infinity is a fine limit for people, but no JSON and no time for a timer. */
export function finiteLimits(limits: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(dropUndefined(limits)).map(([name, limit]) => [name, Math.min(limit, 2 ** 31 - 1)]),
  )
}

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T
}
