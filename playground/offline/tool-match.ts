// Which tool of the page a sentence asks for. Names and descriptions are compared with the words of the sentence; nothing
// here knows any particular tool.
import type { Tool } from './chat.js'
import { answersQuestion, isQuestion, isRelated, isSame, isVerb, stemsOf, escapePattern } from './words.js'

/**
 * A tool that the sentence calls by its name: `find_products query: tea`. A name that is also an English word counts
 * only where it is called as one, or arguments follow.
 */
export function namedTool(text: string, tools: readonly Tool[]): { tool: Tool; rest: string } | undefined {
  for (const tool of [...tools].sort((a, b) => b.name.length - a.name.length)) {
    const match = new RegExp(`(?<![\\w-])${escapePattern(tool.name)}(?![\\w-])`, 'i').exec(text)
    if (match === null) continue
    const before = text.slice(0, match.index)
    const rest = text.slice(match.index + match[0].length)
    const isCalled =
      /[_\d-]/.test(tool.name) ||
      /\b(?:call|use|run|invoke|tool|execute)\s+(?:the\s+)?(?:tool\s+)?[`"']?$/i.test(before) ||
      /^[`"']?\s*(?:tool\s*)?(?:with\s*)?(?:\{|[\w-]+\s*[:=])/.test(rest)
    if (isCalled) return { tool, rest: rest.replace(/^[`"']/, '') }
  }
  return undefined
}

/** The tools that fit the sentence, best first. */
export function matchTools(text: string, tools: readonly Tool[]): Tool[] {
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, text) }))
    .filter(({ score }) => score >= 2)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

/** 0 for a tool that the sentence does not ask for. */
function scoreOf(tool: Tool, text: string): number {
  const name = stemsOf(tool.name)
  const described = stemsOf(tool.description.split(/[.!?](?:\s|$)/)[0] ?? '')
  const said = stemsOf(text)
  const verb = name.find(isVerb)
  const fit = (word: string): number => {
    if (said.some((one) => isSame(one, word))) return 3
    return said.some((one) => isRelated(one, word)) ? 2.5 : 0
  }
  const asksByDescription = described[0] !== undefined && isVerb(described[0]) && said.includes(described[0])
  const things = name.filter((word) => word !== verb)
  // "Find a book" does not ask to book one.
  const verbs = said.filter((one) => !things.some((word) => isSame(one, word)))
  const asks = asksByDescription || (verb !== undefined && verbs.some((one) => isRelated(one, verb)))
  const nouns = name.filter((word) => word !== verb).reduce((sum, word) => sum + fit(word), 0)
  const about = Math.min(3, described.filter((word) => said.some((one) => isSame(one, word))).length)
  // "Tell me which is best" names nothing that a tool for reading is about.
  const isReader = verb !== undefined && ['read', 'get', 'show', 'view', 'fetch'].includes(verb)
  if (isReader && nouns === 0) return 0
  if (isQuestion(text)) {
    if (!name.some(answersQuestion)) return 0
    return nouns + (verb === undefined ? 0 : fit(verb)) + about / 4
  }
  // Another verb asks for something else: "remove it from the cart".
  const first = said[0]
  const isOther = first !== undefined && isVerb(first) && !isNoun(first, name)
  if (!asks && (isOther || nouns === 0 || (isReader && said.length > 2))) return 0
  return nouns + (asks ? 3 : 0) + (asks && verb !== undefined && said.includes(verb) ? 1 : 0) + about / 4
}

/** `order` and `table` are verbs as well as things that tools are about. */
function isNoun(word: string, name: readonly string[]): boolean {
  return name.some((part) => isRelated(part, word))
}
