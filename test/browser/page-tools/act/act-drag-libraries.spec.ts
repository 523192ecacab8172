// page_drag on the libraries that people drag with.
import type { Page } from 'playwright/test'
import { draggables, expect, openFramework, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'

interface Dragged {
  readonly error?: string
  readonly message?: string
  readonly changed?: boolean
  readonly now?: string
  readonly changes?: string
}

const draw = (page: Page, kind: string): Promise<void> =>
  page.evaluate((kind) => (window as unknown as { fixture: { draw(kind: string): void } }).fixture.draw(kind), kind)
const state = (page: Page): Promise<object> =>
  page.evaluate(() => (window as unknown as { fixture: { state(): object } }).fixture.state())

test.beforeEach(({ page, site }) => openFramework(page, site, draggables))

const [a, b, c, d] = ['Apples', 'Bread', 'Cheese', 'Dates']
const eggs = 'Eggs'
const noTouch = 'a list that waits for a long press needs touch events, which Firefox on a desktop has not'
for (const kind of [
  'sortable',
  'sortable-animated',
  'sortable-fallback',
  'sortable-delay',
  'jquery-ui-sortable',
  'pangea',
])
  for (const [input, todo, done] of [
    [{ target: a, to: c, place: 'after' }, [b, c, a, d], [eggs]],
    [{ target: d, to: b, place: 'before' }, [a, d, b, c], [eggs]],
    [{ target: b, to: eggs, place: 'before' }, [a, c, d], [b, eggs]],
    [{ target: b, to: eggs, place: 'after' }, [a, c, d], [eggs, b]],
  ] as const) {
    // Its list begins below the middle of a list with one item.
    if (kind === 'pangea' && input.to === eggs && input.place === 'before') continue
    test(`${kind}: ${input.target} ${input.place} ${input.to}`, async ({ page, browserName }) => {
      test.skip(browserName === 'firefox' && kind.endsWith('-delay'), noTouch)
      await draw(page, kind)
      await page.getByText(d!).waitFor()
      const answer = await call<Dragged>(page, 'page_drag', input)
      expect(answer, JSON.stringify(answer)).toMatchObject({ changed: true })
      expect(await state(page)).toEqual({ todo, done })
    })
  }

for (const kind of ['dnd-kit', 'dnd-kit-delay'])
  for (const [input, todo] of [
    [{ target: a, to: c, place: 'after' }, [b, c, a, d]],
    [{ target: d, to: a, place: 'after' }, [a, d, b, c]],
    [{ target: a, to: d, place: 'on' }, [b, c, d, a]],
  ] as const)
    test(`${kind}: ${input.target} ${input.place} ${input.to}`, async ({ page, browserName }) => {
      test.skip(browserName === 'firefox' && kind.endsWith('-delay'), noTouch)
      await draw(page, kind)
      await page.getByText(d!).waitFor()
      const answer = await call<Dragged>(page, 'page_drag', input)
      expect(answer, JSON.stringify(answer)).toMatchObject({ changed: true })
      expect(await state(page)).toEqual({ todo })
    })

for (const [kind, input, result] of [
  ['react-dnd', { target: b, to: 'Done' }, { todo: [a, c, d], done: [b] }],
  ['pangea', { target: b, to: 'Done' }, { todo: [a, c, d], done: [b, eggs] }],
  ['sortable', { target: b, to: 'Done' }, { todo: [a, c, d], done: [eggs, b] }],
  ['jquery-ui-draggable', { target: 'Card', to: 'Box' }, { dropped: 1 }],
  ['jquery-ui-slider', { target: 'Volume', x: 90, y: 0 }, { value: 50 }],
  ['nouislider', { target: 'Volume', x: 90, y: 0 }, { value: 50 }],
  ['gridstack', { target: 'Chart', x: 0, y: 160 }, { Chart: [0, 2], Table: [4, 0] }],
] as const)
  test(`${kind}: ${JSON.stringify(input)}`, async ({ page }) => {
    await draw(page, kind)
    const answer = await call<Dragged>(page, 'page_drag', input)
    expect(answer, JSON.stringify(answer)).toMatchObject({ changed: true })
    expect(await state(page)).toEqual(result)
  })
