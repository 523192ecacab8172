import { createAgent } from 'tool-agent/agent'

export const agent = createAgent({
  endpoint: import.meta.env['VITE_ENDPOINT'] ?? 'http://127.0.0.1:8790/v1',
  model: import.meta.env['VITE_MODEL'] ?? 'gpt-5-mini',
})

// After a hot reload the new agent continues the conversation of this one.
import.meta.hot?.dispose(() => void agent.close())
