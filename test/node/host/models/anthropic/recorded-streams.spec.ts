// Recorded answers of Anthropic: the same text, thinking, calls, finish and usage whatever the cuts of the bytes, and no
// call out of a stream that ended before its stop reason.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { inPieces } from '../../../../support/lab/streams.js'
import { isLong } from '../../../../support/project/long.js'
import * as messages from '../../../../support/recordings/anthropic.js'
import { testNamedRecordings } from '../../../../support/recordings/common-tests.js'
import { namedBytes, namedForms } from '../../../../support/recordings/named-events.js'

const count = 8
const { fetched, plainReading, recordings, spliced } = messages

if (recordings.length === 0) console.log(missingCorpus('streams/anthropic', count))

test.describe('recorded messages', () => {
  test.skip(recordings.length === 0, missingCorpus('streams/anthropic', count))
  test.setTimeout(isLong ? 600_000 : 60_000)

  testNamedRecordings({ ...messages, label: 'Anthropic', fewestCalls: 10, cuts: 25 })

  test('some recordings contain thinking', () => {
    expect(recordings.some((one) => plainReading(one.events).thinking.length > 0)).toBe(true)
  })

  test('a second answer inside the first one fails the stream, and no call is returned', async () => {
    const bytes = namedBytes(spliced!.events, namedForms[0]!)
    expect(await fetched(inPieces(bytes, []))).toMatchObject({ calls: [], finish: undefined, error: 'bad-response' })
  })
})
