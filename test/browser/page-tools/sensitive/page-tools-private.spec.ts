// Private fields against every way a value could get out: where it stands, what was done to the field before anybody
// looked, what the page repeats of it, and what a tool says when it refuses.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface FieldRow {
  label: string
  ref: string
  private?: string
  state?: string
}
interface Answer {
  field: string
  ok: boolean
  now: unknown
  problem?: string
}

const attributes = [
  'value',
  'title',
  'placeholder',
  'aria-valuetext',
  'aria-valuenow',
  'aria-label',
  'aria-description',
  'data-value',
  'data-initial',
  'content',
  'selected',
  'srcdoc',
  'style',
  'outerHTML',
  'innerHTML',
  'onclick',
  '__proto__',
  'constructor',
]

/** All that any tool tells, right answers and errors. */
async function everything(page: Page, { slowly = false } = {}): Promise<string> {
  const told: unknown[] = []
  for (const input of [
    {},
    { filter: 'interactive' },
    { filter: 'headings' },
    { filter: 'CANARY' },
    { scope: 'form' },
    { scope: 'e99999' },
    { scope: 'CANARY' },
    { cursor: 'CANARY.1' },
  ])
    told.push(await call(page, 'page_read', { maxChars: 40_000, ...input }))
  const form = await call<{ fields: FieldRow[] }>(page, 'form_read')
  told.push(form, await call(page, 'form_read', { form: 'CANARY' }))
  for (const input of [
    { selector: '*' },
    { selector: 'input,textarea,select,option,[contenteditable],[contenteditable] *,[role]' },
    { selector: 'option:checked' },
    { selector: 'select > option' },
    { selector: 'form' },
    { text: 'CANARY' },
    { text: 'private' },
    { role: 'textbox' },
    { role: 'option' },
    { role: 'link' },
    { label: 'a' },
    { label: 'CANARY' },
    { name: 'a' },
  ]) {
    told.push(await call(page, 'dom_query', { ...input, limit: 100, attributes }))
  }
  told.push(
    await call(page, 'form_fill', {
      fields: form.fields
        .filter((field) => field.private !== undefined)
        .flatMap(({ label, ref }) => [
          { field: label, value: 'attack' },
          { field: ref, value: 'attack' },
        ])
        .concat([
          { field: 'CANARY', value: 'x' },
          { field: 'e99999', value: 'x' },
        ]),
    }),
  )
  const secrets = form.fields.filter((field) => field.private !== undefined)
  for (const key of ['Tab', 'x', 'Backspace', 'Control+A', 'ArrowDown'])
    for (const { ref } of secrets.slice(0, key === 'Tab' ? 3 : undefined))
      told.push(await call(page, 'page_press', { target: ref, key }))
  for (const input of [{ target: 'CANARY', key: 'Enter' }, { target: 'e99999', key: 'F2' }, { key: 'CANARY' }])
    told.push(await call(page, 'page_press', input))
  // At an end of the page the tool waits for more, and for a text it waits longer.
  const searches = slowly
    ? [{ to: 'bottom' }, { to: 'top' }, { text: 'priv' }, { text: 'weak', to: 'up' }, { target: 'form', text: 'words' }]
    : []
  for (const input of [{ target: 'CANARY' }, ...searches]) told.push(await call(page, 'page_scroll', input))
  told.push(await call(page, 'form_undo'), await call(page, 'page_wait', { text: 'no such text', seconds: 0.1 }))
  return JSON.stringify(told)
}
const leaks = (text: string): string[] => [...new Set(text.match(/CANARY-[\w-]+/g) ?? [])].sort()

test.beforeEach(async ({ page, site }) => open(page, `${site}/test/pages/page-tools/form-secrets.html`))

test(
  'no tool returns the value of a private field, from any kind of field or echo',
  { tag: '@S17' },
  async ({ page }) => {
    await page
      .locator('[name=cv]')
      .setInputFiles({ name: 'CANARY-file-name.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') })
    const held = await page.evaluate(() => document.documentElement.outerHTML.match(/CANARY-/g)?.length ?? 0)
    expect(held).toBeGreaterThan(30)
    expect(leaks(await everything(page, { slowly: true }))).toEqual([])
    // An editable cell is a field in its row, with a ref and a state.
    expect(await call<string>(page, 'page_read')).toMatch(
      /- \| Ada \| \w+ "Password cell" \[ref=e\d+\] \[private\] \[filled\]$/m,
    )
    const { fields } = await call<{ fields: FieldRow[] }>(page, 'form_read')
    const kinds = Object.fromEntries(
      fields
        .filter((field) => field.private !== undefined)
        .map((field) => [field.label, `${field.private} ${field.state}`]),
    )
    expect(kinds).toEqual({
      'Number one': 'card filled',
      'Number two': 'security-code filled',
      'Number three': 'one-time-code filled',
      'Number four': 'password filled',
      Month: 'card filled',
      'Card ends in (2)': 'card filled',
      'Password editor': 'password filled',
      'Masked notes': 'password filled',
      'Password cell': 'password filled',
      PIN: 'password filled',
      'Recovery phrase': 'password filled',
      Weak: 'password filled',
      'Made password': 'password filled',
      'Empty one': 'password empty',
    })
  },
)

test(
  'a password shown before the first read is private in documents, shadow roots and frames',
  { tag: '@S17' },
  async ({ page }) => {
    await page.evaluate(async () => {
      const markup = '<label>Word <input type="password"></label><button type="button">Show</button>'
      const showing = (root: ParentNode): void => {
        const input = root.querySelector('input') as HTMLInputElement
        root.querySelector('button')?.addEventListener('click', () => {
          input.type = 'text'
        })
      }
      const plain = document.createElement('div')
      plain.innerHTML = markup
      const host = document.createElement('div')
      const root = host.attachShadow({ mode: 'open' })
      root.innerHTML = markup
      const frame = document.createElement('iframe')
      const loaded = new Promise((resolve) => {
        frame.onload = resolve
      })
      frame.srcdoc = markup
      document.body.replaceChildren(plain, host, frame)
      await loaded
      for (const part of [plain, root, frame.contentDocument as Document]) showing(part)
    })
    const parts = [
      page.locator('body > div').nth(0),
      page.locator('body > div').nth(1),
      page.frameLocator('iframe').locator('body'),
    ]
    for (const [at, part] of parts.entries()) {
      await part.locator('input').pressSequentially(`CANARY-${at}`)
      await part.locator('button').click()
      await expect(part.locator('input')).toHaveAttribute('type', 'text')
    }
    expect(leaks(await everything(page))).toEqual([])
    const { fields } = await call<{ fields: FieldRow[] }>(page, 'form_read')
    expect(fields.map((field) => `${field.private} ${field.state}`)).toEqual([
      'password filled',
      'password filled',
      'password filled',
    ])
  },
)

for (const [name, markup, password, text, secret] of [
  ['in the same place', '<label>Zugang <i></i></label>', '<input type="password">', '<input type="text">', true],
  [
    'around it',
    '<p><i></i></p>',
    '<label>Zugang <input type="password" class="a"></label>',
    '<label>Zugang <input class="b" name="zugang"></label>',
    true,
  ],
  [
    'of another name, empty',
    '<p><i></i></p>',
    '<input type="password" placeholder="Zugang" value="">',
    '<input placeholder="Ort" value="">',
    false,
  ],
  ['beside a new one', '<p><i></i></p>', '<input type="password">', '<p><input><input type="password"></p>', false],
  [
    'of another value',
    '<p><i></i></p>',
    '<label>Zugang <input type="password"></label>',
    '<label>Ort <input value="Bern"></label>',
    false,
  ],
] as const) {
  test(`only the field that replaces a password field is private: ${name}`, { tag: '@S17' }, async ({ page }) => {
    await page.evaluate(
      async ({ markup, password, text, secret }) => {
        document.body.innerHTML = markup
        const make = (text: string): Element => {
          const box = document.createElement('div')
          box.innerHTML = text
          return box.firstElementChild as Element
        }
        const inputIn = (element: Element): HTMLInputElement =>
          (element.matches('input') ? element : element.querySelector('input')) as HTMLInputElement
        const first = make(password)
        document.querySelector('i')!.replaceWith(first)
        inputIn(first).value = 'CANARY-zugang'
        await new Promise(requestAnimationFrame)
        // As libraries do it: the old box goes, the new one comes, and then it is filled.
        const parent = first.parentElement as Element
        first.remove()
        const second = make(text)
        parent.append(...(second.matches('p') ? second.childNodes : [second]))
        if (secret) inputIn(second).value = 'CANARY-zugang'
      },
      { markup, password, text, secret },
    )
    expect((await call<{ fields: FieldRow[] }>(page, 'form_read')).fields[0]?.private).toBe(
      secret ? 'password' : undefined,
    )
    expect(leaks(await everything(page))).toEqual([])
  })
}

for (const [name, markup, kinds] of [
  [
    'a legend over boxes without labels',
    '<fieldset><legend>Card number</legend><input value="CANARY-1"> <input value="CANARY-2" name="part2"> <input type="tel" value="CANARY-3"></fieldset>',
    ['card', 'card', 'card'],
  ],
  [
    'a group around boxes that have a number',
    '<div role="group" aria-label="Credit card number"><input aria-label="Digits 1-4" value="CANARY-1"> <label>Second four digits <input value="CANARY-2"></label></div>',
    ['card', 'card'],
  ],
  [
    'a group and the word number',
    '<fieldset><legend>Credit card</legend><label>Number <input value="CANARY-1"></label> <label>Name <input value="Ada"></label> <input value="Bern"></fieldset>',
    ['card', undefined, undefined],
  ],
  [
    'other groups',
    '<fieldset><legend>Phone</legend><label>Number <input value="1"></label></fieldset><fieldset><legend>Password or passkey</legend><label>Email <input value="a@b"></label></fieldset>',
    [undefined, undefined],
  ],
  [
    'a hidden label',
    '<label style="display:none" for="y2">Card number</label><input id="y2" value="CANARY-1" placeholder="0000"> <span hidden id="l">PIN</span><input aria-labelledby="l" value="CANARY-2">',
    ['card', 'password'],
  ],
  [
    'hidden words in a label that is seen',
    '<label>Email <span hidden>Email or password is wrong</span><input value="a@b"></label> <label for="u">User name</label><label for="u">Password</label><input id="u" value="ada">',
    [undefined, undefined],
  ],
] as const) {
  test(`group and labels, visible or not, make a field private: ${name}`, { tag: '@S17' }, async ({ page }) => {
    await page.evaluate((markup) => {
      document.body.innerHTML = `<form>${markup}</form>`
    }, markup)
    const told = await everything(page)
    expect((await call<{ fields: FieldRow[] }>(page, 'form_read')).fields.map(({ private: kind }) => kind)).toEqual(
      kinds,
    )
    expect(leaks(told)).toEqual([])
  })
}

test('refuses to fill a private field by label, name and ref', { tag: '@S18' }, async ({ page }) => {
  const { fields } = await call<{ fields: FieldRow[] }>(page, 'form_read')
  const secrets = fields.filter((field) => field.private !== undefined)
  expect(secrets.length).toBeGreaterThan(10)
  const state = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('input,select,textarea')]
          .map((element) => (element as HTMLInputElement).value)
          .join('|') + (document.querySelector('[contenteditable]')?.textContent ?? ''),
    )
  const before = await state()
  const answers = await call<Answer[]>(page, 'form_fill', {
    fields: [
      ...secrets.flatMap(({ label, ref }) => [
        { field: label, value: 'attack' },
        { field: ref, value: 'attack' },
      ]),
      { field: 'cv', value: '/etc/passwd' },
      { field: 'n1', value: 'attack' },
    ],
  })
  expect(answers).toHaveLength(secrets.length * 2 + 2)
  for (const answer of answers)
    expect(answer, answer.field).toMatchObject({ ok: false, problem: expect.stringMatching(/^sensitive-field: /) })
  expect(await state()).toBe(before)
})

test('a selector cannot test private options or value attributes', { tag: '@S17' }, async ({ page }) => {
  for (const selector of [
    'form:has(option:checked:nth-child(2))',
    'label:has([selected])',
    'select:has(option:default)',
    '[aria-valuetext^="C"]',
    '[data-value="x"]',
    'input:has( ~ option:CHECKED)',
  ]) {
    expect(await call(page, 'dom_query', { selector }), selector).toMatchObject({ error: 'invalid-input' })
  }
  expect(await call(page, 'dom_query', { selector: '#month option:checked' })).toEqual({ count: 0, matches: [] })
  expect(await call(page, 'dom_query', { selector: '#size option' })).toMatchObject({ count: 2 })
})

test('arguments named like object internals are harmless', { tag: '@S25' }, async ({ page }) => {
  const answers = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): unknown }>
    }
    const run = window.toolRun()
    const found: unknown[] = []
    for (const [name, text] of [
      ['page_read', '{"__proto__":{"scope":"polluted"},"constructor":{"prototype":{"x":1}}}'],
      ['dom_query', '{"selector":"h1","attributes":["__proto__","constructor","toString"],"__proto__":{"limit":0}}'],
      ['form_fill', '{"fields":{"__proto__":"x","constructor":"y","toString":"z"}}'],
      ['form_fill', '{"fields":[{"field":"__proto__","value":{"__proto__":{"polluted":1}}}]}'],
      ['form_read', '{"form":"__proto__"}'],
      ['page_read', '{"cursor":"__proto__.0"}'],
    ] as const) {
      try {
        found.push(await pageTools.get(name)?.execute(JSON.parse(text) as object, run))
      } catch (error) {
        found.push((error as { code?: string }).code)
      }
    }
    return {
      found: JSON.stringify(found),
      polluted: [
        ({} as Record<string, unknown>)['polluted'],
        ({} as Record<string, unknown>)['x'],
        ({} as Record<string, unknown>)['scope'],
      ],
    }
  })
  expect(answers.polluted).toEqual([undefined, undefined, undefined])
  const [outline, query, filled, nested, form, cursor] = JSON.parse(answers.found) as [
    string,
    { count: number },
    Answer[],
    Answer[],
    string,
    string,
  ]
  expect(outline).toContain('heading')
  expect(query.count).toBe(1)
  expect([...filled, ...nested].map(({ field, ok }) => `${field} ${ok}`)).toEqual([
    '__proto__ false',
    'constructor false',
    'toString false',
    '__proto__ false',
  ])
  expect([form, cursor]).toEqual(['invalid-input', 'invalid-input'])
})

test('handles texts and selectors that are made to be slow', { tag: ['@S29', '@long'] }, async ({ page }) => {
  test.setTimeout(120_000)
  await page.evaluate((length) => {
    const long = (sign: string): string => `x${sign.repeat(length)}x`
    document.body.innerHTML = ''
    for (const sign of ['*', ':', '-', ' *', '[e1', '.', '"', '|']) {
      const label = document.createElement('label')
      label.append(
        long(sign),
        Object.assign(document.createElement('input'), { name: long(sign), placeholder: long(sign) }),
      )
      document.body.append(label, Object.assign(document.createElement('p'), { textContent: long(sign) }))
    }
    let inner: Element = document.body
    for (let depth = 0; depth < 500; depth++) inner = inner.appendChild(document.createElement('div'))
    inner.append('deep')
    const many = document.createDocumentFragment()
    for (let index = 0; index < 20_000; index++) many.append(document.createElement('i'))
    document.body.append(many)
  }, 50_000)
  // Run to the end at all is what is asked: with a loop inside a loop over these texts it would be an hour.
  expect(await call<string>(page, 'page_read')).toContain('textbox')
  expect(await call(page, 'form_read')).toMatchObject({ fields: { length: 8 } })
  const answers: unknown[] = []
  for (const selector of [
    '['.repeat(50_000),
    `${'i ~ '.repeat(200)}i`,
    `i${':not(b)'.repeat(2000)}`,
    ':has(i ~ i ~ i ~ i ~ i ~ b)',
    `${':is('.repeat(300)}i${')'.repeat(300)}`,
  ])
    answers.push(await call(page, 'dom_query', { selector, limit: 1 }))
  expect(answers[0]).toMatchObject({ error: 'invalid-input', message: expect.stringContaining('1000 characters') })
  for (const answer of answers)
    expect(answer).toEqual(
      expect.objectContaining(
        'error' in (answer as object) ? { error: 'invalid-input' } : { count: expect.any(Number) },
      ),
    )
  expect(await call(page, 'dom_query', { text: '*'.repeat(50_000) })).toBeDefined()
})

test(
  'redacts repeated numbers and short codes, also of numbers split over fields',
  { tag: '@S17' },
  async ({ page }) => {
    await page.evaluate(() => {
      document.body.innerHTML = `<label>Card number <input value="4111 1111 1111 1234"></label> <label>CVC <input value="987"></label> <label>PIN <input type="password" value="4711"></label>
      <div>${'482913'
        .split('')
        .map((digit) => `<input maxlength="1" value="${digit}" aria-label="Digit">`)
        .join('')}</div>
      <p>Card 4111111111111234 or 4111-1111-1111-1234. Code 482 913, 482913.</p><p role="alert">PIN 4711 rejected</p><div><p>987 is not a valid code</p><input></div><p>Total 3.987, item 19871.</p>`
    })
    const told = JSON.stringify([
      await call(page, 'page_read'),
      await call(page, 'form_read'),
      await call(page, 'dom_query', { selector: 'p,input', attributes }),
    ])
    expect(told).not.toMatch(/4111\W?1111|482 ?913|4711|\b987 is/)
    expect(told).toContain('PIN [private] rejected')
    expect(told).toContain('Total 3.987, item 19871.')
  },
)

test('ignored parts of fields and images are neither returned nor chosen', { tag: '@S17' }, async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = `<label>Plan <select><option>Basic</option><optgroup label="Inner" data-tool-agent-ignore><option selected>CANARY-group</option></optgroup></select></label>
      <label>Town <input list="towns"></label><datalist id="towns"><option>Bern</option><option data-tool-agent-ignore>CANARY-town</option></datalist>
      <div role="radiogroup" aria-label="Size"><span role="radio" aria-checked="false" tabindex="0">Small</span><span role="radio" aria-checked="true" tabindex="0" data-tool-agent-ignore>CANARY-size</span></div>
      <svg role="img" width="20" height="20"><title data-tool-agent-ignore>CANARY-title</title><rect width="20" height="20"/></svg> <button><svg width="20" height="20"><title data-tool-agent-ignore>CANARY-icon</title></svg>Go</button>`
  })
  const answers = await call<Answer[]>(page, 'form_fill', {
    fields: [
      { field: 'Plan', value: 'CANARY-group' },
      { field: 'Size', value: 'CANARY-size' },
    ],
  })
  expect(answers.map(({ ok, now }) => ({ ok, now }))).toEqual([
    { ok: false, now: '' },
    { ok: false, now: '' },
  ])
  const { fields } = await call<{ fields: { label: string; options?: string[] }[] }>(page, 'form_read')
  expect(fields.map(({ label, options }) => `${label}: ${options?.join()}`)).toEqual([
    'Plan: Basic',
    'Town: Bern',
    'Size: Small',
  ])
  expect(
    leaks(
      JSON.stringify([
        fields,
        await call(page, 'page_read'),
        await call(page, 'dom_query', { selector: '*', limit: 100, attributes }),
      ]),
    ),
  ).toEqual([])
  expect(await call<string>(page, 'page_read')).toContain('button "Go"')
})

test('labels of private fields that are equal do not get their placeholders', { tag: '@S17' }, async ({ page }) => {
  const fields = (label: string) =>
    ['Maple', 'Willow'].map((text, at) => `<p><label>${label} <input name="n${at}" placeholder="${text}"></label></p>`)
  await page.evaluate(
    (html) => {
      document.body.innerHTML = html
    },
    [...fields('Card number'), ...fields('Town')].join(''),
  )
  const { fields: found } = (await call(page, 'form_read')) as { fields: FieldRow[] }
  expect(found.map(({ label }) => label)).toEqual([
    'Card number (1)',
    'Card number (2)',
    'Town (Maple)',
    'Town (Willow)',
  ])
  expect(await call<string>(page, 'page_read')).not.toMatch(/Card.*(Maple|Willow)/)
})

test('a private value cannot be found by text, label, name or filter', { tag: '@S17' }, async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = `<h1>CANARY-word</h1><p>Yours is CANARY-word, PIN 4711</p><label>CANARY-word <input></label><button>Use CANARY-word</button>
      <div contenteditable="true" aria-label="Password editor">CANARY-word</div><div contenteditable="true" aria-label="PIN">abc</div><p>abc open</p><label>PIN code word <input type="password" value="4711"></label>`
  })
  for (const input of [
    { text: 'CANARY-word' },
    { text: 'canary' },
    { text: '4711' },
    { label: 'CANARY-word' },
    { name: 'CANARY-word' },
    { role: 'heading', name: 'CANARY' },
  ])
    expect(await call(page, 'dom_query', input), JSON.stringify(input)).toEqual({ count: 0, matches: [] })
  expect(await call(page, 'dom_query', { text: 'abc' })).toMatchObject({ count: 1, matches: [{ text: 'abc open' }] })
  expect(await call(page, 'dom_query', { text: 'Yours is' })).toMatchObject({ count: 1 })
  for (const filter of ['CANARY-word', '4711'])
    expect(await call<string>(page, 'page_read', { filter })).toContain('(nothing visible)')
  for (const input of [{ text: 'CANARY-word' }, { text: '4711' }, { name: 'CANARY-word' }])
    expect(await call(page, 'page_wait', { ...input, seconds: 0.1 })).toMatchObject({ met: false })
  expect(
    await call(page, 'page_wait', { gone: 'CANARY-word', text: 'Yours is', name: 'Use', seconds: 0.1 }),
  ).toMatchObject({ met: true })
})

test(
  'a moved element keeps its ref; one that becomes private or ignored reveals nothing more',
  { tag: '@F75' },
  async ({ page }) => {
    await page.evaluate(() => {
      document.body.innerHTML =
        '<main></main><aside></aside><input id="a" aria-label="Moved" value="here"><button id="b">Go</button>'
    })
    const outline = await call<string>(page, 'page_read')
    const ref = /"Moved" \[ref=(e\d+)\]/.exec(outline)?.[1]
    const button = /button "Go" \[ref=(e\d+)\]/.exec(outline)?.[1]
    await page.evaluate(() => document.querySelector('aside')?.append(document.querySelector('#a') as Element))
    expect(await call<string>(page, 'page_read')).toContain(`textbox "Moved" [ref=${ref}]: here`)
    await page.evaluate(() => {
      ;(document.querySelector('#a') as HTMLInputElement).type = 'password'
    })
    expect(await call<string>(page, 'page_read')).toContain(
      `textbox "Moved" [ref=${ref}] [password] [private] [filled]`,
    )
    await page.evaluate(() => document.querySelector('#b')?.setAttribute('data-tool-agent-ignore', ''))
    expect(await call(page, 'page_read', { scope: button })).toMatchObject({ error: 'stale-ref' })
  },
)
