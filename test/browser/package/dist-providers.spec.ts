// Each protocol in the built package, through the worker, against a server of all four protocols that others wrote: a
// turn of several steps with parallel tools and reasoning, errors, a stop, a reload in the middle of a turn, and another
// protocol in between. What this server cannot script is in `dist-openai-responses.spec.ts` (it ignores the items of
// reasoning that come back) and in the specs of the adapters in `test/node/host/models` (thought signatures of Gemini,
// errors inside of a stream).
import { LLMock, type ChatCompletionRequest, type FixtureMatch } from '@copilotkit/aimock'
import { expect, test } from '../../support/project/dist.js'
import { expectShown, openProviderPage, type ProviderSettings } from '../../support/recordings/provider-page.js'

const all: readonly (ProviderSettings & { readonly path: RegExp; readonly own?: RegExp })[] = [
  { provider: 'openai', endpoint: '/v1', model: 'kimi-k2-thinking', path: /^\/v1\/chat\/completions$/ },
  {
    provider: 'openai-responses',
    endpoint: '/v1',
    model: 'gpt-5-test',
    path: /^\/v1\/responses$/,
    own: /"encrypted_content":"[^"]+"/g,
  },
  {
    provider: 'anthropic',
    endpoint: '/v1',
    model: 'claude-opus-4-5',
    path: /^\/v1\/messages$/,
    own: /"(?:signature|data)":"[^"]+"/g,
  },
  { provider: 'google', endpoint: '/v1beta', model: 'gemini-3-test', path: /^\/v1beta\/models\/gemini-3-test:stream/ },
]

const story = 'Once upon a time there was a teapot that could sing, and it sang all day. '.repeat(6)
const cut = 'This answer is never shown to its end. '.repeat(9)

/** Matches a request after this message and so many results of the same turn. */
const after = (userMessage: string, results: number): FixtureMatch => ({
  userMessage,
  predicate: ({ messages }: ChatCompletionRequest) => {
    const from = messages.map(({ role }) => role).lastIndexOf('user')
    return messages.slice(from).filter(({ role }) => role === 'tool').length === results
  },
})
const call = (name: string, query: string) => ({ name, arguments: JSON.stringify({ query }) })

/** The server with its answers. */
async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true, chunkSize: 7 })
  const busy = { error: { message: 'Too many requests', type: 'rate_limit_error' }, status: 429, retryAfter: 0 }
  mock.on({ ...after('my teapot', 0), sequenceIndex: 0 }, busy)
  mock.on(after('my teapot', 0), {
    content: 'I look both up.',
    toolCalls: [call('find_order', 'teapot'), call('find_guest', 'Ada')],
    reasoning: 'Two things at once.',
    reasoningSignature: 'sig-4711',
    redactedThinking: ['secret-4712'],
  })
  mock.on(after('my teapot', 2), {
    toolCalls: [call('find_order', 'cups')],
    reasoning: 'One more.',
    reasoningSignature: 'sig-4713',
  })
  mock.on(after('my teapot', 3), { content: 'All **found**.' })
  mock.on(after('long story', 0), { content: story }, { streamingProfile: { ttft: 0, tps: 20 } })
  // Later than the story: two protocols send the message without an answer and the next one as one message.
  mock.on(after('wrong key', 0), {
    error: { message: 'This key is not valid', type: 'authentication_error' },
    status: 401,
  })
  mock.on(after('Grace', 0), {
    toolCalls: [call('find_guest', 'Grace')],
    reasoning: 'I look for Grace.',
    reasoningSignature: 'sig-4714',
  })
  mock.on({ ...after('Grace', 1), sequenceIndex: 0 }, { content: cut }, { streamingProfile: { ttft: 0, tps: 20 } })
  mock.on(after('Grace', 1), { content: 'Grace is **here**.' })
  mock.on(after('other model', 0), { content: 'Hello from the other one.' })
  mock.on(after('And now', 0), { content: 'Back again.' })
  await mock.start()
  return mock
}

for (const [index, settings] of all.entries()) {
  const { provider, own = /(?!)/g } = settings
  const next = all[(index + 1) % all.length]!
  const tag = ['anthropic', 'google'].includes(provider) ? ['@one-engine'] : ['@long', '@one-engine']

  test(
    `steps, errors, a stop, a reload and another protocol with the provider ${provider}`,
    { tag },
    async ({ page, dist }) => {
      const mock = await startMock()
      const site = await openProviderPage(page, { dist, origin: mock.url, settings })
      /** What the protocol alone understands in the newest request. */
      const ownOfLast = () => [...(site.bodies.at(-1) ?? '').matchAll(own)].map(([found]) => found)
      /** Reasoning is in details that are closed. */
      const inDetails = (text: string) => page.locator('tool-agent').getByText(text).first()
      try {
        expect(await site.send('Find my teapot and Ada')).toEqual(['All **found**.', 'stop'])
        expect(await site.ran()).toEqual(['find_order teapot', 'find_guest Ada', 'find_order cups'])
        expect(site.requests).toContain(`/tool-agent/models/${provider}.js`)
        expect(site.requests).not.toContain(`/tool-agent/models/${next.provider}.js`)
        // One request was refused and sent again.
        expect(site.bodies).toHaveLength(4)
        expect(site.bodies[1]).toBe(site.bodies[0])
        await expect(inDetails('Two things at once.')).toBeAttached()
        const kept = ownOfLast()
        expect(kept.length).toBe(settings.own ? new Set(kept).size : 0)
        if (settings.own) expect(kept.length).toBeGreaterThan(1)
        if (provider === 'openai') expect(site.bodies[3]).toContain('"reasoning_content":"One more."')

        // What the server says is for the developer of the page.
        const told = page.waitForEvent('console', (message) => message.text().includes('This key is not valid'))
        expect(await site.send('Try the wrong key')).toEqual(['unauthorized'])
        expect((await told).type()).toBe('error')
        await expect(page.locator('tool-agent').getByRole('alert')).toContainText('not available right now')
        await expect(inDetails('This key is not valid')).not.toBeAttached()

        const stopped = site.send('Tell me a long story')
        await expectShown(page, 'Once upon a time')
        await page.evaluate(() => (document.querySelector('tool-agent') as unknown as { stop(): void }).stop())
        const [said, reason] = await stopped
        expect(reason).toBe('stopped')
        expect(said?.length).toBeGreaterThan(10)
        expect(story.startsWith(said!)).toBe(true)

        // The reload comes after the call, while the next answer is streaming.
        void site.send('Find Grace').catch(() => undefined)
        await expectShown(page, 'This answer is never')
        await page.reload()
        await site.ready()
        await expectShown(page, 'Grace is here.')
        expect((await site.ran()).filter((one) => one === 'find_guest Grace')).toHaveLength(1)
        expect(ownOfLast()).toEqual(expect.arrayContaining(kept))
        const before = ownOfLast()

        await site.use(next)
        expect(await site.send('Greet me with the other model')).toEqual(['Hello from the other one.', 'stop'])
        expect(site.requests.filter((path) => path.startsWith('/v1')).at(-1)).toMatch(next.path)
        for (const foreign of ['sig-47', 'secret-4712', 'Two things at once', ...before])
          expect(site.bodies.at(-1)).not.toContain(foreign)

        await site.use(settings)
        expect(await site.send('And now?')).toEqual(['Back again.', 'stop'])
        expect(site.requests.filter((path) => path.startsWith('/v1')).at(-1)).toMatch(settings.path)
        // The server may have attached something to the answer after the reload, too.
        expect(ownOfLast().slice(0, before.length)).toEqual(before)
      } finally {
        await site.close()
        await mock.stop()
      }
    },
  )
}
