// What a request of the page does, by its site, method, address and body. Queries of GraphQL and JSON-RPC are sent by
// POST and only read.
import type { Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { isObject } from '../../core/data/json.js'
import { shownAddress } from '../sensitive/redact.js'
import { effectOfCodeName } from './match-vocabulary.js'

/** The origin of another site, or the scheme of a URL such as `mailto:`; undefined for this site. */
export function siteOf(url: URL): string | undefined {
  if (/^(javascript|data|about):$/.test(url.protocol)) return undefined
  if (/^(https?|blob):$/.test(url.protocol)) return url.origin === location.origin ? undefined : url.origin
  return url.protocol
}

/** A request that the page is about to send. */
export interface PageRequest {
  /** In upper case. `SEND` for a message on a socket. */
  readonly method: string
  readonly url: URL
  /** The body as text, if it is known before the request is sent. */
  readonly body?: string | undefined
  /** The header `X-HTTP-Method-Override`, in upper case: what the server takes for the method. */
  readonly override?: string | undefined
  /** The page cannot read an answer: `sendBeacon`, or `fetch` with the mode `no-cors`. */
  readonly isUnanswered?: boolean | undefined
  /** It has a body that is no text, or not only. */
  readonly isUnreadable?: boolean | undefined
  /** The header `Next-Action`, by which Next.js names a server action. */
  readonly action?: string | undefined
}

/** Names of operations that read. */
const reading = /^(get|list|read|find|search|query|fetch|describe|count|exists|load|view|show|has|is)(?![a-z])/i

const parsed = (body: string | undefined): unknown => {
  if (body === undefined || !/^\s*[[{]/.test(body)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** One operation of a body: its name, and whether it only reads; undefined if the body names none. */
function operationOf(one: unknown): { readonly name?: string; readonly reads: boolean } | undefined {
  if (!isObject(one)) return undefined
  const { query, operationName, jsonrpc, method, payload } = one
  // Of GraphQL on a socket.
  if (query === undefined && isObject(payload) && 'query' in payload) return operationOf(payload)
  if (typeof query === 'string') {
    const text = query.replace(/#.*$/gm, '')
    const kinds = [...text.matchAll(/(?:^|\})\s*(query|mutation|subscription)?\s*([\w]*)\s*[({@]/g)]
    const name = typeof operationName === 'string' ? operationName : kinds[0]?.[2]
    return { ...(name ? { name } : {}), reads: kinds.length > 0 && !/\bmutation\b/.test(text) }
  }
  if (typeof operationName === 'string') return { name: operationName, reads: reading.test(operationName) }
  if (typeof method === 'string' && (typeof jsonrpc === 'string' || 'params' in one))
    return { name: method, reads: reading.test(method.split(/[./:_]/).at(-1) ?? '') }
  return undefined
}

/** Fields of a body whose value names an operation. */
const operationFields = /^(?:action|op|operation|cmd|command|intent|_method|operationName|mutation)$/i
/** Fields that may name one, or say what kind of thing the rest is. */
const kindFields = /^(?:type|method|do|event)$/i
/** Longer values are content. */
const longestName = 40

/** Whether a field of a body names an operation. */
function namesOperation(field: string, value: string): boolean {
  if (value === '' || value.length > longestName) return false
  return operationFields.test(field) || (kindFields.test(field) && effectOfCodeName(value) !== undefined)
}

/** The operations that an object and the objects in it name. */
function fieldsOf(one: unknown, depth = 0): string[] {
  if (!isObject(one)) return []
  return Object.entries(one).flatMap(([name, value]) => {
    if (typeof value === 'string') return namesOperation(name, value) ? [value] : []
    return depth === 0 ? fieldsOf(value, 1) : []
  })
}

/** The same of a body as forms send it. */
function formFields(body: string): string[] {
  if (!/^[\w.[\]%-]+=/.test(body)) return []
  return [...new URLSearchParams(body)].flatMap(([name, value]) => (namesOperation(name, value) ? [value] : []))
}

/** What the body says: the names of its operations, and whether all of them read. */
function readBody({ body, action }: PageRequest): { readonly name?: string; readonly reads: boolean } {
  if (action) return { name: action, reads: false }
  const json = parsed(body)
  const all = (Array.isArray(json) ? json : [json]).map(operationOf)
  if (all.length > 0 && all.every((one) => one !== undefined)) {
    const name = all.flatMap((one) => one.name ?? []).join(', ')
    return { ...(name === '' ? {} : { name }), reads: all.every(({ reads }) => reads) }
  }
  const declared =
    json === undefined ? formFields(body ?? '') : (Array.isArray(json) ? json : [json]).flatMap((one) => fieldsOf(one))
  return declared.length > 0 ? { name: declared.slice(0, 3).join(', '), reads: false } : { reads: false }
}

/** Parameters of an address whose value names an operation, as in `?do=delete`. */
const actingParameters = /^(?:action|act|op|operation|cmd|command|do|task|_?method)$/i
/** Parameters that are the operation, as in `?delete=7`. */
const actsByName =
  /^(?:delete|remove|erase|destroy|purge|trash|cancel|revoke|unsubscribe|deactivate|pay)(?:[-_]?\w+)?$/i
/** What the parameters of an address name: an operation that cannot be taken back, if one does. */
export function effectOfQuery(url: URL): 'destroy' | undefined {
  const acts = [...url.searchParams].some(([name, value]) =>
    actingParameters.test(name)
      ? value.length <= longestName && effectOfCodeName(value) === 'destroy'
      : actsByName.test(name) && !/^(?:0|false|no)?$/i.test(value),
  )
  return acts ? 'destroy' : undefined
}

/** Parts of an address under which applications pay, or end something. As names of links they are lists. */
const deeds = new RegExp(
  '^(?:payments?|pay|charges?|refunds?|checkout|transfers?|purchases?|withdrawals?|payouts?|donations?|' +
    'cancel|cancellations?|close|void|terminate|terminations?|reserve|sign)$',
  'i',
)
const reads = /^(?:search|list|find|query|preview|validate|quote|estimate|count)$/i
/** The class that the path of a request announces. */
function destroysByPath(url: URL): boolean {
  const parts = url.pathname.split('/').filter(Boolean)
  if (reads.test(parts.at(-1) ?? '')) return false
  return parts.some((part) => deeds.test(part) || effectOfCodeName(part) === 'destroy')
}

/** Whether a request deletes or pays, by its method, its address or the operations that it names. */
export function destroys(request: PageRequest, name = readBody(request).name): boolean {
  const { url } = request
  return (
    (request.override ?? request.method) === 'DELETE' ||
    effectOfQuery(url) === 'destroy' ||
    destroysByPath(url) ||
    (name ?? '').split(', ').some((one) => effectOfCodeName(one) === 'destroy')
  )
}

/**
 * What the request would do; undefined if it only reads. `here`: the origin of the page.
 */
export function effectOfRequest(request: PageRequest, here: string): StoppedEffect | undefined {
  const { url } = request
  const method = request.override ?? request.method
  const isHere = url.origin === here
  const isRead = /^(GET|HEAD|OPTIONS)$/.test(method)
  if (isRead && !(isHere && effectOfQuery(url))) return undefined
  const { name, reads } = readBody(request)
  if (isHere && reads && /^(POST|SEND)$/.test(method)) return undefined
  const onSite: Effect = destroys(request, name) ? 'destroy' : 'send'
  return {
    effect: isHere ? onSite : 'outside',
    does: 'request',
    method,
    url: shownAddress(url, false),
    ...(name ? { operation: name.slice(0, 80) } : {}),
    ...(isHere ? {} : { site: url.origin }),
  }
}
