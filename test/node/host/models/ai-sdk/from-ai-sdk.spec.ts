// `fromAiSdk` with models written by hand: what a model gets in both specifications, what the turn gets from its parts,
// errors, and the end of a stopped call. The packages of the AI SDK itself are in ai-sdk-packages.spec.ts.
import { isObject, type JsonObject } from '../../../../../src/core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../../../src/core/data/model.js'
import { fromAiSdk } from '../../../../../src/host/models/ai-sdk/from-ai-sdk.js'
import type { AiSdkCallOptions, AiSdkModel } from '../../../../../src/host/models/ai-sdk/sdk-prompt.js'
import { serve } from '../../../../../src/host/serve.js'
import { memoryStore } from '../../../../../src/host/store/memory-store.js'
import { Agent } from '../../../../../src/page/agent.js'
import { expect, test, until } from '../../../../support/lab/lab.js'

const question: ModelRequest = {
  model: 'ignored',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: 'auto',
}
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'end' }, usage: {} }
const usage = {
  inputTokens: { total: 7, noCache: 5, cacheRead: 2, cacheWrite: undefined },
  outputTokens: { total: 3, text: 2, reasoning: 1 },
}
const says = (text: string): readonly unknown[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: text },
  { type: 'text-end', id: '0' },
  finish,
]

interface Scripted extends AiSdkModel {
  readonly calls: AiSdkCallOptions[]
  /** The reader of the newest stream cancelled it. */
  isCancelled: boolean
}

/** A model that answers with these parts in order. An error is thrown by `doStream`; `hangs` never ends. */
function scripted(
  answers: readonly (readonly unknown[] | Error)[],
  { version = 'v4', provider = 'test', hangs = false } = {},
): Scripted {
  const left = [...answers]
  const model: Scripted = {
    specificationVersion: version,
    provider,
    modelId: 'sdk-model',
    calls: [],
    isCancelled: false,
    async doStream(options) {
      model.calls.push(options)
      const answer = left.shift()
      if (answer === undefined) throw new Error('An unexpected call')
      if (answer instanceof Error) throw answer
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of answer) controller.enqueue(part)
          if (!hangs) controller.close()
        },
        cancel() {
          model.isCancelled = true
        },
      })
      return { stream }
    },
  }
  return model
}

async function partsOf(adapter: ModelAdapter, request: Partial<ModelRequest> = {}): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of adapter.stream({ ...question, ...request }, new AbortController().signal)) parts.push(part)
  return parts
}

test.describe('calls', () => {
  test('a model gets the prompt, the tools, and the further options', async () => {
    const model = scripted([says('Hello'), says('Hello')])
    const adapter = fromAiSdk(model, { temperature: 0.5, providerOptions: { test: { effort: 'low' } } })
    const tool = { type: 'function', name: 'find', description: 'Find', inputSchema: { type: 'object' } } as const
    await partsOf(adapter, { system: 'Be brief.', tools: [tool], toolChoice: { type: 'tool', toolName: 'find' } })
    expect(model.calls[0]).toEqual({
      temperature: 0.5,
      providerOptions: { test: { effort: 'low' } },
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      tools: [tool],
      toolChoice: { type: 'tool', toolName: 'find' },
      includeRawChunks: true,
      abortSignal: expect.any(AbortSignal),
    })
    await partsOf(adapter)
    expect(Object.keys(model.calls[1]!).sort()).toEqual([
      'abortSignal',
      'includeRawChunks',
      'prompt',
      'providerOptions',
      'temperature',
    ])
  })

  test('files have the form of the specification', async () => {
    const image = { type: 'file', mediaType: 'image/png', data: 'data:image/png;base64,AAAA' } as const
    const pdf = { type: 'file', mediaType: 'application/pdf', data: 'JVBE', name: 'a.pdf' } as const
    const remote = { type: 'file', mediaType: 'image/png', data: 'https://shop.example/a.png' } as const
    const messages: ModelRequest['messages'] = [
      {
        role: 'user',
        content: [image, { type: 'file', mediaType: 'text/plain', data: 'data:,a%20b', filename: 'a.txt' }, remote],
      },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'look at', input: { a: 1 } }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'look at',
            output: { type: 'content', value: [{ ...image, label: 'Untrusted:' }, pdf, remote] },
          },
        ],
      },
    ]
    const url = new URL(remote.data)
    const call = [{ type: 'tool-call', toolCallId: 'c', toolName: 'look_at', input: { a: 1 } }]
    for (const [version, files, results] of [
      [
        'v4',
        [
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: btoa('a b') }, filename: 'a.txt' },
          { type: 'file', mediaType: 'image/png', data: { type: 'url', url } },
        ],
        [
          { type: 'text', text: 'Untrusted:' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'JVBE' }, filename: 'a.pdf' },
          { type: 'file', mediaType: 'image/png', data: { type: 'url', url } },
        ],
      ],
      [
        'v3',
        [
          { type: 'file', mediaType: 'image/png', data: 'AAAA' },
          { type: 'file', mediaType: 'text/plain', data: btoa('a b'), filename: 'a.txt' },
          { type: 'file', mediaType: 'image/png', data: url },
        ],
        [
          { type: 'text', text: 'Untrusted:' },
          { type: 'image-data', mediaType: 'image/png', data: 'AAAA' },
          { type: 'file-data', mediaType: 'application/pdf', data: 'JVBE', filename: 'a.pdf' },
          { type: 'image-url', url: remote.data },
        ],
      ],
    ] as const) {
      const model = scripted([says('Hello')], { version })
      await partsOf(fromAiSdk(model), { messages })
      const result = {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'look_at',
        output: { type: 'content', value: results },
      }
      expect(model.calls[0]!.prompt, version).toEqual([
        { role: 'user', content: files },
        { role: 'assistant', content: call },
        { role: 'tool', content: [result] },
      ])
    }
  })

  test('anything but a model of specification v3 or v4 is refused', () => {
    for (const model of ['openai/gpt-5', scripted([], { version: 'v2' }), undefined])
      expect(() => fromAiSdk(model as AiSdkModel)).toThrow(
        /expected a language model of specification v3 or v4, received/,
      )
  })
})

test.describe('answers', () => {
  test('text, calls, finish and usage are those of the model, and parts without a counterpart are left out', async () => {
    const model = scripted([
      [
        { type: 'response-metadata', id: 'r', modelId: 'm', timestamp: new Date(0) },
        { type: 'source', sourceType: 'url', id: 's', url: 'https://x.example' },
        { type: 'tool-input-start', id: 'p', toolName: 'web_search', providerExecuted: true },
        { type: 'tool-input-delta', id: 'p', delta: '{}' },
        { type: 'tool-input-end', id: 'p' },
        { type: 'tool-call', toolCallId: 'p', toolName: 'web_search', input: '{}', providerExecuted: true },
        { type: 'ping' },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'Hello' },
        { type: 'text-end', id: '0', providerMetadata: { test: { itemId: 'msg' } } },
        { type: 'tool-input-start', id: 'c', toolName: 'find' },
        { type: 'tool-input-delta', id: 'c', delta: '{"a":1}' },
        { type: 'tool-input-end', id: 'c' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: '{"a":1}' },
        { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_use' }, usage },
      ],
    ])
    const providerMetadata = { aiSdk: { provider: 'test', metadata: { test: { itemId: 'msg' } } } }
    expect(await partsOf(fromAiSdk(model))).toEqual([
      { type: 'response-metadata', id: 'r', modelId: 'm' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hello' },
      { type: 'text-end', id: '0', providerMetadata },
      { type: 'tool-input-start', id: 'c', toolName: 'find' },
      { type: 'tool-input-delta', id: 'c', delta: '{"a":1}' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: '{"a":1}' },
      {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'tool_use' },
        usage: { inputTokens: { total: 7, cacheRead: 2 }, outputTokens: { total: 3, reasoning: 1 } },
      },
    ])
  })

  test('each finish reason is known, and a new one is other', async () => {
    for (const [given, unified] of [
      ['length', 'length'],
      ['content-filter', 'content-filter'],
      ['interrupted', 'other'],
    ] as const) {
      const parts = await partsOf(
        fromAiSdk(scripted([[{ ...finish, finishReason: { unified: given, raw: undefined } }]])),
      )
      expect(parts).toEqual([{ type: 'finish', finishReason: { unified } }])
    }
  })

  test('errors have the code of their status, or are retried if the network failed', async () => {
    const api = (fields: object) => Object.assign(new Error('Refused'), { name: 'AI_APICallError', ...fields })
    const body = JSON.stringify({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } })
    const limited = api({
      statusCode: 429,
      responseHeaders: { 'retry-after': '7' },
      responseBody: body,
      url: 'https://x.example/v1?key=secret',
    })
    for (const [error, wanted] of [
      [limited, { code: 'rate-limited', details: { retry: true, retryAfter: 7000, status: 429 } }],
      [api({ statusCode: 404, responseBody: '' }), { code: 'not-found' }],
      [api({ isRetryable: true }), { code: 'network', details: { retry: true } }],
      [new TypeError('fetch failed'), { code: 'network' }],
      [new Error('A bug'), { code: 'bad-response', message: 'A bug', details: { retry: false } }],
    ] as const) {
      await expect(partsOf(fromAiSdk(scripted([error])))).rejects.toMatchObject(wanted)
      await expect(partsOf(fromAiSdk(scripted([[{ type: 'error', error }]])))).rejects.toMatchObject(wanted)
    }
    const inStream = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    await expect(partsOf(fromAiSdk(scripted([[inStream]])))).rejects.toMatchObject({ code: 'server' })
    const message = await partsOf(fromAiSdk(scripted([limited]))).catch(String)
    expect(message).not.toContain('secret')
  })

  test('an abort ends a stream that hangs, and cancels it', async () => {
    const model = scripted([[{ type: 'text-delta', id: '0', delta: 'Hel' }]], { hangs: true })
    const controller = new AbortController()
    const reading = (async () => {
      for await (const part of fromAiSdk(model).stream(question, controller.signal))
        if (part.type === 'text-delta') controller.abort(new Error('stopped'))
    })()
    await expect(reading).rejects.toThrow('stopped')
    expect(model.isCancelled).toBe(true)
    expect(model.calls[0]!.abortSignal!.aborted).toBe(true)
  })
})

test.describe('turns', () => {
  const signed = { test: { signature: 'sig-1', nested: [1, { deep: true }] } }
  const plan: readonly unknown[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    // Anthropic's provider sends the signature before the end.
    { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: signed },
    { type: 'reasoning-end', id: 'r' },
    { type: 'reasoning-start', id: 'plain' },
    { type: 'reasoning-delta', id: 'plain', delta: 'So.' },
    { type: 'reasoning-end', id: 'plain' },
    {
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'find',
      input: '{"q":"a"}',
      providerMetadata: { test: { id: 'fc_1' } },
    },
    { type: 'tool-call', toolCallId: 'c2', toolName: 'find', input: '{"q":"b"}' },
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'x' }, usage },
  ]
  const find = {
    name: 'find',
    description: 'Finds something, for the test of a model of the AI SDK',
    inputSchema: { type: 'object', additionalProperties: true },
    annotations: { readOnlyHint: true },
    execute: (input: JsonObject) => ({ found: input['q']! }),
  } as const
  const answered = [
    { type: 'reasoning', text: 'Hm.', providerOptions: signed },
    { type: 'reasoning', text: 'So.' },
    {
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'find',
      input: { q: 'a' },
      providerOptions: { test: { id: 'fc_1' } },
    },
    { type: 'tool-call', toolCallId: 'c2', toolName: 'find', input: { q: 'b' } },
  ]
  const answerIn = ({ prompt }: AiSdkCallOptions) =>
    prompt.flatMap((message) => (isObject(message) && message['role'] === 'assistant' ? [message['content']] : []))[0]

  test('a turn in the page with parallel tools sends metadata back unchanged, but not to another provider', async ({
    lab,
  }) => {
    const model = scripted([plan, says('Found.'), says('Again.')])
    const { agent, endpoint } = await lab.start([], { modelAdapter: fromAiSdk(model) })
    agent.registerTool(find)
    const { text, usage: counted } = await agent.send('Find a and b')
    expect(text).toBe('Found.')
    expect(counted).toMatchObject({ inputTokens: 7, outputTokens: 3 })
    expect(answerIn(model.calls[1]!)).toEqual(answered)
    await agent.send('And now?')
    expect(answerIn(model.calls[2]!)).toEqual(answered)
    const other = scripted([says('Hello.')], { provider: 'other' })
    agent.configure({ endpoint: endpoint.url, logErrors: false, modelAdapter: fromAiSdk(other) })
    await agent.send('Hello?')
    const plain = answered.slice(2).map(({ providerOptions: _own, ...part }) => part)
    expect(answerIn(other.calls[0]!)).toEqual(plain)
  })

  test('a model given to serve answers in its thread, whatever the page configures', async () => {
    const model = scripted([plan, says('Found.')])
    const agent = new Agent({ endpoint: 'https://unused.example/v1' }, async () => {
      const { port1, port2 } = new MessageChannel()
      serve(port2, { store: memoryStore(), model: fromAiSdk(model) })
      port1.start()
      return { kind: 'worker', port: port1, terminate: () => port1.close() }
    })
    agent.registerTool(find)
    try {
      expect((await agent.send('Find a and b')).text).toBe('Found.')
      expect(answerIn(model.calls[1]!)).toEqual(answered)
    } finally {
      await agent.close()
    }
  })

  test('a stop ends the call of the model', async ({ lab }) => {
    const model = scripted([[{ type: 'text-delta', id: '0', delta: 'Half' }]], { hangs: true })
    const { agent } = await lab.start([], { modelAdapter: fromAiSdk(model) })
    const turn = agent.send('Hi')
    await until(agent, () => JSON.stringify(agent.session?.draft ?? '').includes('Half'))
    agent.stop()
    expect(await turn).toMatchObject({ reason: 'stopped', text: 'Half' })
    await expect.poll(() => model.isCancelled).toBe(true)
  })
})
