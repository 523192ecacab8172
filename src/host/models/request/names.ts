// How requests name tools, calls and what a provider has stored with a part. Models invent names, and a session may
// contain ids of other providers, so both are made fit for the wire. The same input gives the same name each time.
import { isObject, type JsonObject } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import { canonicalJson } from '../../../core/data/plain-json.js'
import { fingerprint } from '../../../core/state/fingerprint.js'

/** The name of a call without one. It is answered like an unknown tool, so that the model can correct it. */
export const missingName = 'missing_name'

/** A tool name without characters that servers reject. */
export function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || missingName
}

/** The ids of calls that a server accepts. */
export interface IdRule {
  readonly accepts: RegExp
  /**
   * The length of the ids that replace others, at most 16.
   * @default as much of the old id as fits, and 16 characters of a hash
   */
  readonly length?: number
}

/** The rule of OpenAI, which most servers follow. */
export const usualIds: IdRule = { accepts: /^[\w.:-]{1,64}$/ }

/** The id for the wire. */
export function wireId(id: string, { accepts, length }: IdRule): string {
  if (accepts.test(id)) return id
  const hash = fingerprint(canonicalJson(id))
  return length === undefined ? `${id.replace(/[^\w-]/g, '_').slice(0, 23)}_${hash}` : hash.slice(-length)
}

/**
 * What a provider has stored with a part under its key; undefined if another one made the part. `bound`: fields that
 * must be equal, such as the model that alone can read the rest.
 */
export function ownMetadata<T extends object = JsonObject>(
  options: Metadata | undefined,
  key: string,
  bound: JsonObject = {},
): T | undefined {
  const own = options?.[key]
  const isOwn = isObject(own) && Object.entries(bound).every(([name, value]) => own[name] === value)
  return isOwn ? (own as T) : undefined
}
