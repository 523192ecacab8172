// Pages that draw a whole list anew for each change: a reference keeps its row, the answer of an action names only what
// changed, and several actions in one step work with the references of one reading.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Effect {
  readonly changed: boolean
  readonly changes: string
  readonly error?: string
  readonly message?: string
}
type Kind = 'innerHTML' | 'unkeyed' | 'keyed'

/** A list of tasks. Each press draws it anew: all of its HTML, new elements, or elements that keep their key. */
const draw = (page: Page, kind: Kind, tasks: readonly string[], html = ''): Promise<void> =>
  page.evaluate(
    ({ kind, tasks, html }) => {
      const state = tasks.map((name, id) => ({ id, name, isDone: false }))
      document.body.innerHTML = '<h1>Tasks</h1><ul aria-label="Tasks"></ul><p id="count"></p>'
      const list = document.querySelector('ul')!
      const kept = new Map<number, HTMLElement>()
      const rowFor = ({ id, name, isDone }: (typeof state)[0]): string =>
        `<li${html.replace('#', String(id))}>${name}${isDone ? ' (done)' : ''} <button>${isDone ? 'Undo' : 'Done'}</button> <button>Delete</button></li>`
      const drawAll = (): void => {
        if (kind === 'innerHTML') list.innerHTML = state.map(rowFor).join('')
        else
          list.replaceChildren(
            ...state.map((task) => {
              const item = (kind === 'keyed' && kept.get(task.id)) || document.createElement('li')
              kept.set(task.id, item)
              item.innerHTML = rowFor(task).replace(/^<li[^>]*>|<\/li>$/g, '')
              return item
            }),
          )
        document.querySelector('#count')!.textContent = `${state.filter((task) => !task.isDone).length} open`
      }
      list.addEventListener('click', (event) => {
        const button = (event.target as Element).closest('button')
        if (!button) return
        const at = [...list.children].indexOf(button.closest('li')!)
        if (button.textContent === 'Delete') state.splice(at, 1)
        else state[at]!.isDone = !state[at]!.isDone
        drawAll()
      })
      Object.assign(window, {
        tasks: () => state.map(({ name, isDone }) => `${name}${isDone ? ' (done)' : ''}`),
        insert: (name: string) => {
          state.unshift({ id: state.length + 100, name, isDone: false })
          drawAll()
        },
      })
      drawAll()
    },
    { kind, tasks, html },
  )
const tasks = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { tasks(): string[] }).tasks())
const insert = (page: Page, name: string): Promise<void> =>
  page.evaluate((name) => (window as unknown as { insert(name: string): void }).insert(name), name)
/** The reference of a button by its row. */
async function refsOf(page: Page, name: string): Promise<Map<string, string>> {
  const lines = (await call<string>(page, 'page_read')).split('\n')
  const refs = new Map<string, string>()
  let row = ''
  for (const line of lines) {
    row = /text: (.*)/.exec(line)?.[1] ?? row
    const [, button, ref] = /button "(.*?)"(?: in ".*?")? \[ref=(e\d+)\]/.exec(line) ?? []
    if (button === name && ref) refs.set(row, ref)
  }
  return refs
}
const click = (page: Page, target: string | undefined): Promise<Effect> => call(page, 'page_click', { target })

test.beforeEach(({ page, site }) => open(page, `${site}/test/pages/session/blank.html`))

for (const kind of ['innerHTML', 'unkeyed', 'keyed'] as const) {
  test(`${kind}: the answer names only the row that changed`, async ({ page }) => {
    await draw(page, kind, ['Milk', 'Bread', 'Cheese', 'Dates', 'Eggs'])
    const refs = await refsOf(page, 'Done')
    const { changes } = await click(page, refs.get('Bread'))
    expect(changes).toContain('Bread (done)')
    expect(changes).toContain('button "Undo"')
    expect(changes).toContain('4 open')
    expect(changes).not.toMatch(/Milk|Cheese|Dates|Eggs|Delete/)
  })

  const many = kind === 'innerHTML' ? {} : { tag: '@long' }
  test(`${kind}: references of one reading are good for many presses`, many, async ({ page }) => {
    const names = Array.from({ length: 60 }, (_, index) => `Task number ${index + 1} of many`)
    await draw(page, kind, names)
    const refs = await refsOf(page, 'Done')
    for (const name of names.slice(0, 12)) {
      const answer = await click(page, refs.get(name))
      expect(answer.error, `${name}: ${answer.message}`).toBeUndefined()
      expect(answer.changes.length).toBeLessThan(600)
    }
    expect((await tasks(page)).filter((name) => name.endsWith('(done)'))).toEqual(
      names.slice(0, 12).map((name) => `${name} (done)`),
    )
  })

  test(`${kind}: a row above changes no reference`, async ({ page }) => {
    await draw(page, kind, ['Milk', 'Bread'])
    const refs = await refsOf(page, 'Delete')
    await insert(page, 'Apples')
    await click(page, refs.get('Bread'))
    expect(await tasks(page)).toEqual(['Apples', 'Milk'])
  })

  test(`${kind}: the reference of a deleted row is stale, and the error lists the others`, async ({ page }) => {
    await draw(page, kind, ['Milk', 'Bread', 'Cheese'], ' data-id="row #"')
    const refs = await refsOf(page, 'Delete')
    await click(page, refs.get('Milk'))
    const answer = await click(page, refs.get('Milk'))
    expect(answer.error).toBe('stale-ref')
    expect(answer.message).toMatch(/So named now:(\n- button "Delete".*\[ref=e\d+\].*){2}\n/)
    expect(await tasks(page)).toEqual(['Bread', 'Cheese'])
  })
}

test('equal rows that are drawn anew are no news, but for their new references', async ({ page }) => {
  await draw(page, 'innerHTML', ['Draft', 'Draft', 'Draft', 'Letter'])
  const refs = await refsOf(page, 'Done')
  const { changes } = await click(page, refs.get('Letter'))
  expect(changes).toContain('Letter (done)')
  expect(changes).not.toContain('Draft')
  expect(changes).not.toContain('button "Delete"')
  expect(changes).toMatch(/\(the page has drawn 6 elements anew, with new refs: page_read\)/)
})

/** Writes other texts into the same elements, as lists without keys and windows of long lists do. */
const write = (page: Page, names: readonly string[], first?: number): Promise<void> =>
  page.evaluate(
    ({ names, first }) => {
      const list = document.querySelector('ul') ?? document.body.appendChild(document.createElement('ul'))
      while (list.childElementCount < names.length) {
        const item = list.appendChild(document.createElement('li'))
        item.innerHTML = '<span></span> <button>Delete</button>'
        item.onclick = () => Object.assign(window, { pressed: item.textContent })
      }
      names.forEach((name, at) => {
        const item = list.children[at]!
        item.firstElementChild!.textContent = name
        if (first !== undefined) item.setAttribute('data-index', String(first + at))
      })
    },
    { names, ...(first === undefined ? {} : { first }) },
  )
const pressed = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => (window as unknown as { pressed?: string }).pressed)

for (const [what, before, after] of [
  ['other names', ['Milk', 'Bread'], ['Apples', 'Milk', 'Bread']],
  [
    'names with the same words',
    ['Task 1 of many', 'Task 2 of many'],
    ['Task 0 of many', 'Task 1 of many', 'Task 2 of many'],
  ],
] as const)
  test(`a reference follows its row if the elements show other rows: ${what}`, async ({ page }) => {
    await write(page, before)
    const refs = await refsOf(page, 'Delete')
    await write(page, after)
    for (const name of before) {
      expect(await click(page, refs.get(name))).not.toHaveProperty('error')
      expect(await pressed(page)).toBe(`${name} Delete`)
    }
    const now = await refsOf(page, 'Delete')
    for (const name of before) expect(now.get(name)).toBe(refs.get(name))
  })

for (const [what, first] of [
  ['without numbers', undefined],
  ['with numbers', 0],
] as const)
  test(`a row that is scrolled out of view is stale, although its elements are used again: ${what}`, async ({
    page,
  }) => {
    const rows = (from: number): string[] =>
      ['Ann', 'Ben', 'Cleo'].map((_, at) => `${['Ann', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn'][from + at]}`)
    const named = (names: string[]): string[] => (first === undefined ? names : names.map((name) => `Person ${name}`))
    await write(page, named(rows(0)), first)
    const refs = await refsOf(page, 'Delete')
    await write(page, named(rows(3)), first === undefined ? undefined : 3)
    for (const ref of refs.values()) expect(await click(page, ref)).toMatchObject({ error: 'stale-ref' })
    expect(await pressed(page)).toBeUndefined()
    await write(page, named(rows(0)), first)
    const [name, ref] = [...refs][1]!
    expect(await click(page, ref)).not.toHaveProperty('error')
    expect(await pressed(page)).toBe(`${name} Delete`)
  })

test('a row whose text changes by itself keeps its references', async ({ page }) => {
  await write(page, ['ACME 12.30 up', 'Umbrella 7.10 up'])
  const refs = await refsOf(page, 'Delete')
  await write(page, ['ACME 12.45 down', 'Umbrella 7.05 up'])
  expect(await click(page, refs.get('ACME 12.30 up'))).not.toHaveProperty('error')
  expect(await pressed(page)).toBe('ACME 12.45 down Delete')
})

test('a key that another row has now is not taken for the same row', async ({ page }) => {
  await draw(page, 'innerHTML', ['Milk', 'Bread', 'Cheese'], ' data-id="#"')
  const refs = await refsOf(page, 'Delete')
  await page.evaluate(() => {
    document.querySelector('ul')!.innerHTML = ['Bread', 'Salt']
      .map((name, at) => `<li data-id="${at}">${name} <button>Done</button> <button>Delete</button></li>`)
      .join('')
  })
  expect(await click(page, refs.get('Milk'))).toMatchObject({ error: 'stale-ref' })
  expect(await click(page, refs.get('Cheese'))).toMatchObject({ error: 'stale-ref' })
})
