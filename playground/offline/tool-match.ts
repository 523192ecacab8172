// Which of the tools on offer a sentence asks for. Names, titles and descriptions are compared word by word with the
// sentence; nothing here knows any particular tool.
import type { Tool } from './chat.js'
import { answersQuestion, isQuestion, isRelated, isSame, isVerb, stemsOf, escapePattern } from './words.js'

/** Tools about which a sentence never asks in passing. */
const housekeeping = new Set(['todo_write', 'todo_read', 'read_result'])

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

/**
 * The tool that fits the sentence best, if one fits at all. `isFilled` says whether the sentence gives a tool all it
 * needs: then the verb alone is enough, as in "deliver to Berlin".
 */
export function matchTool(text: string, tools: readonly Tool[], isFilled: (tool: Tool) => boolean): Tool | undefined {
  const ranked = tools
    .filter(({ name }) => !housekeeping.has(name))
    .map((tool) => ({ tool, score: scoreOf(tool, text, isFilled) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  return ranked[0]?.tool
}

/** Whether the sentence asks for what this word of a tool's name says. */
export function isAskedFor(word: string, text: string): boolean {
  return verbOf(text).some((verb) => isRelated(verb, word))
}

/** 0 for a tool that the sentence does not ask for. */
function scoreOf(tool: Tool, text: string, isFilled: (tool: Tool) => boolean): number {
  const name = stemsOf(tool.name)
  const described = stemsOf(tool.description.split(/[.!?](?:\s|$)/)[0] ?? '')
  const said = stemsOf(text)
  const verbs = verbOf(text)
  const nouns = said.filter((word) => !verbs.includes(word))
  const does = name.find(isVerb)
  const exactVerb = verbs.some((verb) => name.some((word) => isSame(verb, word))) ? 2 : 0
  const nameVerb = exactVerb > 0 || verbs.some((verb) => does !== undefined && isRelated(verb, does)) ? 4 : 0
  const describedVerb = verbs.some((verb) => described.slice(0, 2).some((word) => isRelated(verb, word))) ? 2 : 0
  const question = isQuestion(text) && name.some(answersQuestion) ? 3 : 0
  const nameNouns = nouns.filter((noun) => name.some((word) => isSame(noun, word))).length
  const describedNouns = nouns.filter((noun) => described.some((word) => isSame(noun, word))).length
  const verb = nameVerb + exactVerb + describedVerb
  const noun = nameNouns * 3 + Math.min(describedNouns, 3)
  // A verb alone fits where it is the tool's own or the tool searches, whatever for; else something that the tool is
  // about has to be named.
  const searches = verbs.some((one) => ['find', 'search', 'look', 'browse'].includes(one)) && nameVerb > 0
  const own = verbs.some((one) => does !== undefined && isSame(one, does))
  if (verb + question === 0 || (noun === 0 && !searches && !own && !isFilled(tool))) return 0
  return verb + question + noun
}

/** The verb of a command: its first meaningful word, whatever politeness stands before it. A question has none. */
function verbOf(text: string): string[] {
  return isQuestion(text) ? [] : stemsOf(text).slice(0, 1)
}
