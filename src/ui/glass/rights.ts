// What the assistant sees, fills, presses and sends, in words of what holds now: the registered tools, the option
// `approval`, what the visitor has allowed, and what a reading of the page finds.
import type { AgentOptions } from '../../page/options.js'
import type { RegisteredTool } from '../../page/agent.js'
import { isObject } from '../../core/data/json.js'
import { internals } from '../../core/data/tool.js'
import type { GlassLook } from '../../page/tools/shown-on-page.js'
import type { GlassWords } from '../i18n/glass.js'
import { pageTools } from '../message/call/page-tool-names.js'
import type { IconPath } from '../styles/icons.js'

/** One row. */
export interface Right {
  readonly icon: IconPath
  readonly label: string
  readonly value: string
}

/** What the rows are made of. */
export interface RightsNow {
  readonly words: GlassWords
  readonly language: string
  /** The address that an endpoint without a host belongs to. */
  readonly base: string
  readonly tools: readonly RegisteredTool[]
  readonly options: Partial<Pick<AgentOptions, 'approval' | 'endpoint' | 'model' | 'modelAdapter' | 'pageContext'>> &
    Pick<AgentOptions, 'provider'>
  /** What a reading has found; undefined if there was none. */
  readonly look: GlassLook | undefined
  /** The visitor has allowed something beyond one call. */
  readonly isGranted: boolean
  /** The title of a tool, as plain text. */
  titleOf(tool: RegisteredTool): string
}

const icons = {
  sees: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  never: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3',
  fills: 'm5 19 1-4L16 5l3 3L9 18zM14 7l3 3',
  presses:
    'M9 12V5.5a1.5 1.5 0 0 1 3 0V11l5.5 1c1 .2 1.5 1 1.5 2v2c0 3-2 5-5 5-2.5 0-4-1-5.5-3.5L6 13.5c-.8-1.5 1-2.5 2-1.5z',
  sends: 'M3 12 21 4l-6 17-3.5-7zM11.5 14 21 4',
  others: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z',
  goes: 'M7 17 17 7M8 7h9v9',
} as const satisfies Record<string, IconPath>

/** At most so many names are listed. */
const most = 8

/** The rows, in the order of a visitor's questions. */
export function rightsNow(now: RightsNow): readonly Right[] {
  const { words, tools, options, isGranted } = now
  const has = (name: string): boolean => tools.some((tool) => tool.name === name)
  const { approval = 'hints' } = options
  const { asks, no } = words
  const mayChange = has('form_fill') || has('page_click')
  const own = tools.filter(({ name }) => !pageTools.has(name))
  const by = { hints: isGranted ? asks.granted : asks.first, always: asks.always, off: asks.outside }
  const others = own.map((tool) => {
    const title = isolated(now.titleOf(tool))
    return asksFirst(tool, approval) ? words.askingAction(title) : title
  })
  const goes = destination(now)
  return [
    { icon: icons.sees, label: words.sees, value: seen(now, has) },
    { icon: icons.never, label: words.never, value: neverSeen(now, has('page_read') || mayChange) },
    {
      icon: icons.fills,
      label: words.fills,
      value: has('form_fill') ? { hints: asks.undo, always: asks.always, off: asks.undo }[approval] : no,
    },
    {
      icon: icons.presses,
      label: words.presses,
      value: has('page_click') ? { hints: asks.unsure, always: asks.always, off: asks.free }[approval] : no,
    },
    { icon: icons.sends, label: words.sends, value: mayChange ? by[approval] : no },
    ...(others.length > 0 ? [{ icon: icons.others, label: words.others, value: listOf(others, now.language) }] : []),
    ...(goes === undefined ? [] : [{ icon: icons.goes, label: words.goes, value: goes }]),
  ]
}

function seen({ words, options, language }: RightsNow, has: (name: string) => boolean): string {
  const forms = has('form_fill') ? words.seesForms : words.seesTitle
  const page = has('page_read') || has('page_click') ? words.seesPage : forms
  return listOf([page, ...(options.pageContext === undefined ? [] : [words.seesMore])], language)
}

function neverSeen({ words, look, language }: RightsNow, isRead: boolean): string {
  if (!isRead) return words.neverPage
  const hidden = [...new Set(look?.hidden)].map(isolated)
  const closed = look && look.closed > 0 ? [words.neverParts(look.closed)] : []
  return listOf([...(hidden.length > 0 ? hidden : [words.neverFields]), ...closed], language)
}

/** A name from the page, whose direction does not change that of the names beside it. */
const isolated = (name: string): string => `\u2068${name}\u2069`

/** The names in a list; of many, the first ones. */
function listOf(names: readonly string[], language: string): string {
  const shown = names.length > most ? [...names.slice(0, most), `… (${names.length})`] : names
  return new Intl.ListFormat(language, { type: 'unit' }).format(shown)
}

/** Whether a tool of the page asks the visitor before it runs, or may: as `approvalNeed` decides it. */
function asksFirst({ tool, annotations }: RegisteredTool, approval: NonNullable<AgentOptions['approval']>): boolean {
  const hints = isObject(annotations) ? annotations : {}
  const hasConsequence = hints['consequentialHint'] === true
  const needed = tool.needsApproval ?? (tool.question ? true : undefined)
  if (needed !== undefined) return needed !== false || hasConsequence
  if (approval !== 'hints') return approval === 'always'
  return hasConsequence || hints['destructiveHint'] === true || tool[internals]?.isDiscovered === true
}

/** Where a message goes; undefined if no model is set. */
function destination({ words, options, base }: RightsNow): string | undefined {
  const { endpoint, model, modelAdapter, provider } = options
  if (modelAdapter !== undefined) return words.pageModel
  if (provider === 'browser') return words.browser
  if (endpoint === undefined || !URL.canParse(endpoint, base)) return undefined
  const { host } = new URL(endpoint, base)
  const name = [model].flat().join(', ')
  return name === '' ? host : words.via(isolated(name), isolated(host))
}
