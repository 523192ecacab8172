// The menu beside the button that allows a call: only this time, or in this conversation. Follows the menu button
// pattern of the ARIA Authoring Practices: arrow keys move, Escape closes and returns the focus.
import { html, nothing, type TemplateResult } from 'lit'
import type { ApprovalWords } from '../i18n/en.js'
import { icon } from '../styles/icons.js'

/** What the menu shows, and whom it tells. */
export interface AllowMenu {
  /** The menu is open. */
  readonly isOpen: boolean
  /** The call is decided. */
  readonly isDisabled: boolean
  /** The texts. */
  readonly words: ApprovalWords
  /** The title of the tool, in quotation marks. */
  readonly thing: string
  /** Opens or closes the menu. `focus`: the item, or the button of the menu, that gets the focus then. */
  onToggle(isOpen: boolean, focus: 'first' | 'last' | 'button' | undefined): void
  /** The user has chosen. */
  onChoose(event: Event, remember: 'session' | undefined): void
}

/** Draws the button of the menu, and the menu while it is open. */
export function allowMenu(menu: AllowMenu): TemplateResult {
  const { isOpen, isDisabled, words, thing } = menu
  const onButtonKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    menu.onToggle(true, event.key === 'ArrowDown' ? 'first' : 'last')
  }
  const onFocusout = (event: FocusEvent): void => {
    const box = event.currentTarget as HTMLElement
    const next = event.relatedTarget
    if (isOpen && next instanceof Node && !box.contains(next)) menu.onToggle(false, undefined)
  }
  const item = (label: string, remember: 'session' | undefined): TemplateResult =>
    html`<button type="button" role="menuitem" tabindex="-1" class=${remember === undefined ? 'once' : 'remember'}
      @click=${(event: Event) => menu.onChoose(event, remember)}>${label}</button>`
  return html`<span class="menu-box" @focusout=${onFocusout}>
    <button type="button" class="approve-menu" aria-haspopup="menu" aria-expanded=${isOpen}
      aria-controls=${isOpen ? 'approval-menu' : nothing} aria-label=${words.allowMenu} ?disabled=${isDisabled}
      @click=${() => menu.onToggle(!isOpen, isOpen ? 'button' : 'first')}
      @keydown=${onButtonKey}>${icon('chevron')}</button>
    ${
      isOpen
        ? html`<div class="menu" id="approval-menu" role="menu" aria-label=${words.allowMenu}
          @keydown=${(event: KeyboardEvent) => onMenuKey(event, menu)}>
          ${item(words.once, undefined)}${item(words.remember(thing), 'session')}
        </div>`
        : nothing
    }
  </span>`
}

function onMenuKey(event: KeyboardEvent, menu: AllowMenu): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')]
  const at = items.indexOf(event.target as HTMLElement)
  const target: Partial<Record<string, number>> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }
  const next = target[event.key]
  if (next !== undefined) items[next]?.focus()
  else if (event.key === 'Escape') menu.onToggle(false, 'button')
  else if (event.key === 'Tab') return menu.onToggle(false, undefined)
  else return
  // Escape must close neither the panel nor a dialog.
  event.preventDefault()
  event.stopPropagation()
}
