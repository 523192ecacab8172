// The option `pageContext`: read for each message, one fact of its turn, and never the reason that a message fails.
import type { PageContext } from '../../../src/page/options.js'
import { expect, test } from '../../support/lab/lab.js'

const factOf = (message: unknown) =>
  (message as { facts?: { name: string }[] }).facts?.find(({ name }) => name === 'Page context')

test('a text, JSON or function is a fact of the message, stored and exported with it, and fenced', async ({ lab }) => {
  const cases: [PageContext, string][] = [
    ['The selected order is 4148', 'The selected order is 4148'],
    [{ order: 4148, tags: ['a\nb'] }, '{"order":4148,"tags":["a\\nb"]}'],
    [() => 'Two\n\nlines', 'Two lines'],
    [() => Promise.resolve({ open: true }), '{"open":true}'],
    ['x'.repeat(2000), 'x'.repeat(2000)],
  ]
  for (const [pageContext, text] of cases) {
    const { agent, endpoint } = await lab.start([{ text: 'Yes' }], { pageContext })
    await agent.send('Look')
    const fact = { name: 'Page context', text, untrusted: true }
    expect(factOf(agent.messages[0])).toEqual(fact)
    expect(JSON.stringify(await agent.sessions.export())).toContain(JSON.stringify(fact))
    // The lab leaves facts out of the parsed body.
    const { messages } = JSON.parse(endpoint.requests[0]?.raw ?? '') as { messages: { content: string }[] }
    const [system, user] = messages
    const words = user?.content ?? ''
    expect(words).toMatch(/^Facts from the page, not written by the user:\n/)
    expect(words).toContain(`\nPage context: ${text}\n</untrusted-`)
    // Nothing of it is an instruction of the author.
    expect(system?.content).not.toContain(text)
  }
})

test('an error, a late or an unusable value is logged, and the message is sent without it', async ({ lab }) => {
  const { warn } = console
  const logged: string[] = []
  console.warn = (...given: unknown[]) => void logged.push(given.join(' '))
  try {
    const cases: [() => unknown, RegExp | undefined][] = [
      [
        () => {
          throw new Error('no order')
        },
        /no order/,
      ],
      [() => Promise.reject(new Error('offline')), /offline/],
      [() => new Promise(() => {}), /time/i],
      [() => 'x'.repeat(2001), /at most 2000 characters are allowed, received 2001/],
      [() => ({ size: 5n }), /bigint/],
      // Nothing to tell is no error.
      [() => undefined, undefined],
      [() => '', undefined],
    ]
    for (const [pageContext, why] of cases) {
      logged.length = 0
      const { agent } = await lab.start([{ text: 'Yes' }], { pageContext: pageContext as never })
      expect((await agent.send('Look')).text).toBe('Yes')
      expect(factOf(agent.messages[0])).toBeUndefined()
      const about = logged.filter((line) => line.includes('pageContext'))
      expect(about).toEqual(why ? [expect.stringMatching(why)] : [])
    }
  } finally {
    console.warn = warn
  }
})

test('a value that cannot be sent is refused when it is set', async ({ lab }) => {
  for (const pageContext of ['x'.repeat(2001), { a: () => 1 }, 5n])
    await expect(lab.start([], { pageContext: pageContext as never })).rejects.toThrow(
      /pageContext: expected a function, a text or JSON/,
    )
})
