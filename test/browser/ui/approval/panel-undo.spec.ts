// The buttons that undo what the assistant has changed for one message: their place, their words, keyboard and screen
// reader, and what they say afterwards.
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

const filled = (id: string, summary = 'Filled 2 fields') =>
  call(id, 'form_fill', {
    result: { output: [{ field: 'Name', asked: 'Ada', now: 'Ada', ok: true }], summary, endedAt: 1, attempts: 1 },
  })
const receipt = (panel: PanelPage) => panel.element.locator('.receipt')
/** The button for all of it. */
const button = (panel: PanelPage) => receipt(panel).locator('button.undo')
const lines = (panel: PanelPage) => receipt(panel).locator('.lines > li')
/** What a screen reader hears. */
const said = (panel: PanelPage) => panel.element.locator('[role=status]')

const show = async (panel: PanelPage, ...open: string[]): Promise<void> => {
  await panel.show({
    messages: [user('u', 'Fill it'), assistant('a', filled('first')), assistant('b', filled('second'), 'Done.')],
  })
  await panel.page.evaluate((ids) => {
    const task = { can: 'undo', lines: ids.map((callId) => ({ callId, can: 'undo' })) }
    window.fake.set({ undoable: task as never })
  }, open)
}

test('one button undoes all and puts it back, inside the border, and says what it did', async ({ panel }) => {
  await show(panel, 'second')
  await expect(button(panel)).toHaveAccessibleName('Undo')
  await expect(lines(panel).getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  const [card, place] = await Promise.all([receipt(panel).boundingBox(), button(panel).boundingBox()])
  expect(place!.x + place!.width).toBeLessThan(card!.x + card!.width)
  expect(place!.y + place!.height).toBeLessThan(card!.y + card!.height)
  expect(place!.height).toBeGreaterThanOrEqual(32)
  await panel.page.evaluate(() => {
    Object.assign(window.fake, { outcome: { kept: ['Name', 'Date'] } })
  })
  await button(panel).focus()
  await panel.page.keyboard.press('Enter')
  await expect(button(panel)).toHaveAccessibleName('Redo')
  await expect(receipt(panel).locator('.head')).toHaveText(/Undone/)
  const note = panel.element.locator('.undo-note')
  await expect(note).toHaveText('2 fields were changed since and stayed: Name, Date.')
  await expect(said(panel).filter({ hasText: 'Undone' })).toHaveText(
    /Undone\. 2 fields were changed since and stayed: Name, Date\.$/,
  )
  // The focus stays on the button, which now does the opposite, in the same place.
  await expect(button(panel)).toBeFocused()
  const after = await button(panel).boundingBox()
  expect(after!.x + after!.width).toBeCloseTo(place!.x + place!.width, 0)
  // Undone looks undone.
  const line = lines(panel).last().locator('.call')
  await expect(line.locator('.status')).toHaveText('Undone')
  expect(await line.locator('.title').evaluate((one) => getComputedStyle(one).textDecorationLine)).toBe('line-through')
  await panel.page.evaluate(() => {
    Object.assign(window.fake, { outcome: {} })
  })
  await panel.page.keyboard.press('Enter')
  await expect(button(panel)).toHaveAccessibleName('Undo')
  await expect(line.locator('.status')).toHaveCount(0)
  await expect(note).toHaveCount(0)
  await expect(said(panel).filter({ hasText: 'The values of the assistant are back.' })).toHaveCount(1)
  expect(await panel.asked('undoTask')).toEqual([['undo'], ['redo']])
})

test('each of several lines has a button of its own, which leaves the others', async ({ panel }) => {
  await show(panel, 'first', 'second')
  await expect(button(panel)).toHaveAccessibleName('Undo all')
  const one = lines(panel).first().locator('button.one')
  await expect(one).toHaveAccessibleName('Undo: Filled 2 fields')
  await one.press('Enter')
  await expect(one).toHaveAccessibleName('Redo: Filled 2 fields')
  await expect(one).toBeFocused()
  await expect(lines(panel).first().locator('.call')).toHaveAttribute('data-undone')
  await expect(lines(panel).last().locator('.call')).not.toHaveAttribute('data-undone')
  await expect(receipt(panel)).toHaveAttribute('data-state', 'done')
  expect(await panel.asked('undoTask')).toEqual([['undo', 'first']])
  await button(panel).click()
  await expect(receipt(panel)).toHaveAttribute('data-state', 'undone')
})

test('names what cannot be undone, and gives the focus to the first line when the button is gone', async ({
  panel,
}) => {
  await show(panel, 'second')
  await panel.page.evaluate(
    (parts) => {
      const [order, page, plain] = parts
      Object.assign(window.fake, {
        next: { can: undefined },
        outcome: {
          lost: ['Day'],
          failed: [plain],
          stays: [
            { part: order, effect: 'send' },
            { part: page, effect: 'outside' },
          ],
        },
      })
    },
    [
      call('o', 'order', { result: { output: 1, summary: 'Sent the order.', endedAt: 1, attempts: 1 } }),
      call('p', 'share', { result: { output: 1, endedAt: 1, attempts: 1 } }),
      call('q', 'add_to_cart', { result: { output: 1, endedAt: 1, attempts: 1 } }),
    ] as unknown[],
  )
  await button(panel).press('Enter')
  await expect(panel.element.locator('.undo-note')).toHaveText(
    'Could not be put back: Day. Could not be undone: Add to cart. You can try again. ' +
      'Was sent, and stays: Sent the order. Happened on another site, and stays: Share.',
  )
  await expect(button(panel)).toHaveCount(0)
  expect(await panel.element.evaluate((element) => element.shadowRoot?.activeElement?.localName)).toBe('summary')
})

test('a call that was undone earlier says so on its line, without a button', async ({ panel }) => {
  const part = { ...(filled('first') as object), undone: { state: 'done', at: 2 } }
  await panel.show({ messages: [user('u', 'Fill it'), assistant('a', part as never), assistant('b', 'Done.')] })
  await expect(panel.element.locator('.call .status')).toHaveText('Undone')
  await expect(button(panel)).toHaveCount(0)
})

test('reports an undo that fails, and allows another attempt', async ({ panel }) => {
  await show(panel, 'second')
  await panel.page.evaluate(() => {
    window.fake.failures.set('undoTask', { code: 'storage', message: 'No answer' })
  })
  await button(panel).click()
  await expect(panel.element.locator('.notices')).toContainText('cannot be saved')
  await button(panel).click()
  await expect(button(panel)).toHaveAccessibleName('Redo')
})
