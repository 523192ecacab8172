// An agent whose first worker stops after the event that the address names. Its tools count their runs where neither a
// reload nor a crash loses the counts. `die` names what else ends then.
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import { createAgent } from '../../../src/page/agent.js'
import type { ToolRun } from '../../../src/page/tools/tool.js'

const query = new URLSearchParams(location.search)
const fact = query.get('fact') ?? ''
const key = `died ${fact}`
const count = (name: string): string => {
  const runs = Number(localStorage.getItem(name) ?? 0) + 1
  localStorage.setItem(name, String(runs))
  return `${name} ${runs}`
}
const workers: Worker[] = []
window.Worker = class extends Worker {
  constructor(_url: string | URL, options?: WorkerOptions) {
    // Only the first one is to die, of all loads of the page.
    const isFirst = localStorage.getItem(key) === null
    super(`/test/pages/session/kill-worker.ts${isFirst ? `?after=${fact}` : ''}`, options)
    workers.push(this)
    this.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
      if (data.type !== 'dies') return
      localStorage.setItem(key, 'yes')
      // What was posted before is read by now.
      Object.assign(window, { seen: window.agent.session, hasDied: true })
      localStorage.setItem('seen', JSON.stringify(window.agent.session ?? null))
    })
  }
}
const hint = { readOnlyHint: true }
const agent = createAgent({ endpoint: query.get('endpoint') ?? '', model: 'm', sessionId: 'matrix' })
agent.registerTool([
  {
    name: 'read',
    description: 'Reads what stands on the page and gives it back',
    annotations: hint,
    execute: () => count('read'),
  },
  {
    name: 'write',
    description: 'Writes something down and remembers that it did',
    execute: (_: unknown, run: ToolRun) => {
      run.remember('written', true)
      return count('write')
    },
  },
  {
    name: 'pay',
    description: 'Pays what was bought after the user has agreed',
    needsApproval: true,
    execute: () => count('pay'),
  },
  agentTool({
    name: 'research',
    description: 'Finds out about products and orders one',
    instructions: 'You research.',
    tools: [
      {
        name: 'find',
        description: 'Finds a product by its name and gives its number',
        annotations: hint,
        execute: () => count('find'),
      },
      { name: 'order', description: 'Orders a product by its number', execute: () => count('order') },
    ],
  }),
])
agent.subscribe((event) => {
  if (event.type === 'approval-request') void agent.approve(event.callId).catch(() => undefined)
})
Object.assign(window, { agent, killWorker: () => workers.at(-1)?.terminate() })
