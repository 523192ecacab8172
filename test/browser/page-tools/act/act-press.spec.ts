// page_press: the events of a keyboard, the defaults of the browser, and the question of what Enter submits.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Pressed {
  pressed: string
  default: string
  changed: boolean
  changes: string
  submitted?: boolean
  invalid?: { field: string; problem: string }[]
  error?: string
  message?: string
}
const press = (page: Page, target: string | undefined, key: string): Promise<Pressed> =>
  call(page, 'page_press', { ...(target === undefined ? {} : { target }), key })
const foresee = (page: Page, name: string, input: object): Promise<{ preview?: object; always?: boolean }> =>
  page.evaluate(
    ({ name, input }) => {
      const { pageTools } = window as unknown as {
        pageTools: Map<string, Record<symbol, { preview(input: object, run: object): object }>>
      }
      try {
        const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
        return pageTools.get(name)?.[Symbol.for('tool-agent.internals')]?.preview(input, run) ?? {}
      } catch (thrown) {
        const { code, message } = thrown as { code: string; message: string }
        return { error: code, message }
      }
    },
    { name, input },
  )
const wordsFor = (page: Page, output: Pressed): Promise<string> =>
  page.evaluate((output) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { toModelOutput(result: object): string }>
    }
    return pageTools.get('page_press')?.toModelOutput({ output }) ?? ''
  }, output)
const events = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { events: string[] }).events.splice(0))
const active = (page: Page): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id)
const value = (page: Page, id: string): Promise<string> => page.locator(`#${id}`).inputValue()

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-press.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

test.describe('events', () => {
  test('of a character come in the order of a keyboard', async ({ page }) => {
    expect(await press(page, 'Free', 'x')).toMatchObject({ pressed: 'x on textbox "Free"', default: 'done' })
    expect(await events(page)).toEqual([
      'keydown:x',
      'keypress:x',
      'beforeinput:free:insertText',
      'input:free:insertText',
      'keyup:x',
    ])
    expect(await value(page, 'free')).toHaveLength(4)
  })

  test('of a chord include its modifiers, and cause no text', async ({ page }) => {
    expect(await press(page, 'Free', 'ctrl+b')).toMatchObject({ pressed: 'Control+B on textbox "Free"' })
    expect(await events(page)).toEqual(['keydown:Control', 'keydown:b', 'keyup:b', 'keyup:Control'])
    expect(await value(page, 'free')).toBe('abc')
  })

  test('reach widgets that a script operates, also by keyCode', async ({ page }) => {
    expect((await press(page, 'Dial', 'ArrowRight')).changes).toMatch(/slider "Dial" .*: 4/)
    expect(await press(page, 'Dial', 'ArrowRight')).toMatchObject({ default: 'canceled' })
    await press(page, 'Picks', 'ArrowDown')
    expect(await page.locator('#o2').getAttribute('aria-selected')).toBe('true')
    await page.locator('#box2').evaluate((list) => list.blur())
    expect((await press(page, undefined, '/')).changes).toContain('Shortcut')
  })

  test('that the page cancels have no default', async ({ page }) => {
    await page
      .locator('#free')
      .evaluate((field) => field.addEventListener('keydown', (event) => event.preventDefault()))
    const answer = await press(page, 'Free', 'x')
    expect(answer).toMatchObject({ default: 'canceled' })
    expect(await value(page, 'free')).toBe('abc')
    expect(await events(page)).toEqual(['keydown:x', 'keyup:x'])
    await page
      .locator('#story')
      .evaluate((field) => field.addEventListener('beforeinput', (event) => event.preventDefault()))
    expect(await press(page, 'Story', 'x')).toMatchObject({ default: 'canceled' })
    expect(await value(page, 'story')).toBe('one')
  })
})

test.describe('defaults of the browser', () => {
  test('Tab and Shift+Tab move the focus, past disabled and ignored elements', async ({ page }) => {
    await page.locator('#box').focus()
    expect((await press(page, 'Box', 'Tab')).changes).toMatch(/^focus: button "More"/)
    expect((await press(page, 'More', 'Tab')).changes).toMatch(/^focus: radiogroup "Size"/)
    // One stop for the whole group.
    expect((await press(page, 'Size', 'Tab')).changes).toMatch(/^focus: combobox "Colour"/)
    await press(page, 'Colour', 'Shift+Tab')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('s')
    expect(await press(page, 'Scroller', 'Tab')).toMatchObject({ pressed: 'Tab on region "Scroller"', default: 'done' })
    expect(await active(page)).not.toBe('ignored')
  })

  test('Tab stays in a modal dialog', async ({ page }) => {
    await page.locator('#ask').click()
    await press(page, 'No', 'Tab')
    expect(await active(page)).toBe('yes')
    expect(await press(page, 'Free', 'x')).toMatchObject({
      error: 'unavailable',
      message: expect.stringMatching(/is behind dialog "Confirm"\. Use or close that first/),
    })
  })

  test('Enter and Space activate buttons, links, summaries and checkboxes', async ({ page }) => {
    expect((await press(page, 'Plain', 'Enter')).changes).toContain('Plain was pressed')
    expect(await events(page)).toEqual(['keydown:Enter', 'keypress:Enter', 'click:plain', 'keyup:Enter'])
    await press(page, 'Plain', 'Space')
    expect(await events(page)).toEqual(['keydown: ', 'keypress: ', 'keyup: ', 'click:plain'])
    expect(await press(page, 'Go on', 'Enter')).toMatchObject({ url: '/test/pages/page-tools/act-press.html#linked' })
    expect((await press(page, 'More', 'Enter')).changes).toContain('Hidden before')
    await press(page, 'Box', 'Space')
    expect(await page.locator('#box').isChecked()).toBe(true)
  })

  test('arrows move in radio groups, selects, ranges and numbers', { tag: '@long' }, async ({ page }) => {
    await press(page, 'Size', 'ArrowDown')
    expect(await page.locator('[value=l]').isChecked()).toBe(true)
    await events(page)
    await press(page, 'Colour', 'ArrowDown')
    expect(await value(page, 'colour')).toBe('Blue')
    expect(await events(page)).toEqual(['keydown:ArrowDown', 'input:colour', 'change:colour', 'keyup:ArrowDown'])
    await press(page, 'Colour', 'Home')
    expect(await value(page, 'colour')).toBe('Red')
    for (const [key, now] of [
      ['ArrowRight', '25'],
      ['PageDown', '20'],
      ['End', '50'],
      ['Home', '0'],
    ] as const) {
      await press(page, 'Volume', key)
      expect(await value(page, 'volume'), key).toBe(now)
    }
    await press(page, 'Count', 'ArrowUp')
    expect(await value(page, 'count')).toBe('4')
  })

  test('Escape closes popovers and dialogs', async ({ page }) => {
    await page.locator('[popovertarget]').click()
    await press(page, undefined, 'Escape')
    expect(await page.locator('#tip').isVisible()).toBe(false)
    await page.locator('#ask').click()
    expect((await press(page, undefined, 'Esc')).changes).toContain('closed: dialog "Confirm"')
    await page
      .locator('#dialog')
      .evaluate((dialog) => dialog.addEventListener('cancel', (event) => event.preventDefault()))
    await page.locator('#ask').click()
    expect(await press(page, 'Confirm', 'Escape')).toMatchObject({ pressed: 'Escape on dialog "Confirm"' })
    expect(await page.locator('#dialog').isVisible()).toBe(true)
  })

  test('Control+A selects, and editing keys change the selection', { tag: '@long' }, async ({ page }) => {
    const selected = await press(page, 'Free', 'Control+A')
    expect(await wordsFor(page, selected)).toMatch(/^Pressed Control\+A on textbox "Free"\.\nThe text is selected\./)
    await events(page)
    await press(page, 'Free', 'Backspace')
    expect(await value(page, 'free')).toBe('')
    for (const key of ['a', 'b', 'Home', 'c', 'Delete']) await press(page, 'Free', key)
    expect(await value(page, 'free')).toBe('cb')
    await events(page)
    await press(page, 'Free', 'Tab')
    expect(await events(page)).toContain('change:free')
    for (const key of ['End', 'Enter', 'x']) await press(page, 'Story', key)
    expect(await value(page, 'story')).toBe('one\nx')
    await press(page, 'Rich', 'Control+A')
    await press(page, 'Rich', 'z')
    expect(await page.locator('#rich').textContent()).toBe('z')
  })

  test('PageDown and End scroll what can scroll', async ({ page }) => {
    await press(page, 'Scroller', 'PageDown')
    expect(await page.locator('#scroller').evaluate((box) => box.scrollTop)).toBeGreaterThan(30)
    await press(page, 'Scroller', 'End')
    expect(await page.locator('#scroller').evaluate((box) => box.scrollTop)).toBe(840)
  })

  test('a key without a default and without an effect is no success', async ({ page }) => {
    const answer = await press(page, 'Plain', 'F2')
    expect(answer).toMatchObject({ default: 'none', changed: false })
    expect(await wordsFor(page, answer)).toMatch(
      /^Pressed F2 on button "Plain", but nothing happened that can be seen\.\nThe key has no default here\./,
    )
  })
})

test.describe('Enter that submits', () => {
  test('has the same preview as form_submit', { tag: '@R7.3' }, async ({ page, site }) => {
    const asked = await foresee(page, 'page_press', { target: 'Term', key: 'Enter' })
    expect(asked).toMatchObject({
      preview: {
        does: 'submit',
        target: 'form "Search" by button "Find"',
        url: `${site}/test/pages/page-tools/act-press.html`,
        method: 'GET',
        values: [{ field: 'Term', value: 'boots' }],
        more: 1,
      },
    })
    expect(asked).toEqual(await foresee(page, 'form_submit', { form: 'Search' }))
    expect(await foresee(page, 'page_press', { target: 'Find', key: 'Space' })).toEqual(asked)
  })

  test('clicks the default button, or reports invalid fields', async ({ page }) => {
    const invalid = await press(page, 'Note', 'Enter')
    expect(invalid).toMatchObject({ submitted: false, invalid: [{ field: 'Note' }] })
    for (const key of ['o', 'k']) await press(page, 'Note', key)
    await events(page)
    const sent = await press(page, 'Note', 'Enter')
    expect(sent).toMatchObject({ submitted: true, changes: expect.stringContaining('Note: ok') })
    expect(await events(page)).toEqual([
      'keydown:Enter',
      'keypress:Enter',
      'change:',
      'click:',
      'submit:handled',
      'keyup:Enter',
    ])
  })

  test('without a button submits only a form of one field', async ({ page }) => {
    expect(await press(page, 'Only', 'Enter')).toMatchObject({ submitted: true })
    const pair = await press(page, 'Left part', 'Enter')
    expect(pair.submitted).toBeUndefined()
    expect(pair.changes).not.toContain('Pair was sent')
  })

  test('to another site always asks', { tag: '@S14' }, async ({ page }) => {
    for (const input of [
      { target: 'Data', key: 'Enter' },
      { target: 'Foreign', key: 'Enter' },
    ])
      expect(await foresee(page, 'page_press', input)).toMatchObject({
        effect: 'outside',
        preview: { site: 'https://elsewhere.example' },
      })
  })

  test('does not run if the page has changed where it leads', { tag: ['@S8', '@S14'] }, async ({ page }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) sent.push(request.url())
    })
    // During the key, by the page.
    await foresee(page, 'page_press', { target: 'Turned', key: 'Enter' })
    expect(await press(page, 'Turned', 'Enter')).toMatchObject({
      default: 'turned',
      submitted: false,
      turned: expect.stringMatching(/^leads to .*elsewhere\.example/),
    })
    // Between the question and the key.
    await foresee(page, 'page_press', { target: 'Term', key: 'Enter' })
    await page.locator('[name=csrf]').evaluate((field) => {
      ;(field as HTMLInputElement).value = 'swapped'
    })
    expect(await press(page, 'Term', 'Enter')).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('a hidden value changed'),
    })
    expect(sent).toEqual([])
  })
})

test.describe('what is refused', () => {
  test('keys that write or move in private fields', { tag: ['@S17', '@S18'] }, async ({ page }) => {
    const answers: Pressed[] = []
    for (const field of ['Secret', 'Recovery phrase'])
      for (const key of ['x', 'Space', 'Backspace', 'Control+A', 'ArrowUp', 'Shift+X'])
        answers.push(await press(page, field, key))
    answers.push(await press(page, 'Recovery phrase', 'Enter'))
    for (const answer of answers)
      expect(answer).toMatchObject({ error: 'sensitive-field', message: expect.stringContaining('Ask the user') })
    expect(await value(page, 'secret')).toBe('hunter2-canary')
    expect(await page.locator('#pin').textContent()).toBe('CANARY-phrase')
    answers.push(await press(page, 'Secret', 'Tab'), await press(page, 'Secret', 'Enter'))
    expect(answers.at(-2)?.error).toBeUndefined()
    expect(JSON.stringify(answers)).not.toMatch(/hunter2|CANARY/)
  })

  for (const [target, key, error, why] of [
    ['Free', 'hello', 'invalid-input', /"hello" is not a key\. Pass one key.*form_fill/],
    ['Free', 'Hyper+A', 'invalid-input', /is not a key/],
    ['Free', '', 'invalid-input', /is not a key/],
    ['Disabled', 'Enter', 'unavailable', /is disabled\. Use page_read/],
    ['Ignored', 'x', 'invalid-input', /No clickable element is named "Ignored"/],
  ] as const) {
    test(`${target}, ${key || 'no key'}`, async ({ page }) => {
      expect(await press(page, target, key)).toMatchObject({ error, message: expect.stringMatching(why) })
      expect(await events(page)).toEqual([])
    })
  }
})
