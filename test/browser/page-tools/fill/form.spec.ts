// form_read, form_fill and form_undo on every native control: what was asked, what the control holds, what the page saw.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

interface Filled {
  field: string
  asked: unknown
  now: unknown
  ok: boolean
  problem?: string
}
type FieldInfo = Record<string, unknown> & { label: string; ref: string }
const fill = (page: Page, fields: Record<string, unknown>, run = {}): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: Object.entries(fields).map(([field, value]) => ({ field, value })) }, run)
const one = async (page: Page, field: string, value: unknown): Promise<Filled> => {
  const [answer] = await fill(page, { [field]: value })
  if (!answer) throw new Error('No answer')
  return answer
}
const read = async (page: Page): Promise<FieldInfo[]> => (await call<{ fields: FieldInfo[] }>(page, 'form_read')).fields
const value = (page: Page, name: string): Promise<string> => page.locator(`[name=${name}]`).first().inputValue()

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/form.html`)
})

test('form_read returns label, type, value, constraints, options and group of each field', async ({ page }) => {
  const fields = await read(page)
  const field = (label: string) => fields.find((candidate) => candidate.label === label)
  expect(field('Full name')).toMatchObject({ type: 'text', name: 'name', value: '', required: true })
  expect(field('Email')).toMatchObject({ type: 'email' })
  expect(field('Guests')).toMatchObject({ type: 'number', value: '2', min: '1', max: '12' })
  expect(field('Spice')).toMatchObject({ type: 'range', value: '4', step: '2' })
  expect(field('Seating')).toMatchObject({ type: 'radio', value: '', options: ['Inside', 'Terrace'] })
  expect(field('Vegan')).toMatchObject({ type: 'checkbox', value: false, group: 'Diet' })
  expect(field('Occasion')).toMatchObject({
    type: 'select',
    value: 'Choose…',
    options: ['Choose…', 'Birthday', 'Anniversary'],
  })
  expect(field('Wines')).toMatchObject({ multiple: true, value: [] })
  expect(field('City')).toMatchObject({ options: ['Berlin', 'Bern'] })
  expect(field('Code name')).toMatchObject({ maxlength: 5 })
  expect(field('Reference')).toMatchObject({ readonly: true, value: 'R-1' })
  expect(field('Closed')).toMatchObject({ disabled: true })
  expect(field('Memo')).toMatchObject({ type: 'editable', value: 'old' })
  expect(new Set(fields.map(({ label }) => label)).size).toBe(fields.length)
  expect((await call<{ fields: FieldInfo[] }>(page, 'form_read', { form: 'Booking' })).fields).toHaveLength(
    fields.length,
  )
})

test('fills every native control in one call, reads back, and submits nothing', { tag: '@R8.1' }, async ({ page }) => {
  const results = await fill(page, {
    'Full name': 'Ada Lovelace',
    Email: 'ada@example.org',
    Phone: '+44 20 7946 0000',
    Website: 'https://example.org',
    Search: 'quiet',
    Notes: 'no shellfish\nby the window',
    Guests: 4,
    Spice: 6,
    Date: '27 November 2026',
    Time: '7:30 pm',
    Month: 'December 2026',
    Week: '2026-W48',
    Starts: '2026-11-27 19:30',
    Colour: 'teal',
    'Send me news': 'yes',
    Seating: 'Terrace',
    Diet: ['Vegan', 'No nuts'],
    Occasion: 'Birthday',
    Wines: ['Red', 'Rosé'],
    City: 'Bern',
    Memo: 'new text',
  })
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  const now = Object.fromEntries(results.map(({ field, now }) => [field, now]))
  expect(now).toMatchObject({
    'Full name': 'Ada Lovelace',
    Notes: 'no shellfish\nby the window',
    Guests: '4',
    Spice: '6',
    Date: '2026-11-27',
    Time: '19:30',
    Month: '2026-12',
    Week: '2026-W48',
    Starts: '2026-11-27T19:30',
    Colour: '#008080',
    'Send me news': true,
    Seating: 'Terrace',
    Vegan: true,
    'No nuts': true,
    'No gluten': false,
    Occasion: 'Birthday',
    Wines: ['Red', 'Rosé'],
    Memo: 'new text',
  })
  const data = await page.evaluate(() =>
    [...new FormData(document.querySelector('#booking') as HTMLFormElement)].map(
      ([name, entry]) => `${name}=${entry as string}`,
    ),
  )
  expect(data).toEqual(
    expect.arrayContaining([
      'name=Ada Lovelace',
      'guests=4',
      'date=2026-11-27',
      'time=19:30',
      'seat=out',
      'diet=vegan',
      'diet=nuts',
      'occasion=b',
      'wines=Red',
      'wines=Rosé',
    ]),
  )
  expect(data).not.toContain('diet=gluten')
  await read(page)
  expect(await page.evaluate(() => (window as unknown as { submits: number }).submits)).toBe(0)
})

test('dispatches the events of a user, in order', async ({ page }) => {
  const log = (name: string) =>
    page.evaluate(
      (name) =>
        (window as unknown as { log: string[] }).log
          .filter((entry) => entry.startsWith(`${name}:`))
          .map((entry) => entry.slice(name.length + 1)),
      name,
    )
  await fill(page, { 'Full name': 'Ada', Occasion: 'Birthday', 'Send me news': true, Date: '2026-11-27' })
  expect(await log('name')).toEqual(['focus', 'beforeinput', 'input', 'change', 'blur'])
  expect(await log('occasion')).toEqual(['focus', 'input', 'change', 'blur'])
  expect(await log('news')).toEqual(['focus', 'click', 'input', 'change', 'blur'])
  expect(await log('date')).toEqual(['focus', 'input', 'change', 'blur'])
})

test('finds a field by label, name, ref, id or part of the label, ignoring case', async ({ page }) => {
  const ref = (await read(page)).find(({ label }) => label === 'Phone')?.ref ?? ''
  for (const [field, name] of [
    ['full name', 'name'],
    ['notes', 'notes'],
    [ref, 'phone'],
    ['email', 'email'],
    ['Code', 'short'],
  ] as const) {
    expect(await one(page, field, 'x@y.z'), field).toMatchObject({ now: 'x@y.z', ok: true })
    expect(await value(page, name)).toBe('x@y.z')
  }
})

test('reports problems by field, and fills the other fields', async ({ page }) => {
  const problems: [string, unknown, RegExp][] = [
    ['Emial', 'x', /no field "Emial"\. Closest: "Email"/],
    ['No', true, /Several fields match: "No nuts" \(e\d+\), "No gluten" \(e\d+\)/],
    ['Occasion', 'Funeral', /no option "Funeral".*"Birthday", "Anniversary"/],
    ['Occasion', 'Wake', /disabled/],
    ['Seating', 'Bar', /disabled/],
    ['Reference', 'R-2', /read-only/],
    ['Closed', 'x', /disabled/],
    ['Guests', 'many', /not a number/],
    ['Date', 'someday', /not a valid date; use the format 2026-11-27/],
    ['Spice', 11, /not between 0 and 10/],
    ['Code name', 'too long a text', /15 characters, the maximum is 5/],
    ['Colour', 'reddish', /not a valid color/],
    ['Send me news', 'perhaps', /is not true or false/],
    ['Diet', ['Vegan', 'Halal'], /no "halal" in Diet\. Options: "Vegan", "No nuts", "No gluten"/],
    ['e999', 'x', /^stale-ref: /],
  ]
  for (const [field, asked, problem] of problems) {
    const answer = await one(page, field, asked)
    expect(answer, field).toMatchObject({ ok: false, asked, problem: expect.stringMatching(problem) })
  }
  const results = await call<Filled[]>(page, 'form_fill', {
    fields: [
      { field: 'Nope', value: '1' },
      { field: 'Full name', value: 'Ada' },
    ],
  })
  expect(results.map(({ ok }) => ok)).toEqual([false, true])
  expect(await call(page, 'form_fill', { fields: [] })).toMatchObject({ error: 'invalid-input' })
})

test('reports a written value that is invalid, with the message', async ({ page }) => {
  const answer = await one(page, 'Email', 'not an address')
  expect(answer).toMatchObject({ ok: false, now: 'not an address' })
  expect(answer.problem).toMatch(/@|email address/)
  expect(await one(page, 'Guests', 20)).toMatchObject({ ok: false, now: '20', problem: expect.stringContaining('12') })
  expect((await read(page)).find(({ label }) => label === 'Guests')?.['error']).toContain('12')
})

test(
  'reports the current value if the page reformats or rejects the requested one',
  { tag: '@F76' },
  async ({ page }) => {
    await page.evaluate(() => {
      const phone = document.querySelector<HTMLInputElement>('[name=phone]')
      phone?.addEventListener('input', () =>
        requestAnimationFrame(() => {
          phone.value = phone.value.replace(/\D/g, '').replace(/(\d{3})(?=\d)/g, '$1 ')
        }),
      )
      const name = document.querySelector<HTMLInputElement>('[name=name]')
      name?.addEventListener('change', () =>
        queueMicrotask(() => {
          name.value = ''
        }),
      )
      document.querySelector('[name=search]')?.addEventListener('beforeinput', (event) => event.preventDefault())
      const site = document.querySelector<HTMLInputElement>('[name=site]')
      site?.addEventListener('blur', () => {
        site.value = 'https://changed.example'
      })
    })
    expect(await one(page, 'Phone', '555-123-4567')).toMatchObject({ ok: true, now: '555 123 456 7' })
    expect(await one(page, 'Full name', 'Ada')).toMatchObject({
      ok: false,
      now: '',
      problem: expect.stringContaining('did not accept'),
    })
    expect(await one(page, 'Search', 'x')).toMatchObject({ ok: false, now: '', problem: 'The page refused the input' })
    expect(await one(page, 'Website', 'https://mine.example')).toMatchObject({
      ok: false,
      now: 'https://changed.example',
      problem: expect.stringContaining('changed'),
    })
  },
)

test('works with the value tracking of frameworks', { tag: '@F76' }, async ({ page }) => {
  const seen = await page.evaluate(async () => {
    // As React does: an own property that notes what was set, and a change only where the two differ.
    const input = document.querySelector<HTMLInputElement>('[name=name]') as HTMLInputElement
    const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') as PropertyDescriptor
    let tracked = ''
    const seen: string[] = []
    Object.defineProperty(input, 'value', {
      configurable: true,
      get() {
        return native.get?.call(this) as string
      },
      set(text: string) {
        tracked = text
        native.set?.call(this, text)
      },
    })
    input.addEventListener('input', () => {
      if (input.value !== tracked) {
        tracked = input.value
        seen.push(input.value)
      }
    })
    Object.assign(window, { seen })
    return seen
  })
  expect(seen).toEqual([])
  await one(page, 'Full name', 'Ada')
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['Ada'])
})

test('retries a field that a later field enables', async ({ page }) => {
  await page.evaluate(() => {
    const occasion = document.querySelector('[name=occasion]')
    document
      .querySelector('[name=news]')
      ?.addEventListener('change', () => requestAnimationFrame(() => occasion?.append(new Option('Funeral', 'f'))))
  })
  const results = await fill(page, { Occasion: 'Funeral', 'Send me news': true })
  expect(results).toMatchObject([{ field: 'Occasion', ok: true, now: 'Funeral' }, { ok: true }])
})

test('skips a field that the user is editing, and never takes the focus', { tag: '@F79' }, async ({ page }) => {
  await page.locator('[name=notes]').click()
  await page.evaluate(() => {
    const scope = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }>
      reports: unknown[]
      answer: Promise<unknown>
      waiting: Promise<void>
      go(): void
    }
    let go = (): void => undefined
    scope.waiting = new Promise((resolve) => {
      go = resolve
    })
    scope.go = go
    // The first field's change keeps the frames busy until the user has typed.
    const frame = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (callback) => {
      void scope.waiting.then(() => frame(callback))
      return 0
    }
    const timer = window.setTimeout.bind(window)
    window.setTimeout = ((callback: () => void, ms: number) =>
      timer(() => {
        void scope.waiting.then(callback)
      }, ms)) as typeof setTimeout
    const run = {
      signal: new AbortController().signal,
      toolContext: {},
      sessionId: 's',
      toolCallId: 'c',
      messages: [],
      shared: new Map(),
      remember() {},
      report(progress: unknown) {
        scope.reports.push(progress)
      },
    }
    scope.answer = scope.pageTools.get('form_fill')?.execute(
      {
        fields: [
          { field: 'Full name', value: 'Ada' },
          { field: 'Notes', value: 'from the agent' },
          { field: 'Phone', value: '123' },
        ],
      },
      run,
    ) as Promise<unknown>
  })
  await page.keyboard.type('mine')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('notes')
  const results = (await page.evaluate(() => {
    const scope = window as unknown as { answer: Promise<unknown>; go(): void }
    scope.go()
    return scope.answer
  })) as Filled[]
  expect(results).toMatchObject([
    { ok: true },
    { ok: false, now: 'mine', problem: expect.stringContaining('the user is editing') },
    { ok: true },
  ])
  expect(await value(page, 'notes')).toBe('mine')
})

test('works in a hidden tab', async ({ page }) => {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
    window.setTimeout = (() => 0) as unknown as typeof setTimeout
  })
  expect(await one(page, 'Full name', 'Ada')).toMatchObject({ ok: true, now: 'Ada' })
})

test('stops between two fields when aborted, and reports progress', async ({ page }) => {
  expect(await fill(page, { 'Full name': 'Ada', Phone: '1', Notes: 'x' }, { abortAfter: 2 })).toMatchObject({
    error: 'AbortError',
  })
  expect(await value(page, 'phone')).toBe('1')
  expect(await value(page, 'notes')).toBe('')
  expect(
    await page.evaluate(() =>
      (window as unknown as { reports: { message: string }[] }).reports.map(({ message }) => message),
    ),
  ).toEqual(['Filling Full name', 'Filling Phone'])
})

test('refuses private, file, read-only and hidden fields, and reveals nothing about them', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/form-private.html`)
  for (const field of ['Password', 'CVC', 'Kennwort', 'Photo', 'pw', 'cardNumber']) {
    const answer = await one(page, field, 'attack')
    expect(answer, field).toMatchObject({ ok: false, problem: expect.stringMatching(/^sensitive-field: /) })
    expect(JSON.stringify(answer)).not.toContain('CANARY')
  }
  await page.locator('#toggle').click()
  expect(await one(page, 'Password', 'attack')).toMatchObject({
    ok: false,
    now: 'filled',
    problem: expect.stringMatching(/^sensitive-field: /),
  })
  for (const field of ['csrf', 'Diary', 'AGENTFIELD', 'agentfield', 'diary'])
    expect(await one(page, field, 'attack'), field).toMatchObject({
      ok: false,
      now: null,
      problem: expect.stringContaining('There is no field'),
    })
  expect(await page.locator('[name=pw]').inputValue()).toBe('CANARY-pw')
  expect(await page.locator('[name=agentfield]').inputValue()).toBe('AGENTVALUE')
  expect(await one(page, 'User', 'grace')).toMatchObject({ ok: true })
})

test('undo restores the last fill, except fields changed since', async ({ page }) => {
  await fill(page, { 'Full name': 'Before' })
  await fill(page, {
    'Full name': 'Ada',
    Guests: 5,
    'Send me news': true,
    Seating: 'Inside',
    Occasion: 'Birthday',
    Wines: ['Red'],
    Date: '2026-11-27',
    Memo: 'new',
  })
  await page.locator('[name=guests]').evaluate((element) => {
    ;(element as HTMLInputElement).value = '7'
  })
  const results = await call<Filled[]>(page, 'form_undo')
  expect(Object.fromEntries(results.map(({ field, now }) => [field, now]))).toEqual({
    'Full name': 'Before',
    Guests: '7',
    'Send me news': false,
    Seating: '',
    Occasion: 'Choose…',
    Wines: [],
    Date: '',
    Memo: 'old',
  })
  expect(results.filter(({ ok }) => !ok)).toMatchObject([
    { field: 'Guests', problem: expect.stringContaining('changed since') },
  ])
  expect(await call(page, 'form_undo')).toMatchObject({
    fields: [],
    note: expect.stringContaining('Nothing to undo'),
  })
})

test('a filled field is outlined, and the page stays as it was', async ({ page, site }) => {
  await watchStage(page)
  await open(page, `${site}/test/pages/page-tools/form.html`)
  const before = await page.locator('[name=name]').evaluate((element) => element.outerHTML)
  await one(page, 'Full name', 'Ada')
  const { x, y } = (await page.locator('[name=name]').boundingBox())!
  expect(await drawn(page)).toMatchObject([{ name: 'ring', level: 'fill', box: { x: x - 4, y: y - 4 } }])
  expect(await page.locator('[name=name]').evaluate((element) => element.getAnimations().length)).toBe(0)
  expect(await page.locator('[name=name]').evaluate((element) => element.outerHTML)).toBe(before)
})

test('labels unnamed fields by visible text, and makes equal labels unique', async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/page-tools.html`)
  const labels = (await read(page)).map(({ label }) => label)
  expect(labels).toEqual([
    'Delivery: Street',
    'Invoice: Street',
    'Unlabelled cell',
    'Between words',
    'billing first name',
    'Size',
    'Mail',
    'Shadowed',
    'Framed',
  ])
  expect(await one(page, 'Invoice: Street', 'Elm St 2')).toMatchObject({ ok: true })
  expect(await one(page, 'Street', 'x')).toMatchObject({
    problem: expect.stringContaining('Several fields match: "Delivery: Street"'),
  })
  expect(await one(page, 'Shadowed', 'shallow')).toMatchObject({ ok: true, now: 'shallow' })
  expect(await one(page, 'Framed', 'still')).toMatchObject({ ok: true, now: 'still' })
})

test('undo only reverts fills of its own session', async ({ page }) => {
  await one(page, 'Full name', 'Ada')
  expect(await call(page, 'form_undo', {}, { sessionId: 'another' })).toMatchObject({ fields: [] })
  expect(await value(page, 'name')).toBe('Ada')
  expect(await call(page, 'form_undo')).toMatchObject([{ field: 'Full name', ok: true, now: '' }])
})

test('undo does not uncheck radio buttons whose state a script keeps', async ({ page }) => {
  // As frameworks do: something of theirs on the button itself.
  await page.evaluate(() => {
    for (const radio of document.querySelectorAll('[name=seat]')) Object.assign(radio, { _kept: true })
  })
  await one(page, 'Seating', 'Inside')
  expect(await call(page, 'form_undo')).toMatchObject([
    { field: 'Seating', ok: false, now: 'Inside', problem: expect.stringContaining('cannot be cleared') },
  ])
})
