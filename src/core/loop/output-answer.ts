// Reads an answer that must be an object. Text that begins as JSON is shown as the arguments of `final_result` instead
// of text. An answer without calls becomes a call of it; if its text is not JSON, the turn answers with a format error.
import type { ModelPart } from '../data/model.js'
import { outputToolName } from './tool-names.js'
import { objectText } from './output-request.js'

/** Reads the parts of one answer. */
export interface AnswerReader {
  /** The parts to pass on for one part of the model. */
  add(part: ModelPart): ModelPart[]
  /** The text that was not passed on, for an answer that fails. */
  held(): ModelPart[]
}

interface Block {
  /** `held`: nothing but space yet. `json`: it is not passed on as text. */
  state: 'held' | 'json' | 'text'
  text: string
  /** The parts that begin the text, passed on with its first word. */
  readonly start: ModelPart[]
}

/** `id`: the id of the call that the answer becomes. */
export function createAnswerReader(id: string): AnswerReader {
  const blocks = new Map<string, Block>()
  let hasCalls = false
  let isShown = false

  const blockOf = (block: string): Block => {
    const known = blocks.get(block) ?? { state: 'held', text: '', start: [] }
    blocks.set(block, known)
    return known
  }

  /** The text as arguments. Shown from its first brace, so that a code block shows nothing. */
  const show = (delta: string): ModelPart[] => {
    const parts: ModelPart[] = isShown ? [] : [{ type: 'tool-input-start', id, toolName: outputToolName }]
    isShown = true
    return [...parts, { type: 'tool-input-delta', id, delta }]
  }

  const addText = (part: Extract<ModelPart, { type: 'text-delta' }>): ModelPart[] => {
    const block = blockOf(part.id)
    block.text += part.delta
    if (block.state === 'text') return [part]
    const begin = block.text.trimStart()
    // An empty delta, because the time limit between two parts starts again with each part.
    const nothing: ModelPart[] = [{ type: 'text-delta', id: part.id, delta: '' }]
    if (block.state === 'held') {
      if (begin === '' || '```'.startsWith(begin)) return nothing
      block.state = /^(\{|```)/.test(begin) ? 'json' : 'text'
      if (block.state === 'text') return [...block.start, { ...part, delta: block.text }]
      return begin.startsWith('{') ? show(begin) : nothing
    }
    return begin.startsWith('{') ? show(part.delta) : nothing
  }

  const held = (): ModelPart[] =>
    [...blocks].flatMap(([block, { state, text }]): ModelPart[] =>
      state === 'text' || text === '' ? [] : [{ type: 'text-delta', id: block, delta: text }],
    )

  return {
    held,
    add(part) {
      switch (part.type) {
        case 'text-start': {
          const block = blockOf(part.id)
          if (block.state === 'text') return [part]
          block.start.push(part)
          return []
        }
        case 'text-delta':
          return addText(part)
        case 'text-end': {
          const block = blockOf(part.id)
          block.text = part.text ?? block.text
          return block.state === 'text' ? [part] : []
        }
        case 'tool-call':
          hasCalls = true
          return [part]
        case 'finish': {
          const text = [...blocks.values()].map((block) => block.text).join('')
          const json = [...blocks.values()].findLast((block) => block.state === 'json')?.text
          const { unified } = part.finishReason
          if (hasCalls) return [part]
          if (text.trim() === '' || (unified !== 'stop' && unified !== 'tool-calls')) return [...held(), part]
          const input = objectText(json ?? text)
          return [
            ...(isShown ? [] : show(input)),
            { type: 'tool-input-end', id },
            { type: 'tool-call', toolCallId: id, toolName: outputToolName, input },
            { ...part, finishReason: { ...part.finishReason, unified: 'tool-calls' } },
          ]
        }
        default:
          return [part]
      }
    },
  }
}
