// TanStack AI in a page: the loop of `chat` with one tool, on its own, and inside a `ChatClient` that stores its messages.
import { chat, maxIterations, toolDefinition } from '@tanstack/ai'
import { ChatClient, indexedDBPersistence, stream } from '@tanstack/ai-client'
import { openaiCompatibleText } from '@tanstack/ai-openai/compatible'

/** @param {{ endpoint: string, isStored?: boolean }} options */
window.startPeer = ({ endpoint, isStored = false }) => {
  const adapter = openaiCompatibleText('bench', {
    baseURL: new URL(endpoint, location.href).href,
    apiKey: 'none',
    dangerouslyAllowBrowser: true,
  })
  const add = toolDefinition({
    name: 'add',
    description: 'Add two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  }).server(({ a, b }) => ({ sum: a + b }))
  const run = (messages) =>
    chat({
      adapter,
      messages,
      systemPrompts: ['You help the visitors of this page.'],
      tools: [add],
      agentLoopStrategy: maxIterations(40),
    })
  if (!isStored) {
    const messages = []
    return {
      // Keeps what the model said and what the tool returned, as a page without the client has to.
      async send(text) {
        messages.push({ role: 'user', content: text })
        let answer = ''
        const calls = new Map()
        const added = []
        for await (const chunk of run([...messages])) {
          if (chunk.type === 'TEXT_MESSAGE_CONTENT') answer += chunk.delta
          if (chunk.type === 'TOOL_CALL_START') calls.set(chunk.toolCallId, { name: chunk.toolCallName, arguments: '' })
          if (chunk.type === 'TOOL_CALL_ARGS') calls.get(chunk.toolCallId).arguments += chunk.delta
          if (chunk.type === 'TOOL_CALL_RESULT') {
            const id = chunk.toolCallId
            added.push(
              { role: 'assistant', content: null, toolCalls: [{ id, type: 'function', function: calls.get(id) }] },
              { role: 'tool', content: chunk.content, toolCallId: id },
            )
          }
        }
        messages.push(...added, { role: 'assistant', content: answer })
        return answer
      },
    }
  }
  const client = new ChatClient({
    connection: stream((messages) => run(messages)),
    threadId: 'bench',
    persistence: indexedDBPersistence(),
  })
  return { send: (text) => client.sendMessage(text) }
}
document.documentElement.dataset.ready = ''
