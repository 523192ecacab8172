// The names of the agent's own tools that more than one part knows. Not in tool.ts, which each page loads first, and
// not beside their definitions, which few pages load.

/** Ends a turn with the option `output`: the arguments of its call are the object. */
export const outputToolName = 'final_result'
/** Searches for other tools. The page runs it. */
export const findToolsName = 'find_tools'
/** Its call is one of another tool, which the request does not offer. It never runs itself. */
export const useToolName = 'use_tool'
