// page_drag on pages written by hand: what the browser drags, sliders, lists, and what the drag is predicted to do.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Answer {
  readonly error?: string
  readonly message?: string
  readonly changed?: boolean
  readonly dragged?: string
  readonly now?: string
  readonly refused?: true
  readonly keys?: string
  readonly details?: { readonly stopped?: readonly object[] }
}
type Tools = Map<
  string,
  {
    execute(input: object, run: object): unknown
    readonly [key: symbol]: { preview(input: object, run: object): object }
  }
>

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-click.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

const show = (page: Page, html: string, script = ''): Promise<void> =>
  page.evaluate(
    ([html = '', script = '']) => {
      document.body.innerHTML = html
      const own = document.createElement('script')
      own.textContent = `{window.log = [];${script}}`
      document.body.append(own)
    },
    [html, script],
  )
const log = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { log: string[] }).log)
const drag = (page: Page, input: object): Promise<Answer> => call<Answer>(page, 'page_drag', input)

/** The forecast of a call. */
const forecast = (page: Page, input: object): Promise<{ effect: string; preview: Record<string, unknown> }> =>
  page.evaluate((input) => {
    const { pageTools } = window as unknown as { pageTools: Tools }
    const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
    return pageTools.get('page_drag')?.[Symbol.for('tool-agent.internals')]?.preview(input, run)
  }, input) as never

/** Runs a call with a permission. `until`: the event, or the value of the thumb, after which the call is aborted. */
const act = (page: Page, input: object, effect: string, until?: string | number): Promise<Answer> =>
  page.evaluate(
    async ({ input, effect, until }) => {
      const { pageTools } = window as unknown as { pageTools: Tools }
      const abort = new AbortController()
      const watch = (): void => {
        const value = Number(document.querySelector('#thumb')?.getAttribute('aria-valuenow'))
        const { log } = window as unknown as { log: string[] }
        if (typeof until === 'number' ? value > until : log.includes(until ?? '')) abort.abort()
        else if (!abort.signal.aborted) requestAnimationFrame(watch)
      }
      if (until !== undefined) watch()
      const run = window.toolRun({ signal: abort.signal, permission: { effect, by: 'rule' } })
      try {
        return (await pageTools.get('page_drag')?.execute(input, run)) as object
      } catch (thrown) {
        const { code, name, message, details } = thrown as Error & { code?: unknown; details?: object }
        return { error: typeof code === 'string' ? code : name, message, details }
      }
    },
    { input, effect, until },
  ) as never

const columns = `<style>section { width: 200px; min-height: 200px; float: left; margin: 8px; background: #eee }
  div { padding: 8px; margin: 4px; background: #fff }</style>
  <section id=todo aria-label=Todo><h2>Todo</h2><div draggable=true>Card A</div><div draggable=true>Card B</div></section>
  <section id=done aria-label=Done><h2>Done</h2></section>`
const board = (over: string): string => `
  let dragged
  for (const type of ['pointerdown', 'mousedown', 'dragstart', 'pointercancel', 'dragenter', 'drop', 'dragend', 'mouseup', 'click'])
    document.addEventListener(type, (event) => {
      const { dataTransfer } = event
      log.push(type === 'dragend' ? type + ' ' + dataTransfer.dropEffect : type)
    }, true)
  for (const card of document.querySelectorAll('div')) card.addEventListener('dragstart', (event) => {
    dragged = card
    event.dataTransfer.setData('text/plain', card.textContent)
    event.dataTransfer.effectAllowed = 'move'
  })
  for (const column of document.querySelectorAll('section')) {
    column.addEventListener('dragover', (event) => { ${over} })
    column.addEventListener('drop', (event) => {
      log.push('data ' + event.dataTransfer.getData('text/plain'))
      column.append(dragged)
    })
  }`
const cards = (page: Page, id: string): Promise<string[]> => page.locator(`#${id} div`).allTextContents()

test.describe('what the browser drags', () => {
  const lanes = (open: string, close: string, title: string, list = ''): string =>
    `<style>#board { display: flex } .lane, #board > * { width: 200px; min-height: 160px; margin: 8px; background: #eee }
      .card { padding: 8px; background: #fff } .head { display: flex }</style><main><h1>Plan</h1><p>All</p><div id=board>` +
    ['Todo', 'Doing', 'Done']
      .map((name, at) => {
        const card = at === 0 ? '<div class=card draggable=true>Card A</div>' : ''
        return `${open.replace('ID', name.toLowerCase())}${title.replace('NAME', name)}${list.replace('</', `${card}</`) || card}${close}`
      })
      .join('') +
    '</div><footer>3 lanes</footer></main>'

  for (const [name, html] of [
    ['a heading alone in its column', lanes('<div class=lane id=ID>', '</div>', '<h2>NAME</h2>')],
    [
      'a heading in a row with a number and a button, above a list',
      lanes(
        '<div class=lane id=ID>',
        '</div>',
        '<div class=head><h2>NAME</h2><i>0</i><button>+</button></div>',
        '<div class=cards></div>',
      ),
    ],
    ['a heading in boxes without classes', lanes('<div id=ID>', '</div>', '<div><h3>NAME</h3></div>')],
    [
      'a title that is no heading',
      lanes('<div class=lane id=ID>', '</div>', '<div class=head>NAME</div>', '<div class=cards></div>'),
    ],
    [
      'a title in right-to-left columns',
      `<div dir=rtl>${lanes('<section class=lane id=ID>', '</section>', '<header><h2>NAME</h2></header>', '<div class=cards></div>')}</div>`,
    ],
  ] as const)
    test(`to the column below a title: ${name}`, async ({ page }) => {
      const script = `
        let dragged
        addEventListener('dragstart', (event) => { dragged = event.target; event.dataTransfer.effectAllowed = 'move' })
        for (const id of ['todo', 'doing', 'done']) {
          const lane = document.getElementById(id), cards = lane.querySelector('.cards') ?? lane
          cards.style.minHeight = '100px'
          cards.addEventListener('dragover', (event) => event.preventDefault())
          cards.addEventListener('drop', (event) => { log.push(id); cards.append(dragged) })
        }`
      await show(page, html, script)
      expect(await drag(page, { target: 'Card A', to: 'Done' })).toMatchObject({ changed: true })
      const { matches } = await call<{ matches: { ref: string }[] }>(page, 'dom_query', { text: 'Doing' })
      expect(await drag(page, { target: 'Card A', to: matches[0]!.ref })).toMatchObject({ changed: true })
      expect(await log(page)).toEqual(['done', 'doing'])
      expect(await forecast(page, { target: 'Card A', to: 'Done' })).toMatchObject({
        preview: { to: expect.stringContaining('"Done"') },
      })
    })

  test('a card moves to another column, with the events of a browser', async ({ page }) => {
    await show(page, columns, board('event.preventDefault()'))
    const answer = await drag(page, { target: 'Card A', to: 'Done' })
    expect(answer).toMatchObject({ changed: true, dragged: 'div "Card A" onto region "Done"' })
    expect(await cards(page, 'todo')).toEqual(['Card B'])
    expect(await cards(page, 'done')).toEqual(['Card A'])
    const events = await log(page)
    expect(events.filter((one) => one !== 'dragenter')).toEqual([
      'pointerdown',
      'mousedown',
      'dragstart',
      'pointercancel',
      'drop',
      'data Card A',
      'dragend move',
    ])
  })

  test('a drop that the page does not accept does not happen', async ({ page }) => {
    await show(page, columns, board(''))
    const answer = await drag(page, { target: 'Card A', to: 'Done' })
    expect(answer).toMatchObject({ changed: false, refused: true })
    expect(await cards(page, 'todo')).toEqual(['Card A', 'Card B'])
    expect((await log(page)).filter((one) => one.startsWith('d') && one !== 'dragenter')).toEqual([
      'dragstart',
      'dragend none',
    ])
  })

  test('an effect that the source does not allow is no drop', async ({ page }) => {
    await show(page, columns, board("event.preventDefault(); event.dataTransfer.dropEffect = 'copy'"))
    expect(await drag(page, { target: 'Card A', to: 'Done' })).toMatchObject({ changed: false, refused: true })
  })

  test('a drag that is stopped ends without a drop', async ({ page }) => {
    await show(page, columns, board('event.preventDefault()'))
    const answer = await act(page, { target: 'Card A', to: 'Done' }, 'unknown', 'dragenter')
    expect(answer.error).toBe('AbortError')
    expect((await log(page)).at(-1)).toBe('dragend none')
    expect(await cards(page, 'todo')).toEqual(['Card A', 'Card B'])
  })

  test('the outline shows what can be dragged', async ({ page }) => {
    await show(page, columns)
    expect(await call(page, 'page_read')).toMatch(/div "Card A" \[ref=e\d+\] \[draggable\]/)
  })
})

const slider = (type: 'mouse' | 'pointer'): [string, string] => [
  `<div style="position: relative; width: 300px; height: 20px; background: #ddd">
    <div id=thumb role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=100 aria-valuenow=20
      style="position: absolute; left: 60px; width: 20px; height: 20px; background: #669"></div></div>`,
  `const thumb = document.querySelector('#thumb')
  let start
  const move = (event) => {
    if (!start || event.buttons !== 1) return
    const left = Math.min(300, Math.max(0, start.left + event.clientX - start.x))
    thumb.style.left = left + 'px'
    thumb.setAttribute('aria-valuenow', Math.round(left / 3))
  }
  const down = (event) => { start = { x: event.clientX, left: parseFloat(thumb.style.left) } }
  const up = () => { start = undefined; log.push('up') }
  ${
    type === 'mouse'
      ? "thumb.onmousedown = down; document.addEventListener('mousemove', move); document.addEventListener('mouseup', up)"
      : `thumb.onpointerdown = (event) => { thumb.setPointerCapture(event.pointerId); down(event) }
         thumb.onpointermove = (event) => { if (thumb.hasPointerCapture(event.pointerId)) move(event) }
         thumb.onpointerup = up
         for (const type of ['gotpointercapture', 'lostpointercapture']) thumb['on' + type] = () => log.push(type)`
  }`,
]

test.describe('sliders and splitters', () => {
  test('a slider that only knows the mouse', async ({ page }) => {
    await show(page, ...slider('mouse'))
    expect(await forecast(page, { target: 'Volume', x: 90 })).toMatchObject({ effect: 'value' })
    expect(await act(page, { target: 'Volume', x: 90 }, 'value')).toMatchObject({ changed: true })
    expect(await page.getAttribute('#thumb', 'aria-valuenow')).toBe('50')
    expect(await log(page)).toEqual(['up'])
  })

  test('a slider that captures the pointer gets the events outside of it', async ({ page }) => {
    await show(page, ...slider('pointer'))
    expect(await act(page, { target: 'Volume', x: 90, y: 60 }, 'value')).toMatchObject({ changed: true })
    expect(await page.getAttribute('#thumb', 'aria-valuenow')).toBe('50')
    expect(await log(page)).toEqual(['gotpointercapture', 'up', 'lostpointercapture'])
    expect(await page.evaluate(() => Element.prototype.setPointerCapture.toString())).toContain('native code')
  })

  test('a drag that is stopped brings the mouse back and releases it', async ({ page }) => {
    await show(page, ...slider('mouse'))
    expect(await act(page, { target: 'Volume', x: 90 }, 'value', 22)).toMatchObject({ error: 'AbortError' })
    expect(await page.getAttribute('#thumb', 'aria-valuenow')).toBe('20')
    expect(await log(page)).toEqual(['up'])
  })

  test('a splitter', async ({ page }) => {
    await show(
      page,
      `<div id=panes style="display: flex; width: 400px; height: 100px"><div id=left style="width: 200px">Left</div>
        <div role=separator aria-label=Divider aria-valuenow=50 tabindex=0 style="width: 8px; background: #999"></div>Right</div>`,
      `const bar = document.querySelector('[role=separator]')
      bar.onpointerdown = (event) => {
        const from = event.clientX - document.querySelector('#left').offsetWidth
        const move = (event) => { document.querySelector('#left').style.width = event.clientX - from + 'px' }
        window.addEventListener('pointermove', move)
        window.addEventListener('pointerup', () => window.removeEventListener('pointermove', move), { once: true })
      }`,
    )
    expect(await forecast(page, { target: 'Divider', x: -50 })).toMatchObject({ effect: 'value' })
    expect(await act(page, { target: 'Divider', x: -50 }, 'value')).toMatchObject({ changed: true })
    expect(await page.evaluate(() => document.querySelector<HTMLElement>('#left')?.offsetWidth)).toBe(150)
  })

  test('a range of the browser is filled', async ({ page }) => {
    await show(page, '<label>Size <input type=range></label>')
    expect(await drag(page, { target: 'Size', x: 10 })).toMatchObject({ error: 'unavailable' })
  })
})

const list = (names: readonly string[], more = ''): string =>
  `<style>ul { width: 200px; padding: 0; list-style: none } li { height: 40px; background: #eee; border: 1px solid #999 }</style>
  <ul aria-label=Tasks id=tasks ${more}>${names.map((name) => `<li>${name}</li>`).join('')}</ul>`
/** A list whose items make place while one is moved. */
const sortable = (moved = ''): string => `
  let item
  document.querySelector('#tasks').onpointerdown = (event) => { item = event.target.closest('li') }
  document.addEventListener('pointermove', (event) => {
    const over = item && document.elementFromPoint(event.clientX, event.clientY)?.closest('li')
    if (!over || over === item) return
    const isForward = item.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING
    over[isForward ? 'after' : 'before'](item)
  })
  document.addEventListener('pointerup', () => { if (item) { ${moved} } item = undefined })
  document.addEventListener('click', () => log.push('click'))`
const tasks = (page: Page): Promise<string[]> => page.locator('#tasks li').allTextContents()

test.describe('lists', () => {
  for (const [target, place, to, order] of [
    ['One', 'after', 'Three', ['Two', 'Three', 'One', 'Four']],
    ['One', 'before', 'Three', ['Two', 'One', 'Three', 'Four']],
    ['Four', 'before', 'Two', ['One', 'Four', 'Two', 'Three']],
    ['Four', 'after', 'One', ['One', 'Four', 'Two', 'Three']],
  ] as const)
    test(`an item goes ${place} another one: ${target}, ${to}`, async ({ page }) => {
      await show(page, list(['One', 'Two', 'Three', 'Four']), sortable())
      const answer = await act(page, { target, to, place }, 'value')
      expect(answer).toMatchObject({ changed: true, dragged: `listitem "${target}" ${place} listitem "${to}"` })
      expect(await tasks(page)).toEqual(order)
      const at = order.indexOf(target)
      expect(answer.now).toContain(`after listitem "${order[at - 1]}"`)
      expect(await log(page)).toEqual([])
    })

  test('a destination out of view is scrolled into view', async ({ page }) => {
    const names = Array.from({ length: 30 }, (_, at) => `Task ${at + 1}.`)
    await show(page, `<div style="height: 200px; width: 240px; overflow: auto">${list(names)}</div>`, sortable())
    const answer = await act(page, { target: 'Task 1.', to: 'Task 25.', place: 'after' }, 'value')
    expect(answer).toMatchObject({ changed: true })
    expect((await tasks(page)).indexOf('Task 1.')).toBe(24)
  })

  test('a list that waits for a long press gets a touch', async ({ page, browserName }) => {
    test.skip(browserName === 'firefox', 'Firefox on a desktop has no touch events')
    await show(
      page,
      list(['One', 'Two', 'Three']),
      `let item, timer
      const tasks = document.querySelector('#tasks')
      tasks.addEventListener('touchstart', (event) => {
        const { target, timeStamp } = event
        const rest = () => {
          if (performance.now() - timeStamp > 400) item = target.closest('li')
          else timer = requestAnimationFrame(rest)
        }
        rest()
      })
      tasks.addEventListener('touchmove', (event) => {
        cancelAnimationFrame(timer)
        const { clientX, clientY } = event.touches[0]
        const over = item && document.elementFromPoint(clientX, clientY)?.closest('li')
        if (over && over !== item) over.after(item)
      })
      tasks.addEventListener('touchend', () => { item = undefined })`,
    )
    expect(await act(page, { target: 'One', to: 'Two', place: 'after' }, 'value')).toMatchObject({ changed: true })
    expect(await tasks(page)).toEqual(['Two', 'One', 'Three'])
  })

  test('a list that only knows keys says so', async ({ page }) => {
    await show(
      page,
      `<p id=how>Press space bar to lift the item.</p><ul><li tabindex=0 aria-describedby=how>One</li><li>Two</li></ul>`,
    )
    const answer = await act(page, { target: 'One', to: 'Two', place: 'after' }, 'value')
    expect(answer).toMatchObject({ changed: false, keys: 'Press space bar to lift the item.' })
  })
})

test.describe('the effect', () => {
  const two = `${list(['One', 'Two'])}<ul aria-label=Done><li>Three</li></ul>`
  for (const [effect, input, html] of [
    ['value', { target: 'One', to: 'Two' }, two],
    ['unknown', { target: 'One', to: 'Three' }, two],
    ['unknown', { target: 'One', y: 20 }, two],
    ['unknown', { target: 'One', to: 'Done' }, two],
    ['value', { target: 'A', to: 'B' }, '<div><p class=x draggable=true>A</p><p class=x draggable=true>B</p></div>'],
    ['unknown', { target: 'A', to: 'B' }, '<div><p class=x draggable=true>A</p><p class=y>B</p></div>'],
    ['unknown', { target: 'Card A', to: 'Done' }, columns],
    ['destroy', { target: 'One', to: 'Trash' }, `${two}<div role=region aria-label=Trash>drop here</div>`],
    ['destroy', { target: 'One', to: 'Papierkorb' }, `${two}<button>Papierkorb</button>`],
    ['destroy', { target: 'One', to: 'Delete' }, `${two}<button>Delete</button>`],
    ['destroy', { target: 'One', to: 'Old' }, `${two}<section aria-label=Trash><ul><li>Old</li></ul></section>`],
    ['send', { target: 'One', to: 'Publish' }, `${two}<section><h2>Publish</h2><p>drop here</p></section>`],
    ['unknown', { target: 'Knob', x: 20 }, '<div role=slider aria-label=Knob>o</div>'],
  ] as const)
    test(`${effect}: ${JSON.stringify(input)} on ${html.slice(-70)}`, async ({ page }) => {
      await show(page, html)
      expect(await forecast(page, input)).toMatchObject({ effect })
    })

  test('the question says what goes where', async ({ page }) => {
    await show(page, two)
    expect((await forecast(page, { target: 'One', to: 'Three', place: 'after' })).preview).toMatchObject({
      does: 'drag',
      on: { role: 'listitem', name: 'One' },
      target: 'listitem "One"',
      onto: { role: 'listitem', name: 'Three' },
      to: 'listitem "Three"',
    })
    const columns = ['To do', 'Done'].map(
      (name, at) => `<div><h3>${name}</h3><ul><li>Card ${at}</li><li>More ${at}</li></ul></div>`,
    )
    await show(page, `<main><h2>Board</h2>${columns.join('')}</main>`)
    const end = async (to: string) => (await forecast(page, { target: 'Card 0', to, place: 'after' })).preview
    expect(await end('Card 1')).toMatchObject({
      onto: { role: 'listitem', name: 'Card 1', place: { role: 'region', name: 'Done' } },
      to: 'listitem "Card 1" in region "Done"',
    })
    expect(await end('Done')).toMatchObject({ onto: { role: 'heading', name: 'Done' }, to: 'heading "Done"' })
  })

  test('an order that the page saves is saved', async ({ page }) => {
    await page.route('**/position', (route) => route.fulfill({ json: {} }))
    await show(
      page,
      list(['One', 'Two']),
      sortable("void fetch('/position', { method: 'PATCH', body: '[2,1]' }).catch(() => {})"),
    )
    expect(await act(page, { target: 'One', to: 'Two', place: 'after' }, 'value')).toMatchObject({ changed: true })
  })

  test('a request of the drop that deletes is stopped', async ({ page }) => {
    const sent: string[] = []
    await page.route('**/tasks/1', (route) => {
      sent.push(route.request().method())
      return route.fulfill({ json: {} })
    })
    await show(page, list(['One', 'Two']), sortable("void fetch('/tasks/1', { method: 'DELETE' }).catch(() => {})"))
    const answer = await act(page, { target: 'One', to: 'Two', place: 'after' }, 'value')
    expect(answer).toMatchObject({ error: 'needs-approval', details: { stopped: [{ effect: 'destroy' }] } })
    expect(sent).toEqual([])
  })
})

test.describe('what cannot be dragged', () => {
  const box = list(['One', 'Two'])
  for (const [error, input, html] of [
    ['invalid-input', { target: 'One' }, box],
    ['invalid-input', { target: 'One', to: 'Two', x: 1 }, box],
    ['invalid-input', { target: 'One', to: 'One' }, box],
    ['invalid-input', { target: 'Three', to: 'One' }, box],
    ['invalid-input', { target: 'One', to: 'Off' }, `${box}<div data-tool-agent-ignore>Off</div>`],
    ['unavailable', { target: 'One', to: 'Send' }, `${box}<button disabled>Send</button>`],
    ['unavailable', { target: 'One', to: 'Kind' }, `${box}<label>Kind <select><option>a</select></label>`],
  ] as const)
    test(`${error}: ${JSON.stringify(input)} ${html.slice(-30)}`, async ({ page }) => {
      await show(page, html)
      expect(await drag(page, input)).toMatchObject({ error })
    })
})

test.describe('boxes that stand freely', () => {
  const calendar = `<style>#day { position: relative; height: 400px } .event { position: absolute; width: 140px; cursor: move; background: #cfc }
    .event i { position: absolute; inset: auto 0 0 0; height: 7px; cursor: url(data:,), ns-resize } .hour { height: 40px }</style>
    <div id="day">${'<div class="hour"></div>'.repeat(10)}</div>`
  const script = `const day = document.querySelector('#day')
    for (let [name, left, top, height] of [['Budget', 10, 40, 80], ['Interview', 160, 240, 40]]) {
      const box = Object.assign(document.createElement('div'), { className: 'event', innerHTML: '<b>' + name + '</b><i></i>' })
      const show = () => Object.assign(box.style, { left: left + 'px', top: top + 'px', height: height + 'px' })
      show()
      box.onpointerdown = (event) => {
        const isEnd = event.target.localName === 'i', [x, y, from, size] = [event.clientX, event.clientY, [left, top], height]
        const move = (now) => {
          if (isEnd) height = size + Math.round((now.clientY - y) / 40) * 40
          else [left, top] = [from[0] + Math.round((now.clientX - x) / 150) * 150, from[1] + Math.round((now.clientY - y) / 40) * 40]
          show()
        }
        document.addEventListener('pointermove', move)
        document.addEventListener('pointerup', () => { document.removeEventListener('pointermove', move); log.push([name, left, top, height].join(' ')) }, { once: true })
      }
      day.append(box)
    }
    for (const hour of document.querySelectorAll('.hour')) hour.ondblclick = () => log.push('new at ' + [...day.children].indexOf(hour))`

  test('a box with a cursor of its own is listed, with the edges that resize it and the empty places', async ({
    page,
  }) => {
    await show(page, calendar, script)
    const outline = await call<string>(page, 'page_read')
    expect(outline).toMatch(/- div "Budget" \[ref=e\d+\] \[draggable\]\n\s+- handle "resize bottom"/)
    expect(outline.match(/- clickable \[ref=/g)).toHaveLength(10)
    const [, edge] = /handle "resize bottom" \[ref=(e\d+)\]/.exec(outline) ?? []
    expect(await act(page, { target: edge, y: 40 }, 'unknown')).toMatchObject({ changed: true })
    expect(await log(page)).toEqual(['Budget 10 40 120'])
    const [, second] = outline.match(/clickable \[ref=(e\d+)\]/g) ?? []
    await call(page, 'page_click', { target: /e\d+/.exec(second!)![0], how: 'double' })
    expect(await log(page)).toContain('new at 1')
  })

  test('a drop beside a box goes to the free place there, and is no order of a list', async ({ page }) => {
    await show(page, calendar, script)
    const input = { target: 'Interview', to: 'Budget', place: 'after' }
    expect(await forecast(page, input)).toMatchObject({ effect: 'unknown' })
    expect(await act(page, input, 'unknown')).toMatchObject({ changed: true })
    expect(await log(page)).toEqual(['Interview 10 120 40'])
  })

  test('a canvas and an area with a cross as its cursor are listed', async ({ page }) => {
    await show(
      page,
      `<canvas id="mainChart" width="200" height="150"></canvas><canvas width="16" height="16"></canvas>
       <div id="workArea" style="height: 150px; cursor: crosshair"><svg width="90" height="90"></svg></div>`,
    )
    const outline = await call<string>(page, 'page_read')
    expect(outline.match(/- canvas "[^"]*"/g)).toEqual(['- canvas "main chart"', '- canvas "work area"'])
  })
})
