// A line that opens to show a value as JSON. The JSON is created only while the line is open.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { toVisibleText } from '../message/values/json-view.js'
import { icon } from '../styles/icons.js'
import { words } from '../i18n/en.js'
import { copyButton } from '../message/copy-button.js'
import { PanelPart } from '../panel/render-context.js'

/** `<tool-agent-inspector-entry>`: a line of the inspector with a value. */
export class JsonEntry extends PanelPart {
  /** Lit's declaration; only `open` is an attribute. */
  static override properties: PropertyDeclarations = {
    head: { attribute: false },
    value: { attribute: false },
    open: { type: Boolean },
  }
  /** The template of the line. */
  declare head: unknown
  /** The value; it must be JSON or undefined. */
  declare value: unknown
  /** Whether the JSON is shown. @default false */
  declare open: boolean

  constructor() {
    super()
    this.open = false
  }

  /** Draws the line, and the JSON while it is open. */
  protected override render(): TemplateResult {
    return html`<details class="entry" .open=${this.open} @toggle=${this.#onToggle}>
      <summary>${icon('chevron')}${this.head}</summary>
      ${this.open ? this.#json() : nothing}
    </details>`
  }

  #json(): TemplateResult {
    const text = JSON.stringify(this.value, null, 2) ?? 'undefined'
    const copy = copyButton(() => ({ text }), words)
    return html`<div class="json"><pre tabindex="0">${toVisibleText(text)}</pre>${copy}</div>`
  }

  #onToggle = (event: Event): void => {
    this.open = (event.currentTarget as HTMLDetailsElement).open
  }
}
