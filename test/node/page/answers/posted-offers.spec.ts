// What the page offers travels with the message, so the host asks only where the page cannot know it before: after an
// action, and with providers and functions. A request offers what was registered when the page last posted something.
import { toolCallsOf } from '../../../../src/core/data/message.js'
import type { Agent } from '../../../../src/page/agent.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import { deferred, expect, test, until, type Bench } from '../../../support/lab/lab.js'

const annotations = { readOnlyHint: true }
const call = (name: string, id = name) => ({ id, name, arguments: {} })
const tool = (name: string, execute: () => unknown = () => name, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does what is called ${name} on this page`,
  annotations,
  execute,
  ...more,
})
const asked = ({ log }: Bench) => log.filter((line) => line === 'post:prepare').length
const offered = ({ endpoint }: Bench) =>
  endpoint.requests.map(({ body }) => {
    const tools = (body?.['tools'] ?? []) as readonly { readonly function: { readonly name: string } }[]
    return tools.map((one) => one.function.name).filter((name) => !name.startsWith('todo_'))
  })
const codes = (agent: Agent) =>
  agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.error?.code ?? result?.output)

test(
  'the page is asked for its tools only after a call that may have changed it',
  { tag: '@R1.1' },
  async ({ lab }) => {
    const bench = await lab.start([
      { calls: [call('look')] },
      { calls: [call('look', 'again'), call('write')] },
      { calls: [call('shown')] },
      { text: 'ok' },
    ])
    const { agent } = bench
    const show = () => {
      // As a component does that is drawn after the action.
      setTimeout(() => agent.registerTool(tool('shown')))
      return new Promise((resolve) => setTimeout(() => resolve('written'), 5))
    }
    agent.registerTool([tool('look'), tool('write', show, { annotations: {} })])
    await agent.send('Go')
    expect(codes(agent)).toEqual(['look', 'look', 'written', 'shown'])
    expect(asked(bench), 'before the third request').toBe(1)
    expect(offered(bench).map((names) => names.join())).toEqual([
      'look,write',
      'look,write',
      'look,write,shown',
      'look,write,shown',
    ])
  },
)

test(
  'tools that change while a turn reads or waits are in its next request, and no call runs another definition',
  { tag: ['@R1.1', '@R2.13'] },
  async ({ lab }) => {
    const bench = await lab.start([
      { calls: [call('look')] },
      { calls: [call('look', 'again'), call('gone'), call('other')] },
      { text: 'ok' },
      { text: 'second' },
    ])
    const { agent, endpoint } = bench
    const held = deferred()
    let removeGone: () => void = () => undefined
    agent.registerTool([
      tool('look', async () => {
        if (endpoint.requests.length > 1) return 'seen'
        agent.registerTool(tool('other'))
        removeGone = agent.registerTool(tool('gone'))
        await held.promise
        return 'seen'
      }),
    ])
    const first = agent.send('Go')
    const second = agent.send('And then', { tools: [tool('own')] })
    await until(agent, () => agent.progress.size === 0 && agent.queue.length === 1 && endpoint.requests.length === 1)
    // When the second answer has begun, the tools that it calls change.
    const stop = agent.subscribe((event) => {
      if (event.type !== 'step-start' || event.step !== 2) return
      removeGone()
      agent.registerTool(
        tool('other', () => 'another', { description: 'Does something else on this page' }),
        {
          replace: true,
        },
      )
    })
    held.resolve()
    await first
    stop()
    await second
    expect(asked(bench)).toBe(0)
    expect(offered(bench).map((names) => names.join())).toEqual([
      'look',
      'look,other,gone',
      'look,other',
      'look,other,own',
    ])
    expect(codes(agent)).toEqual(['seen', 'seen', 'unavailable', 'unavailable'])
  },
)

test(
  'the page is asked where it has to call a provider or a function, and the errors are the same',
  { tag: ['@R1.1', '@R1.2'] },
  async ({ lab }) => {
    const script = () => [{ calls: [call('look')] }, { text: 'ok' }]
    const provider = await lab.start(script())
    provider.agent.registerToolProvider(() => [tool('look')])
    await provider.agent.send('Go')
    const described = await lab.start(script())
    described.agent.registerTool(tool('look', () => 'seen', { description: () => 'Looks at what the page shows' }))
    await described.agent.send('Go')
    const stopping = await lab.start(script(), { stopWhen: () => false })
    stopping.agent.registerTool(tool('look'))
    await stopping.agent.send('Go')
    expect([provider, described, stopping].map(asked), 'stopWhen is not called before the first step').toEqual([
      2, 2, 1,
    ])
    expect(offered(stopping).map((names) => names.join())).toEqual(['look', 'look'])
  },
)

test(
  'tools of a send, active tools and the object of the answer are part of what is posted',
  { tag: ['@R1.1', '@R1.3'] },
  async ({ lab }) => {
    const bench = await lab.start([{ calls: [call('own')] }, { text: 'ok' }, { text: 'ok' }, { text: '{"n":1}' }])
    const { agent } = bench
    agent.registerTool([tool('look'), tool('peek')])
    await agent.send('Go', { tools: [tool('own'), tool('peek', () => 'own peek')] })
    await agent.send('Go', { activeTools: ['peek'] })
    await agent.send('Go', { output: { type: 'object', properties: { n: { type: 'number' } } } }).catch(() => undefined)
    expect(asked(bench)).toBe(0)
    expect(offered(bench).slice(0, 4)).toEqual([
      ['look', 'peek', 'own'],
      ['look', 'peek', 'own'],
      ['peek'],
      ['look', 'peek', 'final_result'],
    ])
    expect(codes(agent)[0]).toBe('own')
  },
)

test(
  'a message that a lost host had not started goes to the next one with its offer',
  { tag: '@F15' },
  async ({ lab }) => {
    const bench = await lab.start([{ text: 'first' }, { calls: [call('look')] }, { text: 'ok' }], { worker: true })
    const { agent } = bench
    agent.registerTool(tool('look'))
    await agent.send('Hello')
    bench.killHost()
    expect((await agent.send('Go')).text).toBe('ok')
    expect(asked(bench)).toBe(0)
  },
)
