// An agent as a tool of another: instructions, tools and a model of its own. The host runs it (`core/agent-call.ts`);
// here it is only described and checked.
import { isObject, type JsonObject } from '../../core/data/json.js'
import { defaultLimits, type AgentSpec, type Limits } from '../../core/data/tool.js'
import { finiteLimits } from '../parse-options.js'
import type { AnyTool, Tool } from './tool.js'
import { invalidTool } from './validate-tool.js'

export interface AgentToolOptions extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'annotations' | 'returnDirect' | 'toModelOutput' | 'outputSchema'
> {
  /** The agent's own, in the place of those of the agent that calls it. */
  readonly instructions: string
  /** All it may use; another agent tool among them may itself have none. */
  readonly tools?: readonly AnyTool[]
  /** The calling agent's where missing. */
  readonly model?: string
  /** `model` (default): the calling model writes the task. `user-message`: the agent gets the user's message as it is. */
  readonly input?: 'model' | 'user-message'
  /** `text`: it also sees what user and assistant said before, without calls. `none` (default): it sees its task alone. */
  readonly history?: 'none' | 'text'
  /** Its own; 10 steps where not said otherwise. `turn` is its time in milliseconds. */
  readonly limits?: Partial<Limits>
  readonly needsApproval?: boolean
}

const fields: Record<keyof AgentToolOptions, string> = {
  name: 'string',
  title: 'string',
  description: 'string',
  annotations: 'object',
  returnDirect: '',
  toModelOutput: 'function',
  outputSchema: '',
  instructions: 'string',
  tools: '',
  model: 'string',
  input: 'string',
  history: 'string',
  limits: 'object',
  needsApproval: 'boolean',
}

/**
 * A tool that is an agent. It shares context, session id, approvals and the user's stop with the agent that calls it,
 * has no todo tools, and counts as one call there; its messages are kept inside that call. Throws `invalid-tool`.
 */
export function agentTool(options: AgentToolOptions): Tool {
  if (!isObject(options))
    throw invalidTool(undefined, 'agentTool needs an object like { name, description, instructions, tools }')
  const { instructions, tools = [], model, input = 'model', history = 'none', limits = {}, ...tool } = options
  const must = (holds: boolean, problem: string) => {
    if (!holds) throw invalidTool(tool.name, problem)
  }
  for (const [field, value] of Object.entries(options)) {
    const type = Object.hasOwn(fields, field) ? fields[field as keyof AgentToolOptions] : undefined
    must(type !== undefined, `agentTool has no option "${field}". There are: ${Object.keys(fields).join(', ')}`)
    if (field !== 'description')
      must(
        !type || value === undefined || (typeof value === type && value !== null),
        `${field} must be ${type === 'object' ? 'an object' : `a ${type}`}`,
      )
  }
  must(typeof instructions === 'string' && instructions.trim() !== '', 'instructions must say what this agent is for')
  must(Array.isArray(tools), 'tools must be an array of tools')
  must(input === 'model' || input === 'user-message', "input must be 'model' or 'user-message'")
  must(history === 'none' || history === 'text', "history must be 'none' or 'text'")
  for (const [name, limit] of Object.entries(limits)) {
    must(
      Object.hasOwn(defaultLimits, name),
      `limits.${name}: there is no such limit. There are: ${Object.keys(defaultLimits).join(', ')}`,
    )
    must(typeof limit === 'number' && limit >= 0, `limits.${name} must be a number, 0 or more`)
  }
  const spec: AgentSpec = {
    instructions,
    input,
    history,
    ...(model === undefined ? {} : { model }),
    limits: finiteLimits(limits),
  }
  return { ...tool, ...(input === 'model' ? { inputSchema: taskSchema } : {}), agent: { ...spec, tools } } as Tool
}

const taskSchema: JsonObject = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'What to do, with all it needs to know: it does not see this conversation' },
  },
  required: ['task'],
}
