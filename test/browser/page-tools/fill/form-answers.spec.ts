// What form_fill answers where a page keeps less than it was given, where a label fits several fields, and what
// form_undo brings back.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  asked: unknown
  now: unknown
  ok: boolean
  problem?: string
}
const show = (page: Page, html: string): Promise<void> =>
  page.evaluate((html) => {
    document.body.innerHTML = html
  }, html)
const one = async (page: Page, field: string, value: unknown): Promise<Filled> => {
  const [answer] = await call<Filled[]>(page, 'form_fill', { fields: [{ field, value }] })
  if (!answer) throw new Error('No answer')
  return answer
}

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/form.html`)
})

test('a stripped sign is a changed value, added separators are not', { tag: '@F76' }, async ({ page }) => {
  await show(
    page,
    '<label>Amount <input></label> <label>Phone <input type="tel"></label> <label>Day <input></label> <label>Language <input></label> <label>Price <input></label>',
  )
  await page.evaluate(() => {
    const on = (index: number, change: (text: string) => string): void => {
      const input = document.querySelectorAll('input')[index] as HTMLInputElement
      input.addEventListener('input', () => {
        input.value = change(input.value)
      })
    }
    on(0, (text) => text.replace(/\D/g, ''))
    on(1, (text) => text.replace(/\D/g, '').replace(/^(\d{3})(\d{3})/, '($1) $2-'))
    on(2, (text) => text.replace(/\D/g, '').replace(/^(..)(..)/, '$1/$2/'))
    on(3, (text) => text.replace(/[^a-z]/gi, ''))
    on(4, (text) => Number(text).toLocaleString('en', { minimumFractionDigits: 2 }))
  })
  const changed = expect.stringContaining('The page changed the value')
  for (const [field, asked, now] of [
    ['Day', '2026-12-25', '20/26/1225'],
    ['Language', 'C++', 'C'],
  ] as const) {
    expect(await one(page, field, asked), `${field} ${asked}`).toMatchObject({ ok: false, now, problem: changed })
  }
  for (const [asked, made] of [
    ['12.50', '"1250" of 12.5'],
    ['-1.5', '"15" of -1.5'],
    [-5, '"5" of -5'],
  ] as const) {
    const problem = `The page makes ${made}. The former value is back`
    expect(await one(page, 'Amount', asked), `Amount ${asked}`).toMatchObject({ ok: false, now: '', problem })
  }
  for (const [field, asked, now] of [
    ['Amount', '1250', '1250'],
    ['Phone', '03012345', '(030) 123-45'],
    ['Price', '1234.5', '1,234.50'],
    ['Price', 1234.5, '1,234.50'],
  ] as const) {
    expect(await one(page, field, asked), `${field} ${asked}`).toMatchObject({ ok: true, now })
  }
})

test('numbers are parsed in the language of the page', async ({ page }) => {
  await show(
    page,
    '<div lang="de"><label>Länge <input type="number" step="any"></label></div><label>Width <input type="number" step="any"></label>',
  )
  for (const [field, asked, now] of [
    ['Länge', '1,234', '1.234'],
    ['Länge', '1.234', '1234'],
    ['Länge', 1.234, '1.234'],
    ['Länge', '1234.5', '1234.5'],
  ] as const)
    expect(await one(page, field, asked), `${field} ${asked}`).toMatchObject({ ok: true, now })
  expect(await one(page, 'Width', '1,234')).toMatchObject({ ok: true, now: '1234' })
})

test('a text under minlength is written and reported as a problem; an empty one is not', async ({ page }) => {
  await show(
    page,
    '<label>Code <input minlength="5" value="old code"></label> <label>Story <textarea minlength="5"></textarea></label>',
  )
  for (const field of ['Code', 'Story']) {
    expect(await one(page, field, 'abc')).toMatchObject({
      ok: false,
      now: 'abc',
      problem: 'The text has 3 characters, the minimum is 5',
    })
    expect(await one(page, field, 'abcde')).toMatchObject({ ok: true, now: 'abcde' })
    expect(await one(page, field, '')).toMatchObject({ ok: true, now: '' })
  }
})

test('equal checkboxes are a group only with a shared name or legend', async ({ page }) => {
  await show(
    page,
    '<ul><li><label><input type="checkbox"> Select</label> <li><label><input type="checkbox"> Select</label></ul> <label><input type="checkbox" name="days" value="mon"> Monday</label> <label><input type="checkbox" name="days" value="tue"> Tuesday</label>',
  )
  expect(await one(page, 'Select', true)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('Several fields match: "Select (1)"'),
  })
  expect(await page.locator(':checked').count()).toBe(0)
  expect(await call(page, 'form_fill', { fields: [{ field: 'days', value: ['Monday', 'tue'] }] })).toMatchObject([
    { field: 'Monday', ok: true, now: true },
    { field: 'Tuesday', ok: true, now: true },
  ])
})

test('a fill without changes keeps the undo of the fill before it', async ({ page }) => {
  await one(page, 'Full name', 'Ada')
  await one(page, 'Code name', 'too long a text')
  await one(page, 'Full name', 'Ada')
  expect(await call(page, 'form_undo')).toMatchObject([{ field: 'Full name', ok: true, now: '' }])
})

test('undo restores rich text with its markup, and dispatches events', async ({ page }) => {
  const rich = '<p>Hello <b>bold</b></p><ul><li>x</li></ul>'
  await show(page, `<div id="letter" aria-label="Letter" contenteditable>${rich}</div>`)
  expect(await one(page, 'Letter', 'new')).toMatchObject({ ok: true, now: 'new' })
  await page.evaluate(() => {
    const types: string[] = []
    for (const type of ['beforeinput', 'input'])
      document.addEventListener(type, (event) => {
        types.push(`${type} ${(event as InputEvent).inputType}`)
      })
    Object.assign(window, { types })
  })
  expect(await call(page, 'form_undo')).toMatchObject([
    { field: 'Letter', ok: true, now: expect.stringMatching(/^Hello bold\s+x$/) },
  ])
  expect(await page.locator('#letter').innerHTML()).toBe(rich)
  expect(await page.evaluate(() => (window as unknown as { types: string[] }).types)).toEqual([
    'beforeinput historyUndo',
    'input historyUndo',
  ])
})

test('undo restores only the text in an editor that rejects markup', async ({ page }) => {
  await show(page, '<div id="letter" aria-label="Letter" contenteditable><b>bold</b></div>')
  await page.evaluate(() => {
    const letter = document.querySelector('#letter') as HTMLElement
    // It knows text alone, and draws it anew after each change that did not come as typing.
    let model = 'bold'
    letter.addEventListener('input', (event) => {
      if ((event as InputEvent).inputType === 'historyUndo') letter.textContent = model
      else model = letter.innerText
    })
  })
  expect(await one(page, 'Letter', 'new')).toMatchObject({ ok: true })
  expect(await call(page, 'form_undo')).toMatchObject([{ ok: true, now: 'bold' }])
})

test('undo reports that a calendar cannot be cleared', async ({ page }) => {
  await show(page, '<label>Arrival <input readonly aria-haspopup="dialog"></label>')
  await page.evaluate(() => {
    const box = document.querySelector('input') as HTMLInputElement
    box.addEventListener('click', () => {
      if (document.querySelector('[role=dialog]')) return
      document.body.insertAdjacentHTML(
        'beforeend',
        '<div role="dialog"><table role="grid" aria-label="November 2026"><tr><td role="gridcell"><button aria-label="27 November 2026">27</button></table></div>',
      )
      document.querySelector('[role=dialog] button')?.addEventListener('click', () => {
        box.value = '2026-11-27'
        document.querySelector('[role=dialog]')?.remove()
      })
    })
  })
  expect(await one(page, 'Arrival', '2026-11-27')).toMatchObject({ ok: true })
  expect(await call(page, 'form_undo')).toMatchObject([
    {
      field: 'Arrival',
      ok: false,
      now: '2026-11-27',
      problem: 'The field was empty before, and a calendar cannot clear it',
    },
  ])
})

test('equal options are distinguished by group or value, and matched by either', async ({ page }) => {
  await show(
    page,
    '<label>City <select><option value="">None</option><optgroup label="Italy"><option value="it">Rome</option></optgroup><optgroup label="Georgia, USA"><option value="us">Rome</option></optgroup></select></label> <label>Room <select><option></option><option value="1">Double</option><option value="2">Double</option></select></label>',
  )
  expect(await one(page, 'City', 'Rome')).toMatchObject({
    ok: false,
    problem: 'Several options match: "Italy: Rome", "Georgia, USA: Rome". Pass exactly one of these',
  })
  for (const [asked, value] of [
    ['Italy: Rome', 'it'],
    ['Georgia, USA: Rome', 'us'],
    ['Italy Rome', 'it'],
    ['us', 'us'],
  ]) {
    expect(await one(page, 'City', asked), asked).toMatchObject({ ok: true, now: 'Rome' })
    expect(await page.locator('select').first().inputValue()).toBe(value)
  }
  expect(await one(page, 'Room', 'Double')).toMatchObject({
    ok: false,
    problem: 'Several options match: "Double (value 1)", "Double (value 2)". Pass exactly one of these',
  })
  expect(await one(page, 'Room', '2')).toMatchObject({ ok: true })
})

test('reading a long list takes linear time, also after a re-render', { tag: '@F80' }, async ({ page }) => {
  await page.evaluate(() => {
    const scope = window as unknown as { steps: number }
    scope.steps = 0
    const count = (of: object, name: string): void => {
      const told = Object.getOwnPropertyDescriptor(of, name) as PropertyDescriptor
      const { get, value } = told as { get?(): unknown; value?: (...rest: unknown[]) => unknown }
      Object.defineProperty(of, name, {
        ...told,
        ...(get
          ? {
              get(this: unknown) {
                scope.steps++
                return get.call(this)
              },
            }
          : {
              value(this: unknown, ...rest: unknown[]) {
                scope.steps++
                return value?.apply(this, rest)
              },
            }),
      })
    }
    count(Node.prototype, 'childNodes')
    count(Element.prototype, 'previousElementSibling')
    count(Array.prototype, 'includes')
  })
  const steps = async (tool: string, row: string, rows: number): Promise<number> => {
    await show(
      page,
      `<main>${Array.from({ length: rows }, (_, index) => row.replaceAll('#', String(index))).join('')}</main>`,
    )
    await page.evaluate(() => {
      ;(window as unknown as { steps: number }).steps = 0
    })
    await call(page, tool)
    return page.evaluate(() => (window as unknown as { steps: number }).steps)
  }
  for (const [tool, row] of [
    ['form_read', '<input>'],
    ['form_read', '<div><input></div>'],
    ['form_read', '<input placeholder="Name #">'],
    ['page_read', '<div>row # <a href="/#">link #</a> <input></div>'],
  ] as const) {
    const [few, many] = [await steps(tool, row, 150), await steps(tool, row, 600)]
    expect(few, row).toBeGreaterThan(100)
    expect(many / few, `${tool} ${row}: ${few}, ${many}`).toBeLessThan(6)
  }
})

test('a box with the role of a text field, which only takes keys, is read and not said to be filled', async ({
  page,
}) => {
  await show(page, '<h1 contenteditable></h1><div role="textbox" tabindex="0" aria-label="Remarks">old words</div>')
  const { fields, note } = await call<{ fields: { label: string; value: string }[]; note?: string }>(page, 'form_read')
  expect(fields.find(({ label }) => label === 'Remarks')).toMatchObject({ value: 'old words' })
  expect(note, 'an empty editor is no closed shadow root').toBeUndefined()
  expect(await one(page, 'Remarks', 'new')).toMatchObject({
    now: 'old words',
    ok: false,
    problem: 'It only takes keys: click it, then type with page_press',
  })
})

test('a time that a picker replaces by the present one is typed again with its seconds', async ({ page }) => {
  await show(page, '<label>From <input id="from"></label> <label>To <input id="to" value="08:15:00"></label>')
  await page.evaluate(() => {
    const pick = (id: string, takes: RegExp): void => {
      const input = document.getElementById(id) as HTMLInputElement
      let chosen = input.value
      input.onkeydown = ({ key }) => {
        if (key === 'Enter' && takes.test(input.value)) chosen = input.value
      }
      input.onblur = () => {
        chosen ||= '21:44:59'
        input.value = takes.test(input.value) ? chosen : '21:44:59'
      }
    }
    pick('from', /^\d\d:\d\d:\d\d$/)
    pick('to', /^08:/)
  })
  expect(await one(page, 'From', '10:30')).toMatchObject({ now: '10:30:00', ok: true })
  expect(await one(page, 'To', '09:20')).toMatchObject({ now: '08:15:00', ok: false })
})
