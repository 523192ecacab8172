// Gives the page tools their `summary`.
import type { AnyTool, EndedCall, Tool } from '../../page/tools/tool.js'

/** The sentence for a successful call; see summaries.ts. */
type SummaryOf = (name: string, call: EndedCall) => string | undefined

/**
 * Adds the sentence that the user reads about a successful call to each tool. A failed call shows its title. `load`
 * loads the sentences.
 */
export function withSummaries(tools: readonly AnyTool[], load: () => Promise<SummaryOf>): Tool[] {
  return tools.map(
    (tool) =>
      ({
        ...tool,
        summary: async (call) => (call.state === 'failed' ? undefined : (await load())(tool.name, call)),
      }) as Tool,
  )
}
