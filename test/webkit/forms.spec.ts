// The page tools in WebKit, through the element: what they read, and every kind of control filled and undone.
import { expect, test, visit } from '../support/page/webkit.js'
import type { WebDriver } from '../support/page/webdriver.js'

interface Filled {
  readonly field: string
  readonly now: unknown
  readonly ok: boolean
  readonly problem?: string
}

/** Calls a tool through the element; returns its output. */
function call<T>(webkit: WebDriver, name: string, input: object = {}): Promise<T> {
  return webkit.run(
    async (tool, given) => {
      const agent = document.querySelector('tool-agent')!
      while (!agent.tools.some((one) => one.name === tool))
        await new Promise((resolve) => {
          requestAnimationFrame(resolve)
        })
      return (await agent.callTool(tool, given as never)) as T
    },
    name,
    input,
  )
}

const controls = [
  ['text', 'Ada', '<input type="text">'],
  ['email', 'ada@example.org', '<input type="email">'],
  ['tel', '+49 40 123', '<input type="tel">'],
  ['url', 'https://example.org/', '<input type="url">'],
  ['search', 'tea', '<input type="search">'],
  ['number', '4', '<input type="number">'],
  ['range', '7', '<input type="range" min="0" max="10" value="3">'],
  ['date', '2026-11-27', '<input type="date">'],
  ['time', '19:30', '<input type="time">'],
  ['datetime-local', '2026-11-27T19:30', '<input type="datetime-local">'],
  ['month', '2026-11', '<input type="month">'],
  ['week', '2026-W48', '<input type="week">'],
  ['color', '#ff8800', '<input type="color">'],
  ['checkbox', true, '<input type="checkbox">'],
  ['textarea', 'one\ntwo', '<textarea></textarea>'],
  ['select', 'Green', '<select><option>Black<option>Green</select>'],
  ['several', ['Black', 'White'], '<select multiple><option>Black<option>Green<option>White</select>'],
] as const

const labelled = (name: string, html: string) =>
  `<p><label>The ${name} ${html.replace(/>/, ` name="${name}">`)}</label></p>`

const form = `<form id="all">${controls.map(([name, , html]) => labelled(name, html)).join('')}
<fieldset><legend>The radio</legend>
<label><input type="radio" name="radio" value="s" checked>Small</label>
<label><input type="radio" name="radio" value="l">Large</label></fieldset>
<p><label>The secret <input type="password" name="secret" value="hunter2"></label></p></form>`

const page = (
  body: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Every control</title></head>
<body><main>${body}</main>
<script type="module" src="/pages/session/webkit.js"></script></body></html>`

const values = (webkit: WebDriver) =>
  webkit.run(() => JSON.stringify([...new FormData(document.querySelector<HTMLFormElement>('#all')!)]))

test('every native control is read, filled and undone', async ({ webkit, serve }) => {
  const { origin } = await serve([], { files: { '/all.html': page(form) } })
  await visit(webkit, `${origin}/all.html?page-tools=read fill`)
  const before = await values(webkit)
  const { fields } = await call<{ fields: { label: string }[] }>(webkit, 'form_read')
  expect(fields.map(({ label }) => label).filter((label) => !label.includes('secret'))).toEqual([
    ...controls.map(([name]) => `The ${name}`),
    'The radio',
  ])
  expect(JSON.stringify(fields)).not.toContain('hunter2')
  const wanted = [
    ...controls.map(([name, value]) => ({ field: `The ${name}`, value })),
    { field: 'The radio', value: 'Large' },
  ]
  const filled = await call<Filled[]>(webkit, 'form_fill', { fields: wanted })
  expect(filled.filter(({ ok }) => !ok)).toEqual([])
  const now = new Map(JSON.parse(await values(webkit)) as [string, string][])
  for (const [name, value] of controls)
    if (typeof value === 'string') expect(now.get(name)?.replaceAll('\r\n', '\n'), name).toBe(value)
  expect([now.get('radio'), now.get('checkbox'), now.get('secret')]).toEqual(['l', 'on', 'hunter2'])
  expect((await call<Filled[]>(webkit, 'form_undo')).filter(({ ok }) => !ok)).toEqual([])
  expect(await values(webkit)).toBe(before)
})

test('controls that scripts draw are filled and undone', async ({ webkit, serve }) => {
  const { origin } = await serve([])
  await webkit.goto(`${origin}/pages/page-tools/form-widgets.html`)
  await webkit.run(async () => {
    await import('/tool-agent/tool-agent.js' as string)
    const element = document.createElement('tool-agent')
    for (const [name, value] of Object.entries({ endpoint: '/v1', model: 'm', 'page-tools': 'read fill' }))
      element.setAttribute(name, value)
    document.body.append(element)
  })
  const wanted = {
    Newsletter: 'yes',
    Volume: 7,
    Plan: 'pro',
    Colours: ['Red', 'Blue'],
    Country: 'Germany',
    Size: 'Large',
    Rating: '4',
  }
  const filled = await call<Filled[]>(webkit, 'form_fill', {
    fields: Object.entries(wanted).map(([field, value]) => ({ field, value })),
  })
  expect(filled.filter(({ ok }) => !ok)).toEqual([])
  expect(filled.map(({ now }) => now)).toEqual([true, '7', 'Pro', ['Red', 'Blue'], 'Germany', 'Large', '4'])
  const undone = await call<Filled[]>(webkit, 'form_undo')
  expect(undone.find(({ field }) => field === 'Volume')).toMatchObject({ ok: true, now: '3' })
  expect(undone.find(({ field }) => field === 'Newsletter')).toMatchObject({ ok: true, now: false })
})

test('page_read gives the text of the page and leaves out what is private', async ({ webkit, serve }) => {
  const { origin } = await serve([], {
    files: {
      '/text.html': page('<p>Daily from ten.</p><p data-tool-agent-ignore>Till code 4711</p><p hidden>Not shown</p>'),
    },
  })
  await visit(webkit, `${origin}/text.html?page-tools=read`)
  const read = JSON.stringify(await call(webkit, 'page_read'))
  expect(read).toContain('Daily from ten.')
  expect(read).not.toMatch(/4711|Not shown/)
})
