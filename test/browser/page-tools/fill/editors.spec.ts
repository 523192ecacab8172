// Editors of rich text and code: the whole text, a part of it, bold, a list. What they hold is read by their own
// methods, not from the page.
import type { Page } from 'playwright/test'
import { editors, expect, largeEditors, openFramework, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'

interface Fixture {
  draw(kind: string): Promise<void>
  text(): string
  html(): string
  set(text: string): void
  drawn(): string
}
const fixture = <T>(page: Page, step: keyof Fixture, argument = ''): Promise<T> =>
  page.evaluate(
    ([step, argument]) =>
      (window as unknown as { fixture: Record<string, (argument: string) => unknown> }).fixture[step!]!(argument!),
    [step, argument],
  ) as Promise<T>

const rich = ['plain', 'prosemirror', 'tiptap', 'lexical', 'slate', 'quill', 'draft'] as const
const large = ['ckeditor', 'tinymce'] as const
for (const kind of [...rich, ...large, 'codemirror'] as const)
  test.describe(kind, { tag: kind === 'tiptap' || kind === 'codemirror' ? [] : ['@long'] }, () => {
    const target = kind === 'ckeditor' ? 'Body. Press Alt+0 for help.' : 'Body'
    const isCode = kind === 'codemirror'
    test.beforeEach(async ({ page, site }) => {
      await openFramework(page, site, (large as readonly string[]).includes(kind) ? largeEditors : editors)
      await fixture(page, 'draw', kind)
    })

    test('takes a whole text, of one line or several', async ({ page }) => {
      for (const value of ['Only (this) [text]', 'One\nTwo\nThree', '']) {
        const [filled] = await call<{ ok: boolean; problem?: string }[]>(page, 'form_fill', {
          fields: [{ field: target, value }],
        })
        const text = await fixture<string>(page, 'text')
        expect.soft({ text: text.trimEnd(), ok: filled?.ok }, JSON.stringify(filled)).toEqual({ text: value, ok: true })
      }
    })

    test('replaces and deletes words', async ({ page }) => {
      const replaced = await call(page, 'page_press', { target, select: 'line here', text: 'row' })
      expect.soft(await fixture(page, 'text'), JSON.stringify(replaced)).toBe('First row\nSecond line')
      const deleted = await call(page, 'page_press', { target, select: 'Second ', key: 'Delete' })
      expect.soft(await fixture(page, 'text'), JSON.stringify(deleted)).toBe('First row\nline')
    })

    if (kind === 'draft')
      test('goes on drawing what it holds, also from empty', async ({ page }) => {
        const both = async () => [await fixture(page, 'text'), await fixture(page, 'drawn')]
        for (const [text, after] of [
          ['Hello', 'Hello'],
          ['one\ntwo', 'one\ntwo'],
        ] as const) {
          await fixture(page, 'set', '')
          const pressed = await call(page, 'page_press', { target, text })
          expect.soft(await both(), JSON.stringify(pressed)).toEqual([after, after])
          for (const former of ['', 'former', 'two\nlines']) {
            await fixture(page, 'set', former)
            const filled = await call(page, 'form_fill', { fields: [{ field: target, value: text }] })
            expect.soft(await both(), JSON.stringify(filled)).toEqual([after, after])
            expect.soft(filled).toMatchObject([{ ok: true }])
          }
        }
      })

    if (isCode)
      test('takes a text of which it draws only a part', async ({ page }) => {
        await fixture(page, 'set', Array.from({ length: 500 }, (_, line) => `old ${line}`).join('\n'))
        const value = Array.from({ length: 300 }, (_, line) => `new ${line} { [`).join('\n')
        const [filled] = await call<{ ok: boolean }[]>(page, 'form_fill', { fields: [{ field: target, value }] })
        expect(await fixture(page, 'text'), JSON.stringify(filled)).toBe(value)
        expect(filled).toMatchObject({ ok: true })
      })
    else
      test('makes words bold', async ({ page }) => {
        const answer = await call(page, 'page_press', { target, select: 'line here', key: 'Control+B' })
        expect(await fixture(page, 'html'), JSON.stringify(answer)).toMatch(/<(strong|b)>line here<\/(strong|b)>/)
      })
  })

test('Monaco, whose text is not on the page, is never said to be filled', { tag: '@long' }, async ({ page, site }) => {
  await openFramework(page, site, largeEditors)
  await fixture(page, 'draw', 'monaco')
  const [filled] = await call<{ ok: boolean }[]>(page, 'form_fill', { fields: [{ field: 'Body', value: 'New' }] })
  expect(filled).toMatchObject({ ok: false, problem: expect.stringContaining('There is no field "Body"') })
  expect(await call(page, 'page_press', { target: 'Body', select: 'line', text: 'x' })).toMatchObject({
    error: 'invalid-input',
  })
  expect(await fixture(page, 'text')).toBe('First line here\nSecond line')
})

for (const [kind, button] of [
  ['tiptap', 'List'],
  ['quill', 'list: bullet'],
  ['ckeditor', 'Bulleted List'],
] as const)
  test(
    `${kind}: words that stay selected become a list by a button of the page`,
    { tag: kind === 'tiptap' ? [] : ['@long'] },
    async ({ page, site }) => {
      await openFramework(page, site, (large as readonly string[]).includes(kind) ? largeEditors : editors)
      await fixture(page, 'draw', kind)
      const target = kind === 'ckeditor' ? 'Body. Press Alt+0 for help.' : 'Body'
      await call(page, 'page_press', { target, select: 'Second line' })
      const answer = await call(page, 'page_click', { target: button })
      expect(await fixture(page, 'html'), JSON.stringify(answer)).toMatch(/<li[^>]*>(<[^>]*>)*Second line/)
    },
  )
