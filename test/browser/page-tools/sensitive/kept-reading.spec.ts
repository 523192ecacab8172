// What a message says of the page is read ahead and kept. Whatever becomes private after that, with or without a change
// of the document, must be hidden in the next message.
import type { Page } from 'playwright/test'
import type { ToolInternals } from '../../../../src/page/tools/tool.js'
import { open } from '../../../support/page/page-tools-call.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

declare global {
  interface Window {
    /** What a message says of the page, and whether it needed a style of the page. */
    facts(): { readonly text: string; readonly isKept: boolean }
  }
}

/** The secret, which is in the title of each page. */
const secret = 'w7Gh2kLp90'

interface Case {
  readonly html: string
  /** Runs in the page. Afterwards the secret is private. */
  change(): void | Promise<void>
  /** Default: `secret`. */
  readonly hidden?: string
}

const afterKeeping: Readonly<Record<string, Case>> = {
  'a value in the last of many shadow roots': {
    html: '<div><template shadowrootmode="open"><input type="password"></template></div>'.repeat(120),
    change: () =>
      void (document.querySelector('div:last-child')!.shadowRoot!.querySelector('input')!.value = 'w7Gh2kLp90'),
  },
  'a text beside a label': {
    html: '<p>API key <code id="target">none</code></p>',
    change: () => void (document.querySelector('#target')!.textContent = 'w7Gh2kLp90'),
  },
  'characters of a text': {
    html: '<p>Password: <b id="target">unset</b></p>',
    change: () => void ((document.querySelector('#target')!.firstChild as Text).data = 'w7Gh2kLp90'),
  },
  'the label beside a text': {
    html: '<dl><dt id="target">Order</dt><dd>w7Gh2kLp90</dd></dl>',
    change: () => void (document.querySelector('#target')!.textContent = 'API key'),
  },
  'a value that a script sets': {
    html: '<label>Password <input type="password"></label>',
    change: () => void (document.querySelector('input')!.value = 'w7Gh2kLp90'),
  },
  'a value in a field that only its words make private': {
    html: '<label>Access token <input></label>',
    change: () => void (document.querySelector('input')!.value = 'w7Gh2kLp90'),
  },
  'the type of a field': {
    html: '<label>Word <input value="w7Gh2kLp90"></label>',
    change: () => void (document.querySelector('input')!.type = 'password'),
  },
  'the label of a field': {
    html: '<label><span>Word</span> <input value="w7Gh2kLp90"></label>',
    change: () => void (document.querySelector('span')!.textContent = 'Password'),
  },
  'a rule that masks a field': {
    html: '<style></style><label>Word <input class="one" value="w7Gh2kLp90"></label>',
    change: () => void document.styleSheets[0]!.insertRule('.one { -webkit-text-security: disc }'),
  },
  'a sheet that masks what is written': {
    html: '<div contenteditable role="textbox" aria-label="Word">w7Gh2kLp90</div>',
    change() {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('[contenteditable] { -webkit-text-security: disc }')
      document.adoptedStyleSheets = [sheet]
    },
  },
  'a rule that shows a field': {
    html: '<style>.one { display: none }</style><label class="one">Access token <input value="w7Gh2kLp90"></label>',
    change: () => document.styleSheets[0]!.deleteRule(0),
  },
  'a popover that opens': {
    html: '<div popover id="target"><label>Access token <input value="w7Gh2kLp90"></label></div>',
    change: () => document.querySelector<HTMLElement>('#target')!.showPopover(),
  },
  'a shadow root that is attached': {
    html: '<div id="target"></div>',
    change() {
      const root = document.querySelector('#target')!.attachShadow({ mode: 'open' })
      root.innerHTML = '<p>API key <code>w7Gh2kLp90</code></p>'
    },
  },
  'a field in a shadow root that is attached': {
    html: '<div id="target"></div>',
    change() {
      const root = document.querySelector('#target')!.attachShadow({ mode: 'open' })
      root.innerHTML = '<label>Password <input type="password" value="w7Gh2kLp90"></label>'
    },
  },
  'an element that is defined': {
    html: '<late-key></late-key>',
    change() {
      class LateKey extends HTMLElement {
        constructor() {
          super()
          this.attachShadow({ mode: 'open' }).innerHTML = '<p>API key <code>w7Gh2kLp90</code></p>'
        }
      }
      customElements.define('late-key', LateKey)
    },
  },
  'a field that is defined': {
    html: '<late-field aria-label="Access token">w7Gh2kLp90</late-field>',
    change() {
      class LateField extends HTMLElement {
        static readonly formAssociated = true
        value = ''
      }
      customElements.define('late-field', LateField)
    },
  },
  'a text in a shadow root in a shadow root': {
    html:
      '<div><template shadowrootmode="open"><div><template shadowrootmode="open">' +
      '<p>PIN: <b>none</b></p></template></div></template></div>',
    change() {
      const inner = document.querySelector('div')!.shadowRoot!.querySelector('div')!.shadowRoot!
      inner.querySelector('b')!.textContent = 'w7Gh2kLp90'
    },
  },
  'a text in a frame': {
    html: '<iframe srcdoc="<p>API key <code>none</code></p>"></iframe>',
    change: () =>
      void (document.querySelector('iframe')!.contentDocument!.querySelector('code')!.textContent = 'w7Gh2kLp90'),
  },
  'a value in a frame': {
    html: '<iframe srcdoc="<label>Password <input type=password></label>"></iframe>',
    change: () =>
      void (document.querySelector('iframe')!.contentDocument!.querySelector('input')!.value = 'w7Gh2kLp90'),
  },
  'a frame that navigates': {
    html: '<iframe srcdoc="<p>Empty</p>"></iframe>',
    change: () =>
      new Promise((resolve) => {
        const frame = document.querySelector('iframe')!
        frame.onload = () => resolve()
        // Not `srcdoc`, which is an attribute.
        frame.contentWindow!.location.replace(
          URL.createObjectURL(new Blob(['<p>API key <code>w7Gh2kLp90</code></p>'], { type: 'text/html' })),
        )
      }),
  },
  'a code that is split over fields': {
    html: '<p>Code <input maxlength="1"><input maxlength="1"><input maxlength="1"><input maxlength="1"></p>',
    change() {
      for (const [at, input] of document.querySelectorAll('input').entries()) input.value = '4821'[at] ?? ''
    },
    hidden: '4821',
  },
  'a fixed field beside a label': {
    html: '<p>API key</p><div><input type="url" readonly></div>',
    change: () => void (document.querySelector('input')!.value = 'w7Gh2kLp90'),
  },
  'a chosen file': {
    html: '<label>File <input type="file"></label>',
    change() {
      const files = new DataTransfer()
      files.items.add(new File([''], 'w7Gh2kLp90'))
      document.querySelector('input')!.files = files.files
    },
  },
  'a password in a part that is not read': {
    html: '<div data-tool-agent-ignore></div>',
    change: () => void (document.querySelector('div')!.innerHTML = '<input type="password" value="w7Gh2kLp90">'),
  },
}

/** An empty page with `facts`. */
async function openPage(page: Page, site: string): Promise<void> {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(async () => {
    const { pageTools } = window as unknown as { pageTools: Map<string, Record<symbol, ToolInternals>> }
    const read = await pageTools.get('form_fill')![Symbol.for('tool-agent.internals')]!.readsPage!()
    const { getComputedStyle } = window
    let styles = 0
    window.getComputedStyle = (...given) => {
      styles++
      return getComputedStyle.call(window, ...given)
    }
    window.facts = () => {
      styles = 0
      const reading = read()
      return { text: `${reading.redact(document.title)}\n${reading.forms?.()}`, isKept: styles === 0 }
    }
  })
}

async function show(page: Page, html: string): Promise<void> {
  await page.evaluate(
    async ([html, title]) => {
      document.title = title
      document.adoptedStyleSheets = []
      // In a task of its own: what takes the place of a password is one.
      document.body.replaceChildren()
      await new Promise((resolve) => setTimeout(resolve))
      document.body.setHTMLUnsafe(html)
    },
    [html, `About ${secret} and 4821`] as const,
  )
  if (html.includes('iframe'))
    await page.frameLocator('iframe').locator('body *').first().waitFor({ state: 'attached' })
}

test(
  'what becomes private after the page was read is hidden in the next message',
  { tag: '@S17' },
  async ({ page, site }) => {
    await openPage(page, site)
    for (const [name, { html, change, hidden = secret }] of Object.entries(afterKeeping))
      await test.step(name, async () => {
        await show(page, html)
        const before = await page.evaluate(() => [window.facts(), window.facts()].map(({ text }) => text))
        for (const text of before) expect.soft(text, name).toContain(hidden)
        // In the same task, if the change needs no other, so that no observer was called.
        const body = String(change).replace(/^change\(/, 'function change(')
        const read = '() => window.facts().text'
        const after = await page.evaluate(
          `(() => { const ready = (${body})(); return ready ? ready.then(${read}) : (${read})() })()`,
        )
        expect.soft(after, name).not.toContain(hidden)
        expect.soft(after, name).toContain('[private]')
        // And in a later one.
        expect.soft((await page.evaluate(() => window.facts())).text, name).not.toContain(hidden)
      })
  },
)

test('a reading is kept while the document does not change', async ({ page, site }) => {
  const form =
    '<form aria-label="Order"><label>Name <input></label><label>Password <input type="password"></label></form>'
  await openPage(page, site)
  await show(page, `<style></style>${form}`)
  const read = () => page.evaluate(() => window.facts())
  expect(await read()).toEqual({ text: `About ${secret} and 4821\nOrder: Name (text)`, isKept: false })
  expect(await read()).toEqual({ text: `About ${secret} and 4821\nOrder: Name (text)`, isKept: true })
  // A title, a value, and elements of the agent are no change of what was read.
  await page.evaluate(() => {
    document.title = 'Basket'
    document.querySelector('input')!.value = 'Grace'
    document.body.append(document.createElement('tool-agent-note'))
    document.querySelector('tool-agent-note')?.setAttribute('title', 'x')
  })
  expect(await read()).toEqual({ text: 'Basket\nOrder: Name (text)', isKept: true })
  await page.evaluate(() => {
    document.querySelector('form')!.insertAdjacentHTML('beforeend', '<label>Day <input type="date"></label>')
  })
  expect(await read()).toEqual({ text: 'Basket\nOrder: Name (text), Day (date)', isKept: false })
  expect(await read()).toMatchObject({ isKept: true })
  // A value that is not private occurs in the title: the page is read, and nothing is hidden.
  await page.evaluate(() => {
    document.title = 'Results for Grace'
  })
  expect(await read()).toEqual({ text: 'Results for Grace\nOrder: Name (text), Day (date)', isKept: false })
})

test('the page is read again before the Enter key, after it has changed', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'Hello.' }, { text: 'Hello again.' }])
  await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`)
  await page.waitForFunction(() => window.agent?.tools.some(({ name }) => name === 'page_click'))
  await send(page, 'Hi')
  await settled(page)
  await page.evaluate(() => {
    const scope = window as unknown as { readings: number }
    scope.readings = 0
    // Only a reading of the page asks a label for its control.
    const { get } = Object.getOwnPropertyDescriptor(HTMLLabelElement.prototype, 'control')!
    Object.defineProperty(HTMLLabelElement.prototype, 'control', {
      get() {
        scope.readings++
        return get!.call(this)
      },
    })
  })
  const readings = () => page.evaluate(() => (window as unknown as { readings: number }).readings)
  const addField = (name: string) =>
    page.evaluate((label) => {
      document.querySelector('form')!.insertAdjacentHTML('beforeend', `<label>${label} <input></label>`)
    }, name)
  await addField('Street')
  // The idle time in which it would be read if the focus was in the panel.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => requestIdleCallback(resolve), 310)
      }),
  )
  expect(await readings()).toBe(0)
  await page.locator('tool-agent textarea').focus()
  await expect.poll(readings).toBeGreaterThan(0)
  const first = await readings()
  await addField('Town')
  await expect.poll(readings).toBeGreaterThan(first)
  const ahead = await readings()
  await page.keyboard.type('Hi')
  await page.keyboard.press('Enter')
  await expect.poll(() => endpoint.requests.length).toBe(2)
  await settled(page)
  expect(await readings()).toBe(ahead)
  expect(endpoint.requests[1]?.raw).toContain('Street (text), Town (text)')
})
