// The button that undoes what the assistant has changed for one message: its place, its words, keyboard and screen
// reader, and what it says afterwards.
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

const filled = (id: string, summary = 'Filled 2 fields') =>
  call(id, 'form_fill', {
    result: { output: [{ field: 'Name', asked: 'Ada', now: 'Ada', ok: true }], summary, endedAt: 1, attempts: 1 },
  })
const undo = (panel: PanelPage) => panel.element.locator('.undo')
const button = (panel: PanelPage) => undo(panel).getByRole('button')
/** What a screen reader hears. */
const said = (panel: PanelPage) => panel.element.locator('[role=status]')

const show = async (panel: PanelPage, undoable: object): Promise<void> => {
  await panel.show({
    messages: [user('u', 'Fill it'), assistant('a', filled('first')), assistant('b', filled('second'), 'Done.')],
  })
  await panel.page.evaluate((task) => {
    window.fake.set({ undoable: task as never })
  }, undoable)
}

test('is on the last card that changed something, and says what one press did and takes it back', async ({ panel }) => {
  await show(panel, { callId: 'second', calls: 1, can: 'undo' })
  await expect(undo(panel)).toHaveCount(1)
  await expect(button(panel)).toHaveAccessibleName('Undo')
  const [card, place] = await Promise.all([
    panel.element.locator('.call').last().boundingBox(),
    button(panel).boundingBox(),
  ])
  expect(place!.x).toBeGreaterThan(card!.x + card!.width - 1)
  expect(place!.y + place!.height).toBeLessThan(card!.y + card!.height + 8)
  expect(place!.height).toBeGreaterThanOrEqual(32)
  expect(await button(panel).evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
  await panel.page.evaluate(() => {
    Object.assign(window.fake, { outcome: { kept: ['Name', 'Date'] } })
  })
  await button(panel).focus()
  await panel.page.keyboard.press('Enter')
  await expect(undo(panel)).toHaveText(/^\s*Undone\s*·\s*Redo\s*$/)
  const note = panel.element.locator('.undo-note')
  await expect(note).toHaveText('2 fields were changed since and stayed: Name, Date.')
  await expect(said(panel).filter({ hasText: 'Undone' })).toHaveText(
    /Undone\. 2 fields were changed since and stayed: Name, Date\.$/,
  )
  // The focus stays on the button, which now does the opposite.
  await expect(button(panel)).toBeFocused()
  await panel.page.evaluate(() => {
    Object.assign(window.fake, { outcome: {} })
  })
  await panel.page.keyboard.press('Enter')
  await expect(button(panel)).toHaveAccessibleName('Undo')
  await expect(note).toHaveCount(0)
  await expect(said(panel).filter({ hasText: 'The values of the assistant are back.' })).toHaveCount(1)
  expect(await panel.asked('undoTask')).toEqual([['undo'], ['redo']])
})

test('names how many calls it undoes, and what cannot be undone', async ({ panel }) => {
  await show(panel, { callId: 'second', calls: 3, can: 'undo' })
  await expect(button(panel)).toHaveAccessibleName('Undo 3 changes')
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
  await expect(undo(panel)).toHaveText('Undone')
  // The button is gone, so keyboard focus goes to the card.
  expect(await panel.element.evaluate((element) => element.shadowRoot?.activeElement?.localName)).toBe('summary')
})

test('a call that was undone earlier says so on its line, without a button', async ({ panel }) => {
  const part = { ...(filled('first') as object), undone: { state: 'done', at: 2 } }
  await panel.show({ messages: [user('u', 'Fill it'), assistant('a', part as never), assistant('b', 'Done.')] })
  await expect(panel.element.locator('.call .status')).toHaveText('Undone')
  await expect(undo(panel)).toHaveCount(0)
})

test('reports an undo that fails, and allows another attempt', async ({ panel }) => {
  await show(panel, { callId: 'second', calls: 1, can: 'undo' })
  await panel.page.evaluate(() => {
    window.fake.failures.set('undoTask', { code: 'storage', message: 'No answer' })
  })
  await button(panel).click()
  await expect(panel.element.locator('.notices')).toContainText('cannot be saved')
  await button(panel).click()
  await expect(undo(panel)).toContainText('Undone')
})
