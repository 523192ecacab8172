// The options of the panel, one entry of the table for each, and the attributes and properties that <tool-agent> has
// for them and for the options of the agent. A new option of the panel is an entry here, and its type with its
// docstring in `Settings`. An attribute that does not exist is an error that names the property to set.
import { ToolAgentError } from '../../core/data/errors.js'
import type { Message } from '../../core/data/message.js'
import type { Check, Option } from '../../page/checks.js'
import { agentOptions } from '../../page/option-table.js'
import type { PageToolToken, PageToolTokens } from '../../page/options.js'
import type { PanelWords } from '../i18n/languages/languages.js'
import { isFreeName, meantName, othersOf } from '../../page/hints/unknown-names.js'

/** Where the panel is: in the page's flow, floating above the page, or at the edge of the window. */
export type Layout = 'inline' | 'floating' | 'sidebar'

/** Options of the panel. All other properties are options of the agent. */
export interface Settings {
  /** Where the panel is: in the page's flow, above the page, or at its edge. @default 'inline' */
  layout?: Layout
  /** Whether a floating or sidebar panel is open. @default false */
  open?: boolean
  /** The panel's title. @default a word for "Assistant" in the panel's language */
  heading?: string
  /** The text in the empty input field. @default a sentence in the panel's language, about the page if it is read */
  placeholder?: string
  /** The first line of an empty conversation. @default a question in the panel's language */
  greeting?: string
  /**
   * The colour of launcher, main buttons, progress and links: any CSS colour. Hue and strength stay, its lightness is
   * limited so that text on it is readable. @default the `accent-color` of the page, its `theme-color`, or blue
   */
  accent?: string
  /**
   * The address of an image in the header and on the launcher; '' for none. @default the icon of the page, of this site
   * and as SVG or PNG, else the first letter of the heading
   */
  icon?: string
  /** Buttons of an empty conversation; each sends its text. @default up to three about what the tools can do */
  suggestions?: readonly string[]
  /** A line below the text field, such as "Answers may be wrong". @default none */
  disclaimer?: string
  /** Keys that open and close the panel, as in `aria-keyshortcuts`: `Control+Shift+K`. @default none */
  shortcut?: string
  /** Whether an open sidebar covers the page, or makes it narrower by a margin. @default 'overlay' */
  sidebar?: 'overlay' | 'push'
  /**
   * Which files the user may attach, as in `accept` of a file input: `image/*,text/*`. Only for a model that reads
   * them. @default none
   */
  attachments?: string
  /** Whether the panel offers to ask about text that the visitor has selected on the page. @default 'offer' */
  selection?: 'offer' | 'off'
  /**
   * What is shown on the page about what the assistant asks and does: all, only rings, or nothing. The panel makes room
   * for what it asks about in any case. @default 'auto'
   */
  stage?: 'auto' | 'ring' | 'off'
  /**
   * Whether a line below the field says what the assistant may do here and what it never sees. It opens to details, and
   * shows on the page what is read. With `off` it is there only while the visitor has allowed more than one call.
   * @default 'line'
   */
  trust?: 'line' | 'off'
  /** A text that is put into the field once, above what the visitor has typed. Reads as '' afterwards. @default none */
  prefill?: string
  /** Buttons below the newest answer; each sends its text. The next turn removes them. @default none */
  followUps?: readonly string[]
  /** Whether answers have buttons for a rating: see `tool-agent-feedback`. @default false */
  feedback?: boolean
  /** Which page tools to register: `read`, `fill` and `act`, separated by spaces, or a list. @default none */
  pageTools?: PageToolTokens
  /** Texts of the panel in place of its own, such as `{ greeting: 'What are you looking for?' }`. @default none */
  words?: PanelWords
  /**
   * Draws something below each complete message of the user and of the assistant, such as buttons: a node, a Lit
   * template or a text; null for nothing. @default none
   */
  messageActions?: MessageActions
}

/** Draws something below a message. Called again when the message changes, and when the panel draws it again. */
export type MessageActions = (message: Message) => unknown

/** A check by a condition. Its error shows less of the value than those of the agent's options: `describeValue`. */
const is =
  (isValid: (value: unknown) => boolean, expected: string): Check =>
  (value, name) => {
    if (!isValid(value)) throw invalid(name, expected, value)
  }
/** A check by a list of values. */
const oneOf = (...values: readonly unknown[]): Check =>
  is(
    (value) => values.includes(value),
    values
      .map((one) => `'${one}'`)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or '),
  )
const isText = (value: unknown): boolean => typeof value === 'string'
const text = is(isText, 'a string')
const flag = is((value) => typeof value === 'boolean', 'a boolean')
/** The DOM of unit tests has no list of colours. */
const color = is((value) => isText(value) && globalThis.CSS?.supports('color', String(value)) !== false, 'a CSS colour')
const texts = is((value) => Array.isArray(value) && value.every(isText), 'an array of strings')

/** The options of the panel. */
const panelOptions: Readonly<Record<keyof Settings, Option>> = {
  layout: {
    check: oneOf('inline', 'floating', 'sidebar'),
    attribute: true,
    others: 'position placement mode variant',
  },
  open: { check: flag, attribute: true, markup: 'boolean', others: 'opened isopen' },
  heading: { check: text, attribute: true, others: 'header headline name label' },
  placeholder: { check: text, attribute: true },
  prefill: { check: text, attribute: true },
  suggestions: { check: texts, attribute: true, markup: 'list', others: 'prompts examples starters' },
  attachments: { check: text, attribute: true, others: 'files upload uploads accept' },
  followUps: { check: texts, attribute: true, markup: 'list' },
  feedback: { check: flag, attribute: true, markup: 'boolean' },
  pageTools: { check: pageToolTokens, attribute: true, others: 'dom domtools' },
  greeting: { check: text, attribute: true, others: 'welcome welcomemessage initialmessage intro' },
  icon: { check: text, attribute: true, others: 'avatar image logo' },
  accent: { check: color, attribute: true, others: 'color colour primarycolor' },
  disclaimer: { check: text, attribute: true },
  shortcut: { check: text, attribute: true, others: 'hotkey keybinding' },
  sidebar: { check: oneOf('overlay', 'push'), attribute: true },
  selection: { check: oneOf('offer', 'off'), attribute: true },
  stage: { check: oneOf('auto', 'ring', 'off'), attribute: true },
  trust: { check: oneOf('line', 'off'), attribute: true },
  words: { check: is((value) => typeof value === 'object' && !Array.isArray(value), 'an object') },
  messageActions: {
    check: is((value) => typeof value === 'function', 'a function'),
    isByIdentity: true,
  },
}

/** The options of the agent and of the panel, by their names. */
export const elementOptions: Readonly<Record<string, Option>> = { ...agentOptions, ...panelOptions }
const namesOf = (options: Readonly<Record<string, Option>>, fits: (option: Option) => unknown): string[] =>
  Object.entries(options).flatMap(([name, option]) => (fits(option) && !option.isOfAgentOnly ? [name] : []))

/** The properties that are agent options. */
export const agentProperties: readonly string[] = namesOf(agentOptions, () => true)
/** The properties that are panel options. */
export const settingProperties = Object.keys(panelOptions) as readonly (keyof Settings)[]
/** Options without an attribute. */
export const propertiesOnly: readonly string[] = namesOf(elementOptions, ({ attribute }) => !attribute)

/** `sessionId` → `session-id`. */
const hyphenated = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Attribute name → property name, for all attributes. */
export const attributeProperties: ReadonlyMap<string, string> = new Map(
  namesOf(elementOptions, ({ attribute }) => attribute).map((name) => [hyphenated(name), name]),
)

/** Attributes that do not exist, with the error message that says what to do instead. */
export const wrongAttributes: ReadonlyMap<string, string> = new Map([
  ['tools', 'tools is not an attribute: call registerTool() from a script'],
  ...[...propertiesOnly, 'agent'].flatMap((name) =>
    [name.toLowerCase(), hyphenated(name)].map((attribute): [string, string] => [
      attribute,
      `${attribute} is not an attribute: set the property ${name} from a script`,
    ]),
  ),
  ...[...attributeProperties]
    .filter(([attribute]) => attribute.includes('-'))
    .map(([attribute, property]): [string, string] => [
      property.toLowerCase(),
      `${property.toLowerCase()} is not an attribute: write ${attribute} (property ${property})`,
    ]),
])

/**
 * Converts the text of an attribute to the value of its property.
 * @throws ToolAgentError `invalid-option` when `suggestions` or `followUps` is not JSON.
 */
export function attributeValue(property: string, text: string): unknown {
  const markup = elementOptions[property]?.markup
  if (markup === 'boolean') return true
  if (markup !== 'list') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(property, 'a JSON array of strings, such as ["Find my order"]', text, cause)
  }
}

/** @throws ToolAgentError `invalid-option` when the value of a panel option does not fit. */
export function checkSetting(name: keyof Settings, value: unknown): void {
  if (value !== undefined) panelOptions[name].check(value, name)
}

/**
 * The tokens of `page-tools`, without duplicates.
 * @throws ToolAgentError `invalid-option` for anything else than `read`, `fill` and `act`.
 */
export function pageToolTokens(value: unknown): PageToolToken[] {
  if (value === undefined) return []
  // React 19 writes the list of a tag as `read,fill`.
  const tokens: readonly unknown[] = typeof value === 'string' ? (value.match(/[^\s,]+/g) ?? []) : [value].flat()
  const known: readonly unknown[] = ['read', 'fill', 'act']
  if (!tokens.every((token) => known.includes(token)))
    throw invalid('pageTools', "'read', 'fill' and 'act', separated by spaces", value)
  return [...new Set(tokens as PageToolToken[])]
}

function invalid(name: string, expected: string, value: unknown, cause?: unknown): ToolAgentError {
  return new ToolAgentError('invalid-option', `${name}: expected ${expected}, received ${describeValue(value)}`, {
    cause,
  })
}

/** A string shortened to 80 characters and quoted; of other values the type, as they may hold secrets. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  return value === null ? 'null' : `a value of type ${typeof value}`
}

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

/**
 * What to tell the author about an attribute that does not exist, because a mistyped one would be ignored silently.
 * Undefined if there is nothing to tell: what belongs to HTML, to frameworks or to the page itself is left alone.
 */
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
