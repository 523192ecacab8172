// The text parts of a streaming message. Each keeps its renderer while the message streams, so that only its end is
// lexed again, and until the next message streams, so that the finished text is not lexed and drawn again. Text that
// arrives faster than it can be drawn appears over several frames, so that no frame takes long.
import type { Draft } from '../../core/data/message.js'
import { plainParagraph } from '../message/values/long-text.js'
import type { Markdown, RenderState } from '../panel/render-context.js'

/** Characters that one frame adds to the texts. */
const frameLimit = 8_000

/** One text part. */
interface Part {
  readonly draw: ReturnType<Markdown['stream']>
  /** How many characters of it are drawn. */
  length: number
  /** There are more. */
  isBehind: boolean
}

/** Renderers for the text parts of one draft at a time. */
export class StreamingMarkdown {
  readonly #parts = new Map<number, Part>()
  readonly #drawAgain: () => void
  /** Characters that this frame may still add. */
  #room = frameLimit
  #awaitsFrame = false
  /** The next frame must draw again. */
  #isIncomplete = false
  #draft: string | undefined
  #markdown: unknown

  /** `drawAgain` is called before a frame, and must draw the texts again. */
  constructor(drawAgain: () => void) {
    this.#drawAgain = drawAgain
  }

  /** Returns a function that draws a text part by its index in the draft. */
  forDraft(draft: Draft, { markdown }: RenderState): (index: number, text: string) => unknown {
    if (draft.id !== this.#draft || markdown !== this.#markdown) {
      this.#draft = draft.id
      this.#markdown = markdown
      this.#parts.clear()
    }
    if (markdown === undefined) return (_index, text) => plainParagraph(text)
    return (index, text) => {
      const part = this.#parts.get(index) ?? { draw: markdown.stream(), length: 0, isBehind: false }
      this.#parts.set(index, part)
      return this.#draw(part, text)
    }
  }

  /** Returns a function that draws a text part of a complete message by its index, like its draft if there was one. */
  finished(id: string, { markdown }: RenderState): (index: number, text: string) => unknown {
    const isNewest = id === this.#draft && markdown === this.#markdown
    return (index, text) => {
      // A link can be defined after its use. Only a renderer of the complete text finds that.
      const part = isNewest && !text.includes(']:') ? this.#parts.get(index) : undefined
      return part === undefined ? (markdown?.render(text) ?? plainParagraph(text)) : this.#draw(part, text)
    }
  }

  /** Whether a text of a message must be drawn again although it did not change. */
  isBehind(id: string): boolean {
    return id === this.#draft && [...this.#parts.values()].some((part) => part.isBehind)
  }

  #draw(part: Part, text: string): unknown {
    const drawn = Math.min(part.length, text.length)
    const wasBehind = part.isBehind
    part.length = Math.min(text.length, drawn + this.#room)
    part.isBehind = part.length < text.length
    this.#room -= part.length - drawn
    // Also after the last step, so that `isBehind` is false for what is drawn then.
    this.#isIncomplete ||= wasBehind || part.isBehind
    // The next task runs when this frame is painted.
    if (!this.#awaitsFrame) setTimeout(this.#endFrame)
    this.#awaitsFrame = true
    return part.draw(text.slice(0, part.length))
  }

  /** Requests another frame only for text that this one has left over. */
  readonly #endFrame = (): void => {
    if (this.#isIncomplete) requestAnimationFrame(this.#nextFrame)
    else this.#nextFrame()
  }

  readonly #nextFrame = (): void => {
    const again = this.#isIncomplete
    this.#awaitsFrame = false
    this.#isIncomplete = false
    this.#room = frameLimit
    if (again) this.#drawAgain()
  }
}
