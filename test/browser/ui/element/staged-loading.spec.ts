// When an element connects: with a session to open, when it is used, and not before.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/site.js'

/** Opens the page with these elements. */
async function open(page: Page, site: string, ...elements: string[]): Promise<void> {
  if (!page.url().startsWith(site)) await page.goto(`${site}/test/pages/panel/element.html`)
  else await page.reload()
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await append(page, ...elements)
}

/** Adds elements to the page. Their models answer each message with its number. */
async function append(page: Page, ...elements: string[]): Promise<void> {
  await page.evaluate(async (markup) => {
    await window.load()
    for (const attributes of markup) {
      const fragment = document.createRange().createContextualFragment(`<tool-agent ${attributes}></tool-agent>`)
      const element = fragment.firstElementChild as HTMLElementTagNameMap['tool-agent']
      element.modelAdapter = window.model(window.says('one'), window.says('two'))
      document.body.append(fragment)
    }
  }, elements)
}

const states = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('tool-agent')].map(({ status, agent, messages }) => [
      status,
      agent.host,
      messages.length,
    ]),
  )
const ready = ['ready', undefined, 0]
const talked = ['idle', 'worker', 2]
const launcher = (page: Page) => page.getByRole('button', { name: 'Open the assistant' })
const field = (page: Page) => page.locator('tool-agent textarea').last()
const sendIn = (page: Page, place: number) =>
  page.evaluate((at) => [...document.querySelectorAll('tool-agent')][at]!.send('Hi'), place)

test('a panel that nobody uses greets without a session, and connects when its text field gets the focus', async ({
  page,
  site,
}) => {
  await open(page, site, '')
  await expect(page.getByText('How can I help?')).toBeVisible()
  expect(await states(page)).toEqual([ready])
  await field(page).focus()
  await expect.poll(() => states(page)).toEqual([['idle', 'worker', 0]])
})

test('a closed panel has only its button; opening it moves the focus to the text field and connects', async ({
  page,
  site,
}) => {
  await open(page, site, 'layout="floating"')
  await expect(launcher(page)).toBeVisible()
  expect(await page.locator('tool-agent section').count()).toBe(0)
  expect(await states(page)).toEqual([ready])
  await launcher(page).click()
  await expect(field(page)).toBeFocused()
  await expect(launcher(page)).toHaveCount(0)
  await expect.poll(() => states(page)).toEqual([['idle', 'worker', 0]])
  await page.keyboard.press('Escape')
  await expect(launcher(page)).toBeFocused()
})

test('a closed panel makes the browser compute no style in the task that adds it, and is drawn in another', async ({
  page,
  site,
}) => {
  await open(page, site)
  const counted = await page.evaluate(async () => {
    const asked: string[] = []
    const watch = (owner: object, name: string) => {
      const scope = owner as Record<string, (...args: unknown[]) => unknown>
      const real = scope[name]!
      scope[name] = function (...args) {
        asked.push(name)
        return real.apply(this, args)
      }
    }
    watch(window, 'getComputedStyle')
    watch(HTMLElement.prototype, 'togglePopover')
    const endOfTask = async () => {
      for (let turn = 0; turn < 100; turn++) await Promise.resolve()
    }
    const element = document.createElement('tool-agent')
    element.setAttribute('layout', 'floating')
    element.setAttribute('accent', '#c00')
    document.body.append(element)
    await endOfTask()
    const atOnce = asked.splice(0)
    while (!element.shadowRoot!.querySelector(':popover-open')) await new Promise((resolve) => setTimeout(resolve))
    const later = [...new Set(asked.splice(0))].sort()
    // A frame without the button would be seen.
    document.querySelector('main, body')!.prepend(element)
    await endOfTask()
    const isBack = element.shadowRoot!.querySelector(':popover-open') !== null
    return { atOnce, later, isBack }
  })
  expect(counted).toEqual({ atOnce: [], later: ['getComputedStyle', 'togglePopover'], isBack: true })
})

test('the button is in the language of the page, and follows it', async ({ page, site }) => {
  await open(page, site, 'layout="sidebar" lang="de-AT"')
  await expect(page.getByRole('button', { name: 'Assistenten öffnen' })).toBeVisible()
  await page.evaluate(() => {
    document.querySelector('tool-agent')!.lang = 'en'
  })
  await expect(launcher(page)).toBeVisible()
  const setLanguage = (lang: string) =>
    page.evaluate((tag) => {
      document.querySelector('tool-agent')!.lang = tag
    }, lang)
  await setLanguage('zh-Hans-CN')
  await expect(page.getByRole('button', { name: '打开助手' })).toBeVisible()
  // The Chinese texts are simplified.
  await setLanguage('zh-Hant-TW')
  await expect(launcher(page)).toBeVisible()
})

test('each element finds the conversation of its own place, also if the others never connected', async ({
  page,
  site,
}) => {
  await open(page, site, '', '', '')
  await sendIn(page, 1)
  expect(await states(page)).toEqual([ready, talked, ready])
  await open(page, site, '', '', '')
  await expect.poll(() => states(page)).toEqual([ready, talked, ready])
  // The panel of the conversation shows it.
  await expect(page.locator('tool-agent article')).toHaveText([/Hi/, /one/])
})

test('a closed panel opens the conversation of the tab, and `session-id` names one to open', async ({ page, site }) => {
  await open(page, site, 'layout="floating"', 'session-id="named"')
  await expect.poll(() => states(page)).toEqual([ready, ['idle', 'worker', 0]])
  await sendIn(page, 0)
  await expect(page.locator('tool-agent section.panel').first()).toBeAttached()
  await open(page, site, 'layout="floating"', '')
  await expect.poll(async () => (await states(page))[0]).toEqual(talked)
  await page.evaluate(() => {
    document.querySelectorAll('tool-agent')[1]!.sessionId = 'later'
  })
  await expect.poll(() => page.evaluate(() => document.querySelectorAll('tool-agent')[1]!.session?.id)).toBe('later')
})

test('connect() and the methods of the element connect at once', async ({ page, site }) => {
  await open(page, site, '', '', 'layout="floating"')
  const ids = await page.evaluate(async () => {
    const [one, two, three] = [...document.querySelectorAll('tool-agent')]
    const status = one!.status
    await one!.agent.connect()
    await two!.sessions.list()
    three!.agent.remember('city', 'Ulm')
    return [status, one!.session !== undefined, two!.session !== undefined]
  })
  expect(ids).toEqual(['ready', true, true])
  await expect
    .poll(() => page.evaluate(() => document.querySelectorAll('tool-agent')[2]!.session?.context))
    .toEqual({ city: 'Ulm' })
})

test('stop and close before the first connection end a send that waits for it', async ({ page, site }) => {
  await open(page, site, '', '')
  const codes = await page.evaluate(async () => {
    const [one, two] = [...document.querySelectorAll('tool-agent')]
    const sent = [one, two].map((element) =>
      element!.send('Hi').then(
        () => 'sent',
        ({ code }: { code: string }) => code,
      ),
    )
    one!.stop()
    await two!.agent.close()
    return Promise.all(sent)
  })
  expect(codes).toEqual(['cancelled', 'closed'])
})

test('a resting agent gives its place to the element that replaces it', async ({ page, site }) => {
  await open(page, site, '', '')
  await sendIn(page, 1)
  await page.evaluate(() => {
    const [, old] = [...document.querySelectorAll('tool-agent')]
    const next = old!.cloneNode() as HTMLElementTagNameMap['tool-agent']
    next.modelAdapter = window.model()
    old!.replaceWith(next)
  })
  await expect.poll(() => states(page)).toEqual([ready, talked])
})

test('launcher and header show the icon of the site, or that of the author', async ({ page, site, browserName }) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
  const asked: string[] = []
  await page.route('**/icons/**', (route) => {
    asked.push(new URL(route.request().url()).pathname)
    if (route.request().url().includes('missing')) return route.fulfill({ status: 404 })
    return route.fulfill({ contentType: 'image/svg+xml', body: svg })
  })
  const image = page.locator('tool-agent .launcher img')
  const path = (one: HTMLImageElement) => new URL(one.src).pathname
  const openWith = async (links: string, attributes = '') => {
    await page.goto(`${site}/test/pages/panel/element.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate((html) => {
      document.head.insertAdjacentHTML('beforeend', html)
    }, links)
    await append(page, `layout="floating" ${attributes}`)
    await expect(launcher(page)).toBeVisible()
  }
  /** Whatever was requested before has arrived. */
  const settle = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const last = new Image()
          last.onload = () => requestAnimationFrame(resolve)
          last.src = '/icons/last.svg'
        }),
    )
  await test.step('an SVG counts more than a PNG, and a sharp PNG more than a small one', async () => {
    const pngs =
      '<link rel="icon" sizes="16x16" href="/icons/16.png"><link rel="ICON" sizes="48x48" href="/icons/48.png">'
    await openWith(`${pngs}<link rel="shortcut icon" href="/icons/old.ico">`)
    expect(await image.evaluate(path)).toBe('/icons/48.png')
    await openWith(`<link rel="icon" media="print" href="/icons/print.svg">${pngs}
      <link rel="shortcut icon" type="image/svg+xml" href="/icons/mark">`)
    expect(await image.evaluate(path)).toBe('/icons/mark')
    await launcher(page).click()
    expect(await page.locator('tool-agent .mark img').evaluate(path)).toBe('/icons/mark')
  })
  await test.step('none that is small, of another site, or cannot be loaded', async () => {
    asked.length = 0
    await openWith(`<link rel="icon" sizes="16x16" href="/icons/16.png"><link rel="icon" href="/icons/old.ico">
      <link rel="icon" href="https://cdn.example/icons/foreign.svg"><link rel="icon" href="data:image/svg+xml,x">
      <link rel="icon" href="/icons/missing.png">`)
    await settle()
    // Firefox itself asks for an icon.
    const own = browserName === 'firefox' ? asked.filter((path) => path !== '/icons/foreign.svg') : asked
    expect(own).toEqual(['/icons/missing.png', '/icons/last.svg'])
    await expect(image).toHaveCount(0)
    await expect(page.locator('tool-agent .launcher svg')).toBeVisible()
    await launcher(page).click()
    await expect(page.locator('tool-agent .mark')).toHaveText('A')
  })
  await test.step('the author decides', async () => {
    const link = '<link rel="icon" href="/icons/site.svg">'
    await openWith(link, 'icon="/icons/mine.svg"')
    expect(await image.evaluate(path)).toBe('/icons/mine.svg')
    await page.locator('tool-agent').evaluate((element) => element.removeAttribute('icon'))
    await expect.poll(() => image.evaluate(path)).toBe('/icons/site.svg')
    await page.locator('tool-agent').evaluate((element) => Object.assign(element, { icon: '' }))
    await expect(image).toHaveCount(0)
    await expect(page.locator('tool-agent .launcher svg')).toBeVisible()
    await openWith(link, 'icon=""')
    await settle()
    await expect(image).toHaveCount(0)
    await launcher(page).click()
    await expect(page.locator('tool-agent .mark')).toHaveText('A')
  })
})
