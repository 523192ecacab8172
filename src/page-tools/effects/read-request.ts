// What a request of the page does, by its method, address and body. Queries of GraphQL and JSON-RPC are sent by POST
// and only read.
import type { Effect, StoppedEffect } from '../../core/data/effect.js'
import { isObject } from '../../core/data/json.js'
import { shownAddress } from '../sensitive/redact-url.js'
import { effectOfCodeName } from './words.js'

/** A request that the page is about to send. */
export interface PageRequest {
  /** In upper case. */
  readonly method: string
  readonly url: URL
  /** The body as text, if it is known before the request is sent. */
  readonly body?: string | undefined
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
  const { query, operationName, jsonrpc, method } = one
  if (typeof query === 'string') {
    const text = query.replace(/#.*$/gm, '')
    const kinds = [...text.matchAll(/(?:^|\})\s*(query|mutation|subscription)?\s*([\w]*)\s*[({@]/g)]
    const name = typeof operationName === 'string' ? operationName : kinds[0]?.[2]
    return { ...(name ? { name } : {}), reads: kinds.length > 0 && !/\bmutation\b/.test(text) }
  }
  if (typeof operationName === 'string') return { name: operationName, reads: reading.test(operationName) }
  if (typeof jsonrpc === 'string' && typeof method === 'string')
    return { name: method, reads: reading.test(method.split(/[./:_]/).at(-1) ?? '') }
  return undefined
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
  const declared = /(?:^|&)_method=(\w+)/.exec(body ?? '')?.[1]
  return declared ? { name: declared.toUpperCase(), reads: false } : { reads: false }
}

/**
 * What the request would do; undefined if it only reads. `here`: the origin of the page.
 */
export function effectOfRequest(request: PageRequest, here: string): StoppedEffect | undefined {
  const { method, url } = request
  if (/^(GET|HEAD|OPTIONS)$/.test(method)) return undefined
  const { name, reads } = readBody(request)
  const isHere = url.origin === here
  if (isHere && reads && method === 'POST') return undefined
  const acts = [method === 'DELETE' ? 'delete' : '', name ?? '', url.pathname.split('/').at(-1) ?? '']
  const effect: Effect = acts.some((one) => effectOfCodeName(one) === 'destroy') ? 'destroy' : 'send'
  return {
    effect: isHere ? effect : 'outside',
    does: 'request',
    method,
    url: shownAddress(url, false),
    ...(name ? { operation: name.slice(0, 80) } : {}),
    ...(isHere ? {} : { site: url.origin }),
  }
}
