// Gives the page tools what they all have: a `summary`, and their place in every request.
import type { AnyTool, EndedCall, Tool } from '../../page/tools/tool.js'

/** The sentence for a successful call; see summaries.ts. */
type SummaryOf = (name: string, call: EndedCall) => string | undefined

/**
 * Adds the sentence that the user reads about a successful call to each tool. A failed call shows its title. `load`
 * loads the sentences. A model that searches for tools has these without a search.
 */
export function withSummaries(tools: readonly AnyTool[], load: () => Promise<SummaryOf>): Tool[] {
  return tools.map(
    (tool) =>
      ({
        ...tool,
        alwaysOffered: true,
        summary: async (call) => (call.state === 'failed' ? undefined : (await load())(tool.name, call)),
      }) as Tool,
  )
}
