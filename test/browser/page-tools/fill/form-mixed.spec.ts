// Checkboxes that are neither checked nor unchecked: they are read as mixed everywhere, and a fill either reaches the
// state or leaves the boxes that depend on it as they were.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
}

const fill = (page: Page, value: unknown, field = 'All rows'): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: [{ field, value }] })
const undo = (page: Page): Promise<{ fields?: [] } & Filled[]> => call(page, 'form_undo')

/** What a press on "All rows" does. `native`: what the browser did to the box itself is kept. */
type Behaviour = 'cycle' | 'select-all' | 'always-all' | 'later' | 'refuses'

/**
 * Three rows, the first one checked, below a box for all of them, which is mixed. Its kind decides how it keeps its
 * state, the behaviour what a press does.
 */
const draw = (page: Page, kind: 'native' | 'aria' | 'shadow', behaviour: Behaviour): Promise<void> =>
  page.evaluate(
    ([kind, behaviour]) => {
      const row = (name: string): string => `<label><input type="checkbox"> ${name}</label>`
      const head =
        kind === 'aria'
          ? '<div role="checkbox" tabindex="0" aria-checked="mixed" id="all">All rows</div>'
          : '<label><input type="checkbox" id="all"> All rows</label>'
      document.body.innerHTML = '<main></main>'
      const main = document.querySelector('main') as HTMLElement
      main.innerHTML = `${head}${['Ann', 'Bob', 'Cleo'].map((name) => `<div class="row">${row(name)}</div>`).join('')}`
      const all = main.querySelector('#all') as HTMLInputElement
      const rows = [...main.querySelectorAll<HTMLInputElement>('.row input')]
      if (kind === 'shadow')
        for (const item of main.querySelectorAll('.row')) item.attachShadow({ mode: 'open' }).append(...item.childNodes)
      const show = (): void => {
        const count = rows.filter(({ checked }) => checked).length
        const fewer = count === 0 ? 'false' : 'mixed'
        const state = count === rows.length ? 'true' : fewer
        if (kind === 'aria') all.setAttribute('aria-checked', state)
        else Object.assign(all, { checked: state === 'true', indeterminate: state === 'mixed' })
      }
      const set = (checked: boolean): void => {
        for (const one of rows) one.checked = checked
        show()
      }
      let state = 'mixed'
      let last = [true, false, false]
      all.addEventListener('click', () => {
        if (behaviour === 'always-all') return set(true)
        if (behaviour === 'refuses') return show()
        if (behaviour === 'later') {
          const wanted = state === 'mixed' ? 'true' : 'false'
          state = wanted
          setTimeout(() => set(wanted === 'true'), 120)
          return undefined
        }
        const count = rows.filter(({ checked }) => checked).length
        if (behaviour === 'cycle' && count === 0) {
          rows.forEach((one, at) => (one.checked = last[at] === true))
          return show()
        }
        if (count > 0 && count < rows.length) last = rows.map(({ checked }) => checked)
        return set(count < rows.length)
      })
      for (const one of rows) one.addEventListener('click', show)
      if (rows[0]) rows[0].checked = true
      show()
      Object.assign(window, { states: () => rows.map(({ checked }) => checked) })
    },
    [kind, behaviour] as const,
  )
const states = (page: Page): Promise<boolean[]> =>
  page.evaluate(() => (window as unknown as { states(): boolean[] }).states())

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
})

test('mixed is read from native boxes, roles and toggle buttons by every tool', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = `
      <label><input type="checkbox" id="native"> Native</label>
      <label><input type="checkbox" aria-checked="mixed"> Named</label>
      <label><input type="checkbox" data-indeterminate="true"> Styled</label>
      <div role="checkbox" tabindex="0" aria-checked="mixed">Box</div>
      <div role="switch" tabindex="0" aria-checked="mixed">Switch</div>
      <div role="menu" aria-label="View"><div role="menuitemcheckbox" tabindex="0" aria-checked="mixed">Item</div></div>
      <button aria-pressed="mixed">Bold</button>
      <ul role="tree" aria-label="Files"><li role="treeitem" tabindex="0" aria-checked="mixed">Folder</li></ul>
      <button id="mix">Mix</button><div role="checkbox" tabindex="0" aria-checked="false" id="later">Later</div>`
    ;(document.getElementById('native') as HTMLInputElement).indeterminate = true
    document.getElementById('mix')?.addEventListener('click', () => {
      document.getElementById('later')?.setAttribute('aria-checked', 'mixed')
    })
  })
  const text = await call<string>(page, 'page_read')
  const lines = JSON.stringify(text).split('\\n')
  const names = ['Native', 'Named', 'Styled', 'Box', 'Switch', 'Item', 'Bold', 'Folder']
  expect(
    names.filter((name) => !lines.some((line) => line.includes(`${name}\\"`) && line.includes('[mixed]'))),
  ).toEqual([])
  const { fields } = await call<{ fields: { label: string; value: unknown }[] }>(page, 'form_read')
  expect(fields.map(({ label, value }) => [label, value])).toEqual([
    ['Native', 'mixed'],
    ['Named', 'mixed'],
    ['Styled', 'mixed'],
    ['Box', 'mixed'],
    ['Switch', 'mixed'],
    ['Later', false],
  ])
  for (const [name, key] of [
    ['Native', 'value'],
    ['Box', 'value'],
    ['Box', 'checked'],
    ['Item', 'checked'],
    ['Bold', 'pressed'],
  ] as const) {
    const { matches } = await call<{ matches: Record<string, unknown>[] }>(page, 'dom_query', { name, limit: 1 })
    expect([name, key, matches[0]?.[key]]).toEqual([name, key, 'mixed'])
  }
  const clicked = await call<{ changes: string }>(page, 'page_click', { target: 'Mix' })
  expect(clicked.changes).toMatch(/Later.*\[mixed\]/)
})

for (const kind of ['native', 'aria', 'shadow'] as const) {
  test(`clears and sets a mixed box by as many presses as it takes: ${kind}`, async ({ page }) => {
    for (const behaviour of ['cycle', 'select-all', 'later'] as const)
      for (const value of [false, true]) {
        await draw(page, kind, behaviour)
        expect([behaviour, value, ...(await fill(page, value))]).toMatchObject([
          behaviour,
          value,
          { now: value, ok: true },
        ])
        expect(await states(page)).toEqual([value, value, value])
      }
  })

  test(`a mixed box that cannot be cleared is put back with the boxes that it checked: ${kind}`, async ({ page }) => {
    await draw(page, kind, 'always-all')
    expect(await fill(page, false)).toMatchObject([
      { now: 'mixed', ok: false, problem: expect.stringMatching(/mixed.*put back/) },
    ])
    expect(await states(page)).toEqual([true, false, false])
    await draw(page, kind, 'refuses')
    expect(await fill(page, false)).toMatchObject([{ now: 'mixed', ok: false }])
    expect(await states(page)).toEqual([true, false, false])
  })

  test(`undo makes a box mixed again, with the boxes that depend on it: ${kind}`, async ({ page }) => {
    for (const behaviour of ['cycle', 'select-all'] as const)
      for (const value of [false, true]) {
        await draw(page, kind, behaviour)
        await fill(page, value)
        expect(await undo(page)).toMatchObject([{ field: 'All rows', now: 'mixed', ok: true }])
        expect(await states(page)).toEqual([true, false, false])
      }
  })
}

test('names what could not be put back', async ({ page }) => {
  await draw(page, 'native', 'always-all')
  await page.evaluate(() => {
    // A row that lets itself be checked only.
    const bob = document.querySelectorAll('.row input')[1] as HTMLInputElement
    bob.addEventListener('click', (event) => {
      if (!bob.checked) event.preventDefault()
    })
  })
  const [result] = await fill(page, false)
  expect(result).toMatchObject({ ok: false, problem: expect.stringContaining('"Bob"') })
  expect(await states(page)).toEqual([true, true, false])
})

test('a press that is undone, a disabled and a read-only box change nothing', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = `
      <div role="checkbox" tabindex="0" aria-checked="mixed" aria-disabled="true">Off</div>
      <div role="checkbox" tabindex="0" aria-checked="mixed" aria-readonly="true">Fixed</div>
      <div role="checkbox" tabindex="0" aria-checked="mixed">Dead</div>
      <label><input type="checkbox" id="kept"> Kept</label>`
    const kept = document.getElementById('kept') as HTMLInputElement
    kept.indeterminate = true
    kept.addEventListener('click', (event) => event.preventDefault())
    Object.assign(window, { presses: 0 })
    for (const box of document.querySelectorAll('[role=checkbox]'))
      box.addEventListener('click', () => Object.assign(window, { presses: Reflect.get(window, 'presses') + 1 }))
  })
  const results = await call<Filled[]>(page, 'form_fill', {
    fields: ['Off', 'Fixed', 'Dead', 'Kept'].map((field) => ({ field, value: false })),
  })
  expect(results.map(({ field, now, ok }) => [field, now, ok])).toEqual([
    ['Off', 'mixed', false],
    ['Fixed', 'mixed', false],
    ['Dead', 'mixed', false],
    ['Kept', 'mixed', false],
  ])
  expect(results[1]?.problem).not.toContain('calendar')
  // A box that ignores a press is not pressed again and again.
  expect(await page.evaluate(() => Reflect.get(window, 'presses') as number)).toBe(1)
})

test('a box with three states goes on until the wanted one, and back if there is none', async ({ page }) => {
  const cycle = (order: string[], start: string): Promise<void> =>
    page.evaluate(
      ([order, start]) => {
        document.body.innerHTML = `<div role="checkbox" tabindex="0" aria-checked="${start}">All rows</div>`
        const box = document.querySelector('[role=checkbox]') as HTMLElement
        box.addEventListener('click', () => {
          const at = order.indexOf(box.getAttribute('aria-checked') ?? '')
          box.setAttribute('aria-checked', order[(at + 1) % order.length] ?? '')
        })
      },
      [order, start] as const,
    )
  for (const start of ['true', 'false', 'mixed'])
    for (const value of [true, false]) {
      for (const order of [
        ['mixed', 'true', 'false'],
        ['false', 'true', 'mixed'],
      ]) {
        await cycle(order, start)
        expect([start, value, ...(await fill(page, value))]).toMatchObject([start, value, { now: value, ok: true }])
      }
    }
  await cycle(['mixed', 'true'], 'mixed')
  expect(await fill(page, false)).toMatchObject([{ now: 'mixed', ok: false }])
  await cycle(['false', 'mixed'], 'false')
  expect(await fill(page, true)).toMatchObject([{ now: false, ok: false }])
  // What is there already needs no press.
  expect(await fill(page, 'mixed')).toMatchObject([{ now: false, ok: false }])
  await cycle(['mixed', 'true'], 'mixed')
  expect(await fill(page, 'mixed')).toMatchObject([{ now: 'mixed', ok: true }])
})

test('a native box without a script becomes mixed again by undo', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = '<label><input type="checkbox" id="all" checked> All rows</label>'
    ;(document.getElementById('all') as HTMLInputElement).indeterminate = true
  })
  const [result] = await fill(page, false)
  expect(result).toMatchObject({ now: false, ok: true })
  expect(await undo(page)).toMatchObject([{ now: 'mixed', ok: true }])
  expect(await page.evaluate(() => (document.getElementById('all') as HTMLInputElement).checked)).toBe(true)
})
