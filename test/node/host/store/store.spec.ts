// The conformance of the memory store, and what all stores share: reading damaged records.
import { expect, test } from 'playwright/test'
import { memoryStore, type MemoryDisk } from '../../../../src/host/store/memory-store.js'
import { parseDraft, parseHead, parseMessage } from '../../../../src/host/store/records.js'
import { createEpochGuard, type EpochGuard } from '../../../../src/host/store/epoch-guard.js'
import { storeConformance } from '../../../../src/testing.js'
import { withFiles, type KeptFiles } from '../../../support/server/memory-files.js'

const memory = storeConformance({
  create: () => ({ disk: new Map() as MemoryDisk, guards: [] as EpochGuard[] }),
  open: ({ disk, guards }) => {
    const guard = createEpochGuard()
    guards.push(guard)
    return memoryStore(disk, guard)
  },
  crash: () => undefined,
  clear({ disk, guards }) {
    disk.clear()
    for (const guard of guards) guard.cleared()
  },
})
for (const { title, skip, run } of memory) {
  // It has no users.
  if (skip === undefined) test(`memory: ${title}`, run)
}

test('the guard of a store knows the newest 10,000 claims', () => {
  const guard = createEpochGuard()
  const first = guard.claimed('first', undefined)
  const second = guard.claimed('second', undefined)
  const kept = guard.claimed('first', undefined)
  for (let at = 0; at < 9_999; at += 1) guard.claimed(`s${at}`, undefined)
  expect(() => guard.check('first', kept, undefined)).not.toThrow()
  expect(() => guard.check('first', first, undefined)).toThrow('was deleted')
  expect(() => guard.check('second', second, undefined)).toThrow('was deleted')
  // A session with a record is found by that.
  guard.claimed('stored', 6)
  for (let at = 0; at < 10_000; at += 1) guard.claimed(`t${at}`, undefined)
  expect(() => guard.check('stored', 7, 7)).not.toThrow()
  expect(() => guard.check('stored', 6, 7)).toThrow('open elsewhere')
})

const memoryOfServer = storeConformance({
  create: () => ({ disks: new Map<string, MemoryDisk>(), files: new Map() as KeptFiles }),
  open: (data) => ofUser(data, 'somebody'),
  openAs: ofUser,
  hasFiles: () => true,
})
function ofUser({ disks, files }: { disks: Map<string, MemoryDisk>; files: KeptFiles }, user: string) {
  const disk = disks.get(user) ?? new Map<string, never>()
  disks.set(user, disk as MemoryDisk)
  return withFiles(memoryStore(disk as MemoryDisk), files, user)
}
for (const { title, skip, run } of memoryOfServer) if (skip === undefined) test(`memory of a server: ${title}`, run)

test('memory: a commit that is fenced off says why and what the user can do', async () => {
  const disk: MemoryDisk = new Map()
  const [one, other] = [memoryStore(disk), memoryStore(disk)]
  const change = { head: { ...head, epoch: 1, status: 'idle' as const } }
  const { epoch } = await one.claim('a', 0)
  await one.commit('a', epoch, change)
  await other.claim('a', 0)
  await expect(one.commit('a', epoch, change)).rejects.toMatchObject({
    code: 'lost-session',
    message: 'This session is open elsewhere. Continue there, or start a new one.',
  })
  await other.delete('a')
  await expect(other.commit('a', epoch + 1, change)).rejects.toMatchObject({
    code: 'session-deleted',
    message: 'This session was deleted elsewhere. Start a new one.',
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

test('only valid grants for a task are read', { tag: ['@F37', '@S24'] }, () => {
  const numbers = { startedAt: 1, first: 0, resumes: 0, lastAt: 1, spent: 0, counted: 0 }
  const turn = { ...numbers, id: 't', tab: 'a', url: '/', mode: 'auto', offered: [], facts: {}, options: {} }
  const grantsIn = (taskGrants: unknown) => {
    const read = parseHead({ ...head, status: 'running', turn: { ...turn, taskGrants } })
    expect(read?.turn).toMatchObject(turn)
    return read?.turn?.taskGrants
  }
  const unknown = { at: 1, page: 'https://a.example/', scope: { covers: 'unknown' } }
  const send = { ...unknown, scope: { covers: 'send', method: 'POST', url: '/a', control: 'button "Save"' } }
  expect(parseHead({ ...head, status: 'running', turn })?.turn).toEqual(turn)
  expect(grantsIn([unknown, send])).toEqual([unknown, send])
  const forged = [
    null,
    { ...unknown, at: 'now' },
    { ...unknown, page: undefined },
    { ...unknown, scope: { covers: 'destroy' } },
    { ...unknown, scope: undefined },
    { ...send, scope: { ...send.scope, control: undefined } },
    { ...send, scope: { ...send.scope, operation: {} } },
  ]
  expect(grantsIn([...forged, unknown])).toEqual([unknown])
  expect(grantsIn('all')).toEqual([])
})

test('a call whose question is forged is not read', { tag: ['@C59', '@S24'] }, () => {
  const messageWith = (preview: object) => ({
    id: 'm',
    role: 'assistant',
    at: 1,
    parts: [
      {
        type: 'tool-call',
        call: { id: 'c', name: 'page_click', input: {} },
        approval: { hash: 'h', title: 'Click', input: {}, at: 1, preview },
      },
    ],
  })
  const good = [
    {},
    { effect: 'send', in: 'Order 7', stopped: [{ effect: 'send', does: 'request', method: 'POST', url: '/a' }] },
    { effect: 'unknown', task: { covers: 'unknown' } },
  ]
  const bad = [
    { effect: 'everything' },
    { in: {} },
    { stopped: {} },
    { stopped: [{ effect: 'send', does: 'think' }] },
    { stopped: [{ effect: 'send', does: 'go', url: {} }] },
    { task: { covers: 'all' } },
  ]
  expect(good.map((preview) => parseMessage(messageWith(preview), 0).id)).toEqual(good.map(() => 'm'))
  expect(bad.map((preview) => parseMessage(messageWith(preview), 0).id)).toEqual(bad.map(() => 'unreadable_0'))
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
