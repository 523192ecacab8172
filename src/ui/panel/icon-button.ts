// A button that shows only an icon, so its label is a tooltip and its name for screen readers.
import { html, type TemplateResult } from 'lit'
import { icon, type IconName } from '../styles/icons.js'
import { actionListener, type PanelAction } from './actions.js'

/** What an icon button shows and does. */
export interface IconButton {
  /** The icon. */
  readonly name: IconName
  /** The tooltip, which is also the accessible name: a second text would be read after it. */
  readonly title: string
  /** The action to request, or the click listener. */
  readonly click: PanelAction | ((event: Event) => void)
  /** CSS classes, which are also the names of its parts. @default 'quiet' */
  readonly kind?: string
}

/** Draws an icon button. */
export function iconButton({ name, title, click, kind = 'quiet' }: IconButton): TemplateResult {
  return html`<button type="button" class=${kind} part=${kind} title=${title}
    @click=${typeof click === 'function' ? click : actionListener(click)}>${icon(name)}</button>`
}
