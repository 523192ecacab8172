// The AI SDK's Anthropic provider as a second reader: the same bytes give the same text, thinking with its signatures,
// calls, finish and usage.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { inPieces } from '../../../../support/lab/streams.js'
import { readWithSdk, type SdkAnswer } from '../../../../support/project/provider-packages.js'
import { bytesOf, fetched, namedForms, recordings, wholeAnswers, type MessagesAnswer } from './recordings.js'

/** The fields that both readers have. The SDK reports missing cache counts as 0. */
function common({ text, reasoning, calls, finish, raw, usage }: MessagesAnswer | SdkAnswer) {
  const { total, cacheRead = 0 } = usage?.inputTokens ?? {}
  const output = usage?.outputTokens ?? {}
  return {
    text,
    reasoning,
    calls,
    finish,
    raw,
    usage: [total, cacheRead, output.total, output.reasoning],
  }
}

test.describe('read by the AI SDK', { tag: '@long' }, () => {
  test.skip(recordings.length === 0, missingCorpus('streams/anthropic', 1))
  test.setTimeout(600_000)

  test('every recorded answer is the same for the AI SDK', async () => {
    const streams = recordings.map(({ name, events }) => ({
      name,
      stream: true,
      body: bytesOf(events, namedForms[0]!),
    }))
    const wholes = wholeAnswers.map(({ name, text }) => ({ name, stream: false, body: new TextEncoder().encode(text) }))
    const answers = [...streams, ...wholes]
    const theirs = readWithSdk(
      'anthropic',
      answers.map(({ stream, body }) => ({ stream, body: new TextDecoder().decode(body) })),
    )
    const rows: string[] = []
    for (const [index, { name, stream, body }] of answers.entries()) {
      const ours = await fetched(inPieces(body, []), { stream })
      const their = theirs[index]!
      expect(their.error, name).toBeUndefined()
      expect(common(ours), name).toEqual(common(their))
      const signatures = their.metadata.flatMap(({ anthropic }) => anthropic?.['signature'] ?? [])
      expect(
        ours.thinking.map(({ signature }) => signature),
        name,
      ).toEqual(signatures)
      rows.push(
        `${name}: ${ours.text.length} chars, ${ours.thinking.length} thinking, ${ours.calls.length} calls, ${ours.raw}`,
      )
    }
    console.log(`Equal to the AI SDK: ${rows.length}\n${rows.join('\n')}`)
  })
})
