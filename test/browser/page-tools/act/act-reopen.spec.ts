// A menu, list or popover that closes while the user decides about a click inside: it is opened again by its opener
// alone, or nothing runs. The name of the item never means something else on the page.
import type { Locator, Page } from 'playwright/test'
import { resultsOf } from '../../../support/lab/requests.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'
import { allow } from '../../../support/page/visitor.js'

interface Clicked {
  clicked?: string
  changes?: string
  error?: string
  message?: string
}

/** What the question of a click shows; the tool remembers what it was about. */
const ask = (page: Page, input: object): Promise<{ target?: string }> =>
  page.evaluate((input) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, Record<symbol, { preview(input: object, run: object): { preview: { target?: string } } }>>
    }
    const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
    return pageTools.get('page_click')?.[Symbol.for('tool-agent.internals')]?.preview(input, run).preview ?? {}
  }, input)
const click = (page: Page, target: string): Promise<Clicked> => call(page, 'page_click', { target })
const did = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { did: string[] }).did)

/** A page whose menu is made anew each time it opens. `items` may change between two openings. */
async function show(page: Page, site: string, markup: string): Promise<void> {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate((html) => {
    document.body.innerHTML = html
    const did: string[] = []
    const scope = { did, items: ['Rename', 'Copy', 'Delete'], shut() {} }
    Object.assign(window, { scope, did })
    const opener = document.querySelector<HTMLElement>('#opener')
    const place = document.querySelector<HTMLElement>('#place')
    scope.shut = () => {
      opener?.setAttribute('aria-expanded', 'false')
      opener?.removeAttribute('aria-controls')
      place?.replaceChildren()
    }
    opener?.addEventListener('click', () => {
      did.push('opener')
      if (opener.getAttribute('aria-expanded') === 'true') return scope.shut()
      opener.setAttribute('aria-expanded', 'true')
      const menu = Object.assign(document.createElement('ul'), { role: 'menu', id: `menu-${did.length}` })
      if (opener.dataset['named'] !== undefined) opener.setAttribute('aria-controls', menu.id)
      menu.append(
        ...scope.items.map((text) => {
          const item = Object.assign(document.createElement('li'), {
            role: 'menuitem',
            tabIndex: -1,
            textContent: text,
          })
          item.onclick = () => {
            did.push(text)
            scope.shut()
          }
          return item
        }),
      )
      place?.replaceChildren(menu)
    })
  }, markup)
}
const shut = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as { scope: { shut(): void } }).scope.shut())
const change = (page: Page, items: string[]): Promise<void> =>
  page.evaluate((items) => {
    Object.assign((window as unknown as { scope: object }).scope, { items })
  }, items)

const byPopup = '<button id="opener" type="button" aria-haspopup="menu" aria-expanded="false">More</button>'
const menuPage = (opener: string, more = ''): string => `${opener}<div id="place"></div>${more}`

test.describe('a menu that closed after the question', () => {
  for (const [name, opener] of [
    ['announced by aria-haspopup', byPopup],
    ['named by aria-controls', byPopup.replace('<button', '<button data-named')],
  ] as const) {
    test(`is opened again by one click on its opener: ${name}`, async ({ page, site }) => {
      await show(page, site, menuPage(opener))
      await page.locator('#opener').click()
      expect(await ask(page, { target: 'Delete' })).toMatchObject({ target: 'menuitem "Delete"' })
      await shut(page)
      expect(await click(page, 'Delete')).toMatchObject({ clicked: 'menuitem "Delete"' })
      expect(await did(page)).toEqual(['opener', 'opener', 'Delete'])
    })
  }

  test('is opened again for a reference to an item that was made anew', async ({ page, site }) => {
    await show(page, site, menuPage(byPopup))
    await page.locator('#opener').click()
    const { matches } = await call<{ matches: { ref: string }[] }>(page, 'dom_query', { text: 'Copy' })
    const target = matches[0]?.ref ?? ''
    await ask(page, { target })
    await shut(page)
    expect(await click(page, target)).toMatchObject({ clicked: 'menuitem "Copy"' })
    expect(await did(page)).toEqual(['opener', 'opener', 'Copy'])
  })

  for (const [name, items] of [
    ['the item is gone', ['Rename', 'Copy']],
    ['the item has another name', ['Rename', 'Copy', 'Delete all']],
    ['the items have another order', ['Delete', 'Rename', 'Copy']],
  ] as const) {
    test(`nothing in it is clicked if it changed: ${name}`, async ({ page, site }) => {
      await show(page, site, menuPage(byPopup))
      await page.locator('#opener').click()
      await ask(page, { target: 'Delete' })
      await shut(page)
      await change(page, [...items])
      expect(await click(page, 'Delete')).toMatchObject({
        error: 'unavailable',
        message: expect.stringMatching(
          /^The menu with menuitem "Delete" closed after .*\. button "More" was clicked to open it again, and menuitem "Delete" was not clicked\. Open it again/,
        ),
      })
      expect(await did(page)).toEqual(['opener', 'opener'])
    })
  }

  for (const [name, opener] of [
    ['a link', '<a id="opener" href="#more" aria-haspopup="menu" aria-expanded="false">More</a>'],
    [
      'a submit button',
      '<form onsubmit="did.push(`sent`); return false"><button id="opener" aria-haspopup="menu" aria-expanded="false">More</button></form>',
    ],
    ['silent about it', '<button id="opener" type="button" aria-expanded="false">More</button>'],
  ] as const) {
    test(`is not opened again if its opener is ${name}, and the result says that it closed`, async ({ page, site }) => {
      await show(page, site, menuPage(opener))
      await page.evaluate(() => document.querySelector<HTMLElement>('#opener')?.click())
      const before = await did(page)
      await ask(page, { target: 'Delete' })
      await page.evaluate(() => document.querySelector<HTMLElement>('#place')?.style.setProperty('display', 'none'))
      await page.evaluate(() => document.querySelector('#opener')?.setAttribute('aria-expanded', 'false'))
      expect(await click(page, 'Delete')).toMatchObject({
        error: 'unavailable',
        message: expect.stringMatching(
          / with menuitem "Delete" closed after the click was checked.* Nothing was done\./,
        ),
      })
      expect(await did(page)).toEqual(before)
    })
  }

  test('is not opened by an element that took the place of its opener', async ({ page, site }) => {
    await show(page, site, menuPage(byPopup))
    await page.locator('#opener').click()
    await ask(page, { target: 'Delete' })
    await shut(page)
    await page.evaluate(() => {
      const old = document.querySelector('#opener')
      const other = old?.cloneNode(true) as HTMLElement
      other.addEventListener('click', () => (window as unknown as { did: string[] }).did.push('other'))
      old?.replaceWith(other)
    })
    expect(await click(page, 'Delete')).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('button "More", which opened it, is no longer on the page'),
    })
    expect(await did(page)).toEqual(['opener'])
  })

  test('is not opened by an opener that a person could not click, and the whole reason is told', async ({
    page,
    site,
  }) => {
    await show(page, site, menuPage(byPopup.replace('More', 'Mr. Smith, St. Ives')))
    await page.locator('#opener').click()
    await ask(page, { target: 'Delete' })
    await shut(page)
    await page.evaluate(() => document.querySelector('#opener')?.setAttribute('disabled', ''))
    expect(await click(page, 'Delete')).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining(
        'and was not opened again: button "Mr. Smith, St. Ives" is disabled. Nothing was done. Open it again',
      ),
    })
    expect(await did(page)).toEqual(['opener'])
  })

  test('its item never means another element of the same name', async ({ page, site }) => {
    const elsewhere = '<ul role="menu" hidden><li role="menuitem" onclick="did.push(`other`)">Delete</li></ul>'
    const text = '<p onmousedown="did.push(`text`)">Delete</p>'
    for (const more of [elsewhere, text]) {
      await show(page, site, menuPage(byPopup, more))
      await page.locator('#opener').click()
      await ask(page, { target: 'Delete' })
      await shut(page)
      await page.evaluate(() => {
        document.querySelector('#opener')?.remove()
        for (const one of document.querySelectorAll<HTMLElement>('[hidden]')) one.hidden = false
      })
      expect(await click(page, 'Delete')).toMatchObject({ error: 'unavailable' })
      expect(await did(page)).toEqual(['opener'])
    }
  })

  test('a menu that is still open is clicked as it is, also if it was drawn again', async ({ page, site }) => {
    await show(page, site, menuPage(byPopup))
    await page.locator('#opener').click()
    await ask(page, { target: 'Delete' })
    expect(await click(page, 'Delete')).toMatchObject({ clicked: 'menuitem "Delete"' })
    expect(await did(page)).toEqual(['opener', 'Delete'])
    await page.locator('#opener').click()
    await ask(page, { target: 'Copy' })
    await page.evaluate(() => {
      const menu = document.querySelector('[role=menu]')
      const copy = menu?.cloneNode(true) as HTMLElement
      for (const item of copy.children)
        (item as HTMLElement).onclick = () => {
          ;(window as unknown as { did: string[] }).did.push(`new ${item.textContent}`)
        }
      menu?.replaceWith(copy)
    })
    expect(await click(page, 'Copy')).toMatchObject({ clicked: 'menuitem "Copy"' })
    expect(await did(page)).toEqual(['opener', 'Delete', 'opener', 'new Copy'])
  })
})

test('a list that closes when its field loses the focus is opened again', async ({ page, site }) => {
  await show(
    page,
    site,
    `<input id="field" role="combobox" aria-label="City" aria-controls="list" aria-expanded="false">
     <ul id="list" role="listbox" aria-label="Cities" hidden><li role="option">Paris</li><li role="option">Rome</li></ul>
     <button id="other">Other</button>`,
  )
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('#field')!
    const list = document.querySelector<HTMLElement>('#list')!
    const set = (isOpen: boolean): void => {
      list.hidden = !isOpen
      field.setAttribute('aria-expanded', String(isOpen))
    }
    field.addEventListener('click', () => set(true))
    field.addEventListener('blur', () => set(false))
    list.addEventListener('mousedown', (event) => event.preventDefault())
    list.addEventListener('click', ({ target }) => {
      field.value = (target as Element).textContent ?? ''
      set(false)
    })
  })
  await page.locator('#field').click()
  await ask(page, { target: 'Rome' })
  await page.locator('#other').focus()
  await expect(page.locator('#list')).toBeHidden()
  expect(await click(page, 'Rome')).toMatchObject({ clicked: 'option "Rome"' })
  await expect(page.locator('#field')).toHaveValue('Rome')
})

test.describe('a native popover, which any real press outside closes', () => {
  const card = (page: Page): Locator => page.locator('tool-agent-approval')

  for (const [name, opener, isOpenedAgain] of [
    ['opened by popovertarget', '<button popovertarget="pop">Options</button>', true],
    ['opened by a link', '<a href="#" onclick="document.querySelector(`#pop`).showPopover()">Options</a>', false],
  ] as const) {
    test(`${name}: a press on Allow closes it, and the item is ${isOpenedAgain ? 'clicked' : 'not clicked'}`, async ({
      page,
      site,
      serveModel,
    }) => {
      const calls = [{ id: 'c', name: 'page_click', arguments: { target: 'Archive it' } }]
      const endpoint = await serveModel([{ calls }, { text: 'Done.' }])
      await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`)
      await page.waitForFunction(() => window.agent?.tools.some((tool) => tool.name === 'page_click'))
      await page.evaluate((opener) => {
        document
          .querySelector('main, body')
          ?.insertAdjacentHTML(
            'afterbegin',
            `${opener}<div id="pop" popover style="inset: 60px auto auto 10px; margin: 0"><button id="archive">Archive it</button></div>`,
          )
        const did: string[] = []
        Object.assign(window, { did })
        document.querySelector('#archive')?.addEventListener('click', () => did.push('archived'))
        document
          .querySelector('#pop')
          ?.addEventListener('beforetoggle', (event) => did.push((event as ToggleEvent).newState))
      }, opener)
      await page.getByText('Options', { exact: true }).click()
      await expect.poll(() => did(page)).toEqual(['open'])
      await send(page, 'Archive')
      await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
      await expect(page.locator('#archive')).toBeVisible()
      await allow(page, 1)
      await settled(page)
      const told = resultsOf(endpoint.requests[1])[0]
      if (isOpenedAgain) {
        expect(told).toContain('Clicked button "Archive it"')
        expect(await did(page)).toEqual(['open', 'closed', 'open', 'archived'])
      } else {
        expect(told).toMatch(/with button "Archive it" closed after the click was checked/)
        expect(await did(page)).toEqual(['open', 'closed'])
      }
    })
  }
})
