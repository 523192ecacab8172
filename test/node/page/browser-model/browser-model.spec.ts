// `provider="browser"` against a scripted `LanguageModel`: streaming, tools over several steps, reuse of sessions,
// downloads, refusals, overflow and stop. The loop, the store and the text protocol are the real ones.
import type { AgentEvent } from '../../../../src/core/data/event.js'
import type { JsonValue } from '../../../../src/core/data/json.js'
import { textOf, toolCallsOf } from '../../../../src/core/data/message.js'
import { Agent } from '../../../../src/page/agent.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import { expect, test as base, until } from '../../../support/lab/lab.js'
import { wordsOnly } from '../../../support/lab/words-only.js'
import {
  installLanguageModel,
  type LanguageModelCall,
  type LanguageModelScript,
  type ScriptedGlobals,
} from '../../../support/models/scripted-language-model.js'

const scope = globalThis as unknown as ScriptedGlobals

interface Started {
  readonly agent: Agent
  readonly events: AgentEvent[]
  /** The values of the download, and undefined when there is none. */
  readonly downloads: unknown[]
  calls(): readonly LanguageModelCall[]
  prompts(): readonly LanguageModelCall[]
}

const test = base.extend<{ start(script: LanguageModelScript, options?: AgentOptions): Started }>({
  start: async ({}, use) => {
    const agents: Agent[] = []
    await use((script, options = {}) => {
      installLanguageModel(script)
      const agent = new Agent({ provider: 'browser', logErrors: false, ...options })
      agents.push(agent)
      const events: AgentEvent[] = []
      const downloads: unknown[] = []
      agent.subscribe((event) => events.push(event))
      agent.observe(() => downloads.push(agent.progress.get('model-download')))
      const calls = () => scope.languageModelCalls
      return { agent, events, downloads, calls, prompts: () => calls().filter((one) => one.do === 'prompt') }
    })
    for (const agent of agents) await agent.close()
    Reflect.deleteProperty(globalThis, 'LanguageModel')
  },
})

const shelf = (ran: string[]) => ({
  name: 'find_tea',
  description: 'Finds a tea in the shop by its name',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const,
  annotations: { readOnlyHint: true },
  execute: ({ query }: { query: string }) => {
    ran.push(query)
    return { price: 12 }
  },
})
const toolCall = (query: string) => `[TOOL_CALL]{"name": "find_tea", "args": {"query": "${query}"}}[/TOOL_CALL]`
const contentOf = (call: LanguageModelCall | undefined, index: number) => String(call?.messages?.[index]?.content)

test('streams an answer of the built-in model, with system text and usage', async ({ start }) => {
  const { agent, events, calls } = start({ answers: [['Hel', 'lo.']] }, { instructions: 'You are a shop.' })
  expect(await agent.send('Hi')).toMatchObject({ text: 'Hello.', reason: 'stop', steps: 1 })
  expect(events.filter(({ type }) => type === 'text-delta')).toMatchObject([{ delta: 'Hel' }, { delta: 'lo.' }])
  const [create, prompt] = calls()
  expect(create).toMatchObject({ do: 'create', messages: [{ role: 'system' }] })
  expect(contentOf(create, 0)).toContain('You are a shop.')
  expect(wordsOnly(prompt?.messages as unknown as JsonValue)).toMatchObject([{ role: 'user', content: 'Hi' }])
  expect(prompt).toMatchObject({ do: 'prompt' })
  // The system text of the next turn is the same, so the session of the model goes on.
  expect(contentOf(create, 0)).not.toContain('Today')
  expect(agent.messages.at(-1)).toMatchObject({ usage: { outputTokens: 2 } })
})

test('runs tools over several steps in one session, and sends only what is new', async ({ start }) => {
  const ran: string[] = []
  const { agent, calls, prompts } = start({
    answers: [
      ['I look. ', toolCall('sencha'), '\n', toolCall('assam')],
      [toolCall('oolong')],
      ['All cost 12.'],
      ['You are welcome.'],
    ],
  })
  agent.registerTool(shelf(ran))
  expect(await agent.send('Prices?')).toMatchObject({ text: 'All cost 12.', steps: 3 })
  expect(ran).toEqual(['sencha', 'assam', 'oolong'])
  expect(await agent.send('Thanks')).toMatchObject({ text: 'You are welcome.' })
  expect(calls().filter((one) => one.do === 'create')).toHaveLength(1)
  expect(contentOf(calls()[0], 0)).toContain('- find_tea: Finds a tea in the shop by its name')
  // Each prompt has one message: the question, the results of one step, the next question.
  expect(prompts().map(({ messages }) => messages?.length)).toEqual([1, 1, 1, 1])
  expect(contentOf(prompts()[1], 0).match(/\[TOOL_RESULT /g)).toHaveLength(2)
  expect(contentOf(prompts()[3], 0)).toBe('Thanks')
})

test('an approval stays in control of a call of the built-in model', async ({ start }) => {
  const ran: string[] = []
  const { agent } = start({ answers: [[toolCall('sencha')], ['You said no.']] })
  agent.registerTool({ ...shelf(ran), needsApproval: true })
  const turn = agent.send('Buy')
  await until(agent, () => agent.status === 'awaiting-approval')
  await agent.deny(toolCallsOf(agent.messages.at(-1))[0]!.call.id)
  expect(await turn).toMatchObject({ text: 'You said no.' })
  expect(ran).toEqual([])
})

test('creates a new session with the whole history when the history has changed', async ({ start }) => {
  const { agent, calls } = start({ answers: [['One.'], ['Two.']] })
  await agent.send('First')
  agent.configure({ ...agent.options, instructions: 'Be short.' })
  await agent.send('Second')
  const creates = calls().filter((one) => one.do === 'create')
  expect(creates.map(({ messages }) => messages?.map(({ role }) => role))).toEqual([
    ['system'],
    ['system', 'user', 'assistant'],
  ])
})

test('shows the progress of the download to observers, from start to end', async ({ start }) => {
  const { agent, downloads } = start({ availability: 'downloadable', download: [0, 0.25, 1], answers: [['Hello.']] })
  await agent.send('Hi')
  expect([...new Set(downloads)]).toEqual([undefined, 0, 0.25, 1])
  expect(downloads.at(-1)).toBeUndefined()
})

test('shows no download for a model that is there', async ({ start }) => {
  const { agent, downloads } = start({ answers: [['Hello.']] })
  await agent.send('Hi')
  expect(new Set(downloads)).toEqual(new Set([undefined]))
})

test('says that the browser has no model, or that the device cannot run it', async ({ start }) => {
  const { agent } = start({ availability: 'unavailable' })
  await expect(agent.send('Hi')).rejects.toMatchObject({ code: 'unavailable', message: /cannot run on this device/ })
  Reflect.deleteProperty(globalThis, 'LanguageModel')
  await expect(agent.send('Hi')).rejects.toMatchObject({ code: 'unavailable', message: /no built-in language model/ })
})

test('maps errors of the Prompt API to codes of a model call', async ({ start }) => {
  for (const [name, code] of [
    ['NetworkError', 'network'],
    ['NotAllowedError', 'unavailable'],
    ['NotSupportedError', 'bad-request'],
  ] as const) {
    const { agent } = start({ createError: name })
    await expect(agent.send('Hi'), name).rejects.toMatchObject({ code })
    await agent.close()
  }
})

test('an answer that breaks off keeps its text, and the session is not used again', async ({ start }) => {
  const { agent, calls } = start({ answers: [{ error: 'UnknownError', after: ['Half'] }, ['Whole.']] })
  await expect(agent.send('Hi')).rejects.toMatchObject({ code: 'server', turn: { text: 'Half' } })
  expect(calls().map((one) => one.do)).toEqual(['create', 'prompt', 'destroy'])
  expect(await agent.send('Again')).toMatchObject({ text: 'Whole.' })
  expect(calls().filter((one) => one.do === 'create')).toHaveLength(2)
})

test('a request that is longer than the context window is shortened, as for any model', async ({ start }) => {
  const { agent, calls } = start({
    contextWindow: 1500,
    answers: [['One.'], ['The user greeted.'], ['Two.']],
  })
  await agent.send('a'.repeat(2000))
  expect(await agent.send('b'.repeat(2400))).toMatchObject({ text: 'Two.' })
  expect(agent.messages.some((message) => message.role === 'summary')).toBe(true)
  // Nothing was sent that did not fit, so the browser never removed messages by itself.
  expect(calls().filter((one) => one.do === 'prompt')).toHaveLength(3)
})

test('a single message that never fits ends the turn as context overflow', async ({ start }) => {
  const { agent } = start({ contextWindow: 800, answers: [] })
  await expect(agent.send('a'.repeat(8000))).rejects.toMatchObject({ code: 'context-overflow' })
})

test('stop aborts the prompt and destroys the session; the next turn starts with what was shown', async ({ start }) => {
  const { agent, calls } = start({ answers: [{ hangs: ['Once upon'] }, ['The end.']] })
  const turn = agent.send('A story')
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  agent.stop()
  expect(await turn).toMatchObject({ reason: 'stopped' })
  await expect.poll(() => calls().some((one) => one.do === 'destroy')).toBe(true)
  expect(calls().map((one) => one.do)).toContain('abort')
  expect(await agent.send('Go on')).toMatchObject({ text: 'The end.' })
  const second = calls().filter((one) => one.do === 'create')[1]
  expect(second?.messages?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
  expect(contentOf(second, 2)).toBe('Once upon')
})

test('stop during a download ends the turn immediately', async ({ start }) => {
  const { agent } = start({ availability: 'downloadable', download: [0.1, 'wait'], answers: [['Hello.']] })
  const turn = agent.send('Hi')
  await until(agent, () => agent.progress.get('model-download') === 0.1)
  agent.stop()
  expect(await turn).toMatchObject({ reason: 'stopped' })
  await until(agent, () => !agent.progress.has('model-download'))
})

test('closing the agent destroys its session', async ({ start }) => {
  const { agent, calls } = start({ answers: [['Hello.']] })
  await agent.send('Hi')
  await agent.close()
  expect(calls().at(-1)).toMatchObject({ do: 'destroy' })
})

test('asks for images only if the message has some, and leaves them out where the model cannot read them', async ({
  start,
}) => {
  const image = { type: 'file', mediaType: 'image/png', data: 'aGVsbG8=', name: 'tea.png' } as const
  const seeing = start({ takesImages: true, answers: [['A pot.']] })
  await seeing.agent.send([{ type: 'text', text: 'What is it?' }, image])
  expect(seeing.calls()[0]?.needs).toMatchObject([{ type: 'text' }, { type: 'image' }])
  expect(wordsOnly(seeing.prompts()[0]?.messages as unknown as JsonValue)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', value: 'What is it?' },
        { type: 'image', image: 'image/png', size: 5 },
      ],
    },
  ])
  await seeing.agent.close()
  const blind = start({ answers: [['No idea.']] })
  await blind.agent.send([{ type: 'text', text: 'What is it?' }, image])
  expect(blind.calls()[0]?.needs).toMatchObject([{ type: 'text' }])
  expect(contentOf(blind.prompts()[0], 0)).toContain('"tea.png" was left out')
})

test('a language that the model does not know is not required', async ({ start }) => {
  const { agent, calls } = start({ languages: ['fr'], answers: [['Bonjour.']] })
  expect(await agent.send('Hi')).toMatchObject({ text: 'Bonjour.' })
  expect(calls()[0]?.needs).toEqual([{ type: 'text' }])
})

test('textProtocol: false sends no tools', async ({ start }) => {
  const { agent, calls } = start({ answers: [['Hello.']] }, { textProtocol: false })
  agent.registerTool(shelf([]))
  await agent.send('Hi')
  expect(contentOf(calls()[0], 0)).not.toContain('find_tea')
  expect(textOf(agent.messages.at(-1))).toBe('Hello.')
})
