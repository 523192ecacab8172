// `fromAiSdk` of the built package with the AI SDK itself: its mock models of both specifications, and its providers for
// OpenAI and Anthropic against a scripted server. Their items and signatures must come back unchanged.
import { join } from 'node:path'
import type { JsonObject } from '../../../../../src/core/data/json.js'
import { startEndpoint, type Reply } from '../../../../support/lab/endpoint.js'
import { callItem, itemsOf, messageItem, streamed } from '../../../../support/lab/responses-streams.js'
import { expect, test } from '../../../../support/project/dist.js'
import { adaptSdkModels } from '../../../../support/project/provider-packages.js'

type Part = JsonObject & { readonly type: string }
interface Results {
  readonly v3: { readonly parts: Part[]; readonly prompt: JsonObject[] }
  readonly v4: { readonly parts: Part[]; readonly prompt: JsonObject[] }
  readonly responses: Record<'parts' | 'second' | 'failed' | 'stopped', Part[]>
  readonly messages: Record<'parts' | 'second' | 'failed' | 'stopped', Part[]>
}

const reasoning: JsonObject = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Two things to find.' }],
  encrypted_content: 'gAAAA-secret-4711',
}
const plan = [
  reasoning,
  messageItem('I look both up.'),
  callItem('01', 'find', { q: 'a' }),
  callItem('02', 'find', { q: 'b' }),
]
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'sig-4712' }
const uses = ['a', 'b'].map((q) => ({ type: 'tool_use', id: `toolu_${q}`, name: 'find', input: { q } }))

const sse = (events: readonly JsonObject[]): Reply => ({
  raw: events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})
function blockEvents({ input, text, thinking: thought, signature, ...rest }: JsonObject, index: number): JsonObject[] {
  const deltas: JsonObject[] = []
  let blank: JsonObject = rest
  if (input !== undefined) {
    blank = { ...rest, input: {} }
    deltas.push({ type: 'input_json_delta', partial_json: JSON.stringify(input) })
  } else if (text !== undefined) {
    blank = { ...rest, text: '' }
    deltas.push({ type: 'text_delta', text })
  } else {
    blank = { ...rest, thinking: '' }
    deltas.push({ type: 'thinking_delta', thinking: thought! }, { type: 'signature_delta', signature: signature! })
  }
  return [
    { type: 'content_block_start', index, content_block: blank },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}
const message = (content: readonly JsonObject[], stop: string): Reply =>
  sse([
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'c',
        content: [],
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    ...content.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ])
const busy: Reply = {
  status: 429,
  body: { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } },
  headers: { 'retry-after': '7' },
}
const hangs = (reply: Reply): Reply => ({ raw: [(reply as { raw: string }).raw.slice(0, 300)], end: 'hang' })
const textOf = (parts: readonly Part[]) => parts.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')

test('models of the AI SDK and of its providers work as adapters', { tag: '@long' }, async ({ dist }) => {
  test.setTimeout(300_000)
  const endpoint = await startEndpoint([
    streamed(plan),
    streamed([messageItem('Both found.')]),
    busy,
    hangs(streamed(plan)),
    message([thinking, { type: 'text', text: 'I look both up.' }, ...uses], 'tool_use'),
    message([{ type: 'text', text: 'Both found.' }], 'end_turn'),
    busy,
    hangs(message([{ type: 'text', text: 'Half' }], 'end_turn')),
  ])
  try {
    const input = { models: `file://${join(dist, 'models.js')}`, endpoint: endpoint.url }
    const { v3, v4, responses, messages } = (await adaptSdkModels(input)) as Results
    for (const [version, { parts, prompt }] of Object.entries({ v3, v4 })) {
      expect(textOf(parts), version).toBe('Hello')
      expect(parts.at(-1)).toMatchObject({ type: 'finish', usage: { inputTokens: { total: 3, cacheRead: 0 } } })
      expect(prompt.find(({ role }) => role === 'assistant')!['content']).toEqual([
        { type: 'reasoning', text: 'Hm.', providerOptions: { mock: { signature: 'sig' } } },
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { q: 'a' } },
      ])
    }
    for (const [name, { parts, second, failed, stopped }] of Object.entries({ responses, messages })) {
      expect(textOf(parts), name).toBe('I look both up.')
      expect(parts.filter(({ type }) => type === 'tool-call').map((part) => part['input'])).toEqual([
        '{"q":"a"}',
        '{"q":"b"}',
      ])
      expect(parts.at(-1), name).toMatchObject({
        finishReason: { unified: 'tool-calls' },
        usage: { inputTokens: { total: 9 } },
      })
      expect(textOf(second), name).toBe('Both found.')
      expect(failed, name).toEqual([
        expect.objectContaining({
          type: 'thrown',
          code: 'rate-limited',
          message: expect.stringContaining('Slow down'),
        }),
      ])
      expect(failed[0]!['details']).toMatchObject({ status: 429, retry: true, retryAfter: 7000 })
      expect(stopped.at(-1), name).toMatchObject({ type: 'thrown', message: 'stopped' })
    }
    const [first, second] = endpoint.requests.map(({ body }) => body!) as [JsonObject, JsonObject]
    expect(JSON.stringify(first)).toContain('data:image/png;base64,iVBORw0KGgo=')
    const items = itemsOf(second)
    expect(items.find(({ type }) => type === 'reasoning')).toMatchObject({ encrypted_content: 'gAAAA-secret-4711' })
    expect(items.filter(({ type }) => type === 'function_call').map((item) => item['call_id'])).toEqual([
      'call_01',
      'call_02',
    ])
    const withThinking = JSON.stringify(endpoint.requests[5]!.body)
    expect(withThinking).toContain('sig-4712')
    expect(withThinking).toContain('"type":"image"')
  } finally {
    await endpoint.stop()
  }
  await endpoint.close()
})
