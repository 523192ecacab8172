// page_drag with one library, as a sample of those in act-drag-libraries.spec.ts.
import { draggables, expect, openFramework, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'

test('an item of SortableJS moves into another list', async ({ page, site }) => {
  await openFramework(page, site, draggables)
  await page.evaluate(() =>
    (window as unknown as { fixture: { draw(kind: string): void } }).fixture.draw('sortable-animated'),
  )
  const answer = await call(page, 'page_drag', { target: 'Bread', to: 'Eggs', place: 'after' })
  expect(answer).toMatchObject({ changed: true, dragged: 'listitem "Bread" after listitem "Eggs"' })
  const state = await page.evaluate(() => (window as unknown as { fixture: { state(): object } }).fixture.state())
  expect(state).toEqual({ todo: ['Apples', 'Cheese', 'Dates'], done: ['Eggs', 'Bread'] })
})
