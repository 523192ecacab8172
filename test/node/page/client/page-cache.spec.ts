// Pages that enter the browser's back/forward cache: what they release, and what they show when they come back.
import { toolCallsOf, textOf } from '../../../../src/core/data/message.js'
import type { MemoryDisk } from '../../../../src/host/store/memory-store.js'
import type { ToolRun } from '../../../../src/page/tools/tool.js'
import type { Handler, ScriptItem } from '../../../support/lab/endpoint.js'
import { deferred, expect, test, until, type Bench, type Lab } from '../../../support/lab/lab.js'
import { FakeOrigin } from '../../../support/lab/tabs.js'

const sessionId = 'cached'
const call = (id: string, name: string) => ({ id, name, arguments: {} })
const texts = ({ agent }: Bench) => agent.messages.map(textOf)
const codes = ({ agent }: Bench) =>
  agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.error?.code ?? result?.output)

interface Page extends Bench {
  /** The page enters the cache, or leaves it. */
  hide(): void
  show(): void
}

interface Tab {
  readonly origin: FakeOrigin
  /** The next page of the tab, opened. */
  page(prepare?: (bench: Bench) => void, options?: { tab?: string }): Promise<Page>
}

/** A tab whose pages share a disk and an endpoint. Their hosts run in workers, unless `worker` is false. */
function tabOf(lab: Lab, script: readonly ScriptItem[] | Handler, { worker = true, stored = true } = {}): Tab {
  const [origin, disk]: [FakeOrigin, MemoryDisk] = [new FakeOrigin(), new Map()]
  let first: Bench | undefined
  return {
    origin,
    async page(prepare, options = {}) {
      const window = new EventTarget()
      Object.assign(globalThis, { window })
      const bench = await lab.start(first ? [] : script, {
        sessionId,
        disk,
        origin,
        worker,
        ...(stored ? { onCommit: () => undefined } : {}),
        ...(first ? { endpointServer: first.endpoint } : {}),
        ...options,
      })
      first ??= bench
      prepare?.(bench)
      await bench.agent.connect()
      const tell = (type: string) => window.dispatchEvent(Object.assign(new Event(type), { persisted: true }))
      return {
        ...bench,
        hide: () => {
          tell('pagehide')
        },
        show: () => {
          Object.assign(globalThis, { window })
          tell('pageshow')
        },
      }
    },
  }
}

test.afterEach(() => {
  Reflect.deleteProperty(globalThis, 'window')
})

/** Hangs the first time it runs, and answers from then on. */
function look(
  state: { runs: number; aborted: number; running: ReturnType<typeof deferred<void>> },
  more: object = { annotations: { readOnlyHint: true } },
) {
  return ({ agent }: Bench) =>
    void agent.registerTool({
      name: 'look',
      description: 'Looks',
      ...more,
      execute: (_: unknown, { signal }: ToolRun) => {
        if (++state.runs > 1) return 'seen'
        state.running.resolve()
        signal.addEventListener('abort', () => {
          state.aborted++
        })
        return new Promise(() => undefined)
      },
    })
}
const fresh = () => ({ runs: 0, aborted: 0, running: deferred() })

for (const worker of [true, false]) {
  const where = worker ? 'a worker' : 'the page'

  test(`host in ${where}: a page in the cache releases its session for the next page of the tab`, async ({ lab }) => {
    const { origin, page } = tabOf(lab, [{ text: 'one' }, { text: 'two' }], { worker })
    const first = await page()
    await first.agent.send('Hello')
    first.hide()
    await expect.poll(() => origin.held).toEqual([])
    const second = await page()
    expect(second.agent.role).not.toBe('mirror')
    expect((await second.agent.send('Again')).text).toBe('two')
  })

  test(`host in ${where}: a page that is shown again has the messages of the next page, and drives`, async ({
    lab,
  }) => {
    const { page } = tabOf(lab, [{ text: 'one' }, { text: 'two' }, { text: 'three' }], { worker })
    const first = await page()
    await first.agent.send('Hello')
    first.hide()
    const second = await page()
    await second.agent.send('Again')
    second.hide()
    first.show()
    await until(first.agent, () => first.agent.messages.length === 4 && first.agent.role !== undefined)
    expect(first.agent.role).not.toBe('mirror')
    expect((await first.agent.send('And again')).text).toBe('three')
    expect(texts(first)).toEqual(['Hello', 'one', 'Again', 'two', 'And again', 'three'])
  })
}

test('a send resolves when its page is shown again and the next page has ended the turn', async ({ lab }) => {
  const state = fresh()
  const { page } = tabOf(lab, [{ calls: [call('l', 'look')] }, { text: 'looked' }])
  const first = await page(look(state))
  const sent = first.agent.send('Look')
  await state.running.promise
  first.hide()
  expect(state.aborted).toBe(1)
  const second = await page(look(state))
  await until(second.agent, () => second.agent.status === 'idle')
  second.hide()
  first.show()
  expect(await sent).toMatchObject({ reason: 'stop', text: 'looked' })
  expect([state.runs, codes(first)]).toEqual([2, ['seen']])
})

test('a turn that no other page continued resumes when its page is shown again', async ({ lab }) => {
  const state = fresh()
  const { page } = tabOf(lab, [{ calls: [call('l', 'look')] }, { text: 'looked' }])
  const first = await page(look(state))
  const sent = first.agent.send('Look')
  await state.running.promise
  first.hide()
  first.show()
  expect(await sent).toMatchObject({ reason: 'stop', text: 'looked' })
  expect([state.runs, state.aborted]).toEqual([2, 1])
})

test('a call that is not idempotent is settled as interrupted when its page is shown again', async ({ lab }) => {
  const state = fresh()
  const { page } = tabOf(lab, [{ calls: [call('l', 'look')] }, { text: 'checked' }])
  const first = await page(look(state, {}))
  const sent = first.agent.send('Buy')
  await state.running.promise
  first.hide()
  first.show()
  expect(await sent).toMatchObject({ reason: 'stop', text: 'checked' })
  expect([state.runs, codes(first)]).toEqual([1, ['interrupted']])
})

test('an approval is requested again when its page is shown again, and the call runs once', async ({ lab }) => {
  let runs = 0
  const { page } = tabOf(lab, [{ calls: [call('p', 'pay')] }, { text: 'paid it' }])
  const pay = ({ agent }: Bench) =>
    void agent.registerTool({
      name: 'pay',
      description: 'Pays',
      needsApproval: true,
      execute: () => {
        runs++
        return 'paid'
      },
    })
  const first = await page(pay)
  const sent = first.agent.send('Pay')
  await until(first.agent, () => first.agent.status === 'awaiting-approval')
  first.hide()
  const second = await page(pay)
  await until(second.agent, () => second.agent.status === 'awaiting-approval')
  second.hide()
  first.show()
  // Immediately, while the page is still opening its session.
  await first.agent.approve('p')
  expect(await sent).toMatchObject({ reason: 'stop', text: 'paid it' })
  expect(runs).toBe(1)
})

test('a queued send rejects when its page enters the cache, and is not sent later', async ({ lab }) => {
  const state = fresh()
  const { page } = tabOf(lab, [{ calls: [call('l', 'look')] }, { text: 'looked' }])
  const first = await page(look(state))
  const sent = first.agent.send('Look')
  const queued = first.agent.send('And then')
  queued.catch(() => undefined)
  await state.running.promise
  first.hide()
  first.show()
  await expect(queued).rejects.toMatchObject({ code: 'cancelled' })
  await sent
  expect(texts(first)).toEqual(['Look', '', 'looked'])
})

test('a send that is not posted yet rejects when its page enters the cache, and is not sent later', async ({ lab }) => {
  const { page } = tabOf(lab, [{ text: 'one' }])
  const reading = deferred<string>()
  const first = await page(({ agent }) => agent.configure({ ...agent.options, pageContext: () => reading.promise }))
  const sent = first.agent.send('Hello')
  sent.catch(() => undefined)
  first.hide()
  first.show()
  await expect(sent).rejects.toMatchObject({ code: 'cancelled' })
  reading.resolve('')
  await first.agent.send('Again')
  expect(texts(first)).toEqual(['Again', 'one'])
})

test('a stepped turn that is not posted yet ends when its page enters the cache', async ({ lab }) => {
  const { page } = tabOf(lab, [{ text: 'one' }])
  const reading = deferred<string>()
  const first = await page(({ agent }) => agent.configure({ ...agent.options, pageContext: () => reading.promise }))
  const step = first.agent.step('Hello').next()
  step.catch(() => undefined)
  await until(first.agent, () => first.agent.queue.length === 1)
  first.hide()
  first.show()
  await expect(step).rejects.toMatchObject({ code: 'cancelled' })
  reading.resolve('')
  await first.agent.send('Again')
  expect(texts(first)).toEqual(['Again', 'one'])
})

test('a send in the cache waits until the page is shown again', async ({ lab }) => {
  const { origin, page } = tabOf(lab, [{ text: 'one' }])
  const first = await page()
  first.hide()
  const sent = first.agent.send('Hello')
  for (let task = 0; task < 5; task++)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  expect(origin.held).toEqual([])
  first.show()
  expect((await sent).text).toBe('one')
})

test('stop() while the session is being opened again ends the turn', async ({ lab }) => {
  const state = fresh()
  let requests = 0
  const { page } = tabOf(lab, () => (++requests === 1 ? { calls: [call('l', 'look')] } : { raw: [], end: 'hang' }))
  const first = await page(look(state))
  const sent = first.agent.send('Look')
  await state.running.promise
  first.hide()
  first.show()
  first.agent.stop()
  expect((await sent).reason).toBe('stopped')
})

test('a page that is shown again while another tab drives is a mirror, and its send has ended', async ({ lab }) => {
  const state = fresh()
  const { page } = tabOf(lab, [{ calls: [call('l', 'look')] }, { text: 'elsewhere' }])
  const first = await page(look(state))
  const sent = first.agent.send('Look')
  await state.running.promise
  first.hide()
  const other = await page(look(state), { tab: 'another' })
  await other.agent.continue()
  first.show()
  expect(await sent).toMatchObject({ reason: 'interrupted' })
  await until(first.agent, () => first.agent.role === 'mirror' && first.agent.messages.length === 3)
  expect(other.agent.role).not.toBe('mirror')
})

test('a stepped turn ends as interrupted', async ({ lab }) => {
  const state = fresh()
  const { page } = tabOf(lab, [{ calls: [call('l', 'look')] }])
  const first = await page(look(state))
  const steps = first.agent.step('Look')
  const { value: step } = await steps.next()
  const run = (step as { execute(): Promise<unknown> }).execute()
  run.catch(() => undefined)
  await state.running.promise
  first.hide()
  first.show()
  await until(first.agent, () => first.agent.session?.end?.reason === 'interrupted')
  expect((await steps.next()).done).toBe(true)
  expect(codes(first)).toEqual(['interrupted'])
})

test('a session in memory keeps its host, and its turn continues', async ({ lab }) => {
  const state = fresh()
  const finish = deferred<string>()
  const { origin, page } = tabOf(lab, [{ calls: [call('l', 'look')] }, { text: 'looked' }], { stored: false })
  const first = await page(
    ({ agent }) =>
      void agent.registerTool({
        name: 'look',
        description: 'Looks',
        execute: () => {
          state.running.resolve()
          return finish.promise
        },
      }),
  )
  const sent = first.agent.send('Look')
  await state.running.promise
  first.hide()
  expect(origin.held).toContain(`tool-agent:${sessionId}`)
  first.show()
  finish.resolve('seen')
  expect(await sent).toMatchObject({ reason: 'stop', text: 'looked' })
})

test('an agent that is closed in the cache stays closed', async ({ lab }) => {
  const { origin, page } = tabOf(lab, [{ text: 'one' }])
  const first = await page()
  await first.agent.send('Hello')
  first.hide()
  void first.agent.close()
  first.show()
  for (let task = 0; task < 10; task++)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  expect(origin.held).toEqual([])
})
