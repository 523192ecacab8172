// Gives the page tools their `summary`, in English for the tools of a usual visit. The other texts are loaded when they
// are needed.
import type { AnyTool, Tool } from '../page/tools/tool.js'

/** Adds the sentence that the user reads about a successful call to each tool. A failed call shows its title. */
export function summarized(tools: readonly AnyTool[]): Tool[] {
  return tools.map(
    (tool) =>
      ({
        ...tool,
        summary: async (call) => {
          if (call.state === 'failed') return undefined
          const usual = /^en/i.test(call.locale) ? (await import('./run-tools.js')).usualSummary(tool.name, call) : ''
          return usual || (await import('./summaries.js')).summaryOf(tool.name, call)
        },
      }) as Tool,
  )
}
