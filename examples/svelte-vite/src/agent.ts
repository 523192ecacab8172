import { createAgent } from 'tool-agent/agent'

export const agent = createAgent({
  endpoint: import.meta.env['VITE_ENDPOINT'] ?? 'http://localhost:11434/v1',
  model: import.meta.env['VITE_MODEL'] ?? 'qwen3',
})

// After a hot reload the new agent continues the conversation of this one.
import.meta.hot?.dispose(() => void agent.close())
