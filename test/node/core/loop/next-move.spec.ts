// The decision of the turn loop, tested without a model, a page or a host: sessions in, moves out.
import { expect, test } from '../../../support/lab/lab.js'
import type { Failure } from '../../../../src/core/data/errors.js'
import type { AssistantPart, Message, ToolResult } from '../../../../src/core/data/message.js'
import { emptySession, type Session, type Turn } from '../../../../src/core/data/session.js'
import type { Todo } from '../../../../src/core/data/todo.js'
import { defaultLimits, defaultReminder } from '../../../../src/core/data/tool.js'
import { nextMove } from '../../../../src/core/loop/next-move.js'

const config = { limits: defaultLimits, todo: defaultReminder }
const turn: Turn = {
  id: 't',
  tab: '',
  url: 'https://shop.example/',
  startedAt: 1,
  first: 0,
  resumes: 0,
  lastAt: 1,
  spent: 0,
  mode: 'auto',
  options: {},
  facts: { url: 'https://shop.example/', title: '', lang: 'en', timeZone: 'UTC' },
  offered: [],
  counted: 0,
}

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go' }], at: 1 }
const summary: Message = { id: 'n', role: 'summary', text: 'Notes', upTo: 0, at: 1 }
const assistant = (...parts: AssistantPart[]): Message => ({ id: 'a', role: 'assistant', parts, at: 1 })
const text: AssistantPart = { type: 'text', text: 'Done' }

const settled: ToolResult = { output: 1, endedAt: 1, attempts: 1 }
const failed = (error: Failure): ToolResult => ({ error, endedAt: 1, attempts: 0 })
const limitReached = (reason: string): ToolResult => failed({ code: 'limit', message: '', details: { reason } })
let calls = 0
const callOf = (result?: ToolResult, name = 'look', raw?: string): AssistantPart => ({
  type: 'tool-call',
  call: { id: `call_${calls++}`, name, input: {}, ...(raw === undefined ? {} : { raw }) },
  ...(result === undefined ? {} : { result }),
})

const inProgress: Todo[] = [{ id: '1', text: 'Pay', status: 'in_progress' }]
const sessionWith = (messages: readonly Message[], more: Partial<Session> = {}): Session => ({
  ...emptySession('s', '', 1),
  messages,
  turn,
  ...more,
})
const moveAfter = (
  messages: readonly Message[],
  more: Partial<Session> = {},
  limits: Partial<typeof defaultLimits> = {},
) => nextMove(sessionWith(messages, more), { ...config, limits: { ...defaultLimits, ...limits } })

test('calls the model after the user message', () => {
  expect(moveAfter([user])).toEqual({ move: 'call-model', step: 1, isNudge: false })
})

test('ends the turn after an answer without calls', () => {
  expect(moveAfter([user, assistant(text)])).toEqual({ move: 'end', reason: 'stop' })
})

test('runs the open calls of the newest step, also if others are settled', () => {
  expect(moveAfter([user, assistant(text, callOf(settled), callOf())])).toEqual({ move: 'run-calls', step: 1 })
})

test('calls the model again after all calls are settled', () => {
  const messages = [user, assistant(callOf(settled)), assistant(callOf(settled), callOf(settled))]
  expect(moveAfter(messages)).toEqual({ move: 'call-model', step: 3, isNudge: false })
})

test('ignores a summary that was added after the newest message', () => {
  expect(moveAfter([user, assistant(callOf()), summary])).toEqual({ move: 'run-calls', step: 1 })
  expect(moveAfter([user, assistant(text), summary])).toEqual({ move: 'end', reason: 'stop' })
})

test('ignores the messages before a continued turn', () => {
  const session = { turn: { ...turn, counted: 7 }, start: 5 }
  expect(moveAfter([user, assistant(callOf(settled))], session)).toMatchObject({ move: 'call-model', step: 1 })
  expect(moveAfter([user, assistant(text), assistant(text)], session)).toEqual({ move: 'end', reason: 'stop' })
})

test('ends the turn with the reason of a settled call', () => {
  const after = (...results: ToolResult[]) => moveAfter([user, assistant(...results.map((result) => callOf(result)))])
  const superseded = failed({ code: 'superseded', message: '' })
  expect(after(settled, superseded)).toEqual({ move: 'end', reason: 'superseded' })
  expect(after(limitReached('repeated-calls'), settled)).toEqual({ move: 'end', reason: 'repeated-calls' })
  expect(after(failed({ code: 'execution-failed', message: '' }))).toMatchObject({ move: 'call-model' })
})

test('a model that reads that a limit is reached can answer, and ends the turn if it calls again', () => {
  const limited = callOf(limitReached('max-tool-calls'))
  expect(moveAfter([user, assistant(callOf(settled), limited)])).toMatchObject({ move: 'call-model', step: 2 })
  const again = [user, assistant(limited), assistant(callOf(limitReached('max-tool-calls')))]
  expect(moveAfter(again)).toEqual({ move: 'end', reason: 'max-tool-calls' })
  const tooMany = () => assistant(callOf(settled), callOf(limitReached('calls-per-step')))
  expect(moveAfter([user, tooMany(), tooMany()])).toMatchObject({ move: 'call-model', step: 3 })
})

test('ends the turn after a direct result, unless another call failed', () => {
  const always: ToolResult = { ...settled, direct: true }
  const ifLast: ToolResult = { ...settled, direct: 'if-last' }
  const after = (...results: ToolResult[]) => moveAfter([user, assistant(...results.map((result) => callOf(result)))])
  const direct = { move: 'end', reason: 'direct' }
  expect(after(always)).toEqual(direct)
  expect(after(always, always)).toEqual(direct)
  expect(after(settled, ifLast)).toEqual(direct)
  expect(after(always, settled)).toMatchObject({ move: 'call-model' })
  expect(after(ifLast, settled)).toMatchObject({ move: 'call-model' })
  expect(after(failed({ code: 'denied', message: '' }), ifLast)).toMatchObject({ move: 'call-model' })
})

test('ends the turn after more format errors in a row than the limit allows', () => {
  const broken = () => assistant(callOf(failed({ code: 'format-error', message: '' }), 'look', '{'))
  const limits = { formatErrors: 2 }
  expect(moveAfter([user, broken(), broken()], {}, limits)).toMatchObject({ move: 'call-model', step: 3 })
  expect(moveAfter([user, broken(), broken(), broken()], {}, limits)).toEqual({ move: 'end', reason: 'format-errors' })
  const withPause = [user, broken(), broken(), assistant(callOf(settled)), broken()]
  expect(moveAfter(withPause, {}, limits)).toMatchObject({ move: 'call-model', step: 5 })
})

test('ends the turn at the step limit, after the calls of the last step', () => {
  const limits = { steps: 1 }
  expect(moveAfter([user, assistant(callOf())], {}, limits)).toEqual({ move: 'run-calls', step: 1 })
  expect(moveAfter([user, assistant(callOf(settled))], {}, limits)).toEqual({ move: 'end', reason: 'max-steps' })
  expect(moveAfter([user, assistant(text)], {}, limits)).toEqual({ move: 'end', reason: 'stop' })
})

test('nudges once about an item in progress, also at the step limit', () => {
  const answered = [user, assistant(callOf(settled)), assistant(text)]
  const nudge = { move: 'call-model', step: 3, isNudge: true }
  expect(moveAfter(answered, { todos: inProgress })).toEqual(nudge)
  expect(moveAfter(answered, { todos: inProgress }, { steps: 2 })).toEqual(nudge)
  const nudged = [...answered, assistant(callOf(settled, 'todo_write'))]
  expect(moveAfter(nudged, { todos: inProgress })).toEqual({ move: 'end', reason: 'stop' })
})

test('does not nudge without an item in progress, a call that ran, or the todo list', () => {
  const stop = { move: 'end', reason: 'stop' }
  const answered = [user, assistant(callOf(settled)), assistant(text)]
  expect(moveAfter(answered, { todos: [{ id: '1', text: 'Pay', status: 'pending' }] })).toEqual(stop)
  expect(moveAfter([user, assistant(text)], { todos: inProgress })).toEqual(stop)
  const denied = callOf(failed({ code: 'denied', message: '' }))
  expect(moveAfter([user, assistant(denied), assistant(text)], { todos: inProgress })).toEqual(stop)
  expect(nextMove(sessionWith(answered, { todos: inProgress }), { ...config, todo: false })).toEqual(stop)
})

test('does not nudge in a stepped turn', () => {
  const manual = { turn: { ...turn, mode: 'manual' as const }, todos: inProgress }
  expect(moveAfter([user, assistant(callOf(settled))], manual)).toMatchObject({ move: 'call-model', step: 2 })
  expect(moveAfter([user, assistant(callOf(settled)), assistant(text)], manual)).toEqual({
    move: 'end',
    reason: 'stop',
  })
})
