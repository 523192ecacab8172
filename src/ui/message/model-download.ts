// Shows how much of the browser's built-in model has been downloaded.
import { html, type PropertyDeclarations, type TemplateResult } from 'lit'
import { PanelPart, reactiveProperties } from '../panel/render-context.js'

// In all languages here, because few panels show a download.
const texts: ReadonlyMap<string, string> = new Map([
  ['ar', 'يقوم المتصفح بتنزيل نموذجه اللغوي. يحدث هذا مرة واحدة فقط، وقد يستغرق بضع دقائق.'],
  [
    'de',
    'Das Sprachmodell des Browsers wird heruntergeladen. Das geschieht nur einmal und kann einige Minuten dauern.',
  ],
  ['es', 'El navegador está descargando su modelo de lenguaje. Solo ocurre una vez y puede tardar unos minutos.'],
  ['fr', 'Le navigateur télécharge son modèle de langage. Cela n’arrive qu’une fois et peut prendre quelques minutes.'],
  ['ja', 'ブラウザーが言語モデルをダウンロードしています。これは一度だけ行われ、数分かかることがあります。'],
  ['zh', '浏览器正在下载其语言模型。这只需进行一次，可能需要几分钟。'],
])
const english = 'The browser is downloading its language model. This happens once and can take some minutes.'

/** A sentence with a progress bar. */
export class ModelDownload extends PanelPart {
  /** Set by the template of the notice. */
  static override properties: PropertyDeclarations = reactiveProperties('loaded')
  /** The part that has arrived, from 0 to 1. */
  declare loaded: number

  /** Draws the sentence and the progress. */
  protected override render(): TemplateResult {
    const root = this.getRootNode()
    const marked = root instanceof ShadowRoot ? root.host.closest<HTMLElement>('[lang]')?.lang : ''
    const language = (marked || navigator.language).toLowerCase()
    // The Chinese text is simplified, as that of the panel.
    const text = (/^zh-(hant|hk|mo|tw)/.test(language) ? undefined : texts.get(language.slice(0, 2))) ?? english
    const percent = Math.round(Math.min(1, Math.max(0, this.loaded)) * 100)
    // The sentence is announced once. Screen readers read the progress bar when the user asks for it.
    return html`<p role="status">${text}</p>
      <div class="row"><progress max="100" .value=${percent} aria-label=${text}></progress>
      <span class="muted" aria-hidden="true">${percent} %</span></div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-download': ModelDownload
  }
}
