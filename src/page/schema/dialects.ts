// From the JSON Schema of OpenAPI 3.0, and patterns that are valid only outside of Unicode mode, to what validators and
// models of today read. Loaded where a schema has any of that.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { invalidSchema } from './kinds.js'
import { mapSchema } from './walk.js'

type Draft = Record<string, JsonValue | undefined>

/** `bounds: false` keeps boolean bounds, for a validator of draft 4. Throws `invalid-tool` for what has no meaning. */
export function toModernDialect(schema: JsonObject, what: string, { bounds = true } = {}): JsonObject {
  return mapSchema(schema, (inner, path) => {
    const copy: Draft = { ...inner }
    const place = (keyword: string): string => `${what}: ${pathText([...path, keyword])}`
    if (bounds) {
      numericBound(copy, 'maximum', 'exclusiveMaximum', place)
      numericBound(copy, 'minimum', 'exclusiveMinimum', place)
    }
    if (typeof copy['pattern'] === 'string') copy['pattern'] = unicodePattern(copy['pattern'])
    const { patternProperties } = copy
    if (isObject(patternProperties)) {
      const entries = Object.entries(patternProperties as JsonObject)
      copy['patternProperties'] = Object.fromEntries(entries.map(([name, item]) => [unicodePattern(name), item]))
    }
    return withNull(copy, path.length === 0)
  })
}

/** `maximum: 10, exclusiveMaximum: true` becomes `exclusiveMaximum: 10`. */
function numericBound(
  schema: Draft,
  bound: 'minimum' | 'maximum',
  exclusive: string,
  place: (keyword: string) => string,
): void {
  const isExclusive = schema[exclusive]
  if (typeof isExclusive !== 'boolean') return
  delete schema[exclusive]
  if (!isExclusive) return
  if (typeof schema[bound] !== 'number') {
    throw invalidSchema(`${place(exclusive)} is true, but there is no "${bound}" beside it: give the number`)
  }
  schema[exclusive] = schema[bound]
  delete schema[bound]
}

/** Keywords beside which another type would not be enough for `null`. */
const combining = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'if']

/** `nullable: true` as a type of its own. The arguments as a whole are never null. */
function withNull(schema: JsonObject, isRoot: boolean): JsonObject {
  const { nullable, ...rest } = schema
  if (typeof nullable !== 'boolean') return schema
  if (!nullable || isRoot) return rest
  if (combining.some((key) => key in rest)) {
    const { title, description, default: usual, ...inner } = rest
    return { anyOf: [inner, { type: 'null' }], ...dropUndefined({ title, description, default: usual }) }
  }
  const { type, enum: allowed } = rest
  return {
    ...rest,
    ...(type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] as JsonValue }),
    ...(Array.isArray(allowed) ? { enum: [...new Set([...(allowed as readonly JsonValue[]), null])] } : {}),
  }
}

const isUnicode = (pattern: string): boolean => {
  try {
    return Boolean(new RegExp(pattern, 'u'))
  } catch {
    return false
  }
}

/**
 * The same pattern for Unicode mode, which allows no needless backslash, no brackets that close or open nothing, and no
 * range from or to a class such as `\w`: there the hyphen means itself.
 */
function unicodePattern(pattern: string): string {
  if (isUnicode(pattern)) return pattern
  let made = ''
  let inClass = false
  let before = ''
  const isClass = /^\\[dDwWsS]/
  const token = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|p\{[^}]*\}|\d+|.)|\{\d+(?:,\d*)?\}|[^]/gy
  for (let match = token.exec(pattern); match; match = token.exec(pattern)) {
    const [text] = match
    if (text.startsWith('\\')) {
      const isNeeded =
        text.length > 2 || /[\^$\\.*+?()[\]{}|/dDwWsSbBfnrtv\d]/.test(text.slice(1)) || (inClass && text === '\\-')
      made += isNeeded ? text : text.slice(1)
    } else if (inClass) {
      made += text === '-' && (isClass.test(before) || isClass.test(pattern.slice(token.lastIndex))) ? '\\-' : text
      if (text === ']') inClass = false
    } else if (text === '[') {
      inClass = true
      made += text
    } else {
      made += /^[\]{}]$/.test(text) ? `\\${text}` : text
    }
    before = text
  }
  return made
}
