// Compiles a schema of any supported library into a JSON Schema for the model and a validator for arguments. Decision:
// the validated arguments are what is shown, hashed and run, so validating them again must give the same arguments.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { noParameters } from './check-schema.js'
import { compiled, type Checked, type CompiledSchema, type OutputSchema, type SchemaCheck } from './compiled-schema.js'
import { fromJsonSchema, jsonCopy } from './convert.js'
import { Defaults } from './defaults.js'
import { jsonCheck } from './json-schema-validator.js'
import { schemaKindOf } from './kinds.js'
import { libraryCheck } from './library-validator.js'
import { compileLibrarySchema } from './library-schemas.js'
import { checkStructure } from './structure.js'

/**
 * Compiles zod 4, zod/mini, zod 3, a Standard Schema that converts to JSON Schema, plain JSON Schema, or undefined (no
 * parameters). Returns a promise only where code has to be loaded.
 *
 * `what` is the author's name for the schema, such as `inputSchema`. Of a `foreign` JSON Schema, patterns and
 * references are not checked, because they could block the page.
 * @throws `invalid-tool`; the promise rejects with it, or with `unavailable` if code could not be loaded
 */
export function compileSchema(
  schema: unknown,
  what = 'inputSchema',
  foreign = false,
): CompiledSchema | Promise<CompiledSchema> {
  const kind = schemaKindOf(schema, what)
  if (kind.kind === 'none') return compiled(noParameters, { check: checkNoArguments }, false)
  if (kind.kind !== 'json') return compileLibrarySchema(kind, what)
  const own = jsonCopy(kind.schema, what) as JsonObject
  const json = fromJsonSchema(own, what, foreign)
  const defaults = new Defaults(json, (schema) => jsonCheck(schema, what, foreign), foreign)
  return compiled(json, { ...jsonSchemaCheck(own, what, foreign), defaults }, foreign)
}

/**
 * A schema with any root, without conversion or coercion. Returns a promise only where code has to be loaded.
 * @throws `invalid-tool`; the promise rejects with it, or with `unavailable` if code could not be loaded
 */
export function compileOutputSchema(
  schema: unknown,
  what = 'outputSchema',
  foreign = false,
): OutputSchema | Promise<OutputSchema> {
  const kind = schemaKindOf(schema, what)
  const output = ({ check }: SchemaCheck): OutputSchema => ({ validate: (value) => check(value) })
  if (kind.kind === 'none') return output({ check: async (value) => ({ value }) })
  if (kind.kind !== 'json') return output(libraryCheck(kind, undefined))
  const own = jsonCopy(kind.schema, what) as JsonObject
  checkStructure(own, what)
  return output(jsonSchemaCheck(own, what, foreign))
}

async function checkNoArguments(value: unknown): Promise<Checked> {
  if (!isObject(value)) return { issues: [{ path: '', message: 'expected object' }] }
  const extra = Object.keys(value)
  return extra.length === 0
    ? { value }
    : { issues: extra.map((key) => ({ path: key, message: 'unrecognized key: pass no arguments' })) }
}

function jsonSchemaCheck(schema: JsonObject, what: string, foreign: boolean): SchemaCheck {
  const issuesOf = jsonCheck(schema, what, foreign)
  return {
    async check(value) {
      const issues = issuesOf(value as JsonValue)
      return issues.length === 0 ? { value } : { issues }
    },
  }
}
