// Results of several megabytes: stored whole beside their message, read in pieces, and never part of the session that
// the host, the page and other tabs keep in memory.
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { toolCallsOf } from '../../../src/core/data/message.js'
import type { JsonObject } from '../../../src/core/data/json.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import type { Reply } from '../../support/lab/endpoint.js'
import { expect, test } from '../../support/lab/lab.js'
import { resultsOf, toolNames } from '../../support/lab/requests.js'

/** About 5 MB of JSON. */
const rows = Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(75) }))
const rowsText = JSON.stringify(rows)
const dump: Reply = { calls: [{ id: 'd', name: 'dump', arguments: {} }] }
const readOn = (offset: number): Reply => ({
  calls: [{ id: 'r', name: 'read_result', arguments: { call_id: 'd', offset, limit: 60 } }],
})
const tool = (execute: () => unknown, more: object = {}) => ({
  name: 'dump',
  description: 'Gives all rows that there are, for reading',
  execute,
  ...more,
})

test('is stored whole, and read like any long result', { tag: ['@C86', '@R2.8'] }, async ({ lab }) => {
  const { agent, endpoint, stored } = await lab.start([dump, readOn(3_000_000), { text: 'ok' }])
  let runs = 0
  agent.registerTool(tool(() => (runs++, rows)))
  const { toolExecutions } = await agent.send('Go')
  expect(runs).toBe(1)
  expect(toolExecutions[0]?.output).toEqual(rows)
  expect(toolExecutions[0]).not.toHaveProperty('error')
  expect(resultsOf(endpoint.requests[1])[0]?.length).toBeLessThanOrEqual(50_000)
  expect(resultsOf(endpoint.requests[2])[1]).toContain(
    `Characters 3000000 to 3000060 of ${rowsText.length}:\n${rowsText.slice(3_000_000, 3_000_060)}`,
  )
  expect(await agent.resultText('d')).toBe(rowsText)
  expect(JSON.stringify(await stored()).length).toBeLessThan(150_000)
  expect(JSON.stringify(agent.session).length).toBeLessThan(150_000)
})

test('is not sent to the page again', { tag: '@R2.8' }, async ({ lab }) => {
  const { agent } = await lab.start([dump, { text: 'ok' }])
  agent.registerTool(tool(() => rows, { toModelOutput: () => rowsText }))
  await agent.send('Go')
  const trace = JSON.stringify(await agent.exportTrace())
  expect(trace).toContain('"tool-result"')
  expect(trace.length).toBeLessThan(600_000)
})

test('is read in pieces, also if the page sets no limit for results', { tag: '@R2.8' }, async ({ lab }) => {
  const read: Reply = { calls: [{ id: 'r', name: 'read_result', arguments: { call_id: 'd', limit: 9_000_000 } }] }
  const { agent, endpoint } = await lab.start([dump, read, { text: 'ok' }], { limits: { resultChars: 50_000_000 } })
  agent.registerTool(tool(() => rowsText))
  await agent.send('Go')
  const [whole, piece] = resultsOf(endpoint.requests[2])
  expect(whole?.length).toBeLessThanOrEqual(1_048_576)
  expect(piece?.length).toBeLessThanOrEqual(600_000)
  expect(JSON.stringify(agent.session).length).toBeLessThan(4_000_000)
})

test.describe('with another text for the model', () => {
  for (const [title, content] of [
    ['text', 'All 50,000 rows are on the screen'],
    ['content', { type: 'content', value: [{ type: 'text', text: 'All 50,000 rows are on the screen' }] }],
  ] as const) {
    test(`keeps the output, which the model cannot read: ${title}`, { tag: '@R2.8' }, async ({ lab }) => {
      const { agent, endpoint, stored } = await lab.start([dump, readOn(0), { text: 'ok' }])
      agent.registerTool(tool(() => rows, { toModelOutput: () => content }))
      const { toolExecutions } = await agent.send('Go')
      expect(toolExecutions[0]?.output).toEqual(rows)
      expect(toolNames(endpoint.requests[1])).not.toContain('read_result')
      expect(resultsOf(endpoint.requests[2])[0]).toContain('All 50,000 rows')
      expect(resultsOf(endpoint.requests[2])[1]).toMatch(/^Error/)
      expect(await agent.resultText('d')).toBe(rowsText)
      const [part] = agent.messages.flatMap(toolCallsOf)
      expect(part?.result).toMatchObject({ output: rowsText.slice(0, 50_000), outputChars: rowsText.length })
      expect(JSON.stringify(await stored()).length).toBeLessThan(150_000)
    })
  }

  test('keeps both if that text is long, too', { tag: '@R2.8' }, async ({ lab }) => {
    const said = 'A line for the model. '.repeat(5_000)
    const { agent, endpoint } = await lab.start([dump, readOn(100_000), { text: 'ok' }])
    agent.registerTool(tool(() => rows, { toModelOutput: () => said }))
    await agent.send('Go')
    expect(resultsOf(endpoint.requests[2])[1]).toContain(said.slice(100_000, 100_060))
    expect(await agent.resultText('d')).toBe(rowsText)
  })
})

test('over 16 MB is an error that says that the tool has run', { tag: ['@C86', '@R2.8'] }, async ({ lab }) => {
  const { agent, endpoint, stored } = await lab.start([
    {
      calls: [
        { id: 'd', name: 'dump', arguments: {} },
        { id: 'e', name: 'look', arguments: {} },
      ],
    },
    { text: 'ok' },
  ])
  const huge = () => Array.from({ length: 170_000 }, () => 'x'.repeat(100))
  agent.registerTool([tool(huge), tool(huge, { name: 'look', annotations: { readOnlyHint: true } })])
  await agent.send('Go')
  const [changing, reading] = resultsOf(endpoint.requests[1])
  const tooLong = 'Error (not-serializable): The result is more than 16 MB of JSON. Ask for less: fewer rows or fields.'
  expect(changing).toBe(`${tooLong} The tool has run: do not repeat it only to get its result.`)
  expect(reading).toBe(`${tooLong} The tool has run.`)
  expect(JSON.stringify(await stored()).length).toBeLessThan(10_000)
})

test('survives a file: export, deletion and import', { tag: ['@R9.3', '@R2.8'] }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    {
      calls: [
        { id: 'd', name: 'dump', arguments: {} },
        { id: 's', name: 'shown', arguments: {} },
      ],
    },
    { text: 'ok' },
    readOn(4_000_000),
    { text: 'read' },
  ])
  agent.registerTool([tool(() => rows), tool(() => rows, { name: 'shown', toModelOutput: () => 'Shown' })])
  await agent.send('Go')
  const before = agent.session!
  const file = JSON.parse(JSON.stringify(await agent.sessions.export())) as JsonObject
  await agent.sessions.delete(before.id)
  await agent.sessions.open(await agent.sessions.import(file))
  expect(agent.messages).toEqual(before.messages)
  expect(await agent.resultText('d')).toBe(rowsText)
  expect(await agent.resultText('s')).toBe(rowsText)
  await agent.send('And then?')
  expect(resultsOf(endpoint.requests[3]).at(-1)).toContain(rowsText.slice(4_000_000, 4_000_060))
  for (const outputs of [[], { s: 5 }])
    await expect(agent.sessions.import({ ...file, outputs })).rejects.toMatchObject({ code: 'invalid-option' })
})

for (const [title, name, storage] of [
  ['when the disk is full', 'QuotaExceededError', 'memory'],
  ['and back after a lost connection', 'AbortError', 'indexeddb'],
] as const) {
  test(`moves to memory ${title}, and is read there`, { tag: ['@F28', '@F34', '@F43'] }, async ({ lab }) => {
    console.error = () => undefined
    const disk = memoryStore()
    let hasFailed = false
    const { agent, endpoint } = await lab.start(
      [
        {
          calls: [
            { id: 'd', name: 'dump', arguments: {} },
            { id: 's', name: 'shown', arguments: {} },
          ],
        },
        readOn(4_000_000),
        { text: 'ok' },
      ],
      {
        store: {
          ...disk,
          kind: 'indexeddb',
          commit: async (id, epoch, change) => {
            // The other result was stored before.
            const isLost = change.result?.callId === 's' && !hasFailed
            hasFailed ||= isLost
            if (isLost) throw new ToolAgentError('storage', 'Not written', { details: { name } })
            return disk.commit(id, epoch, change)
          },
        },
      },
    )
    agent.registerTool([tool(() => rows), tool(() => rows, { name: 'shown', toModelOutput: () => 'Shown' })])
    await agent.send('Go')
    expect(agent.storage).toBe(storage)
    expect(resultsOf(endpoint.requests[2]).at(-1)).toContain(rowsText.slice(4_000_000, 4_000_060))
    expect(await agent.resultText('d')).toBe(rowsText)
    expect(await agent.resultText('s')).toBe(rowsText)
    if (storage === 'indexeddb') expect((await disk.result(agent.session!.id, 's'))?.output).toBe(rowsText)
  })
}

test('an agent whose tool ends its turn returns all of the output', { tag: '@R2.10' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    { calls: [{ id: 'a', name: 'helper', arguments: { task: 'Go' } }] },
    dump,
  ])
  agent.registerTool(
    agentTool({
      name: 'helper',
      description: 'Gives all rows that there are, for reading',
      instructions: 'You look.',
      returnDirect: true,
      tools: [tool(() => rows, { returnDirect: true, toModelOutput: () => 'Shown' })],
    }),
  )
  const { outputs } = await agent.send('Go')
  expect(outputs).toEqual([rowsText])
  expect(endpoint.requests).toHaveLength(2)
})
