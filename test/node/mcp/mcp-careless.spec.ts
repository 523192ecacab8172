// Servers that are careless where the meaning is clear: over HTTP, with a whole agent.
import { isObject, type JsonObject, type JsonValue } from '../../../src/core/data/json.js'
import { mcpTools } from '../../../src/mcp.js'
import { expect, test as base, type Lab } from '../../support/lab/lab.js'
import { toolNames } from '../../support/lab/requests.js'
import { startScriptedMcp, textTool, type ScriptedTool } from '../../support/mcp/scripted-server.js'

type Server = Parameters<typeof startScriptedMcp>[1]

interface Given {
  readonly tool: ScriptedTool
  /** The arguments of the only call; undefined for no call. */
  readonly args?: JsonObject
  readonly server?: Server
}

const test = base.extend<{ visit: (given: Given) => ReturnType<typeof visitServer> }>({
  visit: async ({ lab }, use) => {
    const closing: (() => Promise<unknown>)[] = []
    await use((given) => visitServer(given, lab, closing))
    for (const close of closing.toReversed()) await close()
  },
})

/** What a turn makes of a server with this tool. */
async function visitServer({ tool, args, server: options }: Given, lab: Lab, closing: (() => Promise<unknown>)[]) {
  const server = await startScriptedMcp([tool], options)
  closing.push(() => server.stop())
  const calls = args === undefined ? [] : [{ calls: [{ name: 'shop_look', arguments: args }] }]
  const { agent, endpoint } = await lab.start([...calls, { text: 'ok' }], { approval: 'off', todo: false })
  const provider = mcpTools({ url: server.url, name: 'shop' })
  closing.push(() => provider.close())
  agent.registerToolProvider(provider)
  const errors: string[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') errors.push(notice.error.message)
  })
  const { toolExecutions } = await agent.send('Go')
  const [execution] = toolExecutions
  return {
    errors,
    offered: toolNames(endpoint.requests[0]),
    listed: server.count('tools/list'),
    received: server.messages.findLast(({ method }) => method === 'tools/call')?.params?.['arguments'],
    outcome: execution?.error?.message ?? execution?.output,
    modelOutput: execution?.modelOutput,
  }
}

// The time for listing tools must not include the first import of the client.
test.beforeAll(() => import('../../../src/mcp/client/mcp-server.js'))

const schemas: readonly { title: string; inputSchema: JsonObject; args?: JsonObject }[] = [
  {
    title: 'null for its keywords',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'string', description: null, enum: null, minLength: null } },
      required: null,
    },
    args: { a: 'x' },
  },
  {
    title: 'null for its properties',
    inputSchema: { type: 'object', properties: null, required: null, additionalProperties: null },
  },
  {
    title: 'a default of null for a text',
    inputSchema: { type: 'object', properties: { a: { type: 'string', default: null } } },
  },
  { title: 'no type', inputSchema: { properties: { a: { type: 'string' } } }, args: { a: 'x' } },
  { title: 'nothing at all', inputSchema: {} },
]
for (const { title, inputSchema, args = {} } of schemas)
  test(`a schema with ${title}`, async ({ visit }) => {
    const { errors, received, outcome } = await visit({ tool: textTool('look', 'ran', { inputSchema }), args })
    expect(errors).toEqual([])
    expect(outcome).toBe('ran')
    expect(received).toEqual(args)
  })

for (const nextCursor of ['', null])
  test(`the cursor ${JSON.stringify(nextCursor)} ends the list`, async ({ visit }) => {
    const rewrite = (message: JsonObject) => {
      const { result } = message
      const isList = isObject(result) && 'tools' in result
      return isList ? { ...message, result: { ...(result as JsonObject), nextCursor } } : message
    }
    const { errors, offered, listed } = await visit({ tool: textTool('look', 'ran'), server: { rewrite } })
    expect(offered).toEqual(['shop_look'])
    expect(listed).toBe(1)
    expect(errors).toEqual([])
  })

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const jpeg = `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=`
const image = (data: string, mimeType?: string): JsonObject => ({
  type: 'image',
  data,
  ...(mimeType === undefined ? {} : { mimeType }),
})
const text = (value: JsonValue): JsonObject => ({ type: 'text', text: value })

const images: readonly { title: string; content: JsonValue; type?: string; data?: string }[] = [
  { title: 'a data URL as an image', content: [image(`data:image/png;base64,${png}`, 'image/png')] },
  { title: 'line breaks in an image', content: [image(png.replace(/.{20}/g, '$&\n'), 'image/png')] },
  { title: 'an image without the end of its Base64', content: [image(png.replace(/=+$/, ''), 'image/png')] },
  { title: 'image/jpg', content: [image(jpeg, 'image/jpg')], type: 'image/jpeg', data: jpeg },
  { title: 'the type of another image', content: [image(jpeg, 'image/png')], type: 'image/jpeg', data: jpeg },
  { title: 'no type of an image', content: [image(png)] },
  { title: 'an image as Base64 in a text', content: [text(png)] },
  { title: 'an image as a data URL in a text', content: [text(`data:image/png;base64,${png}`)] },
  {
    title: 'an image three times',
    content: [
      image(png, 'image/png'),
      { type: 'resource', resource: { uri: 'shop://1', blob: png, mimeType: 'image/png' } },
      text(png),
    ],
  },
]
for (const { title, content, type = 'image/png', data = png } of images)
  test(`a result with ${title}`, async ({ visit }) => {
    const tool = { ...textTool('look', ''), handler: () => ({ content }) }
    const { modelOutput } = await visit({ tool, args: {} })
    expect(modelOutput).toMatchObject({ type: 'content', value: [{ type: 'file', mediaType: type, data }] })
  })

const texts: readonly { title: string; content: JsonValue; output: string }[] = [
  { title: 'one block instead of a list', content: text('one'), output: 'one' },
  { title: 'a text instead of a list', content: 'one', output: 'one' },
  { title: 'texts instead of blocks', content: ['one', 'two'], output: 'one\n\ntwo' },
  { title: 'JSON as the text of a block', content: [text({ a: 1 })], output: '{"a":1}' },
  { title: 'a path that begins like an image', content: ['/9j/logo.jpg'], output: '/9j/logo.jpg' },
  {
    title: 'an image that is none',
    content: [image('AAAA'.repeat(40), 'image/png')],
    output: '[image, image/png, 1 KB: this type is not passed on]',
  },
]
for (const { title, content, output } of texts)
  test(`a result with ${title}`, async ({ visit }) => {
    const { outcome } = await visit({ tool: { ...textTool('look', ''), handler: () => ({ content }) }, args: {} })
    expect(outcome).toBe(output)
  })

for (const contentType of ['text/plain', 'text/json; charset=utf-8', ''])
  test(`answers of the type ${JSON.stringify(contentType)}`, async ({ visit }) => {
    const { outcome } = await visit({ tool: textTool('look', 'ran'), args: {}, server: { contentType } })
    expect(outcome).toBe('ran')
  })
