// Shows how much of the browser's built-in model has been downloaded. Loaded with the first download, and drawn beside
// the templates of the panel, so that panels without such a model do not have it.
import { html, render } from 'lit'
import { adoptStyles, type PanelPart } from './render-context.js'
import { downloadStyles } from '../styles/model-download.js'

// In all languages here, because few panels show a download.
const texts: ReadonlyMap<string, string> = new Map([
  [
    'de',
    'Das Sprachmodell des Browsers wird heruntergeladen. Das geschieht nur einmal und kann einige Minuten dauern.',
  ],
])
const english = 'The browser is downloading its language model. This happens once and can take some minutes.'

const boxes = new WeakMap<PanelPart, HTMLElement>()

/** Shows the part that has arrived, from 0 to 1; undefined removes it. */
export function showDownload(panel: PanelPart, loaded: number | undefined, language: string): void {
  const known = boxes.get(panel)
  if (loaded === undefined) {
    known?.remove()
    return
  }
  const box = known ?? document.createElement('div')
  boxes.set(panel, box)
  const text = texts.get(language) ?? english
  const percent = Math.round(Math.min(1, Math.max(0, loaded)) * 100)
  box.className = 'download'
  // A status is announced when it appears; a progress bar is not announced at each change.
  box.role = 'status'
  render(
    html`<p>${text}</p><div class="row"><progress max="100" .value=${percent} aria-label=${text}></progress>
      <span class="muted" aria-hidden="true">${percent} %</span></div>`,
    box,
  )
  if (box.isConnected) return
  const root = panel.getRootNode()
  if (root instanceof ShadowRoot) adoptStyles(root.host, downloadStyles)
  panel.querySelector('tool-agent-composer')?.before(box)
}
