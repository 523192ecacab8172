// Fields that have the names of what a form itself has: `form.parentNode` is then a field. The page stays readable, its
// private fields stay private, and no tool runs for ever.
import { resultsOf } from '../../../support/lab/requests.js'
import { expect, test } from '../../../support/page/session-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

const names = [
  'parentNode',
  'assignedSlot',
  'childNodes',
  'shadowRoot',
  'localName',
  'namespaceURI',
  'nodeType',
  'tagName',
  'ownerDocument',
  'matches',
  'closest',
  'getAttribute',
  'hasAttribute',
  'getRootNode',
  'contains',
  'checkVisibility',
  'getBoundingClientRect',
  'querySelector',
  'querySelectorAll',
  'compareDocumentPosition',
  'attributes',
  'children',
  'parentElement',
  'textContent',
  'innerText',
  'elements',
  'id',
  'title',
  'style',
  'name',
  'action',
]
const expected = [
  { label: 'Field', value: 'v' },
  { label: 'Card number', private: 'card' },
]

test('reads and fills a form whose fields hide its properties', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  for (const name of names) {
    await page.evaluate((name) => {
      document.body.innerHTML = `<h1>Before</h1><form aria-label="Orders"><p>Inside</p><label>Field <input name="${name}" value="v"></label><label>Card number <input name="k" value="CANARY-4111"></label><button type="button">Go</button></form><p>After</p>`
    }, name)
    const outline = await call<string>(page, 'page_read')
    expect(outline, name).toEqual(expect.any(String))
    for (const text of ['Before', 'Inside', 'After', 'button "Go"', 'textbox "Field"'])
      expect(outline, name).toContain(text)
    expect(outline, name).not.toContain('CANARY')
    expect(await call(page, 'form_read'), name).toMatchObject({ fields: expected })
    expect(await call(page, 'dom_query', { text: 'Inside' }), name).toMatchObject({ count: 1 })
    expect(await call(page, 'form_fill', { fields: [{ field: 'Field', value: 'w' }] }), name).toMatchObject([
      { ok: true, now: 'w' },
    ])
  }
  expect(await call(page, 'page_click', { target: 'Go' })).not.toHaveProperty('error')
})

test('does not submit a form whose field hides its destination, and names the field', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  for (const name of ['getAttribute', 'localName', 'getBoundingClientRect']) {
    await page.evaluate((name) => {
      document.body.innerHTML = `<form aria-label="Orders"><label>Field <input name="${name}" value="v"></label><button>Send</button></form>`
      document.onsubmit = (event) => {
        event.preventDefault()
        document.body.append('SENT')
      }
    }, name)
    for (const [tool, input] of [
      ['page_click', { target: 'Send' }],
      ['form_submit', { button: 'Send' }],
    ] as const) {
      expect(await call(page, tool, input), `${tool} ${name}`).toMatchObject({
        error: 'unavailable',
        message: expect.stringContaining(`field is named "${name}"`),
      })
    }
    expect(await page.locator('body').innerText()).not.toContain('SENT')
  }
})

test('ignores a marked form, whatever its fields are named', { tag: '@S17' }, async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  for (const name of ['hasAttribute', 'localName', 'parentNode', 'nodeType', 'getAttribute']) {
    await page.evaluate((name) => {
      document.body.innerHTML = `<h1>Before</h1><form data-tool-agent-ignore><p>CANARY-text</p><label>CANARY-label <input name="${name}" value="CANARY-value"></label></form>`
    }, name)
    const told = JSON.stringify([
      await call(page, 'page_read'),
      await call(page, 'form_read'),
      await call(page, 'dom_query', { selector: 'p, input' }),
    ])
    expect(told, name).toContain('Before')
    expect(told, name).not.toContain('CANARY')
  }
})

test(
  'a shown password of a later form stays private, whatever its fields are named',
  { tag: '@S17' },
  async ({ page, site }) => {
    for (const name of ['querySelectorAll', 'nodeType']) {
      await open(page, `${site}/test/pages/session/blank.html`)
      await call(page, 'form_read')
      await page.evaluate((name) => {
        document.body.innerHTML = `<form><input name="${name}"><label>Word <input type="password" value="CANARY-word"></label></form>`
      }, name)
      await page.evaluate(() => {
        ;(document.querySelector('[type=password]') as HTMLInputElement).type = 'text'
      })
      const told = JSON.stringify([await call(page, 'page_read'), await call(page, 'form_read')])
      expect(told, name).toContain('Word')
      expect(told, name).not.toContain('CANARY')
    }
  },
)

test('images named like document properties do not disturb reading, filling and approval', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    {
      calls: [
        { id: 'r', name: 'page_read', arguments: {} },
        { id: 'f', name: 'form_read', arguments: {} },
        { id: 'q', name: 'dom_query', arguments: { selector: 'h1' } },
        { id: 'w', name: 'page_wait', arguments: { text: 'Orders' } },
      ],
    },
    { calls: [{ id: 'w', name: 'form_fill', arguments: { fields: [{ field: 'Name', value: 'Grace' }] } }] },
    { calls: [{ id: 'c', name: 'page_click', arguments: { target: 'More' } }] },
    { text: 'Done.' },
  ])
  // Tall enough for the whole question.
  await page.setViewportSize({ width: 1280, height: 1100 })
  await page.goto(`${site}/test/pages/page-tools/clobbered.html?endpoint=${encodeURIComponent(endpoint.url)}`)
  await page.waitForFunction(
    () => window.agent?.status === 'ready' && window.agent.tools.some(({ name }) => name === 'page_click'),
  )
  await page.evaluate(() => {
    Object.assign(window, { sent: window.agent.send('Go').then(({ text }) => text) })
  })
  // Locators ask the document, which answers with images: the place of the button is found past them.
  const place = await page.waitForFunction(() => {
    const find = (root: Document | DocumentFragment, selector: string): Element | undefined => {
      const all = [
        ...(root instanceof Document ? Document : DocumentFragment).prototype.querySelectorAll.call(root, '*'),
      ] as Element[]
      return (
        all.find((one) => one.matches(selector)) ??
        all.flatMap((one) => (one.shadowRoot ? (find(one.shadowRoot, selector) ?? []) : []))[0]
      )
    }
    const button = find(document, 'tool-agent-approval .decision[data-ready] .approve')
    if (!button) return null
    const { left, top, width, height } = button.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  })
  const { x, y } = (await place.jsonValue()) ?? { x: 0, y: 0 }
  await page.mouse.click(x, y)
  expect(await page.evaluate(() => (window as unknown as { sent: Promise<string> }).sent)).toBe('Done.')
  const results = resultsOf(endpoint.requests.at(-1)).join('\n')
  for (const text of [
    'heading "Orders"',
    'textbox "Name"',
    '"count":1',
    '"met":true',
    '"now":"Grace"',
    'Clicked button "More"',
    'Here is more',
  ])
    expect(results).toContain(text)
  expect(endpoint.requests[0]?.raw).toContain('Clobbered')
})
