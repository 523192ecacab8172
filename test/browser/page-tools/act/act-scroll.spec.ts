// page_scroll: which box it scrolls, what it reports, and the search for a text that is loaded on the way.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Scrolled {
  scrolled: string
  end: string | null
  percent: number
  found?: boolean
  changed: boolean
  changes: string
  visible: string
  error?: string
  message?: string
}
const scroll = (page: Page, input: object): Promise<Scrolled> => call(page, 'page_scroll', input)
const wordsFor = (page: Page, output: Scrolled): Promise<string> =>
  page.evaluate((output) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { toModelOutput(result: object): string }>
    }
    return pageTools.get('page_scroll')?.toModelOutput({ output }) ?? ''
  }, output)
const topOf = (page: Page, id: string): Promise<number> => page.locator(`#${id}`).evaluate((box) => box.scrollTop)

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-scroll.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

test('never asks, and claims nothing that it does not do', async ({ page }) => {
  const tool = await page.evaluate(() => {
    const { pageTools } = window as unknown as { pageTools: Map<string, Record<string | symbol, unknown>> }
    const found = pageTools.get('page_scroll')
    return {
      annotations: found?.['annotations'],
      exclusive: found?.['exclusive'],
      foresees: found?.[Symbol.for('tool-agent.internals')] !== undefined,
    }
  })
  expect(tool).toEqual({ annotations: { untrustedContentHint: true }, exclusive: true, foresees: false })
})

test('scrolls the page by a screen and to its ends, and says what is visible', async ({ page }) => {
  const first = await scroll(page, { to: 'down' })
  expect(first).toMatchObject({ scrolled: 'the page', end: null })
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300)
  expect(first.visible).not.toContain('heading "Scrolling"')
  const last = await scroll(page, { to: 'bottom' })
  expect(last).toMatchObject({ end: 'bottom', percent: 100 })
  expect(last.visible).toContain('The very end')
  expect(last.visible).not.toContain('Half way')
  expect(await scroll(page, { to: 'up' })).toMatchObject({ end: null })
  const back = await scroll(page, { to: 'top' })
  expect(back).toMatchObject({ end: 'top', percent: 0, visible: expect.stringContaining('heading "Scrolling"') })
  expect(await wordsFor(page, back)).toMatch(/^Scrolled the page\. The top is reached\.\nvisible now:\n/)
})

test('a frame as the target scrolls its own page, not that around it', async ({ page }) => {
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.title = 'News'
    document.body.prepend(frame)
    const inside = frame.contentDocument as Document
    inside.body.innerHTML = '<p>First</p><p style="margin-top:3000px">Last of the news</p>'
  })
  const ref = /iframe "News" \[ref=(e\d+)\]/.exec(await call<string>(page, 'page_read'))?.[1]
  const answer = await scroll(page, { target: ref, to: 'bottom' })
  expect(answer).toMatchObject({ scrolled: 'the page in iframe "News"', end: 'bottom' })
  expect(answer.visible).toContain('Last of the news')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect(await page.evaluate(() => document.querySelector('iframe')?.contentWindow?.scrollY)).toBeGreaterThan(2000)
})

test('scrolls terms to the end, which enables the button', async ({ page }) => {
  const down = await scroll(page, { target: 'Terms', to: 'down' })
  expect(down).toMatchObject({ scrolled: 'region "Terms"', end: null, changed: false })
  expect(await page.locator('#agree').isDisabled()).toBe(true)
  const answer = await scroll(page, { target: 'Terms', to: 'bottom' })
  expect(answer).toMatchObject({ end: 'bottom', changed: true })
  expect(answer.visible).toContain('Clause 40')
  expect(answer.visible).not.toContain('Clause 2\n')
  expect(answer.changes).toMatch(/button "Agree" \[ref=e\d+\]$/m)
  expect(await page.locator('#agree').isEnabled()).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('scrolls the box around a target, and the box in an open dialog', async ({ page }) => {
  const { matches } = await call<{ matches: { ref: string }[] }>(page, 'dom_query', { selector: '#feed p' })
  expect(await scroll(page, { target: matches[0]?.ref })).toMatchObject({ scrolled: expect.stringContaining('Feed') })
  expect(await topOf(page, 'feed')).toBeGreaterThan(0)
  expect(await scroll(page, { target: 'Deep button' })).toMatchObject({ scrolled: 'the page' })
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#dialog')?.showModal())
  expect(await scroll(page, { to: 'bottom' })).toMatchObject({ scrolled: 'the box in dialog "Rules"', end: 'bottom' })
  expect(await topOf(page, 'rules')).toBeGreaterThan(0)
})

test('a target that does not exist is an error that lists what the page has', async ({ page }) => {
  expect(await scroll(page, { target: 'No such box' })).toMatchObject({
    error: 'invalid-input',
    message: expect.stringMatching(/"No such box".*The page has:.*heading "Scrolling"/s),
  })
})

test('a reversed list has its top above', async ({ page }) => {
  const target = 'Chat'
  expect(await scroll(page, { target, to: 'up' })).toMatchObject({ end: null })
  expect(await topOf(page, 'chat')).toBeLessThan(0)
  expect(await scroll(page, { target, to: 'top' })).toMatchObject({ end: 'top', percent: 0 })
  expect(await scroll(page, { target, to: 'bottom' })).toMatchObject({ end: 'bottom', percent: 100 })
})

test('finds a text that is loaded on the way', async ({ page }) => {
  const answer = await scroll(page, { target: 'Feed', text: 'Row 43' })
  expect(answer).toMatchObject({ found: true, visible: expect.stringContaining('Row 43') })
  expect(await page.locator('#feed').evaluate((box) => box.childElementCount)).toBeGreaterThanOrEqual(43)
  expect(await wordsFor(page, answer)).toContain('The text was found and is visible.')
  // Text that is further up is shown without a search.
  expect(await scroll(page, { target: 'Feed', text: 'row 3 ' })).toMatchObject({ found: true })
})

test('ends the search at the end of the list, and says so', async ({ page }) => {
  await page.evaluate(() => Object.assign(window, { most: 30 }))
  const answer = await scroll(page, { target: 'Feed', text: 'No such row' })
  expect(answer).toMatchObject({ found: false, end: 'bottom' })
  expect(answer.visible).toContain('Row 30')
  expect(await wordsFor(page, answer)).toMatch(/The text was not found, and the search has reached the end\. Check/)
})

test('ends the search on a page that scrolls back by itself', async ({ page }) => {
  await page.evaluate(() => {
    addEventListener('scroll', () => {
      scrollTo(0, 0)
    })
  })
  const answer = await scroll(page, { target: 'main', text: 'No such text' })
  expect(answer).toMatchObject({ found: false, scrolled: 'the page' })
  expect(answer).not.toHaveProperty('stopped')
})

test('a private value cannot be found by guessing', { tag: '@S17' }, async ({ page }) => {
  await page.locator('#secret').fill('CANARY-secret-1')
  await page.evaluate(() => {
    document.querySelector('#echo p')!.textContent = 'You typed CANARY-secret-1'
  })
  const answers = [
    await scroll(page, { target: 'Echo', text: 'CANARY-secret-1' }),
    await scroll(page, { target: 'Echo', text: 'CANARY' }),
    await scroll(page, { target: 'Echo', text: 'private' }),
    await scroll(page, { target: 'Echo', to: 'top' }),
  ]
  for (const answer of answers.slice(0, 3)) expect(answer).toMatchObject({ found: false })
  expect(answers[3]?.visible).toContain('You typed [private]')
  expect(JSON.stringify(answers)).not.toContain('CANARY')
})

test('stop ends a search', { tag: '@S35' }, async ({ page }) => {
  const ended = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }>
    }
    Object.assign(window, { most: Infinity })
    const stop = new AbortController()
    const run = { signal: stop.signal, sessionId: 'session', toolCallId: 'call', messages: [], shared: new Map() }
    const moved = new Promise((resolve) => {
      document.querySelector('#feed')!.addEventListener('scroll', resolve, { once: true })
    })
    const ended = pageTools
      .get('page_scroll')!
      .execute({ target: 'Feed', text: 'No such row' }, run)
      .then(
        () => 'done',
        (thrown: Error) => thrown.name,
      )
    await moved
    stop.abort()
    return ended
  })
  expect(ended).toBe('AbortError')
})

/** A page whose sections move by a handler of the wheel, as in presentations. */
const slides = `<style>html, body { margin: 0; height: 100%; overflow: hidden } #deck { transition: transform 0.1s }
  section { height: 100vh }</style><div id="deck"><section>First slide</section><section>Second slide</section>
  <section>Third slide <button>Order</button></section></div>`
const withWheel = (view: Window): void => {
  let at = 0
  view.addEventListener('wheel', (event) => {
    at = Math.min(2, Math.max(0, at + Math.sign(event.deltaY)))
    view.document.getElementById('deck')!.style.transform = `translateY(-${at * 100}vh)`
  })
}

test('turns the wheel on a page that moves its contents by a handler of its own', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(`document.body.innerHTML = ${JSON.stringify(slides)}; (${withWheel})(window)`)
  const down = await scroll(page, {})
  expect(down.visible).toContain('Second slide')
  expect(down.visible).not.toContain('First slide')
  expect(await wordsFor(page, down)).toContain('It moves with the wheel of the mouse')
  expect((await scroll(page, { to: 'bottom' })).visible).toContain('Third slide')
  expect((await scroll(page, { to: 'up' })).visible).toContain('Second slide')
  expect(await scroll(page, { to: 'top' })).toMatchObject({ visible: expect.stringContaining('First slide') })
  expect(await scroll(page, { text: 'Third slide' })).toMatchObject({ found: true })
})

test('a page with nothing to scroll and no handler says so', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(() => (document.body.textContent = 'Short'))
  const answer = await scroll(page, {})
  expect(answer).toMatchObject({ end: 'both', changed: false })
  expect(answer).not.toHaveProperty('byWheel')
})

test('turns the wheel in a frame, and scrolls the page of a frame for what is in it', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(
    `document.body.innerHTML = '<div style="height: 300px; overflow: auto"><iframe id="deck-frame" title="Deck" width="400" height="200"></iframe><iframe id="news-frame" title="News" width="400" height="200"></iframe><p style="height: 900px">Around</p></div>';
     document.querySelector('#deck-frame').contentDocument.body.innerHTML = ${JSON.stringify(slides)};
     document.querySelector('#news-frame').contentDocument.body.innerHTML = '<button>First news</button><p style="margin-top: 3000px">Last news</p>';
     (${withWheel})(document.querySelector('#deck-frame').contentWindow)`,
  )
  const outline = await call<string>(page, 'page_read')
  const deck = /iframe "Deck" \[ref=(e\d+)\]/.exec(outline)?.[1]
  expect(await scroll(page, { target: deck })).toMatchObject({
    scrolled: 'the page in iframe "Deck"',
    visible: expect.stringContaining('Second slide'),
  })
  expect(await scroll(page, { target: 'First news', to: 'bottom' })).toMatchObject({
    scrolled: 'the page in iframe "News"',
    visible: expect.stringContaining('Last news'),
  })
  expect(await page.evaluate(() => document.querySelector('div')!.scrollTop)).toBe(0)
})

test('scrolls the page of the frame that fills a page', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(() => {
    document.body.innerHTML = '<iframe title="App" style="width: 90vw; height: 80vh"></iframe>'
    document.querySelector('iframe')!.contentDocument!.body.innerHTML =
      '<p>Start</p><p style="margin-top: 3000px">The end of it</p>'
  })
  expect(await scroll(page, { to: 'bottom' })).toMatchObject({
    scrolled: 'the page in iframe "App"',
    end: 'bottom',
    visible: expect.stringContaining('The end of it'),
  })
})

test('scrolls from side to side, and says which side is reached', async ({ page }) => {
  await page.evaluate(() => {
    const steps = Array.from(
      { length: 60 },
      (_, at) => `<div style="width:50px;flex:none">${60 - at} boxes to go</div>`,
    )
    const box = (direction: string): string =>
      `<div role="region" aria-label="Steps ${direction}" dir="${direction}" style="width:300px;overflow-x:auto">
         <div style="display:flex;width:3000px">${steps.join('')}</div></div>`
    document.body.innerHTML = `${box('ltr')}${box('rtl')}<p>Below</p>`
  })
  const first = await scroll(page, { to: 'right', target: 'Steps ltr' })
  expect(first).toMatchObject({ scrolled: 'region "Steps ltr"', end: null, percent: 10 })
  expect(first.visible).toContain('text: 52 boxes to go')
  expect(first.visible).not.toMatch(/text: (60|1) boxes/)
  expect(await scroll(page, { to: 'left', target: 'Steps ltr' })).toMatchObject({ end: 'left', percent: 0 })
  // A number is no part of another one, and what is beside the box is not in view.
  const found = await scroll(page, { text: '1 boxes to go', target: 'Steps ltr' })
  expect(found).toMatchObject({ scrolled: 'region "Steps ltr"', end: 'right', found: true })
  expect(found.visible).toContain('text: 1 boxes to go')
  expect(found.visible).not.toContain('text: 41 boxes to go')
  expect(await wordsFor(page, found)).toMatch(/^Scrolled region "Steps ltr"\. The right end is reached\./)
  expect(await scroll(page, { to: 'left', text: '41 boxes', target: 'Steps ltr' })).toMatchObject({
    found: true,
    end: null,
  })
  expect(await scroll(page, { to: 'left', target: 'Steps rtl' })).toMatchObject({ end: null, percent: 90 })
  const none = await scroll(page, { to: 'right', target: 'Below' })
  expect(await wordsFor(page, none)).toContain('left and right are visible')
})
