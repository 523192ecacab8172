// The values in a body, however deep they are. A body has names of its own, so what was filled is found by its value.
import { isObject, parseJson } from '../../core/data/json.js'

/** Texts in texts are read to this depth. */
const deepest = 3

/** The values in a body: of JSON, also one a line; of a form or an address; of JSON in one of these. A text is one. */
export function leavesOf(body: string, depth = 0): string[] {
  if (depth >= deepest) return [body]
  const json = parseJson(body)
  if (json !== undefined) return jsonLeaves(json, depth)
  const lines = body.split('\n')
  if (lines.length > 1) return [body, ...lines.flatMap((line) => leavesOf(line, depth + 1))]
  const values = [...new URLSearchParams(body.replace(/^[^=]*\?/, '')).values()].filter((value) => value !== '')
  return [body, ...values.flatMap((value) => leavesOf(value, depth + 1))]
}

function jsonLeaves(value: unknown, depth: number): string[] {
  if (Array.isArray(value) || isObject(value)) return Object.values(value).flatMap((one) => jsonLeaves(one, depth))
  const text = String(value)
  return typeof value === 'string' && /^\s*[[{]/.test(text) ? [text, ...leavesOf(text, depth + 1)] : [text]
}
