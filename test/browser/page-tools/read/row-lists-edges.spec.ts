// Reading rows that are not in the document: what ends it, what it leaves as it was, and what it does not take for a
// list with more rows.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Options {
  readonly count?: number
  /** The text of a row. `#` is its number. */
  readonly text?: string
  /** More HTML of a row. */
  readonly extra?: string
  /** What the page sends at each scroll. */
  readonly sends?: string
}

/** A list of its own that keeps twenty rows in the document. */
const draw = (page: Page, { count = 300, text = 'Row #', extra = '', sends = '' }: Options = {}): Promise<void> =>
  page.evaluate(
    ({ count, text, extra, sends }) => {
      document.body.innerHTML = `<h1>Long</h1><div id="box" aria-label="Names" role="list" tabindex="0"
        style="height:300px;overflow:auto;scroll-behavior:smooth"><div id="inner" style="position:relative;height:${count * 30}px"></div></div>`
      const box = document.querySelector('#box')!
      const inner = document.querySelector('#inner')!
      const drawRows = (): void => {
        const from = Math.max(0, Math.floor(box.scrollTop / 30) - 3)
        inner.innerHTML = Array.from({ length: Math.min(20, count - from) }, (_, index) => {
          const at = from + index
          return `<div role="listitem" style="position:absolute;top:${at * 30}px;height:30px">${text.replace('#', String(at))}${extra}</div>`
        }).join('')
      }
      box.addEventListener('scroll', () => {
        if (sends !== '')
          void fetch('/seen', { method: sends, ...(sends === 'GET' ? {} : { body: 'x' }) }).catch(() => 0)
        drawRows()
      })
      drawRows()
    },
    { count, text, extra, sends },
  )
const read = (page: Page, input: object = {}): Promise<string> => call<string>(page, 'page_read', input)
const top = (page: Page): Promise<number> => page.locator('#box').evaluate((box) => Math.round(box.scrollTop))
/** The rows that are read. A button also names its row, after `in`. */
const rowsIn = (text: string): number[] =>
  [...text.replaceAll(/ in ".*?"/g, '').matchAll(/Row (\d+)/g)].map(([, digits]) => Number(digits))
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test.beforeEach(({ page, site }) => open(page, `${site}/test/pages/page-tools/act-scroll.html`))

test('a piece ends with a cursor, and the next one goes on with the next row', async ({ page }) => {
  await draw(page)
  let text = await read(page, { scope: 'Names', maxChars: 2_000 })
  expect(text).toMatch(/the first \d+ of about 300 rows read/)
  const all = rowsIn(text)
  expect(all.length).toBeLessThan(200)
  for (let cursor; (cursor = /next: cursor "(.*?)"/.exec(text)?.[1]); all.push(...rowsIn(text)))
    text = await read(page, { cursor, maxChars: 6_000 })
  expect(all).toEqual(numbers(300))
  expect(await top(page)).toBe(0)
})

test('rows that are equal are all listed', async ({ page }) => {
  await draw(page, { count: 120, text: 'Draft' })
  const text = await read(page, { scope: 'Names' })
  expect(text.match(/text: Draft$/gm)).toHaveLength(120)
})

test('the focus in a row and the position are restored', async ({ page }) => {
  await draw(page, { extra: ' <button>Open</button>' })
  await page.locator('#box').evaluate((box) => box.scrollTo({ top: 900, behavior: 'instant' }))
  const row = page.getByRole('listitem').filter({ hasText: /^Row 33 / })
  await row.getByRole('button').focus()
  expect(rowsIn(await read(page, { filter: 'Row 222' }))).toEqual([222])
  expect(await top(page)).toBe(900)
  await expect(row.getByRole('button')).toBeFocused()
})

test('the references of rows that are in the document again can be used', async ({ page }) => {
  await draw(page, { count: 80, extra: ' <button>Open</button>' })
  const text = await read(page, { scope: 'Names' })
  const refs = [...text.matchAll(/button "Open"(?: in ".*?")? \[ref=(e\d+)\]/g)].map(([, ref]) => ref)
  expect(refs.length).toBeGreaterThan(10)
  expect(refs.length).toBeLessThan(21)
  expect(await call(page, 'page_click', { target: refs[2] })).not.toHaveProperty('error')
})

test('the wheel of the visitor ends it', async ({ page }) => {
  await draw(page, { count: 20_000 })
  await page.mouse.move(50, 150)
  const started = page.waitForFunction(() => document.querySelector('#box')!.scrollTop > 600)
  const reading = read(page, { filter: 'No such words' })
  await started
  await page.mouse.wheel(0, 10)
  const text = await reading
  expect(text).toContain('stopped because the user scrolls or presses something')
  expect(await top(page)).toBeLessThan(600)
})

test('a stop of the call leaves the list where it was', async ({ page }) => {
  await draw(page, { count: 20_000 })
  const ended = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }>
    }
    const stop = new AbortController()
    const run = { signal: stop.signal, sessionId: 'session', toolCallId: 'call', messages: [], shared: new Map() }
    const box = document.querySelector('#box')!
    const moved = new Promise((resolve) => {
      box.addEventListener('scroll', resolve, { once: true })
    })
    const ended = pageTools
      .get('page_read')!
      .execute({ filter: 'No such words' }, run)
      .then(
        () => 'done',
        (thrown: Error) => thrown.name,
      )
    await moved
    stop.abort()
    return [await ended, Math.round(box.scrollTop)]
  })
  expect(ended).toEqual(['AbortError', 0])
})

for (const [sends, words] of [
  ['GET', /all 300 rows read/],
  ['POST', /stopped because scrolling it would send POST \/seen, which was prevented/],
] as const)
  test(`what scrolling sends by ${sends}`, async ({ page, site }) => {
    const sent: string[] = []
    await page.route(`${site}/seen`, (route) => {
      sent.push(route.request().method())
      return route.fulfill({ body: '' })
    })
    await draw(page, { sends })
    expect(await read(page, { filter: 'No such words' })).toMatch(words)
    expect(new Set(sent)).toEqual(new Set(sends === 'GET' ? ['GET'] : []))
  })

test('a list with input that was not sent is not scrolled', async ({ page }) => {
  await draw(page, { extra: ' <input aria-label="Note">' })
  await call(page, 'form_fill', { fields: { Note: 'x' } })
  const field = page.getByLabel('Note').nth(1)
  await field.fill('Buy milk')
  const text = await read(page, { filter: 'Row 222' })
  expect(text).toMatch(/not scrolled, because (it has input that was not sent|the user is in a field of it)/)
  await expect(field).toHaveValue('Buy milk')
})

test('a private value in a row cannot be found by guessing', { tag: '@S17' }, async ({ page }) => {
  await draw(page)
  await page.evaluate(() => {
    document
      .querySelector('h1')!
      .insertAdjacentHTML('afterend', '<input type="password" aria-label="Key" value="CANARY-7">')
    const box = document.querySelector('#box')!
    const mark = (): void => {
      for (const row of box.querySelectorAll('[role=listitem]'))
        if (row.textContent === 'Row 200') row.textContent = 'Row 200 CANARY-7'
    }
    new MutationObserver(mark).observe(box, { subtree: true, childList: true })
  })
  for (const answer of [
    await read(page, { filter: 'CANARY-7' }),
    JSON.stringify(await call(page, 'dom_query', { text: 'CANARY-7' })),
  ]) {
    expect(rowsIn(answer.replaceAll(/list e\d+: .*? rows read/g, ''))).toEqual([])
    expect(answer).not.toContain('"count":1')
  }
  const whole = await read(page, { scope: 'Names', maxChars: 40_000 })
  expect(whole).toContain('Row 200 [private]')
  expect(whole).not.toContain('CANARY')
})

test('an endless list is read for ten loads, and a cursor goes on', async ({ page, site }) => {
  let loads = 0
  await page.route(`${site}/more`, (route) => route.fulfill({ body: String(++loads) }))
  await page.evaluate(() => {
    document.body.innerHTML = '<ul id="box" aria-label="News" style="height:300px;overflow:auto"></ul>'
    const box = document.querySelector('#box')!
    const add = (): void => {
      for (let count = 0; count < 20; count++)
        box.insertAdjacentHTML('beforeend', `<li style="height:30px">Row ${box.childElementCount}</li>`)
    }
    let isLoading = false
    box.addEventListener('scroll', async () => {
      if (isLoading || box.scrollTop + box.clientHeight < box.scrollHeight - 5) return
      isLoading = true
      await fetch('/more')
      add()
      isLoading = false
    })
    add()
  })
  expect(rowsIn(await read(page, { scope: '#box', filter: 'Row 75' }))).toEqual([75])
  expect(await top(page)).toBe(0)
  const before = loads
  const text = await read(page, { scope: '#box', filter: 'No such words' })
  expect(text).toContain('stopped after it had loaded more 10 times')
  expect(loads - before).toBeLessThanOrEqual(13)
  const cursor = /cursor "(.*?)"/.exec(text)?.[1]
  await read(page, { cursor })
  expect(loads - before).toBeGreaterThan(13)
})

for (const [what, html] of [
  [
    'a long page with an empty part',
    `<main style="min-height:5000px">${'<section class="part"><h2>Part</h2><p>Text</p></section>'.repeat(5)}</main>`,
  ],
  [
    'a list that can be scrolled past its end',
    `<div style="height:300px;overflow:auto"><div style="padding-bottom:260px">${'<p class="row">Text</p>'.repeat(40)}</div></div>`,
  ],
  [
    'the hours of a day',
    `<div style="height:300px;overflow:auto"><div style="height:1440px;position:relative">${[1, 2, 7, 8]
      .map((hour) => `<div class="event" style="position:absolute;top:${hour * 60}px;height:30px">Event</div>`)
      .join('')}</div></div>`,
  ],
  ['cards with large gaps', `<div style="display:grid;gap:90px">${'<div class="card">Card</div>'.repeat(40)}</div>`],
] as const)
  test(`no list with more rows: ${what}`, async ({ page }) => {
    await page.evaluate((html) => {
      document.body.innerHTML = html
    }, html)
    expect(await read(page)).not.toContain('(list ')
    const positions = await page.evaluate(() => {
      let moves = 0
      addEventListener('scroll', () => moves++, true)
      Object.assign(window, { moves: () => moves })
      return scrollY
    })
    await read(page, { filter: 'No such words' })
    expect(await page.evaluate(() => (window as unknown as { moves(): number }).moves())).toBe(0)
    expect(await page.evaluate(() => scrollY)).toBe(positions)
  })

test('a grid whose role is around its box is read as rows, without those that are laid aside', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = `<div role="grid" aria-label="Names"><div role="row"><span role="columnheader">Name</span></div>
      <div id="box" style="height:300px;overflow:auto;position:relative"><div id="inner" style="height:9000px;position:relative"></div></div></div>`
    const box = document.querySelector('#box')!
    const drawRows = (): void => {
      const from = Math.max(0, Math.floor(box.scrollTop / 30) - 3)
      const rowAt = (top: number, name: string): string =>
        `<div role="row" style="position:absolute;height:30px;transform:translateY(${top}px)"><span role="gridcell">${name}</span> <span role="gridcell">Oslo</span></div>`
      document.querySelector('#inner')!.innerHTML =
        rowAt(-9999, 'Row 999') +
        Array.from({ length: Math.min(20, 300 - from) }, (_, index) =>
          rowAt((from + index) * 30, `Row ${from + index}`),
        ).join('')
    }
    box.addEventListener('scroll', drawRows)
    drawRows()
  })
  const text = await read(page, { scope: 'Names', maxChars: 40_000 })
  expect(rowsIn(text)).toEqual(numbers(300))
  expect(text).toContain('- | Row 250 | Oslo')
  expect(text).toContain('- header: Name')
})

test('a table that states more rows than it has says so', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = `<table aria-rowcount="401"><thead><tr aria-rowindex="1"><th>Name</th></tr></thead><tbody>${Array.from(
      { length: 20 },
      (_, index) => `<tr aria-rowindex="${index + 2}"><td>Row ${index}</td></tr>`,
    ).join('')}</tbody></table><p>1–20 of 400</p>`
  })
  expect(await read(page)).toMatch(/\(list e\d+: 20 of 400 rows are in the document\)/)
})

/** Puts the box back at the first scrolls beyond `from`, as a list does that measures its rows. */
const holdBack = (page: Page, from: number, times: number): Promise<void> =>
  page.locator('#box').evaluate(
    (box, { from, times }) => {
      let left = times
      box.addEventListener('scroll', () => {
        if (box.scrollTop <= from || left-- <= 0) return
        box.scrollTo({ top: from, behavior: 'instant' })
      })
    },
    { from, times },
  )

test('a list that is put back while it measures its rows is read to its end', async ({ page }) => {
  await draw(page, { count: 100 })
  await holdBack(page, 200, 3)
  const text = await read(page, { scope: 'Names', maxChars: 20_000 })
  expect(rowsIn(text)).toEqual(numbers(100))
  expect(text).toContain('all 100 rows read')
})

test('a list that the page always puts back is not said to be read whole', async ({ page }) => {
  await draw(page, { count: 100 })
  await holdBack(page, 200, Infinity)
  const text = await read(page, { scope: 'Names', maxChars: 20_000 })
  expect(text).toMatch(/the first \d+ of about 100 rows read; stopped because the page does not let it scroll further/)
  expect(text).not.toContain('all ')
})
