// What is the same in the answers of every protocol, through the whole adapters.
import { expect, test } from 'playwright/test'
import type { JsonObject } from '../../../../src/core/data/json.js'
import type { ModelAdapter, ModelPart } from '../../../../src/core/data/model.js'
import {
  anthropicMessages,
  chatCompletions,
  generateContent,
  openaiResponses,
  type HttpModelOptions,
} from '../../../../src/models.js'
import { partsOf, plainRequest } from '../../../support/recordings/named-events.js'

interface Protocol {
  readonly adapter: (options: HttpModelOptions) => ModelAdapter
  /** A short answer without anything that identifies it. */
  readonly events: readonly JsonObject[]
}

const protocols: Readonly<Record<string, Protocol>> = {
  'chat completions': {
    adapter: chatCompletions,
    events: [{ choices: [{ delta: { content: 'Hi' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }],
  },
  Responses: {
    adapter: openaiResponses,
    events: [
      { type: 'response.created', response: {} },
      { type: 'response.output_text.delta', delta: 'Hi' },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
  },
  Messages: {
    adapter: anthropicMessages,
    events: [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ],
  },
  Gemini: {
    adapter: generateContent,
    events: [{ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }],
  },
}

async function answered({ adapter }: Protocol, events: readonly JsonObject[]): Promise<ModelPart[]> {
  const model = adapter({
    endpoint: 'http://corpus/v1',
    credentials: 'omit',
    stream: true,
    headers: async () => ({}),
    limits: { responseBytes: 4_194_304 },
    fetch: async () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  })
  const { parts, error } = await partsOf(model, plainRequest('m-1'))
  expect(error).toBeUndefined()
  return parts
}

for (const [name, protocol] of Object.entries(protocols)) {
  test(`${name}: an answer that names neither itself nor its model begins with its text`, async () => {
    const [first] = await answered(protocol, protocol.events)
    expect(first?.type).toMatch(/^text-/)
  })
}
