// A button that copies a text, and shows a check mark until it loses the focus or the pointer.
import { html, nothing, type TemplateResult } from 'lit'
import type { Words } from '../i18n/en.js'
import { textsOf } from './message-texts.js'
import { icon } from '../styles/icons.js'

/** Draws the button. `name`: says what it copies, where there are several. Nothing on an insecure page, because it has no clipboard. */
export function copyButton(
  text: string | ((button: HTMLElement) => string),
  words: Words,
  name = textsOf(words).copy,
): TemplateResult | typeof nothing {
  if (!('clipboard' in navigator)) return nothing
  const { copied } = textsOf(words)
  const copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text(button))
      button.dataset['copied'] = ''
      button.ariaLabel = copied
    } catch {
      // The browser refused, so the button does not show the check mark.
      delete button.dataset['copied']
    }
  }
  const reset = (event: Event): void => {
    const button = event.currentTarget as HTMLElement
    delete button.dataset['copied']
    button.ariaLabel = null
  }
  return html`<button type="button" class="quiet copy" part="quiet copy" title=${name}
    @click=${copy} @blur=${reset} @pointerleave=${reset}
    >${icon('M9 9h10v11H9zM15 9V4H5v11h4')}${icon('check')}</button>`
}
