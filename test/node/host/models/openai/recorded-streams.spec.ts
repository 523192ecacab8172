// Recorded streams of real providers, exhaustively: the same text, reasoning, calls, finish and usage for all cuts of
// the bytes and all line ends, and no call from a stream that was cut before its finish. The default run reads each
// recording in one form and at some of the cuts, the long run in all forms and at all cuts.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { startEndpoint } from '../../../../support/lab/endpoint.js'
import { isLong } from '../../../../support/project/long.js'
import {
  assembled,
  bytesOf,
  dataIn,
  fetched,
  finishAt,
  formName,
  forms,
  frameOf,
  inPieces,
  otherRecordings,
  plainReading,
  plainUsage,
  recordings,
  wholeAnswers,
} from '../../../../support/lab/streams.js'

/** Recordings of which every cut is read whole; of longer ones every cut is read with the events around it. */
const wholeBelow = 8_000
const count = 11

/** The forms in which a recording is read: all in the long run, else one, another for each. */
const formsOf = (index: number) => (isLong ? forms : [forms[index % forms.length]!])
/** Every place in the long run, else every so manieth. */
const stepOf = (usual: number) => (isLong ? 1 : usual)

if (recordings.length === 0) console.log(missingCorpus('streams', count))

test.describe('recorded chat completions', () => {
  test.skip(recordings.length === 0, missingCorpus('streams', count))
  test.setTimeout(180_000)

  test('each recording gives its text, reasoning, calls, finish and usage in every form', async () => {
    const endpoint = await startEndpoint(
      forms.flatMap((form) => recordings.map(({ events }) => ({ raw: [bytesOf(events, form)] }))),
    )
    for (const form of forms) {
      for (const { name, events } of recordings) {
        const wanted = plainReading(events)
        expect(wanted.finish, name).toBeDefined()
        expect(wanted.usage, name).toBeDefined()
        expect(await fetched(fetch, endpoint.url), `${name} ${formName(form)}`).toEqual(wanted)
      }
    }
    await endpoint.close()
    console.log(
      `Recorded streams used: ${recordings.length} with ${recordings.reduce((sum, { events }) => sum + events.length, 0)} events, in ${forms.length} forms; whole answers: ${wholeAnswers.length}`,
    )
  })

  test('the calls of a recording are those of the whole answer to the same question', () => {
    let compared = 0
    for (const { name, events } of recordings) {
      const whole = wholeAnswers.find((one) => one.name === name.replace('.chunks.txt', '.json'))
      const calls = whole && callsOfWhole(whole.text)
      if (!calls?.length) continue
      expect(plainReading(events).calls, name).toEqual(calls)
      compared++
    }
    expect(compared).toBeGreaterThan(0)
  })

  test('any cut of a short recording into two gives the same parts in every form', () => {
    let cuts = 0
    for (const [index, { name, events }] of recordings.entries()) {
      for (const form of formsOf(index)) {
        const bytes = bytesOf(events, form)
        if (bytes.length > wholeBelow) continue
        const wanted = JSON.stringify(assembled([bytes]))
        expect(JSON.parse(wanted), name).toEqual(plainReading(events))
        for (let cut = 0; cut <= bytes.length; cut += stepOf(3), cuts++) {
          const got = JSON.stringify(assembled([bytes.subarray(0, cut), bytes.subarray(cut)]))
          if (got !== wanted)
            expect(JSON.parse(got), `${name} ${formName(form)} cut at byte ${cut}`).toEqual(JSON.parse(wanted))
        }
      }
    }
    console.log(`Cuts into two read whole: ${cuts}`)
  })

  // After a blank line the parser has no state, so a cut affects only its own event and the neighbours.
  test('any cut of any recording into two gives the same events in every form', () => {
    let cuts = 0
    for (const [index, { name, events }] of recordings.entries()) {
      for (const form of formsOf(index)) {
        const all = [...events, '[DONE]']
        const frames = all.map((data) => frameOf(data, form))
        expect(dataIn(frames), name).toEqual(all)
        for (const [place, frame] of frames.entries()) {
          const before = frames[place - 1] ?? new Uint8Array()
          const window = Buffer.concat([before, frame, frames[place + 1] ?? new Uint8Array()])
          const wanted = all.slice(Math.max(0, place - 1), place + 2)
          for (
            let cut = before.length + (isLong ? 0 : place % 3);
            cut < before.length + frame.length;
            cut += stepOf(3), cuts++
          ) {
            const got = dataIn([window.subarray(0, cut), window.subarray(cut)])
            if (got.length !== wanted.length || got.some((data, index) => data !== wanted[index])) {
              expect(got, `${name} ${formName(form)} event ${place} cut at byte ${cut - before.length}`).toEqual(wanted)
            }
          }
        }
      }
    }
    console.log(`Cuts into two read with the events around them: ${cuts}`)
  })

  test('any cut into two gives the same parts through the whole adapter', async () => {
    const smallest = recordings
      .filter(({ events }) => plainReading(events).calls.length > 0)
      .sort((one, other) => one.events.join().length - other.events.join().length)[0]
    let cuts = 0
    for (const [index, recording] of recordings.entries()) {
      const { name, events } = recording
      const form = forms[index % forms.length]!
      const bytes = bytesOf(events, form)
      const wanted = plainReading(events)
      const stride =
        recording === smallest
          ? stepOf(3)
          : Math.max(1, Math.floor(bytes.length / ((isLong ? 2_000_000 : 200_000) / Math.max(bytes.length, 10_000))))
      for (let cut = 0; cut <= bytes.length; cut += stride, cuts++) {
        expect(await fetched(inPieces(bytes, [cut])), `${name} ${formName(form)} cut at byte ${cut}`).toEqual(wanted)
      }
    }
    console.log(`Cuts into two through the whole adapter: ${cuts}`)
  })

  test('one byte at a time gives the same parts in every form', () => {
    for (const [index, { name, events }] of recordings.entries()) {
      for (const form of formsOf(index)) {
        const bytes = bytesOf(events, form)
        expect(assembled(singles(bytes)), `${name} ${formName(form)}`).toEqual(plainReading(events))
      }
    }
  })

  test('one byte at a time gives the same parts through the whole adapter', async () => {
    for (const [index, { name, events }] of recordings.entries()) {
      const form = forms[index % forms.length]!
      const bytes = bytesOf(events, form)
      if (!isLong && bytes.length > 4 * wholeBelow) continue
      expect(await fetched(inPieces(bytes, bytes.keys())), `${name} ${formName(form)}`).toEqual(plainReading(events))
    }
  })

  test('a stream that ends after any event returns no call without a finish reason', async () => {
    let ends = 0
    for (const recording of recordings) {
      const { name, events } = recording
      const { finish, calls, text, reasoning } = plainReading(events)
      const finished = finishAt(recording)
      const step = Math.max(1, Math.floor(events.length / (isLong ? Infinity : 30)))
      const places = [...events.keys()].filter((end) => end % step === 0 || Math.abs(end - finished) < 3)
      for (const end of places) {
        ends++
        const answer = await fetched(inPieces(bytesOf(events.slice(0, end + 1), forms[end % forms.length]!, false), []))
        const got =
          end < finished
            ? { calls: answer.calls, finish: answer.finish, error: answer.error }
            : { ...answer, usage: undefined }
        const wanted =
          end < finished
            ? { calls: [], finish: undefined, error: 'stream-cut' }
            : { text, reasoning, calls, finish, usage: undefined }
        if (JSON.stringify(got) !== JSON.stringify(wanted)) expect(got, `${name} behind event ${end}`).toEqual(wanted)
      }
    }
    console.log(`Streams that ended behind an event: ${ends}`)
  })

  test('a short stream that ends after any byte returns no call without a finish reason', () => {
    for (const recording of recordings) {
      const { name, events } = recording
      const bytes = bytesOf(events, forms[0]!, false)
      if (bytes.length > wholeBelow) continue
      // The finish is seen with the last bracket of its event, before the end of its line.
      const seen = bytesOf(events.slice(0, finishAt(recording) + 1), forms[0]!, false).length - 2
      const { calls, finish: wantedFinish } = plainReading(events)
      for (let end = 0; end <= bytes.length; end++) {
        const { calls: got, finish, error } = assembled([bytes.subarray(0, end)])
        const wanted = end < seen ? { calls: [], error: 'stream-cut' } : { calls, finish: wantedFinish }
        if (JSON.stringify({ calls: got, finish, error }) !== JSON.stringify(wanted))
          expect({ calls: got, finish, error }, `${name} behind byte ${end}`).toEqual(wanted)
      }
    }
  })

  test('reads the non-streamed answers of the same providers', async () => {
    expect(wholeAnswers.length).toBeGreaterThan(0)
    for (const { name, text } of wholeAnswers) {
      const { choices, usage } = JSON.parse(text) as {
        choices: { message: Record<string, unknown>; finish_reason: string }[]
        usage: unknown
      }
      const { message, finish_reason: finish } = choices[0]!
      for (const stream of [true, false]) {
        expect(await fetched(async () => new Response(text), 'http://corpus/v1', stream), name).toEqual({
          text: message['content'] ?? '',
          reasoning: message['reasoning_content'] ?? '',
          calls: callsOfWhole(text),
          finish: finish.replace('_', '-'),
          usage: plainUsage(usage),
        })
      }
    }
  })

  test('rejects recordings of another shape', async () => {
    for (const { name, events } of otherRecordings) {
      const answer = await fetched(inPieces(bytesOf(events, forms[0]!, false), []))
      expect(answer, name).toMatchObject({
        calls: [],
        finish: undefined,
        error: expect.stringMatching(/^(bad-response|stream-cut|server|rate-limited)$/),
      })
    }
  })
})

function callsOfWhole(text: string): [string, unknown][] {
  const { choices } = JSON.parse(text) as {
    choices: { message: { tool_calls?: { function: { name: string; arguments: string } }[] | null } }[]
  }
  return (choices[0]?.message.tool_calls ?? []).map((call) => [call.function.name, JSON.parse(call.function.arguments)])
}

function* singles(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
}
