// The panel draws once per frame, for the events of all tasks before the frame.
import { expect, test } from '../../../support/page/panel.js'

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
