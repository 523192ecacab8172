// The reading tools in a real page: what a person perceives reaches the model, and nothing else does.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Match {
  ref: string
  role: string
  name?: string
  text?: string
  visible: boolean
  value?: unknown
  state?: unknown
  attributes?: Record<string, string | null>
}
const query = (page: Page, input: object): Promise<{ count: number; matches: Match[] }> =>
  call(page, 'dom_query', input)
const refOf = (outline: string, pattern: RegExp): string => {
  const found = pattern.exec(outline)?.[1]
  if (found === undefined) throw new Error(`No ${pattern} in\n${outline}`)
  return found
}

test.describe('page_read', () => {
  test('returns headings, links with targets, tables with controls, states and options', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    const text = await call<string>(page, 'page_read')
    expect(text).toContain('heading "Orders" [level=1]')
    expect(text).toMatch(/navigation "Main" \[ref=e\d+\]/)
    expect(text).toMatch(/link "Shop" \[ref=e\d+\] -> \/shop\?page=2#top/)
    expect(text).toMatch(/link "Elsewhere" \[ref=e\d+\] -> https:\/\/example\.org\/x/)
    expect(text).toMatch(/link "Odd" \[ref=e\d+\] -> javascript:$/m)
    expect(text).toContain('text: There are three orders.')
    expect(text).toMatch(/table "Open orders" \[ref=e\d+\]/)
    expect(text).toContain('header: Number [ascending] | Customer |')
    expect(text).toMatch(/- \| 1002 \| Grace \| button "Delete" \[ref=e\d+\]/)
    expect(text).toMatch(/button "Filters" \[ref=e\d+\] \[collapsed\]/)
    expect(text).toMatch(/button "Export" \[ref=e\d+\] \[disabled\]/)
    expect(text).toMatch(/tab "All" \[ref=e\d+\] \[selected\]/)
    expect(text).toMatch(/combobox "Size" \[ref=e\d+\] \[options: Small \| Large\]: Large/)
    expect(text).toMatch(/textbox "Mail" \[ref=e\d+\] \[invalid: .+\]: nonsense/)
  })

  test('reads open shadow roots and same-origin frames, and reports unreadable frames', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    const text = await call<string>(page, 'page_read')
    expect(text).toMatch(/textbox "Shadowed" \[ref=e\d+\]: deep/)
    expect(text).toMatch(/textbox "Framed" \[ref=e\d+\]: in frame/)
    expect(text).toContain('Text in frame')
    expect(text).toMatch(/iframe "Foreign" \[not readable: sandboxed\]/)
    expect(text).not.toContain('FOREIGN')
  })

  test('puts an open dialog first', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    await page.evaluate(() => (document.querySelector('#dialog') as HTMLDialogElement).showModal())
    const lines = (await call<string>(page, 'page_read')).split('\n')
    expect(lines[1]).toMatch(/^- dialog "Confirm"/)
    expect(lines.filter((line) => line.includes('Really?'))).toHaveLength(1)
  })

  test('pages by whole items, each page within the limit, without gaps', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    await page.evaluate(() => {
      const feed = document.querySelector('#feed')
      for (let index = 0; index < 200; index++)
        feed?.append(Object.assign(document.createElement('p'), { textContent: `Entry ${index} of the feed` }))
    })
    const whole = await call<string>(page, 'page_read', { maxChars: 40_000 })
    const pages: string[] = [await call<string>(page, 'page_read', { maxChars: 1500 })]
    for (;;) {
      const cursor = /cursor "([^"]+)"/.exec(pages.at(-1) ?? '')?.[1]
      if (cursor === undefined) break
      // A page that grows all the time makes the reading no longer.
      await page.evaluate(() =>
        document.querySelector('#feed')?.prepend(Object.assign(document.createElement('p'), { textContent: 'NEW' })),
      )
      pages.push(await call<string>(page, 'page_read', { cursor, maxChars: 1500 }))
      expect(pages.length).toBeLessThan(60)
    }
    expect(pages.length).toBeGreaterThan(3)
    for (const one of pages) expect(one.length).toBeLessThan(1800)
    const items = (text: string): string[] =>
      text
        .split('\n')
        .slice(1)
        .filter((line) => !/^\(items|\(continued\)$/.test(line))
    expect(pages.flatMap(items)).toEqual(items(whole))
  })

  test('accepts a scope by ref, name or selector, and a filter by kind or words', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    const whole = await call<string>(page, 'page_read')
    const byRef = await call<string>(page, 'page_read', { scope: refOf(whole, /table "Open orders" \[ref=(e\d+)\]/) })
    const byName = await call<string>(page, 'page_read', { scope: 'Open orders' })
    const bySelector = await call<string>(page, 'page_read', { scope: '#orders' })
    const body = (text: string): string => text.split('\n').slice(1).join('\n')
    expect(body(byRef)).toBe(body(bySelector))
    expect(body(byName)).toBe(body(bySelector))
    expect(byRef).not.toContain('Filters')
    const controls = await call<string>(page, 'page_read', { filter: 'interactive' })
    expect(controls).toContain('button "Filters"')
    expect(controls).not.toContain('There are three')
    const words = await call<string>(page, 'page_read', { filter: 'grace' })
    expect(words.split('\n').filter((line) => line.includes('- | '))).toHaveLength(1)
    await page.evaluate(() => {
      const days = Array.from({ length: 30 }, (_, at) => `<td onclick="">${at + 1}</td>`).join('')
      document.body.innerHTML = `<h1>Room 4</h1><h2>Booking</h2>${'<button>Other</button>'.repeat(400)}<button>Table 99</button>
        <table>${`<tr>${days}</tr>`}</table>`
    })
    const rooms = await call<string>(page, 'page_read', { maxChars: 40_000 })
    const days = /- days .*/.exec(rooms)?.[0] ?? ''
    const ref = refOf(rooms, /"Table 99" \[ref=(e\d+)\]/)
    const linesWith = async (filter: string): Promise<string[]> =>
      (await call<string>(page, 'page_read', { filter })).split('\n').slice(1)
    // A number means the page's own numbers, not those that the outline gives.
    expect(await linesWith('99')).toEqual([`- button "Table 99" [ref=${ref}]`])
    expect(await linesWith('4')).toEqual(['- heading "Room 4" [level=1]', days])
    expect(await linesWith(/=e(\d+) 30=/.exec(days)?.[1] ?? '')).toEqual(['(nothing visible)'])
    expect(await linesWith('ref')).toEqual(['(nothing visible)'])
    expect(await linesWith('button')).toHaveLength(401)
    expect(await linesWith(ref)).toEqual([`- button "Table 99" [ref=${ref}]`])
    expect(await linesWith(/30=(e\d+)/.exec(days)?.[1] ?? '')).toEqual([days])
  })

  test(
    'terminates, bounded, on a page of a hundred thousand elements',
    { tag: ['@F80', '@long'] },
    async ({ page, site }) => {
      test.setTimeout(120_000)
      await open(page, `${site}/test/pages/session/blank.html`)
      const { length, ms } = await page.evaluate(async () => {
        const all = document.createDocumentFragment()
        for (let index = 0; index < 50_000; index++) {
          const block = document.createElement('div')
          block.append(Object.assign(document.createElement('span'), { textContent: `x${index}` }))
          all.append(block)
        }
        document.body.append(all)
        const { readTools } = (await import('/src/tools.ts' as string)) as typeof import('../../../../src/tools.js')
        const run = {
          signal: new AbortController().signal,
          toolContext: {},
          sessionId: 'big',
          toolCallId: 'c',
          messages: [],
          shared: new Map<string, unknown>(),
          remember() {},
          report() {},
          ask: () => Promise.reject(new Error('Nobody can be asked')),
        }
        const start = performance.now()
        const text = (await readTools()[0]?.execute?.({}, run)) as string
        return { length: text.length, ms: performance.now() - start }
      })
      expect(length).toBeLessThan(12_500)
      console.log(`100 000 elements read in ${Math.round(ms)} ms`)
    },
  )
})

test.describe('invisible content', () => {
  test('hidden text of twenty kinds, invisible characters and fake refs do not reach the model', async ({
    page,
    site,
  }) => {
    await open(page, `${site}/test/pages/page-tools/form-hidden.html`)
    const told = [
      await call<string>(page, 'page_read', { maxChars: 40_000 }),
      JSON.stringify(await query(page, { selector: 'body *', limit: 100, attributes: ['class'] })),
      JSON.stringify(await query(page, { text: 'HIDE' })),
      JSON.stringify(await call(page, 'form_read')),
    ]
    for (const text of told) expect(text.match(/HIDE[\w-]*/g) ?? []).toEqual([])
    const text = told[0] ?? ''
    for (const seen of [
      'Seen heading',
      'Seen text',
      'White on dark is seen',
      'Hero is seen',
      'checkbox "Painted checkbox"',
      'Zerowidth bidi tag end',
      'button "Save"',
      'button "Close"',
    ])
      expect(text).toContain(seen)
    expect(text).toContain('Fake - button "Approve" (ref=e1]')
  })

  test(
    'no tool reveals a private value by value, attribute, name, message, echo or selector',
    { tag: '@R7.5' },
    async ({ page, site }) => {
      await open(page, `${site}/test/pages/page-tools/form-private.html`)
      const everything = async (): Promise<string> => {
        const told: unknown[] = [await call(page, 'page_read', { maxChars: 40_000 }), await call(page, 'form_read')]
        for (const selector of [
          '*',
          'input',
          '#pw',
          '[name=csrf]',
          '#echo',
          '#poisoned',
          '#poisoned2',
          '#wrapping',
          'tool-agent *',
          'tool-agent',
          '[data-tool-agent-ignore] *',
          '#typed',
          'form',
        ]) {
          told.push(
            await query(page, {
              selector,
              limit: 100,
              attributes: ['value', 'data-echo', 'name', 'type', 'aria-describedby'],
            }),
          )
        }
        told.push(
          await query(page, { text: 'CANARY' }),
          await query(page, { text: 'AGENT' }),
          await query(page, { role: 'button' }),
          await query(page, { label: 'AGENTFIELD' }),
          await query(page, { label: 'Diary' }),
        )
        return JSON.stringify(told)
      }
      const leaks = (text: string): string[] =>
        [...new Set([...text.matchAll(/CANARY-[\w-]+|AGENT[A-Z]+|9Z7/g)].map(([found]) => found))].filter(
          (found) => found !== 'CANARY-typed',
        )
      expect(leaks(await everything())).toEqual([])
      // "Show password" turns the type into text; the field stays private.
      await page.locator('#toggle').click()
      expect(await page.locator('#pw').getAttribute('type')).toBe('text')
      expect(leaks(await everything())).toEqual([])
      // A field that was a password for a moment between two readings.
      await page.evaluate(async () => {
        const input = Object.assign(document.createElement('input'), { value: 'CANARY-late' })
        document
          .querySelector('#f')
          ?.append(Object.assign(document.createElement('label'), { textContent: 'Late word' }), input)
        for (const type of ['password', 'text']) {
          await Promise.resolve()
          input.type = type
        }
      })
      expect(leaks(await everything())).toEqual([])
      const { fields } = await call<{ fields: { label: string; private?: string; state?: string; value?: unknown }[] }>(
        page,
        'form_read',
      )
      const field = (label: string) => fields.find((one) => one.label === label)
      expect(field('User')).toMatchObject({ value: 'ada' })
      expect(field('Password')).toMatchObject({ private: 'password', state: 'filled' })
      expect(field('Photo')).toMatchObject({ state: 'empty' })
      expect(fields.filter((one) => one.private !== undefined)).toHaveLength(20)
      expect(field('Diary')).toBeUndefined()
    },
  )

  test('refuses a selector that compares values, in any notation', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/form-private.html`)
    for (const selector of [
      'input[value^="CAN"]',
      'input[ VALUE *= "x" ]',
      'form:has([value="x"])',
      'input[\\76 alue^="C"]',
      '[data-echo^="C"]',
      '[*|value="a"]',
    ]) {
      expect(await call(page, 'dom_query', { selector }), selector).toMatchObject({ error: 'invalid-input' })
    }
    expect(await call(page, 'dom_query', { selector: 'div[' })).toMatchObject({ error: 'invalid-input' })
    expect((await query(page, { selector: 'input[name=user]' })).count).toBe(1)
  })
})

test.describe('dom_query', () => {
  test('finds by selector, role and name, label and text, also in shadow roots and frames', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    expect((await query(page, { role: 'button', name: 'Delete' })).count).toBe(3)
    expect((await query(page, { label: 'Shadowed' })).matches[0]).toMatchObject({
      role: 'textbox',
      value: 'deep',
      visible: true,
    })
    expect((await query(page, { selector: 'input[name=framed]' })).matches[0]).toMatchObject({
      name: 'Framed',
      value: 'in frame',
    })
    expect((await query(page, { text: 'three orders' })).matches).toMatchObject([{ text: 'There are three orders.' }])
    expect((await query(page, { role: 'link', name: 'shop', attributes: ['href'] })).matches[0]?.attributes).toEqual({
      href: '/shop?page=2#top',
    })
    expect((await query(page, { selector: 'dialog' })).matches[0]).toEqual({
      ref: expect.stringMatching(/^e\d+$/),
      role: 'dialog',
      visible: false,
    })
    expect(await query(page, { selector: '#orders tr', limit: 2 })).toMatchObject({ count: 4, matches: [{}, {}] })
  })
})

test.describe('refs', () => {
  test('keep their element over snapshots and re-renders', { tag: '@F75' }, async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    const first = await call<string>(page, 'page_read')
    expect(await call<string>(page, 'page_read')).toBe(first)
    const grace = refOf(first, /Grace \| button "Delete" \[ref=(e\d+)\]/)
    await page.evaluate(() => (window as unknown as { draw(names: string[]): void }).draw(['Ada', 'Grace', 'Edsger']))
    expect(await call<string>(page, 'page_read', { scope: grace })).toContain(`button "Delete" [ref=${grace}]`)
    expect(refOf(await call<string>(page, 'page_read'), /Grace \| button "Delete" \[ref=(e\d+)\]/)).toBe(grace)
  })

  test(
    'of a removed row are stale, and the error lists the current controls',
    { tag: '@F75' },
    async ({ page, site }) => {
      await open(page, `${site}/test/pages/page-tools/page-tools.html`)
      const grace = refOf(await call<string>(page, 'page_read'), /Grace \| button "Delete" \[ref=(e\d+)\]/)
      await page.evaluate(() => (window as unknown as { draw(names: string[]): void }).draw(['Ada']))
      const answer = await call<{ error: string; message: string }>(page, 'page_read', { scope: grace })
      expect(answer.error).toBe('stale-ref')
      expect(answer.message).toContain('button "Delete"')
      expect(answer.message).toContain('heading "Orders"')
      expect(await call(page, 'page_read', { scope: 'e999999' })).toMatchObject({ error: 'stale-ref' })
    },
  )

  test('of removed equal elements are stale, however many replace them', { tag: '@F75' }, async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    const draw = (count: number) =>
      page.evaluate((count) => {
        document.body.replaceChildren(
          ...Array.from({ length: count }, () => {
            const line = document.createElement('div')
            line.append(Object.assign(document.createElement('input'), { name: 'amount' }))
            return line
          }),
        )
      }, count)
    await draw(2)
    const refs = [...(await call<string>(page, 'page_read')).matchAll(/\[ref=(e\d+)\]/g)].map(([, ref]) => ref)
    expect(refs).toHaveLength(2)
    for (const count of [1, 2]) {
      await draw(count)
      for (const ref of refs)
        expect(await call(page, 'page_read', { scope: ref })).toMatchObject({ error: 'stale-ref' })
    }
    // One of its kind, drawn twice anew, could be either.
    await draw(1)
    const only = /\[ref=(e\d+)\]/.exec(await call<string>(page, 'page_read', {}, { sessionId: 'fresh' }))?.[1]
    await draw(2)
    expect(await call(page, 'page_read', { scope: only }, { sessionId: 'fresh' })).toMatchObject({ error: 'stale-ref' })
  })

  test('of an earlier page of the session are never reused', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    const message = {
      id: 'm',
      role: 'assistant',
      at: 0,
      parts: [
        {
          type: 'tool-call',
          call: { id: 'c', name: 'form_read', input: {} },
          result: {
            output: { fields: [{ ref: 'e41' }] },
            modelOutput: { type: 'text', value: '{"fields":[{"ref":"e77"}]}' },
          },
        },
        {
          type: 'tool-call',
          call: { id: 'd', name: 'page_read', input: {} },
          result: { output: '- button "Save" [ref=e83]' },
        },
      ],
    }
    const outline = await call<string>(page, 'page_read', {}, { sessionId: 'other', messages: [message] })
    const numbers = [...outline.matchAll(/\[ref=e(\d+)\]/g)].map(([, number]) => Number(number))
    expect(Math.min(...numbers)).toBe(84)
  })

  test('of one session are unknown in another', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/page-tools.html`)
    const refsOf = async (sessionId: string) =>
      new Set(
        [...(await call<string>(page, 'page_read', {}, { sessionId })).matchAll(/\[ref=(e\d+)\]/g)].map(
          ([, ref]) => ref,
        ),
      )
    const [one, other] = [await refsOf('one'), await refsOf('other')]
    expect([one.size, other.size].every((size) => size > 10)).toBe(true)
    expect([...one].filter((ref) => other.has(ref))).toEqual([])
    expect(await call(page, 'page_read', { scope: [...one][0] }, { sessionId: 'other' })).toMatchObject({
      error: 'stale-ref',
    })
  })
})
