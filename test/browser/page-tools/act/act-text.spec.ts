// page_press on a part of a text: words are selected, and then replaced, deleted, formatted, or followed by more.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Pressed {
  readonly pressed: string
  readonly did?: string
  readonly default: string
  readonly changed: boolean
  readonly changes: string
  readonly error?: string
  readonly message?: string
}
const press = (page: Page, input: object): Promise<Pressed> => call(page, 'page_press', input)
const value = (page: Page, id: string): Promise<string> => page.locator(`#${id}`).inputValue()
const html = (page: Page, id: string): Promise<string> => page.locator(`#${id}`).innerHTML()
const selected = (page: Page): Promise<string> => page.evaluate(() => getSelection()!.toString())
const wordsFor = (page: Page, output: Pressed): Promise<string> =>
  page.evaluate((output) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { toModelOutput(result: object): string }>
    }
    return pageTools.get('page_press')!.toModelOutput({ output })
  }, output)
const forecast = (page: Page, input: object): Promise<{ effect: string; preview: object }> =>
  page.evaluate((input) => {
    type Forecast = { effect: string; preview: object }
    const { pageTools } = window as unknown as {
      pageTools: Map<string, Record<symbol, { preview(input: object, run: object): Forecast }>>
    }
    const run = { toolCallId: 'other', sessionId: 'session', messages: [] }
    return pageTools.get('page_press')![Symbol.for('tool-agent.internals')]!.preview(input, run)
  }, input)
const effectOf = async (page: Page, input: object): Promise<string> => (await forecast(page, input)).effect

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-text.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

test.describe('words in a field', () => {
  test('are replaced with the events of typing', async ({ page }) => {
    expect(await effectOf(page, { target: 'Notes', select: 'two', text: '2' })).toBe('value')
    expect(await press(page, { target: 'Notes', select: 'two', text: '2' })).toMatchObject({
      did: 'Typed',
      pressed: 'the text on textbox "Notes"',
      default: 'done',
      changed: true,
    })
    expect(await value(page, 'notes')).toBe('one 2 three')
    const events = await page.evaluate(() => (window as unknown as { events: string[] }).events)
    expect(events).toEqual(['beforeinput:insertText:2', 'input:insertText:2'])
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('notes')
  })

  test('are replaced by signs with the codes of their own keys, which widgets take for no arrow', async ({ page }) => {
    await page.evaluate(() => {
      const codes: string[] = []
      Object.assign(window, { codes })
      document.addEventListener('keydown', ({ key, code, keyCode }) => codes.push(`${key} ${code} ${keyCode}`), true)
    })
    await press(page, { target: 'Title', select: 'bike', text: "(5)'ä" })
    expect(await page.evaluate(() => (window as unknown as { codes: string[] }).codes)).toEqual([
      '( Digit9 57',
      '5 Digit5 53',
      ') Digit0 48',
      "' Quote 222",
      'ä  0',
    ])
  })

  test('are deleted, or followed by more', async ({ page }) => {
    await press(page, { target: 'Notes', select: 'one ', key: 'Delete' })
    expect(await value(page, 'notes')).toBe('two three')
    await press(page, { target: 'Notes', select: 'two', text: '' })
    expect(await value(page, 'notes')).toBe(' three')
    await press(page, { target: 'Notes', select: 'three', key: 'ArrowRight' })
    await press(page, { text: '\nfour' })
    expect(await value(page, 'notes')).toBe(' three\nfour')
  })

  test('that occur twice are numbered', async ({ page }) => {
    const answer = await press(page, { target: 'Title', select: 'red', text: 'blue' })
    expect(answer).toMatchObject({ error: 'invalid-input' })
    expect(answer.message).toContain('- red (2 of 2) in "red car, red bike"')
    await press(page, { target: 'Title', select: 'red (2 of 2)', text: 'blue' })
    expect(await value(page, 'title')).toBe('red car, blue bike')
  })

  test('cannot be selected where the browser does not, are not written where it is locked', async ({ page }) => {
    expect(await press(page, { target: 'Mail', select: 'ann' })).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('form_fill'),
    })
    const locked = await press(page, { target: 'Locked', select: 'stay', text: 'go' })
    expect(locked).toMatchObject({ default: 'none' })
    expect(await wordsFor(page, locked)).toMatch(/^Not typed: the text on textbox "Locked"/)
    expect(await value(page, 'locked')).toBe('stay here')
    expect(await press(page, { target: 'Notes', select: 'zwei', text: '2' })).toMatchObject({ error: 'invalid-input' })
    expect(await press(page, { target: 'Notes', key: 'a', text: 'b' })).toMatchObject({ error: 'invalid-input' })
    expect(await press(page, { target: 'Notes' })).toMatchObject({ error: 'invalid-input' })
  })
})

test.describe('words in a rich text', () => {
  test('are replaced across markup, formatted and deleted', async ({ page }) => {
    await press(page, { target: 'Letter', select: 'Ms Adams', text: 'Mr Berg' })
    expect(await page.locator('#letter p').first().textContent()).toBe('Dear Mr Berg,')
    expect(await effectOf(page, { target: 'Letter', select: 'thanks', key: 'Control+B' })).toBe('value')
    const bold = await press(page, { target: 'Letter', select: 'thanks', key: 'Control+B' })
    expect(bold.changes).toContain('formatting of textbox "Letter"')
    expect(await html(page, 'letter')).toContain('<b>thanks</b>')
    await press(page, { target: 'Letter', select: ' for it', key: 'Backspace' })
    expect(await page.locator('#letter p').last().textContent()).toBe('many thanks.')
  })

  test('are replaced in a shadow root and in a frame', async ({ page }) => {
    expect(await press(page, { target: 'Deep', select: 'blue', text: 'grey' })).toMatchObject({ default: 'done' })
    expect(await page.locator('#deep').textContent()).toBe('grey sky')
    expect(await press(page, { target: 'Inner', select: 'tea', text: 'apple' })).toMatchObject({ default: 'done' })
    expect(await page.frameLocator('#frame').locator('#inner').textContent()).toBe('green apple')
  })
})

test.describe('words of the page', () => {
  test('are selected, over lines and elements', async ({ page }) => {
    const answer = await press(page, { select: 'brown fox jumps over the lazy' })
    expect(answer).toMatchObject({ did: 'Selected', default: 'selected' })
    expect((await selected(page)).replace(/\s+/g, ' ')).toBe('brown fox jumps over the lazy')
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { selections: number }).selections))
      .toBeGreaterThan(1)
    expect(await effectOf(page, { select: 'brown fox' })).toBe('view')
    // The question says which words they are.
    expect(await forecast(page, { select: 'brown fox', key: 'Delete' })).toMatchObject({
      preview: { key: 'Delete', selects: 'brown fox' },
    })
  })

  test('never are those of a private field', async ({ page }) => {
    for (const select of ['tulip77secret', 'tulip', 'code tulip'])
      expect(await press(page, { select })).toMatchObject({
        error: 'invalid-input',
        message: expect.stringContaining('does not show the words'),
      })
    expect(await press(page, { target: 'Password', select: 'tulip' })).toMatchObject({ error: 'sensitive-field' })
    expect(await press(page, { target: 'Password', text: 'x' })).toMatchObject({ error: 'sensitive-field' })
    await press(page, { select: 'is kept' })
    expect(await selected(page)).toBe('is kept')
  })
})

test('a text is typed key by key where only keys are taken, and that asks', async ({ page }) => {
  const { effect, preview } = await forecast(page, { target: 'Pad', text: 'hi' })
  expect(effect).toBe('unknown')
  // The question shows the text, which is no key.
  expect(preview).toMatchObject({
    on: { name: 'Pad' },
    types: 'hi',
    target: expect.stringMatching(/^Text on .* "Pad"/),
  })
  expect(preview).not.toHaveProperty('key')
  await press(page, { target: 'Pad', text: 'hi' })
  expect(await page.evaluate(() => (window as unknown as { padKeys: string }).padKeys)).toBe('hi')
})
