import { createAgent } from 'tool-agent/agent'

/** Called in the browser only: a server must not share an agent between visitors. */
const create = () =>
  createAgent({ endpoint: import.meta.env['VITE_ENDPOINT'] ?? 'http://localhost:11434/v1', model: 'test' })

let agent: ReturnType<typeof create> | undefined
export const theAgent = () => (agent ??= create())
