// How the tools that read the page run: what their definitions promise, without a page.
// Their code is there when the message is sent, so that all that it does with a page is tried without one.
import '../../../src/page-tools/implementation.js'
import { readTools } from '../../../src/page-tools/definitions/tool-lists.js'
import { toolCallsOf } from '../../../src/core/data/message.js'
import { expect, test } from '../../support/lab/lab.js'

test('a reading that timed out is not repeated', async ({ lab }) => {
  const arguments_ = { text: 'pot' }
  const names = ['page_read', 'dom_query', 'form_read']
  const { agent, stored } = await lab.start([
    { calls: names.map((name) => ({ name, arguments: name === 'dom_query' ? arguments_ : {} })) },
    { text: 'ok' },
  ])
  const ran: string[] = []
  agent.registerTool(
    readTools().map((tool) => ({
      ...tool,
      timeout: 5,
      execute: () => {
        ran.push(tool.name)
        return new Promise(() => {})
      },
    })),
  )
  await agent.send('Go')
  expect(ran).toEqual(names)
  const failures = toolCallsOf((await stored())?.messages[1]).map(({ result }) => result)
  expect(JSON.stringify(failures).match(/"code":"timeout"/g)).toHaveLength(3)
})
