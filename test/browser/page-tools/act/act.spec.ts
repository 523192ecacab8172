// The acting tools in a real page: an action that a user could perform happens once, with the events of a user, and its
// effects are reported. Any other is an error that gives the reason.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

interface Acted {
  onlyOpened?: true
  clicked?: string
  submitted?: boolean
  form?: string
  url?: string
  changes: string
  invalid?: { field: string; problem: string }[]
  error?: string
  message?: string
}
const click = (page: Page, target: string, role?: string): Promise<Acted> =>
  call(page, 'page_click', { target, ...(role ? { role } : {}) })
const submit = (page: Page, input: object = {}): Promise<Acted> => call(page, 'form_submit', input)
const go = (page: Page, url: string): Promise<Acted> => call(page, 'page_navigate', { url })
const start = async (page: Page, site: string): Promise<void> => {
  await open(page, `${site}/test/pages/page-tools/act.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
}
const path = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search
/** What an act was doing when the page went away is nobody's to hear on that page. */
const leaving = (acting: Promise<unknown>): void => {
  acting.catch(() => undefined)
}

test.describe('page_click', () => {
  test('clicks once, with mouse events in order, on the topmost element', async ({ page, site }) => {
    await start(page, site)
    expect(await click(page, 'Open menu')).toMatchObject({
      clicked: 'button "Open menu"',
      changes: expect.stringMatching(/button "Open menu" \[ref=e\d+\] \[expanded\]/),
    })
    const events = await page.evaluate(() => (window as unknown as { events: string[] }).events)
    expect(events.map((event) => event.split(':')[0])).toEqual([
      'pointerover',
      'pointerenter',
      'mouseover',
      'mousemove',
      'pointerdown',
      'mousedown',
      'focusin',
      'pointerup',
      'mouseup',
      'click',
    ])
    await click(page, 'Count', 'button')
    expect(await page.locator('#counted').textContent()).toBe('1')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('count')
  })

  const unreachable: readonly [name: string, why: RegExp, tag?: string][] = [
    ['Disabled', /is disabled/],
    ['Aria disabled', /is disabled/],
    ['In a disabled set', /is disabled/],
    ['Inert', /is inert/],
    ['Covered', /is covered by img "Veil"/],
    ['Untouchable', /takes no clicks/],
    ['Veiled in shadow', /is covered/, '@S22'],
    ['Veiled inside', /is covered/, '@S21'],
  ]
  for (const [name, why, tag] of unreachable) {
    test(
      `an unreachable element is an error with the reason, and is not clicked: ${name}`,
      { tag: tag ?? [] },
      async ({ page, site }) => {
        await start(page, site)
        await page.evaluate(() =>
          addEventListener(
            'pointerdown',
            () => {
              document.body.dataset['pressed'] = 'yes'
            },
            true,
          ),
        )
        expect(await click(page, name)).toMatchObject({
          error: 'unavailable',
          message: expect.stringMatching(why),
        })
        expect(await page.locator('body').getAttribute('data-pressed')).toBeNull()
      },
    )
  }

  for (const [id, error, why] of [
    ['hidden', 'unavailable', /is hidden/],
    ['flat', 'unavailable', /has no size/],
    ['ignored-label', 'unavailable', /data-tool-agent-ignore/],
    ['sandboxed', 'unavailable', /frame from another site/],
    ['same', 'unavailable', /is a frame/],
    ['gone', 'stale-ref', /button "Count"\) is no longer on the page.*The page has:.*button "Open menu"/s],
  ] as const) {
    test(
      `a ref to an unreachable element is an error with the reason: ${id}`,
      { tag: id === 'sandboxed' ? ['@S20', '@S21'] : [] },
      async ({ page, site }) => {
        await start(page, site)
        const { matches } = await call<{ matches: { ref: string }[] }>(page, 'dom_query', {
          selector: id === 'gone' ? '#count' : `#${id}`,
        })
        if (id === 'gone') await page.evaluate(() => document.querySelector('#count')?.remove())
        expect(await click(page, matches[0]?.ref ?? '')).toMatchObject({ error, message: expect.stringMatching(why) })
      },
    )
  }

  test('refuses ignored elements, file inputs and selects', { tag: '@R7.6' }, async ({ page, site }) => {
    await start(page, site)
    expect(await click(page, 'Left alone')).toMatchObject({
      error: 'invalid-input',
      message: expect.not.stringContaining('[ref=e1]: Left'),
    })
    const refs = await call<{ matches: { ref: string }[] }>(page, 'dom_query', {
      selector: '[type=file],select[aria-label=Pick]',
    })
    expect(await click(page, refs.matches[0]?.ref ?? '')).toMatchObject({ error: 'sensitive-field' })
    expect(await click(page, refs.matches[1]?.ref ?? '')).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('form_fill'),
    })
    expect(await page.locator('#ignored-box').isChecked()).toBe(false)
  })

  test('an ambiguous name clicks nothing, and the error distinguishes the matches', async ({ page, site }) => {
    await start(page, site)
    const answer = await click(page, 'Delete')
    expect(answer).toMatchObject({
      error: 'invalid-input',
      message: expect.stringMatching(/matches 2 elements.*in "First" \[ref=e\d+\].*in "Second" \[ref=e\d+\]/s),
    })
    expect(await click(page, 'No such thing')).toMatchObject({
      error: 'invalid-input',
      message: expect.stringContaining('button "Open menu"'),
    })
  })

  test(
    'clicks in open shadow roots and same-origin frames, not in closed roots',
    { tag: ['@S21', '@S22'] },
    async ({ page, site }) => {
      await start(page, site)
      expect(await click(page, 'In shadow')).toMatchObject({
        changes: expect.stringContaining('button "Pressed in shadow"'),
      })
      expect(await click(page, 'Inside')).toMatchObject({ changes: expect.stringContaining('button "Pressed inside"') })
      expect(await click(page, 'Deep inside')).toMatchObject({ changes: expect.stringContaining('button "Deep_done"') })
      expect(await click(page, 'In closed shadow')).toMatchObject({ error: 'invalid-input' })
      expect(await click(page, 'Out of reach')).toMatchObject({ error: 'invalid-input' })
      expect(await page.locator('body').getAttribute('data-closed')).toBeNull()
    },
  )

  test('scrolls elements into view, and clicks hidden checkboxes by their labels', async ({ page, site }) => {
    await start(page, site)
    expect(await click(page, 'Far down')).toMatchObject({ clicked: 'button "Far down"' })
    const { matches } = await call<{ matches: { ref: string }[] }>(page, 'dom_query', { selector: '#styled' })
    expect(await click(page, matches[0]?.ref ?? '')).toMatchObject({ changes: expect.stringContaining('[checked]') })
    expect(await page.locator('#styled').isChecked()).toBe(true)
  })

  test('ignores the agent’s own panel as a cover and as a target', async ({ page, site }) => {
    await start(page, site)
    await page.evaluate(() => {
      const panel = document.createElement('tool-agent')
      panel
        .attachShadow({ mode: 'open' })
        .append(Object.assign(document.createElement('button'), { className: 'approve', textContent: 'Allow' }))
      Object.assign(panel.style, { position: 'fixed', inset: '0', zIndex: '9', display: 'block', background: 'white' })
      panel.shadowRoot?.querySelector('button')?.addEventListener('click', () => {
        document.body.dataset['allowed'] = 'yes'
      })
      document.body.append(panel)
    })
    await click(page, 'Count')
    expect(await page.locator('#counted').textContent()).toBe('1')
    expect(await click(page, 'Allow')).toMatchObject({ error: 'invalid-input' })
    expect(await call<{ count: number }>(page, 'dom_query', { selector: 'tool-agent, .approve' })).toMatchObject({
      count: 0,
    })
    expect(await page.locator('body').getAttribute('data-allowed')).toBeNull()
  })
})

test.describe('reported changes', { tag: '@one-engine' }, () => {
  test('reports dialogs, short-lived messages, and new URLs without a navigation', async ({ page, site }) => {
    await start(page, site)
    const opened = await click(page, 'Ask')
    expect(opened.changes).toMatch(/focus: button "Yes, do it"/)
    expect(opened.changes).toMatch(
      /- dialog "Confirm" \[ref=e\d+\]\n.*text: Really\?\n.*button "Yes, do it" \[ref=e\d+\]/s,
    )
    expect(opened.onlyOpened).toBe(true)
    const ref = /button "Yes, do it" \[ref=(e\d+)\]/.exec(opened.changes)?.[1] ?? ''
    // What a modal dialog lies over cannot be pressed.
    expect(await click(page, 'Count')).toMatchObject({
      error: 'unavailable',
      message: expect.stringMatching(/is covered|is inert/),
    })
    const closed = await click(page, ref)
    expect(closed.changes).toMatch(/closed: dialog "Confirm"/)
    expect(closed.onlyOpened).toBeUndefined()
    expect((await click(page, 'Toast')).changes).toMatch(/shown briefly: It is done/)
    await page.evaluate(() => {
      const add = (name: string, also: () => void): void => {
        const button = document.createElement('button')
        button.textContent = name
        button.onclick = () => {
          const dialog = document.createElement('dialog')
          dialog.ariaLabel = name
          dialog.textContent = 'Here it is'
          document.body.append(dialog)
          dialog.show()
          also()
        }
        document.body.prepend(button)
      }
      add('Tell and open', () => {
        document.body.insertAdjacentHTML('beforeend', '<p role="status">Added to the cart</p>')
      })
      add('Save and open', () => void fetch('/api/save', { method: 'POST' }).catch(() => undefined))
    })
    for (const name of ['Tell and open', 'Save and open'])
      expect((await click(page, name)).onlyOpened, name).toBeUndefined()
    const routed = await click(page, 'Route')
    expect(routed).toMatchObject({ url: '/test/pages/page-tools/act.html?route=orders' })
    expect(routed.changes).toMatch(/^url: .*\ntitle: "Orders"\n.*heading "Orders of today"/s)
    expect(await click(page, 'Part')).toMatchObject({ url: '/test/pages/page-tools/act.html?route=orders#part' })
  })

  test('waits for late changes, and reports none if there are none', async ({ page, site }) => {
    await start(page, site)
    expect((await click(page, 'Slow')).changes).toMatch(/Saved after a while/)
    expect((await click(page, 'Nothing')).changes).toMatch(
      /^focus: button "Nothing" \[ref=e\d+\]\nOnly the focus moved\. No other change was seen\./,
    )
    expect((await click(page, 'Nothing')).changes).toMatch(/^focus: button "Nothing" \[ref=e\d+\]\nNo visible change\./)
  })

  test(
    'a page that keeps changing does not exceed the limits of length and time',
    { tag: '@F80' },
    async ({ page, site }) => {
      await start(page, site)
      await page.evaluate(() => {
        const feed = document.body.appendChild(document.createElement('div'))
        const add = () => {
          feed.prepend(
            Object.assign(document.createElement('p'), {
              textContent: `Tick ${feed.childElementCount} of a page that never rests`,
            }),
          )
        }
        setInterval(add, 5)
        // More than an answer holds, however seldom a busy machine lets the timer run.
        document.querySelector('#count')?.addEventListener('click', () => {
          for (let count = 0; count < 200; count++) add()
        })
      })
      const answer = await click(page, 'Count')
      expect(answer.changes.length).toBeLessThan(5_000)
      expect(answer.changes).toMatch(/\(and \d+ more: page_read\)/)
    },
  )

  test('a new tab and a download are reported as requested only', async ({ page, site }) => {
    await start(page, site)
    expect((await click(page, 'New tab')).changes).toMatch(/^A new tab was requested\./)
    expect((await click(page, 'Download')).changes).toMatch(/^A download was requested\./)
    expect(path(page)).toBe('/test/pages/page-tools/act.html')
  })

  test('private values are in no result, preview or error', { tag: '@S17' }, async ({ page, site }) => {
    await start(page, site)
    await page.locator('[name=password]').fill('hunter2-canary')
    await page.locator('[name=name]').fill('Ada')
    await page.evaluate(() => {
      document.querySelector('#status')!.textContent = 'You typed hunter2-canary'
    })
    const answers = JSON.stringify([
      await submit(page, { form: 'Handled' }),
      await foresee(page, 'form_submit', { form: 'Booking' }),
      await click(page, 'Slow'),
      await click(page, 'gone'),
    ])
    expect(answers).not.toContain('hunter2')
    expect(answers).not.toContain('SECRET-CSRF')
  })

  test(
    'a repeated private value is redacted after the page has cleared the field',
    { tag: '@S17' },
    async ({ page, site }) => {
      await start(page, site)
      await page.evaluate(() => {
        document.body.innerHTML =
          '<form aria-label="Login"><label>Password <input type="password" value="Hunter22x"></label><button>Go</button></form><p id="said">Welcome, your password Hunter22x</p><p id="told"></p>'
        document.querySelector('#said')!.append(` ${'x'.repeat(108)} Hunter22x`)
        const input = document.querySelector('input') as HTMLInputElement
        document.querySelector('form')!.addEventListener('submit', (event) => {
          event.preventDefault()
          document.querySelector('#told')!.textContent = `Bye, ${input.value}`
          document.querySelector('#said')!.remove()
          input.value = ''
        })
      })
      const { changes } = await submit(page)
      expect(changes).toMatch(/text: Bye, \[private\]/)
      expect(changes).toMatch(/gone:\n- text: Welcome, your password \[private\]/)
      // Nor is a part of it left where a line is cut.
      expect(changes).not.toContain('Hunter')
    },
  )
})

/** What the user would be asked. */
function foresee(
  page: Page,
  name: string,
  input: object,
  id = 'call',
): Promise<{ preview: Record<string, unknown>; always: boolean; error?: string; message?: string }> {
  return page.evaluate(
    ({ name, input, id }) => {
      const tool = (
        window as unknown as { pageTools: Map<string, Record<symbol, { preview(input: object, run: object): never }>> }
      ).pageTools.get(name)
      try {
        return tool?.[Symbol.for('tool-agent.internals')]?.preview(input, {
          toolCallId: id,
          sessionId: 'session',
          messages: [],
        }) as never
      } catch (thrown) {
        const { code, message } = thrown as { code: string; message: string }
        return { error: code, message } as never
      }
    },
    { name, input, id },
  )
}

test.describe('action previews', { tag: '@one-engine' }, () => {
  test(
    'show target, destination, method and values, private ones only as filled or empty',
    { tag: '@R7.3' },
    async ({ page, site }) => {
      await start(page, site)
      await page.locator('[name=name]').fill('Ada')
      await page.locator('[name=password]').fill('hunter2-canary')
      expect(await foresee(page, 'page_click', { target: 'Count' })).toEqual({
        control: expect.stringContaining('button "Count"'),
        effect: 'unknown',
        hides: false,
        from: `${site}/test/pages/page-tools/act.html`,
        preview: {
          does: 'click',
          effect: 'unknown',
          on: { role: 'button', name: 'Count' },
          target: 'button "Count"',
          in: expect.any(String),
          heading: 'Desk',
          task: { covers: 'unknown' },
        },
      })
      expect(await foresee(page, 'page_click', { target: 'Next page' })).toMatchObject({
        effect: 'go',
        preview: { does: 'click', target: 'link "Next page"', url: `${site}/test/pages/page-tools/act.html?next` },
      })
      const booking = {
        url: `${site}/test/pages/page-tools/act.html`,
        method: 'GET',
        more: 1,
        values: [
          { field: 'Name', value: 'Ada' },
          { field: 'Email', value: '' },
          { field: 'Password', value: 'filled', private: true },
          { field: 'Terms', value: false },
        ],
      }
      expect(await foresee(page, 'form_submit', { form: 'Booking' })).toMatchObject({
        effect: 'destroy',
        hides: true,
        preview: {
          does: 'submit',
          on: { role: 'form', name: 'Booking' },
          by: { role: 'button', name: 'Book now' },
          target: 'form "Booking" by button "Book now"',
          ...booking,
        },
      })
      expect(await foresee(page, 'page_click', { target: 'Book now' })).toMatchObject({
        effect: 'destroy',
        hides: true,
        preview: { does: 'click', target: 'button "Book now"', ...booking },
      })
      expect(await foresee(page, 'page_click', { target: 'New tab' })).toMatchObject({ preview: { opens: 'tab' } })
      expect(await foresee(page, 'page_click', { target: 'Download' })).toMatchObject({
        effect: 'outside',
        preview: { opens: 'download', url: 'data:' },
      })
      expect(await foresee(page, 'page_navigate', { url: '/orders?x=1' })).toMatchObject({
        effect: 'unknown',
        preview: { does: 'go', url: `${site}/orders?x=1` },
      })
      // A control called “action” is not the form's action, and one called “method” not its method.
      expect(await foresee(page, 'form_submit', { form: 'Clobbered' })).toMatchObject({
        preview: { method: 'POST', url: `${site}/test/pages/sent`, more: 3 },
      })
    },
  )

  test('show values as they are sent, with their invisible characters', { tag: '@R7.3' }, async ({ page, site }) => {
    await start(page, site)
    await page.evaluate(() => {
      const form = document.createElement('form')
      form.ariaLabel = 'Transfer'
      form.innerHTML = `<label>Account <input name="account"></label><label>Remark <textarea name="note"></textarea></label>
        <button>Pay</button>`
      document.querySelector('main')!.append(form)
      form.querySelector('input')!.value = 'NL01\u202e 34 12\u200b'
      form.querySelector('textarea')!.value = 'Thanks\u{e0041}\u2066\nAda'
    })
    const values = [
      { field: 'Account', value: 'NL01\u202e 34 12\u200b' },
      { field: 'Remark', value: 'Thanks\u{e0041}\u2066\nAda' },
    ]
    for (const [tool, input] of [
      ['form_submit', { form: 'Transfer' }],
      ['page_click', { target: 'Pay' }],
      ['page_press', { target: 'Account', key: 'Enter' }],
    ] as const)
      expect(await foresee(page, tool, input)).toMatchObject({ preview: { values } })
    // The model reads them without, because they could hide instructions.
    expect(JSON.stringify(await call(page, 'form_read', { form: 'Transfer' }))).toContain('"NL01 34 12"')
  })

  for (const [tool, input, site] of [
    ['page_click', { target: 'Foreign' }, 'https://elsewhere.example'],
    ['page_click', { target: 'Pinged' }, 'https://elsewhere.example'],
    ['page_click', { target: 'Mail' }, 'mailto:'],
    ['page_click', { target: 'Book there' }, 'https://elsewhere.example'],
    ['form_submit', { form: 'Booking', button: 'Book there' }, 'https://elsewhere.example'],
    ['form_submit', { form: 'Off' }, 'https://elsewhere.example'],
    ['page_navigate', { url: 'https://elsewhere.example/x' }, 'https://elsewhere.example'],
  ] as const) {
    test(
      `another site always needs approval: ${tool} ${JSON.stringify(input)}`,
      { tag: '@S14' },
      async ({ page, site: own }) => {
        await start(page, own)
        expect(await foresee(page, tool, input)).toMatchObject({ effect: 'outside', preview: { site } })
      },
    )
  }

  test('an impossible action needs no approval', async ({ page, site }) => {
    await start(page, site)
    expect(await foresee(page, 'page_click', { target: 'Covered' })).toMatchObject({ error: 'unavailable' })
    expect(await foresee(page, 'page_navigate', { url: 'javascript:alert(1)' })).toMatchObject({
      error: 'invalid-input',
    })
    expect(await foresee(page, 'page_navigate', { url: 'https://user:word@elsewhere.example/' })).toMatchObject({
      error: 'invalid-input',
    })
  })

  test('an action that changed after the approval does not run', { tag: ['@S14', '@S8'] }, async ({ page, site }) => {
    await start(page, site)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) sent.push(request.url())
    })
    await page.locator('[name=name]').fill('Ada')
    await foresee(page, 'form_submit', { form: 'Booking' })
    await page.evaluate(() =>
      document.querySelector('#booking [value=book]')?.setAttribute('formaction', 'https://elsewhere.example/collect'),
    )
    expect(await submit(page, { form: 'Booking' })).toMatchObject({
      error: 'unavailable',
      message: expect.stringMatching(/changed after it was checked.*elsewhere\.example.*Nothing was done/),
    })
    await foresee(page, 'page_click', { target: 'Next page' })
    await page.evaluate(() => document.querySelector('#next')?.setAttribute('href', '/test/pages/session/blank.html'))
    expect(await click(page, 'Next page')).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('blank.html'),
    })
    // A value that a script put there was not shown; one that the user put there is his.
    await foresee(page, 'form_submit', { form: 'Handled' })
    await page.evaluate(() => {
      ;(document.querySelector('#handled [name=note]') as HTMLInputElement).value = 'swapped'
    })
    expect(await submit(page, { form: 'Handled' })).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('"Note"'),
    })
    await foresee(page, 'form_submit', { form: 'Handled' })
    await page.locator('#handled [name=note]').pressSequentially(' by hand')
    expect(await submit(page, { form: 'Handled' })).toMatchObject({ submitted: true })
    expect(sent).toEqual([])
  })
})

test.describe('a button or link inside a label', { tag: '@one-engine' }, () => {
  const show = (page: Page, markup: string): Promise<void> =>
    page.evaluate((markup) => {
      document.body.innerHTML = markup
    }, markup)
  const form =
    '<form id="f" method="post" action="/test/pages/sent" aria-label="Payment"><label>Amount <input name="amount" value="500"></label><input type="hidden" name="to" value="x"></form>'

  test('is clicked itself: the preview shows the form of the button', async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    await show(
      page,
      `${form}<input type="checkbox" id="cb"><label for="cb">Agree <button form="f"><b>Pay now</b></button></label>`,
    )
    const asked = {
      preview: {
        does: 'click',
        target: 'button "Pay now"',
        url: `${site}/test/pages/sent`,
        method: 'POST',
        values: [{ field: 'Amount', value: '500' }],
        more: 1,
      },
    }
    expect(await foresee(page, 'page_click', { target: 'Pay now' })).toMatchObject(asked)
  })

  test('is clicked itself: the preview shows the target of the link', async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    await show(
      page,
      '<label><input type="checkbox"> I accept the <a href="https://elsewhere.example/terms"><i>terms</i></a></label>',
    )
    expect(await foresee(page, 'page_click', { target: 'terms' })).toMatchObject({
      effect: 'outside',
      preview: { url: 'https://elsewhere.example/terms', site: 'https://elsewhere.example' },
    })
  })

  test('is not clicked with the label of another button: that one submits its form', async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    await show(
      page,
      `${form}<button form="f" id="go">Go</button><label for="go" tabindex="0" role="tab">Send it</label>`,
    )
    expect(await foresee(page, 'page_click', { target: 'Send it', role: 'tab' })).toMatchObject({
      preview: { url: `${site}/test/pages/sent`, method: 'POST' },
    })
  })
})

test(
  'the preview of nested controls and links shows what a real click triggers',
  { tag: '@one-engine' },
  async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    for (const [name, markup] of [
      [
        'a label in a button',
        '<input type="checkbox" id="cb" aria-label="Box"><button form="f"><label for="cb" id="t" tabindex="0" role="tab">Pay</label></button>',
      ],
      [
        'a label in a link',
        '<input type="checkbox" id="cb" aria-label="Box"><a href="#link"><label for="cb" id="t" tabindex="0" role="tab">Pay</label></a>',
      ],
      ['a link in a button', '<button form="f"><a href="#link" id="t">Pay</a></button>'],
      ['a button in a link', '<a href="#link"><button form="f" id="t">Pay</button></a>'],
      ['a button without a form in a link', '<a href="#link"><button id="t">Pay</button></a>'],
      [
        'a button that sends nothing in a link',
        '<a href="#link"><button type="button" form="f" id="t">Pay</button></a>',
      ],
      [
        'a button in the label of another control',
        '<input type="checkbox" id="cb" aria-label="Box"><label for="cb">Agree <button form="f" id="t">Pay</button></label>',
      ],
      [
        'a part of a label of a button',
        '<button form="f" id="go">Go</button><label for="go"><span role="button" id="t">Pay</span></label>',
      ],
      [
        'a part of a box that is a link',
        '<div role="button" tabindex="0" id="t" style="width:90px"><svg width="90" height="40"><a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#link"><rect width="90" height="40"/></a></svg></div>',
      ],
      [
        'an anchor without an address in a link',
        '<a href="#link"><svg width="90" height="40" role="button" id="t"><a><rect width="90" height="40"/></a></svg></a>',
      ],
    ] as const) {
      await page.evaluate((markup) => {
        document.body.innerHTML = `<form id="f" action="#sent" aria-label="Payment"><input name="amount" value="500" aria-label="Amount"></form>${markup}`
        delete document.body.dataset['sent']
        document.onsubmit = (event) => {
          event.preventDefault()
          document.body.dataset['sent'] = 'yes'
        }
        history.replaceState(null, '', location.pathname)
      }, markup)
      const { ref } = (await call<{ matches: { ref: string }[] }>(page, 'dom_query', { selector: '#t' }))
        .matches[0] ?? {
        ref: '',
      }
      const { preview } = (await foresee(page, 'page_click', { target: ref })) as {
        preview: { url?: string; method?: string }
      }
      await page.locator('#t').click()
      const isSent = (await page.locator('body').getAttribute('data-sent')) === 'yes'
      const isFollowed = new URL(page.url()).hash === '#link'
      expect([preview.method !== undefined, preview.url?.endsWith('#link') ?? false], name).toEqual([
        isSent,
        isFollowed,
      ])
    }
  },
)

test.describe('values that the preview does not show', { tag: '@one-engine' }, () => {
  const markup = `<form aria-label="Payment"><label>Amount <input name="amount" value="5"></label><input type="hidden" name="to" value="A"><label>Password <input type="password" name="pw" value="one"></label>
    <label>Plan <select name="plan"><option value="1">Basic</option></select></label><label><input type="radio" name="r" value="x" checked> X</label><label><input type="radio" name="r" value="y"> Y</label><button name="do" value="pay">Pay</button></form>`
  for (const [tool, input, name, change] of [
    [
      'page_click',
      { target: 'Pay' },
      'a hidden field has another value',
      () => {
        ;(document.querySelector('[name=to]') as HTMLInputElement).value = 'B'
      },
    ],
    [
      'form_submit',
      { form: 'Payment' },
      'a hidden field was added',
      () =>
        document.querySelector('form')?.insertAdjacentHTML('beforeend', '<input type="hidden" name="iban" value="Z">'),
    ],
    ['form_submit', { form: 'Payment' }, 'a hidden field is gone', () => document.querySelector('[name=to]')?.remove()],
    [
      'page_click',
      { target: 'Pay' },
      'a password has another value',
      () => {
        ;(document.querySelector('[name=pw]') as HTMLInputElement).value = 'two'
      },
    ],
    [
      'form_submit',
      { form: 'Payment' },
      'an option stands for another value',
      () => {
        ;(document.querySelector('option') as HTMLOptionElement).value = '2'
      },
    ],
    [
      'page_click',
      { target: 'Pay' },
      'the button sends another value',
      () => {
        ;(document.querySelector('button') as HTMLButtonElement).value = 'steal'
      },
    ],
  ] as const) {
    test(`a change after the approval stops ${tool}: ${name}`, async ({ page, site }) => {
      await open(page, `${site}/test/pages/session/blank.html`)
      await page.evaluate((markup) => {
        document.body.innerHTML = markup
        document.addEventListener('submit', (event) => {
          event.preventDefault()
          document.body.dataset['sent'] = 'yes'
        })
      }, markup)
      await foresee(page, tool, input)
      await page.evaluate(change)
      const answer = await call<{ message: string }>(page, tool, input)
      expect(answer).toMatchObject({
        error: 'unavailable',
        message: expect.stringContaining('a hidden value changed'),
      })
      expect(answer.message).not.toMatch(/two|iban|steal/)
      expect(await page.locator('body').getAttribute('data-sent')).toBeNull()
    })
  }

  test('may be changed by the user: a typed password, another choice', async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    await page.evaluate((markup) => {
      document.body.innerHTML = markup
      document.addEventListener('submit', (event) => {
        event.preventDefault()
      })
    }, markup)
    await foresee(page, 'form_submit', { form: 'Payment' })
    await page.locator('[name=pw]').fill('typed by hand')
    await page.locator('[name=pw]').pressSequentially('!')
    await page.locator('[value=y]').click()
    expect(await submit(page, { form: 'Payment' })).toMatchObject({ submitted: true })
  })
})

test.describe('a page that navigates to another site during a click', { tag: '@S14' }, () => {
  for (const [name, act] of [
    ['a link whose address changes under the hand', (page: Page) => click(page, 'Swapped')],
    ['a link whose address changes as it is clicked', (page: Page) => click(page, 'Late')],
    ['a form whose action changes as it is sent', (page: Page) => submit(page, { form: 'Turning' })],
  ] as const) {
    test(`is blocked: ${name}`, async ({ page, site }) => {
      await start(page, site)
      const sent: string[] = []
      await page.route('https://elsewhere.example/**', (route) => {
        sent.push(route.request().url())
        return route.abort()
      })
      expect(await act(page)).toMatchObject({
        error: 'needs-approval',
        message: expect.stringMatching(/stopped before its effect.*https:\/\/elsewhere\.example/),
      })
      expect(sent).toEqual([])
    })
  }

  test('is blocked: a form in a shadow root', async ({ page, site }) => {
    await start(page, site)
    await page.evaluate(() => {
      const root = document
        .querySelector('main')!
        .appendChild(document.createElement('div'))
        .attachShadow({ mode: 'open' })
      const form = Object.assign(document.createElement('form'), {
        action: '/test/pages/page-tools/act.html',
        ariaLabel: 'Sheltered',
      })
      form.append(
        Object.assign(document.createElement('input'), { name: 'word', ariaLabel: 'Word' }),
        Object.assign(document.createElement('button'), { textContent: 'Send sheltered' }),
      )
      form.addEventListener('submit', () => {
        form.action = 'https://elsewhere.example/sheltered'
      })
      root.append(form)
    })
    expect(await submit(page, { form: 'Sheltered' })).toMatchObject({
      error: 'needs-approval',
      message: expect.stringContaining('https://elsewhere.example/'),
    })
  })

  test('is not blocked if the user navigates there', async ({ page, site }) => {
    await start(page, site)
    await page.route('https://elsewhere.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'there' }),
    )
    leaving(click(page, 'Slow'))
    await page.waitForFunction(() => document.activeElement?.id === 'slow')
    await page.locator('#foreign').click()
    await page.waitForURL(/elsewhere\.example/)
  })

  test('is blocked: a script', async ({ page, site }) => {
    await start(page, site)
    test.skip(!(await page.evaluate(() => 'navigation' in window)), 'This browser does not say where a script leads')
    expect(await click(page, 'Elsewhere by script')).toMatchObject({
      error: 'needs-approval',
      message: expect.stringContaining('https://elsewhere.example/'),
    })
    expect(path(page)).toBe('/test/pages/page-tools/act.html')
  })
})

test.describe('form_submit', { tag: '@one-engine' }, () => {
  test('reports validation errors by field, and submits nothing', async ({ page, site }) => {
    await start(page, site)
    await page.locator('[name=email]').fill('nonsense')
    const answer = await submit(page, { form: 'Booking' })
    expect(answer).toMatchObject({ submitted: false, form: 'form "Booking" by button "Book now"' })
    expect(answer.invalid?.map(({ field }) => field)).toEqual(['Name', 'Email'])
    expect(answer.invalid?.every(({ problem }) => problem.length > 5)).toBe(true)
    expect(path(page)).toBe('/test/pages/page-tools/act.html')
  })

  test('submits a form with its button and typed values, including an unread password', async ({ page, site }) => {
    await start(page, site)
    await call(page, 'form_fill', {
      fields: [
        { field: 'Name', value: 'Ada' },
        { field: 'Terms', value: true },
      ],
    })
    await page.locator('[name=password]').fill('hunter2')
    leaving(submit(page, { form: 'Booking' }))
    await page.waitForURL(/do=book/)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      name: 'Ada',
      email: '',
      password: 'hunter2',
      terms: 'on',
      csrf: 'SECRET-CSRF-TOKEN',
      do: 'book',
    })
  })

  test('a formnovalidate button submits without validation', async ({ page, site }) => {
    await start(page, site)
    leaving(submit(page, { button: 'Save draft' }))
    await page.waitForURL(/do=draft/)
  })

  test('reports the changes and errors of a form that the page handles itself', async ({ page, site }) => {
    await start(page, site)
    expect(await submit(page, { form: 'Handled' })).toMatchObject({
      submitted: true,
      changes: expect.stringContaining('Note taken by Send note'),
    })
    await call(page, 'form_fill', { fields: [{ field: 'Note', value: 'bad' }] })
    expect((await submit(page, { form: 'Handled' })).changes).toMatch(
      /textbox "Note" \[ref=e\d+\] \[invalid: Bad note\]: bad/,
    )
  })

  test('lists the forms if ambiguous, and refuses forms that cannot be submitted', async ({ page, site }) => {
    await start(page, site)
    expect(await submit(page)).toMatchObject({
      error: 'invalid-input',
      message: expect.stringMatching(/Pass a form.*"Booking" \[ref=e\d+\].*"Handled"/),
    })
    expect(await submit(page, { form: 'Booking', button: 'Send note' })).toMatchObject({
      error: 'invalid-input',
      message: expect.stringContaining('submits another form'),
    })
    await page.evaluate(() => {
      ;(document.querySelector('#booking [value=book]') as HTMLButtonElement).disabled = true
    })
    expect(await submit(page, { form: 'Booking' })).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('is disabled'),
    })
  })

  test('submits a form whose controls are named like its methods', async ({ page, site }) => {
    await start(page, site)
    const request = page.waitForRequest(/\/test\/pages\/sent/)
    leaving(submit(page, { form: 'Clobbered' }))
    expect((await request).method()).toBe('POST')
    await page.waitForURL(/\/test\/pages\/sent/)
  })
})

test.describe('page_navigate', () => {
  test('opens a path of this site; a fragment is not a navigation', async ({ page, site }) => {
    await start(page, site)
    expect(await go(page, '#tall')).toMatchObject({ url: '/test/pages/page-tools/act.html#tall' })
    leaving(go(page, 'blank.html'))
    await page.waitForURL(/blank\.html/)
  })

  test('reports that the browser stayed on the page', { tag: '@long' }, async ({ page, site }) => {
    await start(page, site)
    await page.route('**/a-file', (route) => route.fulfill({ status: 204, body: '' }))
    expect((await go(page, '/a-file')).changes).toContain('is still open')
  })
})

test('the target is outlined before the approval', { tag: '@S35' }, async ({ page, site }) => {
  await watchStage(page)
  await start(page, site)
  await foresee(page, 'page_click', { target: 'Count' })
  const { x, width } = (await page.locator('#count').boundingBox())!
  expect(await drawn(page)).toMatchObject([{ name: 'ring', box: { x: x - 4, width: width + 8 } }])
})

test('stop ends a click on a busy page within 200 ms, after one click', { tag: '@S35' }, async ({ page, site }) => {
  await start(page, site)
  const [code, frames, clicks] = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }>
    }
    // A page that says it is busy is waited for, much longer than a test may take to stop.
    document.body.setAttribute('aria-busy', 'true')
    const stop = new AbortController()
    let [clicks, pressed] = [0, () => {}]
    const down = new Promise<void>((resolve) => {
      pressed = resolve
    })
    document.querySelector('#count')!.addEventListener('click', () => {
      clicks++
      pressed()
    })
    const run = window.toolRun({ signal: stop.signal })
    const ended = pageTools
      .get('page_click')!
      .execute({ target: 'Count' }, run)
      .then(
        () => 'done',
        (thrown: Error) => thrown.name,
      )
    await down
    // Once the click has been made, what follows is the wait.
    await new Promise((resolve) => {
      requestAnimationFrame(resolve)
    })
    // In frames and not on a clock: a busy machine renders few of them.
    let rendered = 0
    const count = (): void => {
      rendered++
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
    stop.abort()
    return [await ended, rendered, clicks] as const
  })
  expect([code, clicks]).toEqual(['AbortError', 1])
  // 200 ms; the wait that was ended has hundreds.
  expect(frames).toBeLessThanOrEqual(12)
})
