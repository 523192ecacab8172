// The AI SDK as a second reader of every recorded answer: the same bytes give the same text, reasoning, calls, finish
// and usage, and the same signatures and encrypted reasoning. Prints the table of the streams that each of the two reads
// correctly: `npm run test:long -- ai-sdk/recorded-streams`.
import { expect, test } from 'playwright/test'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import type { Answer } from '../../../../support/lab/streams.js'
import { readWithSdk, type SdkAnswer } from '../../../../support/project/provider-packages.js'
import { isShortened, recordings } from '../../../../support/recordings/openai-responses.js'
import { protocols, type RecordedAnswer, type RecordedProtocol } from '../../../../support/recordings/protocols.js'

/** The fields that both readers have. The SDK reports missing counts as 0. */
function common(provider: string, { text, reasoning, calls, finish, usage }: Answer | SdkAnswer) {
  const { total = 0, cacheRead = 0 } = usage?.inputTokens ?? {}
  const output = usage?.outputTokens ?? {}
  return {
    text,
    // The SDK gives each part of a summary as reasoning of its own.
    reasoning: provider === 'openai-responses' ? reasoning.replaceAll('\n', '') : reasoning,
    calls,
    finish,
    usage: [total, cacheRead, output.total ?? 0, output.reasoning ?? 0],
  }
}
type Common = ReturnType<typeof common>
/** The fields to compare, without some of them. */
function compared(provider: string, answer: Answer | SdkAnswer, ignored: readonly (keyof Common)[] = []): object {
  const fields = Object.entries(common(provider, answer))
  return Object.fromEntries(fields.filter(([name]) => !(ignored as readonly string[]).includes(name)))
}

interface Difference {
  readonly reason: string
  /** The fields that differ. All if the SDK reports an error. */
  readonly fields: readonly (keyof Common)[]
  /** The SDK reads the answer correctly, too. */
  readonly isCorrect: boolean
}

/** Why the AI SDK reads an answer in another way; undefined for a difference without a reason. */
function knownDifference({ provider }: RecordedProtocol, { name, body }: RecordedAnswer, their: SdkAnswer) {
  const text = new TextDecoder().decode(body())
  const known = (reason: string, isCorrect: boolean, ...fields: (keyof Common)[]): Difference => ({
    reason,
    fields,
    isCorrect,
  })
  if (provider !== 'openai-responses') return undefined
  if (their.error !== undefined && /"model": ?"grok/.test(text))
    return known("the SDK's provider for OpenAI refuses it", false)
  if (/"type": ?"reasoning_text"/.test(text)) return known('the SDK reads summaries, not the text', false, 'reasoning')
  const isCorrected = shortened.has(name)
  // Requests of this project never offer these tools, so it leaves their calls out.
  if (/"type": ?"(apply_patch|custom_tool|local_shell|shell|tool_search|mcp)_call"/.test(text))
    return known(
      'the SDK reads calls of the own tools of the API',
      true,
      'calls',
      'finish',
      ...(isCorrected ? (['text'] as const) : []),
    )
  if (isCorrected) return known('the SDK does not correct the text by that of the end', true, 'text')
  return undefined
}

/** Names of the recordings whose pieces of text are not the text that their end repeats. */
const shortened = new Set(recordings.filter(isShortened).map(({ name }) => name))

interface Row {
  protocol: string
  streams: number
  'tool-agent': number
  'AI SDK': number
  'whole answers': number
  'whole, tool-agent': number
  'whole, AI SDK': number
}

test.describe('read by the AI SDK', { tag: '@long' }, () => {
  test.skip(
    protocols.some(({ answers }) => answers.length === 0),
    missingCorpus('streams', 1),
  )
  test.setTimeout(600_000)

  test('every recorded answer is the same for the AI SDK', async () => {
    const rows: Row[] = []
    const differences: string[] = []
    for (const protocol of protocols) {
      const { provider, answers, read } = protocol
      const theirs = readWithSdk(
        provider,
        answers.map(({ stream, body }) => ({ stream, body: new TextDecoder().decode(body()) })),
      )
      const counts = { ours: [0, 0], theirs: [0, 0] }
      for (const [index, answer] of answers.entries()) {
        const { name, stream, wanted, body } = answer
        const ours = await read(body(), stream)
        const their = theirs[index]!
        const label = `${provider} ${name}`
        const known = knownDifference(protocol, answer, their)
        // The plain reading decides. Without one, both readers must agree.
        if (wanted) expect(compared(provider, ours), label).toEqual(compared(provider, wanted))
        const place = stream ? 0 : 1
        counts.ours[place]!++
        if (ours.error !== undefined) {
          expect(their.error, label).toBeDefined()
          counts.theirs[place]!++
          continue
        }
        if (known) differences.push(`${name}: ${known.reason}`)
        if (known?.isCorrect !== false) counts.theirs[place]!++
        if (their.error !== undefined && known) continue
        expect(their.error, label).toBeUndefined()
        expect(compared(provider, their, known?.fields), label).toEqual(compared(provider, ours, known?.fields))
        if (provider !== 'openai' && their.raw !== undefined && !known) expect(ours.raw, label).toBe(their.raw)
        const secrets = their.metadata.flatMap(
          (one) => one?.['anthropic']?.['signature'] ?? one?.['openai']?.['reasoningEncryptedContent'] ?? [],
        )
        expect(ours.secrets, label).toEqual(secrets)
      }
      const [streams, wholes] = [true, false].map((one) => answers.filter(({ stream }) => stream === one).length)
      rows.push({
        protocol: provider,
        streams: streams!,
        'tool-agent': counts.ours[0]!,
        'AI SDK': counts.theirs[0]!,
        'whole answers': wholes!,
        'whole, tool-agent': counts.ours[1]!,
        'whole, AI SDK': counts.theirs[1]!,
      })
    }
    console.log(`Answers read correctly, of those recorded:`)
    console.table(rows)
    console.log(`Read in another way by the AI SDK: ${differences.length}\n${differences.join('\n')}`)
  })
})
