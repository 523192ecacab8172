// The attributes and properties of <tool-agent>, and the values they accept. One table of names, so that no attribute
// is ignored silently: an attribute that does not exist is an error that names the property to set.
import { ToolAgentError } from '../../core/data/errors.js'
import type { Message } from '../../core/data/message.js'
import type { AgentOptions, PageToolToken, PageToolTokens } from '../../page/options.js'
import type { PanelWords } from '../i18n/languages/languages.js'

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
  /** The text in the empty input field. @default a sentence in the panel's language */
  placeholder?: string
  /** The first line of an empty conversation. @default a question in the panel's language */
  greeting?: string
  /** The address of an image in the header. @default the first letter of the heading */
  icon?: string
  /** Buttons of an empty conversation; each sends its text. @default none */
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

type Place = 'attribute' | 'property'

/**
 * Each agent option with its place. The attribute's name is the option's with hyphens: `sessionId`, `session-id`.
 * Functions, objects and secrets do not belong in markup, so they have no attribute.
 */
const agentOptions = {
  endpoint: 'attribute',
  model: 'attribute',
  provider: 'attribute',
  instructions: 'attribute',
  sessionId: 'attribute',
  scope: 'attribute',
  resume: 'attribute',
  approval: 'attribute',
  workerUrl: 'attribute',
  headers: 'property',
  credentials: 'property',
  toolContext: 'property',
  pageContext: 'property',
  limits: 'property',
  todo: 'property',
  contextWindow: 'property',
  textProtocol: 'property',
  modelAdapter: 'property',
  stream: 'property',
  retention: 'property',
  debug: 'property',
  logErrors: 'property',
  exposeErrors: 'property',
  effects: 'property',
  onToolError: 'property',
  stopWhen: 'property',
  hooks: 'property',
} satisfies Record<Exclude<keyof AgentOptions, 'tools'>, Place>
/** The same for panel options. */
const panelOptions = {
  layout: 'attribute',
  open: 'attribute',
  heading: 'attribute',
  placeholder: 'attribute',
  prefill: 'attribute',
  suggestions: 'attribute',
  attachments: 'attribute',
  followUps: 'attribute',
  feedback: 'attribute',
  pageTools: 'attribute',
  greeting: 'attribute',
  icon: 'attribute',
  disclaimer: 'attribute',
  shortcut: 'attribute',
  sidebar: 'attribute',
  selection: 'attribute',
  stage: 'attribute',
  words: 'property',
  messageActions: 'property',
} satisfies Record<keyof Settings, Place>

type AgentOption = keyof typeof agentOptions
const namesIn = <Name extends string>(options: Readonly<Record<Name, Place>>, place?: Place): Name[] =>
  (Object.keys(options) as Name[]).filter((name) => place === undefined || options[name] === place)

/** The properties that are agent options. */
export const agentProperties: readonly string[] = namesIn(agentOptions)
/** The properties that are panel options. */
export const settingProperties: readonly (keyof Settings)[] = namesIn(panelOptions)
/** Options without an attribute. */
export const propertiesOnly: readonly string[] = [
  ...namesIn(agentOptions, 'property'),
  ...namesIn(panelOptions, 'property'),
]

/** `sessionId` → `session-id`. */
const hyphenated = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Attribute name → property name, for all attributes. */
export const attributeProperties: ReadonlyMap<string, AgentOption | keyof Settings> = new Map(
  [...namesIn(agentOptions, 'attribute'), ...namesIn(panelOptions, 'attribute')].map((name) => [
    hyphenated(name),
    name,
  ]),
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

/** What the error of a panel option says: quoted choices, or a type. The check reads it, too. Others are strings. */
const expected: Readonly<Record<string, string>> = {
  layout: "'inline', 'floating' or 'sidebar'",
  sidebar: "'overlay' or 'push'",
  selection: "'offer' or 'off'",
  stage: "'auto', 'ring' or 'off'",
  open: 'a boolean',
  feedback: 'a boolean',
  words: 'an object',
  messageActions: 'a function',
  suggestions: 'an array of strings',
  followUps: 'an array of strings',
}

/**
 * Converts the text of an attribute to the value of its property.
 * @throws ToolAgentError `invalid-option` when `suggestions` or `followUps` is not JSON.
 */
export function attributeValue(property: string, text: string): unknown {
  if (expected[property] === 'a boolean') return true
  if (expected[property] !== 'an array of strings') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(property, 'a JSON array of strings, such as ["Find my order"]', text, cause)
  }
}

/** @throws ToolAgentError `invalid-option` when the value of a panel option does not fit. */
export function checkSetting(name: keyof Settings, value: unknown): void {
  if (value === undefined) return
  if (name === 'pageTools') pageToolTokens(value)
  else {
    const text = expected[name] ?? 'a string'
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
    const found = [isList ? 'array' : typeof value, `'${String(value)}'`]
    if (!text.split(/,? (?:or )?/).some((word) => found.includes(word))) throw invalid(name, text, value)
  }
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
