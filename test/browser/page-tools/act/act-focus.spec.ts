// Where a key without a target goes: to the element that a keyboard would type into, also while the visitor's own focus
// is in the panel of the agent.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Pressed {
  pressed: string
  changed: boolean
  changes: string
  error?: string
  message?: string
}
const press = (page: Page, key: string, target?: string): Promise<Pressed> =>
  call(page, 'page_press', { key, ...(target === undefined ? {} : { target }) })
const click = (page: Page, target: string): Promise<Pressed> => call(page, 'page_click', { target })
const fill = (page: Page, field: string, value: string): Promise<unknown> =>
  call(page, 'form_fill', { fields: [{ field, value }] })
const keys = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { events: string[] }).events.splice(0))
const show = (page: Page, html: string): Promise<void> =>
  page.locator('#main').evaluate((main, html) => {
    main.innerHTML = html
  }, html)
const previewOf = (page: Page, input: object): Promise<{ preview?: { target?: string } }> =>
  page.evaluate((input) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, Record<symbol, { preview(input: object, run: object): object }>>
    }
    const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
    return pageTools.get('page_press')?.[Symbol.for('tool-agent.internals')]?.preview(input, run) ?? {}
  }, input)
const ask = (page: Page) => page.locator('tool-agent-test textarea')

const menu = `<ul role="menu" aria-label="Actions">
  ${[1, 2, 3].map((at) => `<li role="menuitem" id="i${at}" tabindex="-1">Action ${at}</li>`).join('')}</ul>`
const roving = (page: Page): Promise<void> =>
  page.locator('[role=menu]').evaluate((list) => {
    list.addEventListener('keydown', (event) => {
      const key = (event as KeyboardEvent).key
      const items = [...list.children] as HTMLElement[]
      const at = items.indexOf(document.activeElement as HTMLElement)
      const from = at < 0 ? items.indexOf(event.target as HTMLElement) : at
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return
      event.preventDefault()
      items.at((from + (key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
    })
  })

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-focus.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

test('a key without a target goes to the focused element, and the answer names the focus', async ({ page }) => {
  await show(page, menu)
  await roving(page)
  await page.locator('#i1').focus()
  const answer = await press(page, 'ArrowDown')
  expect(answer).toMatchObject({ pressed: 'ArrowDown on menuitem "Action 1"', changed: true })
  expect(answer.changes).toMatch(/^focus: menuitem "Action 2" \[ref=e\d+\]$/)
  expect(await press(page, 'ArrowDown')).toMatchObject({ pressed: 'ArrowDown on menuitem "Action 2"' })
  expect(await keys(page)).toEqual(['ArrowDown on i1', 'ArrowDown on i2'])
  // The focus is named, also if it did not move.
  const still = await press(page, 'F2')
  expect(still).toMatchObject({ changed: false })
  expect(still.changes).toMatch(/^focus: menuitem "Action 3" \[ref=e\d+\]\nNo visible change\./)
})

test('without a focus it goes to the page', async ({ page }) => {
  await show(page, '<button>One</button>')
  expect(await press(page, 'x')).toMatchObject({ pressed: 'x on the page' })
  expect(await keys(page)).toEqual(['x on body'])
})

test('it goes into open shadow roots and frames of this site', async ({ page }) => {
  await show(page, '<div id="host"></div><iframe title="Inner"></iframe>')
  await page.evaluate(() => {
    const root = document.getElementById('host')?.attachShadow({ mode: 'open' }) as ShadowRoot
    root.innerHTML = '<input aria-label="Deep" id="deep">'
    const inside = document.querySelector('iframe')?.contentDocument as Document
    inside.body.innerHTML = '<input aria-label="Framed" id="framed">'
  })
  await page.locator('#deep').focus()
  expect(await press(page, 'x')).toMatchObject({ pressed: 'x on textbox "Deep"' })
  expect(await page.locator('#deep').inputValue()).toBe('x')
  await page.frameLocator('iframe').locator('#framed').focus()
  expect(await press(page, 'y')).toMatchObject({ pressed: 'y on textbox "Framed"' })
  await ask(page).focus()
  expect(await press(page, 'z')).toMatchObject({ pressed: 'z on textbox "Framed"' })
  expect(await page.frameLocator('iframe').locator('#framed').inputValue()).toBe('yz')
  await page.locator('#deep').focus()
  await ask(page).focus()
  expect(await press(page, 'q')).toMatchObject({ pressed: 'q on textbox "Deep"' })
})

test('a field without a size takes keys if it has the focus, as in terminals', async ({ page }) => {
  await show(
    page,
    '<textarea aria-label="Terminal" style="position:absolute;left:-9999em;width:0;height:0;opacity:0;padding:0;border:0"></textarea>',
  )
  await page.locator('textarea[aria-label=Terminal]').focus()
  expect(await press(page, 'a')).toMatchObject({ pressed: expect.stringMatching(/^a on textbox/) })
  expect(await page.locator('textarea[aria-label=Terminal]').inputValue()).toBe('a')
})

for (const typed of ['', 'And then'])
  test.describe(`while the focus is in the panel, ${typed === '' ? 'which is empty' : 'where the visitor types'}`, () => {
    test('a key goes to what had the focus before', async ({ page }) => {
      await show(page, menu)
      await roving(page)
      await page.locator('#i1').focus()
      await ask(page).click()
      await ask(page).fill(typed)
      await keys(page)
      expect(await press(page, 'ArrowDown')).toMatchObject({ pressed: 'ArrowDown on menuitem "Action 1"' })
      expect(await press(page, 'ArrowDown')).toMatchObject({ pressed: 'ArrowDown on menuitem "Action 2"' })
      expect(await keys(page)).toEqual(['ArrowDown on i1', 'ArrowDown on i2'])
    })

    test('write, then press Enter, reaches the field', async ({ page }) => {
      await show(
        page,
        '<input aria-label="Other"><textarea aria-label="Message" id="message"></textarea><p id="sent"></p>',
      )
      await page.locator('#message').evaluate((field) => {
        field.addEventListener('keydown', (event) => {
          if ((event as KeyboardEvent).key !== 'Enter') return
          event.preventDefault()
          ;(document.getElementById('sent') as HTMLElement).textContent = `Sent ${(field as HTMLTextAreaElement).value}`
        })
      })
      await page.getByLabel('Other').focus()
      await ask(page).click()
      await ask(page).fill(typed)
      await fill(page, 'Message', 'Hello')
      // The visitor can go on typing.
      expect(await page.evaluate(() => document.activeElement?.localName)).toBe('tool-agent-test')
      const answer = await press(page, 'Enter')
      expect(answer).toMatchObject({ pressed: 'Enter on textbox "Message"', changed: true })
      expect(answer.changes).toContain('Sent Hello')
      if (typed !== '') expect(await ask(page).inputValue()).toBe(typed)
    })

    test('a click gives the focus, as a hand would', async ({ page }) => {
      await show(page, menu)
      await roving(page)
      await ask(page).click()
      await ask(page).fill(typed)
      expect((await click(page, 'Action 2')).changes).toMatch(/focus: menuitem "Action 2" \[ref=e\d+\]/)
      expect(await press(page, 'ArrowDown')).toMatchObject({ pressed: 'ArrowDown on menuitem "Action 2"' })
    })
  })

test('the focus that the page or the visitor moved since a fill counts', async ({ page }) => {
  await show(page, '<input aria-label="One"><input aria-label="Two"><button>Three</button>')
  await fill(page, 'One', 'a')
  await page.getByLabel('Two').focus()
  expect(await press(page, 'x')).toMatchObject({ pressed: 'x on textbox "Two"' })
  await fill(page, 'One', 'b')
  expect(await press(page, 'y')).toMatchObject({ pressed: 'y on textbox "One"' })
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('One')
  await page.getByText('Three').evaluate((button) => button.focus())
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  expect(await press(page, 'z')).toMatchObject({ pressed: 'z on the page' })
})

test('a click into the panel where nothing takes the focus keeps that of the page', async ({ page }) => {
  await show(page, '<button>One</button>')
  await page.getByText('One').focus()
  await page.locator('tool-agent-test p').click()
  expect(await press(page, 'F2')).toMatchObject({ pressed: 'F2 on button "One"' })
})

test('a removed or hidden element no longer has the focus', async ({ page }) => {
  await show(page, '<button>One</button><button>Two</button>')
  for (const [name, how] of [
    ['One', (button: Element) => button.remove()],
    ['Two', (button: Element) => button.setAttribute('hidden', '')],
  ] as const) {
    await page.getByText(name).focus()
    await ask(page).focus()
    await page.getByText(name).evaluate(how as (button: HTMLElement) => void)
    expect(await press(page, 'F2'), name).toMatchObject({ pressed: 'F2 on the page' })
  }
})

test('the question names the receiver, and another focus makes it void', { tag: '@S14' }, async ({ page }) => {
  await show(page, '<button id="a">Delete</button><button id="b">Delete</button>')
  await page.locator('#a').focus()
  await ask(page).focus()
  expect(await previewOf(page, { key: 'F2' })).toMatchObject({
    preview: {
      does: 'press',
      on: { role: 'button', name: 'Delete' },
      key: 'F2',
      target: 'F2 on button "Delete"',
    },
  })
  // The visitor's own focus, such as on a button of the question, changes nothing.
  await page.locator('tool-agent-test button').focus()
  expect((await press(page, 'F2')).error).toBeUndefined()
  await previewOf(page, { key: 'F2' })
  await page.locator('#b').focus()
  await keys(page)
  expect(await press(page, 'F2')).toMatchObject({
    error: 'unavailable',
    message: expect.stringMatching(/changed after it was checked.*its target changed/),
  })
  expect(await keys(page)).toEqual([])
})

test.describe('what must not be reached', () => {
  test('a focused private field takes no keys that write', { tag: ['@S17', '@S18'] }, async ({ page }) => {
    await show(page, '<label>Password <input type="password" value="hunter2-canary"></label>')
    await page.getByLabel('Password').focus()
    const answers = [await press(page, 'x')]
    await ask(page).focus()
    answers.push(await press(page, 'Backspace'), await press(page, 'Control+A'))
    for (const answer of answers) expect(answer).toMatchObject({ error: 'sensitive-field' })
    answers.push(await press(page, 'F2', undefined), await press(page, 'Tab'))
    expect(await page.getByLabel('Password').inputValue()).toBe('hunter2-canary')
    expect(JSON.stringify(answers)).not.toContain('hunter2')
  })

  test('a focused field that is off limits gets nothing and is not named', { tag: '@S18' }, async ({ page }) => {
    await show(page, '<div data-tool-agent-ignore><input aria-label="Hidden from tools" id="ignored"></div>')
    await page.locator('#ignored').focus()
    const first = await press(page, 'x')
    await ask(page).focus()
    const second = await press(page, 'y')
    expect([first.pressed, second.pressed]).toEqual(['x on the page', 'y on the page'])
    expect(JSON.stringify([first, second])).not.toContain('Hidden from tools')
    expect(await page.locator('#ignored').inputValue()).toBe('')
  })

  test('the field of the visitor gets nothing', async ({ page }) => {
    await ask(page).click()
    await ask(page).fill('My question')
    for (const key of ['x', 'Backspace', 'Enter', 'Control+A'])
      expect(await press(page, key)).toMatchObject({ pressed: expect.stringMatching(/ on the page$/) })
    expect(await ask(page).inputValue()).toBe('My question')
    expect((await keys(page)).filter((line) => !line.endsWith(' on body'))).toEqual([])
  })

  test('a frame of another site takes no keys', async ({ page }) => {
    await show(page, '<iframe title="Elsewhere" sandbox srcdoc="<input autofocus>"></iframe>')
    await page.locator('iframe').evaluate((frame) => (frame as HTMLIFrameElement).focus())
    expect(await press(page, 'x')).toMatchObject({
      error: 'unavailable',
      message: expect.stringMatching(/The focus is in a frame from another site.*Pass the element/),
    })
    expect(await keys(page)).toEqual([])
  })
})

test.describe('targets that take no keys themselves', () => {
  test('a grid passes them to its cells, a frame to its page', async ({ page }) => {
    await show(
      page,
      `<table role="grid" aria-label="Payments"><tbody>
        <tr><td tabindex="0" id="c1">Rent</td><td tabindex="-1" id="c2">900</td></tr></tbody></table>
       <table role="grid" aria-label="Links"><tbody><tr><td><a href="#x" tabindex="-1" id="c3">More</a></td></tr></tbody></table>
       <div role="tablist" aria-label="Views"><span role="tab" id="t1" tabindex="-1">A</span><span role="tab" id="t2" tabindex="0">B</span></div>
       <iframe title="Inner"></iframe>`,
    )
    await page.evaluate(() => {
      const inside = document.querySelector('iframe')?.contentDocument as Document
      inside.addEventListener('keydown', (event) => {
        inside.body.textContent = `Got ${event.key}`
      })
    })
    expect(await press(page, 'ArrowRight', 'Payments')).toMatchObject({ pressed: 'ArrowRight on cell "Rent"' })
    await page.locator('#c2').focus()
    expect(await press(page, 'PageDown', 'Payments')).toMatchObject({ pressed: 'PageDown on cell "900"' })
    expect(await press(page, 'PageDown', 'Links')).toMatchObject({ pressed: 'PageDown on link "More"' })
    expect(await press(page, 'Home', 'Views')).toMatchObject({ pressed: 'Home on tab "B"' })
    expect(await keys(page)).toEqual(['ArrowRight on c1', 'PageDown on c2', 'PageDown on c3', 'Home on t2'])
    const read = await call<string>(page, 'page_read')
    const frame = /iframe "Inner" \[ref=(e\d+)\]/.exec(read)?.[1] ?? ''
    await page.evaluate(() => {
      const body = document.querySelector('iframe')?.contentDocument?.body as HTMLElement
      body.innerHTML = '<p>Text</p>'
    })
    const ref = frame || (/iframe "Inner" \[ref=(e\d+)\]/.exec(await call<string>(page, 'page_read'))?.[1] ?? '')
    const answer = await press(page, 'j', ref)
    expect(answer).toMatchObject({ pressed: 'j on the page in iframe "Inner"' })
    expect(answer.changes).toContain('Got j')
  })

  test('plain text takes none', async ({ page }) => {
    await show(page, '<p id="text">Plain words</p>')
    expect(await press(page, 'Enter', 'Plain words')).toMatchObject({
      error: 'unavailable',
      message: expect.stringMatching(/takes no keys\. .*omit target to press it where the focus is/),
    })
  })
})
