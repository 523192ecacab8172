// What a closed panel reports, and what a screen reader hears.
import { assistant, expect, question, test, user, type PanelPage } from '../../../support/page/panel.js'

const live = (panel: PanelPage) => panel.element.locator('.unseen[aria-live]')
const launcher = (panel: PanelPage) => panel.element.locator('.launcher')
const answer = (id: string, text: string) =>
  ({ type: 'step-end', at: 1, step: 0, offered: [], message: assistant(id, text) as never }) as const
const end = (reason: 'stop' | 'stopped' | 'max-steps') => ({ type: 'turn-end', turn: 't', reason, at: 2 }) as never
const start = { type: 'turn-start', turn: { id: 't', startedAt: 1 }, message: user('u', 'Hi'), at: 1 } as never

async function close(panel: PanelPage): Promise<void> {
  await panel.page.evaluate(() => {
    window.element.layout = 'floating'
  })
  await expect(launcher(panel)).toBeVisible()
}

test('the launcher shows unread answers, work and questions, with a label', async ({ panel, page }) => {
  await close(panel)
  await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
  await expect(launcher(panel)).toHaveAccessibleName('Assistant: working')
  await expect(launcher(panel)).toHaveAttribute('data-report', '…')
  await panel.emit(answer('one', 'First'))
  await expect(launcher(panel)).toHaveAccessibleName('Assistant: 1 new message, working')
  await panel.emit(answer('two', 'Second'), answer('three', 'Third'))
  await expect(launcher(panel)).toHaveAccessibleName('Assistant: 3 new messages, working')
  await expect(launcher(panel)).toHaveAttribute('data-report', '3')
  const three = ['one', 'two', 'three'].map((id) => assistant(id, id))
  await panel.show({
    status: 'awaiting-approval',
    messages: [user('u', 'Hi'), ...three, assistant('a', question('c'))],
  })
  await expect(launcher(panel)).toHaveAccessibleName('Assistant: waiting for you, 3 new messages')
  await expect(launcher(panel)).toHaveAttribute('data-report', '!')
  await launcher(panel).click()
  await expect(panel.field).toBeFocused()
  await panel.show({ status: 'idle', messages: [user('u', 'Hi'), assistant('a', 'Done')] })
  await page.keyboard.press('Escape')
  await expect(launcher(panel)).toHaveAccessibleName('Open the assistant')
  await expect(launcher(panel)).not.toHaveAttribute('data-report')
})

test('the mark of the launcher has a contrast of 3:1, and does not move with reduced motion', async ({
  panel,
  page,
  browserName,
}) => {
  test.skip(browserName === 'firefox', 'Firefox takes media features only as preferences')
  await close(panel)
  await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
  await expect(launcher(panel)).toHaveAttribute('data-working')
  const animation = () => launcher(panel).evaluate((one) => getComputedStyle(one.querySelector('svg')!).animationName)
  expect(await animation()).toBe('working')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const [button, edge, mark] = await launcher(panel).evaluate((one) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
      const luminance = (color: string): number => {
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
          value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        )
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const after = getComputedStyle(one, '::after')
      return [getComputedStyle(one).backgroundColor, after.borderTopColor, after.backgroundColor].map(luminance)
    })
    const contrast = (one = 0, other = 0) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    expect(contrast(button, edge)).toBeGreaterThan(3)
    expect(contrast(edge, mark)).toBeGreaterThan(3)
  }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await animation()).toBe('none')
})

test('a screen reader hears a closed panel: that it works, the answer without Markdown, and the end', async ({
  panel,
}) => {
  await close(panel)
  await panel.emit(start)
  await expect(live(panel)).toHaveText('Assistant: Working')
  // Not inside the hidden popover, which is not read out.
  expect(
    await live(panel).evaluate((one) => one.closest('.panel') === null && getComputedStyle(one).display !== 'none'),
  ).toBe(true)
  await panel.emit(answer('one', 'The **blue** pot: [page](/x)\n\n| a | b |\n|---|---|\n| c | d |'), end('stop'))
  await expect(live(panel).locator('p').first()).toHaveText(/^Assistant: The blue pot: page\s+a, b\s+c, d$/)
  await expect(live(panel).locator('p').last()).toHaveText('Assistant: Done')
  await panel.emit(start, end('stopped'))
  await expect(live(panel)).toHaveText('Assistant: Stopped.')
  await panel.emit(start, answer('two', 'word '.repeat(1_000)))
  await expect(live(panel).locator('p').first()).toHaveText(/^Assistant: word .{1,510} word …$/)
  await panel.page.evaluate(() => {
    window.element.heading = 'Shop help'
  })
  await panel.emit(start)
  await expect(live(panel)).toHaveText('Shop help: Working')
})

test('the end of a turn is announced once, and an error by its alert in a visible panel', async ({ panel }) => {
  await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
  await panel.emit(start, end('max-steps'))
  const notice = panel.element.locator('.notice')
  await expect(notice).toContainText('paused after many steps')
  await expect(live(panel)).toHaveText('Assistant: The assistant paused after many steps.')
  await expect(notice).not.toHaveAttribute('role')
  const error = { code: 'server', message: '503' }
  await panel.emit(start, { type: 'turn-end', turn: 't', reason: 'error', at: 3, error } as never)
  await expect(notice).toHaveRole('alert')
  await expect(live(panel)).toHaveText('')
})

test('the messages of a conversation that is opened in a closed panel are not new', async ({ panel }) => {
  await panel.page.evaluate(() => {
    window.fake.show(undefined)
  })
  await close(panel)
  await panel.show({ id: 'other', messages: [user('u', 'Hi'), assistant('a', 'old')] })
  // Both were drawn, so the next message comes after the conversation was opened.
  await expect(panel.element.locator('.grip')).toBeAttached()
  await expect(panel.element.locator('article')).toHaveCount(2)
  await panel.emit(answer('b', 'new'))
  await expect(launcher(panel)).toHaveAccessibleName('Assistant: 1 new message')
})
