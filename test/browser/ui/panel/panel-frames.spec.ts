// The panel draws once per frame, for the events of all tasks before the frame.
import { assistant, call, expect, test, user } from '../../../support/page/panel.js'

test('draws the events of many tasks once, in the next frame', { tag: '@F19' }, async ({ panel, page }) => {
  await panel.stream()
  const draws = await page.evaluate(async () => {
    const task = () =>
      new Promise((resolve) => {
        setTimeout(resolve)
      })
    const frames: FrameRequestCallback[] = []
    const { requestAnimationFrame: original } = window
    await new Promise((resolve) => {
      original(() => original(resolve))
    })
    window.requestAnimationFrame = (callback) => frames.push(callback)
    const text = [...(window.element.shadowRoot?.querySelectorAll('.text') ?? [])].at(-1)
    const length = () => text?.textContent?.trim().length
    let count = 0
    new MutationObserver(() => count++).observe(text as Node, { childList: true, characterData: true, subtree: true })
    for (let index = 0; index < 20; index++) {
      window.fake.emit({ type: 'text-delta', delta: 'b' })
      await task()
    }
    const before = [count, length()]
    // After a slow frame the panel skips some frames.
    for (let tries = 0; tries < 1_000 && length() === 1; tries++) {
      for (const frame of frames.splice(0)) frame(0)
      await task()
    }
    window.requestAnimationFrame = original
    return { before, after: [count, length()] }
  })
  expect(draws).toEqual({ before: [0, 1], after: [1, 21] })
})

test('after a slow frame the panel requests no other until the page had as much time', async ({ panel, page }) => {
  await panel.stream()
  const { requested, rested } = await page.evaluate(async () => {
    const task = () => new Promise((resolve) => setTimeout(resolve))
    // A rest after the frames before this has ended.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const frames: FrameRequestCallback[] = []
    const { requestAnimationFrame: original } = window
    window.requestAnimationFrame = (callback) => frames.push(callback)
    const run = () => {
      const due = frames.splice(0)
      for (const frame of due) frame(0)
      return due.length
    }
    const drawing = [...(window.element.shadowRoot?.querySelectorAll('.text') ?? [])].at(-1)
    const drawn = new MutationObserver(() => {
      drawn.disconnect()
      const began = performance.now()
      while (performance.now() - began < 200);
    })
    drawn.observe(drawing as Node, { childList: true, characterData: true, subtree: true })
    window.fake.emit({ type: 'text-delta', delta: 'b' })
    run()
    await task() // The text is drawn.
    const slow = performance.now()
    window.fake.emit({ type: 'text-delta', delta: 'c' })
    const text = () => [...(window.element.shadowRoot?.querySelectorAll('.text') ?? [])].at(-1)?.textContent?.trim()
    let requested = 0
    while (text() !== 'abc' && performance.now() - slow < 10_000) {
      requested += run()
      await task()
    }
    window.requestAnimationFrame = original
    return { requested, rested: performance.now() - slow }
  })
  expect(rested).toBeGreaterThan(190)
  // It waits without frames.
  expect(requested).toBe(1)
})

test('what quick steps do waits for each other, and not for a text or a question', async ({ panel, page }) => {
  await panel.stream()
  const seen = await page.evaluate(async () => {
    const task = () => new Promise((resolve) => setTimeout(resolve))
    // A rest after the frames before this has ended.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { requestAnimationFrame: original, setTimeout: later } = window
    const frames: FrameRequestCallback[] = []
    const timers: (() => void)[] = []
    window.requestAnimationFrame = (callback) => frames.push(callback)
    const cards = () => window.element.shadowRoot?.querySelectorAll('tool-agent-call').length
    const drawn = async () => {
      for (const frame of frames.splice(0)) frame(0)
      await task()
      return cards()
    }
    const start = (id: string) => window.fake.emit({ type: 'tool-input-start', id, name: 'add' })
    const now = performance.now()
    performance.now = () => now
    window.setTimeout = ((run: () => void, after?: number) => {
      if (after === 100) timers.push(run)
      return later(run, after === 100 ? 1e8 : after)
    }) as typeof setTimeout
    start('a')
    const first = await drawn()
    start('b')
    start('c')
    const second = await drawn()
    const waiting = timers.length
    window.fake.emit({ type: 'text-delta', delta: 'b' })
    const withText = await drawn()
    start('d')
    await drawn()
    performance.now = () => now + 100
    timers.at(-1)!()
    const after = await drawn()
    Object.assign(window, { requestAnimationFrame: original, setTimeout: later })
    Reflect.deleteProperty(performance, 'now')
    return { first, second, waiting, withText, after }
  })
  expect(seen).toEqual({ first: 1, second: 1, waiting: 1, withText: 3, after: 4 })
})

test('after a long time without frames the panel rests for a moment only', async ({ panel, page }) => {
  await panel.stream()
  await page.evaluate(() => {
    // A dialog stopped the page for an hour, in the frame that draws.
    let hidden = 0
    const now = performance.now.bind(performance)
    performance.now = () => now() + hidden
    window.fake.emit({ type: 'text-delta', delta: 'b' })
    const drawn = new MutationObserver(() => {
      drawn.disconnect()
      hidden = 3_600_000
      window.fake.emit({ type: 'text-delta', delta: 'c' })
    })
    const text = [...(window.element.shadowRoot?.querySelectorAll('.text') ?? [])].at(-1)
    drawn.observe(text as Node, { childList: true, characterData: true, subtree: true })
  })
  await expect(panel.element.locator('.text').last()).toHaveText('abc')
})

test('a finished answer keeps the elements that were drawn while it streamed', async ({ panel, page }) => {
  await panel.stream()
  const text = 'a *first* paragraph\n\nand a second\n\n- with a list'
  await panel.emit({ type: 'text-delta', delta: text.slice(1) })
  await expect(panel.element.locator('li')).toHaveText('with a list')
  const kept = await page.evaluate(async (written) => {
    const texts = () => [...(window.element.shadowRoot?.querySelectorAll('.text') ?? [])]
    const drawn = texts().at(-1)!
    const elements = [drawn.closest('article'), ...drawn.querySelectorAll('*')]
    const changes: string[] = []
    const observer = new MutationObserver((records) => changes.push(...records.map(({ type }) => type)))
    observer.observe(drawn, { childList: true, characterData: true, subtree: true })
    const parts = [{ type: 'text', text: written }] as const
    window.fake.emit({
      type: 'step-end',
      at: 2,
      step: 0,
      offered: [],
      message: { id: 'm', role: 'assistant', at: 2, parts, reason: 'stop' },
    })
    const frame = () => new Promise(requestAnimationFrame)
    const busy = () => texts().at(-1)?.closest('article')?.getAttribute('aria-busy')
    // After a slow frame the panel leaves the next ones to the page.
    for (let frames = 0; frames < 300 && busy() === 'true'; frames++) await frame()
    await frame()
    const after = [drawn.closest('article'), ...(texts().at(-1)?.querySelectorAll('*') ?? [])]
    const isSame = after.length === elements.length && after.every((one, index) => one === elements[index])
    const { draft } = window.fake.session ?? {}
    return { isSame, changes, draft, isBusy: busy() }
  }, text)
  expect(kept).toEqual({ isSame: true, changes: [], draft: undefined, isBusy: null })
})

test('a link that is defined after its use becomes a link when the answer is complete', async ({ panel }) => {
  await panel.stream()
  const text = 'a [shop] \n\none\n\ntwo\n\nthree\n\n[shop]: https://shop.example/'
  await panel.emit({ type: 'text-delta', delta: text.slice(1, 30) }, { type: 'text-delta', delta: text.slice(30) })
  const parts = [{ type: 'text', text }] as const
  const message = { id: 'm', role: 'assistant', at: 2, parts } as const
  await panel.emit({ type: 'step-end', at: 2, step: 0, offered: [], message })
  await expect(panel.element.locator('.text a')).toHaveAttribute('href', 'https://shop.example/')
})

test('drawing does not read the height of the transcript', async ({ panel, page }) => {
  await panel.stream()
  const reads = await page.evaluate(async () => {
    const getter = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollHeight')!
    const { requestAnimationFrame: original } = window
    const inFrame = () => new Promise((resolve) => original(resolve))
    await inFrame()
    await inFrame()
    let reads = 0
    Object.defineProperty(Element.prototype, 'scrollHeight', {
      ...getter,
      get(this: Element) {
        reads++
        return getter.get?.call(this) as number
      },
    })
    const text = [...(window.element.shadowRoot?.querySelectorAll('.text') ?? [])].at(-1)
    const drawn = new Promise<number>((resolve) => {
      // Called in the microtasks of the task that draws.
      new MutationObserver(() => queueMicrotask(() => resolve(reads))).observe(text as Node, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    })
    window.fake.emit({ type: 'text-delta', delta: 'b' })
    const before = await drawn
    Object.defineProperty(Element.prototype, 'scrollHeight', getter)
    return before
  })
  expect(reads).toBe(0)
})

test('a new message gives no other message a new style', async ({ panel, page, browser, browserName }) => {
  test.skip(browserName !== 'chromium', 'Only Chromium traces what it does')
  const calls = Array.from({ length: 40 }, (_, at) =>
    assistant(`m${at}`, call(`c${at}`, 'search', { result: { output: 'ok', ms: 1 } })),
  )
  await panel.show({ status: 'running', messages: [user('u', 'Hi'), ...calls] })
  await expect(panel.element.locator('tool-agent-call')).toHaveCount(40)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await panel.show({
    status: 'running',
    messages: [user('u', 'Hi'), ...calls, assistant('last', call('last', 'search'))],
  })
  await expect(panel.element.locator('tool-agent-call')).toHaveCount(41)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; args: { elementCount?: number } }[]
  }
  const styled = traceEvents
    .filter(({ name }) => name === 'UpdateLayoutTree')
    .reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0)
  // Those of the new card, and of what moves.
  expect(styled).toBeGreaterThan(2)
  expect(styled).toBeLessThan(100)
})

test('what tools do is drawn for at most a fifth of the time', async ({ panel, page }) => {
  await panel.stream()
  const { took, waited } = await page.evaluate(async () => {
    // A rest after the frames before this has ended.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const root = window.element.shadowRoot!
    const drawn = (cards: number) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (root.querySelectorAll('tool-agent-call').length < cards) return
          observer.disconnect()
          resolve()
        })
        observer.observe(root, { childList: true, subtree: true })
      })
    const start = (id: string) => window.fake.emit({ type: 'tool-input-start', id, name: 'add' })
    let began = performance.now()
    start('a')
    await drawn(1)
    began = performance.now()
    while (performance.now() - began < 40);
    const took = performance.now() - began
    await new Promise((resolve) => setTimeout(resolve))
    began = performance.now()
    start('b')
    await drawn(2)
    return { took, waited: performance.now() - began }
  })
  // Less a few milliseconds between the drawing and the clock of this test.
  expect(waited).toBeGreaterThan(4 * took - 20)
})

test('a drawing is one frame, draws the field no more, and reads the height once for new text', async ({
  panel,
  page,
}) => {
  await panel.stream()
  // More than the panel can show, so that it scrolls.
  await panel.emit({ type: 'text-delta', delta: '\n\nline'.repeat(60) })
  await expect(panel.element.locator('.text p')).toHaveCount(62)
  const counts = await page.evaluate(async () => {
    const getter = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollHeight')!
    const { requestAnimationFrame: original } = window
    const quiet = async () => {
      for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => original(resolve))
    }
    // A rest after the frames before this has ended.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const counts = { frames: 0, heights: 0, list: 0, field: 0 }
    Object.defineProperty(Element.prototype, 'scrollHeight', {
      ...getter,
      get(this: Element) {
        counts.heights++
        return getter.get?.call(this) as number
      },
    })
    window.requestAnimationFrame = (callback) => {
      counts.frames++
      return original(callback)
    }
    const root = window.element.shadowRoot!
    for (const [name, what] of [['transcript', 'list'] as const, ['composer', 'field'] as const]) {
      const part = root.querySelector(`tool-agent-${name}`) as unknown as { performUpdate: () => void }
      const perform = part.performUpdate.bind(part)
      part.performUpdate = () => {
        counts[what]++
        perform()
      }
    }
    const lines = () => root.querySelectorAll('.text p').length
    for (let line = 0; line < 5; line++) {
      const before = lines()
      window.fake.emit({ type: 'text-delta', delta: `\n\nline ${line}` })
      while (lines() === before) await new Promise((resolve) => original(resolve))
      await quiet()
    }
    const streaming = { ...counts }
    for (const placeholder of ['a', 'b', 'c']) {
      window.element.placeholder = placeholder
      await quiet()
    }
    window.requestAnimationFrame = original
    Object.defineProperty(Element.prototype, 'scrollHeight', getter)
    return { streaming, heightsWithoutText: counts.heights - streaming.heights }
  })
  expect(counts).toEqual({ streaming: { frames: 5, heights: 5, list: 5, field: 0 }, heightsWithoutText: 0 })
})

test('messages become far from the end together, not with each new one', async ({ panel, page }) => {
  const calls = Array.from({ length: 32 }, (_, at) =>
    assistant(`m${at}`, call(`c${at}`, 'search', { result: { output: 'ok', ms: 1 } })),
  )
  const list = panel.element.locator('article.message')
  await panel.show({ status: 'running', messages: [user('u', 'Hi'), ...calls.slice(0, 16)] })
  await expect(list).toHaveCount(17)
  const far: number[] = []
  for (let count = 17; count <= 32; count++) {
    await panel.show({ status: 'running', messages: [user('u', 'Hi'), ...calls.slice(0, count)] })
    await expect(list).toHaveCount(count + 1)
    far.push(await panel.element.locator('[data-far]').count())
  }
  expect([...new Set(far)]).toEqual([8, 16, 24])
  // What the browser will skip has a size that it remembers.
  const sizes = await page.evaluate(() =>
    [...window.element.shadowRoot!.querySelectorAll('article.message')].map(
      (one) => getComputedStyle(one).containIntrinsicBlockSize,
    ),
  )
  expect(new Set(sizes)).toEqual(new Set(['auto 80px']))
})
