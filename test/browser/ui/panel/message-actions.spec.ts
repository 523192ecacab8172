// The buttons of messages and code blocks, replaced turns, and what the page and the user put into the field.
import type { Page } from 'playwright/test'
import { assistant, call, expect, test, user } from '../../../support/page/panel.js'

const done = { result: { output: 'ok', endedAt: 1, attempts: 1 } }
const idle = { messages: [user('u1', 'First'), assistant('a1', 'One'), user('u2', 'Second'), assistant('a2', 'Two')] }

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

test.describe('message actions', () => {
  test.beforeEach(async ({ context, browserName }) => {
    if (browserName === 'chromium') await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })

  test('copies messages of both sides and code blocks', async ({ panel, page, browserName }) => {
    test.skip(browserName !== 'chromium', 'only Chromium lets a test read the clipboard')
    await panel.show({ messages: [user('u', 'My *question*'), assistant('a', 'Text\n\n```js\nlet a = 1\n```')] })
    await expect(panel.element.locator('pre')).toBeVisible()
    await panel.element.locator('.user').hover()
    const copy = panel.element.locator('button.copy')
    await expect(copy).toHaveCount(3)
    await copy.nth(0).click()
    expect(await copied(page)).toBe('My *question*')
    await copy.nth(1).click()
    expect(await copied(page)).toBe('let a = 1')
    await copy.nth(2).click()
    expect(await copied(page)).toBe('Text\n\n```js\nlet a = 1\n```')
    await expect(panel.element.getByRole('button', { name: 'Copied' })).toHaveCount(1)
  })

  test('no button lies over the text of its message', async ({ panel }) => {
    await panel.show({ messages: [user('u', 'Question'), assistant('a', 'Text\n\n```js\nlet a = 1\n```')] })
    await panel.element.locator('.user').hover()
    await expect(panel.element.locator('button.copy')).toHaveCount(3)
    const overlaps = await panel.element.evaluate((element) => {
      const root = element.shadowRoot!
      const texts = [...root.querySelectorAll('.user .plain, .text p, .text pre')].map((one) =>
        one.getBoundingClientRect(),
      )
      return [...root.querySelectorAll('button.copy')].filter((button) => {
        const box = button.getBoundingClientRect()
        return texts.some(
          (text) =>
            box.left < text.right && text.left < box.right && box.top < text.bottom - 1 && text.top < box.bottom - 1,
        )
      }).length
    })
    expect(overlaps).toBe(0)
  })

  test('messages of earlier turns have fewer buttons, and nothing in their place', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.element.feedback = false
    })
    await panel.show(idle)
    await panel.element.locator('.user').first().hover()
    const actions = panel.element.locator('.actions')
    await expect(actions).toHaveCount(4)
    await expect(actions.nth(0).getByRole('button')).toHaveCount(1)
    await expect(actions.nth(1).getByRole('button')).toHaveCount(1)
    for (const one of await actions.all()) await expect(one).toHaveText('')
  })

  test('the place of the buttons is there before they are visible', async ({ panel }) => {
    await panel.show(idle)
    await expect(panel.element.locator('.text').last()).toHaveText('Two')
    const top = () =>
      panel.element
        .locator('.text')
        .last()
        .evaluate((one) => one.getBoundingClientRect().top)
    const before = await top()
    await panel.element.locator('.user').first().hover()
    await expect(panel.element.getByRole('button', { name: 'Answer again' })).toBeVisible()
    expect(await top()).toBe(before)
  })

  test('the place between an answer and the next message is not wasted', async ({ panel }) => {
    await panel.show(idle)
    await expect(panel.element.locator('.text').last()).toHaveText('Two')
    const edge = (name: string, at: 'top' | 'bottom') =>
      panel.element.locator(name).evaluateAll((all, side) => all.map((one) => one.getBoundingClientRect()[side]), at)
    const [end = 0] = await edge('.text', 'bottom')
    const [, next = 0] = await edge('.user', 'top')
    expect(next - end).toBeLessThan(29)
  })

  test('the place of the button of a code block is there before it is visible', async ({ panel }) => {
    await panel.show({ messages: [user('u', 'Hi'), assistant('a', '```ts\nconst x = 1\n```')] })
    const height = () => panel.element.locator('.code').evaluate((block) => block.getBoundingClientRect().height)
    await expect(panel.element.locator('.code')).toBeVisible()
    const before = await height()
    await panel.element.locator('.code').hover()
    await expect(panel.element.locator('.code button')).toBeVisible()
    expect(Math.abs((await height()) - before)).toBeLessThan(1)
  })

  test('regenerates and edits the newest turn only, and only while nothing runs', async ({ panel, page }) => {
    await panel.show(idle)
    await panel.element.locator('.user').last().hover()
    const again = panel.element.getByRole('button', { name: 'Answer again' })
    const edit = panel.element.getByRole('button', { name: 'Edit and send again' })
    await expect(again).toHaveCount(1)
    await expect(edit).toHaveCount(1)
    await again.click()
    expect(await panel.asked('regenerate')).toHaveLength(1)
    await edit.click()
    const field = panel.element.getByRole('textbox', { name: 'Edit and send again' })
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('Second')
    await expect(panel.element.locator('.user').last()).toBeHidden()
    await field.press('Escape')
    await expect(edit).toBeFocused()
    await expect(panel.element.locator('.user').last()).toBeVisible()
    await edit.click()
    await field.fill('Third')
    await field.press('Enter')
    expect(await panel.asked('editLast')).toEqual([['Third']])
    await panel.show({ ...idle, status: 'running' })
    await page.mouse.move(0, 0)
    await expect(again).toHaveCount(0)
    await expect(edit).toHaveCount(0)
  })

  test('copies, edits and brings back only what the user has typed, and keeps files and quotes', async ({ panel }) => {
    const typed = { type: 'text', text: 'Compare' } as const
    const quote = { type: 'text', name: '“600 ml”', text: 'Selected:\n<untrusted-1>\n600 ml\n</untrusted-1>' } as const
    const picture = { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' } as const
    await panel.show({
      messages: [{ id: 'u', role: 'user', at: 1, parts: [typed, picture, quote] }, assistant('a', 'Both')],
    })
    await panel.field.press('ArrowUp')
    await expect(panel.field).toHaveValue('Compare')
    await panel.element.locator('.user').hover()
    await panel.element.getByRole('button', { name: 'Edit and send again' }).click()
    const field = panel.element.getByRole('textbox', { name: 'Edit and send again' })
    await expect(field).toHaveValue('Compare')
    await field.fill('Compare these')
    await field.press('Enter')
    expect(await panel.asked('editLast')).toEqual([[[{ type: 'text', text: 'Compare these' }, picture, quote]]])
  })

  test('a refused file is removed from its message, which is sent again', async ({ panel }) => {
    const picture = { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' } as const
    const plan = { type: 'file', mediaType: 'application/pdf', data: 'AAAA', name: 'plan.pdf' } as const
    const error = { code: 'request-too-large', message: 'Status 413' } as const
    await panel.show({
      messages: [{ id: 'u', role: 'user', at: 1, parts: [picture, plan] }],
      end: { turn: 't', at: 1, reason: 'error', error },
    })
    await expect(panel.element.getByRole('alert')).toContainText('The attached file is too large for this assistant.')
    await expect(panel.element.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await panel.element.locator('.user').hover()
    const edit = panel.element.getByRole('button', { name: 'Edit and send again' })
    await edit.click()
    const form = panel.element.locator('.edit-form')
    await expect(form.getByRole('listitem')).toHaveText([/a\.png/, /plan\.pdf/])
    await form.getByRole('button', { name: 'Remove: plan.pdf' }).click()
    const field = form.getByRole('textbox')
    await expect(field).toBeFocused()
    // A file that was removed by mistake returns.
    await field.press('Escape')
    await edit.click()
    await expect(form.getByRole('listitem')).toHaveCount(2)
    await form.getByRole('button', { name: 'Remove: plan.pdf' }).click()
    await field.press('Enter')
    expect(await panel.asked('editLast')).toEqual([[[picture]]])
    await edit.click()
    await form.getByRole('button', { name: 'Remove: a.png' }).click()
    await form.getByRole('button', { name: 'Remove: plan.pdf' }).click()
    await field.press('Enter')
    expect(await panel.asked('editLast')).toHaveLength(1)
    await field.fill('Without it')
    await field.press('Enter')
    expect((await panel.asked('editLast')).at(-1)).toEqual(['Without it'])
  })

  test('shows an error of a replaced turn', async ({ panel, page }) => {
    await panel.show(idle)
    await page.evaluate(() => {
      window.fake.failures.set('regenerate', { code: 'invalid-option', message: 'A turn is running' })
    })
    await panel.element.locator('.user').last().hover()
    await panel.element.getByRole('button', { name: 'Answer again' }).click()
    await expect(panel.element.getByRole('alert')).toBeVisible()
  })

  test('hides what was replaced, except calls', async ({ panel }) => {
    await panel.show({
      status: 'running',
      messages: [
        user('u', 'Question'),
        assistant('a', 'Looking', call('c', 'read', done)),
        assistant('b', 'Old answer'),
      ],
    })
    await panel.emit({ type: 'turn-end', at: 1, turn: 't', reason: 'stop' })
    await panel.show({ messages: (await panel.page.evaluate(() => window.fake.messages)) as never })
    await panel.emit({
      type: 'turn-replaced',
      at: 2,
      end: { turn: 't', reason: 'interrupted', at: 2 },
      from: 0,
      message: { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'Better question' }], at: 2 },
    })
    await expect(panel.element.locator('.user')).toHaveText('Better question')
    await expect(panel.element.locator('details.call')).toHaveCount(1)
    await expect(panel.element.getByText('Old answer')).toBeHidden()
    await panel.element.getByText('Earlier version').last().click()
    await expect(panel.element.getByText('Old answer')).toBeVisible()
    await expect(panel.element.getByText('Question', { exact: true })).toBeHidden()
  })

  test('shows the time and the tokens of an answer on demand', async ({ panel }) => {
    const answer = {
      ...assistant('a', 'Answer'),
      at: Date.UTC(2026, 8, 21, 12),
      usage: { inputTokens: 1200, outputTokens: 34 },
    }
    await panel.show({ messages: [user('u', 'Question'), answer] })
    await panel.element.locator('.user').hover()
    await expect(panel.element.getByText('tokens')).toHaveCount(0)
    await expect(panel.element.getByRole('button', { name: 'Time and usage' })).toHaveCount(0)
    await panel.element.locator('.actions').last().hover()
    await expect(panel.element.locator('.actions').last()).toHaveAttribute('title', /Sep 21, 2026/)
    await panel.page.evaluate(() => window.fake.configure({ ...window.fake.options, debug: true }))
    await panel.element.getByRole('button', { name: 'Time and usage' }).click()
    await expect(panel.element.getByText('1,200 tokens sent, 34 received')).toContainText('Sep 21, 2026')
  })

  test('dispatches a rating to the page, only if the page wants it', async ({ panel, page }) => {
    await panel.show(idle)
    await panel.element.locator('.user').last().hover()
    await expect(panel.element.getByRole('button', { name: 'Good answer' })).toHaveCount(0)
    await page.evaluate(() => {
      window.element.setAttribute('feedback', '')
      window.element.addEventListener('tool-agent-feedback', ({ message, rating }) => {
        document.title += `${message.id} ${rating};`
      })
      document.title = ''
    })
    await panel.show({ ...idle, title: 'Again' })
    const good = panel.element.getByRole('button', { name: 'Good answer' }).last()
    await good.click()
    await expect(good).toHaveAttribute('aria-pressed', 'true')
    await panel.element.getByRole('button', { name: 'Bad answer' }).last().click()
    await panel.element.getByRole('button', { name: 'Bad answer' }).last().click()
    await expect(page).toHaveTitle('a2 good;a2 bad;a2 undefined;')
  })
})

test.describe('what is put into the field', () => {
  test('arrow up in an empty field brings the last message back', async ({ panel }) => {
    await panel.show(idle)
    await panel.field.press('ArrowUp')
    await expect(panel.field).toHaveValue('Second')
    await panel.field.fill('My own')
    await panel.field.press('ArrowUp')
    await expect(panel.field).toHaveValue('My own')
  })

  test('the page prefills the field and keeps what the user has typed', async ({ panel, page }) => {
    await panel.field.fill('typed')
    await page.evaluate(() => {
      window.element.prefill = 'About this product:'
    })
    await expect(panel.field).toHaveValue('About this product:\n\ntyped')
  })

  test('the page prefills the field of a panel that is not loaded yet', async ({ page, panel }) => {
    await page.evaluate(() => {
      const element = document.createElement('tool-agent')
      element.id = 'later'
      element.prefill = 'Hello'
      document.body.append(element)
    })
    await expect(page.locator('#later textarea')).toHaveValue('Hello')
    expect(panel.faults).toEqual([])
  })

  for (const [name, prepare] of [
    ['Why?', () => void (window.element.followUps = ['Why?'])],
    ['Continue', () => window.fake.show({ messages: window.fake.messages, end: { reason: 'max-steps' } as never })],
  ] as const)
    test(`the focus of the keyboard moves to the field when ${name} disappears`, async ({ panel, page }) => {
      await panel.show(idle)
      await page.evaluate(() => {
        window.fake.held.add('send')
        window.fake.held.add('continue')
      })
      await page.evaluate(prepare)
      const button = page.getByRole('button', { name, exact: true })
      await panel.field.focus()
      await expect(async () => {
        await page.keyboard.press('Shift+Tab')
        await expect(button).toBeFocused({ timeout: 100 })
      }).toPass()
      await page.keyboard.press('Enter')
      await page.evaluate(() => window.fake.show({ messages: window.fake.messages, status: 'running' }))
      await expect(button).toHaveCount(0)
      await expect(panel.field).toBeFocused()
    })

  test('follow-ups are sent once and disappear with the next turn', async ({ panel, page }) => {
    await panel.show(idle)
    await page.evaluate(() => {
      window.element.followUps = ['And then?', 'Why?']
    })
    const buttons = panel.element.locator('.follow-ups button')
    await expect(buttons).toHaveText(['And then?', 'Why?'])
    // Before the panel is drawn again.
    await buttons.first().evaluate((button) => {
      for (let press = 0; press < 3; press++) (button as HTMLElement).click()
    })
    expect(await panel.asked('send')).toEqual([['And then?']])
    const turn = { id: 't', tab: '', url: '', startedAt: 1, first: 0, resumes: 0, lastAt: 1, spent: 0 }
    await panel.emit({
      type: 'turn-start',
      at: 1,
      turn: {
        ...turn,
        mode: 'auto',
        options: {},
        facts: { url: '', title: '', lang: '', timeZone: '' },
        offered: [],
        counted: 0,
      },
    })
    await expect(buttons).toHaveCount(0)
    expect(await page.evaluate(() => window.element.followUps)).toEqual([])
  })
})
