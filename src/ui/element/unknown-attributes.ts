// Names attributes of <tool-agent> that do not exist, because a mistyped one would be ignored silently. What belongs to
// HTML, to frameworks or to the page itself is left alone.
import { isFreeName, meantName, othersOf } from '../../page/hints/unknown-names.js'
import { attributeProperties, elementOptions, propertiesOnly, wrongAttributes } from './element-options.js'

/** Attributes that every element of HTML may have, and those that tools commonly put on any element. */
const everywhere: ReadonlySet<string> = new Set(
  (
    'accesskey anchor autocapitalize autocorrect autofocus class contenteditable dir draggable ' +
    'enterkeyhint exportparts focusgroup headingoffset headingreset hidden id inert inputmode is itemid ' +
    'itemprop itemref itemscope itemtype lang nonce part popover role slot spellcheck style tabindex ' +
    'title translate virtualkeyboardpolicy writingsuggestions xmlns key ref jsx classname ' +
    'suppresshydrationwarning defer-hydration'
  ).split(' '),
)
/** `data-`, ARIA and event handlers; marks of frameworks, and everything with a sign that they use for bindings. */
const ofOthers =
  /^(?:data|aria|ng|_ng\w*|v|hx|svelte|astro|jsx|up|sveltekit|react|vue|lit|stencil|s|c|q|fx)-|^on|^_|[^a-z0-9-]/

const attributeOf = new Map([...attributeProperties].map(([attribute, property]) => [property, attribute]))
const properties = [...attributeOf.keys(), ...propertiesOnly]

/** What to tell the author about an attribute; undefined if there is nothing to tell. */
export function unknownAttribute(name: string): { readonly message: string; readonly meant?: string } | undefined {
  const isKnown = attributeProperties.has(name) || wrongAttributes.has(name)
  if (isKnown || everywhere.has(name) || ofOthers.test(name) || isFreeName(name)) return undefined
  const meant = meantName(name, properties, othersOf(elementOptions))
  const problem = `<tool-agent> has no attribute ${name}.`
  if (meant === undefined)
    return { message: `${problem} It has no effect. An attribute of your own can be named data-${name}` }
  const attribute = attributeOf.get(meant)
  const help = attribute === undefined ? `Set the property ${meant} from a script` : `Did you mean ${attribute}?`
  return { message: `${problem} ${help}`, meant }
}

/** Calls `check` with the name of each attribute of an element: soon, and when one is set or removed later. */
export function watchAttributes(element: Element, check: (name: string) => void): void {
  new MutationObserver((changes) => {
    for (const { attributeName } of changes) if (attributeName !== null) check(attributeName)
  }).observe(element, { attributes: true })
  // In a later task, so that a framework can set its attributes first.
  setTimeout(() => {
    for (const name of element.getAttributeNames()) check(name)
  })
}
