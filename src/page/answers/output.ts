// The option `output` of `send`: compiles its schema, offers the tool `final_result`, and validates what the model
// passes to it.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ExecutionResult } from '../../core/data/protocol.js'
import type { JsonObject } from '../../core/data/json.js'
import type { TurnOptions } from '../../core/data/session.js'
import { outputToolName } from '../../core/loop/tool-names.js'
import type { ToolSpec } from '../../core/data/tool.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import type { QueryOf } from '../../core/data/protocol.js'
import type { QueryContext } from './query-context.js'
import type { SendOptions } from '../options.js'
import { checkInputSchema } from '../schema/check-schema.js'
import { compileSchema } from '../schema/compile.js'
import type { CompiledSchema } from '../schema/compiled-schema.js'
import { issuesText } from '../schema/validation-issue.js'

/** The compiled option of one `send`. */
export interface CompiledOutput {
  /** The options of the turn that it sets. */
  readonly options: TurnOptions
  /** Adds the object to the result of the turn. A function that needs no `this`. */
  readonly withObject: (result: TurnResult) => Promise<TurnResult>
}

/** Schemas by what the author passed, because each call is validated with it. */
const compiledSchemas = new WeakMap<object, Promise<CompiledSchema>>()

function compiledSchema(schema: object): Promise<CompiledSchema> {
  const known = compiledSchemas.get(schema)
  if (known) return known
  const compiling = Promise.resolve(compileSchema(checkInputSchema(schema, 'output'), 'output'))
  compiledSchemas.set(schema, compiling)
  compiling.catch(() => compiledSchemas.delete(schema))
  return compiling
}

/** Rejects with `invalid-option` if the schema cannot be used, or its root is not an object. */
export async function compileOutput({ output = {}, toolChoice }: SendOptions): Promise<CompiledOutput> {
  let schema: CompiledSchema
  try {
    schema = await compiledSchema(output)
  } catch (error) {
    if (!(error instanceof ToolAgentError) || error.code !== 'invalid-tool') throw error
    throw new ToolAgentError('invalid-option', `send: ${error.message}`, { cause: error })
  }
  // The final tool is a call, so `none` leaves out all other tools instead.
  const noTools = { toolChoice: 'auto', activeTools: [] } as const
  return {
    options: {
      output: schema.jsonSchema,
      ...(toolChoice === 'none' ? noTools : {}),
    },
    withObject: (result) => withObject(result, schema),
  }
}

/** `object` is the value that the schema returns. Without a valid object, `text` is what the model wrote instead. */
async function withObject(result: TurnResult, schema: CompiledSchema): Promise<TurnResult> {
  const last = result.toolExecutions.findLast(({ call }) => call.name === outputToolName)
  if (result.reason !== 'direct' || last?.output === undefined) {
    const raw = last?.call.raw ?? (last && JSON.stringify(last.call.input))
    return { ...result, text: result.text || raw }
  }
  const checked = await schema.validate(last.output)
  return 'value' in checked ? { ...result, object: checked.value } : result
}

/** The tool that ends the turn. If other calls of its step failed, the model can react to them first. */
export function outputTool(schema: JsonObject): ToolSpec {
  return {
    name: outputToolName,
    title: 'Answer',
    description:
      'Give the final answer of this turn. Call it exactly once, when everything else is done, as the last call. Its ' +
      'arguments are the answer. Do not answer with text.',
    inputSchema: schema,
    annotations: {},
    exclusive: true,
    timeout: 0,
    maxRetries: 0,
    returnDirect: 'if-last',
    hash: 'host',
  }
}

/** Validates the object of a call with the schema of the send, or after a reload with the stored JSON Schema. */
export async function answerOutput(
  { deps }: QueryContext,
  { callId, input }: QueryOf<'execute'>,
): Promise<ExecutionResult> {
  const startedAt = Date.now()
  const { turn } = deps.session()
  const given = deps.send(turn?.id ?? '').options?.output ?? turn?.options.output ?? {}
  const checked = await (await compiledSchema(given)).validate(input)
  const common = { callId, attempts: 1, startedAt, endedAt: Date.now() }
  if ('issues' in checked) {
    const { issues } = checked
    return {
      ...common,
      error: {
        code: 'format-error',
        message: `The answer does not match the schema. ${issuesText(issues)}. Give the whole answer again.`,
        details: issues.map(({ path, message }) => ({ path, message })),
      },
    }
  }
  const text = 'The answer was received. If the turn continues, give the whole answer again at its end.'
  return { ...common, output: checked.json, text, untrusted: false }
}
