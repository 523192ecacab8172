// Calls and tools of specs about steps that only read.
import type { JsonObject } from '../../../src/core/data/json.js'
import type { AnyTool, ToolRun } from '../../../src/page/tools/tool.js'

/** One call, as the model makes it. */
export const call = (name: string, input: JsonObject = {}, id = name) => ({ id, name, arguments: input })

/** A tool that only reads, unless `more` says otherwise. */
export const tool = (
  name: string,
  execute: (input: never, run: ToolRun) => unknown,
  more: Partial<AnyTool> = {},
): AnyTool => ({
  name,
  description: `Does what is called ${name} on this page`,
  annotations: { readOnlyHint: true },
  execute,
  ...more,
})
