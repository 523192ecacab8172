// Thinking that a model writes into its text: it is shown as reasoning, is no part of the answer, and goes back to its
// model as it was written. However the stream is cut, the result is the same.
import { textOf, type AssistantPart } from '../../../../src/core/data/message.js'
import type { ModelPart } from '../../../../src/core/data/model.js'
import { AnswerCollector } from '../../../../src/core/loop/answer-collector.js'
import { reduce } from '../../../../src/core/state/reduce.js'
import { ThinkingSplitter } from '../../../../src/host/models/thinking-in-text.js'
import { chunk } from '../../../support/faults/faults.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'

type Drawn = readonly { readonly type: string; readonly text: string }[]

/** What is stored of a text that arrives in these pieces, and what was drawn before that. */
function read(pieces: readonly string[]): { stored: Drawn; drawn: Drawn; parts: AssistantPart[] } {
  const splitter = new ThinkingSplitter()
  const collector = new AnswerCollector(() => (delta) => delta, 10)
  let session = { draft: { id: 'm', step: 1, parts: [] } } as unknown as Parameters<typeof reduce>[0]
  const given: ModelPart[] = [
    ...pieces.map((delta): ModelPart => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: { unified: 'stop' } },
  ]
  for (const part of given)
    for (const one of splitter.add(part)) for (const event of collector.add(one)) session = reduce(session, event)
  const parts = collector.parts()
  return { stored: parts.map(plain), drawn: (session.draft?.parts ?? []).map(plain), parts }
}
const plain = (part: object): Drawn[number] => {
  const { type, text = '' } = part as { type: string; text?: string }
  return { type, text }
}
const text = (said: string) => ({ type: 'text', text: said })
const reasoning = (said: string) => ({ type: 'reasoning', text: said })

const thoughts: Readonly<Record<string, Drawn>> = {
  '<think>Hm.</think>Hello': [reasoning('Hm.'), text('Hello')],
  '\n<think>\nHm.\n</think>\n\nHello <b>': [reasoning('Hm.'), text('Hello <b>')],
  'The user greets.\n</think>\n\nHello!': [reasoning('The user greets.'), text('Hello!')],
  'I greet.</think>Hello': [reasoning('I greet.'), text('Hello')],
  '</think>Hello': [text('Hello')],
  // It goes back as it came, and nothing of it is drawn.
  '<think>\n\n</think>\n\nHello': [reasoning(''), text('Hello')],
  '<think>Only this': [reasoning('Only this')],
  '<think>One</think>\n<think>Two</think>Hello': [reasoning('One'), reasoning('Two'), text('Hello')],
  'A</think></think>Hello': [reasoning('A'), text('Hello')],
  'So.\n<think>Hm.</think>Hello': [text('So.\n'), reasoning('Hm.'), text('Hello')],
  '<thinking>Hm.</thinking>Hello': [reasoning('Hm.'), text('Hello')],
  '<seed:think>Hm.</seed:think>Hello': [reasoning('Hm.'), text('Hello')],
  '[THINK]Hm.[/THINK]Hello [1]': [reasoning('Hm.'), text('Hello [1]')],
  '◁think▷Hm.◁/think▷Hello': [reasoning('Hm.'), text('Hello')],
  '<think>a `</think>` is no end</think>Hello': [reasoning('a `</think>` is no end'), text('Hello')],
  '<think>an open `tick</think>Hello': [reasoning('an open `tick'), text('Hello')],
  '<think>```js\nan open fence</think>Hello': [reasoning('```js\nan open fence'), text('Hello')],
  'I write `code`.\n```\nx\n```\n</think>Hello': [reasoning('I write `code`.\n```\nx\n```'), text('Hello')],
  '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>four<|return|>': [
    reasoning('Hm.'),
    text('four'),
  ],
  '<|channel|>final<|message|>four': [text('four')],
  'analysisWe add "2".assistantfinalfour': [reasoning('We add "2".'), text('four')],
}
const answers = [
  'Hello',
  'Models close with `</think>` and go on.',
  '```html\n<think>x</think>\n```\nThat is it.',
  '- so:\n  ~~~\n  a</think>b\n  ~~~\nDone',
  '``a ` </think> b``',
  'Write <think> first and </think> last.',
  'a < b, a[1], <b>bold</b>, </thin',
  'analysis of sales: assistants help',
  'The mark <|channel|> and <|end|>',
  '  \n',
]

test('tells thinking from the answer, at any cut of the text', () => {
  for (const [given, wanted] of Object.entries(thoughts)) expectAtEveryCut(given, wanted)
})

test('an answer about such tags is an answer, at any cut of the text', () => {
  for (const given of answers) expectAtEveryCut(given, [text(given)])
})

function expectAtEveryCut(given: string, wanted: Drawn): void {
  const check = (pieces: readonly string[]): void => {
    const { stored, drawn } = read(pieces)
    expect(stored, JSON.stringify(pieces)).toEqual(wanted)
    expect(joined(drawn), JSON.stringify(pieces)).toEqual(joined(wanted))
  }
  check(Array.from(given))
  for (let at = 0; at <= given.length; at++) check([given.slice(0, at), given.slice(at)].filter(Boolean))
  for (let size = 2; size < 9; size++) check(given.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
}

/** A draft has no border between two blocks of one type. */
function joined(parts: Drawn): Drawn {
  return parts
    .filter((part) => part.text !== '')
    .reduce<Drawn>((list, part) => {
      const last = list.at(-1)
      return last?.type === part.type
        ? [...list.slice(0, -1), { ...last, text: last.text + part.text }]
        : [...list, part]
    }, [])
}

test('takes a text that was shown back when it turns out to be thinking', async ({ lab }) => {
  const hold = deferred()
  const { agent } = await lab.start([
    {
      raw: [
        chunk({ content: 'The user greets.' }),
        hold.promise,
        chunk({ content: '\n</think>\n\nHello' }),
        chunk({}, 'stop'),
      ],
    },
  ])
  const turn = agent.send('Hi')
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  expect(agent.session?.draft?.parts.map(plain)).toEqual([text('The user greets.')])
  const drafts: Drawn[] = []
  agent.observe(() => void drafts.push(agent.session?.draft?.parts.map(plain) ?? []))
  hold.resolve()
  expect(await turn).toMatchObject({ text: 'Hello', reason: 'stop' })
  expect(drafts).toContainEqual([reasoning('The user greets.'), text('Hello')])
  expect(agent.messages.at(-1)).toMatchObject({ parts: [reasoning('The user greets.'), text('Hello')] })
})

const whole = '<think>\nA {brace} to confuse.\n</think>\n\n'

for (const stream of [true, false])
  test(`an object is read behind the thinking, stream ${String(stream)}`, async ({ lab }) => {
    const said = `${whole}{"city":"Rome"}`
    const reply = stream
      ? { text: said }
      : { json: { choices: [{ message: { content: said }, finish_reason: 'stop' }] } }
    for (const [answer, text] of [[reply, said]] as const) {
      const { agent, endpoint } = await lab.start([answer], { stream })
      const output = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
      expect((await agent.send('Where?', { output })).object, text).toEqual({ city: 'Rome' })
      expect(endpoint.requests).toHaveLength(1)
    }
  })

test('goes back to a model of chat completions as it wrote it', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: `${whole}Hello` }, { text: 'Bye' }])
  expect(await agent.send('Hi')).toMatchObject({ text: 'Hello' })
  await agent.send('Bye')
  expect(endpoint.requests[1]?.body?.['messages']).toContainEqual({ role: 'assistant', content: `${whole}Hello` })
})

test('is no part of the history of another protocol', async ({ lab }) => {
  const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
  const says = (said: string) => ({
    raw: [
      event('message_start', { message: { id: 'm', content: [], usage: {} } }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
      event('content_block_stop', { index: 0 }),
      event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
      ...said
        .split(/(?<=k>)/)
        .map((one) => event('content_block_delta', { index: 1, delta: { type: 'text_delta', text: one } })),
      event('message_delta', { delta: { stop_reason: 'end_turn' } }),
      event('message_stop', {}),
    ],
  })
  const { agent, endpoint } = await lab.start([says('The user greets.</think>Hello'), says('Bye')], {
    provider: 'anthropic',
  })
  expect(await agent.send('Hi')).toMatchObject({ text: 'Hello' })
  await agent.send('Bye')
  expect(endpoint.requests[1]?.raw).toContain('"Hello"')
  expect(endpoint.requests[1]?.raw).not.toContain('The user greets')
})

test('a call inside of thinking is no call of the text protocol', async ({ lab }) => {
  let runs = 0
  const call = '[TOOL_CALL]{"name":"find","args":{}}[/TOOL_CALL]'
  const { agent } = await lab.start([{ text: Array.from(`<think>I could ${call}</think>Hello`) }], {
    textProtocol: true,
  })
  agent.registerTool({ name: 'find', description: 'Finds', execute: () => runs++ })
  expect(await agent.send('Hi')).toMatchObject({ text: 'Hello', toolExecutions: [] })
  expect(runs).toBe(0)
})

test('a text that the model replaces is drawn anew', () => {
  const splitter = new ThinkingSplitter()
  const parts = [
    ...splitter.add({ type: 'text-delta', id: '0', delta: '<think>H' }),
    ...splitter.add({ type: 'text-end', id: '0', text: '<think>Hm.</think>Hello' }),
  ]
  const collector = new AnswerCollector(() => (delta) => delta, 10)
  for (const part of parts) collector.add(part)
  expect(collector.parts().map(plain)).toEqual([reasoning('Hm.'), text('Hello')])
  expect(textOf({ id: 'm', role: 'assistant', at: 0, parts: collector.parts() })).toBe('Hello')
})
