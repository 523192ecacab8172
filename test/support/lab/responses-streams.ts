// Answers of the Responses API for scripted servers, and the rules of the API for requests.
import { expect } from 'playwright/test'
import { isObject, type JsonObject } from '../../../src/core/data/json.js'
import type { Reply } from './endpoint.js'

/** A message of the model, as the server sends it. */
export const messageItem = (text: string): JsonObject => ({
  id: `msg_${text.length}`,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
/** A call, as the server sends it. */
export const callItem = (id: string, name: string, input: JsonObject): JsonObject => ({
  id: `fc_${id}`,
  type: 'function_call',
  call_id: `call_${id}`,
  name,
  arguments: JSON.stringify(input),
  status: 'completed',
})

/** The events of an answer with these items, each text in two deltas. */
export function streamed(output: readonly JsonObject[]): Reply {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm-1', status: 'in_progress', output: [] }
  const events: JsonObject[] = [{ type: 'response.created', response }]
  for (const [index, item] of output.entries()) {
    const halves = (text: unknown) => [String(text).slice(0, 7), String(text).slice(7)]
    const delta = (kind: string, text: string) =>
      events.push({
        type: `response.${kind}.delta`,
        output_index: index,
        item_id: item['id']!,
        content_index: 0,
        summary_index: 0,
        delta: text,
      })
    const blank = { ...item, arguments: '', content: [], summary: [], encrypted_content: 'early' }
    events.push({ type: 'response.output_item.added', output_index: index, item: blank })
    const [part] = (item['summary'] ?? item['content'] ?? []) as readonly JsonObject[]
    if (item['type'] === 'reasoning') for (const text of halves(part!['text'])) delta('reasoning_summary_text', text)
    if (item['type'] === 'message') for (const text of halves(part!['text'])) delta('output_text', text)
    if (item['type'] === 'function_call')
      for (const text of halves(item['arguments'])) delta('function_call_arguments', text)
    events.push({ type: 'response.output_item.done', output_index: index, item })
  }
  const usage = { input_tokens: 9, output_tokens: 5 }
  events.push({ type: 'response.completed', response: { ...response, status: 'completed', output, usage } })
  return { raw: events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('') }
}

/** The input of a request. */
export function itemsOf(body: JsonObject): readonly JsonObject[] {
  return body['input'] as unknown as readonly JsonObject[]
}

/** Rules of the API that hold for every request. */
export function expectValid(body: JsonObject): void {
  expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  const items = itemsOf(body)
  const calls = items.filter(({ type }) => type === 'function_call').map((item) => item['call_id'])
  const results = items.filter(({ type }) => type === 'function_call_output').map((item) => item['call_id'])
  expect(results).toEqual(calls)
  expect(new Set(calls).size).toBe(calls.length)
  for (const [index, item] of items.entries()) {
    if (item['type'] === 'reasoning') expect(items[index + 1]?.['id'], 'an item follows').toMatch(/^(rs|msg|fc)_/)
    if (item['type'] === 'function_call') expect(isObject(JSON.parse(String(item['arguments'])))).toBe(true)
  }
}
