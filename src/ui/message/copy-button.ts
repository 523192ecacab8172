// A button that copies a text, and shows a check mark until it loses the focus or the pointer.
import { html, nothing, type TemplateResult } from 'lit'
import type { Words } from '../i18n/en.js'
import { textsOf } from './message-texts.js'
import { icon } from '../styles/icons.js'

/** What a button copies. */
export interface Clip {
  readonly text: string
  /** The same for programs that take formatted text. */
  readonly html?: string
}

/**
 * Draws the button. `content` returns what to copy, `label` is the name of the button. Nothing on an insecure page,
 * because it has no clipboard.
 */
export function copyButton(
  content: () => Clip,
  words: Words,
  label = textsOf(words).copy,
): TemplateResult | typeof nothing {
  if (!('clipboard' in navigator)) return nothing
  const { copied } = textsOf(words)
  const copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement
    try {
      await write(content())
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
  return html`<button type="button" class="quiet copy" part="quiet copy" title=${label}
    @click=${copy} @blur=${reset} @pointerleave=${reset}
    >${icon('M9 9h10v11H9zM15 9V4H5v11h4')}${icon('check')}</button>`
}

function write({ text, html: formatted }: Clip): Promise<void> {
  const { clipboard } = navigator
  if (formatted === undefined || !('ClipboardItem' in globalThis)) return clipboard.writeText(text)
  const kinds = { 'text/plain': text, 'text/html': formatted }
  const blobs = Object.entries(kinds).map(([type, one]) => [type, new Blob([one], { type })])
  return clipboard.write([new ClipboardItem(Object.fromEntries(blobs) as Record<string, Blob>)])
}
