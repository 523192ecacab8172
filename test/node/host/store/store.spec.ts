// The store contract for the memory store, and what both stores share: reading damaged records.
import { expect, test } from 'playwright/test'
import { memoryStore, type MemoryDisk } from '../../../../src/host/store/memory-store.js'
import { parseDraft, parseHead, parseMessage } from '../../../../src/host/store/records.js'
import { storeCases } from '../../../support/page/store-contract.js'

for (const { title, run } of storeCases) {
  test(`memory: ${title}`, async () => {
    const disk: MemoryDisk = new Map()
    await run([memoryStore(disk), memoryStore(disk)])
  })
}

test('memory: a commit that is fenced off says why and what the user can do', async () => {
  const disk: MemoryDisk = new Map()
  const [one, other] = [memoryStore(disk), memoryStore(disk)]
  const change = { head: { ...head, epoch: 1, status: 'idle' as const } }
  await one.claim('a', 0)
  await one.commit('a', 1, change)
  await other.claim('a', 0)
  await expect(one.commit('a', 1, change)).rejects.toMatchObject({
    code: 'lost-session',
    message: 'This session is open in another tab. Continue there, or start a new one.',
  })
  await other.delete('a')
  await expect(other.commit('a', 2, change)).rejects.toMatchObject({
    code: 'session-deleted',
    message: 'This session was deleted in another tab. Start a new one.',
  })
})

const head = {
  id: 'a',
  scope: 'me',
  createdAt: 1,
  updatedAt: 2,
  epoch: 3,
  length: 4,
  status: 'idle',
  todos: [],
  context: {},
  grants: [],
}

test('a damaged head keeps its valid fields', { tag: ['@F37', '@R6.1'] }, () => {
  expect(parseHead(head)).toEqual(head)
  expect(
    parseHead({
      ...head,
      title: 7,
      status: 'running',
      turn: { id: 't' },
      end: 'x',
      todos: [{ id: '1', text: 'a', status: 'pending' }, null, { id: 2 }],
      context: [],
      grants: { tool: 'x' },
      length: -1,
      epoch: 'x',
      createdAt: null,
    }),
  ).toEqual({ ...head, createdAt: 0, epoch: 1, length: Number.NaN, todos: [{ id: '1', text: 'a', status: 'pending' }] })
  for (const lost of [undefined, null, 'x', [], {}, { ...head, scope: undefined }, { ...head, id: 7 }])
    expect(parseHead(lost)).toBeUndefined()
})

test('a turn of an older build that offered only its own tools offers no others', { tag: '@F37' }, () => {
  const numbers = { startedAt: 1, first: 0, resumes: 0, lastAt: 1, spent: 0, counted: 0 }
  const turn = { ...numbers, id: 't', tab: 'a', url: '/', mode: 'auto', offered: ['look'], facts: {} }
  const end = { turn: 't', reason: 'error', at: 1 }
  const stored = (options: object) =>
    parseHead({ ...head, status: 'running', turn: { ...turn, options }, end: { ...end, options } })
  const replaced = stored({ toolsMode: 'replace', instructions: 'Be short' })
  expect(replaced?.turn?.options).toMatchObject({ activeTools: [], instructions: 'Be short' })
  expect(replaced?.end?.options).toMatchObject({ activeTools: [] })
  expect(stored({ toolsMode: 'merge' })?.turn?.options.activeTools).toBeUndefined()
})

test('a damaged message becomes an empty one at the same index', { tag: '@C59' }, () => {
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }], at: 1 }
  expect(parseMessage(message, 4)).toBe(message)
  for (const damaged of [
    undefined,
    null,
    'x',
    {},
    { ...message, parts: 'x' },
    { ...message, role: 'system' },
    { ...message, at: 'x' },
    { ...message, parts: [null] },
    { ...message, parts: [{ type: 'text' }] },
    { ...message, parts: [{ type: 'file', data: 'x' }] },
    { ...message, role: 'assistant', parts: [{ type: 'tool-call' }] },
    {
      ...message,
      role: 'assistant',
      parts: [{ type: 'tool-call', call: { id: 'c', name: 'f', input: {} }, result: {} }],
    },
    { ...message, role: 'summary' },
  ])
    expect(parseMessage(damaged, 4), JSON.stringify(damaged)).toEqual({
      id: 'unreadable_4',
      role: 'assistant',
      parts: [],
      at: 0,
    })
})

test('ignores a damaged draft', { tag: '@F37' }, () => {
  const draft = {
    id: 'd',
    step: 1,
    parts: [
      { type: 'text', text: 'I' },
      { type: 'tool-input', id: 'c', name: 'f', text: '' },
    ],
  }
  expect(parseDraft(draft)).toBe(draft)
  for (const damaged of [
    undefined,
    { ...draft, step: '1' },
    { ...draft, parts: {} },
    { ...draft, parts: [{ type: 'tool-input', text: '' }] },
  ])
    expect(parseDraft(damaged)).toBeUndefined()
})
