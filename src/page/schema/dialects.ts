// Converts keywords of OpenAPI 3.0 and draft 4, and patterns that are valid only without Unicode mode, to what current
// validators and models read.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { invalidSchema } from './check-schema.js'
import { isPattern, mapSchema } from './walk.js'

type Draft = Record<string, JsonValue | undefined>

/**
 * A converted copy. `bounds: false` keeps boolean bounds, which a validator of draft 4 needs.
 * @throws `invalid-tool` for a boolean bound without its number, and for a pattern that cannot be converted
 */
export function toModernDialect(schema: JsonObject, what: string, { bounds = true } = {}): JsonObject {
  return mapSchema(schema, (inner, path) => {
    const copy: Draft = { ...inner }
    const place = (keyword: string): string => `${what}: ${pathText([...path, keyword])}`
    if (bounds) {
      numericBound(copy, 'maximum', 'exclusiveMaximum', place)
      numericBound(copy, 'minimum', 'exclusiveMinimum', place)
    }
    if (typeof copy['pattern'] === 'string') copy['pattern'] = unicodePattern(copy['pattern'], place)
    const { patternProperties } = copy
    if (isObject(patternProperties)) {
      const entries = Object.entries(patternProperties as JsonObject)
      copy['patternProperties'] = Object.fromEntries(entries.map(([name, item]) => [unicodePattern(name, place), item]))
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
    throw invalidSchema(`${place(exclusive)} is true, but "${bound}" is missing: expected a number there`)
  }
  schema[exclusive] = schema[bound]
  delete schema[bound]
}

/** With one of these keywords, adding the type `null` is not enough to allow null. */
const combining = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'if']

/** Replaces `nullable: true` by the type `null`. At the root it is dropped: arguments are never null. */
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

/**
 * The same pattern for Unicode mode. That mode has no needless backslashes, no unpaired brackets, and no range from or
 * to a class such as `\w` (there the hyphen means itself). Other differences, such as octal escapes, are not converted.
 * @throws `invalid-tool` if the result is not valid in Unicode mode
 */
function unicodePattern(pattern: string, place: (keyword: string) => string): string {
  if (isPattern(pattern, 'u')) return pattern
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
  if (!isPattern(made, 'u'))
    throw invalidSchema(`${place('pattern')} is not valid with the flag "u": ${JSON.stringify(pattern)}`)
  return made
}
