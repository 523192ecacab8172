// Schemas are compiled when the agent is connected: what the agent does with a schema that cannot be used, and which of
// its methods wait.
import { z } from 'zod'
import * as mini from 'zod/mini'
import type { Agent } from '../../../../src/page/agent.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import { expect, test } from '../../../support/lab/lab.js'
import { toolNames } from '../../../support/lab/requests.js'

const tool = (name: string, inputSchema: unknown): AnyTool =>
  ({
    name,
    description: `Does the work of ${name} for the user`,
    inputSchema,
    execute: (input: unknown) => input,
  }) as AnyTool
const list = { type: 'array', items: { type: 'string' } }

function errorsOf(agent: Agent): string[] {
  const errors: string[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') errors.push(`${notice.error.code}: ${notice.error.message}`)
  })
  return errors
}

test(
  'a tool whose schema cannot be used is reported when the agent connects, and is not offered',
  { tag: '@R1.3' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text: 'ok' }, { text: 'ok' }], { todo: false })
    const errors = errorsOf(agent)
    agent.registerTool([tool('good', mini.object({ a: mini.string() })), tool('names', list)])
    expect(errors).toEqual([])
    await agent.send('Go')
    const report = expect.stringMatching(
      /^invalid-tool: Tool "names": inputSchema: the root must be an object schema, received "array"/,
    )
    expect(errors).toEqual([report])
    expect(agent.tools.map(({ name }) => name)).toEqual(['good'])
    // A connected agent reports it in the same way.
    agent.registerTool(tool('more', list))
    await agent.send('Go')
    expect(errors).toHaveLength(2)
    expect(endpoint.requests.map(toolNames)).toEqual([['good'], ['good']])
  },
)

test('connect resolves when the schemas are compiled', async ({ lab }) => {
  const { agent } = await lab.start([], { tools: [tool('find', mini.object({ a: mini.string() }))] })
  expect(agent.tools[0]?.inputSchema).toEqual({ type: 'object', properties: {} })
  await agent.connect()
  expect(agent.tools[0]?.inputSchema).toMatchObject({ properties: { a: { type: 'string' } }, required: ['a'] })
})

test('exportTrace waits for the schemas', async ({ lab }) => {
  const { agent } = await lab.start([])
  await agent.connect()
  agent.registerTool(tool('find', mini.object({ a: mini.string() })))
  const { tools } = await agent.exportTrace()
  expect(tools[0]?.inputSchema).toMatchObject({ required: ['a'] })
})

for (const [kind, schema] of Object.entries({ 'JSON Schema': list, zod: z.string() })) {
  test(`a send with a tool whose ${kind} cannot be used rejects, and nothing is sent to the model`, async ({ lab }) => {
    const { agent, endpoint } = await lab.start([])
    const rejects = (tools: AnyTool[]) =>
      expect(agent.send('Go', { tools })).rejects.toMatchObject({
        code: 'invalid-tool',
        message: expect.stringContaining('Tool "names": inputSchema: the root must be an object schema'),
      })
    await rejects([tool('names', schema)])
    await rejects([tool('names', schema)])
    expect(endpoint.requests).toEqual([])
  })
}

test('callTool waits for the schema of its tool', async ({ lab }) => {
  const { agent } = await lab.start([], { tools: [tool('find', mini.object({ a: mini.number() }))] })
  expect(await agent.callTool('find', { a: '1' })).toEqual({ a: 1 })
  await expect(agent.callTool('find', {})).rejects.toMatchObject({ code: 'invalid-input' })
})
