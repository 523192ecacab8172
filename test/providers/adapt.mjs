// Uses the AI SDK's models with `fromAiSdk` of the built package and prints the parts as JSON. Started by the spec of
// `fromAiSdk`. Input on stdin: `{ models, endpoint }`: the file models.js, and the base URL of a scripted server.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { convertArrayToReadableStream, MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'

let text = ''
for await (const chunk of process.stdin) text += chunk
const { models, endpoint } = JSON.parse(text)
const { fromAiSdk } = await import(models)

const image = 'data:image/png;base64,iVBORw0KGgo='
const tool = {
  type: 'function',
  name: 'find',
  description: 'Finds something',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
}
const question = {
  model: '',
  system: 'Be brief.',
  tools: [tool],
  toolChoice: 'auto',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'file', mediaType: 'image/png', data: image },
      ],
    },
  ],
}

/** @param {any} adapter @param {any} request @param {AbortSignal} [signal] */
async function partsOf(adapter, request, signal = new AbortController().signal) {
  const parts = []
  try {
    for await (const part of adapter.stream(request, signal)) parts.push(part)
  } catch (error) {
    parts.push({ type: 'thrown', code: error.code, details: error.details, message: error.message })
  }
  return parts
}

/** The request after an answer, with a text and an image as the results of its calls. @param {any[]} parts */
function nextRequest(parts) {
  const blocks = new Map()
  for (const part of parts) {
    const type = /^(text|reasoning)-/.exec(part.type)?.[1]
    if (type === undefined) continue
    const block = blocks.get(part.id) ?? { type, text: '' }
    block.text += part.delta ?? ''
    if (part.providerMetadata) block.providerOptions = part.providerMetadata
    blocks.set(part.id, block)
  }
  const calls = parts.filter(({ type }) => type === 'tool-call')
  const answer = calls.map(({ toolCallId, toolName, input, providerMetadata }) => ({
    type: 'tool-call',
    toolCallId,
    toolName,
    input: JSON.parse(input),
    ...(providerMetadata ? { providerOptions: providerMetadata } : {}),
  }))
  const results = calls.map(({ toolCallId, toolName }) => ({
    type: 'tool-result',
    toolCallId,
    toolName,
    output: {
      type: 'content',
      value: [
        { type: 'text', text: 'found' },
        { type: 'file', mediaType: 'image/png', data: image },
      ],
    },
  }))
  const messages = [...question.messages, { role: 'assistant', content: [...blocks.values(), ...answer] }]
  return { ...question, messages: [...messages, { role: 'tool', content: results }] }
}

const mockParts = [
  { type: 'stream-start', warnings: [] },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
  { type: 'reasoning-end', id: 'r', providerMetadata: { mock: { signature: 'sig' } } },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Hello' },
  { type: 'text-end', id: '0' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"q":"a"}' },
  {
    type: 'finish',
    finishReason: { unified: 'tool-calls', raw: 'tool_use' },
    usage: {
      inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: undefined },
      outputTokens: { total: 2, text: 2, reasoning: undefined },
    },
  },
]
const results = {}
for (const [name, Mock] of Object.entries({ v3: MockLanguageModelV3, v4: MockLanguageModelV4 })) {
  const model = new Mock({
    provider: 'mock',
    doStream: async () => ({ stream: convertArrayToReadableStream(mockParts) }),
  })
  const parts = await partsOf(fromAiSdk(model), question)
  await partsOf(fromAiSdk(model), nextRequest(parts))
  results[name] = { parts, prompt: model.doStreamCalls[1].prompt }
}
for (const [name, model] of Object.entries({
  responses: createOpenAI({ apiKey: 'none', baseURL: endpoint }).responses('gpt-5-test'),
  messages: createAnthropic({ apiKey: 'none', baseURL: endpoint })('claude-test'),
})) {
  const adapter = fromAiSdk(model, { providerOptions: { openai: { store: false } } })
  const parts = await partsOf(adapter, question)
  const second = await partsOf(adapter, nextRequest(parts))
  const failed = await partsOf(adapter, question)
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error('stopped')), 300)
  const stopped = await partsOf(adapter, question, controller.signal)
  results[name] = { parts, second, failed, stopped }
}
process.stdout.write(JSON.stringify(results))
