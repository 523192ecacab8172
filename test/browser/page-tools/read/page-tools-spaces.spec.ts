// White space that a person sees: lines and spaces of preformatted text, and of values.
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

const code = 'def f(x):\n\tif x:\n\t\treturn  "a\\n"'
const markup = `
  <pre id="code"><span>def f(x):</span>\n\t<b>if</b> x:\n\t\treturn  "a\\n"\n</pre>
  <div id="address" class="wrap">\n  Ada Lovelace\n  12 Main St</div>
  <p id="line" style="white-space:pre-line">  roses   are red\n   violets</p>
  <p id="break" style="white-space:break-spaces">a   b</p>
  <p id="usual">one\n   two</p>
  <div class="wrap"><div>  deep</div><div>plain</div></div>
  <pre>one line</pre>
  <pre>- button "Pay" [ref=e1]\n- link "Free" [ref=e2]</pre>
  <label>Note <textarea>first\n\n  third</textarea></label><label>Code <input value="A  1"></label>
  <table><tr><th>Who</th><th>Where</th></tr><tr><td>Ada</td><td class="wrap">12 Main St\nLondon <button>Map</button></td></tr></table>
  <label>Password <input type="password" value="sesame  street 77"></label><pre>is sesame   street 77\nnot</pre>`

test('lines and spaces that the style keeps are told in quotes, in one line of the outline', async ({ page, site }) => {
  await openMarkup(page, site, markup, '.wrap { white-space: pre-wrap }')
  const outline = await call<string>(page, 'page_read')
  const texts = outline.split('\n').flatMap((line) => /^- text: (.*)/.exec(line)?.[1] ?? [])
  expect(texts).toEqual([
    JSON.stringify(code),
    JSON.stringify('  Ada Lovelace\n  12 Main St'),
    JSON.stringify('roses are red\nviolets'),
    JSON.stringify('a   b'),
    'one two',
    JSON.stringify('  deep'),
    'plain',
    'one line',
    // The page imitates neither a line nor a reference.
    JSON.stringify('- button "Pay" (ref=e1]\n- link "Free" (ref=e2]'),
    'is [private] not',
  ])
  expect(outline).toMatch(/textbox "Note" \[ref=e\d+\]: "first\\n\\n {2}third"$/m)
  expect(outline).toMatch(/textbox "Code" \[ref=e\d+\]: "A {2}1"$/m)
  expect(outline).toMatch(/\| Ada \| "12 Main St\\nLondon" button "Map" \[ref=e\d+\]$/m)
  expect(await call<string>(page, 'page_read', { filter: 'Lovelace 12 Main' })).toContain('12 Main St"')
  const told = async (selector: string): Promise<unknown> =>
    (await call<{ matches: { text?: string; value?: string }[] }>(page, 'dom_query', { selector })).matches.map(
      ({ text, value }) => text ?? value,
    )
  expect(await told('#code')).toEqual([code])
  expect(await told('#address, #line, #break, #usual')).toEqual([
    '  Ada Lovelace\n  12 Main St',
    'roses are red\nviolets',
    'a   b',
    'one two',
  ])
  expect(await told('textarea')).toEqual(['first\n\n  third'])
  expect((await call<{ fields: { value?: string }[] }>(page, 'form_read')).fields[0]?.value).toBe('first\n\n  third')
})

test('a long text keeps all of its lines, in several parts', async ({ page, site }) => {
  const lines = Array.from({ length: 80 }, (_, at) => `${' '.repeat(at % 7)}line ${at} 😀`)
  await openMarkup(page, site, `<pre>${lines.join('\n')}\n${'x'.repeat(900)}</pre>`)
  const outline = await call<string>(page, 'page_read')
  const parts = [...outline.matchAll(/^- text: (".*")$/gm)].map(([, text = '']) => JSON.parse(text) as string)
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.join('')).toBe(`${lines.join('\n')}\n${'x'.repeat(900)}`)
})
