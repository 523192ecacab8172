// The texts of a message that is being streamed: each keeps what it has drawn, as long as it is the same message.
import type { Draft } from '../../core/data/message.js'
import { unreadLength } from '../message/long-text.js'
import type { RenderState } from '../panel/render-context.js'

export class StreamingMarkdown {
  readonly #texts = new Map<number, (text: string) => unknown>()
  #draft: string | undefined
  #markdown: unknown

  /** Draws a text part by its place in the draft. */
  of(draft: Draft, { markdown }: RenderState): (index: number, text: string) => unknown {
    if (draft.id !== this.#draft || markdown !== this.#markdown) {
      this.#draft = draft.id
      this.#markdown = markdown
      this.#texts.clear()
    }
    if (markdown === undefined) return (_index, text) => unreadLength(text)
    return (index, text) => {
      const draw = this.#texts.get(index) ?? markdown.growing()
      this.#texts.set(index, draw)
      return draw(text)
    }
  }
}
