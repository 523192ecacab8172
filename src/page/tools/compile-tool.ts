// Compiles the schemas of registered tools. Loaded with the host: until then no tool is offered or called.
import { internals } from '../../core/data/tool.js'
import { compileOutputSchema, compileSchema } from '../schema/compile.js'
import { namedError, type ToolEntry, type ToolSchemas } from './registered-tool.js'

/**
 * Compiles the schemas of a tool and of its inner tools, and adds them to the entries. A promise only where code has to
 * be loaded; it rejects with `unavailable` if that fails, and may succeed at the next try.
 * @throws ToolAgentError `invalid-tool`; the promise rejects with it
 */
export function compileTool(entry: ToolEntry): Promise<void> | undefined {
  const { name, tool, inner = [] } = entry
  const { inputSchema, outputSchema, contextSchema } = entry.given
  const foreign = tool[internals]?.isDiscovered === true
  const pending: Promise<unknown>[] = []
  const made: { -readonly [Key in keyof ToolSchemas]?: ToolSchemas[Key] } = {}
  const add = <Key extends keyof ToolSchemas>(key: Key, schema: ToolSchemas[Key] | Promise<ToolSchemas[Key]>): void => {
    if (schema instanceof Promise) pending.push(schema.then((compiled) => (made[key] = compiled)))
    else made[key] = schema
  }
  const done = () => void Object.assign(entry, made)
  try {
    if (outputSchema) add('outputSchema', compileOutputSchema(outputSchema, undefined, foreign))
    add('schema', compileSchema(inputSchema, undefined, foreign))
    if (contextSchema) add('contextSchema', compileSchema(contextSchema, 'contextSchema'))
    for (const one of inner) pending.push(...[compileTool(one) ?? []].flat())
  } catch (error) {
    void Promise.allSettled(pending) // The first error is reported.
    throw namedError(error, name)
  }
  if (pending.length === 0) return done()
  return Promise.all(pending).then(done, (error: unknown) => {
    throw namedError(error, name)
  })
}
