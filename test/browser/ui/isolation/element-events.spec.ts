// Events of the panel stay in the panel: keys that the visitor types run no shortcut of the page, and its listeners hear
// no press. With the real keyboard and pointer. What the page owns, such as content of a slot, stays the page's.
import type { Page } from 'playwright/test'
import { expect, question, test, user, assistant, call, type PanelPage } from '../../../support/page/panel.js'
import { press } from '../../../support/page/visitor.js'

declare global {
  interface Window {
    /** What listeners of the page have heard, as `type target`. */
    pageHeard: string[]
  }
}

const types = [
  'pointerdown pointermove pointerup pointerover pointerout mousedown mousemove mouseup mouseover mouseout click',
  'dblclick auxclick contextmenu wheel touchstart touchend keydown keypress keyup beforeinput input copy cut paste',
  'compositionstart compositionupdate compositionend dragenter dragover dragleave drop focus blur focusin focusout',
].flatMap((names) => names.split(' '))

/** Listens everywhere outside of the panel, as shortcuts do: text fields are left alone, all else is prevented. */
async function listen(page: Page): Promise<void> {
  await page.evaluate((names) => {
    window.pageHeard = []
    for (const target of [window, document, document.body, document.querySelector('tool-agent')!])
      for (const type of names)
        for (const capture of [true, false])
          target.addEventListener(
            type,
            (event) => {
              const localName = event.target instanceof Element ? event.target.localName : 'window'
              if (localName !== 'input') window.pageHeard.push(`${type} ${localName}`)
              if (localName === 'tool-agent') event.preventDefault()
            },
            { capture, passive: false },
          )
  }, types)
}
const heard = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...new Set(window.pageHeard)].filter((entry) => entry.endsWith('tool-agent')))

test('every typed key arrives in the field, and none in the page', { tag: '@R7.8' }, async ({ panel, page }) => {
  await listen(page)
  await press(page, panel.field)
  const sentence = 'Please show me the emails about the budget #3, c/e/j/k!'
  await page.keyboard.type(sentence)
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('agaim')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('n')
  for (const key of ['ArrowLeft', 'Home', 'Delete', 'End']) await page.keyboard.press(key)
  await expect(panel.field).toHaveValue(`${sentence}\ngain`)
  await page.keyboard.press('Enter')
  await expect(panel.field).toHaveValue('')
  expect(await panel.asked('send')).toEqual([[`${sentence}\ngain`]])
  expect(await heard(page)).toEqual([])
})

test(
  'cut, copy, paste and undo work, and the page hears nothing of them',
  { tag: '@R7.8' },
  async ({ panel, page }) => {
    await listen(page)
    await press(page, panel.field)
    await page.keyboard.type('tea')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+c')
    await page.keyboard.press('End')
    await page.keyboard.press('ControlOrMeta+v')
    await expect(panel.field).toHaveValue('teatea')
    await page.keyboard.press('ControlOrMeta+z')
    await expect(panel.field).toHaveValue('tea')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+x')
    await expect(panel.field).toHaveValue('')
    await page.keyboard.insertText('茶')
    await expect(panel.field).toHaveValue('茶')
    expect(await heard(page)).toEqual([])
  },
)

test('a composition stays in the panel', { tag: '@R7.8' }, async ({ panel, page, browserName }) => {
  test.skip(browserName !== 'chromium', 'only the protocol of Chromium composes text')
  await listen(page)
  await press(page, panel.field)
  const session = await page.context().newCDPSession(page)
  await panel.field.evaluate((field) => {
    const composed: unknown[] = []
    for (const type of ['compositionstart', 'compositionupdate', 'compositionend', 'input'])
      field.addEventListener(type, (event) => composed.push([type, (event as CompositionEvent).data]))
    Object.assign(window, { composed })
  })
  await session.send('Input.imeSetComposition', { selectionStart: 2, selectionEnd: 2, text: 'ちゃ' })
  await session.send('Input.insertText', { text: '茶' })
  await expect(panel.field).toHaveValue('茶')
  expect(await page.evaluate(() => (window as unknown as { composed: unknown }).composed)).toEqual([
    ['compositionstart', ''],
    ['compositionupdate', 'ちゃ'],
    ['input', 'ちゃ'],
    ['compositionupdate', '茶'],
    ['input', '茶'],
    ['compositionend', '茶'],
  ])
  expect(await heard(page)).toEqual([])
})

test('the pointer and the wheel are not heard, and the panel scrolls', { tag: '@R7.8' }, async ({ panel, page }) => {
  await panel.show({ messages: [user('u', 'Hi'), assistant('a', 'long\n\n'.repeat(200))] })
  const log = panel.element.locator('.log')
  await expect.poll(() => log.evaluate((element) => element.scrollTop)).toBeGreaterThan(1000)
  await listen(page)
  await press(page, log)
  await press(page, log, { clickCount: 2 })
  await press(page, log, { button: 'right' })
  await press(page, log, { button: 'middle' })
  const before = await log.evaluate((element) => element.scrollTop)
  await page.mouse.wheel(0, -300)
  await expect.poll(() => log.evaluate((element) => element.scrollTop)).toBeLessThan(before)
  expect(await heard(page)).toEqual([])
  await press(page, page.locator('h1'))
  expect(await page.evaluate(() => window.pageHeard)).toContain('click h1')
})

test('a finger on the panel is not heard', { tag: '@R7.8' }, async ({ browser, browserName, site }) => {
  test.skip(browserName === 'firefox', 'its touch events need another profile')
  const context = await browser.newContext({ hasTouch: true })
  const page = await context.newPage()
  await page.goto(`${site}/test/pages/panel/panel.html`)
  const field = page.locator('tool-agent textarea')
  await field.waitFor()
  await listen(page)
  const box = (await field.boundingBox())!
  await page.touchscreen.tap(box.x + 20, box.y + 10)
  await page.keyboard.type('tea')
  await expect(field).toHaveValue('tea')
  expect(await heard(page)).toEqual([])
  await context.close()
})

/** Draws the result of a tool with HTML and a function of the test. */
const drawn = (panel: PanelPage, html: string): Promise<void> =>
  panel.page
    .evaluate((text) => {
      const box = document.createElement('div')
      box.className = 'drawn'
      // A new document, because this one may demand trusted HTML.
      box.append(...document.importNode(new DOMParser().parseFromString(text, 'text/html').body, true).childNodes)
      window.element.registerToolRenderer('find_products', () => box)
    }, html)
    .then(() =>
      panel.show({
        messages: [
          user('u', 'Pots'),
          assistant('a', call('c', 'find_products', { result: { output: 'pots', endedAt: 1, attempts: 1 } })),
        ],
      }),
    )
    .then(() => panel.element.locator('.drawn').waitFor({ state: 'attached' }))

test('default actions happen once, and a prevented copy prevents them', { tag: '@R7.8' }, async ({ panel, page }) => {
  await drawn(
    panel,
    `<label>Box <input type="checkbox" class="box"></label><details class="more"><summary>More</summary>text</details>
     <a class="go" href="#there">Go</a><a class="stay" href="#elsewhere">Stay</a>
     <label>Fixed <input type="checkbox" class="fixed"></label>`,
  )
  await panel.element.locator('.drawn').evaluate((box) => {
    for (const name of ['.stay', '.fixed'])
      box.querySelector(name)!.addEventListener('click', (event) => {
        event.preventDefault()
      })
  })
  await press(page, panel.element.getByText('Box'))
  await expect(panel.element.locator('.box')).toBeChecked()
  await press(page, panel.element.getByText('More'))
  await expect(panel.element.locator('.more')).toHaveAttribute('open')
  await press(page, panel.element.locator('.stay'))
  await press(page, panel.element.locator('.fixed'))
  await expect(panel.element.locator('.fixed')).not.toBeChecked()
  await press(page, panel.element.locator('.go'))
  await expect(page).toHaveURL(/#there$/)
})

test(
  'a router of the page follows a link of an answer to this site',
  { tag: ['@one-engine', '@R7.8'] },
  async ({ panel, page }) => {
    await panel.show({
      messages: [user('u', 'Where?'), assistant('a', '[Orders](/orders) and [elsewhere](//a.example/)')],
    })
    await page.evaluate(() => {
      window.pageHeard = []
      document.addEventListener('click', (event) => {
        event.preventDefault()
        const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement)
        window.pageHeard.push(link?.pathname ?? 'no link')
      })
    })
    await press(page, panel.element.getByRole('link', { name: 'Orders' }))
    expect(await page.evaluate(() => window.pageHeard)).toEqual(['/orders'])
    // It opens in a tab of its own, so it is none of the page's business.
    await panel.element.getByRole('link', { name: 'elsewhere' }).evaluate((link: HTMLElement) => {
      link.addEventListener('click', (event) => event.preventDefault())
      link.click()
    })
    expect(await page.evaluate(() => window.pageHeard)).toEqual(['/orders'])
  },
)

test('a file that is dropped on the panel does not replace the page', { tag: '@R7.8' }, async ({ panel }) => {
  const drop = (selector: string): Promise<boolean[]> =>
    panel.element.locator(selector).evaluate((target) =>
      ['dragover', 'drop'].map((type) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['tea'], 'tea.txt'))
        return !target.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }),
        )
      }),
    )
  expect(await drop('textarea')).toEqual([true, true])
})

test(
  'a listener in the panel gets the class and the fields of the event',
  { tag: ['@one-engine', '@R7.8'] },
  async ({ panel, page }) => {
    await drawn(
      panel,
      '<input class="name"><div class="pad" style="height: 3em; border: 2px solid; margin: 9px">.</div>',
    )
    await panel.element.locator('.drawn').evaluate((box) => {
      const told: Record<string, unknown> = {}
      Object.assign(window, { told })
      box.addEventListener('keydown', (event) => {
        const { key, code, shiftKey, timeStamp, target, currentTarget, isTrusted } = event as KeyboardEvent
        told['key'] = {
          key,
          code,
          shiftKey,
          isTrusted,
          isKeyboard: event instanceof KeyboardEvent,
          isShift: (event as KeyboardEvent).getModifierState('Shift'),
          isSoon: timeStamp > 0,
          from: (target as Element).className,
          at: (currentTarget as Element).className,
        }
      })
      box.addEventListener('click', (event) => {
        const { offsetX, offsetY, detail, button } = event as PointerEvent
        told['click'] = { offsetX, offsetY, detail, button, isPointer: event instanceof PointerEvent }
      })
      box.addEventListener('input', (event) => {
        told['input'] = { data: (event as InputEvent).data, isInput: event instanceof InputEvent }
      })
    })
    const told = (): Promise<unknown> => page.evaluate(() => (window as unknown as { told: unknown }).told)
    const pad = panel.element.locator('.pad')
    await pad.scrollIntoViewIfNeeded()
    const { x, y } = (await pad.boundingBox())!
    await page.mouse.click(Math.ceil(x) + 12, Math.ceil(y) + 7)
    await panel.element.locator('.name').focus()
    await page.keyboard.press('Shift+A')
    const { click, ...keys } = (await told()) as { click: { offsetX: number; offsetY: number } }
    expect(keys).toEqual({
      key: {
        key: 'A',
        code: 'KeyA',
        shiftKey: true,
        isTrusted: false,
        isKeyboard: true,
        isShift: true,
        isSoon: true,
        from: 'name',
        at: 'drawn',
      },
      input: { data: 'A', isInput: true },
    })
    expect(click).toMatchObject({ detail: 1, button: 0, isPointer: true })
    expect(Math.abs(click.offsetX - 10)).toBeLessThanOrEqual(1)
    expect(Math.abs(click.offsetY - 5)).toBeLessThanOrEqual(1)
  },
)

test(
  'components of a renderer get their events, in open and in closed shadow trees',
  { tag: ['@one-engine', '@R7.8'] },
  async ({ panel, page }) => {
    await drawn(panel, '<x-open></x-open> <x-stopped></x-stopped> <x-closed></x-closed>')
    await panel.element.locator('.drawn').evaluate((box) => {
      window.pageHeard = []
      for (const name of ['open', 'stopped', 'closed']) {
        const host = box.querySelector(`x-${name}`)!
        const root = host.attachShadow({ mode: name === 'closed' ? 'closed' : 'open' })
        const button = root.appendChild(document.createElement('button'))
        button.textContent = name
        button.onclick = (event) => {
          window.pageHeard.push(`${name}: inside`)
          if (name === 'stopped') event.stopPropagation()
        }
        host.addEventListener('click', () => window.pageHeard.push(`${name}: host`))
      }
      box.addEventListener('click', ({ target }) => window.pageHeard.push(`box: ${(target as Element).localName}`))
    })
    for (const name of ['x-open', 'x-stopped', 'x-closed']) await press(page, panel.element.locator(name))
    expect(await page.evaluate(() => window.pageHeard)).toEqual([
      'open: inside',
      'open: host',
      'box: x-open',
      'stopped: inside',
      'closed: inside',
      'closed: host',
      'box: x-closed',
    ])
  },
)

test(
  'what the page puts into a slot is the page’s: its events are heard',
  { tag: ['@one-engine', '@R7.8'] },
  async ({ panel, page }) => {
    await panel.element.evaluate((element) => {
      const button = element.appendChild(document.createElement('button'))
      button.slot = 'footer'
      button.textContent = 'Of the page'
    })
    await listen(page)
    await press(page, page.getByText('Of the page'))
    await page.keyboard.press('k')
    expect(await page.evaluate(() => window.pageHeard)).toEqual(
      expect.arrayContaining(['pointerdown button', 'click button', 'keydown button', 'focusin button']),
    )
  },
)

test('Escape and the shortcut work in the panel and in the page', { tag: '@R7.8' }, async ({ panel, page }) => {
  await page.evaluate(() => {
    Object.assign(window.element, { layout: 'floating', open: true, shortcut: 'Control+Shift+K' })
  })
  const section = panel.element.locator('section.panel')
  await expect(panel.element.locator('.grip')).toBeVisible()
  await listen(page)
  await press(page, panel.field)
  await page.keyboard.press('Escape')
  await expect(section).toBeHidden()
  // The shortcut is loaded with its option.
  await expect(async () => {
    await page.keyboard.press('Control+Shift+K')
    await expect(section).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(panel.field).toBeFocused()
  await page.keyboard.press('Control+Shift+K')
  await expect(section).toBeHidden()
  expect(await heard(page)).toEqual([])
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement).blur()
  })
  await page.keyboard.press('Control+Shift+K')
  await expect(section).toBeVisible()
})

test(
  'more panels, and those in shadow roots, keep their events, too',
  { tag: ['@one-engine', '@R7.8'] },
  async ({ panel, page }) => {
    await expect(panel.field).toBeVisible()
    await page.evaluate(() => {
      for (const mode of ['open', 'closed'] as const) {
        const host = document.body.appendChild(document.createElement(`x-${mode}`))
        const element = document.createElement('tool-agent')
        element.style.setProperty('--tool-agent-height', '14rem')
        host.attachShadow({ mode }).append(element)
        Object.assign(window, { [`${mode}Panel`]: element })
      }
    })
    await page.evaluate(() => {
      for (const type of ['keydown', 'click'])
        for (const capture of [true, false])
          document.addEventListener(
            type,
            ({ target }) =>
              window.pageHeard.push(`${capture ? 'captured ' : ''}${type} ${(target as Element).localName}`),
            capture,
          )
    })
    for (const [mode, expected] of [
      ['open', []],
      // A window does not see into a closed tree, so that captured events cannot be kept from it.
      ['closed', ['captured click x-closed', 'captured keydown x-closed']],
    ] as const) {
      const box = await page.evaluate(async (name) => {
        const element = (window as unknown as Record<string, HTMLElement>)[`${name}Panel`]!
        const find = (): Element | null | undefined => element.shadowRoot?.querySelector('textarea')
        while (!find()) await new Promise(requestAnimationFrame)
        find()!.scrollIntoView({ block: 'center', behavior: 'instant' })
        const { x, y } = find()!.getBoundingClientRect()
        return { x, y }
      }, mode)
      await page.evaluate(() => void (window.pageHeard = []))
      await page.mouse.click(box.x + 20, box.y + 10)
      await page.keyboard.type('k')
      const value = await page.evaluate(
        (name) =>
          (window as unknown as Record<string, HTMLElement>)[`${name}Panel`]!.shadowRoot!.querySelector('textarea')!
            .value,
        mode,
      )
      expect(value).toBe('k')
      expect([...new Set(await page.evaluate(() => window.pageHeard))].sort()).toEqual(expected)
    }
  },
)

test(
  'events of the page are not even looked at, and no listener delays scrolling',
  { tag: '@R7.8' },
  async ({ browser, site }) => {
    const page = await browser.newPage()
    await page.addInitScript(() => {
      const options: unknown[] = []
      const { addEventListener } = EventTarget.prototype
      EventTarget.prototype.addEventListener = function (this: EventTarget, ...args) {
        // Not those of the test runner.
        const isOurs = new Error().stack?.includes('/src/')
        if (isOurs && /^(?:wheel|touch)/.test(args[0])) options.push((args[2] as AddEventListenerOptions).passive)
        addEventListener.apply(this, args)
      }
      Object.assign(window, { options, paths: 0 })
    })
    await page.goto(`${site}/test/pages/panel/panel.html`)
    await page.locator('tool-agent textarea').waitFor()
    await page.evaluate(() => {
      const { composedPath } = Event.prototype
      Event.prototype.composedPath = function () {
        ;(window as unknown as { paths: number }).paths++
        return composedPath.call(this)
      }
    })
    const paths = (): Promise<number> => page.evaluate(() => (window as unknown as { paths: number }).paths)
    const options = await page.evaluate(() => (window as unknown as { options: unknown[] }).options)
    expect(options.length).toBeGreaterThan(0)
    expect(options.every((passive) => passive === true)).toBe(true)
    await press(page, page.locator('h1'))
    await page.keyboard.type('tea')
    await page.mouse.wheel(0, 10)
    expect(await paths()).toBe(0)
    await press(page, page.locator('tool-agent textarea'))
    expect(await paths()).toBeGreaterThan(0)
    await page.close()
  },
)

test(
  'a press on a question leaves the focus in the page, and keys can answer it',
  { tag: '@R7.8' },
  async ({ panel, page }) => {
    await page.evaluate(() => {
      const field = document.querySelector('main')!.appendChild(document.createElement('input'))
      field.id = 'own'
      field.focus()
    })
    const own = page.locator('#own')
    const card = panel.element.locator('.approval')
    await page.evaluate(() => {
      // The tool may be allowed for the conversation, so the button has a menu.
      const tool = { inputSchema: {}, annotations: {}, isDiscovered: false, offers: ['session'] }
      for (const id of ['c1', 'c2']) window.fake.approvalTools.set(id, tool)
    })
    await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Tea'), assistant('a', question('c1'))] })
    await expect(card.locator('.decision[data-ready]')).toBeVisible()
    await expect(own).toBeFocused()
    await press(page, card.locator('.approve-menu'))
    await expect(card.getByRole('menu')).toBeVisible()
    await expect(own).toBeFocused()
    await press(page, page.locator('h1'))
    await expect(card.getByRole('menu')).toBeHidden()
    await own.focus()
    await press(page, card.locator('.raw summary'))
    await expect(card.locator('.raw')).toHaveAttribute('open')
    await press(page, card.locator('.deny'))
    await expect(own).toBeFocused()
    expect(await panel.asked('deny')).toHaveLength(1)
    await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Tea'), assistant('a', question('c2'))] })
    await expect(card.locator('.decision[data-ready]')).toBeVisible()
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab')
      const name = await panel.element.evaluate((element) => element.shadowRoot?.activeElement?.className)
      if (name === 'approve') break
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => panel.asked('approve')).toHaveLength(1)
  },
)
