// Describes an agent as a tool of another agent, and checks its options. The host runs it (core/loop/sub-agent.ts).
import { errorMessage } from '../../core/data/errors.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import type { AgentSpec } from '../../core/data/tool.js'
import type { AgentToolOptions } from '../options.js'
import { fields, flag, is, isName, oneOf, text, toolList, type Check } from '../checks.js'
import { othersOf } from '../hints/unknown-names.js'
import { agentOptions, checkLimits, finiteLimits } from '../option-table.js'
import type { Tool } from './tool.js'
import { invalidTool } from './validate-tool.js'

/** A field of every tool, which is checked when the tool is registered. */
const ofTool: Check = () => {}
const checkInstructions = is(isName, 'a text that says what this agent is for')
const checkFields = fields(
  {
    name: ofTool,
    title: ofTool,
    description: ofTool,
    annotations: ofTool,
    returnDirect: ofTool,
    toModelOutput: ofTool,
    outputSchema: ofTool,
    needsApproval: flag,
    instructions: checkInstructions,
    tools: toolList,
    model: text,
    input: oneOf('model', 'user-message'),
    history: oneOf('none', 'text'),
    limits: checkLimits,
  } satisfies Record<keyof AgentToolOptions, Check>,
  { prefix: '', others: othersOf(agentOptions) },
)

/**
 * Creates a tool that runs an agent. The agent shares the tool context, session id, approvals and stop signal of its
 * caller. It has no todo tools. For the caller it is one call, and its messages are stored inside that call.
 * @throws ToolAgentError `invalid-tool` for an unknown or invalid option.
 */
export function agentTool(options: AgentToolOptions): Tool {
  try {
    checkFields(options, 'agentTool')
    checkInstructions(options.instructions, 'instructions')
  } catch (thrown) {
    throw invalidTool(isObject(options) ? options['name'] : undefined, errorMessage(thrown))
  }
  const { instructions, tools = [], model, input = 'model', history = 'none', limits = {}, ...tool } = options
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
