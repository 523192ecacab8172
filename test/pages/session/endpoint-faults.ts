// A page with an agent whose endpoint fails: reports how each turn ended, what it displayed, how often each call ran,
// and unhandled errors.
import { createAgent } from '../../../src/page/agent.js'
import { toolCallsOf, textOf } from '../../../src/core/data/message.js'
import type { ToolRun } from '../../../src/page/tools/tool.js'

export interface Met {
  /** Its reason, or the code of its error. */
  readonly how: string
  readonly says: string
  readonly shown: string
  readonly kept: string
  readonly codes: readonly string[]
  readonly buys: number
}

const query = new URLSearchParams(location.search)
const agent = createAgent({
  endpoint: query.get('endpoint') ?? '',
  model: 'm',
  // Long texts must not lead to a summary, which would be one more request.
  contextWindow: { tokens: 10_000_000 },
  ...(query.has('worker') ? { workerUrl: query.get('worker') ?? '' } : {}),
})
const runs = new Map<string, number>()
agent.registerTool({
  name: 'buy',
  description: 'Buys',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  execute: ({ n }: { n: number }, run: ToolRun) => {
    runs.set(run.toolCallId, (runs.get(run.toolCallId) ?? 0) + 1)
    return `bought ${n}`
  },
})
const unheard: string[] = []
addEventListener('unhandledrejection', ({ reason }) => unheard.push(String(reason)))
addEventListener('error', ({ message }) => unheard.push(message))

/** Sends a message and returns its outcome. `faultSeen` resolves with the first text, or with the end. */
async function meet(text: string): Promise<Met> {
  let shown = ''
  let seen = (): void => {}
  Object.assign(window, {
    faultSeen: new Promise<void>((resolve) => {
      seen = resolve
    }),
  })
  const stop = agent.subscribe((event) => {
    if (event.type === 'step-start') shown = ''
    if (event.type !== 'text-delta') return
    shown += event.delta
    seen()
  })
  const before = [agent.messages.length, runs.size] as const
  const { how, says } = await agent.send(text).then(
    ({ reason }) => ({ how: reason, says: '' }),
    (error: { code: string; message: string }) => ({ how: error.code, says: error.message }),
  )
  stop()
  seen()
  const results = agent.messages
    .slice(before[0])
    .flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : []))
  return {
    how,
    says,
    shown,
    kept: textOf(agent.messages.at(-1)),
    buys: runs.size - before[1],
    codes: results.flatMap(({ result }) => (result?.error ? [result.error.code] : [])),
  }
}
Object.assign(window, { agent, meet, runs, unheard })
