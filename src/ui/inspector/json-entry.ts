// A line that opens to the JSON of a value. The JSON is made while it is open and at no other time.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { toVisibleText } from '../message/json-view.js'
import { icon } from '../styles/icons.js'
import { words } from '../i18n/en.js'
import { copyButton } from '../message/message-view.js'
import { PanelPart } from '../panel/render-context.js'

export class JsonEntry extends PanelPart {
  static override properties: PropertyDeclarations = {
    head: { attribute: false },
    value: { attribute: false },
    open: { type: Boolean },
  }
  declare head: unknown
  declare value: unknown
  declare open: boolean

  constructor() {
    super()
    this.open = false
  }

  protected override render(): TemplateResult {
    return html`<details class="entry" .open=${this.open} @toggle=${this.#toggle}>
      <summary>${icon('chevron')}${this.head}</summary>
      ${this.open ? this.#json() : nothing}
    </details>`
  }

  #json(): TemplateResult {
    const text = JSON.stringify(this.value, null, 2) ?? 'undefined'
    return html`<div class="json"><pre tabindex="0">${toVisibleText(text)}</pre>${copyButton(text, words)}</div>`
  }

  #toggle = (event: Event): void => {
    this.open = (event.currentTarget as HTMLDetailsElement).open
  }
}
