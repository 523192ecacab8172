// The AI SDK in a page: a ToolLoopAgent with one tool, streaming from a chat completions endpoint.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isStepCount, tool, ToolLoopAgent } from 'ai'
import { z } from 'zod'

/** @param {{ endpoint: string }} options */
window.startPeer = ({ endpoint }) => {
  const provider = createOpenAICompatible({ name: 'bench', baseURL: new URL(endpoint, location.href).href })
  const agent = new ToolLoopAgent({
    model: provider('bench'),
    instructions: 'You help the visitors of this page.',
    tools: {
      add: tool({
        description: 'Add two numbers.',
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        execute: ({ a, b }) => ({ sum: a + b }),
      }),
    },
    stopWhen: isStepCount(40),
  })
  const messages = []
  return {
    async send(text) {
      messages.push({ role: 'user', content: text })
      const result = await agent.stream({ messages })
      let answer = ''
      for await (const piece of result.textStream) answer += piece
      messages.push(...(await result.response).messages)
      return answer
    },
  }
}
document.documentElement.dataset.ready = ''
