// Reads runs with the client of AG-UI, and checks inputs of runs with the schema of the protocol. Started by the spec
// that compares. Input on stdin: `{ inputs, runs: [{ messages, state, body }] }`, the bodies as text. Prints as JSON
// what is wrong with each input, and after each run the messages and the state of its conversation.
import { HttpAgent } from '@ag-ui/client'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'

// Their warnings go to the standard output.
console.warn = console.log = () => undefined

let text = ''
for await (const chunk of process.stdin) text += chunk
const { inputs, runs } = JSON.parse(text)
const faults = inputs.map((/** @type {unknown} */ input) => {
  const { success, error } = RunAgentInputSchema.safeParse(input)
  return success ? '' : String(error)
})
const results = []
for (const { messages, state, body } of runs) {
  const agent = new HttpAgent({
    url: 'http://agent/',
    threadId: 'thread',
    initialMessages: messages,
    initialState: state,
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  })
  let error
  try {
    await agent.runAgent({ runId: 'run' })
  } catch (thrown) {
    error = String(thrown)
  }
  results.push({ messages: agent.messages, state: agent.state, error })
}
process.stdout.write(JSON.stringify({ faults, results }))
