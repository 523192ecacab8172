// Controls that are not HTML elements, and pages that throw: every field of a call gets its own result, and the other
// fields are written.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
}

const fill = (page: Page, values: Record<string, unknown>): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: Object.entries(values).map(([field, value]) => ({ field, value })) })

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
})

for (const kind of ['svg', 'mathml'] as const)
  test(`fills controls that are ${kind} elements`, async ({ page }) => {
    await page.evaluate((kind) => {
      const [root, group, leaf] = kind === 'svg' ? ['svg', 'g', 'rect'] : ['math', 'mrow', 'mspace']
      const shape = `<${leaf} width="20" height="20" style="display: block; width: 20px; height: 20px"/>`
      const one = (role: string, name: string, more: string): string =>
        `<${group} role="${role}" aria-label="${name}" tabindex="0" ${more}>${shape}</${group}>`
      const area = (attributes: string, inner: string): string =>
        `<${root} width="100" height="30" style="display: block; width: 100px; height: 30px" ${attributes}>${inner}</${root}>`
      document.body.innerHTML = `<label>Before <input></label>
        ${area('role="radiogroup" aria-label="Stars"', one('radio', 'One', 'aria-checked="true"') + one('radio', 'Two', 'aria-checked="false"'))}
        ${area('', one('checkbox', 'Tea', 'aria-checked="false"'))}
        ${area('', one('switch', 'Lamp', 'aria-checked="false"'))}
        ${area('role="listbox" aria-label="Colour"', one('option', 'Red', 'aria-selected="true"') + one('option', 'Blue', 'aria-selected="false"'))}
        ${area('', one('slider', 'Volume', 'aria-valuenow="3" aria-valuemin="0" aria-valuemax="10"'))}
        ${area('', one('spinbutton', 'Rooms', 'aria-valuenow="1"'))}
        <div id="list" role="listbox" aria-label="Sizes" hidden><div role="option">Small</div><div role="option">Large</div></div>
        ${area('', `<${group} role="combobox" aria-label="Size" tabindex="0" aria-haspopup="listbox" aria-controls="list" aria-expanded="false"><text>Small</text>${shape}</${group}>`)}
        <label>After <input></label>`
      for (const control of document.querySelectorAll('[role=radio],[role=option],[role=checkbox],[role=switch]'))
        control.addEventListener('click', () => {
          const name = control.matches('[role=option]') ? 'aria-selected' : 'aria-checked'
          if (control.matches('[role=radio],[role=option]')) {
            const around = control.closest('[role=radiogroup],[role=listbox]')
            for (const other of around?.children ?? []) other.setAttribute(name, 'false')
            control.setAttribute(name, 'true')
          } else control.setAttribute(name, String(control.getAttribute(name) !== 'true'))
        })
      for (const slider of document.querySelectorAll('[role=slider],[role=spinbutton]'))
        slider.addEventListener('keydown', (event) => {
          const { key } = event as KeyboardEvent
          const by = Number(/^Arrow(Up|Right)$/.test(key)) - Number(/^Arrow(Down|Left)$/.test(key))
          slider.setAttribute('aria-valuenow', String(Number(slider.getAttribute('aria-valuenow')) + by))
        })
      const box = document.querySelector('[role=combobox]')
      const list = document.getElementById('list')
      box?.addEventListener('click', () => {
        box.setAttribute('aria-expanded', 'true')
        if (list) list.hidden = false
      })
      for (const option of list?.children ?? [])
        option.addEventListener('click', () => {
          const text = box?.querySelector('text')
          if (text) text.textContent = option.textContent
          box?.setAttribute('aria-expanded', 'false')
          if (list) list.hidden = true
        })
    }, kind)
    const wanted = {
      Before: 'a',
      Stars: 'Two',
      Tea: true,
      Lamp: true,
      Colour: 'Blue',
      Volume: 7,
      Rooms: 2,
      ...(kind === 'svg' ? { Size: 'Large' } : {}),
      After: 'b',
    }
    const results = await fill(page, wanted)
    expect(results).toHaveLength(Object.keys(wanted).length)
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    expect(results.map(({ now }) => now)).toEqual(
      Object.values(wanted).map((one) => (typeof one === 'number' ? String(one) : one)),
    )
    const undone = await call<Filled[]>(page, 'form_undo')
    expect(undone.filter(({ ok }) => !ok)).toEqual([])
  })

test('an svg element with contenteditable is no text field', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML =
      '<svg contenteditable="true" width="50" height="20"><text y="15">Drawing</text></svg><label>Name <input></label>'
  })
  expect(await call<object>(page, 'form_read')).toMatchObject({ fields: [{ label: 'Name' }] })
  expect(JSON.stringify(await call(page, 'page_read'))).toContain('Name')
})

/** A field between two others, all of which must get a result. */
const around = async (page: Page, value: unknown): Promise<Filled> => {
  const results = await fill(page, { Before: 'a', Middle: value, After: 'b' })
  expect(results).toMatchObject([
    { field: 'Before', now: 'a', ok: true },
    { field: 'Middle', ok: false, problem: expect.stringMatching(/^[A-Z].{20,}/s) },
    { field: 'After', now: 'b', ok: true },
  ])
  const [, middle] = results
  expect(middle?.problem).not.toMatch(/TypeError|is not a function|undefined|null/)
  expect(await page.locator('input').first().inputValue()).toBe('a')
  expect(await page.locator('input').last().inputValue()).toBe('b')
  if (!middle) throw new Error('No result')
  return middle
}
const drawAround = (page: Page, middle: string): Promise<void> =>
  page.evaluate((middle) => {
    document.body.innerHTML = `<label>Before <input></label>${middle}<label>After <input></label>`
  }, middle)

test('a setter of the page that throws is the result of its field', async ({ page }) => {
  await page.evaluate(() => {
    customElements.define(
      'a-rating',
      class extends HTMLElement {
        static formAssociated = true
        get value(): string {
          return ''
        }
        set value(_: string) {
          throw new Error('Out of range')
        }
      },
    )
  })
  await drawAround(page, '<a-rating aria-label="Middle" style="display: block; height: 20px"></a-rating>')
  expect((await around(page, '4')).problem).toContain('Out of range')
})

test('getters of the page that throw hide neither the other fields nor the page', async ({ page }) => {
  await page.evaluate(() => {
    class Broken extends HTMLElement {
      static formAssociated = true
    }
    for (const name of ['value', 'validity', 'validationMessage', 'required', 'labels', 'form', 'disabled', 'type'])
      Object.defineProperty(Broken.prototype, name, {
        get() {
          throw new Error('Not ready')
        },
      })
    customElements.define('a-broken', Broken)
  })
  await drawAround(page, '<a-broken aria-label="Middle" style="display: block; height: 20px">x</a-broken>')
  expect(await call(page, 'form_read')).toMatchObject({
    fields: [{ label: 'Before' }, { label: 'Middle' }, { label: 'After' }],
  })
  expect(JSON.stringify(await call(page, 'page_read'))).toContain('Middle')
  await around(page, '4')
})

test('methods of the page that throw are the result of their field', async ({ page }) => {
  for (const method of ['click', 'dispatchEvent', 'getBoundingClientRect', 'focus'] as const) {
    await drawAround(page, '<div role="checkbox" tabindex="0" aria-label="Middle" aria-checked="false">x</div>')
    await page.evaluate((method) => {
      const box = document.querySelector('[role=checkbox]') as HTMLElement
      const own = box[method] as (...args: unknown[]) => unknown
      Object.defineProperty(box, method, {
        value(...args: unknown[]) {
          if (method === 'getBoundingClientRect' && !new Error('Where').stack?.includes('MouseClick'))
            return own.apply(box, args)
          throw new Error('Busy')
        },
      })
    }, method)
    const results = await fill(page, { Before: 'a', Middle: true, After: 'b' })
    expect(results.map(({ field }) => [method, field])).toEqual(
      ['Before', 'Middle', 'After'].map((one) => [method, one]),
    )
    expect(results[0]).toMatchObject({ ok: true })
    expect(results[2]).toMatchObject({ now: 'b', ok: true })
  }
})

test('a field that the page removes while it is written is one result', async ({ page }) => {
  for (const event of ['focusin', 'input', 'click', 'mousedown', 'keydown']) {
    for (const [middle, value] of [
      ['<label>Middle <input></label>', 'x'],
      ['<label>Middle <select><option>a<option>b</select></label>', 'b'],
      ['<div role="checkbox" tabindex="0" aria-label="Middle" aria-checked="false">x</div>', true],
      ['<div role="slider" tabindex="0" aria-label="Middle" aria-valuenow="1">x</div>', 5],
      [
        '<div role="combobox" tabindex="0" aria-label="Middle" aria-haspopup="listbox" aria-expanded="true">x</div>',
        'y',
      ],
      ['<div contenteditable="true" aria-label="Middle">x</div>', 'y'],
    ] as const) {
      await drawAround(page, `<section>${middle}</section>`)
      await page.evaluate((event) => {
        const section = document.querySelector('section')
        section?.addEventListener(event, () => section.replaceChildren())
      }, event)
      const results = await fill(page, { Before: 'a', Middle: value, After: 'b' })
      expect(results.map(({ field }) => field)).toEqual(['Before', 'Middle', 'After'])
      expect(results[0]).toMatchObject({ now: 'a', ok: true })
      expect(results[2]).toMatchObject({ now: 'b', ok: true })
      const isThere = await page.evaluate(() => document.querySelector('section')?.childElementCount !== 0)
      if (!isThere) expect(results[1]).toMatchObject({ now: null, ok: false, problem: expect.stringMatching(/^[A-Z]/) })
    }
  }
})

test('a field that fails is written back by undo, and so are the others', async ({ page }) => {
  await page.evaluate(() => {
    customElements.define(
      'a-half',
      class extends HTMLElement {
        static formAssociated = true
        held = 'old'
        get value(): string {
          return this.held
        }
        set value(text: string) {
          this.held = text
          if (text !== 'old') throw new Error('Half written')
        }
      },
    )
  })
  await drawAround(page, '<a-half aria-label="Middle" style="display: block; height: 20px"></a-half>')
  expect(await fill(page, { Before: 'a', Middle: 'new', After: 'b' })).toMatchObject([
    { ok: true },
    { now: 'new', ok: false },
    { ok: true },
  ])
  expect(await call(page, 'form_undo')).toMatchObject([
    { now: '', ok: true },
    { now: 'old', ok: true },
    { now: '', ok: true },
  ])
})

test('a combobox does not take the text of its open pop-up for its value', async ({ page }) => {
  const days = Array.from({ length: 30 }, (_, at) => `<td tabindex="-1">${at + 1}</td>`).join('')
  const calendar = `<div class="box" style="position: absolute"><h2 aria-live="polite">April 2027</h2>
    <table role="grid"><tr><th>Su</th><th>Mo</th></tr><tr>${days}</tr></table></div>`
  const dialog = calendar.replace('class="box"', 'class="box" role="dialog" id="cal" aria-label="Choose"')
  const input = '<input id="date" role="combobox" aria-autocomplete="none" aria-haspopup="dialog" aria-expanded="true"'
  for (const html of [
    `<div><label for="date">Date</label></div><div class="group">${input} aria-controls="cal"><button tabindex="-1"
      aria-label="Choose"><svg width="10" height="10"></svg></button></div>${dialog}`,
    `<label for="date">Date</label><div>${input}>${calendar}</div>`,
    `<label for="date">Date</label><div>${input} aria-owns="cal"><div id="cal">Su Mo 1 2 3</div></div>`,
    `<label for="date">Date</label><div role="combobox" id="date" aria-label="Date" tabindex="0" aria-expanded="true"
      aria-controls="cal" aria-haspopup="dialog">${dialog}</div>`,
    `<div role="combobox" aria-label="Date" tabindex="0" aria-expanded="true"><ul role="listbox"><li role="option">One
      </li></ul></div>`,
  ]) {
    await page.evaluate((html) => {
      document.body.innerHTML = `<div>${html}</div>`
    }, html)
    const { fields } = await call<{ fields: { label: string; value: unknown }[] }>(page, 'form_read')
    expect(fields.filter(({ label }) => label === 'Date')).toMatchObject([{ value: '' }])
    expect(JSON.stringify(await call(page, 'page_read'))).not.toMatch(/combobox [^\\]*\\"Date\\"[^\\]*: /)
    const { matches } = await call<{ matches: { value: unknown }[] }>(page, 'dom_query', { role: 'combobox' })
    expect(matches).toMatchObject([{ value: '' }])
  }
})
