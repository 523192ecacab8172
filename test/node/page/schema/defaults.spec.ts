// The defaults of plain JSON Schemas: which are put into the arguments, and that what is asked, stored and run has them.
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import type { JsonObject, JsonValue } from '../../../../src/core/data/json.js'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { internals } from '../../../../src/core/data/tool.js'
import { compileSchema } from '../../../../src/page/schema/compile.js'
import { issuesText } from '../../../../src/page/schema/validation-issue.js'
import { defineTool, type AnyTool } from '../../../../src/page/tools/tool.js'
import { expect, test } from '../../../support/lab/lab.js'

async function validated(schema: JsonObject, value: JsonValue, foreign = false) {
  const result = await (await compileSchema(schema, undefined, foreign)).validate(value)
  if ('issues' in result) return issuesText(result.issues)
  expect(result.json).toEqual(result.value)
  return result.json
}
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const one = { type: 'integer', default: 1 }

for (const foreign of [false, true]) {
  test.describe(foreign ? 'of a discovered tool' : 'of a tool of the page', () => {
    test('a missing top-level property gets its default, whatever the type', async () => {
      const properties = {
        text: { type: 'string', default: '' },
        flag: { type: 'boolean', default: false },
        list: { type: 'array', items: { type: 'string' }, default: ['a'] },
        none: { type: ['string', 'null'], default: null },
        by: { $ref: '#/$defs/unit' },
        own: { $ref: '#/$defs/unit', default: 'm' },
        other: { type: 'string' },
      }
      const $defs = { unit: { enum: ['cm', 'm'], default: 'cm' } }
      const all = { text: '', flag: false, list: ['a'], none: null, by: 'cm', own: 'm' }
      expect(await validated(object(properties, { $defs }), {}, foreign)).toEqual(all)
      expect(await validated(object(properties, { $defs }), { other: 'x', by: 'm' }, foreign)).toEqual({
        ...all,
        other: 'x',
        by: 'm',
      })
    })

    test('a given value stays, also null, false, 0 and an empty text', async () => {
      const properties = {
        a: { type: ['number', 'null'], default: 1 },
        b: { type: 'boolean', default: true },
        c: { type: 'number', default: 1 },
        d: { type: 'string', default: 'x' },
      }
      const given = { a: null, b: false, c: 0, d: '' }
      expect(await validated(object(properties), given, foreign)).toEqual(given)
    })

    test('a property that is required and has a default may be missing', async () => {
      const schema = object(
        { scale: { enum: ['css', 'device'], default: 'css' }, name: { type: 'string' } },
        {
          required: ['scale', 'name'],
          additionalProperties: false,
        },
      )
      expect(await validated(schema, { name: 'x' }, foreign)).toEqual({ name: 'x', scale: 'css' })
      expect(await validated(schema, {}, foreign)).toBe('name: required (string)')
    })

    test('a default that does not match its own schema is not used, and the others are', async () => {
      const schema = object({ a: { type: 'integer', default: 'one' }, b: one, c: { enum: ['x'], default: 'y' } })
      expect(await validated(schema, {}, foreign)).toEqual({ b: 1 })
      expect(await validated({ ...schema, required: ['c'] }, {}, foreign)).toMatch(/^c: required/)
    })

    test('defaults never make arguments invalid that are valid without them', async () => {
      const either = { oneOf: [{ required: ['a'] }, { required: ['b'] }] }
      expect(await validated(object({ a: one, b: one }, either), { a: 2 }, foreign)).toEqual({ a: 2 })
      const pair = { dependentRequired: { b: ['c'] } }
      expect(await validated(object({ a: one, b: one, c: one }, pair), { a: 2 }, foreign)).toMatchObject({ a: 2 })
      const few = { maxProperties: 1 }
      expect(await validated(object({ a: one, b: one }, few), { a: 2 }, foreign)).toEqual({ a: 2 })
    })

    test('arguments that are coerced get defaults, too', async () => {
      expect(await validated(object({ a: { type: 'number' }, b: one }), { a: '5' }, foreign)).toEqual({ a: 5, b: 1 })
      // Null where the schema does not allow it means a missing field, as it does with zod.
      expect(await validated(object({ a: { type: 'number' }, b: one }), { b: null }, foreign)).toEqual({ b: 1 })
    })

    test('two calls share no object of a default, and nested defaults only inform the model', async () => {
      const schema = object({
        box: { type: 'object', properties: { n: { type: 'integer', default: 7 } }, default: { list: [] } },
      })
      const compiled = await compileSchema(schema, undefined, foreign)
      const [first, second] = [await compiled.validate({}), await compiled.validate({})] as {
        value: never
        json: never
      }[]
      const boxes = [first?.value, first?.json, second?.value].map((value) => (value as unknown as { box: object }).box)
      expect(boxes).toEqual([{ list: [] }, { list: [] }, { list: [] }])
      expect(new Set(boxes).size).toBe(3)
      expect(new Set(boxes.map((box) => (box as { list: object }).list)).size).toBe(3)
      expect(await validated(schema, { box: {} }, foreign)).toEqual({ box: {} })
    })

    test('names of the prototype of objects are neither read nor set', async () => {
      const schema = JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"object","default":{"polluted":1}},"toString":{"type":"string","default":"s"},"n":{"type":"object","default":{"__proto__":{"polluted":1}}}}}',
      ) as JsonObject
      const json = await validated(schema, {}, foreign)
      expect(json).toEqual({ toString: 's', n: {} })
      expect(Object.getPrototypeOf(json)).toBe(Object.prototype)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    })

    test('validating again gives the same arguments, and the schema that the model reads stays as written', async () => {
      const schema = object({ a: one, b: { type: 'string' } }, { required: ['a', 'b'] })
      const compiled = await compileSchema(schema, undefined, foreign)
      expect(compiled.jsonSchema).toEqual(schema)
      const { json } = (await compiled.validate({ b: 'x' })) as { json: JsonValue }
      expect(await compiled.validate(json)).toEqual({ value: json, json })
    })
  })
}

test('the root may be a reference, and a schema in another dialect has defaults as well', async () => {
  const Input = object({ a: one, b: { type: 'string' } }, { required: ['b'] })
  expect(await validated({ $ref: '#/$defs/Input', $defs: { Input } }, { b: 'x' })).toEqual({ a: 1, b: 'x' })
  const openApi = object({ a: { type: 'integer', nullable: true, default: null }, b: one })
  expect(await validated(openApi, {})).toEqual({ a: null, b: 1 })
})

const properties = { product: { type: 'string' }, quantity: { type: 'integer', minimum: 1, default: 1 } } as const
const call = { calls: [{ name: 'add', arguments: { product: 'teapot' }, id: 'c1' }] }
const add = (ran: unknown[], more: Partial<AnyTool> = {}): AnyTool => ({
  name: 'add',
  description: 'Puts a product into the cart of the visitor.',
  inputSchema: object(properties, { required: ['product', 'quantity'] }),
  execute: (input) => {
    ran.push(input)
    return 'done'
  },
  ...more,
})
const full = { product: 'teapot', quantity: 1 }

test('the question, the approval, the stored call and the function all have the default', async ({ lab }) => {
  const { agent } = await lab.start([call, { text: 'ok' }])
  const ran: unknown[] = []
  const seen: unknown[] = []
  agent.registerTool(
    add(ran, {
      needsApproval: (input) => {
        seen.push(input)
        return true
      },
    }),
  )
  agent.subscribe((event) => {
    if (event.type !== 'approval-request') return
    seen.push(event.approval.input)
    void agent.approve(event.callId)
  })
  const { toolExecutions } = await agent.send('Add a teapot')
  expect(seen).toEqual([full, full])
  expect(ran).toEqual([full])
  expect(toolExecutions).toHaveLength(1)
  expect(agent.messages.flatMap(toolCallsOf).map((part) => part.started?.input)).toEqual([full])
})

test('callTool, tools of an agent that is a tool, discovered tools and calls as text get defaults', async ({ lab }) => {
  const ran: unknown[] = []
  const { agent } = await lab.start([
    { calls: [{ name: 'helper', arguments: { task: 'Add it' } }] },
    call,
    { text: 'inner' },
    { text: 'outer' },
  ])
  agent.registerTool(
    agentTool({
      name: 'helper',
      description: 'Fills the cart for the visitor.',
      instructions: 'Add.',
      tools: [add(ran)],
    }),
  )
  await agent.send('Add a teapot')
  expect(ran).toEqual([full])
  agent.registerTool(add(ran))
  await agent.callTool('add', { product: 'teapot' })
  expect(ran).toEqual([full, full])

  const found = await lab.start([call, { text: 'ok' }], { approval: 'off' })
  found.agent.registerToolProvider(() => [add(ran, { [internals]: { isDiscovered: true } })])
  found.agent.subscribe((event) => {
    if (event.type === 'approval-request') void found.agent.approve(event.callId)
  })
  await found.agent.send('Add a teapot')
  expect(ran).toEqual([full, full, full])

  const written = await lab.start(
    [{ text: '[TOOL_CALL]{"name":"add","args":{"product":"teapot"}}[/TOOL_CALL]' }, { text: 'ok' }],
    { textProtocol: true },
  )
  written.agent.registerTool(add(ran))
  await written.agent.send('Add a teapot')
  expect(ran).toEqual([full, full, full, full])
})

test('an object as the answer and the tool context get the defaults of their schemas', async ({ lab }) => {
  const { agent } = await lab.start([{ text: '{"product":"teapot"}' }], { toolContext: { shop: 'tea' } })
  const result = await agent.send('What?', {
    output: { type: 'object', properties, required: ['product'] } as const,
  })
  expect(result.object).toEqual(full)
  agent.registerTool(
    defineTool({
      name: 'where',
      description: 'Says where the visitor is now.',
      contextSchema: object({ shop: { type: 'string' }, floor: one }),
      execute: (_input, run) => run.toolContext,
    }),
  )
  expect(await agent.callTool('where')).toEqual({ shop: 'tea', floor: 1 })
})
