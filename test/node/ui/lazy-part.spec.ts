// Parts of the panel that are imported when they are first needed.
import type { ReactiveControllerHost } from 'lit'
import { expect, test } from 'playwright/test'
import { LazyPart } from '../../../src/ui/element/lazy-part.js'

/** A host that counts its update requests. */
class Host implements ReactiveControllerHost {
  updates = 0
  readonly controllers: unknown[] = []
  readonly updateComplete = Promise.resolve(true)
  addController(controller: unknown): void {
    this.controllers.push(controller)
  }
  removeController(): void {}
  requestUpdate(): void {
    this.updates++
  }
}

test('a part is unloaded, then loading, then ready, and its host updates', async () => {
  const host = new Host()
  const part = new LazyPart(host, () => Promise.resolve('the part'))
  expect(host.controllers).toEqual([part])
  expect(part.state).toEqual({ status: 'unloaded' })
  const loaded = part.load()
  expect(part.state).toEqual({ status: 'loading' })
  expect(part.value).toBeUndefined()
  expect(host.updates).toBe(0)
  await loaded
  expect(part.state).toEqual({ status: 'ready', value: 'the part' })
  expect(part.value).toBe('the part')
  expect(host.updates).toBe(1)
})

test('a part is imported once, however often it is requested', async () => {
  let imports = 0
  const part = new LazyPart(new Host(), () => Promise.resolve(++imports))
  await Promise.all([part.load(), part.load()])
  await part.load()
  expect(imports).toBe(1)
})

test('a failed import is reported, stays failed, and is retried after a reset', async () => {
  const host = new Host()
  const errors: unknown[] = []
  const offline = new Error('offline')
  let isOnline = false
  const load = () => (isOnline ? Promise.resolve('the part') : Promise.reject(offline))
  const part = new LazyPart(host, load, (error) => errors.push(error))
  await part.load()
  expect(part.state).toEqual({ status: 'failed', error: offline })
  expect(host.updates).toBe(1)
  isOnline = true
  await part.load()
  expect(part.state.status).toBe('failed')
  expect(errors).toEqual([offline])
  part.reset()
  expect(part.state).toEqual({ status: 'unloaded' })
  await part.load()
  expect(part.value).toBe('the part')
  expect(host.updates).toBe(2)
})

test('a failed import is retried when its host is connected again', async () => {
  let attempts = 0
  const part = new LazyPart(new Host(), () => Promise.reject(new Error(`attempt ${++attempts}`)))
  await part.load()
  part.hostConnected()
  await part.load()
  expect(attempts).toBe(2)
})

test('a reset changes nothing while a part is loading or ready', async () => {
  let imports = 0
  const part = new LazyPart(new Host(), () => Promise.resolve(++imports))
  const loaded = part.load()
  part.reset()
  await part.load()
  await loaded
  part.reset()
  await part.load()
  expect(part.state).toEqual({ status: 'ready', value: 1 })
})
