// Recorded streams of real providers: the same parts whatever the cuts of the bytes and the ends of lines, and no call
// out of a stream that was cut before its finish.
import { expect, test } from 'playwright/test'
import { isObject, type JsonObject } from '../../src/core/json.js'
import { chatCompletions } from '../../src/host/models/chat-completions.js'
import { corpusFiles, missingCorpus } from '../support/corpora.js'
import { startEndpoint } from '../support/endpoint.js'

interface Answer { text: string; reasoning: string; calls: [string, unknown][]; finish: string | undefined; error?: string }

const recordings = corpusFiles('streams', '.chunks.txt')
  .map((file) => ({ name: file.name, events: file.read().split('\n').filter((line) => line.trim() !== '') }))
  .filter(({ events }) => events.some((line) => Array.isArray((JSON.parse(line) as JsonObject)['choices'])))
const whole = corpusFiles('streams', '.json')
  .filter((file) => (JSON.parse(file.read()) as JsonObject)['object'] === 'chat.completion')

/** What a stream says, by the plainest reading: joined fields, and arguments joined by index. Right for recordings that behave. */
function plainReading(events: readonly string[]): Answer {
  const answer: Answer = { text: '', reasoning: '', calls: [], finish: undefined }
  const texts = new Map<number, { name: string; text: string }>()
  for (const line of events) {
    const { choices } = JSON.parse(line) as { choices?: { delta?: Record<string, unknown>; finish_reason?: string | null }[] }
    const choice = choices?.[0]
    answer.text += typeof choice?.delta?.['content'] === 'string' ? choice.delta['content'] : ''
    answer.reasoning += typeof choice?.delta?.['reasoning_content'] === 'string' ? choice.delta['reasoning_content'] : ''
    answer.finish = choice?.finish_reason?.replace('_', '-') ?? answer.finish
    for (const call of (choice?.delta?.['tool_calls'] ?? []) as { index?: number; function: { name?: string; arguments: string } }[]) {
      const known = texts.get(call.index ?? 0) ?? { name: '', text: '' }
      texts.set(call.index ?? 0, { name: known.name + (call.function.name ?? ''), text: known.text + call.function.arguments })
    }
  }
  answer.calls = [...texts.values()].map(({ name, text }) => [name, JSON.parse(text)])
  return answer
}

async function read(fetchIt: typeof fetch, endpoint = 'http://corpus/v1', stream = true): Promise<Answer> {
  const answer: Answer = { text: '', reasoning: '', calls: [], finish: undefined }
  const model = chatCompletions({ endpoint, credentials: 'omit', stream, headers: async () => ({}), limits: { responseBytes: 4_194_304 }, fetch: fetchIt })
  try {
    for await (const part of model.stream({ model: 'm', system: '', messages: [], tools: [], toolChoice: 'auto' }, new AbortController().signal)) {
      if (part.type === 'text-delta') answer.text += part.delta
      if (part.type === 'reasoning-delta') answer.reasoning += part.delta
      if (part.type === 'tool-call') answer.calls.push([part.toolName, JSON.parse(part.input)])
      if (part.type === 'finish') answer.finish = part.finishReason.unified
    }
  } catch (error) {
    answer.error = String((error as { code?: unknown }).code)
  }
  return answer
}

const bytesOf = (events: readonly string[], newline: string, terminal = true): Uint8Array =>
  new TextEncoder().encode([...events, ...(terminal ? ['[DONE]'] : [])].map((data) => `: keep-alive${newline}${newline}data: ${data}${newline}${newline}`).join(''))

/** A response that gives the bytes in pieces that end at the cuts. */
function inPieces(bytes: Uint8Array, cuts: readonly number[]): typeof fetch {
  const ends = [...new Set([...cuts, bytes.length])].filter((end) => end > 0)
  let at = 0
  const body = new ReadableStream<Uint8Array>({ pull(controller) {
    const end = ends.shift()
    if (end === undefined) return controller.close()
    controller.enqueue(bytes.slice(at, end))
    at = end
  } })
  return async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** Cuts that are the same on every run: at random places, and between the bytes of a character or of a line's end. */
function cutsOf(bytes: Uint8Array, seed: number): number[] {
  let state = seed * 2654435761 % 4294967296
  const next = (): number => (state = (state * 1664525 + 1013904223) % 4294967296) / 4294967296
  const cuts = Array.from({ length: 12 }, () => Math.floor(next() * bytes.length))
  const awkward = [...bytes.keys()].filter((index) => (bytes[index]! & 0xc0) === 0x80 || bytes[index] === 10)
  return [...cuts, ...Array.from({ length: 12 }, () => awkward[Math.floor(next() * awkward.length)] ?? 0)].sort((one, other) => one - other)
}

if (recordings.length === 0) console.log(missingCorpus('streams', 6))

test.describe('recorded chat completions', () => {
  test.beforeAll(() => { console.log(`Recorded streams used: ${recordings.length}, whole answers: ${whole.length}`) })
  test.skip(recordings.length === 0, missingCorpus('streams', 6))

  test('each recording gives its text, reasoning, calls and finish through a real server', async () => {
    const endpoint = await startEndpoint(recordings.map(({ events }) => ({ raw: new TextDecoder().decode(bytesOf(events, '\n')) })))
    for (const { name, events } of recordings) {
      const wanted = plainReading(events)
      expect(wanted.finish, name).toBeDefined()
      expect(await read(fetch, endpoint.url), name).toEqual(wanted)
    }
    await endpoint.close()
  })

  test('any cut of the bytes, LF or CRLF, gives the same', async () => {
    for (const { name, events } of recordings) {
      const wanted = plainReading(events)
      for (const newline of ['\n', '\r\n']) {
        const bytes = bytesOf(events, newline)
        const step = bytes.length > 20_000 ? 1 : 3
        for (let seed = 0; seed < step; seed++) {
          expect(await read(inPieces(bytes, cutsOf(bytes, seed + 1))), `${name} ${JSON.stringify(newline)} ${seed}`).toEqual(wanted)
        }
      }
    }
  })

  test('every place to cut the smallest stream with a call in two gives the same', async () => {
    const small = recordings.filter(({ events }) => plainReading(events).calls.length > 0).sort((one, other) => one.events.join().length - other.events.join().length)[0]!
    const bytes = bytesOf(small.events, '\r\n')
    const wanted = plainReading(small.events)
    for (let cut = 0; cut <= bytes.length; cut++) expect(await read(inPieces(bytes, [cut])), `${small.name} at ${cut}`).toEqual(wanted)
  })

  test('a stream that ends behind any event calls nothing unless its finish was seen', async () => {
    for (const { name, events } of recordings) {
      const wanted = plainReading(events)
      const finishAt = events.findIndex((line) => plainReading([line].map((text) => text.replaceAll('"tool_calls":[', '"left_out":['))).finish !== undefined)
      const ends = events.length <= 20 ? [...events.keys()] : [0, 1, Math.floor(events.length / 2), finishAt - 1, finishAt, events.length - 1]
      for (const end of ends) {
        const answer = await read(inPieces(bytesOf(events.slice(0, end + 1), '\n', false), []))
        if (end >= finishAt) expect(answer, `${name} behind event ${end}`).toEqual(wanted)
        else expect(answer, `${name} behind event ${end}`).toMatchObject({ calls: [], finish: undefined, error: 'stream-cut' })
      }
    }
  })

  test('the whole answers of the same providers are read as well', async () => {
    expect(whole.length).toBeGreaterThan(0)
    for (const file of whole) {
      const { choices } = JSON.parse(file.read()) as { choices: { message: Record<string, unknown>; finish_reason: string }[] }
      const { message, finish_reason: finish } = choices[0]!
      const calls = (message['tool_calls'] ?? []) as { function: { name: string; arguments: string } }[]
      for (const stream of [true, false]) {
        const answer = await read(async () => new Response(file.read()), 'http://corpus/v1', stream)
        expect(answer, file.name).toEqual({
          text: message['content'] ?? '', reasoning: message['reasoning_content'] ?? '',
          calls: calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]), finish: finish.replace('_', '-'),
        })
      }
    }
  })

  test('recordings of another shape are refused, not misread', async () => {
    const others = corpusFiles('streams', '.chunks.txt').filter((file) => !recordings.some(({ name }) => name === file.name))
    for (const file of others) {
      const events = file.read().split('\n').filter((line) => line.trim() !== '' && isObject(JSON.parse(line)))
      const answer = await read(inPieces(bytesOf(events, '\n', false), []))
      expect(answer, file.name).toMatchObject({ calls: [], finish: undefined, error: expect.stringMatching(/^(stream-cut|server|rate-limited)$/) })
    }
  })
})
