// What a press has done is done: the page may hide, rename or replace the target as soon as the mouse or a key goes
// down. Then the rest of the action goes where a real mouse brings it, and no answer says that nothing was done.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Answer {
  readonly clicked?: string
  readonly how?: string
  readonly pressed?: string
  readonly changed?: boolean
  readonly changes?: string
  readonly error?: string
  readonly message?: string
}

const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'keydown', 'keyup']

/** Shows a page whose events are kept: `mousedown go`. `script` runs in it. */
async function show(page: Page, html: string, script = ''): Promise<void> {
  await page.evaluate(
    ([html, script, types]) => {
      const log: string[] = []
      const keep = (event: Event): void => {
        const { id, localName } = event.target as Element
        log.push(`${event.type} ${id || localName}`)
      }
      const scope = window as unknown as { log: string[]; ending?: AbortController }
      scope.log = log
      scope.ending?.abort()
      scope.ending = new AbortController()
      for (const type of types) document.addEventListener(type, keep, { capture: true, signal: scope.ending.signal })
      document.body.innerHTML = html
      document.body.append(Object.assign(document.createElement('script'), { textContent: `{${script}}` }))
    },
    [html, script, types] as const,
  )
}
const events = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { log: string[] }).log.splice(0))
const said = (page: Page): Promise<string | null> => page.locator('#out').textContent()

/**
 * Calls a tool after its question was shown, so that the action is compared with what was asked about. `more`: what the
 * page does in between, and what an earlier attempt was stopped before.
 */
async function ask(
  page: Page,
  name: string,
  input: object,
  { between = '', stopped }: { readonly between?: string; readonly stopped?: readonly object[] } = {},
): Promise<Answer> {
  await page.evaluate(
    ([name, input, between, stopped]) => {
      const { pageTools } = window as unknown as {
        pageTools: Map<string, Record<symbol, { preview(input: object, run: object): object }>>
      }
      const run = { toolCallId: 'call', sessionId: 'session', messages: [], ...(stopped ? { stopped } : {}) }
      pageTools.get(name)![Symbol.for('tool-agent.internals')]!.preview(input, run)
      document.body.append(Object.assign(document.createElement('script'), { textContent: between }))
    },
    [name, input, between, stopped] as const,
  )
  return call(page, name, input)
}
const click = (page: Page, target: string, more: object = {}): Promise<Answer> =>
  ask(page, 'page_click', { target, ...more })
const press = (page: Page, key: string, more: object = {}): Promise<Answer> => ask(page, 'page_press', { key, ...more })

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
})

/** What the page does to the target as the mouse goes down: `[on what, what]`. */
const reactions: Record<string, string> = {
  'is removed': "go.onmousedown = () => { go.remove(); out.textContent = 'done' }",
  'is hidden': "go.onmousedown = () => { go.hidden = true; out.textContent = 'done' }",
  'is hidden by pointerdown': "go.onpointerdown = () => { go.hidden = true; out.textContent = 'done' }",
  'is hidden with its list': "go.onmousedown = () => { box.hidden = true; out.textContent = 'done' }",
  'gets another name': "go.onmousedown = () => { go.textContent = 'Pause'; out.textContent = 'done' }",
  'gets another label': "go.onpointerdown = () => { go.setAttribute('aria-label', 'Pause'); out.textContent = 'done' }",
  'is covered': "go.onmousedown = () => { cover.hidden = false; out.textContent = 'done' }",
  'is disabled': "go.onmousedown = () => { go.disabled = true; out.textContent = 'done' }",
  'takes no clicks any more': "go.onmousedown = () => { go.style.pointerEvents = 'none'; out.textContent = 'done' }",
  'is replaced by an equal one':
    "box.onmousedown = () => { box.innerHTML = '<button id=again>Go</button>'; out.textContent = 'done' }",
}
const markup =
  '<style>[hidden]{display:none}</style><p id=out role=status style="height:1lh"></p><main id=main><div id=box><button id=go>Go</button></div><p id=under>Under</p></main>' +
  '<div id=cover hidden style="position:fixed;inset:0">Cover</div>'

test(
  'a target that changes under the press gets the events of a real mouse',
  { tag: '@one-engine' },
  async ({ page }) => {
    for (const [name, script] of Object.entries(reactions)) {
      await show(page, markup, script)
      const { x, y, width, height } = (await page.locator('#go').boundingBox())!
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.up()
      // A click on a box around the target is no click on what the user was asked about.
      const byHand = (await events(page)).filter((event) => !event.startsWith('click') || event === 'click go')
      await page.mouse.move(0, 0)
      await show(page, markup, script)
      const answer = await click(page, 'Go')
      expect.soft(await events(page), `a target that ${name}`).toEqual(byHand)
      expect.soft(answer, `a target that ${name}`).toMatchObject({ clicked: 'button "Go"', changed: true })
      expect.soft(await said(page), `a target that ${name}`).toBe('done')
    }
  },
)

/** The same as the key goes down, and whether the browser still clicks then. When it moves the focus is not fixed. */
const keyReactions = [
  ['is removed', "go.onkeydown = () => { go.remove(); out.textContent = 'done' }", false],
  ['is hidden', "go.onkeydown = () => { box.hidden = true; out.textContent = 'done' }", false],
  ['is disabled', "go.onkeydown = () => { go.disabled = true; out.textContent = 'done' }", false],
  ['gets another name', "go.onkeydown = () => { go.textContent = 'Pause'; out.textContent = 'done' }", true],
] as const

test('a target that changes under a key gets no click that a browser would not give', async ({ page }) => {
  for (const [name, script, isClicked] of keyReactions)
    for (const key of ['Enter', 'Space']) {
      await show(page, markup, script)
      const answer = await press(page, key, { target: 'Go' })
      const words = `${key} on a target that ${name}`
      const clicks = (await events(page)).filter((event) => event.startsWith('click'))
      expect.soft(clicks, words).toEqual(isClicked ? ['click go'] : [])
      expect.soft(answer, words).toMatchObject({ pressed: expect.stringContaining('button "Go"'), changed: true })
      expect.soft(await said(page), words).toBe('done')
    }
})

test('a link that leads elsewhere since the press is pressed and not followed, and the answer says so', async ({
  page,
}) => {
  const link = '<p id=out></p><a id=go href="#one">Read on</a>'
  await show(page, link, "go.onmousedown = go.onkeydown = () => { go.href = '#two'; out.textContent = 'pressed' }")
  const answer = await click(page, 'Read on')
  expect(answer).toMatchObject({ how: 'Pressed the mouse on', changed: true })
  expect(answer.changes).toMatch(/^The press changed it: it now leads to \S+#two\. So it was pressed and not clicked\./)
  expect(answer.changes).toContain('text: pressed')
  expect(await events(page)).toEqual(['pointerdown go', 'mousedown go', 'pointerup go', 'mouseup go'])
  await show(page, link, "go.onkeydown = () => { go.href = '#two'; out.textContent = 'pressed' }")
  expect(await press(page, 'Enter', { target: 'Read on' })).toMatchObject({
    default: 'turned',
    turned: expect.stringMatching(/^leads to .*#two$/),
    changes: expect.stringContaining('text: pressed'),
  })
  expect(await events(page)).toEqual(['keydown go', 'keyup go'])
})

test('no later part of an action says that nothing was done', async ({ page }) => {
  const rest = { changed: true, error: undefined }
  const list = '<ul id=box role=listbox aria-label=Towns><li id=go role=option>Zurich</li></ul><p id=out></p>'
  const hide = "box.hidden = true; out.textContent = 'Zurich chosen'"
  // Both clicks of two, a finger, the other buttons, and the mouse that rests over it first.
  for (const [how, type] of [
    ['double', 'mousedown'],
    ['double', 'click'],
    ['right', 'mousedown'],
    ['middle', 'pointerdown'],
    ['hold', 'pointerdown'],
  ] as const) {
    await show(page, list, `go.on${type} = () => { ${hide} }`)
    expect.soft({ error: undefined, ...(await click(page, 'Zurich', { how })) }, `${how} ${type}`).toMatchObject(rest)
    expect.soft(await said(page)).toBe('Zurich chosen')
  }
  await show(page, list, "go.onmouseenter = () => { go.textContent = 'Zug'; out.textContent = 'hovered' }")
  const [found] = (await call<{ matches: { ref: string }[] }>(page, 'dom_query', { text: 'Zurich' })).matches
  expect((await click(page, found!.ref, { hover: true })).message).toMatch(
    /The mouse is over it, and it was not clicked/,
  )
  // A drag that only a finger could do, of what its first attempt made unfit.
  await show(
    page,
    '<div id=go style="width:90px;height:30px;cursor:grab">Card</div><ul id=box><li>Done</li></ul><p id=out></p>',
    'go.onmouseup = () => { go.inert = true }',
  )
  const dragged = await ask(page, 'page_drag', { target: 'Card', to: 'Done' })
  expect(dragged).toMatchObject({ changed: false })
  // A text that is typed key by key, of which the first key turns its target away.
  await show(
    page,
    '<div id=go tabindex=0 aria-label=Board>Board</div><p id=out></p>',
    `go.onkeydown = ({ key }) => {
    out.textContent += key
    go.setAttribute('aria-label', 'Board of ' + key)
  }`,
  )
  expect(await ask(page, 'page_press', { target: 'Board', text: 'abc' })).toMatchObject({ did: 'Typed', changed: true })
  expect(await said(page)).toBe('abc')
})

test('after an attempt that was stopped, the answer speaks only of the time since', async ({ page }) => {
  const stopped = [{ effect: 'send', does: 'send', method: 'POST', url: '/orders' }]
  for (const [more, words] of [
    [{}, 'its target changed. Nothing was done. Call'],
    [{ stopped }, 'its target changed. Nothing was done since the attempt that was stopped. Call'],
  ] as const) {
    await show(page, '<a id=go href="#one">Read on</a>')
    const [found] = (await call<{ matches: { ref: string }[] }>(page, 'dom_query', { selector: '#go' })).matches
    const between = "document.querySelector('#go').textContent = 'Read more'"
    const answer = await ask(page, 'page_click', { target: found!.ref }, { between, ...more })
    expect(answer).toMatchObject({ error: 'unavailable', message: expect.stringContaining(words) })
  }
})

test.describe('the events of one hand come with the time between them that a page needs', () => {
  /** A page that keeps what is down in a state, as React does. It sees a change once it has rendered it. */
  const stateful = (render: string): string => `
    let state = [], rendered = []
    const set = (next) => { state = next; ${render} }
    const draw = () => { rendered = state; if (rendered.includes('Control') && rendered.includes('y')) out.textContent = 'unlocked' }
    document.onkeydown = ({ key }) => set([...rendered, key])
    document.onkeyup = ({ key }) => set(rendered.filter((one) => one !== key))
    go.onmousedown = () => set([...rendered, 'mouse'])
    go.onmouseup = () => { if (rendered.includes('mouse')) out.textContent = rendered.join('+'); set(rendered.filter((one) => one !== 'mouse')) }
`

  for (const [name, render] of [
    ['at the end of the task', 'queueMicrotask(draw)'],
    ['after a frame', 'requestAnimationFrame(() => setTimeout(draw))'],
  ] as const)
    test(`that renders ${name}`, async ({ page }) => {
      await show(page, '<p id=out></p><button id=go>Go</button>', stateful(render))
      expect(await press(page, 'Control+y')).toMatchObject({ changed: true })
      expect(await said(page)).toBe('unlocked')
      await click(page, 'Go', { with: 'Control+Shift' })
      expect(await said(page)).toBe('Control+Shift+mouse')
      // Nothing is held any more.
      expect((await events(page)).slice(-2)).toEqual(['keyup go', 'keyup go'])
    })

  test('and not more: nothing waits for a frame between the clicks of a double click', async ({ page }) => {
    await show(page, '<p id=out></p><button id=go>Go</button>', 'go.ondblclick = () => { out.textContent = "opened" }')
    await page.evaluate(() => {
      const { log } = window as unknown as { log: string[] }
      const original = window.requestAnimationFrame
      window.requestAnimationFrame = (run) => (log.push('frame'), original(run))
    })
    expect(await click(page, 'Go', { how: 'double' })).toMatchObject({ changed: true })
    const all = await events(page)
    const pair = ['pointerdown go', 'mousedown go', 'pointerup go', 'mouseup go', 'click go']
    expect(all.slice(all.indexOf('pointerdown go'), all.lastIndexOf('click go') + 1)).toEqual([...pair, ...pair])
    expect(await said(page)).toBe('opened')
  })
})
