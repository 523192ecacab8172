// Recorded answers of the Gemini API: the same text, thoughts, signatures, calls, finish and usage whatever the cuts of
// the bytes and the ends of lines, and no call out of a stream that was cut before its finish. The default run reads
// each recording at a part of the cuts, the long one at all.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import {
  assembledGemini,
  fetchedGemini,
  geminiAnswers,
  geminiErrors,
  geminiRecordings,
  interactionAnswers,
  interactionRecordings,
  plainGemini,
} from '../../../../support/recordings/google.js'
import { bytesOf, formName, forms, inPieces } from '../../../../support/lab/streams.js'
import { isLong } from '../../../../support/project/long.js'

const count = 8
const isMissing = geminiRecordings.length === 0
if (isMissing) console.log(missingCorpus('streams', count))

/** Every place in the long run, else about so many. */
const stride = (length: number, places: number): number => (isLong ? 1 : Math.max(1, Math.floor(length / places)))

test.describe('recorded answers of Gemini', () => {
  test.skip(isMissing, missingCorpus('streams', count))
  test.setTimeout(180_000)

  test('each recording gives its text, thoughts, signatures, calls, finish and usage in every form', async () => {
    for (const { name, events } of geminiRecordings) {
      const wanted = plainGemini(events)
      expect(wanted.finish, name).toMatch(/^(stop|tool-calls)$/)
      expect(wanted.usage, name).toBeDefined()
      for (const form of forms) {
        const got = await fetchedGemini(inPieces(bytesOf(events, form, false), []))
        expect(got, `${name} ${formName(form)}`).toEqual(wanted)
      }
    }
    const signatures = geminiRecordings.flatMap(({ events }) => plainGemini(events).signatures)
    expect(signatures.length).toBeGreaterThanOrEqual(geminiRecordings.length)
    console.log(`Gemini recordings: ${geminiRecordings.length}, whole answers: ${geminiAnswers.length}`)
  })

  test('any cut into two gives the same parts in every form', () => {
    let cuts = 0
    for (const [index, { name, events }] of geminiRecordings.entries()) {
      const wanted = JSON.stringify(plainGemini(events))
      for (const form of isLong ? forms : [forms[index % forms.length]!]) {
        const bytes = bytesOf(events, form, false)
        for (let cut = 0; cut <= bytes.length; cut += stride(bytes.length, 400), cuts++) {
          const got = assembledGemini([bytes.subarray(0, cut), bytes.subarray(cut)])
          if (JSON.stringify(sorted(got)) !== JSON.stringify(sorted(JSON.parse(wanted) as typeof got)))
            expect(got, `${name} ${formName(form)} cut at byte ${cut}`).toEqual(JSON.parse(wanted))
        }
      }
    }
    console.log(`Gemini cuts into two: ${cuts}`)
  })

  test('any cut into two gives the same parts through the whole adapter', async () => {
    for (const [index, { name, events }] of geminiRecordings.entries()) {
      const bytes = bytesOf(events, forms[index % forms.length]!, false)
      for (let cut = 0; cut <= bytes.length; cut += Math.ceil(bytes.length / (isLong ? 600 : 60)))
        expect(await fetchedGemini(inPieces(bytes, [cut])), `${name} cut at ${cut}`).toEqual(plainGemini(events))
    }
  })

  test('one byte at a time gives the same parts', async () => {
    for (const [index, { name, events }] of geminiRecordings.entries()) {
      const bytes = bytesOf(events, forms[index % forms.length]!, false)
      expect(await fetchedGemini(inPieces(bytes, bytes.keys())), name).toEqual(plainGemini(events))
    }
  })

  test('a stream that ends after any event returns no call without a finish reason', async () => {
    for (const { name, events } of geminiRecordings) {
      const { text, reasoning, calls, finish } = plainGemini(events)
      for (const end of events.keys()) {
        const got = await fetchedGemini(inPieces(bytesOf(events.slice(0, end + 1), forms[end % 6]!, false), []))
        const isWhole = end === events.length - 1
        expect(got, `${name} behind event ${end}`).toMatchObject(
          isWhole ? { text, reasoning, calls, finish } : { calls: [], finish: undefined, error: 'stream-cut' },
        )
      }
    }
  })

  test('a stream that ends after any byte returns no call without a finish reason', () => {
    for (const { name, events } of geminiRecordings) {
      const bytes = bytesOf(events, forms[0]!, false)
      // The finish is seen with the last bracket of its event, before the end of its line.
      const seen = bytes.length - 2
      for (let end = 0; end < seen; end += stride(bytes.length, 300)) {
        const { calls, error } = assembledGemini([bytes.subarray(0, end)])
        if (calls.length > 0 || error !== 'stream-cut')
          expect({ calls, error }, `${name} behind byte ${end}`).toEqual({ calls: [], error: 'stream-cut' })
      }
      expect(assembledGemini([bytes.subarray(0, seen)]).calls, name).toEqual(plainGemini(events).calls)
    }
  })

  test('reads the whole answers to the same questions', async () => {
    expect(geminiAnswers.length).toBeGreaterThan(0)
    for (const { name, text } of geminiAnswers) {
      const wanted = plainGemini([text])
      for (const stream of [true, false])
        expect(await fetchedGemini(async () => new Response(text), { stream }), name).toEqual(wanted)
      const streamed = geminiRecordings.find((one) => one.name === name.replace('.json', '.chunks.txt'))
      expect(streamed && plainGemini(streamed.events).calls, name).toEqual(wanted.calls)
    }
  })

  test('names the Interactions API, and reads the recorded error', async () => {
    expect(interactionRecordings.length).toBeGreaterThan(0)
    for (const { name, events } of interactionRecordings) {
      const got = await fetchedGemini(inPieces(bytesOf(events, forms[0]!, false), []))
      expect(got, name).toMatchObject({ calls: [], finish: undefined, error: 'bad-response' })
      expect(got.message, name).toContain('uses the protocol Gemini Interactions, expected Gemini.')
    }
    for (const { name, text } of interactionAnswers) {
      const got = await fetchedGemini(async () => new Response(text))
      expect(got.message, name).toContain('uses the protocol Gemini Interactions, expected Gemini.')
    }
    for (const { name, text } of geminiErrors) {
      const got = await fetchedGemini(async () => new Response(text, { status: 429 }))
      expect(got, name).toMatchObject({ error: 'rate-limited', message: expect.stringContaining('current quota') })
    }
  })
})

/** With its keys in one order, so that texts of equal answers are equal. */
function sorted(answer: object): [string, unknown][] {
  return Object.entries(answer).sort(([one], [other]) => (one < other ? -1 : 1))
}
