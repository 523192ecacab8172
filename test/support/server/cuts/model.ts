// A model that does what the message of the user says, step by step. It knows nothing but the request, as a model that
// runs elsewhere, so a server that starts again goes on where the conversation is.
import type { ModelAdapter, ModelPart } from '../../../../src/core/data/model.js'

/** The text of a message, by which everything that belongs to it is found. */
export const textOfSend = (user: string, number: number, steps: string) => `${user}~${number}:${steps};`

const pattern = /(anna|ben)~(\d+):([a-z,|]*);/g

/** @param pause resolves after a while; never, if the process has ended. */
export function plannedModel(pause: () => Promise<void>, id: () => string): ModelAdapter {
  return {
    async *stream({ messages }): AsyncIterable<ModelPart> {
      const found = messages.map((one) =>
        one.role === 'user' ? [...JSON.stringify(one).matchAll(pattern)].at(-1) : undefined,
      )
      const last = found.findLastIndex((one) => one !== undefined)
      const [, user = '', number = '', plan = ''] = found[last] ?? []
      const answered = messages.slice(last + 1).filter(({ role }) => role === 'assistant').length
      const step = plan.split('|')[answered]
      await pause()
      yield { type: 'text-delta', id: '1', delta: `${user}~${number} ` }
      await pause()
      if (!step) {
        yield { type: 'text-delta', id: '1', delta: 'is done.' }
        yield { type: 'finish', finishReason: { unified: 'stop' } }
        return
      }
      for (const [place, tool] of step.split(',').entries()) {
        const input = JSON.stringify({ plan: `${user}~${number}.${answered}.${place}` })
        yield { type: 'tool-call', toolCallId: `call-${id()}`, toolName: tool, input }
        await pause()
      }
      yield { type: 'finish', finishReason: { unified: 'tool-calls' } }
    },
  }
}
