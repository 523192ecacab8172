// An agent of Mastra with a scripted model and one tool of its own, served as AG-UI over HTTP. Argument: the answers of
// the model as JSON, each a list of parts of the AI SDK; after them it says "End.". Prints its address. `GET` tells what
// it has seen: the inputs of the runs, what the model was asked, and what the tool was given.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { MastraAgent } from '@ag-ui/mastra'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

const answers = JSON.parse(process.argv[2] ?? '[]')
const seen = { runs: [], prompts: [], stock: [] }

const model = {
  specificationVersion: 'v2',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate() {
    throw new Error('The scripted model only streams')
  },
  async doStream({ prompt }) {
    seen.prompts.push(prompt)
    const parts = answers.shift() ?? [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'End.' },
      { type: 'text-end', id: 't' },
    ]
    const finishReason = parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop'
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 }
    const all = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]
    return { stream: ReadableStream.from(all) }
  },
}
const stock = createTool({
  id: 'stock',
  description: 'How many are left',
  inputSchema: z.object({ name: z.string() }),
  execute: async ({ name }) => {
    seen.stock.push(name)
    return { name, left: 3 }
  },
})
const agent = new Agent({ id: 'shop', name: 'shop', instructions: 'You help in a shop.', model, tools: { stock } })

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(seen))
  const input = JSON.parse(await text(request))
  seen.runs.push(input)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  new MastraAgent({ agent, resourceId: 'visitor' }).run(input).subscribe({
    next: (event) => response.write(`data: ${JSON.stringify(event)}\n\n`),
    // It has said so by an event.
    error: () => response.end(),
    complete: () => response.end(),
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/agent\n`))
// It ends with the test that has started it.
process.stdin.resume().on('end', () => process.exit())
