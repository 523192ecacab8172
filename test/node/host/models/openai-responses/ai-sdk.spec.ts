// The AI SDK's OpenAI provider as a second reader: the same bytes give the same text, reasoning with its encrypted
// content, calls, finish and usage.
import { expect, test } from 'playwright/test'
import type { JsonObject } from '../../../../../src/core/data/json.js'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { inPieces } from '../../../../support/lab/streams.js'
import { readWithSdk, type SdkAnswer } from '../../../../support/project/provider-packages.js'
import { bytesOf, namedForms } from '../anthropic/recordings.js'
import { failures, fetched, recordings, wholeAnswers, type ResponsesAnswer } from './recordings.js'

/** The fields that both readers have. The SDK has no word for a complete answer, and reports missing counts as 0. */
function common({ text, reasoning, calls, finish, raw, usage }: ResponsesAnswer | SdkAnswer) {
  const { total, cacheRead = 0 } = usage?.inputTokens ?? {}
  const output = usage?.outputTokens ?? {}
  return {
    text,
    // The SDK gives each part of a summary as reasoning of its own.
    reasoning: reasoning.replaceAll('\n', ''),
    calls,
    finish,
    raw: raw === 'completed' ? undefined : raw,
    usage: [total, cacheRead, output.total, output.reasoning ?? 0],
  }
}

/** Calls of the API's own tools. Requests of this project never offer these tools. */
const otherCalls = /"type": ?"(apply_patch|custom_tool|local_shell|shell|tool_search|mcp)_call"/

test.describe('read by the AI SDK', { tag: '@long' }, () => {
  test.skip(recordings.length === 0, missingCorpus('streams', 1))
  test.setTimeout(600_000)

  test('every recorded answer is the same for the AI SDK', async () => {
    const streams = [...recordings, ...failures].map(({ name, events }) => ({
      name,
      stream: true,
      body: bytesOf(events, namedForms[0]!),
    }))
    const wholes = wholeAnswers.map(({ name, text }) => ({ name, stream: false, body: new TextEncoder().encode(text) }))
    const answers = [...streams, ...wholes]
    const theirs = readWithSdk(
      'openai-responses',
      answers.map(({ stream, body }) => ({ stream, body: new TextDecoder().decode(body) })),
    )
    const rows: string[] = []
    for (const [index, { name, stream, body }] of answers.entries()) {
      const ours = await fetched(inPieces(body, []), { stream })
      const their = theirs[index]!
      if (their.error !== undefined && name.startsWith('xai/')) {
        rows.push(`${name}: not known to the SDK's provider for OpenAI`)
        continue
      }
      if (ours.error !== undefined || their.error !== undefined) {
        expect([ours.error, their.error], name).toEqual([expect.any(String), expect.any(String)])
        rows.push(`${name}: ${ours.error}`)
        continue
      }
      // The SDK's provider reads summaries only, not the reasoning itself, which LM Studio sends.
      const isPlain = ours.items.some(({ content }) => Array.isArray(content) && content.length > 0)
      const expected = common(their)
      if (otherCalls.test(new TextDecoder().decode(body)))
        Object.assign(expected, { calls: ours.calls, finish: ours.finish })
      expect(common(isPlain ? { ...ours, reasoning: '' } : ours), name).toEqual(expected)
      const encrypted = their.metadata.flatMap(({ openai }) => openai?.['reasoningEncryptedContent'] ?? [])
      const ownEncrypted = ours.items.flatMap((item: JsonObject) => item['encrypted_content'] ?? [])
      expect(ownEncrypted, name).toEqual(encrypted)
      rows.push(`${name}: ${ours.text.length} chars, ${ours.items.length} items, ${ours.calls.length} calls`)
    }
    console.log(`Equal to the AI SDK: ${rows.length}\n${rows.join('\n')}`)
  })
})
