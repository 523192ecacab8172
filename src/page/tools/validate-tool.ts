// Checks a tool before it is registered. Each error names the field and what it must be.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import { plainJson } from '../../core/data/plain-json.js'
import { isDiscoveredTool, builtinToolNames, type ToolAnnotations } from '../../core/data/tool.js'
import * as log from '../log.js'
import type { AnyTool } from './tool.js'

/** The annotations that must be booleans. */
export const annotationHints = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'untrustedContentHint',
  'consequentialHint',
]

/** Creates the `invalid-tool` error for a tool, with its name if it has one. */
export function invalidTool(name: unknown, problem: string, cause?: unknown): ToolAgentError {
  const who = typeof name === 'string' && name !== '' ? `Tool "${name.slice(0, 80)}"` : 'A tool'
  return new ToolAgentError('invalid-tool', `${who}: ${problem}`, cause === undefined ? {} : { cause })
}

/**
 * Checks every field of a tool except its schemas, which `createToolEntry` compiles.
 * @throws ToolAgentError `invalid-tool`.
 */
export function checkTool(tool: unknown): asserts tool is AnyTool {
  if (!isObject(tool))
    throw invalidTool(
      undefined,
      'it must be an object like { name, description, inputSchema, execute }, ' +
        `not ${Array.isArray(tool) ? 'an array' : String(tool)}`,
    )
  const { name } = tool
  const must = (ok: boolean, problem: string): void => {
    if (!ok) throw invalidTool(name, problem)
  }
  const optional = (field: string, type: string): void =>
    must(tool[field] === undefined || typeof tool[field] === type, `${field} must be a ${type}`)
  must(typeof name === 'string', 'name must be a string')
  must(
    /^[A-Za-z0-9_-]{1,64}$/.test(String(name)),
    'the name must be 1 to 64 letters, digits, "_" or "-", because models accept no others',
  )
  must(!builtinToolNames.has(String(name)), 'a built-in tool has this name; choose another')
  must(
    ['string', 'function', 'undefined'].includes(typeof tool['description']),
    'description must be a string or a function that returns one',
  )
  must(tool['execute'] === undefined || typeof tool['execute'] === 'function', 'execute must be a function')
  optional('title', 'string')
  optional('exclusive', 'boolean')
  optional('toModelOutput', 'function')
  must(
    ['boolean', 'function', 'undefined'].includes(typeof tool['needsApproval']),
    'needsApproval must be a boolean or a function',
  )
  must(
    [undefined, true, false, 'if-last'].includes(tool['returnDirect'] as boolean),
    "returnDirect must be true, false or 'if-last'",
  )
  for (const field of ['timeout', 'maxRetries']) {
    const value = tool[field]
    must(
      value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= 0),
      `${field} must be a number from 0${field === 'timeout' ? ', in milliseconds; 0 for none' : ''}`,
    )
  }
  must(tool['maxRetries'] === undefined || Number.isInteger(tool['maxRetries']), 'maxRetries must be a whole number')
  const { annotations } = tool
  must(
    annotations === undefined || isObject(annotations),
    'annotations must be an object, such as { readOnlyHint: true }',
  )
  for (const hint of annotationHints) {
    const value = isObject(annotations) ? annotations[hint] : undefined
    must(value === undefined || typeof value === 'boolean', `annotations.${hint} must be true or false`)
  }
}

/**
 * Returns the annotations as JSON. For a discovered tool, `readOnlyHint` and `idempotentHint` are ignored, because they
 * are claims of a third party.
 * @throws ToolAgentError `invalid-tool` if the annotations have no JSON form.
 */
export function annotationsOf({ name, annotations = {}, [isDiscoveredTool]: isDiscovered }: AnyTool): ToolAnnotations {
  try {
    const given = plainJson(annotations, 'annotations') as ToolAnnotations
    return isDiscovered ? { ...given, readOnlyHint: false, idempotentHint: false, untrustedContentHint: true } : given
  } catch (error) {
    throw invalidTool(name, error instanceof Error ? error.message : 'annotations must be JSON', error)
  }
}

/** Logs a hint for a missing, short or long description. Description functions are checked when they are called. */
export function lintDescription(name: string, text: string): void {
  const problem = descriptionProblem(text)
  if (problem) log.logWarning(`Tool "${name}": ${problem}`, `${name} description`)
}

function descriptionProblem(text: string): string | undefined {
  if (text === '') return 'it has no description. Say what it does and when to use it, because models choose by it.'
  if (text.length < 20)
    return `its description is short ("${text}"). Say what it does, when to use it and what it returns.`
  if (text.length > 500)
    return `its description has ${text.length} characters, sent with every request. Use at most 500.`
  return undefined
}
