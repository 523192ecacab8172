// A result that repeats an earlier one of the same request is sent as what changed, and a model that has read the
// request knows the whole result. What is stored, and what the page and the user see, is whole.
import { applyChanges, fullResults, withoutFence } from '../../../../bench/support/full-results.mjs'
import { keptShare } from '../../../../bench/support/provider-order.mjs'
import { repeatedResults, type FullResults } from '../../../../src/core/prompt/repeated-results.js'
import { fenceUntrusted } from '../../../../src/core/prompt/cut-and-fence.js'
import type { AssistantMessage, ToolCallPart } from '../../../../src/core/data/message.js'
import { internals } from '../../../../src/core/data/tool.js'
import type { ModelRequest } from '../../../../src/core/data/model.js'
import { chatBody } from '../../../../src/host/models/openai/chat-request.js'
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import { Dice } from '../../../support/lab/generator.js'
import type { Reply } from '../../../support/lab/endpoint.js'
import { expect, test, type LabOptions } from '../../../support/lab/lab.js'

/** A page of `count` lines, of which each may be changed. */
class Outline {
  readonly lines = Array.from({ length: 40 }, (_, index) => `  - button "Row ${index}" [ref=e${index}]`)
  readonly tool: AnyTool = {
    name: 'page_read',
    description: 'Reads the page',
    inputSchema: { type: 'object', properties: { scope: { type: 'string' } } },
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    [internals]: { repeatsAsChanges: true },
    execute: () => this.text,
  }

  get text(): string {
    return this.lines.join('\n')
  }
}

const read = (input: object = {}): Reply => ({ calls: [{ name: 'page_read', arguments: input as never }] })

function recorder(more: Partial<AgentOptions & LabOptions> = {}): {
  requests: ModelRequest[]
  options: AgentOptions & LabOptions
} {
  const requests: ModelRequest[] = []
  const beforeModel = (request: ModelRequest) => {
    requests.push(structuredClone(request))
    return request
  }
  return { requests, options: { ...more, hooks: { beforeModel } } as AgentOptions & LabOptions }
}

interface SentBody {
  readonly messages: { readonly role: string; readonly content: unknown }[]
}
const bodyOf = (request: ModelRequest | undefined) => chatBody(request!, { stream: true }) as unknown as SentBody
/** The results of a request as they are sent. */
const sentResults = (request: ModelRequest | undefined): string[] =>
  bodyOf(request).messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))
/** The results of a request as a model knows them. */
const knownResults = (request: ModelRequest | undefined): string[] => [...fullResults(bodyOf(request)).values()]

const isChanges = (text: string | undefined): boolean => String(text).startsWith('Unchanged since the last full result')

test('a page that is read again is sent as what changed', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const { agent } = await lab.start([read(), read(), read(), { text: 'ok' }, { text: 'bye' }], options)
  const page = new Outline()
  const texts: string[] = []
  agent.registerTool({
    ...page.tool,
    execute: () => {
      if (texts.length === 2) page.lines[7] = '  - button "Paid" [ref=e7] [disabled]'
      texts.push(page.text)
      return page.text
    },
  })
  await agent.send('Go')
  await agent.send('Thanks')
  const [first, second, third] = sentResults(requests.at(-1))
  expect(first).toContain(page.lines[39])
  expect(second).toBe('Unchanged since the last full result of page_read with these arguments.')
  expect(third).toMatch(
    /^Warning: [^\n]*\nUnchanged [^\n]*\n<untrusted-(\w+)>\n {3}- button "Row 6"[^\n]*\n-[^\n]*Row 7"[^\n]*\n\+[^\n]*"Paid"[^\n]*\n<\/untrusted-\1>$/,
  )
  expect(third!.length).toBeLessThan(600)
  expect(knownResults(requests.at(-1))).toEqual(texts)
  for (const [index, request] of requests.entries())
    if (index > 0) expect(keptShare('chat', bodyOf(requests[index - 1]), bodyOf(request))).toBe(1)
  const stored = agent.session!.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.result] : []))
      : [],
  )
  expect(stored.map((result) => result?.output)).toEqual(texts)
  expect(stored.map((result) => withoutFence(String(result?.modelOutput)))).toEqual(texts)
})

test(
  'whole: other arguments, a short result, an error, a cut result, and one of which most changed',
  { tag: '@R6.8' },
  async ({ lab }) => {
    const { requests, options } = recorder({ limits: { resultChars: 1_000 } })
    const page = new Outline()
    page.lines.length = 20
    const { agent } = await lab.start(
      [
        read(),
        read({ scope: 'main' }),
        read(),
        {
          calls: [
            { name: 'short', arguments: {} },
            { name: 'short', arguments: {} },
          ],
        },
        {
          calls: [
            { name: 'fails', arguments: {} },
            { name: 'fails', arguments: { again: true } },
          ],
        },
        {
          calls: [
            { name: 'long', arguments: {} },
            { name: 'long', arguments: {} },
          ],
        },
        { text: 'ok' },
      ],
      options,
    )
    let reads = 0
    const tool = (name: string, execute: () => string): AnyTool => ({ ...page.tool, name, execute })
    agent.registerTool([
      tool('page_read', () => {
        if (++reads === 3) for (let index = 0; index < 12; index++) page.lines[index] = `  - link "Other ${index}"`
        return page.text
      }),
      tool('short', () => 'x'.repeat(100)),
      tool('fails', () => {
        throw new Error('No. '.repeat(120))
      }),
      tool('long', () => 'much '.repeat(400)),
    ])
    await agent.send('Go')
    const results = sentResults(requests.at(-1))
    expect(results).toHaveLength(9)
    expect(results.filter(isChanges)).toEqual([])
  },
)

test('the results of other tools reach the model byte for byte', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const orders = JSON.stringify({ orders: Array.from({ length: 200 }, (_, index) => `A${index}`) })
  const call: Reply = { calls: [{ name: 'orders', arguments: {} }] }
  const { agent } = await lab.start([call, read(), call, { text: 'ok' }], options)
  agent.registerTool([
    new Outline().tool,
    { name: 'orders', description: 'Lists orders', inputSchema: { type: 'object' }, execute: () => orders },
  ])
  await agent.send('Go')
  const [first, , third] = sentResults(requests.at(-1))
  expect([first, third]).toEqual([orders, orders])
})

test('whole again: after clearing, after a summary', { tag: '@R6.8' }, async ({ lab }) => {
  for (const contextWindow of [
    { tokens: 14_000, clearAt: 1_800, keepResults: 1 },
    { tokens: 1_900, clearAt: 1_900, keepResults: 8 },
  ]) {
    const { requests, options } = recorder({ limits: { steps: 40 }, contextWindow } as never)
    const look = (shelf: number): Reply => ({ calls: [{ name: 'look', arguments: { shelf } }] })
    const { agent, endpoint, events } = await lab.start([], options)
    const page = new Outline()
    agent.registerTool([
      page.tool,
      {
        ...page.tool,
        name: 'look',
        execute: (input: unknown) => `Shelf ${JSON.stringify(input)} ${'tea, '.repeat(90)}`,
      },
    ])
    for (let round = 0; round < 8; round++) {
      endpoint.push(read(), look(round), { text: `Round ${round}` })
      await agent.send(`Round ${round}`)
    }
    expect(events.some(({ type }) => type === 'clear' || type === 'compact')).toBe(true)
    let changes = 0
    for (const request of requests) {
      const known = knownResults(request)
      for (const [index, text] of sentResults(request).entries()) {
        if (!isChanges(text)) continue
        changes++
        // What a model is told to be unchanged is in the request.
        expect(known[index]).toBe(page.text)
      }
    }
    expect(changes).toBeGreaterThan(0)
  }
})

test('an edited message, an answer written again, a reload in another tab', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder({ sessionId: 'again' })
  const page = new Outline()
  const first = await lab.start([read(), { text: 'one' }, read(), { text: 'two' }], options)
  first.agent.registerTool(page.tool)
  await first.agent.send('First')
  await first.agent.send('Second')
  expect(sentResults(requests.at(-1)).map(isChanges)).toEqual([false, true])
  first.endpoint.push(read(), { text: 'other' })
  await first.agent.regenerate()
  expect(isChanges(sentResults(requests.at(-1)).at(-1))).toBe(true)
  first.endpoint.push(read(), { text: 'edited' })
  await first.agent.editLast('Edited')
  expect(isChanges(sentResults(requests.at(-1)).at(-1))).toBe(true)
  await first.agent.close()
  const second = await lab.start([], { ...options, store: first.store, endpointServer: first.endpoint, tab: 'other' })
  page.lines[3] = '  - text: sold out'
  second.agent.registerTool(page.tool)
  first.endpoint.push(read(), { text: 'three' })
  await second.agent.send('And now?')
  expect(isChanges(sentResults(requests.at(-1)).at(-1))).toBe(true)
  expect(knownResults(requests.at(-1)).at(-1)).toBe(page.text)
  for (const request of requests) for (const text of knownResults(request)) expect(text).not.toMatch(/^Unchanged/)
})

test('an agent inside a call does not know what the conversation has read', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const page = new Outline()
  const { agent } = await lab.start(
    [
      read(),
      { calls: [{ name: 'helper', arguments: { task: 'Look' } }] },
      read(),
      read(),
      { text: 'seen' },
      { text: 'ok' },
    ],
    options,
  )
  agent.registerTool([
    page.tool,
    agentTool({ name: 'helper', description: 'Looks', instructions: 'You look.', tools: [page.tool] }),
  ])
  await agent.send('Go')
  const inner = requests.filter(({ system }) => system.includes('You look.'))
  expect(inner).toHaveLength(3)
  expect(sentResults(inner.at(-1)).map(isChanges)).toEqual([false, true])
  expect(sentResults(inner.at(-1))[0]).toContain(page.text)
})

test('whatever changes, a model can tell the whole text', { tag: '@R6.8' }, () => {
  for (let seed = 1; seed <= 300; seed++) {
    const dice = new Dice(seed)
    const random = (below: number): number => dice.from(0, below - 1)
    // Few words, so that many lines are equal, and some look like the signs of a change.
    const line = (): string =>
      `${' '.repeat(random(3))}${['- item', '+ more', '', '- text: a', 'Row ' + random(60)][random(5)]}`
    const lines = Array.from(
      { length: 30 + random(60) },
      (_, index) => `${index % 2 ? line() : `- row [ref=e${index}]`}`,
    )
    const changed = [...lines]
    for (let edits = random(6); edits > 0; edits--) {
      const at = random(changed.length)
      changed.splice(at, random(3), ...Array.from({ length: random(3) }, line))
    }
    const boundary = `b${seed}`
    const part = (id: string, text: string): ToolCallPart => ({
      type: 'tool-call',
      call: { id, name: 'page_read', input: {} },
      result: {
        output: text,
        modelOutput: fenceUntrusted(text, `${boundary}${id}`),
        repeats: true,
        endedAt: 0,
        attempts: 1,
      },
    })
    const [base, later] = [part('one', lines.join('\n')), part('two', changed.join('\n'))]
    const message: AssistantMessage = { id: 'm', role: 'assistant', at: 0, parts: [base, later] }
    const full: FullResults = new Map()
    const text = repeatedResults(message, full).get('two')
    if (text === undefined || text.endsWith('arguments.')) {
      if (text) expect(changed).toEqual(lines)
      continue
    }
    expect(text.length).toBeLessThanOrEqual(changed.join('\n').length / 2)
    expect(applyChanges(lines.join('\n'), withoutFence(text)), `seed ${seed}`).toBe(changed.join('\n'))
  }
})
