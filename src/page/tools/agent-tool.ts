// Describes an agent as a tool of another agent, and checks its options. The host runs it (core/turn/sub-agent.ts).
import { isObject, type JsonObject } from '../../core/data/json.js'
import { defaultLimits, type AgentSpec, type Limits } from '../../core/data/tool.js'
import { finiteLimits, received } from '../parse-options.js'
import type { AnyTool, Tool } from './tool.js'
import { invalidTool } from './validate-tool.js'

/** The options of `agentTool`: the fields of a tool that still apply, and the agent that runs. */
export interface AgentToolOptions extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'annotations' | 'returnDirect' | 'toModelOutput' | 'outputSchema'
> {
  /** System instructions of this agent. They replace the instructions of the calling agent. */
  readonly instructions: string
  /** The only tools it may use. An agent tool in this list must not have agent tools of its own. Default: none. */
  readonly tools?: readonly AnyTool[]
  /** Model name. Default: the model of the calling agent. */
  readonly model?: string
  /** `model` (default): the calling model writes the task. `user-message`: the agent receives the user's message. */
  readonly input?: 'model' | 'user-message'
  /** `text`: the agent also receives earlier texts of user and assistant. `none` (default): only the task. */
  readonly history?: 'none' | 'text'
  /** Limits of this agent, not shared with the caller. Default: 10 steps. `turn` is its total time in milliseconds. */
  readonly limits?: Partial<Limits>
  /** True: the user is asked before the agent starts. Default: false. */
  readonly needsApproval?: boolean
}

/** The type that each option must have; an empty string where the check is elsewhere. */
const optionTypes: Record<keyof AgentToolOptions, string> = {
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
 * Creates a tool that runs an agent. The agent shares the tool context, session id, approvals and stop signal of its
 * caller. It has no todo tools. For the caller it is one call, and its messages are stored inside that call.
 * @throws ToolAgentError `invalid-tool` for an unknown or invalid option.
 */
export function agentTool(options: AgentToolOptions): Tool {
  if (!isObject(options))
    throw invalidTool(
      undefined,
      `agentTool: expected an object like { name, description, instructions, tools }, received ${received(options)}`,
    )
  const { instructions, tools = [], model, input = 'model', history = 'none', limits = {}, ...tool } = options
  const must = (holds: boolean, field: string, expected: string, value: unknown): void => {
    if (!holds) throw invalidTool(tool.name, `${field}: expected ${expected}, received ${received(value)}`)
  }
  for (const [field, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionTypes, field))
      throw invalidTool(
        tool.name,
        `agentTool has no option "${field}". There are: ${Object.keys(optionTypes).join(', ')}`,
      )
    const type = optionTypes[field as keyof AgentToolOptions]
    // A tool's own check reports a wrong description.
    if (type && value !== undefined && field !== 'description')
      must(typeof value === type && value !== null, field, `${type === 'object' ? 'an' : 'a'} ${type}`, value)
  }
  must(Array.isArray(tools), 'tools', 'an array of tools', tools)
  must(
    String(instructions ?? '').trim() !== '',
    'instructions',
    'a text that says what this agent is for',
    instructions,
  )
  must(input === 'model' || input === 'user-message', 'input', "'model' or 'user-message'", input)
  must(history === 'none' || history === 'text', 'history', "'none' or 'text'", history)
  for (const [name, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name))
      throw invalidTool(
        tool.name,
        `limits.${name}: there is no such limit. There are: ${Object.keys(defaultLimits).join(', ')}`,
      )
    must(typeof limit === 'number' && limit >= 0, `limits.${name}`, 'a number of at least 0', limit)
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
