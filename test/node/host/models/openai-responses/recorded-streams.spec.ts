// Recorded answers of the Responses API (OpenAI, Azure, xAI, LM Studio): the same text, reasoning, items, calls, finish
// and usage whatever the cuts of the bytes, and no call out of a stream that ended before its last event. The default
// run cuts at a few places, the long one at all.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { inPieces } from '../../../../support/lab/streams.js'
import { isLong } from '../../../../support/project/long.js'
import { bytesOf, namedFormName, namedForms } from '../anthropic/recordings.js'
import { failures, fetched, plainReading, readingOfWhole, recordings, wholeAnswers } from './recordings.js'

const count = 7
/** About so many cuts of one recording. */
const cutsOfEach = isLong ? 600 : 15

if (recordings.length === 0) console.log(missingCorpus('streams', count))

test.describe('recorded responses', () => {
  test.skip(recordings.length === 0, missingCorpus('streams', count))
  test.setTimeout(isLong ? 600_000 : 60_000)

  test('each recording gives its text, reasoning, items, calls, finish and usage in every form', async () => {
    for (const form of namedForms) {
      for (const { name, events } of recordings) {
        const wanted = plainReading(events)
        expect(await fetched(inPieces(bytesOf(events, form), [])), `${name} ${namedFormName(form)}`).toEqual(wanted)
      }
    }
    const readings = recordings.map(({ events }) => plainReading(events))
    const events = recordings.reduce((sum, one) => sum + one.events.length, 0)
    const calls = readings.reduce((sum, one) => sum + one.calls.length, 0)
    console.log(`Responses: ${recordings.length} streams, ${events} events, ${calls} calls, ${namedForms.length} forms`)
    expect(calls).toBeGreaterThan(8)
    expect(readings.some(({ items }) => items.some((item) => 'encrypted_content' in item))).toBe(true)
    expect(readings.some(({ items }) => items.some((item) => 'content' in item))).toBe(true)
  })

  test('any cut of the bytes into two gives the same answer', async () => {
    let cuts = 0
    for (const [index, { name, events }] of recordings.entries()) {
      const form = namedForms[index % namedForms.length]!
      const bytes = bytesOf(events, form)
      const wanted = plainReading(events)
      const stride = Math.max(1, Math.floor(bytes.length / cutsOfEach))
      for (let cut = index % stride; cut <= bytes.length; cut += stride, cuts++) {
        const answer = await fetched(inPieces(bytes, [cut]))
        expect(answer, `${name} ${namedFormName(form)} cut at byte ${cut}`).toEqual(wanted)
      }
    }
    console.log(`Responses: cuts into two through the whole adapter: ${cuts}`)
  })

  test('one byte at a time gives the same answer', async () => {
    let read = 0
    for (const [index, { name, events }] of recordings.entries()) {
      const form = namedForms[index % namedForms.length]!
      const bytes = bytesOf(events, form)
      if (bytes.length > (isLong ? 400_000 : 16_000)) continue
      read++
      expect(await fetched(inPieces(bytes, bytes.keys())), name).toEqual(plainReading(events))
    }
    expect(read).toBeGreaterThan(3)
  })

  test('a stream that ends after any event before the last one returns no call', async () => {
    let ends = 0
    for (const { name, events } of recordings) {
      const { text } = plainReading(events)
      const step = Math.max(1, Math.floor(events.length / (isLong ? Infinity : 15)))
      for (let end = 0; end < events.length - 1; end += step, ends++) {
        const answer = await fetched(inPieces(bytesOf(events.slice(0, end + 1), namedForms[end % 12]!), []))
        expect(answer, `${name} after event ${end}`).toMatchObject({
          calls: [],
          finish: undefined,
          error: 'stream-cut',
        })
        expect(text.startsWith(answer.text), name).toBe(true)
      }
    }
    console.log(`Responses: streams that ended after an event: ${ends}`)
  })

  test('a stream that ends inside the last event returns no call', async () => {
    for (const { name, events } of recordings) {
      const form = namedForms[0]!
      const before = bytesOf(events.slice(0, -1), form).length
      const bytes = bytesOf(events, form)
      const step = isLong ? 7 : Math.ceil((bytes.length - before) / 12)
      for (let end = before; end < bytes.length - 2; end += step) {
        const answer = await fetched(inPieces(bytes.subarray(0, end), []))
        expect(answer, `${name} after byte ${end}`).toMatchObject({ calls: [], error: 'stream-cut' })
      }
    }
  })

  test('reads the non-streamed answers', async () => {
    expect(wholeAnswers.length).toBeGreaterThan(10)
    for (const { name, text } of wholeAnswers) {
      const wanted = readingOfWhole(JSON.parse(text) as Parameters<typeof readingOfWhole>[0])
      for (const stream of [true, false])
        expect(await fetched(async () => new Response(text), { stream }), name).toEqual(wanted)
    }
    console.log(`Responses: whole answers: ${wholeAnswers.length}`)
  })

  test('a recorded error has its code, with and without the names of the events', async () => {
    expect(failures.length).toBeGreaterThan(0)
    for (const { name, events } of failures) {
      for (const form of namedForms)
        expect(await fetched(inPieces(bytesOf(events, form), [])), name).toMatchObject({
          calls: [],
          error: 'rate-limited',
        })
      // Without the event `error`, the failed response reports it.
      const last = [events[0]!, events.at(-1)!]
      expect(await fetched(inPieces(bytesOf(last, namedForms[0]!), [])), name).toMatchObject({ error: 'rate-limited' })
    }
  })
})
