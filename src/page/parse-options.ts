// Checks options when they are set, and throws an `invalid-option` error that names the option and what it expects.
import { effects, isEffect } from '../core/data/effect.js'
import { errorMessage, ToolAgentError } from '../core/data/errors.js'
import { dropUndefined, isObject } from '../core/data/json.js'
import { unclobbered } from '../core/data/dom-clobbering.js'
import { providerNames } from '../core/data/model.js'
import { defaultLimits, type Limits } from '../core/data/tool.js'
import { otherLimits, otherOptions, otherSendOptions } from './hints/other-libraries.js'
import { isFreeName, meantName, unknownHooks } from './hints/unknown-names.js'
import { logWarning } from './log.js'
import { contextText } from './facts/context-text.js'
import { copyContext } from './tool-context.js'
import type { AgentOptions, AgentToolOptions, Provider, SendOptions } from './options.js'

/** Throws `invalid-option` if the value of the option `name` is wrong. */
export type Check = (value: unknown, name: string) => void

/** Describes a value for an error message: `"a text"`, `an array`, `null`, `5`, `an object`. */
export function received(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

const invalid = (message: string): ToolAgentError => new ToolAgentError('invalid-option', message)

/** Throws the error for a value that is not what was expected. @throws `invalid-option` */
export const fail = (name: string, expected: string, value: unknown): never => {
  throw invalid(`${name}: expected ${expected}, received ${received(value)}`)
}
/** A check by a condition. */
export const is =
  (isValid: (value: unknown) => boolean, expected: string): Check =>
  (value, name) => {
    if (!isValid(value)) fail(name, expected, value)
  }
/** Whether the value is a string. */
export const isText = (value: unknown): boolean => typeof value === 'string'
const isName = (value: unknown): boolean => isText(value) && String(value).trim() !== ''
const isFunction = (value: unknown): boolean => typeof value === 'function'
/** Checks that the value is a string. */
export const text = is(isText, 'a string')
const flag = is((value) => typeof value === 'boolean', 'true or false')
/** Checks that the value is an object. */
export const object = is(isObject, 'an object')
/** Checks that the value is an array of tools. */
export const toolList = is(Array.isArray, 'an array of tools')
/** A check by a list of values. */
export const oneOf = (...values: readonly unknown[]): Check =>
  is((value) => values.includes(value), values.map((one) => `'${one}'`).join(' or '))
const atLeast = (minimum: number): Check =>
  is((value) => typeof value === 'number' && value >= minimum, `a number of at least ${minimum}`)
/** @throws `invalid-option` unless the value is a function. */
export const checkFunction = is(isFunction, 'a function')
/** @throws `invalid-option` unless the value is a non-empty string, such as a session's id. */
export const checkName = is(isName, 'a non-empty string')

/**
 * Checks an object whose fields are `known`. `what` is what a field is called in messages, `others` the names that
 * other libraries have for them. Undefined fields are valid.
 */
const fields =
  (
    known: Readonly<Record<string, Check>>,
    { what = 'option', prefix, others }: { what?: string; prefix?: string; others?: Record<string, string> } = {},
  ): Check =>
  (value, name) => {
    if (!isObject(value)) return fail(name, 'an object', value)
    for (const [key, one] of Object.entries(value)) {
      const path = (prefix ?? `${name}.`) + key
      const check = Object.hasOwn(known, key) ? known[key] : undefined
      if (one === undefined || isFreeName(key)) continue
      if (check === undefined) throw unknownOption(path, what, meantName(key, Object.keys(known), others), known)
      check(one, path)
    }
  }

/** The error for an option that does not exist, with the one that was meant or with all. */
export function unknownOption(path: string, what: string, meant: string | undefined, known: object): ToolAgentError {
  const help = meant === undefined ? `There are: ${Object.keys(known).join(', ')}` : `Did you mean "${meant}"?`
  return invalid(`${path}: there is no such ${what}. ${help}`)
}

const limitChecks = fields(Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, atLeast(0)])), {
  what: 'limit',
  others: otherLimits,
})

/** A hook that does not exist is logged. One that resembles `beforeTool` throws: calls would run without this guard. */
const checkHooks: Check = (value, name) => {
  if (!isObject(value)) return fail(name, 'an object', value)
  for (const { name: key, meant, isProtection } of unknownHooks(value)) {
    const help =
      meant === undefined ? 'The hooks are beforeModel, beforeTool and afterTool' : `Did you mean "${meant}"?`
    const message = `${name}.${key} is not a hook and is never called. ${help}`
    if (isProtection) throw invalid(message)
    logWarning(message, message)
  }
}

const checks: Record<keyof AgentOptions, Check> = {
  endpoint: (value, name) => {
    text(value, name)
    resolveEndpoint(value as string)
  },
  model: is(
    (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
    'a string or a list of names',
  ),
  provider: oneOf(...([...providerNames, 'browser'] satisfies Provider[])),
  instructions: text,
  sessionId: checkName,
  scope: text,
  resume: oneOf('auto', 'ask'),
  approval: oneOf('hints', 'always', 'off'),
  workerUrl: text,
  headers: (value, name) => {
    // Who writes a text here writes a key, which the error must not show.
    if (typeof value === 'string') throw invalid(`${name}: expected an object or a function, received a string`)
    if (!isObject(value) && !isFunction(value)) fail(name, 'an object or a function', value)
  },
  credentials: oneOf('same-origin', 'include'),
  toolContext: (value) => {
    copyContext(value)
  },
  pageContext: (value, name) => {
    try {
      if (!isFunction(value)) contextText(value)
    } catch (thrown) {
      throw invalid(`${name}: expected a function, a text or JSON: ${errorMessage(thrown)}`)
    }
  },
  limits: limitChecks,
  todo: checkTodo,
  contextWindow: fields({ tokens: atLeast(1), clearAt: atLeast(1), keepResults: atLeast(0) } satisfies Record<
    keyof NonNullable<AgentOptions['contextWindow']>,
    Check
  >),
  textProtocol: checkTextProtocol,
  modelAdapter: is((value) => isObject(value) && isFunction(value['stream']), 'an object with a stream function'),
  retention: fields({ maxSessions: atLeast(0), maxAge: atLeast(0) }, { what: 'limit' }),
  stream: flag,
  debug: flag,
  logErrors: flag,
  exposeErrors: is(
    (value) => value === 'message' || value === 'generic',
    "'message' or 'generic' (a text of your own: onToolError)",
  ),
  effects: is(
    (value) =>
      Array.isArray(value) &&
      value.every((one) => isObject(one) && isEffect(one['effect']) && (isName(one['selector']) || isName(one['url']))),
    `a list of { selector or url, effect }, with one of the effects ${effects.join(', ')}`,
  ),
  onToolError: checkFunction,
  stopWhen: checkFunction,
  hooks: checkHooks,
  tools: toolList,
}

/** A field of every tool, which is checked when the tool is registered. */
const ofTool: Check = () => {}
const instructions = is(isName, 'a text that says what this agent is for')
const agentToolChecks = fields(
  {
    name: ofTool,
    title: ofTool,
    description: ofTool,
    annotations: ofTool,
    returnDirect: ofTool,
    toModelOutput: ofTool,
    outputSchema: ofTool,
    needsApproval: flag,
    instructions,
    tools: toolList,
    model: text,
    input: oneOf('model', 'user-message'),
    history: oneOf('none', 'text'),
    limits: limitChecks,
  } satisfies Record<keyof AgentToolOptions, Check>,
  { prefix: '', others: otherOptions },
)

/** @throws `invalid-option` unless the value can be the options of `agentTool`. */
export const checkAgentTool: Check = (value, name) => {
  agentToolChecks(value, name)
  instructions((value as Partial<AgentToolOptions>).instructions, 'instructions')
}

/** Returns the options without undefined ones. @throws `invalid-option` for an unknown name or a wrong value. */
export function parseOptions(options: unknown): AgentOptions {
  fields(checks, { prefix: '', others: otherOptions })(options, 'options')
  return dropUndefined(options as AgentOptions)
}

/**
 * Returns the options of one send that are `known`, without undefined ones. Unknown options must throw, because the
 * options are stored with the turn. @throws `invalid-option`
 */
export function parseSend(options: unknown, known: Record<keyof SendOptions, Check>): SendOptions {
  fields(known, { prefix: 'send: ', others: otherSendOptions })(options, 'send: options')
  return dropUndefined(options as SendOptions)
}

function checkTodo(value: unknown, name: string): void {
  if (value === false) return
  if (!isObject(value)) return fail(name, 'false or { afterRounds, text }', value)
  type Todo = Exclude<AgentOptions['todo'], false | undefined>
  fields({ afterRounds: atLeast(0), text } satisfies Record<keyof Todo, Check>)(value, name)
}

function checkTextProtocol(value: unknown, name: string): void {
  if (typeof value === 'boolean') return
  if (!isObject(value)) return fail(name, 'true or { open, close, instructions }', value)
  fields({ open: checkName, close: checkName, instructions: checkName })(value, name)
  const { open, close } = value
  if ((open === undefined) !== (close === undefined)) throw invalid(`${name}: open and close must be set together`)
  const [opening, closing] = [String(open).trim(), String(close).trim()]
  if (open !== undefined && (opening.startsWith(closing) || closing.startsWith(opening)))
    fail(`${name}.close`, 'a text that starts differently from open', close)
}

/**
 * Returns the absolute URL of an endpoint. @throws `invalid-option` unless it is https, localhost or of this origin.
 */
export function resolveEndpoint(endpoint: string): string {
  const base = typeof document === 'object' ? unclobbered(document).baseURI : undefined
  if (!URL.canParse(endpoint, base)) {
    throw invalid(
      `endpoint: '${endpoint}' is not a URL${base ? '' : '; outside a page it must be absolute'}. Example: /v1`,
    )
  }
  const url = new URL(endpoint, base)
  const isLocal = /^(?:(?:.+\.)?localhost|\[::1\]|127\..+)$/.test(url.hostname)
  const isOwnOrigin = typeof location === 'object' && url.origin === location.origin
  if (url.protocol !== 'https:' && !((url.protocol === 'http:' && isLocal) || isOwnOrigin)) {
    throw invalid(`endpoint: '${url.origin}' is neither https, nor localhost, nor the page's own origin`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('endpoint: a URL must not contain credentials; use the headers property')
  }
  return url.href
}

/** Whether the options name a model. */
export function hasModel({ endpoint, modelAdapter, provider }: AgentOptions): boolean {
  return Boolean(endpoint) || modelAdapter !== undefined || provider === 'browser'
}

/** Replaces Infinity by the longest delay of a timer, because JSON cannot hold Infinity. Drops undefined limits. */
export function finiteLimits(limits: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(dropUndefined(limits)).map(([name, limit]) => [name, Math.min(limit, 2 ** 31 - 1)]),
  )
}
