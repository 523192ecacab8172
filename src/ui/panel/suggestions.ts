// What an empty conversation offers if the page has set no `suggestions`: what the registered tools can do, in the
// words of a visitor. Only while the panel is visible: a closed one does not look at the page.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isObject } from '../../core/data/json.js'
import { internals } from '../../core/data/tool.js'
import type { RegisteredTool } from '../../page/agent.js'
import type { Words } from '../i18n/en.js'
import { pageTools } from '../message/call/page-tool-names.js'

/** The most suggestions. */
const most = 3
/** One field alone is a search, a filter, or the address of a newsletter. */
const fewestFields = 2
const typed = ['hidden', 'submit', 'button', 'reset', 'image', 'search', 'password', 'checkbox', 'radio', 'range']
const fields = `input:not(${typed.map((type) => `[type=${type}]`).join()}), select, textarea`
const closed = '[data-tool-agent-ignore], [role=search], search'

/** What an assistant can do here. */
export interface Abilities {
  /** All registered tools. */
  readonly tools: readonly RegisteredTool[]
  /** The page tools that the element loads, by the words of its attribute. */
  readonly tokens: string
}

/** Whether the assistant reads or fills the page. */
export function canUsePage({ tools, tokens }: Abilities, token: 'read' | 'fill'): boolean {
  const name = token === 'read' ? 'page_read' : 'form_fill'
  return tokens.includes(token) || tools.some((tool) => tool.name === name)
}

/** The tools of the page's author. */
export const ownTools = ({ tools }: Abilities): readonly RegisteredTool[] =>
  tools.filter(({ name, tool }) => !pageTools.has(name) && tool[internals] === undefined)

/** Up to three suggestions, each of them a message. */
export function suggestionsFor(abilities: Abilities, words: Words): readonly string[] {
  const { fill, look } = words.suggest
  const general = [
    ...(canUsePage(abilities, 'fill') && hasForm() ? [fill] : []),
    ...(canUsePage(abilities, 'read') ? [look] : []),
  ]
  // A title is for visitors; a name is not. Nobody should delete something by one press.
  const titles = ownTools(abilities)
    .filter(({ annotations }) => !isObject(annotations) || annotations['destructiveHint'] !== true)
    .flatMap(({ tool: { title } }) => title ?? [])
  return [...titles.slice(0, most - general.length), ...general]
}

/** Whether the page shows something to fill in. */
function hasForm(): boolean {
  let count = 0
  for (const field of unclobbered(document).querySelectorAll(fields)) {
    if (field.checkVisibility({ visibilityProperty: true }) && field.closest(closed) === null) count += 1
    if (count === fewestFields) return true
  }
  return false
}
