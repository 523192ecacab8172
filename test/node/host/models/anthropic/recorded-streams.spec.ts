// Recorded answers of Anthropic: the same text, thinking, calls, finish and usage whatever the cuts of the bytes, and no
// call out of a stream that ended before its stop reason. The default run cuts at a few places, the long one at all.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { inPieces } from '../../../../support/lab/streams.js'
import { isLong } from '../../../../support/project/long.js'
import {
  bytesOf,
  fetched,
  namedFormName,
  namedForms,
  plainReading,
  readingOfWhole,
  recordings,
  spliced,
  stopAt,
  wholeAnswers,
} from './recordings.js'

const count = 7
/** About so many cuts of one recording. */
const cutsOfEach = isLong ? 600 : 25

if (recordings.length === 0) console.log(missingCorpus('streams/anthropic', count))

test.describe('recorded messages', () => {
  test.skip(recordings.length === 0, missingCorpus('streams/anthropic', count))
  test.setTimeout(isLong ? 600_000 : 60_000)

  test('each recording gives its text, thinking, calls, finish and usage in every form', async () => {
    for (const form of namedForms) {
      for (const { name, events } of recordings) {
        const wanted = plainReading(events)
        expect(wanted.finish, name).toBeDefined()
        expect(await fetched(inPieces(bytesOf(events, form), [])), `${name} ${namedFormName(form)}`).toEqual(wanted)
      }
    }
    const events = recordings.reduce((sum, one) => sum + one.events.length, 0)
    const calls = recordings.reduce((sum, one) => sum + plainReading(one.events).calls.length, 0)
    console.log(`Anthropic: ${recordings.length} streams, ${events} events, ${calls} calls, ${namedForms.length} forms`)
    expect(calls).toBeGreaterThan(10)
    expect(recordings.some((one) => plainReading(one.events).thinking.length > 0)).toBe(true)
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
    console.log(`Anthropic: cuts into two through the whole adapter: ${cuts}`)
  })

  test('one byte at a time gives the same answer', async () => {
    for (const [index, { name, events }] of recordings.entries()) {
      const form = namedForms[index % namedForms.length]!
      const bytes = bytesOf(events, form)
      if (!isLong && bytes.length > 12_000) continue
      expect(await fetched(inPieces(bytes, bytes.keys())), name).toEqual(plainReading(events))
    }
  })

  test('a stream that ends after any event returns no call without a stop reason', async () => {
    let ends = 0
    for (const recording of recordings) {
      const { name, events } = recording
      const stop = stopAt(recording)
      const { text, ...whole } = plainReading(events)
      const step = Math.max(1, Math.floor(events.length / (isLong ? Infinity : 15)))
      for (const end of [...events.keys()].filter((one) => one % step === 0 || Math.abs(one - stop) < 3)) {
        ends++
        const answer = await fetched(inPieces(bytesOf(events.slice(0, end + 1), namedForms[end % 12]!), []))
        if (end >= stop) expect(answer, `${name} after event ${end}`).toEqual({ text, ...whole })
        else {
          expect(answer, `${name} after event ${end}`).toMatchObject({
            calls: [],
            finish: undefined,
            error: 'stream-cut',
          })
          expect(text.startsWith(answer.text), name).toBe(true)
        }
      }
    }
    console.log(`Anthropic: streams that ended after an event: ${ends}`)
  })

  test('a stream that ends inside the event with the stop reason returns no call', async () => {
    for (const recording of recordings) {
      const { name, events } = recording
      const form = namedForms[0]!
      const before = bytesOf(events.slice(0, stopAt(recording)), form).length
      const after = bytesOf(events.slice(0, stopAt(recording) + 1), form).length
      // The last bracket completes the event; two line ends follow it. A body shorter than "event" is no stream yet.
      for (let end = Math.max(before, 'event'.length); end < after - 2; end += isLong ? 1 : 23) {
        const bytes = bytesOf(events, form).subarray(0, end)
        const answer = await fetched(inPieces(bytes, []))
        expect(answer, `${name} after byte ${end}`).toMatchObject({ calls: [], error: 'stream-cut' })
      }
    }
  })

  test('reads the non-streamed answers', async () => {
    expect(wholeAnswers.length).toBeGreaterThan(5)
    for (const { name, text } of wholeAnswers) {
      const wanted = readingOfWhole(JSON.parse(text) as Parameters<typeof readingOfWhole>[0])
      for (const stream of [true, false])
        expect(await fetched(async () => new Response(text), { stream }), name).toEqual(wanted)
    }
    console.log(`Anthropic: whole answers: ${wholeAnswers.length}`)
  })

  test('a second answer inside the first one fails the stream, and no call is returned', async () => {
    const bytes = bytesOf(spliced!.events, namedForms[0]!)
    expect(await fetched(inPieces(bytes, []))).toMatchObject({ calls: [], finish: undefined, error: 'bad-response' })
  })
})
