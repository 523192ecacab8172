// The approval card before a call: only a deliberate decision of the user counts.
import { assistant, call, expect, question, test, user } from '../../../support/page/panel.js'

const asking = (...parts: Parameters<typeof assistant>[1][]) =>
  ({ status: 'awaiting-approval', messages: [user('u', 'Use the coupon'), assistant('a', ...parts)] }) as const

test(
  'shows every argument, also nested, empty and invisible ones, and the name of the tool',
  { tag: '@R7.3' },
  async ({ panel }) => {
    await panel.show(
      asking(question('c', { code: 'TEA10', cart: { items: 2 }, note: '', trick: 'a\u202eb', list: [1, 2] })),
    )
    const card = panel.element.locator('tool-agent-approval')
    await expect(card.getByRole('heading')).toHaveText('Apply a coupon')
    const list = card.locator('.arguments > dl')
    await expect(list.locator('> dt')).toHaveText(['Code', 'Cart', 'Note', 'Trick', 'List'])
    await expect(list.locator('> dd')).toHaveText(['TEA10', /Items\s*2/, 'empty', 'a\\u{202e}b', '1, 2'])
    // The name and the JSON are for programmers.
    await expect(card.locator('.raw')).not.toHaveAttribute('open')
    await card.locator('.raw summary').click()
    await expect(card.locator('.raw')).toContainText('apply_coupon')
    await expect(card.locator('.raw pre')).toContainText('"trick": "a\\u{202e}b"')
  },
)

test('the first question about a page-offered tool shows its own description', { tag: '@S3' }, async ({ panel }) => {
  await panel.show(
    asking(
      call('c', 'apply_coupon', {
        approval: { hash: 'h', title: 'Coupon', input: {}, at: 1, preview: { claim: 'Uses a coupon\u200b' } },
      }),
    ),
  )
  const preview = panel.element.locator('tool-agent-approval .preview')
  await expect(preview.locator('dt')).toHaveText(['The page says'])
  await expect(preview.locator('dd')).toHaveText(['Uses a coupon\\u{200b}'])
})

test(
  'what a tool says itself stands above the arguments, which cannot be changed then',
  { tag: '@R7.3' },
  async ({ panel }) => {
    const approval = (question: unknown, input: object) => ({
      hash: 'h',
      title: 'Buy',
      input,
      at: 1,
      preview: { question },
    })
    const rows = [
      { label: 'Total', value: '€ 24.00\u200b' },
      { label: '<b>To</b>', value: 'Ada' },
    ]
    const card = panel.element.locator('tool-agent-approval')
    const show = (question: unknown, input: object) =>
      panel.show(asking(call('c', 'apply_coupon', { approval: approval(question, input) as never })))
    await show(rows, { code: 'TEA10' })
    await expect(card.locator('.preview dt')).toHaveText(['Total', '<b>To</b>'])
    await expect(card.locator('.preview dd')).toHaveText(['€ 24.00\\u{200b}', 'Ada'])
    await expect(card.locator('.arguments dd')).toHaveText(['TEA10'])
    await expect(card.locator('.change')).toHaveCount(0)
    // They continue a list, and stand apart from a sentence.
    const gap = () =>
      card.locator('.arguments').evaluate((list) => {
        const before = list.previousElementSibling!.getBoundingClientRect()
        return Math.round(list.getBoundingClientRect().top - before.bottom)
      })
    expect(await gap()).toBeLessThanOrEqual(0)
    await show('Buy 2 teapots for € 48.00?', { code: 'TEA10' })
    await expect(card.locator('.arguments dd')).toHaveText(['TEA10'])
    expect(await gap()).toBeGreaterThanOrEqual(8)
    // Without arguments no line says that there are no details.
    await show('Buy 2 teapots for € 48.00?', {})
    await expect(card.locator('.preview .question')).toHaveText('Buy 2 teapots for € 48.00?')
    await expect(card.locator('.preview .question')).toBeVisible()
    await expect(card.locator('.arguments')).toHaveCount(0)
    // A record of another version or a forged one.
    await show([5, { label: 1 }], {})
    await expect(card.locator('.preview dd')).toHaveText(['undefined'])
  },
)

test('ignores a click by a script', { tag: '@R7.5' }, async ({ panel }) => {
  await panel.show(asking(question('c')))
  const approve = panel.element.locator('.approve')
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await approve.evaluate((button: HTMLElement) => {
    button.click()
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
    button.focus()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }))
  })
  await panel.element.locator('.deny').evaluate((button: HTMLElement) => {
    button.click()
  })
  expect(await panel.asked('approve')).toEqual([])
  expect(await panel.asked('deny')).toEqual([])
  await approve.click()
  expect(await panel.asked('approve')).toEqual([['c', {}]])
})

test('accepts an approval half a second after the card is visible, and again for a new question', async ({
  panel,
  page,
}) => {
  await page.clock.install()
  await page.reload()
  await panel.ready()
  await page.clock.pauseAt(Date.now() + 60_000)
  await panel.show(asking(question('c')))
  await expect
    .poll(async () => {
      await page.clock.runFor(20)
      return panel.element.locator('.approve').count()
    })
    .toBe(1)
  await page.clock.runFor(100)
  await panel.element.locator('.approve').click({ force: true })
  await page.clock.runFor(300)
  await panel.element.locator('.approve').click({ force: true })
  expect(await panel.asked('approve')).toEqual([])
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return panel.element.locator('.decision[data-ready]').count()
    })
    .toBe(1)
  await panel.element.locator('.approve').click()
  expect(await panel.asked('approve')).toEqual([['c', {}]])

  await panel.show(asking(question('d')))
  await page.clock.runFor(100)
  await expect(panel.element.locator('.approve')).toHaveAttribute('aria-disabled', 'true')
  await panel.element.locator('.approve').click({ force: true })
  expect(await panel.asked('approve')).toHaveLength(1)
})

test('a denial needs no reading time and carries its reason', async ({ panel }) => {
  await panel.show(asking(question('c')))
  const toggle = panel.element.getByRole('button', { name: 'Add a reason' })
  await toggle.click()
  await expect(panel.element.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await panel.element.getByRole('textbox', { name: 'Reason' }).fill('Too expensive')
  await panel.element.locator('.deny').click()
  expect(await panel.asked('deny')).toEqual([['c', { reason: 'Too expensive' }]])
  await expect(panel.element.locator('.approve')).toHaveCount(0)
})

test('a double click decides once', { tag: ['@F74', '@R6.5'] }, async ({ panel }) => {
  await panel.show(asking(question('c')))
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await panel.element.locator('.approve').dblclick()
  expect(await panel.asked('approve')).toHaveLength(1)
})

test('a covered question cannot be approved', { tag: '@S32' }, async ({ panel, page }) => {
  await panel.show(asking(question('c')))
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  const box = await panel.element.locator('.arguments').boundingBox()
  await page.evaluate((area) => {
    const cover = document.createElement('div')
    cover.id = 'cover'
    Object.assign(cover.style, {
      position: 'fixed',
      zIndex: '99',
      background: 'white',
      left: `${area?.x}px`,
      top: `${area?.y}px`,
      width: `${area?.width}px`,
      height: `${area?.height}px`,
    })
    cover.textContent = 'Win a teapot!'
    document.body.append(cover)
  }, box)
  await expect(panel.element.locator('.decision[data-ready]')).toHaveCount(0)
  await panel.element.locator('.approve').click({ force: true })
  expect(await panel.asked('approve')).toEqual([])
  await expect(panel.element.locator('tool-agent-approval').getByRole('alert')).toContainText('covers this question')
  await page.evaluate(() => {
    document.querySelector('#cover')?.remove()
  })
  await expect(panel.element.locator('tool-agent-approval').getByRole('alert')).toHaveCount(0)
  await panel.element.locator('.approve').click()
  expect(await panel.asked('approve')).toHaveLength(1)
})

test('announces a question without moving the focus to it or to its buttons', async ({ panel }) => {
  await panel.show({
    status: 'running',
    messages: [user('u', 'Hi'), assistant('a', question('c'))].map((message) => message),
  })
  await panel.field.focus()
  await panel.emit({
    type: 'approval-request',
    at: 1,
    callId: 'c',
    approval: { hash: 'h', title: 'Apply a coupon', input: { code: 'TEA10' }, at: 1 },
  })
  await expect(panel.element.locator('.unseen[aria-live]')).toHaveText(
    'Your decision is needed: Apply a coupon. Code: TEA10. Press F8 to answer.',
  )
  await expect(panel.field).toBeFocused()
  // From the field to the question, and back.
  await panel.page.keyboard.press('F8')
  await expect(panel.element.locator('.approval')).toBeFocused()
  await panel.page.keyboard.press('F8')
  await expect(panel.field).toBeFocused()
})

for (const layout of ['inline', 'floating'] as const) {
  test(`a question can be answered while a modal dialog makes the panel inert: ${layout}`, async ({ panel, page }) => {
    await page.evaluate((name) => {
      window.element.layout = name
      window.element.open = false
      const dialog = document.createElement('dialog')
      dialog.innerHTML = '<button id="inside">Go on</button>'
      document.body.append(dialog)
      dialog.showModal()
    }, layout)
    await panel.show(asking(question('c'), question('d')))
    const questions = panel.element.getByRole('dialog', { name: 'Waiting for your decision' })
    await expect(questions).toBeVisible()
    expect(await questions.evaluate((one) => one.matches(':focus-within') || one.matches(':focus'))).toBe(true)
    await expect(questions.locator('.decision :focus')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(questions.locator('.decision[data-ready]')).toBeVisible()
    await questions.locator('.approve').click()
    expect(await panel.asked('approve')).toEqual([['c', {}]])
    // The approved call finds the page without the panel's dialog.
    await panel.show(asking(question('d')))
    await expect(questions.locator('.decision[data-ready]')).toHaveCount(1)
    await questions.locator('.approve').click()
    expect(await panel.asked('approve')).toHaveLength(2)
    await panel.show({ status: 'idle', messages: [user('u', 'Use the coupon')] })
    await page.locator('#inside').click()
    // Without the page's dialog the questions are in the panel again.
    await page.evaluate(() => {
      document.querySelector('dialog')?.remove()
    })
    await panel.show(asking(question('e')))
    await expect(questions).toBeVisible()
    expect(await questions.evaluate((one) => one.matches(':modal'))).toBe(false)
  })
}

test('shows no card if the page cancels the event, also after a reload', async ({ panel, page }) => {
  // The card's code is loaded by then, so it would be drawn without delay.
  await panel.show(asking(question('own')))
  await expect(panel.element.locator('tool-agent-approval')).toHaveCount(1)
  await page.evaluate(() => {
    window.element.addEventListener('tool-agent-approval-request', (event) => {
      event.preventDefault()
      document.body.dataset['asked'] = event.call.name
    })
  })
  await panel.show(asking(question('c')))
  await expect(panel.element.locator('details.call')).toHaveAttribute('data-state', 'asking')
  await expect(panel.element.locator('tool-agent-approval')).toHaveCount(0)
  expect(await page.evaluate(() => document.body.dataset['asked'])).toBe('apply_coupon')
})

test.describe('how grave a question is', () => {
  const levels = [
    ['harmless', 'a tool without hints', {}, undefined],
    ['harmless', 'a field that is filled', {}, { effect: 'value', does: 'click', target: 'button "Now"' }],
    ['consequences', 'a tool with consequences', { consequentialHint: true }, undefined],
    ['consequences', 'a tool for the outside world', { openWorldHint: true }, undefined],
    ['consequences', 'a form that is sent', {}, { effect: 'send', does: 'submit', target: 'form "Order"' }],
    ['consequences', 'a button nobody knows', {}, { effect: 'unknown', does: 'click', target: 'button "Go"' }],
    ['final', 'a destructive tool', { destructiveHint: true }, undefined],
    ['final', 'a button that deletes', {}, { effect: 'destroy', does: 'click', target: 'button "Delete"' }],
  ] as const
  for (const [level, title, annotations, preview] of levels)
    test(`${title}: ${level}`, async ({ panel, page }) => {
      const part = question('c')
      await page.evaluate((tool) => window.fake.approvalTools.set('c', tool), {
        inputSchema: {},
        annotations,
        isDiscovered: false,
        offers: [],
      })
      const asked = part as unknown as { approval: object }
      await panel.show({
        status: 'awaiting-approval',
        messages: [
          user('u', 'Go'),
          assistant('a', { ...part, approval: { ...asked.approval, ...(preview ? { preview } : {}) } } as typeof part),
        ],
      })
      const card = panel.element.locator('.approval')
      await expect(card).toHaveAttribute('data-level', level)
      await panel.read()
      const look = await card.evaluate((element) => {
        const approve = element.querySelector('.approve')!
        return [element.querySelector('h3 path')!.getAttribute('d'), getComputedStyle(approve).backgroundColor]
      })
      // Each level has its own icon; the colour of the button warns of the last one only.
      const [shape, colour] = look
      const expected = { harmless: 'M12 11', consequences: 'M12 3.5 19', final: 'M12 8v5' }[level]
      expect(shape).toContain(expected)
      expect(colour).toMatch(level === 'final' ? /^oklch\(0\.5 0\.17\d* 28\./ : /^rgb\(47, 91, 208\)$/)
      await expect(card.locator('.warning[data-grave]')).toHaveCount(level === 'final' ? 1 : 0)
      await expect(card.locator('.warning[data-grave] svg'), 'the title has the triangle').toHaveCount(0)
    })

  test('a tool of the page or of a server without hints may have consequences', async ({ panel, page }) => {
    await page.evaluate(() =>
      window.fake.approvalTools.set('c', { inputSchema: {}, annotations: {}, isDiscovered: true, offers: [] }),
    )
    await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Go'), assistant('a', question('c'))] })
    await expect(panel.element.locator('.approval')).toHaveAttribute('data-level', 'consequences')
  })

  test('the frame of what cannot be undone differs without colours', async ({ panel, page, browserName }) => {
    test.skip(browserName === 'firefox', 'Firefox takes media features only as preferences')
    await page.emulateMedia({ forcedColors: 'active' })
    await page.evaluate(() =>
      window.fake.approvalTools.set('c', {
        inputSchema: {},
        annotations: { destructiveHint: true },
        isDiscovered: false,
        offers: [],
      }),
    )
    await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Go'), assistant('a', question('c'))] })
    const card = panel.element.locator('.approval')
    await expect(card).toHaveAttribute('data-level', 'final')
    expect(await card.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe('double')
    await expect(card.locator('.warning')).toHaveText('This cannot be undone.')
  })
})
