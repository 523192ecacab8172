// Describes an agent as a tool of another agent, and checks its options. The host runs it (core/loop/sub-agent.ts).
import { errorMessage } from '../../core/data/errors.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import type { AgentSpec } from '../../core/data/tool.js'
import type { AgentToolOptions } from '../options.js'
import { checkAgentTool, finiteLimits } from '../parse-options.js'
import type { Tool } from './tool.js'
import { invalidTool } from './validate-tool.js'

/**
 * Creates a tool that runs an agent. The agent shares the tool context, session id, approvals and stop signal of its
 * caller. It has no todo tools. For the caller it is one call, and its messages are stored inside that call.
 * @throws ToolAgentError `invalid-tool` for an unknown or invalid option.
 */
export function agentTool(options: AgentToolOptions): Tool {
  try {
    checkAgentTool(options, 'agentTool')
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
