// A question must be read before it can be allowed: what the card shows, and when an approval counts.
import type { AssistantPart } from '../../../../src/core/data/message.js'
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'
import { pressInPlace } from '../../../support/page/press.js'

const asking = (...parts: AssistantPart[]) =>
  ({ status: 'awaiting-approval', messages: [user('u', 'Go on'), assistant('a', ...parts)] }) as const
const ask = (id: string, title: string, input: object, preview?: object): AssistantPart =>
  call(id, 'some_tool', {
    call: { id, name: 'some_tool', input },
    title,
    approval: { hash: `hash-${id}`, title, input, at: 1, ...(preview && { preview }) },
  })
/** More arguments than any card can show at once; the last one matters. */
const long = {
  ...Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`part${index}`, `Value ${index}`])),
  iban: 'DE02 1203',
}
const three = asking(
  ask('c1', 'Apply a coupon', { code: 'TEA10' }),
  ask('c2', 'Delete the account for good', { account: 'Ada', reason: 'Asked for it' }),
  ask('c3', 'Pay', { amount: 49.8 }),
)

/** The tool of a call, as the agent knows it. */
const know = (panel: PanelPage, callId: string, annotations: object = {}, more: object = {}) =>
  panel.page.evaluate(
    ([id, hints, rest]) => {
      window.fake.approvalTools.set(id as string, {
        inputSchema: { type: 'object' },
        annotations: hints,
        isDiscovered: false,
        offers: ['session'],
        ...(rest as object),
      })
    },
    [callId, annotations, more] as const,
  )
const ready = (panel: PanelPage) => panel.element.locator('.decision[data-ready]')
const approve = (panel: PanelPage) => panel.element.locator('.approve')
const reading = (panel: PanelPage) => panel.element.locator('.reading')
/** Waits longer than the reading time, by the clock of the page. */
const readingTime = (panel: PanelPage) =>
  panel.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const began = performance.now()
        const next = () => (performance.now() - began > 900 ? resolve() : requestAnimationFrame(next))
        next()
      }),
  )

for (const { width, height } of [
  { width: 1280, height: 720 },
  { width: 390, height: 664 },
  // A window of 1280 × 760 at 200 %, and one of 1280 × 1024 at 400 %.
  { width: 640, height: 380 },
  { width: 320, height: 256 },
]) {
  const tag = width === 390 || width === 640 ? '@long' : []
  test(
    `of three questions one is shown, with title, arguments and buttons: ${width} × ${height}`,
    { tag },
    async ({ panel, page }) => {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => {
        window.element.layout = 'floating'
        window.element.open = true
      })
      await panel.show(three)
      const card = panel.element.locator('tool-agent-approval')
      const titles = ['Apply a coupon', 'Delete the account for good', 'Pay']
      for (const [index, title] of titles.entries()) {
        await expect(card).toHaveCount(1)
        await expect(card.getByRole('heading')).toHaveText(title)
        await expect(card.locator('.from')).toContainText(`${index + 1} of 3`)
        // Title, the first argument and the buttons are on the screen, inside the panel and not above each other.
        const boxes = await card.evaluate((element) =>
          ['h3', '.arguments dt', '.arguments dd', '.approve', '.deny'].map((name) => {
            const { top, bottom, left, right } = element.querySelector(name)!.getBoundingClientRect()
            return { name, top, bottom, left, right }
          }),
        )
        const panelBox = (await panel.element.locator('section.panel').boundingBox())!
        for (const { name, top, bottom, left, right } of boxes) {
          expect(top, `${title} ${name}`).toBeGreaterThanOrEqual(Math.max(0, panelBox.y) - 1)
          expect(bottom, `${title} ${name}`).toBeLessThanOrEqual(Math.min(height, panelBox.y + panelBox.height) + 1)
          expect(left, `${title} ${name}`).toBeGreaterThanOrEqual(0)
          expect(right, `${title} ${name}`).toBeLessThanOrEqual(width)
        }
        expect(boxes[0]!.bottom).toBeLessThanOrEqual(boxes[1]!.top + 1)
        expect(boxes[1]!.bottom).toBeLessThanOrEqual(boxes[3]!.top + 1)
        await panel.read()
        await pressInPlace(approve(panel))
        expect((await panel.asked('approve')).at(-1)).toEqual([`c${index + 1}`, {}])
      }
      await expect(card).toHaveCount(0)
    },
  )
}

test('a decision moves the focus to the next question, and after the last one to the text field', async ({
  panel,
  page,
}) => {
  await panel.show(three)
  await panel.element.locator('.deny').focus()
  await page.keyboard.press('Enter')
  const next = panel.element.getByRole('group', { name: 'Delete the account for good, 2 of 3' })
  await expect(next).toBeFocused()
  await panel.element.locator('.deny').focus()
  await page.keyboard.press('Enter')
  await panel.element.locator('.deny').focus()
  await page.keyboard.press('Enter')
  await expect(panel.field).toBeFocused()
  expect(await panel.asked('deny')).toEqual([
    ['c1', {}],
    ['c2', {}],
    ['c3', {}],
  ])
})

test('a question that is asked again after its decision is shown again', async ({ panel }) => {
  await panel.show(asking(ask('c', 'Pay', { amount: 1 })))
  await panel.element.locator('.deny').click()
  await expect(panel.element.locator('tool-agent-approval')).toHaveCount(0)
  await panel.emit({
    type: 'approval-request',
    at: 2,
    callId: 'c',
    approval: { hash: 'hash-c', title: 'Pay', input: { amount: 1 }, at: 2 },
  })
  await expect(panel.element.locator('tool-agent-approval').getByRole('heading')).toHaveText('Pay')
})

test('long arguments scroll below a fixed title, with a cue until the end was on the screen', async ({
  panel,
  page,
}) => {
  await know(panel, 'c')
  await panel.show(asking(ask('c', 'Save the record', long)))
  const cue = panel.element.locator('.below')
  await expect(cue).toHaveText(/^\s*\d+ more below · read to the end first\s*$/)
  const before = Number.parseInt((await cue.textContent()) ?? '', 10)
  const title = await panel.element.locator('tool-agent-approval h3').boundingBox()
  const decision = await panel.element.locator('.decision').boundingBox()
  await cue.click()
  await expect.poll(async () => Number.parseInt((await cue.textContent()) ?? '', 10)).toBeLessThan(before)
  await reading(panel).focus()
  await page.keyboard.press('End')
  await expect(cue).toHaveCount(0)
  expect(await panel.element.locator('tool-agent-approval h3').boundingBox()).toEqual(title)
  expect(await panel.element.locator('.decision').boundingBox()).toEqual(decision)
})

const values = Object.entries(long).map(([field, value]) => ({ field, value }))
for (const [name, preview, annotations] of [
  ['a harmless call', undefined, {}],
  ['a destructive call', undefined, { destructiveHint: true }],
  ['a form', { does: 'submit', effect: 'send', target: 'form "Order"', values }, {}],
  ['a form for another site', { does: 'submit', site: 'https://elsewhere.example', values }, {}],
] as const) {
  test(
    `${name} that does not fit can be allowed only after the end was on the screen`,
    { tag: '@R7.5' },
    async ({ panel }) => {
      await know(panel, 'c', annotations)
      await panel.show(asking(ask('c', 'Delete the account', long, preview)))
      await expect(panel.element.locator('.below')).toContainText('read to the end first')
      await readingTime(panel)
      await expect(ready(panel)).toHaveCount(0)
      await expect(approve(panel)).toHaveAttribute('aria-disabled', 'true')
      await approve(panel).click({ force: true })
      await expect(panel.element.getByRole('alert')).toHaveText('Read to the end first, then allow it.')
      expect(await panel.asked('approve')).toEqual([])
      await reading(panel).evaluate((element) => {
        element.scrollTop = element.scrollHeight
      })
      await expect(ready(panel)).toBeVisible()
      await expect(approve(panel)).not.toHaveAttribute('aria-disabled')
      await approve(panel).click()
      expect(await panel.asked('approve')).toEqual([['c', {}]])
    },
  )
}

test('the question of an unknown tool must be read to the end', async ({ panel }) => {
  await panel.show(asking(ask('c', 'Do it', long)))
  await readingTime(panel)
  await expect(ready(panel)).toHaveCount(0)
  await expect(panel.element.locator('.below')).toContainText('read to the end first')
})

test('denying needs neither the end nor the reading time', { tag: '@R7.5' }, async ({ panel }) => {
  await know(panel, 'c', { destructiveHint: true })
  await panel.show(asking(ask('c', 'Delete the account', long)))
  await panel.element.locator('.deny').click()
  expect(await panel.asked('deny')).toEqual([['c', {}]])
})

const disguises: Record<string, string> = {
  transparent: 'tool-agent { opacity: .3 }',
  tiny: 'tool-agent { scale: .4 }',
  covered: 'main::after { content: ""; position: fixed; inset: 0; z-index: 99; background: white }',
  'covered without pointer events':
    'main::after { content: ""; position: fixed; inset: 0; z-index: 99; background: white; pointer-events: none }',
}
for (const [name, css] of Object.entries(disguises)) {
  test(`a card that is ${name} does not count as read`, { tag: '@S32' }, async ({ panel, page, browserName }) => {
    test.skip(name.endsWith('events') && browserName !== 'chromium', 'only a browser with trackVisibility can tell')
    await know(panel, 'c')
    // The browser has reported a visible card before.
    await panel.show(asking(ask('before', 'Pay', { amount: 1 })))
    await expect(ready(panel)).toBeVisible()
    await page.addStyleTag({ content: css })
    await panel.show(asking(ask('c', 'Pay', { amount: 1000 })))
    await expect(panel.element.locator('.arguments')).toContainText('1000')
    await readingTime(panel)
    await expect(ready(panel)).toHaveCount(0)
    await approve(panel).dispatchEvent('click')
    await approve(panel).focus()
    await page.keyboard.press('Enter')
    await expect(panel.element.getByRole('alert')).toContainText('covers this question')
    expect(await panel.asked('approve')).toEqual([])
    await page.evaluate(() => {
      document.head.querySelector('style:last-of-type')?.remove()
    })
    await expect(ready(panel)).toBeVisible()
  })
}

test('the message that something covers a card disappears with what covers it', async ({ panel, page }) => {
  await know(panel, 'c', { destructiveHint: true })
  await panel.show(asking(ask('c', 'Delete the account', long)))
  await expect(panel.element.locator('.below')).toContainText('read to the end first')
  await page.addStyleTag({ content: disguises['covered']! })
  await approve(panel).focus()
  await page.keyboard.press('Enter')
  await expect(panel.element.getByRole('alert')).toContainText('covers this question')
  await page.evaluate(() => {
    document.head.querySelector('style:last-of-type')?.remove()
  })
  // It has not been read to its end, so it still cannot be allowed.
  await expect(panel.element.getByRole('alert')).toHaveCount(0)
  await expect(ready(panel)).toHaveCount(0)
})

test('a card that has just moved does not count as read', { tag: '@S32' }, async ({ panel, page }) => {
  await know(panel, 'c')
  await panel.show(asking(ask('c', 'Pay', { amount: 1000 })))
  await expect(ready(panel)).toBeVisible()
  await approve(panel).focus()
  // In one task, so that no check can run between the move and the click.
  await approve(panel).evaluate((button) => {
    const move = (): void => {
      document.querySelector('main')!.style.paddingBlockEnd = '40px'
    }
    button.addEventListener('keydown', move, { once: true })
  })
  await page.keyboard.press('Enter')
  expect(await panel.asked('approve')).toEqual([])
  await expect(ready(panel)).toBeVisible()
  await page.keyboard.press('Enter')
  expect(await panel.asked('approve')).toHaveLength(1)
})

for (const kind of ['in the document', 'in a shadow tree'] as const) {
  for (const layout of ['inline', 'floating'] as const) {
    const tag = (kind === 'in the document') === (layout === 'inline') ? '@long' : []
    test(
      `a modal dialog that opens ${kind} while a question waits does not bury it: ${layout}`,
      { tag },
      async ({ panel, page }) => {
        await page.evaluate((name) => {
          window.element.layout = name
          window.element.open = true
        }, layout)
        await panel.show(asking(ask('c', 'Pay', { amount: 1 })))
        await expect(ready(panel)).toBeVisible()
        await page.evaluate((where) => {
          const dialog = document.createElement('dialog')
          dialog.innerHTML = '<button>Inside</button>'
          if (where === 'in the document') document.body.append(dialog)
          else document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }).append(dialog)
          Object.assign(window, { pageDialog: dialog })
          dialog.showModal()
        }, kind)
        // No event of the agent follows.
        const questions = panel.element.getByRole('dialog', { name: 'Waiting for your decision' })
        await expect.poll(() => questions.evaluate((one) => one.matches(':modal'))).toBe(true)
        await expect(ready(panel)).toBeVisible()
        await page.keyboard.press('Escape')
        await approve(panel).click()
        expect(await panel.asked('approve')).toEqual([['c', {}]])
        expect(
          await page.evaluate(() => (window as unknown as { pageDialog: HTMLDialogElement }).pageDialog.open),
        ).toBe(true)
      },
    )
  }
}

test('the question returns into the panel when the dialog of the page is closed', async ({ panel, page }) => {
  await panel.show(asking(ask('c', 'Pay', { amount: 1 })))
  const questions = panel.element.getByRole('dialog', { name: 'Waiting for your decision' })
  const isModal = () => questions.evaluate((one) => one.matches(':modal'))
  for (const end of ['close', 'remove'] as const) {
    await page.evaluate(() => {
      document.body.append(document.createElement('dialog'))
      document.querySelector('dialog')!.showModal()
    })
    await expect.poll(isModal).toBe(true)
    await page.evaluate((how) => {
      document.querySelector('dialog')![how]()
      document.querySelector('dialog')?.remove()
    }, end)
    await expect.poll(isModal).toBe(false)
    await expect(ready(panel)).toBeVisible()
  }
})
