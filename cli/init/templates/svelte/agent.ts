// The agent outlives components, so that a hot reload or a route change does not end the conversation.
import { createAgent } from 'tool-agent/agent'
import { addNote, findNotes } from './tools'

export const agent = createAgent({ endpoint: '/models/openai', model: 'gpt-5-mini', tools: [findNotes, addNote] })

// After a hot reload the new agent continues the conversation of this one.
import.meta.hot?.dispose(() => void agent.close())
