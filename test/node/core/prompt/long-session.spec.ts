// Requests of long sessions: stored messages are translated and written once, and the text of each body is the same as
// without what is remembered.
import type { AssistantPart, Message } from '../../../../src/core/data/message.js'
import { countChars, requestText } from '../../../../src/core/prompt/request-size.js'
import { buildRequest } from '../../../../src/core/prompt/request.js'
import { emptySession } from '../../../../src/core/data/session.js'
import { defaultReminder } from '../../../../src/core/data/tool.js'
import { bodyText } from '../../../../src/host/models/http/http-model.js'
import { chatBody } from '../../../../src/host/models/openai/chat-request.js'
import { expect, test } from '../../../support/lab/lab.js'

const user = (text: string): Message => ({ id: `u-${text}`, role: 'user', parts: [{ type: 'text', text }], at: 1 })
const called = (id: string, output: string): AssistantPart => ({
  type: 'tool-call',
  call: { id, name: 'look', input: { id } },
  result: { output, modelOutput: output, endedAt: 1, attempts: 1 },
})
const turn = (number: number): Message[] => [
  user(`Question ${number} \ud83d`),
  { id: `a${number}`, role: 'assistant', at: 1, parts: [called(`call-${number}`, `result \udc00 of ${number}`)] },
  { id: `b${number}`, role: 'assistant', at: 1, parts: [{ type: 'text', text: `Answer ${number} 😀` }] },
]
const settings = {
  model: 'm',
  instructions: '',
  tools: [{ name: 'todo_write', description: 'Writes', inputSchema: { type: 'object' }, hash: '' }],
  toolChoice: 'auto',
  reminder: defaultReminder,
} as const
const requestOf = (messages: readonly Message[], more: { model?: string; keepResults?: number } = {}) =>
  buildRequest({ ...emptySession('s', '', 1), messages, todos: [{ id: '1', text: 'Look', status: 'pending' }] }, {
    ...settings,
    ...more,
  } as never)
const wire = (request: ReturnType<typeof requestOf>) => chatBody(request, { stream: true })
const wireMessages = (request: ReturnType<typeof requestOf>) => wire(request)['messages'] as readonly unknown[]
const copy = <T>(value: T): T => structuredClone(value)

test('the next request has the same objects for all messages of earlier turns', () => {
  const messages = [1, 2, 3].flatMap(turn)
  const first = requestOf(messages)
  const second = requestOf([...messages, user('Next')])
  const firstWire = wireMessages(first)
  const secondWire = wireMessages(second)
  // The newest answer may contain the reminder, so it is not compared.
  for (const index of first.messages.slice(0, -1).keys()) expect(second.messages[index]).toBe(first.messages[index])
  // The first one is the system text.
  for (let index = 1; index < firstWire.length - 1; index++) expect(secondWire[index]).toBe(firstWire[index])
})

test('a message that changed is translated again', () => {
  const messages = [1, 2].flatMap(turn)
  requestOf(messages)
  const changed = messages.map((message, index) => (index === 0 ? { ...message, replaced: true } : message))
  expect(requestOf(changed as Message[])).toEqual(requestOf(copy(changed) as Message[]))
  expect(JSON.stringify(requestOf(changed as Message[]))).not.toContain('Question 1')
})

test('a body, its text and its length are those of messages that were never seen', () => {
  const messages = [1, 2, 3, 4, 5].flatMap(turn)
  for (const length of [3, 5, 8, 9, 14, 15])
    for (const more of [{}, { keepResults: 1 }, { model: 'mistral-large' }, { keepResults: 0 }, {}]) {
      const known = requestOf(messages.slice(0, length), more)
      const fresh = requestOf(copy(messages.slice(0, length)), more)
      expect(known).toEqual(fresh)
      const text = bodyText(wire(known))
      expect(text).toBe(bodyText(copy(wire(fresh))))
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(wire(fresh))))
      expect(text).not.toMatch(/\\ud[89a-f]/)
      expect(countChars(known)).toBe(countChars(fresh))
      // Brackets and commas of the list of messages are not counted.
      expect(requestText(fresh).length - countChars(fresh)).toBe(fresh.messages.length + 2)
    }
})

test('a request of a long session looks only at the messages of its newest turns', () => {
  let looks = 0
  const counted = (number: number): Message[] =>
    turn(number).map((message) =>
      message.role === 'user'
        ? Object.defineProperty({ ...message }, 'facts', {
            enumerable: true,
            get: () => {
              looks++
              return [{ name: 'Page', text: `/${number % 3}` }]
            },
          })
        : message,
    )
  const messages = Array.from({ length: 200 }, (_, number) => counted(number)).flat()
  requestOf(messages)
  expect(looks).toBeGreaterThan(199)
  looks = 0
  requestOf([...messages, ...counted(200)])
  const next = [...messages, ...counted(200), ...counted(201)]
  requestOf(next)
  requestOf([...next, { id: 'w', role: 'assistant', at: 1, parts: [called('w', 'result')] }])
  expect(looks).toBeLessThan(20)
})

/** A result that says that it repeats. */
const long = (kind: number, number: number): AssistantPart => {
  const output = `${'a line of the page\n'.repeat(60)}${kind}`
  return {
    type: 'tool-call',
    call: { id: `long-${number}`, name: 'look', input: {} },
    result: { output, modelOutput: output, endedAt: 1, attempts: 1, repeats: true },
  }
}

test('what is remembered of earlier turns is never seen in a request', () => {
  // A pseudo-random walk, the same in each run.
  let state = 7
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  let messages: Message[] = []
  let clearedTo = 0
  for (let move = 0; move < 600; move++) {
    const [own, ...answers] = turn(move)
    const facts = [{ name: 'Page', text: `/${random(3)}` }]
    const moves: (() => Message[])[] = [
      () => [...messages, { ...own, facts } as Message],
      () => [...messages, ...answers],
      () => [...messages, { ...answers[0], added: { reminder: 'Look at the list', facts } } as Message],
      // The user edits or repeats the newest turn.
      () => {
        const from = messages.findLastIndex(({ role }) => role === 'user')
        return messages.map((one, index) => (index < from || from < 0 ? one : ({ ...one, replaced: true } as Message)))
      },
      () => messages.slice(0, messages.length - random(3)),
      // A stored message changes, as when a call is undone.
      () => {
        const at = random(messages.length)
        return messages.map((one, index) => (index === at ? copy(turn(move)[at % 2]!) : one))
      },
      // The same long result again, of which only the changes are sent.
      () => [...messages, { id: `l${move}`, role: 'assistant', at: 1, parts: [long(random(2), move)] }],
    ]
    messages = moves[random(moves.length)]!()
    if (random(25) === 0)
      messages = [...messages, { id: `s${move}`, role: 'summary', text: `Notes ${move}`, upTo: random(5), at: 1 }]
    if (random(4) === 0) clearedTo = random(messages.length + 1)
    const build = (given: readonly Message[]) =>
      buildRequest({ ...emptySession('s', '', 1), messages: given, clearedTo }, settings as never)
    expect(build(messages), `move ${move}`).toEqual(build(copy(messages)))
  }
})
