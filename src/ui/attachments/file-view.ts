// Draws an attached file: the image itself, or the name. On a canvas, because an <img> with the data of the message
// would need an entry in the page's Content Security Policy.
import { insertNodes, removeNode } from '../element/nodes.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { FilePart, TextPart } from '../../core/data/message.js'
import type { Agent } from '../../page/agent.js'
import { ActionEvent } from '../panel/actions.js'
import { adoptStyles, definePart, PanelPart, reactiveProperties } from '../panel/render-context.js'
import { fileStyles } from '../styles/attachments.js'
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'

/** Pixels of the longer side of a thumbnail, for screens with two pixels per CSS pixel. */
const thumbnailSide = 480

/** Not in icons.ts, because every panel loads that. */
const sheet = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="M7 3.5h7l4 4v13H7zM14 3.5v4h4"/></svg>`

/** A file with its name, and its thumbnail if it is an image. Replaces its content. */
export class FileView extends PanelPart {
  /** Set by templates. */
  static override properties: PropertyDeclarations = reactiveProperties('file')
  /** The part of the message. */
  declare file: FilePart | TextPart
  readonly #canvas = unclobbered(document).createElement('canvas')
  #untilVisible: IntersectionObserver | undefined

  /** Called by the browser. */
  override connectedCallback(): void {
    // Not with replaceChildren: Lit has a marker in the element for the content of the template.
    for (const node of this.childNodes) if (node instanceof Text) node.data = ''
    super.connectedCallback()
    const root = this.getRootNode()
    if (root instanceof ShadowRoot) adoptStyles(root.host, fileStyles)
  }

  /** Draws the name. The content of the template was for the time until this code is loaded. */
  protected override render(): TemplateResult {
    const { file } = this
    const name = file.name ?? (file.type === 'file' ? file.mediaType : '')
    return html`${sheet}<span class="line" dir="auto" title=${name}>${name}</span>`
  }

  /** Draws the image when the part has changed. */
  protected override updated(changed: PropertyValues): void {
    if (changed.has('file')) void this.#draw()
  }

  async #draw(): Promise<void> {
    const { file } = this
    removeNode(this.#canvas)
    this.#untilVisible?.disconnect()
    if (file.type !== 'file' || !file.mediaType.startsWith('image/') || /^https?:/i.test(file.data)) return
    try {
      const data = file.upload === undefined ? file.data : await this.#load(file)
      const bytes = Uint8Array.from(atob(data.replace(/^data:[^,]*,/, '')), (char) => char.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: file.mediaType }))
      if (file !== this.file) return bitmap.close()
      const scale = Math.min(1, thumbnailSide / Math.max(bitmap.width, bitmap.height))
      this.#canvas.width = Math.max(1, Math.round(bitmap.width * scale))
      this.#canvas.height = Math.max(1, Math.round(bitmap.height * scale))
      this.#canvas.getContext('2d')?.drawImage(bitmap, 0, 0, this.#canvas.width, this.#canvas.height)
      bitmap.close()
      // The name is beside it.
      this.#canvas.setAttribute('aria-hidden', 'true')
      insertNodes(this, this.firstChild, this.#canvas)
    } catch {
      // It cannot be read, so only its name is shown.
    }
  }

  /** The content of a file that a server keeps, once the visitor comes to it. */
  async #load(file: FilePart): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#untilVisible = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        this.#untilVisible?.disconnect()
        resolve()
      })
      this.#untilVisible.observe(this)
    })
    const content = await new Promise<string | undefined>((resolve, reject) => {
      const run = (agent: Agent): Promise<void> => agent.sessions.file(file).then(resolve, reject)
      this.dispatchEvent(new ActionEvent({ do: 'run', run }))
    })
    return content ?? ''
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-file': FileView
  }
}

definePart('tool-agent-file', FileView)
