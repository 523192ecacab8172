// The tests that hold for the recordings of every protocol with named events: any cut of the bytes gives the same
// answer, and a stream that ends too early returns no call. The default run cuts a recording at a few places, the long one
// at sixty.
import { expect, test } from 'playwright/test'
import { inPieces, type Answer, type Recording } from '../lab/streams.js'
import { isLong } from '../project/long.js'
import { namedBytes, namedFormName, namedForms } from './named-events.js'

export interface NamedRecordings<A extends Answer> {
  /** The name of the protocol in the output. */
  readonly label: string
  readonly recordings: readonly Recording[]
  readonly wholeAnswers: readonly { readonly name: string; readonly text: string }[]
  /** The answer that the events describe, read in the simplest way. */
  plainReading(events: readonly string[]): A
  /** The same of a whole answer. */
  readingOfWhole(whole: unknown): A
  /** What the adapter makes of a response. */
  fetched(fetchIt: typeof fetch, options?: { readonly stream?: boolean }): Promise<A>
  /** The index of the event after which the calls are known. */
  stopAt(recording: Recording): number
  /** The recording lacks pieces of its text, so its text so far need not be the beginning of the whole one. */
  isShortened?(recording: Recording): boolean
  /** The recordings contain more calls than this. */
  readonly fewestCalls: number
  /** About so many cuts of one recording in the default run. */
  readonly cuts: number
}

/** The form of a recording, another one for each. */
const formOf = (index: number) => namedForms[index % namedForms.length]!

/** Adds the tests. Must be called inside of `test.describe`. */
export function testNamedRecordings<A extends Answer>(protocol: NamedRecordings<A>): void {
  const { label, recordings, plainReading, fetched, stopAt } = protocol

  test('each recording gives its text, reasoning, calls, finish and usage in every form', async () => {
    for (const form of namedForms) {
      for (const { name, events } of recordings) {
        const wanted = plainReading(events)
        expect(wanted.finish, name).toBeDefined()
        expect(await fetched(inPieces(namedBytes(events, form), [])), `${name} ${namedFormName(form)}`).toEqual(wanted)
      }
    }
    const events = recordings.reduce((sum, one) => sum + one.events.length, 0)
    const calls = recordings.reduce((sum, one) => sum + plainReading(one.events).calls.length, 0)
    console.log(`${label}: ${recordings.length} streams, ${events} events, ${calls} calls, ${namedForms.length} forms`)
    expect(calls).toBeGreaterThan(protocol.fewestCalls)
  })

  test('any cut of the bytes into two gives the same answer', async () => {
    let cuts = 0
    for (const [index, { name, events }] of recordings.entries()) {
      const bytes = namedBytes(events, formOf(index))
      const wanted = plainReading(events)
      const stride = Math.max(1, Math.floor(bytes.length / (isLong ? 60 : protocol.cuts)))
      for (let cut = index % stride; cut <= bytes.length; cut += stride, cuts++) {
        const answer = await fetched(inPieces(bytes, [cut]))
        expect(answer, `${name} ${namedFormName(formOf(index))} cut at byte ${cut}`).toEqual(wanted)
      }
    }
    console.log(`${label}: cuts into two through the whole adapter: ${cuts}`)
  })

  test('one byte at a time gives the same answer', async () => {
    let read = 0
    for (const [index, { name, events }] of recordings.entries()) {
      const bytes = namedBytes(events, formOf(index))
      if (bytes.length > (isLong ? 400_000 : 12_000)) continue
      read++
      expect(await fetched(inPieces(bytes, bytes.keys())), name).toEqual(plainReading(events))
    }
    expect(read).toBeGreaterThan(3)
  })

  test('a stream that ends after any event returns no call before the calls are known', async () => {
    let ends = 0
    for (const recording of recordings) {
      const { name, events } = recording
      const stop = stopAt(recording)
      const wanted = plainReading(events)
      const step = Math.max(1, Math.floor(events.length / (isLong ? Infinity : 15)))
      for (const end of [...events.keys()].filter((one) => one % step === 0 || Math.abs(one - stop) < 3)) {
        ends++
        const answer = await fetched(inPieces(namedBytes(events.slice(0, end + 1), formOf(end)), []))
        if (end >= stop) expect(answer, `${name} after event ${end}`).toEqual(wanted)
        else {
          const none = { calls: [], finish: undefined, error: 'stream-cut' }
          expect(answer, `${name} after event ${end}`).toMatchObject(none)
          if (!protocol.isShortened?.(recording)) expect(wanted.text.startsWith(answer.text), name).toBe(true)
        }
      }
    }
    console.log(`${label}: streams that ended after an event: ${ends}`)
  })

  test('a stream that ends inside the event that makes the calls known returns no call', async () => {
    for (const recording of recordings) {
      const { name, events } = recording
      const form = namedForms[0]!
      const before = namedBytes(events.slice(0, stopAt(recording)), form).length
      const after = namedBytes(events.slice(0, stopAt(recording) + 1), form).length
      const bytes = namedBytes(events, form)
      const step = Math.ceil((after - before) / (isLong ? 60 : 12))
      // The last bracket completes the event; two line ends follow it. A body shorter than "event" is no stream yet.
      for (let end = Math.max(before, 'event'.length); end < after - 2; end += step) {
        const answer = await fetched(inPieces(bytes.subarray(0, end), []))
        expect(answer, `${name} after byte ${end}`).toMatchObject({ calls: [], error: 'stream-cut' })
      }
    }
  })

  test('reads the answers that are not streamed', async () => {
    expect(protocol.wholeAnswers.length).toBeGreaterThan(5)
    for (const { name, text } of protocol.wholeAnswers) {
      const wanted = protocol.readingOfWhole(JSON.parse(text))
      for (const stream of [true, false])
        expect(await fetched(async () => new Response(text), { stream }), name).toEqual(wanted)
    }
    console.log(`${label}: whole answers: ${protocol.wholeAnswers.length}`)
  })
}
