// The icons of the panel: one path each on a grid of 24, in the colour of the text.
import { html, type TemplateResult } from 'lit'

const shapes = {
  send: 'M12 20V5m-6 6 6-6 6 6',
  stop: 'M8 8h8v8H8z',
  close: 'm6 6 12 12M18 6 6 18',
  list: 'M4 4h12v9H9l-4 3.5V13H4zM19 9h1v8.5h-1V21l-4-3.5h-5',
  plus: 'M12 5v14M5 12h14',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  alert: 'M12 8v5m0 3.2v.1M12 3.5 21.5 20h-19z',
  info: 'M12 11v5.5m0-9v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  chevron: 'm9 6 6 6-6 6',
  down: 'M12 5v14m-6-6 6 6 6-6',
  shield: 'M12 3.5 19 6v5.5c0 4.3-2.8 7.6-7 9-4.2-1.4-7-4.7-7-9V6z',
  minus: 'M6 12h12',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.5v.1',
} as const

/** The name of an icon, or the path of one that a part brings itself. */
export type IconName = keyof typeof shapes | IconPath

/** A path on a grid of 24. */
export type IconPath = `m${string} ${string}` | `M${string} ${string}`

/** Draws an icon. Hidden from screen readers, so the control around it needs a label. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="${name in shapes ? shapes[name as keyof typeof shapes] : name}"/></svg>`
}
