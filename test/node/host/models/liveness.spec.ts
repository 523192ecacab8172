// Signs of life: whatever a server sends restarts the time limit of a model call, though it has nothing to show. The
// limits are never reached: each server sends its next sign when the timer has started again.
import type { ModelAdapter } from '../../../../src/core/data/model.js'
import { chatCompletions, fromAiSdk } from '../../../../src/models.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import type { RawChunk } from '../../../support/lab/endpoint.js'
import { chunk } from '../../../support/faults/faults.js'
import { expect, test } from '../../../support/lab/lab.js'
import { watchTimer } from '../../../support/lab/timers.js'

const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const named = (event: { readonly type: string }) => `event: ${event.type}\n${data(event)}`

interface Server {
  readonly provider?: AgentOptions['provider']
  /** @default chat completions */
  readonly before?: string
  readonly sign: string
  readonly after: readonly string[]
  /** Whether `before` begins the answer. */
  readonly hasBegun?: boolean
  readonly stream?: boolean
}
const chat = [chunk({ content: 'ok' }), chunk({}, 'stop'), 'data: [DONE]\n\n']
const anthropicStart = named({ type: 'message_start', message: { id: 'm', content: [], usage: {} } } as never)
const anthropicText = [
  named({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } } as never),
  named({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'ok' } } as never),
  named({ type: 'content_block_stop', index: 1 } as never),
  named({ type: 'message_delta', delta: { stop_reason: 'end_turn' } } as never),
  named({ type: 'message_stop' }),
]
const anthropicThinking = named({
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'thinking', thinking: '' },
} as never)
const responsesStart = named({ type: 'response.created', response: { id: 'r', status: 'in_progress' } } as never)
const responsesText = [
  named({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } } as never),
  named({ type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: 'ok' } as never),
  named({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } } as never),
]
const googleText = [data({ candidates: [{ content: { parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] })]

const servers: Readonly<Record<string, Server>> = {
  'chat: comments before the answer': { sign: ': OPENROUTER PROCESSING\n\n', after: chat },
  'chat: comments in the middle': {
    before: chunk({ content: 'o' }),
    hasBegun: true,
    sign: ': keep-alive\n\n',
    after: [chunk({ content: 'k' }), chunk({}, 'stop')],
  },
  'chat: empty deltas': { sign: data({ choices: [{ index: 0, delta: {}, finish_reason: null }] }), after: chat },
  'chat: deltas with an empty text': { sign: chunk({ content: '' }), after: chat },
  'chat: events without choices': { sign: data({ choices: [] }), after: chat },
  'chat: line breaks before a JSON answer': {
    stream: false,
    sign: '\n',
    after: [JSON.stringify({ choices: [{ index: 0, message: { content: 'ok' }, finish_reason: 'stop' }] })],
  },
  'chat: a JSON answer in pieces': {
    stream: false,
    before: '{"choices":[{"index":0,"message":{"content":"ok"},"finish_reason":"stop"}]',
    sign: ' ',
    after: ['}'],
  },
  'chat: an event in pieces': {
    before: 'data: ',
    sign: ' ',
    after: [chunk({ content: 'ok' }).slice(6), ...chat.slice(1)],
  },
  'anthropic: pings before the answer': {
    provider: 'anthropic',
    before: anthropicStart,
    sign: named({ type: 'ping' }),
    after: anthropicText,
  },
  'anthropic: pings while the thinking is omitted': {
    provider: 'anthropic',
    before: anthropicStart + anthropicThinking,
    hasBegun: true,
    sign: named({ type: 'ping' }),
    after: anthropicText,
  },
  'openai-responses: in progress': {
    provider: 'openai-responses',
    before: responsesStart,
    sign: named({ type: 'response.in_progress', response: { id: 'r', status: 'in_progress' } } as never),
    after: responsesText,
  },
  'openai-responses: keepalive': {
    provider: 'openai-responses',
    before: responsesStart,
    sign: named({ type: 'keepalive' }),
    after: responsesText,
  },
  'google: comments': { provider: 'google', sign: ': hold on\n\n', after: googleText },
  'google: events without a candidate': {
    provider: 'google',
    sign: data({ usageMetadata: { promptTokenCount: 3 } }),
    after: googleText,
  },
}

/** Limits of their own, so that their timers can be told from all others. */
const limits = { firstPart: 40_111, betweenParts: 40_112 }

for (const [name, { provider = 'openai', before, sign, after, hasBegun, stream = true }] of Object.entries(servers)) {
  test(`a sign of life restarts the time limit: ${name}`, { tag: '@F50' }, async ({ lab }) => {
    const watch = watchTimer(hasBegun ? limits.betweenParts : limits.firstPart)
    try {
      const bytes = function* (): Generator<RawChunk> {
        if (before !== undefined) yield before
        // Bytes that do not begin the answer restart the timer of its first part.
        const first = before === undefined || hasBegun ? 1 : 2
        yield watch.started(first)
        for (let count = first + 1; count <= first + 3; count++) {
          yield sign
          yield watch.started(count)
        }
        yield* after
      }
      const { agent, endpoint } = await lab.start(() => ({ raw: bytes() }), { provider, stream, limits })
      expect(await agent.send('Hi')).toMatchObject({ text: 'ok', reason: 'stop' })
      expect(endpoint.requests).toHaveLength(1)
    } finally {
      watch.stop()
    }
  })
}

/** A model whose server sends these pieces. */
function modelOf(pieces: Iterable<string | Promise<unknown>>): ModelAdapter {
  const iterator = pieces[Symbol.iterator]()
  const stream = new ReadableStream({
    async pull(controller) {
      const { value, done } = iterator.next()
      if (done) return controller.close()
      if (typeof value === 'string') controller.enqueue(new TextEncoder().encode(value))
      else await value
    },
  })
  return chatCompletions({
    endpoint: 'http://endpoint.test/v1',
    credentials: 'omit',
    stream: true,
    limits: { responseBytes: 1_000_000 },
    headers: async () => ({}),
    linger: 30,
    fetch: async () => new Response(stream),
  })
}

test('many comments in one piece are one sign of life', async () => {
  const types = await typesOf(modelOf([': ping\n\n'.repeat(1_000), ...chat]))
  expect(types).toEqual(['alive', 'text-start', 'text-delta', 'alive', 'text-end', 'finish'])
})

test('pings after the end of the answer do not keep it open', { tag: '@F47' }, async () => {
  const bytes = function* () {
    yield* chat.slice(0, 2)
    for (;;) {
      yield ': ping\n\n'
      yield new Promise((resolve) => {
        setTimeout(resolve, 5)
      })
    }
  }
  expect((await typesOf(modelOf(bytes()))).at(-1)).toBe('finish')
})

test(
  'a model of the page reports a sign of life with a part, which is not stored',
  { tag: '@F50' },
  async ({ lab }) => {
    const watch = watchTimer(limits.firstPart)
    try {
      const { agent } = await lab.start([], {
        limits,
        modelAdapter: {
          async *stream() {
            for (let count = 1; count <= 3; count++) {
              await watch.started(count)
              yield { type: 'alive' }
            }
            yield { type: 'text-delta', id: '0', delta: 'ok' }
            yield { type: 'finish', finishReason: { unified: 'stop' } }
          },
        },
      })
      expect(await agent.send('Hi')).toMatchObject({ text: 'ok', reason: 'stop' })
      expect(agent.messages.at(-1)).toMatchObject({ parts: [{ type: 'text', text: 'ok' }] })
    } finally {
      watch.stop()
    }
  },
)

test('a request that fails after signs of life is sent again', { tag: '@R5.7' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ raw: [': ping\n\n'], end: 'reset' }, { text: 'ok' }])
  expect(await agent.send('Hi')).toMatchObject({ text: 'ok', reason: 'stop' })
  expect(endpoint.requests).toHaveLength(2)
})

test('raw parts of the AI SDK are signs of life, but not one for each event', async () => {
  const { now } = Date
  let time = 0
  Date.now = () => time
  try {
    const raw = { type: 'raw', rawValue: { type: 'ping' } }
    const parts = [raw, raw, { ...raw, after: 1_000 }, { type: 'text-delta', id: '0', delta: 'ok' }, raw]
    const adapter = fromAiSdk({
      specificationVersion: 'v3',
      provider: 'test',
      modelId: 'test',
      doStream: async () => ({
        stream: new ReadableStream(
          {
            pull(controller) {
              const part = parts.shift()
              if (part === undefined) return controller.close()
              if ('after' in part) time += part.after as number
              controller.enqueue(part)
            },
          },
          { highWaterMark: 0 },
        ),
      }),
    })
    expect(await typesOf(adapter)).toEqual(['alive', 'text-delta'])
  } finally {
    Date.now = now
  }
})

async function typesOf(adapter: ModelAdapter): Promise<string[]> {
  const types: string[] = []
  const request = { model: 'm', system: '', messages: [], tools: [], toolChoice: 'auto' } as const
  for await (const { type } of adapter.stream(request, new AbortController().signal)) types.push(type)
  return types
}
