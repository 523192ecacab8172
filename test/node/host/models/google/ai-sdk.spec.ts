// The AI SDK's Google provider as a second reader: the same bytes give the same text, thoughts, calls, finish and usage.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import {
  fetchedGemini,
  geminiAnswers,
  geminiRecordings,
  type GeminiAnswer,
} from '../../../../support/lab/gemini-streams.js'
import { bytesOf, forms, inPieces } from '../../../../support/lab/streams.js'
import { readWithSdk, type SdkAnswer } from '../../../../support/project/provider-packages.js'

/** The fields that both readers have. The SDK reports missing counts as 0. */
function common({ text, reasoning, calls, finish, raw, usage }: GeminiAnswer | SdkAnswer) {
  const { total, cacheRead = 0 } = usage?.inputTokens ?? {}
  const output = usage?.outputTokens ?? {}
  return { text, reasoning, calls, finish, raw, usage: [total, cacheRead, output.total, output.reasoning ?? 0] }
}

test.describe('Gemini, read by the AI SDK', { tag: '@long' }, () => {
  test.skip(geminiRecordings.length === 0, missingCorpus('streams/google', 1))
  test.setTimeout(600_000)

  test('every recorded answer is the same for the AI SDK', async () => {
    const streams = geminiRecordings.map(({ name, events }) => ({
      name,
      stream: true,
      body: bytesOf(events, forms[0]!, false),
    }))
    const wholes = geminiAnswers.map(({ name, text }) => ({
      name,
      stream: false,
      body: new TextEncoder().encode(text),
    }))
    const answers = [...streams, ...wholes]
    const theirs = readWithSdk(
      'google',
      answers.map(({ stream, body }) => ({ stream, body: new TextDecoder().decode(body) })),
    )
    const rows: string[] = []
    for (const [index, { name, stream, body }] of answers.entries()) {
      const ours = await fetchedGemini(inPieces(body, []), { stream })
      const their = theirs[index]!
      expect(their.error, name).toBeUndefined()
      expect(common(ours), name).toEqual(common(their))
      rows.push(
        `${name}: ${ours.text.length} + ${ours.reasoning.length} chars, ${ours.calls.length} calls, ${ours.raw}`,
      )
    }
    console.log(`Equal to the AI SDK: ${rows.length}\n${rows.join('\n')}`)
  })
})
