// Where an answer begins: what the endpoint says about it (its id, the model) goes before its first part, or alone if
// the answer has no part.
import type { ModelPart } from '../../../core/data/model.js'

/** The start of one answer. */
export class AnswerStart {
  /** The part `response-metadata`, as soon as an event has it. */
  metadata: ModelPart | undefined
  #hasBegun = false

  /** Whether any part was returned. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** The parts of one event, with the metadata before the first ones of the answer. */
  begin(parts: ModelPart[]): ModelPart[] {
    if (parts.length === 0 || this.#hasBegun) return parts
    return [...this.rest(), ...parts]
  }

  /** The metadata, if no part was returned yet. For the end of an answer. */
  rest(): ModelPart[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return this.metadata === undefined ? [] : [this.metadata]
  }
}
