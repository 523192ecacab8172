// The name of the tool that ends a turn with the option `output`. Not in tool.ts, which each page loads first, and not
// in output-request.ts, which no page loads.

/** The arguments of its call are the object. One of `builtinToolNames`. */
export const outputToolName = 'final_result'
