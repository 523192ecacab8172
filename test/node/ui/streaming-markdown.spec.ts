// The texts of a streaming message: drawn in steps, to the end, and by their own renderer until another message streams.
import { expect, test } from 'playwright/test'
import type { Draft } from '../../../src/core/data/message.js'
import { StreamingMarkdown } from '../../../src/ui/markdown/streaming-markdown.js'
import type { RenderState } from '../../../src/ui/panel/render-context.js'

/** Each renderer draws a text as its length. A renderer of a complete text draws it as `whole`. */
const markdown = {
  render: () => 'whole',
  stream: () => (text: string) => text.length,
  toPlainText: async (text: string) => text,
}
const state = { markdown } as unknown as RenderState
const draftOf = (id: string): Draft => ({ id, parts: [] }) as unknown as Draft

test('a frame adds at most 8,000 characters, also when the text is complete', () => {
  const frames: (() => void)[] = []
  const tasks: (() => void)[] = []
  const { setTimeout: original } = globalThis
  globalThis.requestAnimationFrame = (draw) => frames.push(draw as () => void)
  globalThis.setTimeout = ((task: () => void) => tasks.push(task)) as unknown as typeof setTimeout
  try {
    let drawn = 0
    const streams = new StreamingMarkdown(() => drawn++)
    /** Returns how many frames were requested. */
    const nextFrame = (): number => {
      for (const task of tasks.splice(0)) task()
      const due = frames.splice(0)
      for (const frame of due) frame()
      return due.length
    }
    expect(streams.forDraft(draftOf('a'), state)(0, 'x'.repeat(7_000))).toBe(7_000)
    expect(streams.isBehind('a')).toBe(false)
    // Nothing is left for another frame.
    expect(nextFrame()).toBe(0)
    expect(drawn).toBe(0)
    const growing = (length: number): unknown => streams.forDraft(draftOf('a'), state)(0, 'x'.repeat(length))
    expect(growing(30_000)).toBe(15_000)
    // Drawn twice in one frame.
    expect(growing(30_100)).toBe(15_000)
    expect(streams.isBehind('a')).toBe(true)
    expect(streams.isBehind('b')).toBe(false)
    expect(nextFrame()).toBe(1)
    expect(drawn).toBe(1)
    const finished = (): unknown => streams.finished('a', state)(0, 'x'.repeat(30_000))
    expect(finished()).toBe(23_000)
    nextFrame()
    expect(finished()).toBe(30_000)
    nextFrame()
    // Drawn once more, so that its guard does not depend on `isBehind` any longer.
    expect(drawn).toBe(3)
    expect(streams.isBehind('a')).toBe(false)
    expect(finished()).toBe(30_000)
    nextFrame()
    expect(drawn).toBe(3)
  } finally {
    globalThis.setTimeout = original
    Reflect.deleteProperty(globalThis, 'requestAnimationFrame')
  }
})

test('a text that is behind is drawn completely when the next message streams', () => {
  const { setTimeout: original } = globalThis
  globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout
  try {
    const streams = new StreamingMarkdown(() => undefined)
    expect(streams.forDraft(draftOf('a'), state)(0, 'x'.repeat(20_000))).toBe(8_000)
    expect(streams.forDraft(draftOf('b'), state)(0, 'y')).toBe(0)
    expect(streams.isBehind('a')).toBe(false)
    expect(streams.finished('a', state)(0, 'x'.repeat(20_000))).toBe('whole')
  } finally {
    globalThis.setTimeout = original
  }
})
