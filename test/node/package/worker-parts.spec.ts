// The built file with the rare parts of the worker has its own copies of classes. The worker must recognize them.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { emptySession, type Session } from '../../../src/core/data/session.js'
import { throwIfClosed, TurnAbort, type TurnDeps } from '../../../src/core/turn/turn-deps.js'
import type * as WorkerParts from '../../../src/host/worker-parts.js'
import { expect, test } from '../../support/project/dist.js'

test('the time limit of an agent that runs as a tool ends its turn as max-time, across copies of the code', async ({
  dist,
}) => {
  const parts = (await import(pathToFileURL(join(dist, 'worker-parts.js')).href)) as typeof WorkerParts
  const session = { ...emptySession('s', '', 0), status: 'running' } as Session
  const reasons: unknown[] = []
  const deps = {
    session: () => session,
    root: () => session,
    id: () => 'id',
    now: () => 0,
    config: () => ({ limits: {} }),
    wait: async () => undefined,
    emit: async () => undefined,
    async runTurn(_deps: TurnDeps, signal: AbortSignal) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      reasons.push(signal.reason)
      return { reason: 'max-time' }
    },
  } as unknown as TurnDeps
  const agent = { instructions: '', input: 'model', history: 'none', limits: { turn: 1_000 } } as const
  const { error } = await parts.runSubAgent(deps, new AbortController().signal, { callId: 'c', agent, input: {} })
  expect(error?.message).toContain('max-time')
  const [reason] = reasons
  expect(reason).toBeInstanceOf(TurnAbort)
  expect(reason).toMatchObject({ kind: 'max-time' })
  expect(new DOMException('x', 'AbortError')).not.toBeInstanceOf(TurnAbort)
})

test('a closed turn is recognized by every copy of the code', () => {
  class TurnAbortOfAnotherFile extends Error {
    override readonly name = 'AbortError'
    readonly kind = 'closed'
  }
  const abort = new AbortController()
  abort.abort(new TurnAbortOfAnotherFile())
  expect(() => throwIfClosed(abort.signal)).toThrow(TurnAbort)
})
