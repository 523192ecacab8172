// A whole agent with the provider `ag-ui` against an agent of Mastra, whose model is scripted and whose bridge to AG-UI
// is the published one.
import type { JsonObject } from '../../../../../src/core/data/json.js'
import type { Agent } from '../../../../../src/page/agent.js'
import { expect, test as base, type Bench, type Lab } from '../../../../support/lab/lab.js'
import {
  calls,
  nodeForMastra,
  says,
  startMastra,
  type Mastra,
  type MastraAnswer,
} from '../../../../support/lab/mastra.js'

type Start = (
  answers: readonly MastraAnswer[],
  more?: Parameters<Lab['start']>[1],
) => Promise<Bench & { readonly mastra: Mastra; readonly teas: JsonObject[] }>

const test = base.extend<{ start: Start }>({
  start: async ({ lab }, use) => {
    const node = nodeForMastra()
    test.skip(node === undefined, 'no Node 22 for this system')
    const started: Mastra[] = []
    await use(async (answers, more) => {
      const mastra = await startMastra(node ?? '', answers)
      started.push(mastra)
      const bench = await lab.start([], { provider: 'ag-ui', todo: false, endpoint: mastra.url, ...more })
      return { ...bench, mastra, teas: withTea(bench.agent) }
    })
    await Promise.all(started.map((mastra) => mastra.close()))
  },
})

/** A tool of the page that counts its runs. */
function withTea(agent: Agent): JsonObject[] {
  const runs: JsonObject[] = []
  agent.registerTool({
    name: 'find_tea',
    description: 'Finds tea by its name',
    inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    execute: (input: JsonObject) => {
      runs.push(input)
      return `${String(input['q'])} tea`
    },
  })
  return runs
}

test.describe('an agent of Mastra', { tag: '@long' }, () => {
  // Starting one takes seconds, and the packages are installed at first.
  test.setTimeout(300_000)

  test('answers, and its counts of tokens are read', async ({ start }) => {
    const { agent, mastra } = await start([[...says('Good '), ...says('day.')]])
    expect(await agent.send('Hello')).toMatchObject({
      reason: 'stop',
      text: 'Good day.',
      steps: 1,
      usage: { inputTokens: 3, outputTokens: 2 },
    })
    const { runs } = await mastra.seen()
    expect(runs).toHaveLength(1)
    expect(runs[0]?.tools.map(({ name }) => name)).toEqual(['find_tea'])
  })

  test('calls a tool of the page, whose result its model reads', async ({ start }) => {
    const { agent, mastra, teas } = await start([
      [...says('I look.'), ...calls('c1', 'find_tea', { q: 'green' })],
      says('Green tea.'),
    ])
    expect(await agent.send('Find tea')).toMatchObject({ reason: 'stop', text: 'Green tea.', steps: 2 })
    expect(teas).toEqual([{ q: 'green' }])
    const { runs, prompts } = await mastra.seen()
    expect(runs).toHaveLength(2)
    expect(JSON.stringify(prompts[1])).toContain('green tea')
  })

  test('runs a tool of its own, which is a finished call here that nobody is asked about', async ({ start }) => {
    const { agent, mastra, teas, events } = await start(
      [calls('s1', 'stock', { name: 'green' }), says('Three are left.'), says('Yes.')],
      { approval: 'always' },
    )
    expect(await agent.send('How many?')).toMatchObject({ reason: 'stop', text: 'Three are left.', steps: 1 })
    expect(teas).toEqual([])
    expect(events.filter(({ type }) => type === 'approval-request' || type === 'tool-start')).toEqual([])
    expect(agent.messages[1]).toMatchObject({
      parts: [
        { call: { id: 's1', name: 'stock' }, result: { elsewhere: true, output: { name: 'green', left: 3 } } },
        { text: 'Three are left.' },
      ],
    })
    await agent.send('Sure?')
    const { stock, prompts } = await mastra.seen()
    expect(stock).toEqual(['green'])
    expect(JSON.stringify(prompts.at(-1))).toContain('Three are left.')
  })

  test('runs its own tool and one of the page in one run, each once', async ({ start }) => {
    const { agent, mastra, teas } = await start([
      calls('s1', 'stock', { name: 'green' }),
      [...says('I look.'), ...calls('c1', 'find_tea', { q: 'green' })],
      says('Green tea, three are left.'),
    ])
    expect(await agent.send('Find tea')).toMatchObject({ reason: 'stop', text: 'Green tea, three are left.', steps: 2 })
    expect(teas).toEqual([{ q: 'green' }])
    const { stock, runs } = await mastra.seen()
    expect(stock).toEqual(['green'])
    expect(runs).toHaveLength(2)
  })

  test('is told what the visitor has not allowed', async ({ start }) => {
    const { agent, mastra, teas } = await start([calls('c1', 'find_tea', { q: 'green' }), says('Then not.')], {
      approval: 'always',
    })
    agent.subscribe((event) => {
      if (event.type === 'approval-request') void agent.deny(event.callId)
    })
    expect(await agent.send('Find tea')).toMatchObject({ reason: 'stop', text: 'Then not.' })
    expect(teas).toEqual([])
    const { prompts } = await mastra.seen()
    expect(JSON.stringify(prompts[1])).toContain('denied')
  })

  test('fails once, and is not started again', async ({ start }) => {
    const { agent, mastra } = await start([[{ type: 'error', error: 'out of tea' }]], { limits: { modelRetries: 3 } })
    await expect(agent.send('Find tea')).rejects.toMatchObject({ name: 'ToolAgentError' })
    const { runs } = await mastra.seen()
    expect(runs).toHaveLength(1)
  })
})
