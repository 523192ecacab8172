// Names that do not exist: fields of tools, annotations, hooks, limits and options. Each is reported with the name to use,
// and one that would leave out a protection throws.
import { expect, test } from 'playwright/test'
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import { internals } from '../../../../src/core/data/tool.js'
import { mcpTools } from '../../../../src/mcp.js'
import { Agent } from '../../../../src/page/agent.js'
import { parseSendOptions } from '../../../../src/page/client/send-options.js'
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import { ToolRegistry } from '../../../../src/page/tools/registry.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'

/** What was logged or thrown meanwhile. */
function told(work: () => unknown): string[] {
  const lines: string[] = []
  const { warn, error } = console
  console.warn = console.error = (...values: unknown[]) => void lines.push(values.join(' '))
  try {
    work()
  } catch (thrown) {
    if (!(thrown instanceof ToolAgentError)) throw thrown
    lines.push(`${thrown.code}: ${thrown.message}`)
  } finally {
    Object.assign(console, { warn, error })
  }
  return lines
}

let count = 0
const registered = (more: object, source?: string) => {
  const registry = new ToolRegistry()
  const tool = { name: `wrong_${count++}`, description: 'Deletes one order of the visitor.', ...more } as AnyTool
  const lines = told(() => registry.register(tool, source === undefined ? {} : { source }))
  return { lines, isOffered: registry.entries().length === 1 }
}

/** Field → the name that is suggested. */
const suggested = {
  // Spelling.
  returnsDirect: 'returnDirect',
  return_direct: 'returnDirect',
  time_out: 'timeout',
  timeOut: 'timeout',
  tiemout: 'timeout',
  tittle: 'title',
  descripton: 'description',
  Description: 'description',
  InputSchema: 'inputSchema',
  'input-schema': 'inputSchema',
  inputShema: 'inputSchema',
  contextschema: 'contextSchema',
  excute: 'execute',
  sumary: 'summary',
  maxRetry: 'maxRetries',
  exclusiv: 'exclusive',
  output_schema: 'outputSchema',
  toModelOuput: 'toModelOutput',
  // Other libraries.
  parameters: 'inputSchema',
  params: 'inputSchema',
  schema: 'inputSchema',
  args: 'inputSchema',
  argsSchema: 'inputSchema',
  input_schema: 'inputSchema',
  jsonSchema: 'inputSchema',
  zodSchema: 'inputSchema',
  handler: 'execute',
  run: 'execute',
  func: 'execute',
  invoke: 'execute',
  callback: 'execute',
  _call: 'execute',
  label: 'title',
  desc: 'description',
  experimental_toToolResultContent: 'toModelOutput',
  retries: 'maxRetries',
  // Annotations beside the field.
  readOnlyHint: 'readOnlyHint',
  readonly: 'readOnlyHint',
  idempotent: 'idempotentHint',
}

for (const [field, name] of Object.entries(suggested)) {
  test(`the field ${field} is reported with the name ${name}`, () => {
    const tool = { [field]: 'x', ...(name === 'description' ? { description: undefined } : {}) }
    const { lines, isOffered } = registered(tool)
    expect(lines).toEqual([expect.stringContaining(`"${field}" is not a field of a tool`)])
    expect(lines[0]).toMatch(new RegExp(`Did you mean "${name}"(, in annotations)?\\?$`))
    expect(isOffered).toBe(true)
  })
}

for (const [field, name] of [
  ['descripton', 'description'],
  ['inputShema', 'inputSchema'],
  ['exectue', 'execute'],
] as const)
  test(`the field ${field} is reported beside ${name} as well`, () => {
    const { lines, isOffered } = registered({
      description: 'Adds.',
      inputSchema: { type: 'object' },
      execute: () => 1,
      [field]: 'x',
    })
    expect(lines).toEqual([expect.stringMatching(new RegExp(`"${field}" .*"${name}" is there as well: remove one`))])
    expect(isOffered).toBe(true)
  })

for (const field of [
  'needApproval',
  'needsApprovals',
  'needs_approval',
  'needsapproval',
  'NeedsApproval',
  'needsAproval',
  'requireApproval',
  'requiresApproval',
  'require_approval',
  'approval',
  'approve',
  'confirm',
  'confirmation',
  'requireConfirmation',
  'requiresConfirmation',
  'askUser',
  'humanInTheLoop',
  'renderAndWaitForResponse',
  'annotation',
  'anotations',
  'hints',
  'destructiveHint',
  'destructive',
  'consequentialHint',
  'untrustedContentHint',
  'dangerous',
]) {
  test(`the field ${field} would leave out a protection, so the tool is refused`, () => {
    const { lines, isOffered } = registered({ [field]: true, execute: () => 1 })
    expect(lines).toEqual([
      expect.stringMatching(/^invalid-tool: Tool "wrong_\d+": .* is not a field of a tool\. Write /),
    ])
    expect(lines[0]).toMatch(/Write (?:needsApproval|annotations(?:\.\w+Hint)?),/)
    expect(isOffered).toBe(false)
  })
}

for (const [annotation, says] of [
  ['read_only', /Did you mean "readOnlyHint"/],
  ['readOnly', /Did you mean "readOnlyHint"/],
  ['idempotenHint', /Did you mean "idempotentHint"/],
  ['openWorld', /Did you mean "openWorldHint"/],
  ['nonsense', /has no effect/],
  ['destructive', /^invalid-tool: .*Write annotations\.destructiveHint/],
  ['destructivHint', /^invalid-tool: .*Write annotations\.destructiveHint/],
  ['consequential_hint', /^invalid-tool: .*Write annotations\.consequentialHint/],
  ['untrusted', /^invalid-tool: .*Write annotations\.untrustedContentHint/],
  ['needsApproval', /^invalid-tool: .*Write needsApproval/],
  ['confirm', /^invalid-tool: .*Write needsApproval/],
] as const) {
  test(`the annotation ${annotation} is reported or refused`, () => {
    const { lines } = registered({ annotations: { [annotation]: true } })
    expect(lines).toEqual([expect.stringContaining(`"${annotation}" is not an annotation`)])
    expect(lines[0]).toMatch(says)
  })
}

test('a field that resembles nothing is reported once, and the tool is offered', () => {
  const tool = { name: 'coloured', description: 'Paints the page of the visitor.', colour: 'red', execute: () => 1 }
  const register = () => new ToolRegistry().register(tool)
  expect(told(register)).toEqual([
    '[tool-agent] Tool "coloured": "colour" is not a field of a tool and has no effect. ' +
      'A field of your own can be named "x-colour"',
  ])
  expect(told(register)).toEqual([])
})

test('fields of the author, fields of a class, and names of two libraries in one object are no mistake', () => {
  class Mine {
    name = 'mine'
    description = 'Counts the visits of the visitor.'
    visits = 0
    execute() {
      return this.visits
    }
  }
  expect(told(() => new ToolRegistry().register(new Mine()))).toEqual([])
  const both = {
    _meta: { approval: true },
    'x-confirm': true,
    'X-other': 1,
    parameters: {},
    inputSchema: { type: 'object' },
    handler: 1,
    execute: () => 1,
    requiresApproval: true,
    needsApproval: () => true,
    title: 'Both',
    label: 'Both',
  }
  expect(registered(both)).toEqual({ lines: [], isOffered: true })
  expect(registered({ needsApproval: false, requiresApproval: true }).isOffered).toBe(false)
})

test('a mistyped class field is found, too', () => {
  class Mine {
    name = 'mine_too'
    description = 'Deletes the account of the visitor.'
    needApproval = true
  }
  expect(told(() => new ToolRegistry().register(new Mine()))).toEqual([expect.stringContaining('Write needsApproval')])
})

test('a discovered tool is taken as it is, and a provider may pass on annotations of others', () => {
  const foreign = { confirm: true, needApproval: true, parameters: {}, annotations: { destructive: true, x: 1 } }
  expect(registered({ ...foreign, [internals]: { isDiscovered: true } }, 'provider')).toEqual({
    lines: [],
    isOffered: true,
  })
  expect(registered({ ...foreign, [internals]: { isDiscovered: true } })).toEqual({ lines: [], isOffered: true })
  expect(registered({ annotations: foreign.annotations }, 'provider')).toEqual({ lines: [], isOffered: true })
  expect(registered({ needApproval: true }, 'provider').isOffered).toBe(false)
})

test('the tools of an agent tool are looked at as well', () => {
  const inner = { name: 'inner', description: 'Deletes one order of the visitor.', needApproval: true } as AnyTool
  const outer = agentTool({
    name: 'outer',
    description: 'Cleans up for the visitor.',
    instructions: 'Go',
    tools: [inner],
  })
  expect(told(() => new ToolRegistry().register(outer))).toEqual([
    expect.stringContaining('Tool "inner": "needApproval"'),
  ])
})

for (const [options, says] of [
  [{ endpiont: '/v1' }, 'endpiont: there is no such option. Did you mean "endpoint"?'],
  [{ baseURL: '/v1' }, 'baseURL: there is no such option. Did you mean "endpoint"?'],
  [{ systemPrompt: 'x' }, 'systemPrompt: there is no such option. Did you mean "instructions"?'],
  [{ api_key: 'x' }, 'api_key: there is no such option. Did you mean "headers"?'],
  [{ aproval: 'always' }, 'aproval: there is no such option. Did you mean "approval"?'],
  [{ tool_context: {} }, 'tool_context: there is no such option. Did you mean "toolContext"?'],
  [{ onUnknownTool: 1 }, 'onUnknownTool: there is no such option. Did you mean "onToolError"?'],
  [{ onInvalidInput: 1 }, 'onInvalidInput: there is no such option. Did you mean "onToolError"?'],
  [{ onToolCall: 1 }, 'onToolCall: there is no such option. Did you mean "hooks"?'],
  [
    { exposeErrors: 'all' },
    "exposeErrors: expected 'message' or 'generic' (a text of your own: onToolError), received \"all\"",
  ],
  [{ limits: { step: 3 } }, 'limits.step: there is no such limit. Did you mean "steps"?'],
  [{ limits: { maxSteps: 3 } }, 'limits.maxSteps: there is no such limit. Did you mean "steps"?'],
  [{ limits: { timeout: 3 } }, 'limits.timeout: there is no such limit. Did you mean "turn"?'],
  [{ todo: { afterRound: 3 } }, 'todo.afterRound: there is no such option. Did you mean "afterRounds"?'],
  [{ contextWindow: { token: 3 } }, 'contextWindow.token: there is no such option. Did you mean "tokens"?'],
  [
    { hooks: { beforeToolCall: 1 } },
    'hooks.beforeToolCall is not a hook and is never called. Did you mean "beforeTool"?',
  ],
  [{ hooks: { beforTool: 1 } }, 'hooks.beforTool is not a hook and is never called. Did you mean "beforeTool"?'],
  [{ hooks: { preToolUse: 1 } }, 'hooks.preToolUse is not a hook and is never called. Did you mean "beforeTool"?'],
] as const) {
  test(`the options ${JSON.stringify(options)} are refused with the name to use`, () => {
    expect(told(() => new Agent(options as object))).toEqual([`invalid-option: ${says}`])
  })
}

for (const [options, says] of [
  [{ toolsMode: 'replace' }, 'send: toolsMode: there is no such option. Did you mean "activeTools"?'],
  [{ outputMode: 'json' }, 'send: outputMode: there is no such option. Did you mean "output"?'],
  [{ abortSignal: 1 }, 'send: abortSignal: there is no such option. Did you mean "signal"?'],
] as const) {
  test(`the send options ${JSON.stringify(options)} are refused with the name to use`, () => {
    expect(told(() => parseSendOptions(options))).toEqual([`invalid-option: ${says}`])
  })
}

test('an option that protects the visitor gets its strictest value while it is wrong', async () => {
  const agent = new Agent({ approval: 'off', scope: 'user-1' })
  expect(told(() => agent.setOption('approval', 'allways'))).toEqual([expect.stringContaining('approval: expected')])
  expect(agent.options.approval).toBe('always')
  expect(told(() => agent.setOption('scope', 42))).toEqual(['invalid-option: scope: expected a string, received 42'])
  expect(agent.options.scope).toMatch(/^invalid-.{8}/)
  expect(told(() => agent.setOption('hooks', { beforTool: () => undefined }))).toHaveLength(1)
  expect(await agent.options.hooks?.beforeTool?.({} as never, {} as never)).toEqual({ refuse: expect.any(String) })
  expect(told(() => agent.setOption('resume', 'never'))).toHaveLength(1)
  expect(agent.options.resume).toBeUndefined()
  agent.setOption('approval', 'off')
  agent.setOption('scope', undefined)
  agent.setOption('hooks', undefined)
  expect(agent.options).toEqual({ approval: 'off' })
})

test('a hook that guards nothing is reported once', () => {
  const hooks = { prepareStep: () => undefined, onToolEnd: () => undefined, nonsense: 1, 'x-mine': 1 } as object
  expect(told(() => new Agent({ hooks }))).toEqual([
    '[tool-agent] hooks.prepareStep is not a hook and is never called. Did you mean "beforeModel"?',
    '[tool-agent] hooks.onToolEnd is not a hook and is never called. Did you mean "afterTool"?',
    '[tool-agent] hooks.nonsense is not a hook and is never called. ' +
      'The hooks are beforeModel, beforeTool, afterTool, signIn',
  ])
  expect(told(() => new Agent({ hooks }))).toEqual([])
})

test('an option of mcpTools that does not exist is refused', () => {
  const url = 'https://mcp.shop.example/'
  expect(told(() => mcpTools({ url, header: {} } as never))).toEqual([
    'invalid-option: mcpTools: header: there is no such option. Did you mean "headers"?',
  ])
  expect(told(() => mcpTools({ url, colour: 1 } as never))).toEqual([
    expect.stringContaining('There are: url, headers, name, tools'),
  ])
})

test('a default that does not match its own schema is reported once for a tool', async () => {
  const lines: string[] = []
  const { warn } = console
  console.warn = (...values: unknown[]) => void lines.push(values.join(' '))
  try {
    const { compileTool } = await import('../../../../src/page/tools/compiled-tool.js')
    const { lintTool } = await import('../../../../src/page/hints/lint-tool.js')
    const properties = { count: { type: 'integer', default: 'one' }, size: { type: 'integer', default: 1 } }
    const tool = {
      name: 'bad_default',
      description: 'Counts what the visitor has.',
      inputSchema: { type: 'object', properties },
    }
    const registry = new ToolRegistry()
    registry.compileWith(compileTool)
    registry.lintWith(lintTool)
    registry.register(tool)
    await expect
      .poll(() => lines)
      .toEqual([
        '[tool-agent] Tool "bad_default": the default of "count" does not match its own schema ' +
          '(expected integer, received string). It is not used.',
      ])
  } finally {
    console.warn = warn
  }
})
