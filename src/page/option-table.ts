// The options of an agent, one entry of the table for each. A new option is an entry here, and its type with its
// docstring in options.ts. Attributes, properties of components, hints for unknown names and the reference follow from
// them. Only what the host needs of it is a line of client/host-config.ts.
import { effects, isEffect } from '../core/data/effect.js'
import { errorMessage } from '../core/data/errors.js'
import { dropUndefined, isObject } from '../core/data/json.js'
import { unclobbered } from '../core/data/dom-clobbering.js'
import { agentProvider, providerNames } from '../core/data/model.js'
import { defaultLimits, type Limits } from '../core/data/tool.js'
import {
  atLeast,
  checkFunction,
  checkName,
  fail,
  fields,
  flag,
  invalid,
  is,
  isFunction,
  isName,
  isText,
  oneOf,
  optionsOf,
  text,
  toolList,
  type Check,
  type Option,
} from './checks.js'
import { otherLimits } from './hints/other-libraries.js'
import { hookFields, unknownHooks } from './hints/unknown-names.js'
import { logWarning } from './log.js'
import type { AgentOptions, Provider } from './options.js'
import { randomId } from './random-id.js'
import { copyContext, strictJson } from './tool-context.js'

/** Checks the limits of a turn. */
export const checkLimits = fields(Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, atLeast(0)])), {
  what: 'limit',
  others: otherLimits,
})

/** A hook that does not exist is logged. One that resembles `beforeTool` throws: calls would run without this guard. */
const checkHooks: Check = (value, name) => {
  if (!isObject(value)) return fail(name, 'an object', value)
  for (const { name: key, meant, isProtection } of unknownHooks(value)) {
    const help =
      meant === undefined ? `The hooks are ${Object.keys(hookFields).join(', ')}` : `Did you mean "${meant}"?`
    const message = `${name}.${key} is not a hook and is never called. ${help}`
    if (isProtection) throw invalid(message)
    logWarning(message, message)
  }
}

const checkEndpoint: Check = (value, name) => {
  text(value, name)
  resolveEndpoint(value as string, name)
}

const checkHeaders: Check = (value, name) => {
  // Who writes a text here writes a key, which the error must not show.
  if (typeof value === 'string') throw invalid(`${name}: expected an object or a function, received a string`)
  if (!isObject(value) && !isFunction(value)) fail(name, 'an object or a function', value)
}

/** Characters of `pageContext`. A longer text is an error, because a part of it could say something else. */
const longestContext = 2000

/**
 * The text of the option `pageContext`, as it is checked when the option is set and sent with a message: a text as it
 * is, another value as JSON; undefined for nothing.
 * @throws TypeError for what JSON cannot hold, and for more than 2,000 characters
 */
export function contextText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(strictJson(value))
  if (text.length > longestContext)
    throw new TypeError(`at most ${longestContext} characters are allowed, received ${text.length}`)
  return text
}

const checkPageContext: Check = (value, name) => {
  try {
    if (!isFunction(value)) contextText(value)
  } catch (thrown) {
    throw invalid(`${name}: expected a function, a text or JSON: ${errorMessage(thrown)}`)
  }
}

/** The options of an agent. */
export const agentOptions: { readonly [Name in keyof Required<AgentOptions>]: Option<Required<AgentOptions>[Name]> } = {
  endpoint: {
    check: checkEndpoint,
    attribute: true,
    others: 'url baseurl apiurl api apiendpoint baseuri src href',
    isOfServer: true,
  },
  model: {
    check: is(
      (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
      'a string or a list of names',
    ),
    attribute: true,
    others: 'modelname modelid llm',
    isOfServer: true,
  },
  provider: {
    check: oneOf(...([...providerNames, agentProvider, 'browser'] satisfies Provider[])),
    attribute: true,
    others: 'vendor protocol',
    isOfServer: true,
  },
  host: { check: checkEndpoint, attribute: true, needsNewAgent: true },
  instructions: {
    check: text,
    attribute: true,
    others: 'system systemprompt systemmessage prompt',
    isOfServer: true,
  },
  sessionId: {
    check: checkName,
    attribute: true,
    others: 'session conversationid conversation threadid thread chatid id',
  },
  scope: {
    check: text,
    attribute: true,
    others: 'user userid tenant',
    needsNewAgent: true,
    // No conversation of another user is shown.
    strictest: () => `invalid-${randomId()}`,
  },
  resume: { check: oneOf('auto', 'ask'), attribute: true, isOfServer: true },
  approval: {
    check: oneOf('hints', 'always', 'off'),
    attribute: true,
    others: 'approvals approvalmode humanintheloop hitl',
    strictest: () => 'always',
  },
  workerUrl: { check: text, attribute: true, needsNewAgent: true, isOfServer: true },
  headers: { check: checkHeaders, others: 'apikey key authorization auth token bearer', isOfServer: true },
  credentials: { check: oneOf('same-origin', 'include'), isOfServer: true },
  toolContext: { check: copyContext, others: 'experimentalcontext runtimecontext' },
  pageContext: {
    check: checkPageContext,
    others: 'pagestate appcontext appstate readable currentcontext',
  },
  limits: {
    check: checkLimits,
    others: 'maxsteps maxturns maxiterations maxretries timeout limit',
    isOfServer: true,
  },
  todo: { check: checkTodo, markup: 'boolean or object', others: 'todos', isOfServer: true },
  toolSearch: {
    check: oneOf('auto', true, false),
  },
  contextWindow: {
    check: fields({ tokens: atLeast(1), clearAt: atLeast(1), keepResults: atLeast(0) } satisfies Record<
      keyof NonNullable<AgentOptions['contextWindow']>,
      Check
    >),
    isOfServer: true,
  },
  textProtocol: { check: checkTextProtocol, markup: 'boolean or object', isOfServer: true },
  modelAdapter: {
    check: is((value) => isObject(value) && isFunction(value['stream']), 'an object with a stream function'),
    isByIdentity: true,
    isOfServer: true,
  },
  retention: {
    check: fields({ maxSessions: atLeast(0), maxAge: atLeast(0) }, { what: 'limit' }),
    isOfServer: true,
  },
  stream: { check: flag, markup: 'boolean', isOfServer: true },
  debug: { check: flag, markup: 'boolean' },
  logErrors: { check: flag, markup: 'boolean' },
  exposeErrors: {
    check: is(
      (value) => value === 'message' || value === 'generic',
      "'message' or 'generic' (a text of your own: onToolError)",
    ),
  },
  effects: {
    check: is(
      (value) =>
        Array.isArray(value) &&
        value.every(
          (one) => isObject(one) && isEffect(one['effect']) && (isName(one['selector']) || isName(one['url'])),
        ),
      `a list of { selector or url, effect }, with one of the effects ${effects.join(', ')}`,
    ),
  },
  onToolError: {
    check: checkFunction,
    others: 'onunknowntool oninvalidinput oninvalidarguments onerror',
  },
  stopWhen: { check: checkFunction, others: 'stopcondition until', isOfServer: true },
  hooks: {
    check: checkHooks,
    others: 'middleware callbacks beforetool ontoolcall beforemodel aftertool',
    strictest: () => ({
      beforeTool: () => ({ refuse: 'This page is not set up correctly and runs no tools. Tell the user about it.' }),
    }),
  },
  tools: { check: toolList, others: 'functions actions', isOfAgentOnly: true },
}

const checkOptions = optionsOf(agentOptions, '')

/**
 * Returns the options without undefined ones. @throws `invalid-option` for an unknown name or a wrong value, and with
 * `host` for an option of the server.
 */
export function parseOptions(options: unknown): AgentOptions {
  checkOptions(options, 'options')
  const given = dropUndefined(options as AgentOptions)
  const table: Readonly<Record<string, Option>> = agentOptions
  const name = given.host && Object.keys(given).find((one) => table[one]?.isOfServer)
  if (name) throw invalid(`${name}: the server decides this`)
  return given
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
 * Returns the absolute URL of an endpoint or a host. @throws `invalid-option` unless it is https, localhost or of this
 * origin. A socket of a host counts as what a request would be.
 */
export function resolveEndpoint(endpoint: string, name = 'endpoint'): string {
  const base = typeof document === 'object' ? unclobbered(document).baseURI : undefined
  if (!URL.canParse(endpoint, base)) {
    throw invalid(`${name}: '${endpoint}' is not ${base ? 'a URL. Example: /v1' : 'an absolute URL'}`)
  }
  const url = new URL(endpoint, base)
  const isLocal = /^(?:(?:.+\.)?localhost|\[::1\]|127\..+)$/.test(url.hostname)
  const isHost = name === 'host'
  const protocol = isHost ? url.protocol.replace('ws', 'http') : url.protocol
  const origin = isHost ? `${protocol}//${url.host}` : url.origin
  const isOwnOrigin = typeof location === 'object' && origin === location.origin
  if (protocol !== 'https:' && !((protocol === 'http:' && isLocal) || isOwnOrigin)) {
    throw invalid(`${name}: '${url.origin}' is neither https, nor localhost, nor the page's own origin`)
  }
  if (url.username || url.password) {
    throw invalid(`${name}: a URL must not contain credentials`)
  }
  return url.href
}

/** Whether the options name a model. */
export function hasModel({ endpoint, host, modelAdapter, provider }: AgentOptions): boolean {
  return Boolean(endpoint || host || modelAdapter || provider === 'browser')
}

/** Replaces Infinity by the longest delay of a timer, because JSON cannot hold Infinity. Drops undefined limits. */
export function finiteLimits(limits: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(dropUndefined(limits)).map(([name, limit]) => [name, Math.min(limit, 2 ** 31 - 1)]),
  )
}
