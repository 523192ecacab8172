// The panel draws once a frame: what came in several tasks before the frame is drawn together.
import { assistant, expect, test, user } from '../support/panel.js'

test('F19 events of many tasks wait for the next frame, and are drawn with it once', async ({ panel, page }) => {
  // Markdown is loaded with the first text, and then all is drawn once more: that is waited for.
  await panel.show({ status: 'running', messages: [assistant('d', '**done**'), user('u', 'Hi')] })
  await expect(panel.element.locator('strong')).toHaveText('done')
  await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: 'a' })
  await expect(panel.element.locator('.text').last()).toHaveText('a')
  const draws = await page.evaluate(async () => {
    const task = () => new Promise((resolve) => { setTimeout(resolve) })
    const frames: FrameRequestCallback[] = []
    const { requestAnimationFrame: original } = window
    await new Promise((resolve) => { original(() => original(resolve)) })
    window.requestAnimationFrame = (callback) => frames.push(callback)
    const text = [...window.element.shadowRoot?.querySelectorAll('.text') ?? []].at(-1)
    const length = () => text?.textContent?.trim().length
    let count = 0
    new MutationObserver(() => count++).observe(text as Node, { childList: true, characterData: true, subtree: true })
    for (let index = 0; index < 20; index++) {
      window.fake.emit({ type: 'text-delta', delta: 'b' })
      await task()
    }
    const before = [count, length()]
    for (const frame of frames.splice(0)) frame(0)
    await task()
    window.requestAnimationFrame = original
    return { before, after: [count, length()] }
  })
  expect(draws).toEqual({ before: [0, 1], after: [1, 21] })
})
