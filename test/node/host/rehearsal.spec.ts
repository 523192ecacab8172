// Before the first message the worker runs a turn once that nobody sees, so that its code is compiled.
import type { PageMessage, Port } from '../../../src/core/data/protocol.js'
import { providerNames } from '../../../src/core/data/model.js'
import { rehearse, whenIdle } from '../../../src/host/rehearsal.js'
import { hostConfig } from '../../../src/page/client/host-config.js'
import { deferred, expect, test } from '../../support/lab/lab.js'
import { startEndpoint } from '../../support/lab/endpoint.js'

test('a rehearsal builds the request of each provider and sends nothing', async () => {
  const endpoint = await startEndpoint([])
  const timers = watchTimers()
  for (const provider of providerNames) {
    const asked: string[] = []
    const config = hostConfig({
      endpoint: endpoint.url,
      model: 'm',
      provider,
      instructions: 'Answer in rhymes.',
      debug: true,
      headers: () => ({ authorization: `${asked.push('headers')}` }),
      hooks: { beforeModel: (request) => (asked.push('beforeModel'), request) },
    })
    const body = await rehearse(config)
    expect(body, provider).toContain('Answer in rhymes.')
    expect(body, provider).toContain('A message')
    expect(asked, provider).toEqual([])
  }
  expect(endpoint.requests).toHaveLength(0)
  await endpoint.close()
  timers.end()
  expect(timers.set()).toBeGreaterThan(0)
  expect([...timers.pending]).toEqual([])
})

test('only the request of a provider is rehearsed', async () => {
  const config = hostConfig({ endpoint: 'https://example.com/v1', model: 'm' })
  const { endpoint: _endpoint, ...without } = config
  expect(await rehearse({ ...config, pageModel: true })).toBeUndefined()
  expect(await rehearse({ ...config, provider: 'fallbacks' })).toBeUndefined()
  expect(await rehearse(without)).toBeUndefined()
  expect(await rehearse(config)).toBeDefined()
})

test('the worker rehearses when the page has opened a session and posts nothing more', async () => {
  const open = { type: 'open', config: hostConfig({ model: 'm' }) }
  const rehearsed: string[] = []
  const busy = fakePort()
  const idle = fakePort()
  const ended = deferred()
  whenIdle(busy.port, () => rehearsed.push('busy'))
  whenIdle(idle.port, () => {
    rehearsed.push('idle')
    ended.resolve()
  })
  busy.post(open)
  busy.post({ type: 'send' })
  idle.post(open)
  await ended.promise
  idle.post(open)
  expect(rehearsed).toEqual(['idle'])
  expect(idle.listeners()).toBe(0)
})

/** A port whose other end is the test. */
function fakePort() {
  const listeners = new Set<(event: { data: unknown }) => void>()
  const port: Port = {
    postMessage: () => undefined,
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
  }
  const post = (data: Partial<PageMessage> | object) => listeners.forEach((listener) => listener({ data }))
  return { port, post, listeners: () => listeners.size }
}

/** The timers that the code of this process sets from now on. Those of other tests and of the runner do not count. */
function watchTimers() {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const pending = new Set<string>()
  let count = 0
  globalThis.setTimeout = ((run: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) => {
    const where = `${++count}: ${delay ?? 0} ms`
    pending.add(where)
    const timer = set(() => {
      pending.delete(where)
      run(...args)
    }, delay)
    ended.set(timer, () => pending.delete(where))
    return timer
  }) as typeof setTimeout
  const ended = new Map<unknown, () => void>()
  globalThis.clearTimeout = ((timer) => {
    ended.get(timer)?.()
    clear(timer)
  }) as typeof clearTimeout
  return { pending, set: () => count, end: () => Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }) }
}
