// The line below the field opens to what the assistant may do; the page is shown as it reads it, and the newest request
// as it was sent. Nothing of the page is changed for it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright/test'
import { fadesEnded } from '../../../support/page/axe.js'
import { expect, settled, test } from '../../../support/page/session-page.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

const line = (page: Page) => page.locator('tool-agent .trust')
const glass = (page: Page) => page.locator('tool-agent .glass')
const value = (page: Page, label: string) =>
  glass(page)
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
const show = (page: Page) => glass(page).getByRole('button', { name: 'Show on the page' })
/** What is drawn, without the marks of other features: kinds with how many there are. */
const kinds = async (page: Page): Promise<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const { name, text } of await drawn(page))
    if (/^(read|never|closed|tag)$/.test(name)) {
      const kind = name === 'tag' ? `“${text}”` : name
      found[kind] = (found[kind] ?? 0) + 1
    }
  return found
}

async function axe(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  await fadesEnded(page)
  return page.evaluate(async () => {
    const { axe } = window as never as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ fromShadowDom: ['tool-agent', '.panel'] } as never)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

const address = (site: string, endpoint: string): string =>
  `${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint)}`

/** A shop with a private field, a code in boxes, a part that is closed, and a frame; and a floating panel. */
async function ready(page: Page, attributes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await page.waitForFunction(() => ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.length > 10)
  await page.evaluate((set) => {
    const main = document.querySelector('main')!
    main.insertAdjacentHTML(
      'beforeend',
      `<section id="others" data-tool-agent-ignore><p>Order of Ada Lovelace</p></section>
       <section id="code"><p>Your card 4000 0566 5566 5556 is saved.</p><fieldset><legend>One-time code</legend>
         ${'<input maxlength="1" size="1" aria-label="Digit">'.repeat(4)}</fieldset></section>
       <iframe title="Inside" srcdoc="<p>Text in a frame</p><label>Password <input type=password></label>"></iframe>
       <div style="height: 1500px"></div><footer>Imprint</footer>`,
    )
    document.querySelector<HTMLInputElement>('[name=cardnumber]')!.value = '4000 0566 5566 5556'
    Object.assign(window, { events: [] as string[] })
    for (const type of ['input', 'change', 'focusin', 'keydown', 'click', 'scroll'])
      document.addEventListener(type, (event) => {
        if (event.target instanceof Element && event.target.localName === 'tool-agent') return
        ;(window as never as { events: string[] }).events.push(type)
      })
    Object.assign(document.querySelector('tool-agent')!, { layout: 'floating', open: true, ...set })
  }, attributes)
  await expect(page.frameLocator('iframe').getByText('Text in a frame')).toBeVisible()
}
const pageState = (page: Page) =>
  page.evaluate(() => [
    document.querySelector('main')!.outerHTML,
    document.documentElement.getAttributeNames(),
    [...document.querySelectorAll('input')].map(({ value: held }) => held),
    (window as never as { events: string[] }).events,
    scrollY,
  ])

test('a visitor sees what the assistant sees', async ({ page, site, serveModel }) => {
  await watchStage(page)
  const endpoint = await serveModel([
    { calls: [{ id: 'r', name: 'page_read', arguments: {} }] },
    { text: 'It is a shop.' },
    { text: 'Goodbye.' },
  ])
  const { origin } = new URL(endpoint.url)
  await page.goto(address(site, endpoint.url))
  await ready(page)

  await test.step('the line says what is registered, and after the first focus what is hidden', async () => {
    await expect(line(page)).toHaveText('Reads, fills, and presses · asks before it sends')
    await page.locator('tool-agent textarea').focus()
    await expect(line(page)).toHaveText('Reads, fills, and presses · asks before it sends · 6 fields hidden')
  })
  await page.keyboard.type('What is this?')
  await page.keyboard.press('Enter')
  await settled(page)
  await page.evaluate(() => {
    scrollTo(0, 0)
    ;(window as never as { events: string[] }).events.splice(0)
  })
  const before = await pageState(page)

  await test.step('it opens by keyboard, and says what holds', async () => {
    await line(page).press('Enter')
    await expect(glass(page)).toBeFocused()
    await expect(line(page)).toHaveAttribute('aria-expanded', 'true')
    await expect(value(page, 'Never sees')).toContainText('Card number')
    await expect(value(page, 'Never sees')).toContainText('1 closed part')
    await expect(value(page, 'Your text goes to')).toContainText(new URL(origin).host)
    expect(await axe(page)).toEqual([])
  })
  await test.step('the page is shown as it is read', async () => {
    await show(page).press('Enter')
    await expect(show(page)).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(async () => (await kinds(page))['never']).toBe(6)
    expect(await kinds(page)).toMatchObject({
      '“never read”': 3,
      '“closed to the assistant”': 1,
      '“read and filled in”': 1,
      closed: 1,
    })
    await expect(glass(page).locator('.found')).toContainText('Fields never read: 6. Closed parts: 1.')
    const hatch = (await drawn(page)).find(({ name }) => name === 'never')!
    const field = (await page.locator('[name=cardnumber]').boundingBox())!
    expect(Math.abs(hatch.box.x - field.x) + Math.abs(hatch.box.width - field.width)).toBeLessThan(1)
    const framed = (await page.frameLocator('iframe').locator('[type=password]').boundingBox())!
    expect((await drawn(page)).some(({ name, box }) => name === 'never' && Math.abs(box.y - framed.y) < 1)).toBe(true)
    expect(await axe(page)).toEqual([])
    expect(await pageState(page)).toEqual(before)
  })
  await test.step('it follows what scrolls, and what changes', async () => {
    const closed = async () => (await drawn(page)).find(({ name }) => name === 'closed')?.box.y ?? NaN
    const top = await closed()
    await page.evaluate(() => scrollTo({ top: 60, behavior: 'instant' }))
    await expect.poll(closed).toBeCloseTo(top - 60, 0)
    await page.evaluate(() => {
      document.querySelector('#others')!.removeAttribute('data-tool-agent-ignore')
      document.querySelector('#others')!.insertAdjacentHTML('afterbegin', '<label>PIN <input name="pin"></label>')
    })
    await expect.poll(async () => (await kinds(page))['closed']).toBeUndefined()
    await expect.poll(async () => (await kinds(page))['never']).toBe(7)
    await expect(line(page)).toContainText('7 fields hidden')
  })
  await test.step('Escape ends it, and only it', async () => {
    await page.keyboard.press('Escape')
    await expect.poll(() => kinds(page)).toEqual({})
    await expect(show(page)).toBeFocused()
    await expect(show(page)).toHaveAttribute('aria-pressed', 'false')
  })
  await test.step('writing ends it, on the page and in the field', async () => {
    for (const field of [page.locator('main [name=name]'), page.locator('tool-agent textarea')]) {
      await show(page).click()
      await expect.poll(async () => (await kinds(page))['never']).toBe(7)
      await field.focus()
      expect((await kinds(page))['never']).toBe(7)
      await page.keyboard.type('a')
      await expect.poll(() => kinds(page)).toEqual({})
    }
  })
  await test.step('the newest request is there as it was sent', async () => {
    await glass(page).getByRole('button', { name: 'See the last request' }).press('Enter')
    const text = await glass(page).locator('.request').innerText()
    const { messages } = endpoint.requests.at(-1)!.body as { messages: { role: string; content: unknown }[] }
    const sent = messages.filter(({ role }) => role !== 'system').flatMap(({ content }) => content ?? [])
    expect(sent.length).toBeGreaterThan(1)
    for (const one of sent) {
      const words = typeof one === 'string' ? one : (one as { text: string }).text
      for (const part of words.split('\n')) expect(text).toContain(part.trim())
    }
    expect(text).toContain('[private]')
    expect(text).not.toMatch(/0566|Ada Lovelace/)
    expect(await axe(page)).toEqual([])
  })
  await test.step('Escape closes it, a message too', async () => {
    await page.keyboard.press('Escape')
    await expect(glass(page)).toHaveCount(0)
    await expect(line(page)).toBeFocused()
    await line(page).press('Enter')
    await expect(glass(page)).toBeVisible()
    await page.locator('tool-agent textarea').press('Enter')
    await expect(glass(page)).toHaveCount(0)
    await expect(page.locator('tool-agent').getByText('Goodbye.', { exact: true })).toBeVisible()
  })
})

test('on a phone the panel is a line while the page is shown', async ({ page, site, serveModel }) => {
  await watchStage(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const endpoint = await serveModel([])
  await page.goto(address(site, endpoint.url))
  await ready(page)
  await line(page).click()
  await show(page).click()
  const bar = page.locator('tool-agent .glass-bar')
  await expect(bar.getByRole('button', { name: 'Done' })).toBeFocused()
  const panel = page.locator('tool-agent .panel')
  expect((await panel.boundingBox())!.height).toBeLessThan(90)
  await expect(panel).not.toHaveAttribute('aria-modal')
  expect(await axe(page)).toEqual([])
  await bar.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(show(page)).toBeFocused()
  await expect.poll(async () => Math.round((await panel.boundingBox())!.height)).toBe(844)
  await expect.poll(() => kinds(page)).toEqual({})
  await show(page).click()
  await expect.poll(async () => Object.keys(await kinds(page)).length).toBeGreaterThan(3)
  await page.evaluate(() => {
    Object.assign(document.querySelector('tool-agent')!, { open: false })
  })
  await expect.poll(() => kinds(page)).toEqual({})
})

test('the line is as wide as the panel before it wraps, with its icons at the text', async ({
  page,
  site,
  serveModel,
}) => {
  await page.goto(address(site, (await serveModel([])).url))
  await ready(page)
  await page.locator('tool-agent textarea').focus()
  await expect(line(page)).toContainText('6 fields hidden')
  for (const language of ['en', 'de', 'ar'])
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate((lang) => {
        Object.assign(document.documentElement, { lang, dir: lang === 'ar' ? 'rtl' : 'ltr' })
      }, language)
      await page.locator(`tool-agent .root[lang=${language}]`).waitFor({ state: 'attached' })
      const found = await line(page).evaluate((button) => {
        const range = document.createRange()
        range.selectNodeContents(button.querySelector('span')!)
        const texts = [...range.getClientRects()]
        const icons = [...button.querySelectorAll('.icon')].map((icon) => icon.getBoundingClientRect())
        const rows = [...new Set(texts.map(({ top }) => Math.round(top)))].map((row) => {
          const inRow = [...texts, ...icons].filter(({ top, bottom }) => top - 2 < row + 4 && row + 4 < bottom + 2)
          const sorted = inRow.sort((one, other) => one.left - other.left)
          return {
            gap: Math.max(0, ...sorted.slice(1).map(({ left }, index) => left - sorted[index]!.right)),
            width: sorted.at(-1)!.right - sorted[0]!.left,
          }
        })
        return { rows, room: button.parentElement!.clientWidth }
      })
      const where = `${language}, ${width}`
      expect(Math.max(...found.rows.map(({ gap }) => gap)), where).toBeLessThan(8)
      for (const row of found.rows.slice(0, -1)) expect(row.width, where).toBeGreaterThan(found.room * 0.7)
    }
})

test('the page says what is not shown', async ({ page, site, serveModel }) => {
  await watchStage(page)
  const endpoint = await serveModel([])
  await page.goto(address(site, endpoint.url))
  await ready(page, { stage: 'off' })
  await line(page).click()
  await expect(value(page, 'Never sees')).toContainText('Card number')
  await expect(show(page)).toHaveCount(0)
  // Tools that fill alone do not read the page, so nothing is outlined as read.
  await page.evaluate(() => {
    Object.assign(document.querySelector('tool-agent')!, { stage: 'auto', pageTools: 'fill' })
  })
  await expect(value(page, 'Sees')).toContainText('the fields that it fills')
  await expect(show(page)).toHaveCount(0)
  await page.evaluate(() => {
    Object.assign(document.querySelector('tool-agent')!, { pageTools: 'read fill' })
  })
  await expect(show(page)).toBeVisible()
  await page.evaluate(() => {
    Object.assign(document.querySelector('tool-agent')!, { trust: 'off' })
  })
  await expect(line(page)).toHaveCount(0)
  await page.evaluate(() => {
    Object.assign(document.querySelector('tool-agent')!, { trust: 'line', pageTools: '' })
  })
  await expect(line(page)).toHaveCount(0)
})

test('a request is shown with its conversation alone', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'Hello.' }])
  await page.goto(address(site, endpoint.url))
  await ready(page)
  await page.evaluate(() => window.agent.send('Hi'))
  await settled(page)
  await line(page).click()
  await glass(page).getByRole('button', { name: 'See the last request' }).click()
  await expect(glass(page).locator('.request')).toContainText('Hi')
  await page.evaluate(() => window.agent.sessions.create())
  await expect(glass(page)).toBeVisible()
  await expect(glass(page).locator('.request')).toHaveCount(0)
})

/** Controls of a page that a text of the layer lies over, other than the field that the text is in. */
const coveredControls = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const { stageRoot } = window as unknown as { stageRoot: ShadowRoot }
    const boxOf = (one: Element) => one.getBoundingClientRect()
    const meets = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5
    const tags = [...stageRoot.querySelectorAll<HTMLElement>('.tag')].filter(
      (tag) => tag.textContent && tag.checkVisibility({ visibilityProperty: true }),
    )
    return tags.flatMap((tag) =>
      [...document.querySelectorAll('main :is(input, button, [data-pressed])')]
        .filter((control) => !(control.matches('[type=password]') && meets(boxOf(control), boxOf(tag))))
        .filter((control) => meets(boxOf(control), boxOf(tag)))
        .map((control) => `${tag.textContent} over ${control.textContent || control.getAttribute('name')}`),
    )
  })

const shownTexts = (page: Page) =>
  page.evaluate(() => {
    const { stageRoot } = window as unknown as { stageRoot: ShadowRoot }
    const tags = [...stageRoot.querySelectorAll('.tag')]
    return tags
      .filter((tag) => tag.checkVisibility({ visibilityProperty: true }))
      .map(({ textContent }) => textContent)
      .filter(Boolean)
      .sort()
  })

for (const [width, direction] of [
  [1280, 'ltr'],
  [390, 'ltr'],
  [390, 'rtl'],
] as const)
  test(`no text of it lies over a control: ${width} ${direction}`, async ({ page, site, serveModel }) => {
    await watchStage(page)
    await page.setViewportSize({ width, height: 844 })
    const endpoint = await serveModel([])
    await page.goto(address(site, endpoint.url))
    await ready(page)
    await page.evaluate((dir) => {
      document.documentElement.dir = dir
      // Boxes that only look like controls, close to one another, in a language that no list of words has.
      const pressed = (text: string) => `<div data-pressed style="cursor: pointer; padding: 4px 10px">${text}</div>`
      document.querySelector('main')!.innerHTML = `<style>main div { box-sizing: border-box }</style>
        <div style="display: flex">${['მთავარი', 'კალათა', 'შესვლა'].map(pressed).join('')}</div>
        <div style="border: 1px solid; padding: 0 4px 4px">
          <div style="display: flex; justify-content: space-between">${pressed('უკან')}${pressed('წინ')}</div>
          <p>მიწოდება</p><input name=street><br>
          <div style="position: relative; inline-size: 300px"><input type=password name=pin style="inline-size: 100%">
            <div data-pressed style="cursor: pointer; position: absolute; inset-block: 0; inset-inline-end: 0">ჩვენება</div>
          </div></div>
        <div data-tool-agent-ignore style="display: flex"><button>გაუქმება</button><p>დახურული</p></div>
        <div style="display: flex"><input type=password name=code style="inline-size: 40px"><button>კოდი</button></div>
        <button>გაგზავნა</button>`
    }, direction)
    await line(page).click()
    await show(page).click()
    await expect.poll(async () => (await kinds(page))['never']).toBe(2)
    await expect.poll(() => coveredControls(page)).toEqual([])
    // Around the field of the code everything is a control.
    expect((await shownTexts(page)).filter((text) => text !== 'read')).toEqual([
      'closed to the assistant',
      'never read',
      'read and filled in',
    ])
  })
