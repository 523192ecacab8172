// What is the same in the answers of every protocol: through the whole adapters, through a protocol of its own, and the
// exact parts of each recorded stream. test/fixtures/answer-parts.json holds their fingerprints; who changes them on
// purpose copies the received ones.
import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import type { JsonObject } from '../../../../src/core/data/json.js'
import type { ModelAdapter, ModelPart } from '../../../../src/core/data/model.js'
import { fingerprint } from '../../../../src/core/state/fingerprint.js'
import {
  AnswerBuilder,
  type AnswerProtocol,
  type AnswerReader,
  type Call,
  type Fields,
} from '../../../../src/host/models/answer/answer-builder.js'
import {
  anthropicMessages,
  chatCompletions,
  generateContent,
  openaiResponses,
  type HttpModelOptions,
} from '../../../../src/models.js'
import { missingCorpus } from '../../../support/lab/corpora.js'
import { inPieces } from '../../../support/lab/streams.js'
import { partsOf, plainRequest, streamFiles } from '../../../support/recordings/named-events.js'

const partsFile = new URL('../../../fixtures/answer-parts.json', import.meta.url)

interface Protocol {
  readonly adapter: (options: HttpModelOptions) => ModelAdapter
  /** A short answer without anything that identifies it. */
  readonly events: readonly JsonObject[]
  /** Whether an event belongs to the protocol. */
  isOwn(event: JsonObject): boolean
}

const protocols: Readonly<Record<string, Protocol>> = {
  'chat completions': {
    adapter: chatCompletions,
    isOwn: ({ choices }) => Array.isArray(choices),
    events: [{ choices: [{ delta: { content: 'Hi' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }],
  },
  Responses: {
    adapter: openaiResponses,
    isOwn: ({ type }) => String(type).startsWith('response.'),
    events: [
      { type: 'response.created', response: {} },
      { type: 'response.output_text.delta', delta: 'Hi' },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
  },
  Messages: {
    adapter: anthropicMessages,
    isOwn: ({ type }) => type === 'message_start',
    events: [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ],
  },
  Gemini: {
    adapter: generateContent,
    isOwn: ({ candidates }) => Array.isArray(candidates),
    events: [{ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }],
  },
}

const options = {
  endpoint: 'http://corpus/v1',
  credentials: 'omit',
  stream: true,
  headers: async () => ({}),
  limits: { responseBytes: 4_194_304 },
} as const

/** Each event in a read of its own. */
function eachAlone(events: readonly string[]): typeof fetch {
  const frames = events.map((data) => Buffer.from(`data: ${data}\n\n`))
  let end = 0
  const cuts = frames.map(({ length }) => (end += length))
  return inPieces(Buffer.concat(frames), cuts)
}

for (const [name, protocol] of Object.entries(protocols)) {
  test(`${name}: an answer that names neither itself nor its model begins with its text`, async () => {
    const fetchIt = eachAlone(protocol.events.map((event) => JSON.stringify(event)))
    const { parts, error } = await partsOf(protocol.adapter({ ...options, fetch: fetchIt }), plainRequest('m-1'))
    expect(error).toBeUndefined()
    expect(parts.find(({ type }) => type !== 'alive')?.type).toMatch(/^text-/)
  })
}

// A protocol that no server speaks: what a new provider has to write, and what it gets without writing it.
interface OddEvent {
  readonly say?: string
  readonly call?: { readonly key: number; readonly id?: string; readonly name?: string; readonly args?: string }
  readonly over?: string
}

class OddReader implements AnswerReader {
  readonly #answer: AnswerBuilder
  readonly #calls = new Map<number, Call>()

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
  }

  read(event: Fields): void {
    this.#answer.failIfOther(event)
    this.#answer.recognize()
    const { say, call, over } = event as OddEvent
    if (say) this.#answer.inTurn('text', say)
    if (call) {
      const known = this.#calls.get(call.key) ?? this.#answer.callStart(call.id ?? '', call.name ?? '')
      this.#calls.set(call.key, Object.assign(known, { own: { key: call.key } }))
      this.#answer.callInput(known, call.args ?? '')
    }
    if (over) this.#answer.finish(over)
  }

  calls(): Iterable<Call> {
    return this.#calls.values()
  }
}

function odd(): AnswerBuilder {
  let made = 0
  const protocol: AnswerProtocol = {
    name: 'Odd',
    noun: 'an odd answer',
    metadataKey: 'odd',
    finishWords: { stop: /^fine$/ },
    reader: (answer) => new OddReader(answer),
  }
  return new AnswerBuilder(protocol, { url: 'http://odd', secrets: [], newId: () => `made_${++made}` })
}

const callsIn = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName, part.input]] : []))

test.describe('a new protocol', () => {
  test('calls without an id or a name, or with the id of another one, get one', () => {
    const answer = odd()
    for (const [key, call] of [
      { id: 'a', name: 'one' },
      { id: 'a', name: 'two' },
      { name: 'three' },
      { id: 'd' },
    ].entries())
      answer.add({ call: { key, ...call, args: '{' } })
    answer.add({ call: { key: 1, args: '}' } })
    answer.add({ over: 'fine' })
    const parts = answer.end(false)
    expect(callsIn(parts)).toEqual([
      ['a', 'one', '{'],
      ['made_1', 'two', '{}'],
      ['made_2', 'three', '{'],
      ['d', 'missing_name', '{'],
    ])
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ providerMetadata: { odd: { key: 0 } } })
    expect(parts.at(-1)).toEqual({ type: 'finish', finishReason: { unified: 'tool-calls', raw: 'fine' } })
  })

  test('an answer without a reason is complete only where its end is marked and it has no call', () => {
    const ended = (events: readonly OddEvent[], marked: boolean): string => {
      const answer = odd()
      for (const event of events) answer.add(event as JsonObject)
      try {
        return answer.end(marked).at(-1)!.type
      } catch (error) {
        return String((error as { code?: unknown }).code)
      }
    }
    const call = { key: 0, name: 'one', args: '{}' }
    expect(ended([{ say: 'Hi' }], true)).toBe('finish')
    expect(ended([{ say: 'Hi' }], false)).toBe('stream-cut')
    expect(ended([{ call }], true)).toBe('stream-cut')
    expect(ended([{ call }, { over: 'fine' }], false)).toBe('finish')
    expect(ended([], true)).toBe('stream-cut')
  })

  test('an answer of another API is named, but not after an event of this one', () => {
    const gemini = { candidates: [] }
    expect(() => odd().add(gemini)).toThrow('The endpoint uses the protocol Gemini, expected Odd.')
    expect(() => odd().addWhole('Hi')).toThrow('Expected an odd answer, received "Hi"')
    const answer = odd()
    answer.add({ say: 'Hi' })
    expect(answer.add(gemini)).toEqual([])
  })
})

test.describe('recorded streams', () => {
  test.skip(streamFiles.length === 0, missingCorpus('streams', 1))

  test('each stream gives exactly the parts that it gave before', async () => {
    const found: Record<string, string> = {}
    for (const { name, events } of streamFiles) {
      const protocol = Object.values(protocols).find(({ isOwn }) => events.some((line) => isOwn(JSON.parse(line))))
      if (protocol === undefined) continue
      let made = 0
      const model = protocol.adapter({ ...options, newId: () => `made_${++made}`, fetch: eachAlone(events) })
      found[name] = fingerprint(JSON.stringify(await partsOf(model, plainRequest('gpt-5'))))
    }
    expect(found).toEqual(JSON.parse(readFileSync(partsFile, 'utf8')))
  })
})
