// The quiet line below the field: what the assistant may do here, whether it asks, and how many private fields it never
// sees. It opens to ui/glass/, which is loaded then. The line says only what is registered and set, so that it is true
// before anything of the page is read.
import { html, nothing, type TemplateResult } from 'lit'
import type { AgentOptions } from '../../page/options.js'
import type { Words } from '../i18n/en.js'
import { pageTools } from '../message/call/page-tool-names.js'
import { icon } from '../styles/icons.js'
import { actionListener } from './actions.js'

/** What the line is made of. */
export interface Trust {
  /** The names of the registered tools. */
  readonly names: readonly string[]
  readonly approval: NonNullable<AgentOptions['approval']>
  /** How many private fields the page has. Undefined: not read yet, or too large to read before it is asked for. */
  readonly hidden: number | undefined
  /** The visitor has allowed something beyond one call. */
  readonly isGranted: boolean
  /** `trust="off"`: there is a line only while something is allowed, because that can be taken back there. */
  readonly isOff: boolean
}

/** The text of the line; '' for no line. */
export function trustText(
  { names, approval, hidden = 0, isGranted, isOff }: Trust,
  { trust, language }: Words,
): string {
  const tools: Readonly<Record<string, string>> = {
    page_read: trust.reads,
    form_fill: trust.fills,
    page_click: trust.presses,
  }
  const can = Object.keys(tools).filter((name) => names.includes(name))
  const own = names.filter((name) => !pageTools.has(name)).length
  const mayChange = can.some((name) => name !== 'page_read')
  const always = [
    ...(can.length > 0 ? [new Intl.ListFormat(language).format(can.map((name) => tools[name] ?? ''))] : []),
    ...(mayChange || (can.length > 0 && approval === 'always') ? [trust.asks[approval]] : []),
    ...(can.length > 0 && !mayChange && own === 0 ? [trust.changesNothing] : []),
    ...(own > 0 ? [trust.actions(own)] : []),
    ...(hidden > 0 && can.length > 0 ? [trust.hidden(hidden)] : []),
  ]
  const [first = '', ...rest] = [...(isOff ? [] : always), ...(isGranted ? [trust.granted] : [])]
  return [first.charAt(0).toLocaleUpperCase(language) + first.slice(1), ...rest].filter(Boolean).join('\u{a0}· ')
}

/** Draws the line. */
export function trustLine(trust: Trust, isOpen: boolean, words: Words): TemplateResult | typeof nothing {
  const text = trustText(trust, words)
  return text === ''
    ? nothing
    : html`<button type="button" class="trust quiet" part="trust" aria-expanded=${isOpen}
        @click=${actionListener({ do: 'glass' })}>${icon('shield')}<span>${text}</span>${icon('chevron')}</button>`
}
