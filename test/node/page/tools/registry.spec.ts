import { getEventListeners } from 'node:events'
import { expect, test } from 'playwright/test'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { ToolAgentError, type Failure } from '../../../../src/core/data/errors.js'
import { Agent } from '../../../../src/page/agent.js'
import { compileTool, definitionHash } from '../../../../src/page/tools/compiled-tool.js'
import { lintTool } from '../../../../src/page/hints/lint-tool.js'
import type { CompiledTool } from '../../../../src/page/tools/registered-tool.js'
import { ToolRegistry } from '../../../../src/page/tools/registry.js'
import { defineTool, type AnyTool } from '../../../../src/page/tools/tool.js'
import { deferred } from '../../../support/lab/lab.js'
import { toolsFrom } from '../../../../src/page/tools/tools-from.js'

const page = { url: 'https://shop.example/cart', locale: 'en' }
const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does the work of ${name} for the signed-in customer.`,
  execute: () => 1,
  ...more,
})
const names = (registry: ToolRegistry) => registry.entries().map((entry) => entry.name)
/** A registry as in a connected agent: it compiles schemas when a tool is registered. */
function connected(onError?: (failure: Failure) => void): ToolRegistry {
  const registry = new ToolRegistry(onError && { onError })
  registry.compileWith(compileTool)
  return registry
}
const compiled = (registry: ToolRegistry, name: string) => registry.get(name) as CompiledTool
function thrown(work: () => unknown): ToolAgentError {
  try {
    work()
  } catch (error) {
    if (error instanceof ToolAgentError) return error
    throw error
  }
  throw new Error('was accepted')
}
/** What was logged meanwhile, with the hints, whose code is loaded when they are needed. */
async function told(work: () => unknown): Promise<string[]> {
  const lines: string[] = []
  const { warn, error } = console
  console.warn = console.error = (...values: unknown[]) => void lines.push(values.join(' '))
  try {
    await work()
    await import('../../../../src/page/hints/lint-tool.js')
    await new Promise(setImmediate)
  } finally {
    Object.assign(console, { warn, error })
  }
  return lines
}

test('what is being loaded is waited for, also if it fails, and what is loaded meanwhile as well', async () => {
  const registry = connected()
  const loads = [deferred<void>(), deferred<void>()] as const
  registry.expect(loads[0].promise.then(() => void registry.register(tool('a'))))
  let isReady = false
  const ready = registry.ready().then(() => {
    isReady = true
  })
  registry.expect(loads[1].promise)
  loads[0].resolve()
  await new Promise(setImmediate)
  expect(isReady).toBe(false)
  loads[1].reject(new Error('Not found'))
  await ready
  expect(names(registry)).toEqual(['a'])
})

test.describe('register', () => {
  test('gives a function that takes back what was registered, and nothing else', () => {
    const registry = new ToolRegistry()
    const first = registry.register([tool('a'), tool('b')])
    const second = registry.register(tool('a'), { replace: true })
    expect(names(registry)).toEqual(['a', 'b'])
    first()
    expect(names(registry)).toEqual(['a'])
    first()
    second()
    expect(names(registry)).toEqual([])
  })
  test('aborting the signal does the same, and the signal is let go when its tools are gone', { tag: '@C83' }, () => {
    const registry = new ToolRegistry()
    const controller = new AbortController()
    registry.register(tool('a'), { signal: controller.signal })
    for (let time = 0; time < 5; time++) registry.register(tool('a'), { signal: controller.signal, replace: true })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort()
    expect(names(registry)).toEqual([])
    const other = new AbortController()
    registry.register([tool('a'), tool('b')], { signal: other.signal })()
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(0)
  })
  test('with a signal that was aborted before nothing is registered', () => {
    const registry = new ToolRegistry()
    registry.register(tool('a'), { signal: AbortSignal.abort() })
    expect(names(registry)).toEqual([])
  })
  test('a list is registered whole or not at all', () => {
    const registry = new ToolRegistry()
    registry.register(tool('b'))
    let changes = 0
    registry.onChange(() => changes++)
    expect(thrown(() => registry.register([tool('a'), tool('b')])).code).toBe('duplicate-tool')
    expect(thrown(() => registry.register([tool('c'), tool('c')])).code).toBe('duplicate-tool')
    expect(thrown(() => registry.register([tool('d'), tool('e', { inputSchema: { query: 'string' } })])).code).toBe(
      'invalid-tool',
    )
    expect(names(registry)).toEqual(['b'])
    expect(changes).toBe(0)
  })
  test('changes are told until the listener leaves', () => {
    const registry = new ToolRegistry()
    let changes = 0
    const stop = registry.onChange(() => changes++)
    const unregister = registry.register([tool('a'), tool('b')])
    expect(changes).toBe(1)
    unregister()
    unregister()
    expect(changes).toBe(2)
    stop()
    registry.register(tool('a'))
    expect(changes).toBe(2)
  })
})

test.describe('refuses with what to do', () => {
  const cases: [string, unknown, RegExp][] = [
    ['no object', null, /object like \{ name.*received null/],
    ['an empty name', tool(''), /1 to 64 letters/],
    ['a name with a space', tool('find orders'), /name: expected 1 to 64 letters.*received "find orders"/],
    ['a name with a dot', tool('shop.find'), /1 to 64 letters/],
    ['a name of 65 letters', tool('a'.repeat(65)), /1 to 64 letters/],
    ['a name with a line break behind it', tool('a\n'), /1 to 64 letters/],
    ['a reserved name', tool('todo_write'), /built-in/],
    [
      'a description that is a number',
      { ...tool('a'), description: 5 },
      /description: expected a string or a function, received 5/,
    ],
    ['execute that is no function', { ...tool('a'), execute: 'x' }, /execute: expected a function, received "x"/],
    [
      'a schema that is none',
      tool('a', { inputSchema: 'x' as never }),
      /inputSchema: expected a schema .*received "x"/,
    ],
    [
      'an object of properties instead of a schema',
      tool('a', { inputSchema: { query: 'string' } }),
      /"query" is not a keyword of JSON Schema\. Use \{ type: 'object', properties: \{ query/,
    ],
    ['an object of zod schemas', tool('a', { inputSchema: { query: z.string() } as never }), /z\.object\(\{ query: /],
    [
      'a function inside a JSON Schema',
      tool('a', { inputSchema: { type: 'object', properties: { a: { check: () => 1 } } } as never }),
      /inputSchema: JSON cannot hold it \(a function at 'properties\.a\.check'\)/,
    ],
    ['a negative time-out', tool('a', { timeout: -1 }), /timeout: expected milliseconds from 0.*, received -1/],
    ['an endless time-out', tool('a', { timeout: Infinity }), /timeout: .*received Infinity/],
    ['half a retry', tool('a', { maxRetries: 0.5 }), /maxRetries: expected a whole number from 0, received 0\.5/],
    ['retries in words', { ...tool('a'), maxRetries: '3' }, /maxRetries: expected a whole number from 0, received "3"/],
    [
      'annotations that are a list',
      { ...tool('a'), annotations: ['readOnlyHint'] as never },
      /annotations: expected an object.*, received an array/,
    ],
    [
      'a hint in words',
      { ...tool('a'), annotations: { readOnlyHint: 'true' } as never },
      /annotations\.readOnlyHint: expected true or false, received "true"/,
    ],
    [
      'annotations with functions',
      { ...tool('a'), annotations: { x: () => 1 } as never },
      /annotations: .*a function at 'x'/,
    ],
    [
      'needsApproval in words',
      { ...tool('a'), needsApproval: 'yes' },
      /needsApproval: expected a boolean or a function, received "yes"/,
    ],
    [
      'returnDirect in words',
      { ...tool('a'), returnDirect: 'always' },
      /returnDirect: expected a boolean or 'if-last', received "always"/,
    ],
    [
      'a broken contextSchema',
      tool('a', { contextSchema: { user: 'string' } }),
      /contextSchema: "user" is not a keyword/,
    ],
    ['a broken outputSchema', tool('a', { outputSchema: 5 as never }), /outputSchema: expected a schema .*received 5/],
  ]
  for (const [title, value, message] of cases) {
    test(title, () => {
      const error = thrown(() => new ToolRegistry().register(value as AnyTool))
      expect(error.code).toBe('invalid-tool')
      expect(error.message).toMatch(message)
    })
  }
  test('an error names its tool', () => {
    expect(thrown(() => new ToolRegistry().register(tool('find_orders', { timeout: -1 }))).message).toMatch(
      /^Tool "find_orders": /,
    )
  })
})

test.describe('schemas that are compiled later', () => {
  test('a tool whose schema cannot be used is removed and reported, with its name', async () => {
    for (const isConnected of [true, false]) {
      const failures: Failure[] = []
      const registry = new ToolRegistry({ onError: (failure) => failures.push(failure) })
      if (isConnected) registry.compileWith(compileTool)
      registry.register([
        tool('text', { inputSchema: z.string() }),
        tool('list', { inputSchema: { type: 'array' } }),
        tool('good'),
        tool('context', { contextSchema: { type: 'array' } }),
        tool('output', { outputSchema: { type: 'objekt' } }),
      ])
      if (!isConnected) {
        expect(names(registry)).toEqual(['text', 'list', 'good', 'context', 'output'])
        registry.compileWith(compileTool)
      }
      await registry.ready()
      expect(names(registry)).toEqual(['good'])
      expect(failures.every(({ code }) => code === 'invalid-tool')).toBe(true)
      expect(failures.map(({ message }) => message).sort()).toEqual([
        expect.stringMatching(/^Tool "context": contextSchema: the root must be an object schema, received "array"/),
        expect.stringMatching(/^Tool "list": inputSchema: the root must be an object schema, received "array"/),
        expect.stringMatching(/^Tool "output": outputSchema: type is "objekt"/),
        expect.stringMatching(/^Tool "text": inputSchema: the root must be an object schema, received "string"/),
      ])
    }
  })
  test('a listener sees the other tools of a list from which one is removed', () => {
    const registry = connected(() => undefined)
    const seen: string[][] = []
    registry.onChange(() => seen.push(names(registry)))
    registry.register([tool('list', { inputSchema: { type: 'array' } }), tool('good')])
    expect(seen[0]).toEqual(['good'])
  })
  test('the schema of a tool is the one that was registered, also if its author changes the object', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } }
    const registry = new ToolRegistry()
    registry.register(tool('a', { inputSchema }))
    inputSchema.properties.a.type = 'number'
    registry.compileWith(compileTool)
    expect(compiled(registry, 'a').schema.jsonSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    })
  })
  test('a description shows a JSON Schema before it is compiled, and no properties of a library', () => {
    const registry = new ToolRegistry()
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } }
    registry.register([tool('json', { inputSchema }), tool('zod', { inputSchema: z.object({ a: z.string() }) })])
    const shown = (name: string) => registry.describe(registry.get(name)!, page).inputSchema
    expect(shown('json')).toEqual(inputSchema)
    expect(shown('zod')).toEqual({ type: 'object', properties: {} })
  })
  test('a tool whose code cannot be loaded stays, is reported, and is compiled at the next try', async () => {
    const failures: Failure[] = []
    const registry = new ToolRegistry({ onError: (failure) => failures.push(failure) })
    let isOnline = false
    registry.compileWith((entry) => {
      if (isOnline) return compileTool(entry)
      return Promise.reject(new ToolAgentError('unavailable', 'Tool "a": inputSchema: could not be loaded'))
    })
    registry.register(tool('a'))
    await registry.ready()
    expect(failures.map(({ code }) => code)).toContain('unavailable')
    expect(registry.get('a')?.schema).toBeUndefined()
    isOnline = true
    await registry.ready()
    expect(compiled(registry, 'a').schema.jsonSchema).toMatchObject({ type: 'object' })
  })
  test(
    'are there when ready, and those that cannot be converted are taken out and reported',
    { tag: '@R2.3' },
    async () => {
      const failures: Failure[] = []
      const registry = connected((failure) => failures.push(failure))
      let changes = 0
      registry.onChange(() => changes++)
      registry.register([
        tool('old', { inputSchema: z3.object({ a: z3.string() }) as never }),
        tool('small', { inputSchema: mini.object({ a: mini.string() }) }),
        tool('broken', { inputSchema: z3.object({ a: z3.string(), f: z3.function() }) as never }),
        tool('context', { contextSchema: z3.string() as never }),
      ])
      expect(names(registry)).toEqual(['old', 'small', 'broken', 'context'])
      await registry.ready()
      expect(names(registry)).toEqual(['old', 'small'])
      expect(failures.map(({ code }) => code)).toEqual(['invalid-tool', 'invalid-tool'])
      expect(failures.map(({ message }) => message).sort()).toEqual([
        expect.stringMatching(/^Tool "broken": inputSchema: .*lacks "f"/),
        expect.stringMatching(/^Tool "context": contextSchema: /),
      ])
      expect(changes).toBeGreaterThan(1)
      const { schema } = compiled(registry, 'old')
      expect(schema.jsonSchema).toMatchObject({ required: ['a'] })
      expect(await schema.validate({})).toEqual({ issues: [{ path: 'a', message: 'required (string)' }] })
    },
  )
  test('a failure does not take out the tool that has replaced it', async () => {
    const registry = connected(() => undefined)
    registry.register(tool('a', { inputSchema: z3.string() as never }))
    registry.register(tool('a'), { replace: true })
    await registry.ready()
    expect(names(registry)).toEqual(['a'])
  })
})

test.describe('the definition on offer', () => {
  const spec = (one: AnyTool, at = page) => {
    const registry = connected()
    registry.register(one)
    const entry = compiled(registry, one.name)
    return definitionHash(entry, registry.describe(entry, at))
  }
  test('has every default', () => {
    expect(spec(tool('find_orders'))).toEqual({
      name: 'find_orders',
      title: 'Find orders',
      description: 'Does the work of find_orders for the signed-in customer.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: {},
      exclusive: false,
      timeout: 15_000,
      maxRetries: 0,
      returnDirect: false,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
  test('a name becomes words', () => {
    for (const [name, title] of [
      ['findOrders', 'Find orders'],
      ['page-read', 'Page read'],
      ['GET_URL', 'GET URL'],
      ['_', '_'],
      ['a1', 'A1'],
    ] as const) {
      expect(spec(tool(name)).title).toBe(title)
    }
    expect(spec(tool('a', { title: 'Orders' })).title).toBe('Orders')
  })
  test('only what may run twice has retries', () => {
    expect(spec(tool('a', { maxRetries: 5 })).maxRetries).toBe(0)
    expect(spec(tool('a', { annotations: { idempotentHint: true } })).maxRetries).toBe(3)
    expect(spec(tool('a', { annotations: { readOnlyHint: true }, maxRetries: 1 })).maxRetries).toBe(1)
    expect(spec(tool('a', { annotations: { readOnlyHint: true }, maxRetries: 0 })).maxRetries).toBe(0)
  })
  test('unknown annotations are kept, the author’s object is not', () => {
    const annotations = { readOnlyHint: true, category: { icon: 'box' } }
    const registry = connected()
    registry.register(tool('a', { annotations }))
    const now = () => definitionHash(compiled(registry, 'a'), registry.describe(registry.get('a')!, page))
    const before = now()
    annotations.category.icon = 'changed'
    expect(before.annotations).toEqual({ readOnlyHint: true, category: { icon: 'box' } })
    expect(now().hash).toBe(before.hash)
  })
  test('the hash changes with name, title, description, schema and annotations, and with nothing else', () => {
    const base = tool('a', { inputSchema: { type: 'object', properties: { x: { type: 'string' } } } })
    const { hash } = spec(base)
    expect(spec({ ...base, execute: () => 2, timeout: 1 }).hash).toBe(hash)
    expect(spec({ ...base, inputSchema: { properties: { x: { type: 'string' } }, type: 'object' } }).hash).toBe(hash)
    for (const other of [
      { name: 'b' },
      { title: 'X' },
      { description: 'x' },
      { inputSchema: {} },
      { annotations: { readOnlyHint: true } },
    ]) {
      expect(spec({ ...base, ...other }).hash).not.toBe(hash)
    }
  })
  test('a description may depend on the page, and its text is no new definition', () => {
    const one = tool('a', { description: ({ url, locale }) => `Sees ${url} in ${locale}` })
    expect(spec(one).description).toBe('Sees https://shop.example/cart in en')
    expect(spec(one, { url: 'https://shop.example/', locale: 'de' }).hash).toBe(spec(one).hash)
  })
  test('without a description the title speaks, else the name', async () => {
    await told(() => {
      expect(spec({ name: 'find_orders', title: 'Orders' }).description).toBe('Orders')
      expect(spec({ name: 'find_orders', description: '  ' }).description).toBe('find_orders')
    })
  })
  test('a description that throws is reported and the title stands in', () => {
    for (const description of [
      () => {
        throw new Error('no locale')
      },
      () => 5 as never,
      async () => 'x' as never,
    ]) {
      const failures: Failure[] = []
      const registry = new ToolRegistry({ onError: (failure) => failures.push(failure) })
      registry.register(tool('a', { title: 'Orders', description: description as never }))
      expect(registry.describe(registry.get('a')!, page).description).toBe('Orders')
      expect(failures).toHaveLength(1)
      expect(failures[0]?.message).toMatch(/^Tool "a": its description function failed: /)
    }
  })
  test('invisible characters do not reach the model', () => {
    expect(spec(tool('a', { description: 'Read\u0000 all\u{E0041}\u202E files' })).description).toBe('Read all files')
  })
})

test.describe('hints for the author', () => {
  const hints = (one: AnyTool) =>
    told(async () => {
      const registry = connected()
      registry.lintWith(lintTool)
      registry.register(one)
      await registry.ready()
    })
  test('a good tool gets none', async () => {
    expect(
      await hints(tool('good_one', { inputSchema: z.object({ query: z.string().describe('What to look for') }) })),
    ).toEqual([])
  })
  test('each is given once for a tool, in words that help', async () => {
    const long = {
      name: `much_too_long_a_name_for_a_tool_${1}`,
      description: 'x'.repeat(501),
      inputSchema: { type: 'object', properties: { properties: { type: 'string', description: 'y'.repeat(151) } } },
    }
    const lines = await hints(long)
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).toMatch(/501 characters[^]*33 characters[^]*description of properties has 151/)
    expect(lines.every((line) => line.startsWith('[tool-agent] Tool "much_too_long'))).toBe(true)
    expect(await hints(long)).toEqual([])
    expect(await hints({ name: 'silent' })).toEqual([expect.stringContaining('no description')])
    expect(await hints({ name: 'thin', description: 'Gets it' })).toEqual([
      expect.stringContaining('short ("Gets it")'),
    ])
  })
  test('a description that is a function is looked at when it has spoken, once', async () => {
    const registry = connected()
    const offer = (at = page) =>
      void definitionHash(compiled(registry, 'speaks'), registry.describe(registry.get('speaks')!, at))
    expect(
      await told(
        () =>
          void registry.register(
            tool('speaks', {
              description: ({ url }) => (url === '' ? 'x'.repeat(501) : `Finds what the page ${url} is about.`),
            }),
          ),
      ),
    ).toEqual([])
    expect(await told(() => offer())).toEqual([])
    expect(await told(() => offer({ ...page, url: '' }))).toEqual([expect.stringContaining('501 characters')])
    expect(await told(() => offer({ ...page, url: '' }))).toEqual([])
  })
  test('fields of other libraries are pointed out', async () => {
    expect(await hints({ ...tool('foreign'), execute: undefined, handler: () => 1, parameters: {} } as never)).toEqual([
      expect.stringContaining('"execute"'),
      expect.stringContaining('"inputSchema"'),
    ])
  })
  test('fields, annotations and hooks that do not exist do not compile in an object literal', async () => {
    const registry = new ToolRegistry()
    const attempt = (work: () => unknown) => expect(work).toThrow(ToolAgentError)
    const [one, two] = ['compiles_a', 'compiles_b'].map((name) => ({
      name,
      description: 'Cancels one order of the user',
    })) as [{ name: string; description: string }, { name: string; description: string }]
    await told(() => {
      // @ts-expect-error the annotation is destructiveHint
      attempt(() => registry.register({ ...one, annotations: { destructive: true } }))
      attempt(() =>
        registry.register(
          // @ts-expect-error the annotation is destructiveHint
          defineTool({ ...two, inputSchema: z.object({}), annotations: { destructive: true }, execute: () => 'ok' }),
        ),
      )
      // @ts-expect-error the hook is beforeTool
      attempt(() => new Agent({ hooks: { onBeforeTool: () => undefined } }))
      // @ts-expect-error the field is needsApproval
      attempt(() => registry.register({ ...one, needApproval: true }))
      const agent = new Agent()
      const inputSchema = { type: 'object', properties: { id: { type: 'string' } } } as const
      attempt(() =>
        // @ts-expect-error the field is needsApproval
        agent.registerTool({ ...one, inputSchema, needApproval: true, execute: ({ id }) => id }),
      )
      // @ts-expect-error the field is needsApproval
      attempt(() => agent.registerTool(defineTool({ ...two, inputSchema, confirm: true, execute: ({ id }) => id })))
      // @ts-expect-error the option is limits.steps
      attempt(() => new Agent({ limits: { maxSteps: 3 } }))
      // @ts-expect-error the option is toolContext
      attempt(() => new Agent({ toolContxt: {} }))
      // @ts-expect-error the option is instructions
      attempt(() => agent.configure({ systemPrompt: '' }))
      registry.register({
        name: 'compiles_c',
        description: 'Cancels one order of the user',
        annotations: { destructiveHint: true, title: 'Cancel' },
      })
    })
  })
  test('a schema converted later is looked at, too', async () => {
    expect(
      await hints(
        tool('late', { inputSchema: mini.object({ a: mini.string().check(mini.describe('y'.repeat(151))) }) }),
      ),
    ).toEqual([expect.stringContaining('description of a has 151')])
  })
})

test.describe('toolsFrom', () => {
  test('the keys are the names, behind the prefix', () => {
    const tools = toolsFrom(
      { find: { description: 'Finds' }, add: { description: 'Adds', execute: () => 1 } },
      { prefix: 'shop_' },
    )
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['shop_find', 'Finds'],
      ['shop_add', 'Adds'],
    ])
    expect(toolsFrom({ find: {} })[0]?.name).toBe('find')
  })
  test('a bare function, and an object without tools of its own, throw and say what is expected', () => {
    class Tools {
      add() {
        return 1
      }
    }
    for (const [given, got] of [
      [{ add: () => 1 }, 'received add: a function'],
      [new Tools(), 'methods of a class'],
      [{}, 'without own properties'],
      [{ add: 'x' }, 'received add: "x"'],
    ] as const) {
      expect(() => toolsFrom(given as never)).toThrow(
        expect.objectContaining({ code: 'invalid-tool', message: expect.stringContaining(got) }),
      )
      expect(() => toolsFrom(given as never)).toThrow('execute: add')
    }
  })
  test('what is no object of tools throws and says what was given', () => {
    const list = [tool('one')]
    for (const [given, got] of [
      [null, 'null'],
      [undefined, 'undefined'],
      [() => 1, 'a function'],
      ['x', '"x"'],
      [list, 'an array'],
      [{ add: null }, 'add: null'],
      [{ add: list }, 'add: an array'],
      [new Map([['add', list[0]]]), 'an object without own properties'],
    ] as const) {
      expect(() => toolsFrom(given as never), got).toThrow(
        expect.objectContaining({ code: 'invalid-tool', message: expect.stringContaining(`received ${got}`) }),
      )
    }
  })
  test('input types come from the schemas, and tools that others made fit, too', async () => {
    const tools = toolsFrom({
      shout: {
        inputSchema: z.object({ query: z.string() }),
        execute: ({ query }) => query.toUpperCase(),
        needsApproval: ({ query }) => query.length > 3,
      },
      look: { execute: (input, { sessionId }) => [input, sessionId] },
    })
    expect(await tools[0]?.execute?.({ query: 'tea' } as never, {} as never)).toBe('TEA')
    const made: Record<string, AnyTool> = { a: tool('one') }
    expect(toolsFrom(made).map(({ name }) => name)).toEqual(['a'])
    // @ts-expect-error the schema has no such property
    toolsFrom({ shout: { inputSchema: z.object({ query: z.string() }), execute: ({ other }) => other.trim() } })
  })
})
