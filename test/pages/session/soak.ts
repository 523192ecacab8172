// Many turns with tools in one page: over the wire, or with a model in the page, in sessions of some turns each.
import { createAgent } from '../../../src/page/agent.js'
import type { ModelAdapter } from '../../../src/core/data/model.js'

const query = new URLSearchParams(location.search)
/** Calls three tools, then answers. */
const modelAdapter: ModelAdapter = {
  async *stream({ messages }) {
    if (messages.at(-1)?.role === 'tool') {
      yield { type: 'text-start', id: 't' }
      yield { type: 'text-delta', id: 't', delta: 'All of it is done.' }
      yield { type: 'text-end', id: 't' }
      return yield { type: 'finish', finishReason: { unified: 'stop' } }
    }
    for (const toolName of ['look', 'write', 'late'])
      yield { type: 'tool-call', toolCallId: crypto.randomUUID(), toolName, input: '{"n":1}' }
    yield { type: 'finish', finishReason: { unified: 'tool-calls' } }
  },
}
/** With `?leak`, what a forgetful page keeps of each turn. */
const leaked: unknown[] = []
const leak = (): void => {
  if (!query.has('leak')) return
  const listener = (): unknown => leaked
  addEventListener('soak', () => listener())
  leaked.push(
    new MessageChannel().port1,
    Array.from({ length: 10_000 }, () => Math.random()),
  )
}
const endpoint = query.get('endpoint')
const agent = createAgent(endpoint === null ? { modelAdapter } : { endpoint, model: 'm' })
const inputSchema = { type: 'object', properties: { n: { type: 'number' } } }
agent.registerTool([
  {
    name: 'look',
    description: 'Looks at the page and gives a long text back',
    inputSchema,
    annotations: { readOnlyHint: true },
    execute: () => 'seen '.repeat(200),
  },
  {
    name: 'write',
    description: 'Writes something down on the page, and only once',
    inputSchema,
    exclusive: true,
    execute: () => {
      leak()
      return 'written'
    },
  },
  {
    name: 'late',
    description: 'Takes a moment and tells how far it is',
    inputSchema,
    execute: async (_: unknown, run: { report(value: unknown): void }) => {
      run.report({ fraction: 0.5 })
      await new Promise((resolve) => {
        setTimeout(resolve, 0)
      })
      return { ok: true }
    },
  },
])

/** Plays so many turns, a new session each `length`; the milliseconds it took. */
async function play(turns: number, length: number): Promise<number> {
  const begin = performance.now()
  for (let turn = 0; turn < turns; turn++) {
    if (turn % length === 0) await agent.sessions.create()
    const { reason, toolExecutions } = await agent.send(`Turn ${turn}`)
    if (reason !== 'stop' || toolExecutions.length !== 3 || toolExecutions.some(({ error }) => error))
      throw new Error(`Turn ${turn} ended as ${reason}: ${JSON.stringify(toolExecutions)}`)
  }
  return performance.now() - begin
}
Object.assign(window, { agent, play })
