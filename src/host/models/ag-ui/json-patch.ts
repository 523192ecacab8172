// JSON Patch (RFC 6902) for the state that an agent changes. A patch applies as a whole or not at all. A document is
// never changed, so that what was shown before stays as it was.
import { isObject, isPrototypeKey, type JsonArray, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import { canonicalJson } from '../../../core/data/plain-json.js'

/** The document after a patch; undefined if the patch does not fit it, or names the prototype of an object. */
export function patched(target: JsonValue, patch: unknown): JsonValue | undefined {
  if (!Array.isArray(patch)) return undefined
  let next: JsonValue | undefined = target
  for (const operation of patch as readonly unknown[]) {
    if (next === undefined || !isObject(operation)) return undefined
    next = afterOperation(next, operation)
  }
  return next
}

function afterOperation(target: JsonValue, operation: Record<string, unknown>): JsonValue | undefined {
  const path = tokensOf(operation['path'])
  const from = tokensOf(operation['from'])
  const value = operation['value'] as JsonValue | undefined
  if (path === undefined) return undefined
  switch (operation['op']) {
    case 'add':
      return value === undefined ? undefined : placed(target, path, value)
    case 'replace':
      if (value === undefined || valueAt(target, path) === undefined) return undefined
      return placed(target, path, value, true)
    case 'remove':
      return without(target, path)
    case 'test': {
      const found = valueAt(target, path)
      const isEqual = found !== undefined && value !== undefined && canonicalJson(found) === canonicalJson(value)
      return isEqual ? target : undefined
    }
    case 'copy':
    case 'move': {
      const moved = from && valueAt(target, from)
      if (from === undefined || moved === undefined) return undefined
      if (operation['op'] === 'copy') return placed(target, path, moved)
      const isInside = path.length > from.length && from.every((token, index) => token === path[index])
      if (isInside) return undefined
      if (path.length === from.length && from.every((token, index) => token === path[index])) return target
      // The whole document stays where it is only if it replaces itself.
      const rest = without(target, from)
      return rest === undefined ? undefined : placed(rest, path, moved)
    }
    default:
      return undefined
  }
}

/** The keys of a JSON Pointer; undefined if it is none, or if a key could change a prototype. */
function tokensOf(pointer: unknown): readonly string[] | undefined {
  if (typeof pointer !== 'string') return undefined
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  const tokens = pointer
    .slice(1)
    .split('/')
    .map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'))
  return tokens.some(isPrototypeKey) ? undefined : tokens
}

/** The index that a key names in a list, at most `most`. */
function indexIn(token: string, most: number): number | undefined {
  const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Infinity
  return index <= most ? index : undefined
}

function valueAt(target: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = target
  for (const token of path) value = value === undefined ? undefined : childOf(value, token)
  return value
}

function childOf(value: JsonValue, token: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const list = value as JsonArray
    const index = indexIn(token, list.length - 1)
    return index === undefined ? undefined : list[index]
  }
  return isObject(value) && Object.hasOwn(value, token) ? (value as JsonObject)[token] : undefined
}

/** `isReplaced`: the value takes the place of another one. @default an item is inserted into its list */
function placed(
  target: JsonValue,
  [token, ...rest]: readonly string[],
  value: JsonValue,
  isReplaced = false,
): JsonValue | undefined {
  if (token === undefined) return value
  if (rest.length > 0) return changed(target, token, (child) => placed(child, rest, value, isReplaced))
  if (Array.isArray(target)) {
    const list = target as JsonArray
    const index = token === '-' ? list.length : indexIn(token, list.length)
    return index === undefined ? undefined : list.toSpliced(index, isReplaced ? 1 : 0, value)
  }
  return isObject(target) ? { ...(target as JsonObject), [token]: value } : undefined
}

function without(target: JsonValue, [token, ...rest]: readonly string[]): JsonValue | undefined {
  // There is no document without a value.
  if (token === undefined) return undefined
  if (rest.length > 0) return changed(target, token, (child) => without(child, rest))
  if (childOf(target, token) === undefined) return undefined
  if (Array.isArray(target)) return (target as JsonArray).toSpliced(Number(token), 1)
  const { [token]: _removed, ...others } = target as JsonObject
  return others
}

function changed(
  target: JsonValue,
  token: string,
  change: (child: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  const before = childOf(target, token)
  const after = before === undefined ? undefined : change(before)
  if (after === undefined) return undefined
  if (Array.isArray(target)) return (target as JsonArray).with(Number(token), after)
  return { ...(target as JsonObject), [token]: after }
}
