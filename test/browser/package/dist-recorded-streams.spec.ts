// The recorded streams of every protocol in a browser, through the built package and its worker: re-chunked, with other
// line ends and comments, and cut. Each gives the text, reasoning, calls and usage of the recording, and a stream that
// ends too early gives no call. Prints the numbers: `npm run test:long -- dist-recorded-streams --project=chromium`.
import type { Agent } from '../../../src/page/agent.js'
import { missingCorpus } from '../../support/lab/corpora.js'
import { startEndpoint, type Reply } from '../../support/lab/endpoint.js'
import { expect, test } from '../../support/project/dist.js'
import { openProviderPage } from '../../support/recordings/provider-page.js'
import { protocols } from '../../support/recordings/protocols.js'

/** How often each recording is read, in another form and with other pieces. */
const rounds = 3
/** At how many places each recording is cut. */
const cuts = 4

/** A random number from 0 to below `limit`, the same in every run. */
function* numbers(seed: number): Generator<(limit: number) => number> {
  for (let state = seed + 1; ;) {
    state = (state * 48_271) % 2_147_483_647
    const part = state / 2_147_483_647
    yield (limit) => Math.floor(part * limit)
  }
}

/** The bytes in at most forty pieces; every third time the pieces have a few bytes only, until the last one. */
function inChunks(bytes: Uint8Array, seed: number): Uint8Array[] {
  const found: Uint8Array[] = []
  const largest = seed % 3 === 0 ? 5 : Math.ceil(bytes.length / 10)
  let at = 0
  for (const next of numbers(seed)) {
    const end = found.length === 39 ? bytes.length : Math.min(bytes.length, at + 1 + next(largest))
    found.push(bytes.slice(at, end))
    at = end
    if (at === bytes.length) return found
  }
  return found
}

test.describe('recorded streams', { tag: ['@long', '@one-engine'] }, () => {
  test.skip(
    protocols.some(({ answers }) => answers.length === 0),
    missingCorpus('streams', protocols.length),
  )
  test.setTimeout(600_000)

  for (const { provider, endpoint: path, answers } of protocols) {
    test(`any pieces give the same answer, and a cut gives no call, with the provider ${provider}`, async ({
      page,
      dist,
    }) => {
      let reply: Reply = { status: 500 }
      const endpoint = await startEndpoint(() => reply)
      const settings = { provider, endpoint: path, model: 'test-model' }
      const site = await openProviderPage(page, { dist, origin: new URL(endpoint.url).origin, settings })
      await page.evaluate(() => {
        Object.assign(document.querySelector('tool-agent')!, { limits: { steps: 1, modelRetries: 0 } })
      })
      const answer = () =>
        page.evaluate(async () => {
          const { agent } = document.querySelector('tool-agent') as unknown as { agent: Agent }
          await agent.sessions.create()
          const error = await agent.send('Hi').then(
            () => undefined,
            (thrown: { code: string }) => thrown.code,
          )
          const message = agent.messages.find(({ role }) => role === 'assistant')
          const parts = message?.role === 'assistant' ? message.parts : []
          const textOf = (type: 'text' | 'reasoning') =>
            parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
          const usage = message?.role === 'assistant' ? message.usage : undefined
          return {
            text: textOf('text'),
            reasoning: textOf('reasoning'),
            calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.call.name, part.call.input]] : [])),
            usage: [usage?.inputTokens, usage?.outputTokens],
            error,
            host: agent.host,
          }
        })
      const streams = answers.filter(({ stream, wanted }) => stream && wanted)
      let pieces = 0
      let ends = 0
      try {
        for (const [index, { name, wanted, body }] of streams.entries()) {
          const { text, reasoning, calls } = wanted!
          // An answer with calls of other tools only has no message.
          const usage = text || reasoning || calls.length > 0 ? wanted!.usage : undefined
          for (let round = 0; round < rounds; round++) {
            const chunks = inChunks(body(index + round * 5), index * rounds + round)
            pieces += chunks.length
            reply = { raw: chunks }
            expect(await answer(), `${name}, round ${round}`).toEqual({
              text,
              reasoning,
              calls,
              usage: [usage?.inputTokens?.total, usage?.outputTokens?.total],
              error: undefined,
              host: 'worker',
            })
          }
          const bytes = body(index)
          // The calls are known with the last events. Some servers send the finish long before the end of the bytes.
          for (let place = 1; place <= cuts; place++, ends++) {
            const end = Math.floor((bytes.length * 0.8 * place) / (cuts + 1))
            reply = { raw: inChunks(bytes.slice(0, end), place) }
            const cut = await answer()
            expect(cut, `${name}, cut after ${end} bytes`).toMatchObject({ calls: [], error: 'stream-cut' })
            expect(text.startsWith(cut.text), name).toBe(true)
          }
        }
        console.log(
          `${provider}: ${streams.length} streams, each read ${rounds} times in other pieces (${pieces} in total), ` +
            `and cut at ${ends} places`,
        )
      } finally {
        await site.close()
        await endpoint.stop()
      }
    })
  }
})
