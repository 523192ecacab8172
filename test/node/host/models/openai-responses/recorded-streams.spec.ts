// Recorded answers of the Responses API (OpenAI, Azure, xAI, LM Studio): the same text, reasoning, items, calls, finish
// and usage whatever the cuts of the bytes, and no call out of a stream that ended before its last event.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { inPieces } from '../../../../support/lab/streams.js'
import { isLong } from '../../../../support/project/long.js'
import { testNamedRecordings } from '../../../../support/recordings/common-tests.js'
import { namedBytes, namedForms, typeOf } from '../../../../support/recordings/named-events.js'
import * as responses from '../../../../support/recordings/openai-responses.js'

const count = 9
const { failures, fetched, isShortened, plainReading, recordings } = responses

if (recordings.length === 0) console.log(missingCorpus('streams', count))

test.describe('recorded responses', () => {
  test.skip(recordings.length === 0, missingCorpus('streams', count))
  test.setTimeout(isLong ? 600_000 : 60_000)

  testNamedRecordings({ ...responses, isShortened, label: 'Responses', fewestCalls: 8, cuts: 15 })

  test('a piece of text that is lost or doubled does not change the text', async () => {
    let changes = 0
    for (const { name, events } of recordings) {
      const wanted = plainReading(events)
      const pieces = [...events.keys()].filter((index) => /text\.delta|refusal\.delta/.test(typeOf(events[index]!)))
      const stride = isLong ? 1 : Math.ceil(pieces.length / 6)
      for (const index of pieces.filter((_piece, place) => place % stride === 0)) {
        for (const copies of [[], [events[index]!, events[index]!]]) {
          const changed = [...events.slice(0, index), ...copies, ...events.slice(index + 1)]
          const answer = await fetched(inPieces(namedBytes(changed, namedForms[0]!), []))
          expect(answer, `${name}, event ${index} ${copies.length === 0 ? 'lost' : 'doubled'}`).toEqual(wanted)
          changes++
        }
      }
    }
    console.log(`Responses: pieces of text that were lost or doubled: ${changes}`)
    expect(changes).toBeGreaterThan(20)
  })

  test('some recordings contain encrypted reasoning, and some its text', () => {
    const items = recordings.flatMap(({ events }) => plainReading(events).items)
    for (const field of ['encrypted_content', 'content']) expect(items.some((item) => field in item)).toBe(true)
  })

  test('a recorded error has its code, with and without the names of the events', async () => {
    expect(failures.length).toBeGreaterThan(0)
    for (const { name, events } of failures) {
      for (const form of namedForms)
        expect(await fetched(inPieces(namedBytes(events, form), [])), name).toMatchObject({
          calls: [],
          error: 'rate-limited',
        })
      // Without the event `error`, the failed response reports it.
      const last = namedBytes([events[0]!, events.at(-1)!], namedForms[0]!)
      expect(await fetched(inPieces(last, [])), name).toMatchObject({ error: 'rate-limited' })
    }
  })
})
