// The reader of server-sent events, compared with a parser that others wrote and test.
import { createParser } from 'eventsource-parser'
import { expect, test } from 'playwright/test'
import { createSseReader, type SseEvent } from '../../../../src/host/models/http/sse.js'

/** The events of a text that arrives in these pieces. */
function eventsOf(pieces: readonly string[]): SseEvent[] {
  const reader = createSseReader()
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()]
}

/** What the other parser finds, without events whose data is blank. */
function expected(text: string): SseEvent[] {
  const events: SseEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (data.trim() !== '') events.push({ event, data })
    },
  })
  parser.feed(`${text}\n\n`)
  return events
}

/** A generator of numbers from 0 to 1 that gives the same ones in each run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function pick<T>(next: () => number, values: readonly T[]): T {
  return values[Math.floor(next() * values.length)] as T
}

const lines = [
  'data: {"a":1}',
  'data:{"b":2}',
  'data:  two spaces',
  'data',
  'data:',
  'data: a\u2028b: c',
  'event: error',
  'event:',
  'event',
  'id: 7',
  'retry: 100',
  ': a comment',
  'database: x',
  ' data: indented',
  'DATA: x',
  'unknown',
  '',
  '',
  '',
]
const breaks = ['\n', '\n', '\r\n', '\r']

test('finds the events of any text, and any cut of the text gives the same events', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = random(seed)
    // One kind of line break for most texts, as servers send them.
    const own = seed % 3 === 0 ? breaks : [pick(next, breaks)]
    let text = ''
    for (let count = 0; count < 30; count++) text += pick(next, lines) + pick(next, own)
    if (seed % 2) text += pick(next, lines)
    const pieces: string[] = []
    for (let at = 0; at < text.length;) {
      const size = 1 + Math.floor(next() * pick(next, [1, 5, 80]))
      pieces.push(text.slice(at, at + size))
      at += size
    }
    const events = expected(text)
    expect(eventsOf([text]), JSON.stringify(text)).toEqual(events)
    expect(eventsOf(pieces), JSON.stringify(pieces)).toEqual(events)
    expect(eventsOf([...text]), JSON.stringify(text)).toEqual(events)
  }
})

test('returns an event as soon as its blank line has arrived', () => {
  const reader = createSseReader()
  expect(reader.feed('event: a\ndata: 1\n')).toEqual([])
  expect(reader.feed('\ndata: 2')).toEqual([{ event: 'a', data: '1' }])
  expect(reader.end()).toEqual([{ event: undefined, data: '2' }])
})

test('reads a long line in many pieces in linear time', () => {
  const reader = createSseReader()
  const pieces = 200_000
  reader.feed('data: ')
  for (let count = 0; count < pieces; count++) reader.feed('12345')
  expect(reader.feed('\n\n')[0]?.data).toHaveLength(5 * pieces)
})
