// The short path for calls without any peculiarity has the same outcome as the complete checks.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'playwright/test'
import { guardCall } from '../../../../src/core/calls/call-guards.js'
import { readCalls } from '../../../../src/core/calls/parse-tool-calls.js'
import { isUnguarded, readPlainCalls } from '../../../../src/core/calls/plain-calls.js'
import type { StreamedCall } from '../../../../src/core/calls/streamed-call.js'
import type { AssistantMessage, ToolCallPart } from '../../../../src/core/data/message.js'
import { emptySession, type Session } from '../../../../src/core/data/session.js'
import { defaultLimits, type Limits, type ToolChoice, type ToolSpec } from '../../../../src/core/data/tool.js'
import type { OfferedTools, TurnDeps } from '../../../../src/core/turn/turn-deps.js'

const offered: OfferedTools = new Map(
  ['look', 'Look', 'todo_read', 'buy'].map((name) => [name, { name, title: `The ${name}` } as ToolSpec]),
)

/** Every element of `lists`, one per combination. */
function combinations<T extends Record<string, readonly unknown[]>>(lists: T): { [K in keyof T]: T[K][number] }[] {
  return Object.entries(lists).reduce<Record<string, unknown>[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as { [K in keyof T]: T[K][number] }[]
}

test('calls that take the short path are read like all others', () => {
  const texts = [
    '{}',
    '',
    ' ',
    'null',
    '{"a":1}',
    '{"a":[{"b":"c"}]}',
    '[1]',
    '"text"',
    '{"a":1,}',
    '{"id":12345678901234567}',
    '{"id":"12345678901234567"}',
    `${'['.repeat(300)}${']'.repeat(300)}`,
    `{"a":${'['.repeat(199)}${']'.repeat(199)}}`,
    `{"a":${'['.repeat(201)}${']'.repeat(201)}}`,
    `{"__proto__":{"a":1}}`,
  ]
  let plainCount = 0
  // Thousands of calls of `expect` would take most of the time.
  const different: string[][] = []
  for (const { text, name, id, second, isComplete } of combinations({
    text: texts,
    name: ['look', 'LOOK', 'functions.look', 'Look', 'buy', 'none', 'parallel'],
    id: ['call_of_some_length', 'call_0', '', 'taken_call_0123'],
    second: [undefined, 'call_of_some_length', 'another_call_0123'],
    isComplete: [true, false],
  })) {
    const calls: StreamedCall[] = [{ id, name, text, metadata: { thought: 'x' } }]
    if (second) calls.push({ id: second, name: 'look', text: '{}' })
    const ids = () => {
      let count = 0
      return { taken: new Set(['taken_call_0123']), isComplete, create: () => `new_${count++}` }
    }
    const [own, others] = [ids(), ids()]
    const plain = readPlainCalls(calls, offered, own)
    const read = readCalls(calls, offered, others)
    if (plain === undefined) {
      if (!isDeepStrictEqual(own.taken, new Set(['taken_call_0123']))) different.push([text, name, id])
      continue
    }
    plainCount++
    if (!isDeepStrictEqual([plain, own.taken], [read, others.taken])) different.push([text, name, id])
  }
  expect(different).toEqual([])
  expect(plainCount).toBeGreaterThan(50)
})

test('a call that takes the short path passes every guard without a note', () => {
  const part = (index: number, name: string, input: ToolCallPart['call']['input'], raw?: string): ToolCallPart => ({
    type: 'tool-call',
    call: { id: `c${index}`, name, input, ...(raw === undefined ? {} : { raw }) },
  })
  const inputs = [{}, { a: 1, b: 2 }, { b: 2, a: 1 }, { text: 'ü'.repeat(30) }]
  const small: Limits = { ...defaultLimits, toolCalls: 5, callsPerTool: 3, callsPerStep: 2, argumentBytes: 40 }
  let unguarded = 0
  let guarded = 0
  for (const { limits, toolChoice, before, name, input, raw } of combinations({
    limits: [defaultLimits, small],
    toolChoice: ['auto', 'none', 'required'] as readonly ToolChoice[],
    before: [0, 1, 2, 3, 4, 5, 40, 150],
    name: ['look', 'todo_read', 'none'],
    input: inputs,
    raw: [undefined, '{'],
  })) {
    const earlier = Array.from({ length: before }, (_, index) =>
      part(index, before === 5 && index % 2 ? 'buy' : 'look', before === 4 ? { a: index } : { a: 1, b: 2 }),
    )
    for (const calls of [
      [part(before, name, input, raw)],
      [part(before, name, input, raw), part(before + 1, 'look', { a: 1, b: 2 }), part(before + 2, 'look', {})],
    ]) {
      const message = (parts: readonly ToolCallPart[], at: number): AssistantMessage => ({
        id: `m${at}`,
        role: 'assistant',
        parts,
        at,
      })
      const session = {
        ...emptySession('s', '', 0),
        messages: [...earlier.map((one, at) => message([one], at)), message(calls, 1_000)],
        turn: { options: { toolChoice }, offered: ['look'], counted: 0, first: 0 },
      } as unknown as Session
      const deps = { session: () => session, config: () => ({ limits }) } as unknown as TurnDeps
      for (const one of calls) {
        const isPlain = isUnguarded({ deps, offered, calls }, one)
        if (isPlain) expect(guardCall({ deps, offered, calls }, one)).toEqual({})
        if (isPlain) unguarded++
        else guarded++
      }
    }
  }
  expect(Math.min(unguarded, guarded)).toBeGreaterThan(50)
})
