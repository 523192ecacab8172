// The control that an open question is about is inside the window and free, wherever it is and however the panel is
// laid out, and it keeps its ring until the question is answered.
import type { Page } from 'playwright/test'
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { asked, card, click, deny, fill, openHeld } from '../../../support/page/held-page.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

const filler = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => `<p>Line ${index} of the page</p>`).join('')
const order =
  '<section class=order><h2>Your order</h2><p>Total € 409.90</p><button id=pay>Place order</button></section>'

/** Where the control is. */
const places = {
  end: {
    html: `<style>.order { position: absolute; inset-inline-end: 20px; top: 300px; width: 300px }</style>${order}`,
  },
  start: {
    html: `<style>.order { position: absolute; inset-inline-start: 20px; top: 300px; width: 300px }</style>${order}`,
  },
  wide: { html: `${filler(12)}<style>#pay { width: 100% }</style>${order}${filler(12)}` },
  bottom: { html: `${filler(60)}${order}` },
  fixed: {
    html: `${filler(30)}<style>.order { position: fixed; inset: auto 0 0; background: #eee } #pay { width: 100% }
      h2 { display: none }</style>${order}`,
  },
  box: {
    html: `<div style="height: 200px; overflow: auto; border: 1px solid">${filler(20)}${order}${filler(20)}</div>${filler(20)}`,
  },
  frame: {
    html: `${filler(20)}<iframe id=inner style="width: 100%; height: 160px"></iframe>${filler(20)}`,
    script: `const inner = document.querySelector('#inner')
      inner.srcdoc = ${JSON.stringify(`<!doctype html><title>Inner</title>${filler(12)}${order}`)}`,
  },
  dialog: {
    html: `${filler(20)}<dialog style="width: 320px">${order}</dialog>`,
    script: `document.querySelector('dialog').showModal()`,
  },
} satisfies Record<string, { readonly html: string; readonly script?: string }>

const windows = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  zoomed: { width: 640, height: 400 },
}

interface Case {
  readonly at: keyof typeof places
  readonly window: keyof typeof windows
  readonly layout: 'floating' | 'sidebar' | 'inline'
  readonly dir: 'ltr' | 'rtl'
}

/** Where the control and what may cover it are; in the window of the page. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>('#inner')
    const pay = document.querySelector('#pay') ?? frame!.contentDocument!.querySelector('#pay')!
    const { left: x, top: y } = frame?.getBoundingClientRect() ?? { left: 0, top: 0 }
    const [dx, dy] = frame ? [x + frame.clientLeft, y + frame.clientTop] : [0, 0]
    const rect = pay.getBoundingClientRect()
    const target = { left: rect.left + dx, top: rect.top + dy, right: rect.right + dx, bottom: rect.bottom + dy }
    const root = document.querySelector('tool-agent')!.shadowRoot!
    const question = root.querySelector('.approvals:modal')
    const own = question ?? root.querySelector('tool-agent-questions:popover-open') ?? root.querySelector('.panel')!
    const cover = own.getBoundingClientRect()
    const isApart =
      cover.right <= target.left ||
      cover.left >= target.right ||
      cover.bottom <= target.top ||
      cover.top >= target.bottom
    const isInside =
      target.left >= 0 && target.top >= 0 && target.right <= innerWidth + 1 && target.bottom <= innerHeight + 1
    const hitAt = (x: number, y: number): Element | null => {
      const hit = document.elementFromPoint(x, y)
      return frame && hit === frame ? frame.contentDocument!.elementFromPoint(x - dx, y - dy) : hit
    }
    // Within its round corners.
    const inset = 4
    const [near, far] = [
      [target.left + inset, target.top + inset],
      [target.right - inset, target.bottom - inset],
    ] as const
    const middle = [(target.left + target.right) / 2, (target.top + target.bottom) / 2] as const
    const points = [middle, near, far, [near[0], far[1]], [far[0], near[1]]] as const
    // Below a modal dialog nothing is hit.
    const isHit = question !== null || points.every(([x, y]) => pay.contains(hitAt(x, y)))
    const title = root.querySelector('.approval h3')!.getBoundingClientRect()
    const deny = root.querySelector('.deny')!.getBoundingClientRect()
    const isSeen = ({ top, bottom }: DOMRect) => top >= 0 && bottom <= innerHeight
    return { isInside, isApart, isHit, isTitleSeen: isSeen(title), isDenySeen: isSeen(deny) }
  })

const free = { isInside: true, isApart: true, isHit: true, isTitleSeen: true, isDenySeen: true }

async function ask(
  page: Page,
  site: string,
  serveModel: (script: ScriptItem[]) => Promise<{ url: string }>,
  { at, window: size, layout, dir }: Case,
  more: readonly ScriptItem[] = [],
): Promise<void> {
  const endpoint = await serveModel([click('Place order'), ...more])
  const place: { readonly html: string; readonly script?: string } = places[at]
  await openHeld(page, site, endpoint, {
    html: place.html,
    script: `document.documentElement.dir = '${dir}'; ${place.script ?? ''}`,
    options: { layout, open: true },
  })
  await page.setViewportSize(windows[size])
  if (at === 'dialog') await page.evaluate(() => void window.agent.send('Order'))
  else await send(page, 'Order')
  // In a low window the visitor must scroll before they can allow it.
  if (size === 'zoomed') await expect(page.locator('tool-agent-approval .approval')).toBeVisible()
  else await asked(page)
}

const isSample = ({ at, window, layout, dir }: Case): boolean =>
  [
    'end desktop floating ltr',
    'wide desktop floating ltr',
    'end desktop floating rtl',
    'end desktop sidebar ltr',
    'bottom phone floating ltr',
    'fixed phone floating ltr',
    'frame phone floating ltr',
    'wide zoomed floating ltr',
    'dialog desktop floating ltr',
    'bottom desktop inline ltr',
  ].includes(`${at} ${window} ${layout} ${dir}`)

for (const layout of ['floating', 'sidebar', 'inline'] as const)
  for (const window of Object.keys(windows) as (keyof typeof windows)[])
    for (const dir of ['ltr', 'rtl'] as const)
      for (const at of Object.keys(places) as (keyof typeof places)[]) {
        const one: Case = { at, window, layout, dir }
        // The page itself has put one above the other.
        if (layout === 'inline' && (at === 'start' || at === 'end')) continue
        test(
          `what is asked about is free: ${at}, ${window}, ${layout}, ${dir}`,
          { tag: isSample(one) ? [] : ['@long'] },
          async ({ page, site, serveModel }) => {
            await ask(page, site, serveModel, one)
            await expect.poll(() => measure(page)).toEqual(free)
          },
        )
      }

test('the ring has the level of the question, stays until the answer, and comes again after a reload', async ({
  page,
  site,
  serveModel,
}) => {
  await watchStage(page)
  await ask(page, site, serveModel, { at: 'end', window: 'desktop', layout: 'floating', dir: 'ltr' }, [
    { text: 'Done.' },
  ])
  const shown = async () => (await drawn(page)).map(({ name, level, text }) => [name, level, text])
  const all = [
    ['dim', undefined, undefined],
    ['ring', 'final', undefined],
    ['label', 'final', 'The assistant wants to press this'],
  ]
  await expect.poll(shown).toEqual(all)
  await page.reload()
  await asked(page)
  await expect.poll(shown).toEqual(all)
  const panel = page.locator('tool-agent section.panel')
  await expect(panel).toHaveAttribute('data-place', 'aside')
  await deny(page)
  await settled(page)
  await expect.poll(shown).toEqual([])
  await expect(card(page)).toHaveCount(0)
  // What was changed may be below it.
  await expect(panel).not.toHaveAttribute('data-place')
})

test('a question in a dialog of the page stays above what is drawn there while it is open', async ({
  page,
  site,
  serveModel,
}) => {
  await watchStage(page)
  // The label of a fill glides on for a second while the next call is asked about already.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const names = Array.from({ length: 12 }, (_, at) => `Guest ${at + 1}`)
  const fields = names.map((name) => `<label>${name} <input></label>`).join(' ')
  const values = Object.fromEntries(names.map((name) => [name, 'Ada']))
  const endpoint = await serveModel([fill(values), click('Place order'), { text: 'Done.' }])
  await openHeld(page, site, endpoint, {
    html: `${filler(20)}<dialog style="width: 320px">${fields}${order}</dialog>`,
    script: places.dialog.script,
    options: { layout: 'floating', open: true },
  })
  await page.evaluate(() => void window.agent.send('Order'))
  await expect(card(page)).toBeVisible()
  await expect
    .poll(async () => (await drawn(page)).filter(({ name }) => name === 'label').map(({ text }) => text))
    .toEqual(['The assistant wants to press this'])
  // The label is beside the control, not above it.
  const [label] = (await drawn(page)).filter(({ name }) => name === 'label')
  const pay = (await page.locator('#pay').boundingBox())!
  expect(label!.box.y >= pay.y + pay.height || label!.box.y + label!.box.height <= pay.y).toBe(true)
  // One that is covered cannot be answered.
  await asked(page)
  await deny(page)
  await settled(page)
})

test('a question ends the growth of the panel, which is measured as high as it will be', async ({
  page,
  site,
  serveModel,
}) => {
  const text = Array.from({ length: 20 }, (_, line) => `Line ${line}`).join('\n\n')
  const model = await serveModel([{ text }, click('Place order'), { text: 'Done.' }])
  await openHeld(page, site, model, { ...places.end, script: '', options: { layout: 'floating', open: true } })
  // The style sheet of the page sets a height.
  await page.addStyleTag({ content: 'tool-agent { --tool-agent-height: initial !important }' })
  const panel = page.locator('tool-agent section.panel')
  await panel.evaluate((section) => {
    section.animate = (frames, options) =>
      Element.prototype.animate.call(section, frames, { ...(options as object), duration: 600_000 })
  })
  const state = () =>
    panel.evaluate((section: HTMLElement) => ({
      isGrowing: section.getAnimations().some((one) => !(one instanceof CSSAnimation)),
      isHigh: section.offsetHeight > 600,
    }))
  await send(page, 'Tell me about it.')
  await expect.poll(state).toEqual({ isGrowing: true, isHigh: false })
  await settled(page)
  await send(page, 'Order it.')
  await asked(page)
  await expect.poll(state).toEqual({ isGrowing: false, isHigh: true })
  await deny(page)
  await settled(page)
})
