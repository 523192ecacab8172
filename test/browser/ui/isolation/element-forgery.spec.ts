// Scripts of the page cannot make an approval from events: neither with events of their own, nor with copies that they
// took inside the panel, nor by changing the classes of events.
import { assistant, expect, question, test, user, type PanelPage } from '../../../support/page/panel.js'
import { press } from '../../../support/page/visitor.js'

const ask = async (panel: PanelPage): Promise<void> => {
  await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Tea'), assistant('a', question('c1'))] })
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
}

test(
  'events of a script never approve, whatever they look like',
  { tag: ['@S9', '@R7.5'] },
  async ({ panel, page }) => {
    await ask(panel)
    await page.evaluate(() => {
      const button = window.element.shadowRoot!.querySelector<HTMLElement>('.approve')!
      class PanelEvent extends Event {
        override get isTrusted(): boolean {
          return true
        }
      }
      for (const composed of [true, false]) {
        const init = { bubbles: true, cancelable: true, composed }
        button.dispatchEvent(new MouseEvent('click', init))
        button.dispatchEvent(new PointerEvent('click', init))
        button.dispatchEvent(new PanelEvent('click', init))
      }
      button.click()
      Object.defineProperty(Event.prototype, 'isTrusted', { get: () => true, configurable: true })
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
    })
    expect(await panel.asked('approve')).toEqual([])
    expect(await panel.asked('deny')).toEqual([])
    await press(page, panel.element.locator('.approve'))
    expect(await panel.asked('approve')).toHaveLength(1)
  },
)

test(
  'a copy of a press elsewhere does not approve, during the press and later',
  { tag: '@S9' },
  async ({ panel, page }) => {
    await page.addInitScript(() => {
      // Before the script of the panel: this listener cannot be stopped, but it can only see.
      addEventListener('click', (event) => Object.assign(window, { early: event }), true)
    })
    await panel.open(page.url())
    await ask(panel)
    await page.evaluate(() => {
      const root = window.element.shadowRoot!
      const button = root.querySelector<HTMLElement>('.approve')!
      const { composedPath } = Event.prototype
      Event.prototype.composedPath = function () {
        const path = composedPath.call(this)
        return path.includes(window.element) ? [button, ...path] : path
      }
      for (const name of ['target', 'srcElement', 'currentTarget'])
        Object.defineProperty(Event.prototype, name, { get: () => button, configurable: true })
      root.addEventListener('click', (event) => Object.assign(window, { kept: event }), true)
    })
    await press(page, panel.field)
    const kept = await page.evaluate(() => {
      const { kept, early } = window as unknown as { kept?: Event; early?: Event }
      const button = window.element.shadowRoot!.querySelector<HTMLElement>('.approve')!
      for (const event of [kept, early]) if (event) button.dispatchEvent(event)
      return [kept?.type, early?.isTrusted]
    })
    expect(kept).toEqual(['click', false])
    expect(await panel.asked('approve')).toEqual([])
  },
)

test('a press of "Deny" cannot be turned into an approval', { tag: '@S9' }, async ({ panel, page }) => {
  await ask(panel)
  await page.evaluate(() => {
    const root = window.element.shadowRoot!
    const button = root.querySelector('.approve')!
    root.addEventListener(
      'click',
      (event) => {
        try {
          button.dispatchEvent(event)
        } catch {
          button.dispatchEvent(new MouseEvent('click', event))
        }
      },
      { capture: true, once: true },
    )
  })
  await press(page, panel.element.locator('.deny'))
  expect(await panel.asked('approve')).toEqual([])
  expect(await panel.asked('deny')).toHaveLength(1)
})
