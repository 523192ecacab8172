// What an author reads about a mistake: every option with a wrong value, and mistakes with tools, schemas, results,
// contexts and calls. Each message names what is wrong and what to do.
import { z } from 'zod'
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { Agent } from '../../../src/page/agent.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import { toolsFrom } from '../../../src/page/tools/tools-from.js'
import type { AnyTool } from '../../../src/page/tools/tool.js'
import {
  checkSetting,
  elementOptions,
  settingProperties,
  unknownAttribute,
} from '../../../src/ui/element/element-options.js'
import { expect, test, type Bench } from '../../support/lab/lab.js'
import { revive, wrongOptions, type OptionName } from '../../support/project/wrong-options.js'

/** What was logged or thrown meanwhile. */
async function told(work: () => unknown): Promise<string[]> {
  const lines: string[] = []
  const { warn, error } = console
  console.warn = console.error = (_prefix: unknown, ...values: unknown[]) => void lines.push(values.join(' '))
  try {
    await work()
  } catch (thrown) {
    if (!(thrown instanceof ToolAgentError)) throw thrown
    lines.push(`${thrown.code}: ${thrown.message}`)
  } finally {
    Object.assign(console, { warn, error })
  }
  return lines
}

test('the table of wrong values has every option', () => {
  expect(Object.keys(wrongOptions).sort()).toEqual([...Object.keys(elementOptions), 'agent'].sort())
})

const isSetting = (name: string): name is (typeof settingProperties)[number] =>
  (settingProperties as readonly string[]).includes(name)

for (const [name, values] of Object.entries(wrongOptions) as [OptionName, (typeof wrongOptions)[OptionName]][]) {
  // Only an element has it: see the browser specs.
  if (name === 'agent') continue
  for (const [value, says] of values) {
    const shown = JSON.stringify(value).slice(0, 60)
    test(`${name}: ${shown} is refused with its name, the value and what to write`, async () => {
      const lines = await told(() => {
        if (isSetting(name)) checkSetting(name, revive(value))
        else new Agent({ [name]: revive(value) })
      })
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^invalid-option: ${name}\\b`))])
      expect(lines[0]).toMatch(says)
      expect(lines[0], 'a key must not be in the console').not.toContain('secret-1')
    })
  }
}

test('an address is encrypted, of localhost, or of the own page, whose encryption it has', () => {
  const { location } = globalThis
  const allowed = (page: string, name: 'endpoint' | 'host') => {
    Object.assign(globalThis, { location: new URL(page) })
    return ['https', 'http', 'wss', 'ws', 'ftp'].flatMap((protocol) =>
      ['other.example', 'localhost', 'own.example']
        .filter((host) => {
          try {
            return new Agent({ [name]: `${protocol}://${host}/v1` })
          } catch {
            return false
          }
        })
        .map((host) => `${protocol} ${host.replace('.example', '')}`),
    )
  }
  const encrypted = (protocol: string) => ['other', 'localhost', 'own'].map((host) => `${protocol} ${host}`)
  try {
    for (const [page, own] of [
      ['https://own.example/', []],
      ['http://own.example/', ['own']],
    ] as const) {
      const plain = (protocol: string) => ['localhost', ...own].map((host) => `${protocol} ${host}`)
      expect(allowed(page, 'endpoint')).toEqual([...encrypted('https'), ...plain('http')])
      expect(allowed(page, 'host')).toEqual([
        ...encrypted('https'),
        ...plain('http'),
        ...encrypted('wss'),
        ...plain('ws'),
      ])
    }
  } finally {
    if (location) Object.assign(globalThis, { location })
    else Reflect.deleteProperty(globalThis, 'location')
  }
})

const good = { name: 'find', description: 'Finds products of the shop by their names.', execute: () => 1 }
const registered = (tool: unknown) => () => new Agent().registerTool(tool as AnyTool)
/** Registers a tool with a connected agent, whose model calls it once. */
const called =
  (tool: object, input: object = {}, options: object = {}) =>
  async (lab: { start(script: object[], options: object): Promise<Bench> }) => {
    const name = String((tool as { name?: string }).name)
    const script = [{ calls: [{ name, arguments: input }] }, { text: 'ok' }]
    const { agent } = await lab.start(script as never, { logErrors: true, ...options } as never)
    agent.registerTool(tool as AnyTool)
    await agent.send('Go')
  }

/** The mistake → what does it, and what is said. All that can be found without a connection. */
const mistakes: readonly (readonly [string, () => unknown, RegExp])[] = [
  // Names of options.
  [
    'endpiont',
    () => new Agent({ endpiont: '/v1' } as object),
    /endpiont: there is no such option\. Did you mean "endpoint"/,
  ],
  ['apiKey', () => new Agent({ apiKey: 'x' } as object), /apiKey: .*Did you mean "headers"/],
  ['systemPrompt', () => new Agent({ systemPrompt: 'x' } as object), /Did you mean "instructions"/],
  ['maxSteps', () => new Agent({ maxSteps: 3 } as object), /Did you mean "limits"/],
  [
    'an option that resembles nothing',
    () => new Agent({ colour: 'red' } as object),
    /colour: .*There are: endpoint, model/,
  ],
  ['options that are a text', () => new Agent('/v1' as never), /options: expected an object, received "\/v1"/],
  // Attributes.
  ['endpiont=', () => warn(unknownAttribute('endpiont')?.message), /no attribute endpiont\. Did you mean endpoint\?/],
  [
    'page-tool=',
    () => warn(unknownAttribute('page-tool')?.message),
    /no attribute page-tool\. Did you mean page-tools\?/,
  ],
  ['modell=', () => warn(unknownAttribute('modell')?.message), /no attribute modell\. Did you mean model\?/],
  ['api-key=', () => warn(unknownAttribute('api-key')?.message), /Set the property headers from a script/],
  [
    'weather=',
    () => warn(unknownAttribute('weather')?.message),
    /no attribute weather\. It has no effect\. .*data-weather/,
  ],
  // Tools.
  [
    'a tool that is a function',
    registered(() => 1),
    /expected an object like \{ name, description, inputSchema, execute \}/,
  ],
  ['no name', registered({ ...good, name: undefined }), /name: expected 1 to 64 letters/],
  [
    'a name with a space',
    registered({ ...good, name: 'find it' }),
    /name: expected 1 to 64 letters.*received "find it"/,
  ],
  ['a reserved name', registered({ ...good, name: 'todo_write' }), /a built-in tool has this name; choose another/],
  ['handler', registered({ ...good, name: 'm_handler', execute: undefined, handler: 1 }), /Did you mean "execute"/],
  ['parameters', registered({ ...good, name: 'm_parameters', parameters: {} }), /Did you mean "inputSchema"/],
  ['schema', registered({ ...good, name: 'm_schema', schema: {} }), /Did you mean "inputSchema"/],
  [
    'descripton',
    registered({ ...good, name: 'm_desc', description: undefined, descripton: 'x' }),
    /Did you mean "description"/,
  ],
  [
    'needApproval',
    registered({ ...good, needApproval: true }),
    /Write needsApproval, or it would run without this protection/,
  ],
  ['confirm', registered({ ...good, confirm: true }), /Write needsApproval/],
  [
    'destructive in annotations',
    registered({ ...good, annotations: { destructive: true } }),
    /Write annotations\.destructiveHint/,
  ],
  [
    'a hint in words',
    registered({ ...good, annotations: { readOnlyHint: 'yes' } }),
    /annotations\.readOnlyHint: expected true or false/,
  ],
  [
    'needsApproval in words',
    registered({ ...good, needsApproval: 'yes' }),
    /needsApproval: expected a boolean or a function, received "yes"/,
  ],
  [
    'question in words',
    registered({ ...good, question: 'Really?' }),
    /question: expected a function, received "Really\?"/,
  ],
  ['execute that is its result', registered({ ...good, execute: 5 }), /execute: expected a function, received 5/],
  ['summary in words', registered({ ...good, summary: 'Done' }), /summary: expected a function, received "Done"/],
  [
    'returnDirect in words',
    registered({ ...good, returnDirect: 'yes' }),
    /returnDirect: expected a boolean or 'if-last'/,
  ],
  [
    'a time-out in words',
    registered({ ...good, timeout: '5s' }),
    /timeout: expected milliseconds from 0.*received "5s"/,
  ],
  ['half a retry', registered({ ...good, maxRetries: 0.5 }), /maxRetries: expected a whole number from 0/],
  ['the same name twice', registered([good, good]), /Tool "find" is in the list twice: give each its own name/],
  [
    'a name that is taken',
    () => new Agent({ tools: [good] }).registerTool(good),
    /Tool "find" is already registered: unregister it, or pass \{ replace: true \}/,
  ],
  ['toolsFrom with a function', () => toolsFrom({ add: (() => 1) as never }), /toolsFrom: expected tools by name/],
  [
    'agentTool without instructions',
    () => agentTool({ name: 'find', instructions: '' }),
    /instructions: expected a text/,
  ],
  [
    'a renderer that is an element',
    () => new Agent().registerToolRenderer('find', {} as never),
    /registerToolRenderer: expected a function/,
  ],
  [
    'a provider that is a list',
    () => new Agent().registerToolProvider([] as never),
    /registerToolProvider: expected a function/,
  ],
  // Schemas.
  [
    '{ query: "string" }',
    registered({ ...good, inputSchema: { query: 'string' } }),
    /Use \{ type: 'object', properties: \{ query/,
  ],
  ['{ query: z.string() }', registered({ ...good, inputSchema: { query: z.string() } }), /z\.object\(\{ query: /],
  ['a schema in words', registered({ ...good, inputSchema: 'query' }), /inputSchema: expected a schema \(zod,/],
  [
    'a function in a schema',
    registered({ ...good, inputSchema: { type: 'object', properties: { a: { check: () => 1 } } } }),
    /JSON cannot hold it \(a function at 'properties\.a\.check'\)/,
  ],
  [
    'a contextSchema of types',
    registered({ ...good, contextSchema: { user: 'string' } }),
    /contextSchema: "user" is not a keyword/,
  ],
  ['an outputSchema that is none', registered({ ...good, outputSchema: 5 }), /outputSchema: expected a schema/],
  // The context.
  [
    'remember with a function',
    () => new Agent().remember('user', (() => 1) as never),
    /remember\.user: JSON cannot hold it/,
  ],
  [
    'a class in the context',
    () => new Agent({ toolContext: { cart: new Map() as never } }),
    /toolContext\.cart: .*a Map/,
  ],
]
/** Says a message as the element does. */
function warn(message: string | undefined): void {
  console.warn('[tool-agent]', message)
}

for (const [title, work, says] of mistakes) {
  test(`a mistake: ${title}`, async () => {
    const lines = await told(work)
    expect(lines, 'said once').toEqual([expect.stringMatching(says)])
  })
}

const plain = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
/** The same for those that are found when the agent is connected or a call runs. */
const later: readonly (readonly [string, ReturnType<typeof called>, RegExp])[] = [
  [
    'required that names no property',
    called(
      { ...good, name: 'l_required', inputSchema: plain({ a: { type: 'string' } }, { required: ['b'] }) },
      { b: 1 },
    ),
    /Tool "l_required": required names "b", which properties does not have.*add it to properties/,
  ],
  [
    'required of an object inside',
    called(
      { ...good, name: 'l_inner', inputSchema: plain({ box: plain({ a: {} }, { required: ['size', 'a'] }) }) },
      { box: { size: 1, a: 1 } },
    ),
    /required of box names "size"/,
  ],
  [
    'a tool without execute',
    called({ ...good, name: 'l_execute', execute: undefined }),
    /Tool "l_execute": it has no execute function, so it is offered only in turns of step\(\)\. Add execute/,
  ],
  [
    'a result that is a function',
    called({ ...good, name: 'l_function', execute: () => () => 1 }),
    /Tool "l_function" failed .*not-serializable: .*is a function/,
  ],
  [
    'a symbol inside of a result',
    called({ ...good, name: 'l_symbol', execute: () => ({ kind: Symbol('tea') }) }),
    /Tool "l_symbol" failed .*not-serializable: .*kind.* is a symbol/,
  ],
  [
    'a result that throws when it is read',
    called({
      ...good,
      name: 'l_getter',
      execute: () => ({
        get total() {
          throw new Error('no cart')
        },
      }),
    }),
    /Tool "l_getter" failed .*not-serializable: .*throws when it is read/,
  ],
  [
    'a tool that throws',
    called({
      ...good,
      name: 'l_throws',
      execute: () => {
        throw new TypeError('cart is undefined')
      },
    }),
    /Tool "l_throws" failed in call .*TypeError: cart is undefined/,
  ],
  [
    'a context that does not match',
    called({ ...good, name: 'l_context', contextSchema: z.object({ user: z.string() }) }),
    /Tool "l_context": .*Wrong or missing: user\. .*Set them in the option toolContext/,
  ],
  [
    'no description',
    called({ name: 'l_description', execute: () => 1 }),
    /Tool "l_description": it has no description\. Say what/,
  ],
  ['a short description', called({ ...good, name: 'l_short', description: 'Finds' }), /its description is short/],
  ['a long name', called({ ...good, name: `l_${'x'.repeat(40)}` }), /its name has 42 characters/],
  [
    'a default of another type',
    called({ ...good, name: 'l_default', inputSchema: plain({ count: { type: 'integer', default: 'one' } }) }),
    /the default of "count" does not match its own schema/,
  ],
  [
    'a wrong type in a schema',
    called({ ...good, name: 'l_type', inputSchema: plain({ a: { type: 'strin' } }) }),
    /Tool "l_type": inputSchema: .*"strin"/,
  ],
  [
    'required that is a text',
    called({ ...good, name: 'l_text', inputSchema: plain({ a: {} }, { required: 'a' }) }),
    /Tool "l_text": inputSchema: .*required is "a": expected an array of property names/,
  ],
  [
    'required inside of a property',
    called({ ...good, name: 'l_within', inputSchema: plain({ a: { type: 'string', required: true } }) }, { a: 'x' }),
    /Tool "l_within": inputSchema: .*required is true: expected an array of property names, beside "properties"/,
  ],
  [
    'a schema of a list',
    called({ ...good, name: 'l_list', inputSchema: { type: 'array' } }),
    /the root must be an object schema/,
  ],
  [
    'an output that its schema does not allow',
    called({ ...good, name: 'l_output', outputSchema: { type: 'string' } }),
    /The output of 'l_output' does not match its outputSchema: expected string, received number/,
  ],
  [
    'a summary that is a number',
    called({ ...good, name: 'l_summary', summary: (() => 5) as never }),
    /l_summary.*summary/,
  ],
  [
    'a question that throws',
    called({
      ...good,
      name: 'l_question',
      question: () => {
        throw new Error('no cart')
      },
    }),
    /Tool "l_question" failed .*no cart/,
  ],
  [
    'a hook that throws',
    called(
      { ...good, name: 'l_hook' },
      {},
      {
        hooks: {
          beforeTool: () => {
            throw new Error('no user')
          },
        },
      },
    ),
    /no user/,
  ],
]

for (const [title, work, says] of later) {
  test(`a mistake: ${title}`, async ({ lab }) => {
    const lines = await told(() => work(lab as never).catch(() => undefined))
    expect(
      lines.filter((line) => says.test(line)),
      lines.join('\n'),
    ).toHaveLength(1)
  })
}

test('a cycle and a BigInt in a result are no mistake: the model reads them', async ({ lab }) => {
  const cart: Record<string, unknown> = { total: 5n }
  cart['self'] = cart
  const lines = await told(() => called({ ...good, name: 'l_cycle', execute: () => cart })(lab))
  expect(lines).toEqual([])
})

test('the lists have at least 60 mistakes beside the values of options', () => {
  expect(mistakes.length + later.length).toBeGreaterThanOrEqual(60)
})

for (const [title, send, says] of [
  ['an empty message', (agent: Agent) => agent.send(''), /invalid-option: .*empty/],
  ['a mistyped option', (agent: Agent) => agent.send('Go', { abortSignal: 1 } as never), /Did you mean "signal"/],
  ['a tool that does not exist', (agent: Agent) => agent.send('Go', { activeTools: ['fnd'] }), /fnd/],
  ['a schema of a text', (agent: Agent) => agent.send('Go', { output: z.string() as never }), /root must be an object/],
  ['an unknown tool', (agent: Agent) => agent.callTool('fnd'), /unknown-tool: .*fnd/],
  ['wrong arguments', (agent: Agent) => agent.callTool('find', { id: 5 }), /invalid-input: /],
  ['a call id that does not exist', (agent: Agent) => agent.approve('call_9'), /invalid-option: .*call_9/],
] as const) {
  test(`a mistake of a caller: ${title}`, async ({ lab }) => {
    const { agent } = await lab.start([], {})
    agent.registerTool(good)
    expect((await told(() => send(agent))).at(-1)).toMatch(says)
  })
}

test('without a model the error says what to set', async () => {
  expect((await told(() => new Agent().send('Go'))).join('\n')).toMatch(/no-endpoint: .*endpoint="\/v1".*modelAdapter/)
})
