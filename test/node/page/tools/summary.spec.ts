// The sentence of a tool about an ended call: stored with the result, never sent to the model, and harmless if it fails.
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { actTools } from '../../../../src/page-tools/act/act-tools.js'
import { fillTools, readTools } from '../../../../src/page-tools/definitions/tool-lists.js'
import type { EndedCall } from '../../../../src/page/tools/tool.js'
import { expect, test } from '../../../support/lab/lab.js'

const calls = (...names: string[]) => ({ calls: names.map((name) => ({ name, arguments: { text: 'pot' } })) })
const schema = { type: 'object', properties: { text: { type: 'string' } } } as const

test('is stored with the result, and the model does not get it', async ({ lab }) => {
  const { agent, endpoint, stored } = await lab.start([calls('find', 'broken', 'plain'), { text: 'ok' }])
  const seen: unknown[] = []
  agent.registerTool([
    {
      name: 'find',
      description: 'Finds products by their name',
      inputSchema: schema,
      execute: () => [1, 2, 3],
      summary: (call: EndedCall<object, number[]>) => {
        seen.push(call)
        return `Found\n ${call.output?.length ?? 0} products \u202e${'!'.repeat(300)}`
      },
    },
    {
      name: 'broken',
      description: 'Throws an error each time',
      inputSchema: schema,
      execute: () => {
        throw new Error('no')
      },
      summary: ({ state, output }) => `It ${state} ${typeof output}`,
    },
    { name: 'plain', description: 'Has no summary at all', inputSchema: schema, execute: () => 1 },
  ])
  await agent.send('Go')
  const summaries = toolCallsOf((await stored())?.messages[1]).map((part) => part.result?.summary)
  expect(summaries[0]).toMatch(/^Found 3 products !+$/)
  expect(summaries[0]).toHaveLength(200)
  expect(summaries.slice(1)).toEqual(['It failed undefined', undefined])
  expect(seen).toMatchObject([{ input: { text: 'pot' }, output: [1, 2, 3], state: 'done' }])
  expect(JSON.stringify(endpoint.requests[1])).not.toContain('Found 3')
})

test('may say what was changed, from what to what, as plain text of one line each', async ({ lab }) => {
  const { agent, endpoint, stored } = await lab.start([calls('size', 'clear', 'same', 'odd'), { text: 'ok' }])
  const reported: string[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') reported.push(notice.error.message)
  })
  const tool = (name: string, told: unknown) => ({
    name,
    description: 'Changes a value of the order',
    inputSchema: schema,
    execute: () => 1,
    summary: () => told as never,
  })
  agent.registerTool([
    tool('size', { text: 'Changed\nthe size', before: 'M \u202e', after: 'L'.repeat(300) }),
    tool('clear', { before: 'Gift', after: '' }),
    tool('same', { text: 'Kept it', before: 'M', after: 'M' }),
    tool('odd', { text: 'Counted', before: 1, after: 2 }),
  ])
  await agent.send('Go')
  const results = toolCallsOf((await stored())?.messages[1]).map(({ result }) => result)
  expect(results.map((result) => result?.summary)).toEqual(['Changed the size', undefined, 'Kept it', undefined])
  expect(results.map((result) => result?.change)).toEqual([
    { before: 'M', after: 'L'.repeat(200) },
    { before: 'Gift' },
    undefined,
    undefined,
  ])
  expect(reported).toEqual(['Tool "odd": its summary failed: before: expected a string, received number'])
  expect(JSON.stringify(endpoint.requests[1])).not.toContain('Changed the size')
})

test('an error in it, or anything but a string, is reported and changes nothing else', async ({ lab }) => {
  const { agent, stored } = await lab.start([calls('throws', 'counts', 'late'), { text: 'ok' }])
  const reported: string[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') reported.push(notice.error.message)
  })
  agent.registerTool([
    {
      name: 'throws',
      description: 'Its summary throws an error',
      inputSchema: schema,
      execute: () => 1,
      summary: () => {
        throw new Error('oops')
      },
    },
    {
      name: 'counts',
      description: 'Its summary is a number',
      inputSchema: schema,
      execute: () => 2,
      summary: (() => 7) as never,
    },
    {
      name: 'late',
      description: 'Its summary is a promise',
      inputSchema: schema,
      execute: () => 3,
      summary: async () => 'Counted',
    },
  ])
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions.map(({ output }) => output)).toEqual([1, 2, 3])
  expect(toolCallsOf((await stored())?.messages[1]).map((part) => part.result?.summary)).toEqual([
    undefined,
    undefined,
    'Counted',
  ])
  expect(reported).toEqual([
    'Tool "throws": its summary failed: oops',
    'Tool "counts": its summary failed: expected a string, received number',
  ])
})

test('a promise that never settles does not hold the call', async ({ lab }) => {
  const { agent, stored } = await lab.start([calls('slow'), { text: 'ok' }])
  const reported: string[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') reported.push(notice.error.message)
  })
  agent.registerTool({
    name: 'slow',
    description: 'Its summary never settles',
    inputSchema: schema,
    execute: () => 4,
    summary: () => new Promise<string>(() => undefined),
  })
  const { text, toolExecutions } = await agent.send('Go')
  expect([text, toolExecutions[0]?.output]).toEqual(['ok', 4])
  expect(toolCallsOf((await stored())?.messages[1])[0]?.result?.summary).toBeUndefined()
  expect(reported).toEqual([expect.stringMatching(/^Tool "slow": its summary failed: .*(timeout|timed out)/)])
})

test('must be a function', async ({ lab }) => {
  const { agent } = await lab.start([])
  expect(() => agent.registerTool({ name: 'x', description: 'Does something', summary: 'Done' as never })).toThrow(
    'Tool "x": summary: expected a function, received "Done"',
  )
})

test('the page tools have one, in the language of the page', async () => {
  const say = async (name: string, output: unknown, locale: string) =>
    [...readTools(), ...fillTools()]
      .find((tool) => tool.name === name)
      ?.summary?.({ input: {}, output, locale, state: 'done' })
  const fill = (...ok: boolean[]) => ok.map((one) => ({ ok: one }))
  expect([
    await say('page_read', 'text', 'en'),
    await say('page_read', 'text', 'de-AT'),
    await say('form_fill', fill(true, true, false), 'en-GB'),
    await say('form_fill', fill(true, true), 'en'),
    await say('form_fill', fill(true), 'en'),
    await say('form_fill', fill(true, true, false), 'de'),
    await say('dom_query', { count: 3 }, 'en'),
    await say('dom_query', { count: 0 }, 'fr'),
    await say('form_undo', fill(true), 'de'),
    await say('page_wait', { met: false }, 'en'),
    await say('form_fill', fill(true, true, false), 'fr-CA'),
    await say('page_read', 'text', 'ja'),
    await say('page_read', 'text', 'zh-CN'),
    await say('page_read', 'text', 'zh-TW'),
    await say('page_read', 'text', 'zh-Hant-HK'),
    await say('dom_query', { count: 2 }, 'ar'),
    await say('page_read', 'text', 'fi'),
  ]).toEqual([
    'Read the page',
    'Die Seite gelesen',
    'Filled 2 of 3 fields',
    'Filled 2 fields',
    'Filled 1 field',
    '2 von 3 Feldern ausgefüllt',
    'Found 3 places',
    'Rien trouvé sur la page',
    '1 Feld zurückgesetzt',
    'Waited for the page in vain',
    'Rempli : 2 sur 3 champs',
    'ページを読みました',
    '已读取页面',
    'Read the page',
    'Read the page',
    'عدد المواضع التي عُثر عليها: 2',
    'Read the page',
  ])
})

test('the page tools have the same texts in every language', async () => {
  const output = { count: 3, met: true, name: '⟨name⟩', submitted: true }
  const fields = [{ ok: true }, { ok: false }]
  const tools = [...readTools(), ...fillTools(), ...actTools()].filter(({ summary }) => summary)
  const english = new Set<unknown>()
  for (const locale of ['en', 'ar', 'de', 'es', 'fr', 'ja', 'zh']) {
    for (const { name, summary } of tools) {
      for (const one of name.startsWith('form_') && name !== 'form_submit' ? [fields] : [output, { count: 0 }]) {
        const text = await summary?.({ input: {}, output: one, locale, state: 'done' })
        const label = `${locale} ${name}`
        expect(text, label).toMatch(/\S/)
        expect(text, label).not.toMatch(/undefined|NaN|\[object/)
        if (locale === 'en') english.add(text)
        else expect(english.has(text), `${label}: ${String(text)}`).toBe(false)
        if (name === 'page_click' && one === output) expect(text, label).toContain('⟨name⟩')
      }
    }
  }
})
