// The faults of a model endpoint as replies of `endpoint.ts`, each with the expected end of its turn. One list for all
// specs: a whole agent in Node, and a page in a browser.
import type { JsonObject, JsonValue } from '../../../src/core/data/json.js'
import type { RawChunk, Reply, ScriptItem } from '../lab/endpoint.js'

export interface Fault {
  /** Rows, then what happens. */
  readonly name: string
  /** `seen` resolves when the page shows the first part of the faulty turn. `later`: after a call that ran. */
  readonly script: (seen: Promise<unknown>, later: boolean) => readonly ScriptItem[]
  /** Its reason, or the code of its error. */
  readonly outcome: string
  /** The text that was shown and must be kept; '' where there is none. */
  readonly text?: string
  /** Matches the message for the user. */
  readonly says?: RegExp
  /** How often the tool `buy` runs for this fault; 0. */
  readonly buys?: number
  /** Settled as errors, in call order. */
  readonly codes?: readonly string[]
  /** What runs out of time: a short one is set for this turn. */
  readonly limits?: JsonObject
}

export const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const say = (text: string) => chunk({ content: text })
const half = say('Half')
const rest = say(' and the rest')
const callPiece = (args: string, index = 0, id = 'x') =>
  chunk({ tool_calls: [{ index, id, function: { name: 'buy', arguments: args } }] })
const stop = chunk({}, 'stop')
const toolCalls = chunk({}, 'tool_calls')
const done = 'data: [DONE]\n\n'
const answer: Reply = { text: 'All well' }
const error = (message: string, more: JsonObject = {}): JsonObject => ({ error: { message, ...more } })
const event = (body: JsonValue): string => `data: ${JSON.stringify(body)}\n\n`
const soon = { 'retry-after-ms': '1' }
const buy = (args: JsonObject | string, id?: string) => ({
  name: 'buy',
  arguments: args,
  ...(id === undefined ? {} : { id }),
})

/** Bytes, then an end: `seen` before the end, so that a reset takes nothing with it. */
const cut =
  (end: 'close' | 'reset' | 'hang', ...bytes: string[]) =>
  (seen: Promise<unknown>): ScriptItem[] => [{ raw: [...bytes, seen], end }]
/** Sends one byte, or one piece, after the other while the client listens. */
const drip =
  (piece: string, before: readonly string[] = []): ScriptItem =>
  (_, request) => {
    const beat = (): Promise<unknown> =>
      new Promise((resolve) => {
        setTimeout(resolve, 10)
      })
    const chunks = function* (): Generator<RawChunk> {
      yield* before
      while (!request.aborted) {
        yield piece
        yield beat()
      }
    }
    return { raw: chunks(), end: 'hang' }
  }
const everyByte = (text: string): Uint8Array[] =>
  Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte))
const firstPart = { firstPart: 500 }
const betweenParts = { betweenParts: 500 }
const wholeTurn = { turn: 500 }
const status = (code: number, headers: Record<string, string> = {}): Reply => ({
  status: code,
  headers,
  body: error(`Status ${code}`),
})
const thrice = (reply: Reply) => () => [reply, reply, reply]

export const faults: readonly Fault[] = [
  { name: 'F45 refused once', script: () => [{ refuse: true }, answer], outcome: 'stop', text: 'All well' },
  { name: 'F45 refused three times', script: thrice({ refuse: true }), outcome: 'network', says: /Usual causes/ },
  {
    name: 'F45 reset behind the headers, three times',
    script: thrice({ raw: [': ping\n\n'], end: 'reset' }),
    outcome: 'network',
  },
  { name: 'F45 reset in mid-text', script: cut('reset', half), outcome: 'stream-cut', text: 'Half' },
  {
    name: 'F45 reset in mid-call',
    script: cut('reset', half, callPiece('{"n":1}')),
    outcome: 'stream-cut',
    text: 'Half',
  },
  { name: 'F46 clean end before anything', script: () => [{ raw: [] }], outcome: 'stream-cut' },
  { name: 'F46 clean end in mid-text', script: cut('close', half), outcome: 'stream-cut', text: 'Half' },
  {
    name: 'F46 clean end behind a whole call',
    script: cut('close', half, callPiece('{"n":1}')),
    outcome: 'stream-cut',
    text: 'Half',
  },
  {
    name: 'F46 clean end in mid-line',
    script: cut('close', half, stop.slice(0, 30)),
    outcome: 'stream-cut',
    text: 'Half',
  },
  { name: 'F47 a finish, then the end', script: () => [{ raw: [half, stop] }], outcome: 'stop', text: 'Half' },
  { name: 'F47 a finish, then a reset', script: cut('reset', half, stop), outcome: 'stop', text: 'Half' },
  {
    name: 'F47 a finish, then silence',
    script: () => [{ raw: [half, stop], end: 'hang' }],
    outcome: 'stop',
    text: 'Half',
  },
  {
    name: 'F47 calls and their finish, then the end',
    script: () => [{ raw: [callPiece('{"n":1}'), toolCalls] }, answer],
    outcome: 'stop',
    text: 'All well',
    buys: 1,
  },
  { name: 'F48 [DONE] without a finish, a text', script: () => [{ raw: [half, done] }], outcome: 'stop', text: 'Half' },
  {
    name: 'F48 [DONE] without a finish, a call',
    script: () => [{ raw: [half, callPiece('{"n":1}'), done] }],
    outcome: 'stream-cut',
    text: 'Half',
  },
  {
    name: 'F49 length in mid-call',
    script: () => [{ raw: [half, callPiece('{"n":'), chunk({}, 'length'), done] }],
    outcome: 'length',
    text: 'Half',
  },
  {
    name: 'F49 length, and the call parses',
    script: () => [{ raw: [half, callPiece('{"n":1}'), chunk({}, 'length'), done] }],
    outcome: 'length',
    text: 'Half',
  },
  {
    name: 'F49 tool_calls, though the call was cut',
    script: () => [{ raw: [callPiece('{"n":1'), toolCalls, done] }, answer],
    outcome: 'stop',
    text: 'All well',
    codes: ['format-error'],
  },
  {
    name: 'F50 silence before the headers',
    script: () => [() => new Promise(() => undefined)],
    outcome: 'model-timeout',
    limits: firstPart,
    says: /nothing for/,
  },
  {
    name: 'F50 silence behind the headers',
    script: () => [{ raw: [], end: 'hang' }],
    outcome: 'model-timeout',
    limits: firstPart,
  },
  {
    name: 'F50 comments and nothing else',
    script: () => [drip(': still here\n\n')],
    outcome: 'max-time',
    limits: wholeTurn,
  },
  {
    name: 'F50 empty events and nothing else',
    script: () => [drip(event({ choices: [] }))],
    outcome: 'max-time',
    limits: wholeTurn,
  },
  {
    name: 'F50 silence in mid-text',
    script: () => [{ raw: [half], end: 'hang' }],
    outcome: 'model-timeout',
    text: 'Half',
    limits: betweenParts,
    says: /nothing more for/,
  },
  {
    name: 'F50 comments in mid-text',
    script: () => [drip(': still here\n\n', [half])],
    outcome: 'max-time',
    text: 'Half',
    limits: wholeTurn,
  },
  {
    name: 'F50 silence in mid-call',
    script: () => [{ raw: [half, callPiece('{"n":')], end: 'hang' }],
    outcome: 'model-timeout',
    text: 'Half',
    limits: betweenParts,
  },
  {
    name: 'F50 a line that never ends, drop by drop',
    script: () => [drip('x', [half, 'data: '])],
    outcome: 'max-time',
    text: 'Half',
    limits: wholeTurn,
  },
  { name: 'F51 429 with a time in ms', script: () => [status(429, soon), answer], outcome: 'stop', text: 'All well' },
  {
    name: 'F51 429 with a date that has passed',
    script: () => [status(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }), answer],
    outcome: 'stop',
    text: 'All well',
  },
  { name: 'F51 429 three times', script: thrice(status(429, soon)), outcome: 'rate-limited', says: /Status 429/ },
  {
    name: 'F51 429 for an empty purse',
    script: () => [{ status: 429, body: error('You exceeded your current quota', { code: 'insufficient_quota' }) }],
    outcome: 'rate-limited',
    says: /quota/,
  },
  ...[500, 502, 503, 529].flatMap((code): Fault[] => [
    { name: `F52 ${code} once`, script: () => [status(code, soon), answer], outcome: 'stop', text: 'All well' },
    {
      name: `F52 ${code} three times`,
      script: thrice(status(code, soon)),
      outcome: 'server',
      says: new RegExp(`${code}`),
    },
  ]),
  { name: 'F53 401 once', script: () => [status(401), answer], outcome: 'stop', text: 'All well' },
  { name: 'F53 401 twice', script: () => [status(401), status(401)], outcome: 'unauthorized', says: /headers/ },
  { name: 'F53 403', script: () => [status(403)], outcome: 'unauthorized' },
  {
    name: 'F54 too long once',
    script: () => [
      { status: 400, body: error('maximum context length is 8192 tokens', { code: 'context_length_exceeded' }) },
      { text: 'A note.' },
      answer,
    ],
    outcome: 'stop',
    text: 'All well',
  },
  {
    name: 'F56 a page of HTML',
    script: () => [{ html: '<!doctype html><title>Sign in</title>' }],
    outcome: 'bad-response',
    says: /HTML/,
  },
  {
    name: 'F56 502 with a page of HTML, three times',
    script: thrice({ html: '<h1>Bad gateway</h1>', status: 502 }),
    outcome: 'server',
    says: /HTML/,
  },
  {
    name: 'F57 JSON, whole',
    script: () => [{ json: { choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }] } }],
    outcome: 'stop',
    text: 'Whole',
  },
  {
    name: 'F57 JSON, whole, with a call',
    script: () => [
      {
        json: {
          choices: [
            {
              message: {
                content: null,
                tool_calls: [{ id: 'w', type: 'function', function: { name: 'buy', arguments: '{"n":1}' } }],
              },
              finish_reason: 'tool_calls',
            },
          ],
        },
      },
      answer,
    ],
    outcome: 'stop',
    text: 'All well',
    buys: 1,
  },
  {
    name: 'F58 an error in a 200 stream, first',
    script: () => [{ raw: [event(error('overloaded', { code: 503 }))] }, answer],
    outcome: 'stop',
    text: 'All well',
  },
  {
    name: 'F58 an error in a 200 stream, in mid-text',
    script: () => [{ raw: [half, event(error('boom', { code: 500 })), rest, stop, done] }],
    outcome: 'server',
    text: 'Half',
    says: /boom/,
  },
  {
    name: 'F58 an error event, behind a whole call',
    script: () => [
      {
        raw: [
          half,
          callPiece('{"n":1}'),
          `event: error\n${event({ message: 'slow down', type: 'rate_limit_exceeded' })}`,
        ],
      },
    ],
    outcome: 'rate-limited',
    text: 'Half',
  },
  {
    name: 'F58 an error as a whole answer',
    script: () => [{ json: error('no such model', { code: 404 }) }],
    outcome: 'not-found',
  },
  {
    name: 'F59 a line that is not JSON, first',
    script: () => [{ raw: ['data: {"choices":[{\n\n', half, stop, done] }],
    outcome: 'bad-response',
    says: /not JSON/,
  },
  {
    name: 'F59 a line that is not JSON, in mid-text',
    script: () => [{ raw: [half, 'data: {"choices":[{\n\n', rest, stop, done] }],
    outcome: 'bad-response',
    text: 'Half',
  },
  {
    name: 'F59 a line that is not JSON, behind a whole call',
    script: () => [{ raw: [half, callPiece('{"n":1}'), 'data: <<<\n\n', toolCalls, done] }],
    outcome: 'bad-response',
    text: 'Half',
  },
  {
    name: 'F60 every byte alone',
    script: () => [{ raw: everyByte(say('Grüße 👋🏽 日本') + stop + done) }],
    outcome: 'stop',
    text: 'Grüße 👋🏽 日本',
  },
  ...['\r\n', '\r'].map((newline): Fault => ({
    name: `F61 ${newline === '\r' ? 'CR' : 'CRLF'}, a BOM, comments, fields, data in lines, no space`,
    outcome: 'stop',
    text: 'Good',
    script: () => [
      {
        raw: [
          `\uFEFF${`: hello\n\nevent: message\nid: 7\nretry: 10\ndata:{"choices":[{"index":0,\ndata:"delta":{"content":"Good"}}]}\n\n:\n\n${stop}data:[DONE]\n\n`.replaceAll('\n', newline)}`,
        ],
      },
    ],
  })),
  {
    name: 'F62 a flood without an end',
    script: () => [{ raw: flood(), end: 'hang' }],
    outcome: 'bad-response',
    text: 'flood',
    says: /responseBytes/,
    limits: { responseBytes: 200_000 },
  },
  {
    name: 'F62 a line without an end',
    script: () => [{ raw: [half, 'data: ', ...Array.from({ length: 64 }, () => 'x'.repeat(16_384))], end: 'hang' }],
    outcome: 'bad-response',
    text: 'Half',
    says: /responseBytes/,
    limits: { responseBytes: 200_000 },
  },
  {
    name: 'F62 one line of a megabyte',
    script: () => [{ raw: [say('y'.repeat(1_000_000)), stop, done] }],
    outcome: 'stop',
    text: 'y'.repeat(1_000_000),
  },
  {
    name: 'F63 ids that repeat, indexes with gaps',
    script: () => [
      { raw: [callPiece('{"n":1}', 0, 'twin'), callPiece('{"n":2}', 7, 'twin'), toolCalls, done] },
      answer,
    ],
    outcome: 'stop',
    text: 'All well',
    buys: 2,
  },
  {
    name: 'F63 an answer that begins again',
    script: () => [
      {
        raw: [
          chunk({ role: 'assistant', content: '' }),
          half,
          chunk({ role: 'assistant', content: '' }),
          rest,
          stop,
          done,
        ],
      },
    ],
    outcome: 'stop',
    text: 'Half and the rest',
  },
  {
    name: 'F64 events and parts that nobody knows',
    script: () => [
      {
        raw: [
          event({ type: 'mystery.event', x: 1 }),
          'event: other\ndata: 7\n\n',
          half,
          chunk({ hologram: 'x' }),
          event({ choices: [{ index: 3, delta: { content: 'other' } }] }),
          stop,
          done,
        ],
      },
    ],
    outcome: 'stop',
    text: 'Half',
  },
  {
    name: 'F65 arguments that are no JSON, no object, too many, of another type',
    outcome: 'stop',
    text: 'All well',
    buys: 1,
    codes: ['format-error', 'format-error', 'invalid-input'],
    script: () => [{ calls: [buy('{"n":'), buy('[1]'), buy({ n: 'many' }), buy({ n: 1, m: 2 })] }, answer],
  },
  {
    name: 'F66 a tool that is not there, one that was not offered, one that is there but for case',
    outcome: 'stop',
    text: 'All well',
    buys: 1,
    codes: ['unknown-tool', 'unknown-tool'],
    script: () => [
      {
        calls: [
          { name: 'purchase', arguments: {} },
          { name: 'constructor', arguments: {} },
          { name: 'BUY', arguments: { n: 1 } },
        ],
      },
      answer,
    ],
  },
  { name: 'F67 nothing, twice', script: () => [{ text: '' }, { text: '' }], outcome: 'no-answer' },
  {
    name: 'F67 reasoning alone, twice',
    script: () => [{ reasoning: 'Hm' }, { reasoning: 'Hm' }],
    outcome: 'no-answer',
  },
  {
    name: 'F67 text and parallel calls, one id twice',
    script: () => [{ text: 'I buy', calls: [buy({ n: 1 }, 'same'), buy({ n: 2 }, 'same'), buy({ n: 3 })] }, answer],
    outcome: 'stop',
    text: 'All well',
    buys: 3,
  },
  {
    name: 'F68 the same call for ever',
    script: () => Array.from({ length: 5 }, (_, index): Reply => ({ calls: [buy({ n: 7 }, `loop-${index}`)] })),
    outcome: 'repeated-calls',
    buys: 4,
    codes: ['limit'],
  },
  {
    name: 'F68 another call for ever',
    script: (_, later) =>
      Array.from({ length: later ? 3 : 4 }, (_one, index): Reply => ({ calls: [buy({ n: index })] })),
    outcome: 'max-steps',
    buys: -1,
    limits: { steps: 4 },
  },
]

function* flood(): Generator<RawChunk> {
  for (let count = 0; count < 4_000; count++) yield say('flood')
}
