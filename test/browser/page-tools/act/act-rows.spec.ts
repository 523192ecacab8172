// Lists that write other rows into the same elements, as React does with `key={index}` and plain scripts do: a reference
// belongs to the row that was read, never to the row that has its place now, and the answer says which row is gone.
import type { Page } from 'playwright/test'
import { expect, openFramework, rowsByIndex, test } from '../../../support/page/frameworks.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

interface Effect {
  readonly changed: boolean
  readonly changes: string
  readonly error?: string
  readonly message?: string
}

/** How a row is drawn, with `#1`, `#2` … for its words. */
const layouts = {
  'a table with two buttons in a row': [
    '<table><tr><th>Name<th>Mail<th></tr>|</table>',
    '<tr><td>#1</td><td>#2@x.example</td><td><button>Edit</button><button data-delete>Delete</button></td></tr>',
  ],
  'a table with a state': [
    '<table><thead><tr><th>State<th>Name<th></thead><tbody>|</tbody></table>',
    '<tr><td>open</td><td>#1 today</td><td><button>Edit</button><button data-delete>Delete</button></td></tr>',
  ],
  'a list': ['<ul>|</ul>', '<li><span>#1</span> <button>Edit</button><button data-delete>Delete</button></li>'],
  'a list of tasks': [
    '<h2>To do</h2><ul>|</ul>',
    '<li><input type="checkbox" aria-label="Done #1"> Call #1 today <button>Edit</button> <button data-delete>Delete</button></li>',
  ],
  'boxes without roles': [
    '<div>|</div>',
    '<div class="row"><div><p>#1</p><p>open today</p></div><div><button>Edit</button><button data-delete>Delete</button></div></div>',
  ],
  'cards with clickable boxes': [
    '<section>|</section>',
    '<div class="card"><div class="head"><b>#1</b></div><div class="body"><p>Owes 30.00</p><div class="b">Edit</div><div class="b" data-delete>Delete</div></div></div>',
  ],
  'icons with names': [
    '<div>|</div>',
    '<span class="chip"><i>#1</i><button aria-label="Edit">✎</button><button data-delete aria-label="Delete">×</button></span>',
  ],
  'a grid': [
    '<div role="grid">|</div>',
    '<div role="row"><div role="gridcell">#1</div><div role="gridcell">12.00</div><div role="gridcell"><button>Edit</button><button data-delete>Delete</button></div></div>',
  ],
  'links to pages': [
    '<ol>|</ol>',
    '<li><a href="#/users">#1</a> waits <button>Edit</button><button data-delete>Delete</button></li>',
  ],
  'numbered rows': [
    '<ul>|</ul>',
    '<li><b>#n.</b> <span>#1</span> <button>Edit</button> <button data-delete>Delete</button></li>',
  ],
  'a comment under an article': [
    '<article><h2>News</h2><p>All is well.</p><div>|</div></article>',
    '<div class="c"><p>#1</p><button>Edit</button><button data-delete>Delete</button></div>',
  ],
  'right to left': [
    '<ul dir="rtl">|</ul>',
    '<li><span>#1</span> اليوم <button>Edit</button><button data-delete>Delete</button></li>',
  ],
} as const

/** Draws a list that keeps its elements: it only writes texts and names into them. */
async function draw(page: Page, site: string, layout: keyof typeof layouts, names: readonly string[]): Promise<void> {
  const [frame, row] = layouts[layout]
  await openMarkup(page, site, frame.replace('|', '<!--rows-->'), '.b{cursor:pointer}')
  await page.evaluate(
    ({ row, names }) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT)
      const mark = walker.nextNode()!
      const rows = [...names]
      const deleted: string[] = []
      const elements: Element[] = []
      const textsIn = (element: Element): (Text | Attr)[] => {
        const found: (Text | Attr)[] = []
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) found.push(texts.currentNode as Text)
        for (const one of [element, ...element.querySelectorAll('*')]) found.push(...one.attributes)
        return found
      }
      const drawn = (name: string, at: number): Element => {
        const template = document.createElement('template')
        template.innerHTML = row
          .replaceAll('#1', name)
          .replaceAll('#2', name.toLowerCase())
          .replaceAll('#n', `${at + 1}`)
        return template.content.firstElementChild!
      }
      const write = (): void => {
        while (elements.length > rows.length) elements.pop()!.remove()
        for (const [at, name] of rows.entries()) {
          const fresh = drawn(name, at)
          const known = elements[at]
          if (!known) {
            elements.push(fresh)
            mark.parentNode!.insertBefore(fresh, mark)
            fresh.querySelector('[data-delete]')!.addEventListener('click', () => {
              deleted.push(rows[elements.indexOf(fresh)]!)
              rows.splice(elements.indexOf(fresh), 1)
              write()
            })
            continue
          }
          const values = textsIn(fresh)
          for (const [index, text] of textsIn(known).entries()) text.nodeValue = values[index]!.nodeValue
        }
      }
      write()
      Object.assign(window, {
        deleted,
        show(...next: string[]) {
          rows.splice(0, rows.length, ...next)
          write()
        },
      })
    },
    { row, names },
  )
}
const show = (page: Page, ...names: string[]): Promise<void> =>
  page.evaluate((names) => (window as unknown as { show(...names: string[]): void }).show(...names), names)
const deleted = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { deleted: string[] }).deleted)
/** The references of all buttons with a name, in order. */
async function refsOf(page: Page, name: string): Promise<string[]> {
  const text = await call<string>(page, 'page_read')
  return [...text.matchAll(new RegExp(`"${name}"(?: in "[^"]*")? \\[ref=(e\\d+)\\]`, 'g'))].map(([, ref]) => ref!)
}
const click = (page: Page, target: string | undefined): Promise<Effect> => call(page, 'page_click', { target })
const names = ['Ann', 'Bob', 'Cid', 'Dee']
/** All variants run in the long run only. */
const tagged = (isSampled: boolean): { tag: string[] } => ({ tag: isSampled ? ['@F75'] : ['@F75', '@long'] })

const sampled = /two buttons|of tasks|clickable boxes|under an article/
for (const layout of Object.keys(layouts) as (keyof typeof layouts)[])
  test(`a reference never deletes the next row: ${layout}`, tagged(sampled.test(layout)), async ({ page, site }) => {
    await draw(page, site, layout, names)
    const refs = await refsOf(page, 'Delete')
    expect(refs).toHaveLength(4)
    const answer = await click(page, refs[1])
    expect(answer.changed, answer.changes).toBe(true)
    const [, gone = ''] = answer.changes.split('gone:')
    expect(gone, answer.changes).toContain('Bob')
    // What is numbered anew is a change of its text, and the row is still there.
    if (layout === 'numbered rows') expect(gone).not.toMatch(/button .*(Ann|Cid|Dee)|"[134]\."/)
    else expect(gone).not.toMatch(/Ann|Cid|Dee/)
    expect(await click(page, refs[1])).toMatchObject({
      error: 'stale-ref',
      message: expect.stringMatching(/^e\d+ \(\w+ "Delete" in ".*"\) is no longer on the page\./),
    })
    expect(await click(page, refs[2])).not.toHaveProperty('error')
    expect(await click(page, refs[3])).not.toHaveProperty('error')
    expect(await click(page, refs[0])).not.toHaveProperty('error')
    expect(await deleted(page)).toEqual(['Bob', 'Cid', 'Dee', 'Ann'])
  })

test('a reference never deletes the next row of React', { tag: '@long' }, async ({ page, site }) => {
  await openFramework(page, site, rowsByIndex)
  for (const [button, second, third] of [
    ['Delete', 'Bob', 'Cid'],
    ['Remove', 'Buy bread today', 'Call the bank today'],
    ['Discard', 'Bob', 'Cid'],
  ] as const) {
    const refs = await refsOf(page, button)
    const { changes } = await click(page, refs[1])
    const [, gone = ''] = changes.split('gone:')
    expect(gone).toContain(second)
    expect(gone).not.toContain(third)
    expect(await click(page, refs[1])).toMatchObject({ error: 'stale-ref' })
    expect(await click(page, refs[2])).not.toHaveProperty('error')
    expect((await deleted(page)).splice(-2)).toEqual([second, third])
  }
})

test.describe('a reference keeps its row', () => {
  /** Shows names, reads, shows others, and says what the reference of each of the first deletes then. */
  const after = async (page: Page, site: string, layout: keyof typeof layouts, was: string[], is: string[]) => {
    await draw(page, site, layout, was)
    const refs = await refsOf(page, 'Delete')
    await show(page, ...is)
    const found: string[] = []
    for (const ref of refs) {
      const answer = await click(page, ref)
      found.push(answer.error ?? (await deleted(page)).at(-1)!)
      await show(page, ...is)
    }
    return found
  }

  for (const layout of ['a table with two buttons in a row', 'boxes without roles', 'a list'] as const)
    test(
      `if the list is sorted, filtered or longer, and not on another page of it: ${layout}`,
      tagged(layout === 'boxes without roles'),
      async ({ page, site }) => {
        expect(await after(page, site, layout, names, ['Dee', 'Cid', 'Bob', 'Ann'])).toEqual(names)
        expect(await after(page, site, layout, names, ['Bob', 'Dee'])).toEqual(['stale-ref', 'Bob', 'stale-ref', 'Dee'])
        expect(await after(page, site, layout, names, ['Zoe', 'Yan', ...names])).toEqual(names)
        const stale = names.map(() => 'stale-ref')
        expect(await after(page, site, layout, names, ['Eve', 'Fay', 'Gus', 'Hal'])).toEqual(stale)
      },
    )

  const states = (page: Page, ...texts: (readonly [string, string])[]): Promise<void> =>
    page.evaluate((texts) => {
      for (const [selector, text] of texts) document.querySelector(selector)!.textContent = text
    }, texts)
  const pressed = (page: Page): Promise<string | null> =>
    page.evaluate(() => document.body.getAttribute('data-pressed'))
  const rows =
    (html: readonly string[], frame = '<table><tbody>|</tbody></table>') =>
    async (page: Page, site: string) => {
      await openMarkup(page, site, frame.replace('|', html.join('')))
      await page.evaluate(() =>
        document.addEventListener('click', ({ target }) =>
          document.body.setAttribute(
            'data-pressed',
            (target as Element).closest('[data-row]')?.getAttribute('data-row') ?? '',
          ),
        ),
      )
    }
  const tickets = rows([
    '<tr data-row="a"><td id="a1">open</td><td id="a2">Ticket A</td><td id="a3">12.30</td><td><button>Close</button></td></tr>',
    '<tr data-row="b"><td id="b1">closed</td><td id="b2">Ticket B</td><td id="b3">7.10</td><td><button>Close</button></td></tr>',
  ])
  test('if states, prices or a part of its name change', async ({ page, site }) => {
    for (const texts of [
      [['#a1', 'closed']],
      // The states of the two rows are exchanged.
      [
        ['#a1', 'closed'],
        ['#b1', 'open'],
      ],
      [
        ['#a3', '13.00'],
        ['#b3', '12.30'],
      ],
      [
        ['#a1', 'waiting for an answer'],
        ['#a3', '0.99'],
        ['#b1', 'gone'],
        ['#b3', '1.00'],
      ],
      [
        ['#a2', 'Ticket A (urgent)'],
        ['#a1', 'closed'],
      ],
    ] as const) {
      await tickets(page, site)
      const refs = await refsOf(page, 'Close')
      await states(page, ...texts)
      for (const [at, row] of ['a', 'b'].entries()) {
        expect(await click(page, refs[at])).not.toHaveProperty('error')
        expect(await pressed(page)).toBe(row)
      }
      expect(await refsOf(page, 'Close')).toEqual(refs)
    }
  })

  test('if the texts of many rows change again and again', async ({ page, site }) => {
    await rows(
      ['ACME', 'Umbrella', 'Initech'].map(
        (name) => `<li data-row="${name}"><span id="${name}">${name} 12.30 up</span> <button>Buy</button></li>`,
      ),
      '<ul>|</ul>',
    )(page, site)
    const refs = await refsOf(page, 'Buy')
    for (const text of ['12.45 down', '1,204 down since noon', 'no price now', 'suspended: ask your bank'])
      for (const [at, name] of ['ACME', 'Umbrella', 'Initech'].entries()) {
        await states(page, [`#${name}`, `${name} ${text}`])
        expect(await click(page, refs[at])).not.toHaveProperty('error')
        expect(await pressed(page)).toBe(name)
      }
  })

  test('if equal rows get a state', async ({ page, site }) => {
    await rows(
      [1, 2, 3].map((at) => `<li data-row="${at}"><span id="s${at}">Seat free</span> <button>Book</button></li>`),
      '<ul>|</ul>',
    )(page, site)
    const refs = await refsOf(page, 'Book')
    await states(page, ['#s2', 'Seat taken by you'])
    for (const [at, ref] of refs.entries()) {
      expect(await click(page, ref)).not.toHaveProperty('error')
      expect(await pressed(page)).toBe(String(at + 1))
    }
  })

  test('if its boxes are checked', async ({ page, site }) => {
    await rows(
      names.map(
        (name) =>
          `<div data-row="${name}"><label><input type="checkbox"> ${name}</label> <button>Delete</button></div>`,
      ),
      '<div>|</div>',
    )(page, site)
    await page.evaluate(() =>
      document.addEventListener('change', ({ target }) => (target as Element).closest('div')!.append(' done')),
    )
    const refs = await refsOf(page, 'Delete')
    for (const [at, name] of names.entries()) {
      await click(page, name)
      expect(await click(page, refs[at])).not.toHaveProperty('error')
      expect(await pressed(page)).toBe(name)
    }
  })

  test('if its name is edited, and not if another row takes its place', async ({ page, site }) => {
    await rows(
      ['Milk', 'Bread'].map(
        (name, at) => `<li data-row="${at}"><span id="n${at}">${name}</span> <button>Delete</button></li>`,
      ),
      '<label>New name <input id="name"></label><button id="save">Save</button><ul>|</ul>',
    )(page, site)
    await page.evaluate(() => {
      document.querySelector('#save')!.addEventListener('click', () => {
        document.querySelector('#n0')!.textContent = document.querySelector('input')!.value
      })
    })
    const refs = await refsOf(page, 'Delete')
    await call(page, 'form_fill', { fields: { 'New name': 'Oat drink' } })
    await click(page, 'Save')
    expect(await click(page, refs[0])).not.toHaveProperty('error')
    expect(await pressed(page)).toBe('0')
    await states(page, ['#n1', 'Salt'])
    expect(await click(page, refs[1])).toMatchObject({ error: 'stale-ref' })
  })

  test('not if only one row is left and another one takes its place', async ({ page, site }) => {
    await rows(['<h3 id="n">Bob</h3> <p>open today</p> <button>Delete</button>'], '<div>|</div>')(page, site)
    const [ref] = await refsOf(page, 'Delete')
    await states(page, ['#n', 'Cid'])
    expect(await click(page, ref)).toMatchObject({ error: 'stale-ref' })
    await draw(page, site, 'a table with two buttons in a row', ['Bob'])
    const [other] = await refsOf(page, 'Delete')
    await show(page, 'Cid')
    expect(await click(page, other)).toMatchObject({ error: 'stale-ref' })
  })

  test('if a single box says another state', async ({ page, site }) => {
    await rows(['<b>Cart</b> <span id="state">Ready</span> <button>Pay</button>'], '<div data-row="x">|</div>')(
      page,
      site,
    )
    const [ref] = await refsOf(page, 'Pay')
    for (const text of ['Loading…', 'Not saved', 'Saved at 12:30']) {
      await states(page, ['#state', text])
      expect(await click(page, ref)).not.toHaveProperty('error')
    }
  })

  for (const [name, frame, row] of [
    ['a list', '<ul>|</ul>', '<li><input> <button>Delete</button></li>'],
    ['boxes', '<div>|</div>', '<div><div><input></div><button>Delete</button></div>'],
    [
      'lines of an order',
      '<table><tbody>|</tbody></table>',
      '<tr><td><label>Item <input></label><td><select><option>1<option>2</select><td><button>Delete</button></tr>',
    ],
  ] as const)
    test(`not if only its fields say what it is, and they hold another row: ${name}`, async ({ page, site }) => {
      await openMarkup(page, site, frame.replace('|', row.repeat(4)))
      await page.evaluate(() => {
        const rows = ['red', 'green', 'blue', 'grey']
        const elements = [...document.querySelectorAll('button')].map((one) => one.closest('li,tr,body > div > div')!)
        const deleted: string[] = []
        const write = (): void => {
          while (elements.length > rows.length) elements.pop()!.remove()
          for (const [at, value] of rows.entries()) elements[at]!.querySelector('input')!.value = value
        }
        for (const [at, element] of elements.entries()) {
          element.querySelector('button')!.onclick = () => {
            deleted.push(...rows.splice(at, 1))
            write()
          }
          element.querySelector('input')!.oninput = ({ target }) => {
            rows[at] = (target as HTMLInputElement).value
          }
        }
        write()
        Object.assign(window, { deleted })
      })
      const refs = await refsOf(page, 'Delete')
      expect(refs).toHaveLength(4)
      // What somebody types is no other row, even if another one held it.
      await page.locator('input').nth(0).fill('blue')
      await page.locator('input').nth(2).fill('black')
      expect(await click(page, refs[1])).not.toHaveProperty('error')
      expect(await click(page, refs[1])).toMatchObject({ error: 'stale-ref' })
      expect(await click(page, refs[0])).not.toHaveProperty('error')
      expect(await deleted(page)).toEqual(['green', 'blue'])
    })

  test('and on a page of tables alone, the error lists their rows', async ({ page, site }) => {
    await draw(page, site, 'a table with two buttons in a row', names)
    const refs = await refsOf(page, 'Delete')
    await show(page, 'Ann', 'Eve')
    const { message = '' } = await click(page, refs[1])
    expect(message).toMatch(/The page has:[^]*Ann \|[^]*Eve \|[^]*button "Delete" \[ref=/)
  })

  test('not if one of several equal rows is gone', async ({ page, site }) => {
    await draw(page, site, 'a list', ['Draft', 'Draft', 'Letter', 'Note'])
    const refs = await refsOf(page, 'Delete')
    await click(page, refs[0])
    expect(await click(page, refs[0])).toMatchObject({ error: 'stale-ref' })
    await click(page, refs[2])
    expect(await deleted(page)).toEqual(['Draft', 'Letter'])
  })
})
