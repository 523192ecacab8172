// The types that the compiler infers for the arguments of a tool. `tsc -p .` reads this file: a line that does not
// compile, and an expected error that is missing, fail `npm run check`. The only test runs the tools that it declares.
import { expect, test } from 'playwright/test'
import { z } from 'zod'
import type { Agent } from '../../../../src/page/agent.js'
import type { ToolContext } from '../../../../src/core/data/tool.js'
import type { SendOptions } from '../../../../src/page/options.js'
import { defineTool, type AnyTool, type Tool } from '../../../../src/page/tools/tool.js'
import { ToolRegistry } from '../../../../src/page/tools/registry.js'
import type { ToolAgentElement } from '../../../../src/ui/element/tool-agent-element.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(..._proof: Equal<A, B> extends true ? [] : [never]): void => undefined

interface Input {
  query: string
  limit?: number
  kind?: 'green' | 'black'
  tags?: string[]
  near?: { city: string }
  note?: string | null
}

function register(page: Pick<Agent, 'registerTool'>): void {
  page.registerTool({
    name: 'plain',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for' },
        limit: { type: 'integer' },
        kind: { enum: ['green', 'black'] },
        tags: { type: 'array', items: { type: 'string' } },
        near: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        note: { type: ['string', 'null'] },
      },
      required: ['query'],
    },
    needsApproval: ({ limit = 0 }) => limit > 10,
    execute(input, { signal }) {
      same<typeof input, Input>()
      return { found: input.query.toUpperCase(), isStopped: signal.aborted }
    },
    toModelOutput: ({ output }) => output.found,
  })
  page.registerTool({
    name: 'zod',
    inputSchema: z.object({ id: z.string(), count: z.int().default(1) }),
    execute: ({ id, count }) => {
      same<typeof id, string>()
      same<typeof count, number>()
      return id.repeat(count)
    },
  })
  page.registerTool({
    name: 'defaults',
    inputSchema: {
      type: 'object',
      properties: {
        product: { type: 'string' },
        quantity: { type: 'integer', default: 1 },
        // Only the defaults of the top level are put in.
        box: { type: 'object', properties: { colour: { type: 'string', default: 'red' } } },
      },
      required: ['product'],
    },
    execute: (input) => {
      same<typeof input, { product: string; quantity: number; box?: { colour?: string } }>()
      return input.quantity + 1
    },
  })
  page.registerTool({
    name: 'wrong',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    // @ts-expect-error the schema has no such property
    execute: ({ other }) => other,
  })
  page.registerTool({ name: 'none', execute: () => 1 })
  page.registerTool([
    defineTool({
      name: 'one',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      execute: ({ id }) => id.length,
    }),
  ])
  // A schema that is not an inline literal has no property types.
  const inputSchema: Record<string, never> = {}
  page.registerTool({ name: 'loose', inputSchema, execute: ({ any }) => same<typeof any, unknown>() })
}

/** The types of `toolContext`. Must compile; the tools are not registered. */
export function registerWithContext(page: Pick<Agent, 'registerTool'>): void {
  page.registerTool({
    name: 'both',
    inputSchema: z.object({ query: z.string() }),
    contextSchema: z.object({ userId: z.string(), shop: z.string().optional() }),
    needsApproval: ({ query }, { toolContext }) => query === toolContext.userId,
    question: (_input, { toolContext }) => toolContext.userId.trim(),
    execute: ({ query }, { toolContext, remember }) => {
      same<typeof toolContext, Readonly<{ userId: string; shop?: string | undefined }>>()
      remember('userId', query)
      return toolContext.userId.length
    },
    summary: ({ output = 0 }) => `${output.toFixed(1)} letters`,
  })
  page.registerTool({
    name: 'without_input',
    contextSchema: z.object({ since: z.coerce.date() }),
    execute: (_input, { toolContext: { since } }) => since.getTime(),
  })
  page.registerTool({
    name: 'json_schema',
    contextSchema: { type: 'object', properties: { floor: { type: 'integer' } }, required: ['floor'] },
    execute: (_input, { toolContext }) => {
      same<typeof toolContext, Readonly<{ floor: number }>>()
      return toolContext.floor + 1
    },
  })
  page.registerTool({
    name: 'wrong_context',
    contextSchema: z.object({ userId: z.string() }),
    // @ts-expect-error the schema has no such property
    execute: (_input, { toolContext }) => toolContext.userid,
  })
  page.registerTool({
    name: 'no_schema',
    execute: (_input, { toolContext }) => {
      same<typeof toolContext, Readonly<ToolContext>>()
      return toolContext['userId']
    },
  })
  const defined = defineTool({
    name: 'defined',
    inputSchema: z.object({ query: z.string() }),
    contextSchema: z.object({ user: z.object({ id: z.string(), born: z.coerce.date() }), tags: z.set(z.string()) }),
    execute: ({ query }, { toolContext: { user, tags } }) => tags.has(query) && user.born > new Date(0),
  })
  const plain = defineTool({ name: 'plain', execute: () => 1 })
  page.registerTool([
    defined,
    plain,
    {
      name: 'in_a_list',
      contextSchema: z.object({ userId: z.string() }),
      execute: (_input, { toolContext: { userId } }) => same<typeof userId, unknown>(),
    },
  ])
  page.registerTool(defined)
  page.registerTool(plain)
  const list: AnyTool[] = [defined, plain]
  const send: SendOptions = { tools: [defined, ...list] }
  page.registerTool(send.tools ?? [])
  const ofInterface: Tool<Input, number, User> = {
    name: 'of_interface',
    execute: ({ query }, { toolContext: { id } }) => (query === id ? 1 : 0),
  }
  page.registerTool([ofInterface])
}

/** An interface has no implicit index signature, but a tool with it is registered like any other. */
interface User {
  id: string
  more?: { born: Date }
}

/** An element declares the same. */
export const onElement = (element: ToolAgentElement): unknown =>
  element.registerTool({
    name: 'plain',
    inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
    execute: ({ id }) => id.toFixed(2),
  })

test('tools are registered as they are written, typed arguments or not', () => {
  const registry = new ToolRegistry()
  const taken: string[] = []
  const registerTool = ((tool: Parameters<ToolRegistry['register']>[0]) => {
    for (const one of Array.isArray(tool) ? tool : [tool]) taken.push(one.name)
    return registry.register(tool, { replace: true })
  }) as Agent['registerTool']
  register({ registerTool })
  expect(taken.slice(0, 7)).toEqual(['plain', 'zod', 'defaults', 'wrong', 'none', 'one', 'loose'])
})
