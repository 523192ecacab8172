// Compares options and tools of two renders. A component writes objects and functions inline, so their identity changes
// with each render. Plain data is compared by value, and a function counts as equal to another one, because the callers
// of this file keep the newest function and call it.
const schemaFields: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'contextSchema'])
/** The JSON Schemas of library schemas, as text. Undefined for one that cannot convert itself. */
const jsonSchemas = new WeakMap<object, string | undefined>()

/** Whether two values are equal, except for their functions. Objects with a prototype of their own are never equal. */
export function isSame(before: unknown, after: unknown): boolean {
  if (Object.is(before, after) || (typeof before === 'function' && typeof after === 'function')) return true
  if (!isPlain(before) || !isPlain(after) || Array.isArray(before) !== Array.isArray(after)) return false
  return namesOf(before, after).every((name) => isSame(Reflect.get(before, name), Reflect.get(after, name)))
}

/**
 * Whether two definitions describe the same tool to the model. A schema of a library is compared by its JSON Schema if
 * it can convert itself, and by identity otherwise.
 */
export function isSameTool(before: object, after: object): boolean {
  return namesOf(before, after).every((name) => {
    const [one, other]: unknown[] = [Reflect.get(before, name), Reflect.get(after, name)]
    return schemaFields.has(name) ? isSameSchema(one, other) : isSame(one, other)
  })
}

/** Whether a field of a tool is a function that one which calls the newest may replace. A schema is not. */
export function isToolFunction(name: string, value: unknown): boolean {
  return typeof value === 'function' && !schemaFields.has(name)
}

/** The names of the values that either object has. */
export function namesOf(one: object, other: object): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}

function isSameSchema(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  const text = jsonSchemaOf(one)
  if (text !== undefined) return text === jsonSchemaOf(other)
  return typeof one !== 'function' && !isLibrarySchema(one) && !isLibrarySchema(other) && isSame(one, other)
}

function isLibrarySchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && ('~standard' in schema || 'safeParse' in schema)
}

/** The JSON Schema of a library schema, by the interface "Standard JSON Schema". */
function jsonSchemaOf(schema: unknown): string | undefined {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return undefined
  if (!jsonSchemas.has(schema)) jsonSchemas.set(schema, converted(schema))
  return jsonSchemas.get(schema)
}

function converted(schema: object): string | undefined {
  const standard: unknown = Reflect.get(schema, '~standard')
  try {
    const { jsonSchema } = standard as { jsonSchema: { input(options: { target: string }): unknown } }
    return JSON.stringify(jsonSchema.input({ target: 'draft-2020-12' }))
  } catch {
    // It has no such method, or its type has no JSON form: registerTool() reports the latter.
    return undefined
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
