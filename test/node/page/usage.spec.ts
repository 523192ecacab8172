// `agent.usage`: the tokens of all model calls of a session.
import { isShownSession } from '../../../src/host/tabs/shown-records.js'
import { emptySession } from '../../../src/core/data/session.js'
import { parseHead } from '../../../src/host/store/records.js'
import { expect, test } from '../../support/lab/lab.js'

const counted = (prompt: number, cached?: number) => ({
  prompt_tokens: prompt,
  completion_tokens: 1,
  ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
})

test('counts replaced answers, and stays after a reload', async ({ lab }) => {
  const first = await lab.start(
    [
      { text: 'one', usage: counted(10) },
      { text: 'other', usage: counted(20, 8) },
    ],
    { sessionId: 'same' },
  )
  expect(first.agent.usage).toEqual({})
  await first.agent.send('Hi')
  expect(first.agent.usage).toEqual({ inputTokens: 10, outputTokens: 1, totalTokens: 11 })
  await first.agent.regenerate()
  const usage = { inputTokens: 30, cachedInputTokens: 8, outputTokens: 2, totalTokens: 32 }
  expect(first.agent.usage).toEqual(usage)
  await first.agent.close()

  const second = await lab.start([{ text: 'two', usage: counted(5) }], { sessionId: 'same', store: first.store })
  await second.agent.connect()
  expect(second.agent.usage).toEqual(usage)
  await second.agent.send('Go on')
  expect(second.agent.usage).toMatchObject({ inputTokens: 35, cachedInputTokens: 8 })
})

test('counts the calls that write summaries', async ({ lab }) => {
  let answers = 0
  const { agent } = await lab.start(
    (body) => {
      if (JSON.stringify(body).includes('Summarize this conversation')) return { text: 'Notes.', usage: counted(1_000) }
      answers++
      return { text: `${answers} ${'word '.repeat(400)}`, usage: counted(1_900) }
    },
    { contextWindow: { tokens: 2_000 } },
  )
  for (const text of ['One', 'Two', 'Three', 'Four']) await agent.send(text)
  const summaries = agent.messages.filter(({ role }) => role === 'summary').length
  expect(summaries).toBeGreaterThan(0)
  expect(agent.usage.inputTokens).toBe(4 * 1_900 + summaries * 1_000)
})

test('a damaged count is not read, and not shown by another tab', () => {
  const head = { ...emptySession('id', '', 0), length: 0 }
  expect(parseHead({ ...head, usage: { inputTokens: 5 } })?.usage).toEqual({ inputTokens: 5 })
  for (const usage of [null, 5, 'much', { inputTokens: 'much' }, { inputTokens: Number.NaN }]) {
    expect(parseHead({ ...head, usage })).not.toHaveProperty('usage')
    expect(isShownSession({ ...head, usage }, 'id'), JSON.stringify(usage)).toBe(false)
  }
})
