// The text parts of a streaming message. Each keeps its renderer while the message streams, so that only its end is
// lexed again, and until the next message streams, so that the finished text is not lexed and drawn again.
import type { Draft } from '../../core/data/message.js'
import { plainParagraph } from '../message/long-text.js'
import type { RenderState } from '../panel/render-context.js'

/** Renderers for the text parts of one draft at a time. */
export class StreamingMarkdown {
  readonly #renderers = new Map<number, (text: string) => unknown>()
  #draft: string | undefined
  #markdown: unknown

  /** Returns a function that draws a text part by its index in the draft. */
  forDraft(draft: Draft, { markdown }: RenderState): (index: number, text: string) => unknown {
    if (draft.id !== this.#draft || markdown !== this.#markdown) {
      this.#draft = draft.id
      this.#markdown = markdown
      this.#renderers.clear()
    }
    if (markdown === undefined) return (_index, text) => plainParagraph(text)
    return (index, text) => {
      const draw = this.#renderers.get(index) ?? markdown.stream()
      this.#renderers.set(index, draw)
      return draw(text)
    }
  }

  /** Returns a function that draws a text part of a complete message by its index, like its draft if there was one. */
  finished(id: string, { markdown }: RenderState): (index: number, text: string) => unknown {
    const isNewest = id === this.#draft && markdown === this.#markdown
    return (index, text) => {
      // A link can be defined after its use. Only a renderer of the complete text finds that.
      const own = isNewest && !text.includes(']:') ? this.#renderers.get(index) : undefined
      return (own ?? markdown?.render)?.(text) ?? plainParagraph(text)
    }
  }
}
