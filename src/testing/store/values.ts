// That values come back as they were: what JSON keeps of them, every text, and results of any length.
import type { JsonValue } from '../../core/data/json.js'
import type { Message } from '../../core/data/message.js'
import { sessionHeadOf, type Store } from '../../core/state/store.js'
import type { CaseDefinition } from './case.js'
import { answer, create, equal, fails, question, sessionWith } from './support.js'

/** Texts that a database may cut, join, fold or take for something else. Each differs from every other. */
const oddTexts = [
  '',
  ' ',
  'a',
  'A',
  'a ',
  'a\0',
  'a\0b',
  '\ud800',
  '\ud801',
  '\udc00',
  '\ufffd',
  'a\ud83d',
  '😀',
  '\u00e9',
  'e\u0301',
  'ß',
  'ss',
  '\u202eabc',
  '\ufeffa',
  '\u2028',
  '"a"',
  '"\\ud800"',
  "'; DROP TABLE sessions; --",
  '%',
  '_',
  '?1',
  '__proto__',
  'constructor',
  '1',
  '01',
  '1.0',
  'null',
]

export const valueCases: readonly CaseDefinition[] = [
  {
    title: 'what was committed comes back whole, to a claim and to a read of another tab',
    async run([store, other]) {
      const given = sessionWith('a', [question(0), answer(1)], {
        title: 'Tea',
        updatedAt: 2000,
        todos: [{ id: '1', text: 'pour', status: 'pending' }],
        context: { tenant: 't1', deep: { list: [1, null] } },
        grants: [{ tool: 'add', hash: 'h' }],
        draft: {
          id: 'd',
          step: 1,
          parts: [
            { type: 'text', text: 'I' },
            { type: 'tool-input', id: 'c', name: 'add', text: '{' },
          ],
        },
        end: { turn: 't', reason: 'stop', at: 1900 },
        waiting: [
          {
            turn: 't2',
            messageId: 'm2',
            input: [{ type: 'text', text: 'Milk' }],
            options: { facts: { url: 'http://x/', title: 'X', lang: 'en', timeZone: 'UTC' } },
          },
        ],
      })
      await create(store, given)
      equal(await other.read('a', 100), given, 'read')
      equal(await other.claim('a', 100), { epoch: 2, session: { ...given, epoch: 2 } }, 'the claim')
    },
  },
  {
    title: 'a running turn and a message with calls, approvals and results come back as they were',
    async run([store]) {
      const given = sessionWith('a', [question(0), withCalls], {
        status: 'awaiting-approval',
        turn: {
          id: 't',
          tab: 'tab',
          url: 'http://x/',
          startedAt: 1,
          first: 0,
          resumes: 1,
          lastAt: 2,
          spent: 3,
          mode: 'auto',
          options: { toolContext: { a: 1 } },
          facts: { url: 'http://x/', title: 'X', lang: 'en', timeZone: 'UTC' },
          offered: ['add'],
          counted: 0,
        },
      })
      await create(store, given)
      equal(await store.read('a', 100), given, 'read')
    },
  },
  {
    title: 'a value keeps what JSON keeps: a field that is undefined may be absent, and -0 may be 0',
    async run([store]) {
      const context = {
        gone: undefined,
        zero: -0,
        small: 5e-324,
        large: 1.7976931348623157e308,
        exact: 9_007_199_254_740_991,
        list: [[], {}, '', false, null],
        '': 'a key without a name',
        ['__proto__']: { polluted: true },
      }
      await create(store, sessionWith('a', [question(0)], { context }))
      const read = await store.read('a', 10)
      equal(read?.context, context, 'the context')
      equal(read?.context['polluted'], undefined, 'a field of the prototype')
    },
  },
  {
    title: 'every text is kept, and every id and scope is one of its own: lone surrogates, NUL, quotes, case',
    async run([store, other]) {
      for (const [at, text] of oddTexts.entries()) {
        const given = sessionWith(text, [question(0, text)], { title: text, scope: text, updatedAt: at })
        await create(at % 2 === 0 ? store : other, given)
        await store.commit(text, 1, { result: { callId: text, value: text, output: text } })
      }
      for (const [at, text] of oddTexts.entries()) {
        const name = JSON.stringify(text)
        const given = sessionWith(text, [question(0, text)], { title: text, scope: text, updatedAt: at })
        equal(await other.read(text, 10), given, `the session ${name}`)
        equal(await other.result(text, text), { value: text, output: text }, `the result ${name}`)
        equal(await other.resultText(text, text, { from: 0, to: 99 }), text, `the text ${name}`)
        equal(
          (await other.list(text)).map(({ id }) => id),
          [text],
          `the list ${name}`,
        )
      }
      await store.delete('\ud800')
      equal((await other.read('\ud801', 1))?.id, '\ud801', 'the session beside the deleted one')
    },
  },
  {
    title: 'a commit with a value that cannot be stored is a storage error and changes nothing',
    async run([store, other]) {
      await create(store, sessionWith('a', [question(0)]))
      const bad = { id: 'm1', role: 'user', parts: [], at: (() => 1) as unknown as number } as Message
      const change = {
        head: sessionHeadOf(sessionWith('a', [question(0), bad], { title: 'T' })),
        messages: [{ index: 1, message: bad }],
      }
      await fails('storage', store.commit('a', 1, change))
      const symbol = Symbol('no JSON') as unknown as JsonValue
      await fails('storage', store.commit('a', 1, { draft: null, result: { callId: 'c', value: [symbol] } }))
      equal(await store.read('a', 10), sessionWith('a', [question(0)]), 'read')
      equal(await store.result('a', 'c'), undefined, 'the result')
      await other.claim('a', 0)
      await fails('lost-session', store.commit('a', 1, change))
    },
  },
  {
    title: 'what was given is copied: a change of it after the commit reaches nobody',
    async run([store]) {
      const given = sessionWith('a', [question(0)], { context: { list: [1] } })
      await create(store, given)
      ;(given.context['list'] as number[]).push(2)
      equal((await store.read('a', 10))?.context, { list: [1] }, 'the context')
    },
  },
  {
    title: 'a whole result is kept under its call id, also one that looks like a property of objects',
    async run([store]) {
      await create(store, sessionWith('__proto__', [question(0)]))
      await store.commit('__proto__', 1, { result: { callId: 'constructor', value: { text: 'long' } } })
      equal(await store.result('__proto__', 'constructor'), { value: { text: 'long' } }, 'the result')
      equal(await store.resultText('__proto__', 'constructor', { from: 0, to: 4 }), undefined, 'not a text')
      equal(await store.result('__proto__', 'toString'), undefined, 'another result')
      equal((await store.read('__proto__', 9))?.id, '__proto__', 'the session')
      for (const value of [null, false, 0, '', [], {}, 'text']) {
        await store.commit('__proto__', 1, { result: { callId: 'c', value } })
        equal((await store.result('__proto__', 'c'))?.value, value, `the value ${JSON.stringify(value)}`)
      }
    },
  },
  {
    title: 'a text of several megabytes comes back whole and in pieces, and the output beside it',
    async run([store, other]) {
      // Beyond the first megabyte every second unit of the text is half of a character.
      const line = (index: number) => (index < 90_000 ? `line ${index}\n` : `${index}😀😀`)
      const value = Array.from({ length: 300_000 }, (_, index) => line(index)).join('')
      const output = JSON.stringify({ rows: value })
      await create(store, sessionWith('a', [question(0)]))
      await store.commit('a', 1, { result: { callId: 'c', value, output } })
      await store.commit('a', 1, { result: { callId: 'shown', output } })
      await store.commit('a', 1, { result: { callId: 'short', value: '' } })
      for (const reading of [store, other]) {
        const stored = await reading.result('a', 'c')
        if (stored?.value !== value || stored.output !== output) throw new Error('Not the text and the output')
        const shown = await reading.result('a', 'shown')
        if (shown?.value !== undefined || shown?.output !== output) throw new Error('Not the output alone')
      }
      await samePieces(other, value)
      equal(await store.resultText('a', 'short', { from: 0, to: 0 }), '', 'an empty text')
      equal(await store.resultText('a', 'shown', { from: 0, to: 9 }), undefined, 'an output is no text')
      equal(await store.resultText('a', 'nothing', { from: 0, to: 9 }), undefined, 'no result')
      await store.delete('a')
      await create(store, sessionWith('a', [question(0)]))
      equal(await store.result('a', 'c'), undefined, 'the text of a deleted session')
      equal(await store.result('a', 'shown'), undefined, 'the output of a deleted session')
      const part = await store.resultText('a', 'c', { from: 1_048_576, to: 1_048_585 })
      equal(part, undefined, 'a part of a deleted session')
    },
  },
  {
    title: 'a shorter text takes the place of a longer one',
    async run([store]) {
      await create(store, sessionWith('a', [question(0)]))
      await store.commit('a', 1, { result: { callId: 'c', value: 'x'.repeat(3_000_000), output: '{}' } })
      await store.commit('a', 1, { result: { callId: 'c', value: 'short' } })
      equal(await store.result('a', 'c'), { value: 'short' }, 'the result')
      equal(await store.resultText('a', 'c', { from: 0, to: 9 }), 'short', 'the text')
      equal(await store.resultText('a', 'c', { from: 1_048_576, to: 1_048_580 }), '', 'what was beyond')
    },
  },
  {
    title: 'a message of several megabytes and a session of 2,000 messages come back',
    async run([store, other]) {
      const text = 'a😀"\n'.repeat(800_000)
      const messages = Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? question(at) : answer(at)))
      messages[7] = answer(7, text)
      await create(store, sessionWith('a', messages))
      const read = await other.read('a', Infinity)
      if (JSON.stringify(read?.messages) !== JSON.stringify(messages)) throw new Error('Not the messages')
      equal((await other.read('a', 10))?.start, 1_990, 'the start of a window')
    },
  },
]

async function samePieces(store: Store, value: string): Promise<void> {
  const size = 1_048_576
  for (const [from, to] of [
    [0, 10],
    [size - 5, size + 5],
    [size, size + 5],
    [size - 5, size],
    [size - 4, size + 1],
    [size - 5, 2 * size + 5],
    [2 * size - 1, 2 * size + 2],
    [value.length - 5, value.length],
    [value.length - 5, value.length + 5],
    [value.length + 5, value.length + 9],
    [size + 9, size + 9],
  ] as const)
    equal(await store.resultText('a', 'c', { from, to }), value.slice(from, to), `${from} to ${to}`)
}

const withCalls: Message = {
  id: 'm1',
  role: 'assistant',
  at: 2,
  usage: { totalTokens: 7 },
  parts: [
    { type: 'reasoning', text: 'Hm', metadata: { chatCompletions: { field: 'reasoning_content' } } },
    {
      type: 'tool-call',
      call: { id: 'c1', name: 'add', input: { n: 2 } },
      started: { at: 3, hash: 'h', input: { n: 2 }, repeatable: false },
      result: { output: null, modelOutput: 'Success', endedAt: 4, attempts: 1 },
    },
    {
      type: 'tool-call',
      call: { id: 'c2', name: 'buy', input: {}, raw: '{' },
      approval: { hash: 'h', title: 'Buy', input: {}, at: 5 },
    },
    {
      type: 'tool-call',
      call: { id: 'c3', name: 'pay', input: {} },
      result: { error: { code: 'denied', message: 'no' }, endedAt: 4, attempts: 0 },
    },
  ],
}
