// Draws an attached file: the image itself, or the name. On a canvas, because an <img> with the data of the message
// would need an entry in the page's Content Security Policy.
import type { FilePart, TextPart } from '../../core/data/message.js'
import { adoptStyles, definePart, PanelPart, reactiveProperties } from '../panel/render-context.js'
import { fileStyles } from '../styles/file-view.js'
import type { PropertyDeclarations, PropertyValues } from 'lit'

/** Pixels of the longer side of a thumbnail, for screens with two pixels per CSS pixel. */
const thumbnailSide = 480

/** Adds a thumbnail to the name of a file that is an image. */
export class FileView extends PanelPart {
  /** Set by templates. */
  static override properties: PropertyDeclarations = reactiveProperties('file')
  /** The part of the message. */
  declare file: FilePart | TextPart
  readonly #canvas = document.createElement('canvas')

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback()
    const root = this.getRootNode()
    if (root instanceof ShadowRoot) adoptStyles(root.host, fileStyles)
  }

  /** Draws the image when the part has changed. */
  protected override updated(changed: PropertyValues): void {
    if (changed.has('file')) void this.#draw()
  }

  async #draw(): Promise<void> {
    const { file } = this
    this.#canvas.remove()
    if (file.type !== 'file' || !file.mediaType.startsWith('image/') || /^https?:/i.test(file.data)) return
    try {
      const bytes = Uint8Array.from(atob(file.data.replace(/^data:[^,]*,/, '')), (char) => char.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: file.mediaType }))
      if (file !== this.file) return bitmap.close()
      const scale = Math.min(1, thumbnailSide / Math.max(bitmap.width, bitmap.height))
      this.#canvas.width = Math.max(1, Math.round(bitmap.width * scale))
      this.#canvas.height = Math.max(1, Math.round(bitmap.height * scale))
      this.#canvas.getContext('2d')?.drawImage(bitmap, 0, 0, this.#canvas.width, this.#canvas.height)
      bitmap.close()
      // The name is beside it.
      this.#canvas.setAttribute('aria-hidden', 'true')
      this.prepend(this.#canvas)
    } catch {
      // The browser cannot read this image, so only its name is shown.
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-file': FileView
  }
}

definePart('tool-agent-file', FileView)
