// Checks a tool before it is registered. Each error names the field and what it must be.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import { internals, builtinToolNames, type ToolAnnotations } from '../../core/data/tool.js'
import { otherAnnotations } from '../hints/other-libraries.js'
import { unknownAnnotations, unknownToolFields, type UnknownName } from '../hints/unknown-names.js'
import { logWarning } from '../log.js'
import { received } from '../checks.js'
import { strictJson } from '../tool-context.js'
import type { AnyTool } from './tool.js'

/** The annotations that must be booleans. */
const annotationHints = Object.keys(otherAnnotations)

/** Creates the `invalid-tool` error for a tool, with its name if it has one. */
export function invalidTool(name: unknown, problem: string, cause?: unknown): ToolAgentError {
  const who = typeof name === 'string' && name !== '' ? `Tool "${name.slice(0, 80)}"` : 'A tool'
  return new ToolAgentError('invalid-tool', `${who}: ${problem}`, cause === undefined ? {} : { cause })
}

/**
 * Checks every field of a tool except its schemas, which `createToolEntry` checks. Logs fields that do not exist,
 * unless somebody else wrote the tool.
 * @param source `provider` for a provider's tools; undefined for the page's own tools.
 * @throws ToolAgentError `invalid-tool`.
 */
export function checkTool(tool: unknown, source?: string): asserts tool is AnyTool {
  if (!isObject(tool))
    throw invalidTool(
      undefined,
      `expected an object like { name, description, inputSchema, execute }, received ${received(tool)}`,
    )
  const { name, annotations } = tool
  if ((tool as unknown as AnyTool)[internals]?.isDiscovered !== true) {
    checkNames(tool, unknownToolFields(tool), 'a field of a tool')
    // A provider may pass on annotations of others, which may have some that we do not know.
    if (isObject(annotations) && source === undefined)
      checkNames(tool, unknownAnnotations(annotations), 'an annotation')
  }
  const must = (ok: boolean, field: string, expected: string, value = tool[field]): void => {
    if (!ok) throw invalidTool(name, `${field}: expected ${expected}, received ${received(value)}`)
  }
  const optional = (field: string, ...types: readonly string[]): void =>
    must(['undefined', ...types].includes(typeof tool[field]), field, `a ${types.join(' or a ')}`)
  must(
    /^[A-Za-z0-9_-]{1,64}$/.test(typeof name === 'string' ? name : ''),
    'name',
    '1 to 64 letters, digits, "_" or "-"',
  )
  if (builtinToolNames.has(String(name))) throw invalidTool(name, 'a built-in tool has this name; choose another')
  optional('title', 'string')
  optional('description', 'string', 'function')
  optional('execute', 'function')
  optional('exclusive', 'boolean')
  optional('alwaysOffered', 'boolean')
  optional('toModelOutput', 'function')
  optional('summary', 'function')
  optional('undo', 'function')
  optional('needsApproval', 'boolean', 'function')
  optional('question', 'function')
  must(
    [undefined, true, false, 'if-last'].includes(tool['returnDirect'] as boolean),
    'returnDirect',
    "a boolean or 'if-last'",
  )
  const { timeout = 0, maxRetries = 0 } = tool
  must(Number.isFinite(timeout) && Number(timeout) >= 0, 'timeout', 'milliseconds from 0, where 0 means no time-out')
  must(Number.isInteger(maxRetries) && Number(maxRetries) >= 0, 'maxRetries', 'a whole number from 0')
  must(annotations === undefined || isObject(annotations), 'annotations', 'an object, such as { readOnlyHint: true }')
  for (const hint of annotationHints) {
    const value = isObject(annotations) ? annotations[hint] : undefined
    must(['undefined', 'boolean'].includes(typeof value), `annotations.${hint}`, 'true or false', value)
  }
}

/**
 * Logs each name that does not exist, once. One that resembles a protection throws, because the tool would run without
 * it. A name of another library is fine where ours is there as well.
 */
function checkNames(tool: Record<string, unknown>, unknown: readonly UnknownName[], kind: string): void {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(tool) as null)
  for (const { name, meant, isProtection, isMistyped } of unknown) {
    const [field = '', hint] = meant?.split('.') ?? []
    const right = hint === undefined ? tool[field] : isObject(tool[field]) && tool[field][hint]
    const isSet = right !== undefined && right !== false
    const problem = `"${name}" is not ${kind}`
    if (isProtection && (!isSet || field === 'annotations')) {
      throw invalidTool(tool['name'], `${problem}. Write ${meant}, or it would run without this protection`)
    } else if (meant !== undefined && !isSet) {
      warnOnce(tool, `${problem} and has no effect. Did you mean "${hint ?? field}"${hint ? ', in annotations' : ''}?`)
    } else if (isMistyped) {
      warnOnce(tool, `${problem} and has no effect. "${hint ?? field}" is there as well: remove one of them`)
    } else if (meant === undefined && isPlain) {
      warnOnce(tool, `${problem} and has no effect. A field of your own can be named "x-${name}"`)
    }
  }
}

function warnOnce(tool: Record<string, unknown>, problem: string): void {
  const { message } = invalidTool(tool['name'], problem)
  logWarning(message, message)
}

/**
 * Returns the annotations as JSON. For a discovered tool, `readOnlyHint` and `idempotentHint` are ignored, because they
 * are claims of a third party.
 * @throws ToolAgentError `invalid-tool` if the annotations have no JSON form.
 */
export function annotationsOf({ name, annotations = {}, [internals]: own }: AnyTool): ToolAnnotations {
  try {
    const given = strictJson(annotations) as ToolAnnotations
    return own?.isDiscovered
      ? { ...given, readOnlyHint: false, idempotentHint: false, untrustedContentHint: true }
      : given
  } catch (error) {
    throw invalidTool(name, `annotations: JSON cannot hold them (${errorMessage(error)})`, error)
  }
}
