// Model text is hostile text: whatever it says, it becomes a few kinds of elements, fetches nothing and runs nothing.
import type { Page } from 'playwright/test'
import { corpusFiles, missingCorpus } from '../support/corpora.js'
import { sample } from '../support/long.js'
import { expect, test as base } from '../support/site.js'

interface Drawn { breaches: string[]; html: string; text: string }
declare global {
  interface Window {
    whole(text: string): Drawn
    growing(text: string, step: number): Drawn
    attacked?: string
  }
}

/** A page on which a dialog, a request or a handler that runs is a failure. */
const test = base.extend<{ paper: Page }>({
  paper: async ({ page, site }, use) => {
    const happened: string[] = []
    page.on('dialog', (dialog) => { happened.push(`dialog ${dialog.message()}`); void dialog.dismiss() })
    await page.goto(`${site}/test/pages/markdown.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate(() => { window.whole('warm *up*') })
    page.on('request', (request) => happened.push(`request ${request.url().slice(0, 100)}`))
    page.on('pageerror', (error) => happened.push(String(error)))
    await use(page)
    expect(happened).toEqual([])
  },
})

const attacks = corpusFiles('markdown-bypass', '.md')
const vectors = corpusFiles('xss', '.txt').flatMap((file) => pieces(file.read(), 3_000))

/** Cut at line ends, so that a vector stays whole. */
function pieces(text: string, size: number): string[] {
  const result = ['']
  for (const line of text.split('\n')) {
    if ((result.at(-1)?.length ?? 0) + line.length > size) result.push('')
    result[result.length - 1] += `${line}\n`
  }
  return result
}

test.describe('corpora', () => {
  test.skip(attacks.length === 0 || vectors.length === 0, missingCorpus('markdown-bypass and xss', 3))

  test('attacks on Markdown renderers, whole and in pieces of 1 to 7 characters, leave nothing but text and links', { tag: '@matrix' }, async ({ paper }) => {
    test.setTimeout(240_000)
    for (const [index, attack] of sample(attacks, 5).entries()) {
      const found = await paper.evaluate(([text, step]) => [...window.whole(text).breaches, ...window.growing(text, step).breaches], [attack.read(), 1 + (index % 7)] as const)
      expect(found, attack.name).toEqual([])
    }
  })

  test('vectors of cross-site scripting, as Markdown, leave nothing but text and links', async ({ paper }) => {
    test.setTimeout(240_000)
    const found = await paper.evaluate((texts) => texts.flatMap((text) => [...window.whole(text).breaches, ...window.growing(text, 97).breaches]), vectors)
    expect(found).toEqual([])
  })

  test('a text that grows ends as the same elements as when it is drawn at once', { tag: '@matrix' }, async ({ paper }) => {
    test.setTimeout(240_000)
    // A definition behind its use changes what stands above it; the complete message is drawn whole.
    for (const attack of sample(attacks, 5).filter((one) => !/\]:/.test(one.read()))) {
      const [whole, grown] = await paper.evaluate((text) => [window.whole(text).html, window.growing(text, 5).html], attack.read())
      expect(grown, attack.name).toBe(whole)
    }
  })
})

test('links are http, https and mail, say where they lead, and leak no referrer', async ({ paper }) => {
  const links = await paper.evaluate(() => {
    window.whole(`[a](https://evil.example/x?q=1) [b](http://shop.example/) [c](mailto:a@b.example) [d](/cart) [e](javascript:alert(1))
      [f](https://good.example@evil.example/) [g](data:text/html,x) [h](java&#10;script&colon;alert(1)) [i](vbscript:x) [j](file:///etc/passwd) [k](//evil.example/p)`)
    return [...document.querySelectorAll('a')].map((link) => [link.textContent, link.protocol, link.target, link.rel, link.referrerPolicy])
  })
  const rel = 'noopener noreferrer nofollow'
  expect(links).toEqual([
    ['aevil.example', 'https:', '_blank', rel, 'no-referrer'],
    ['bshop.example', 'http:', '_blank', rel, 'no-referrer'],
    ['c', 'mailto:', '_self', rel, 'no-referrer'],
    ['d', 'http:', '_self', rel, 'no-referrer'],
    ['kevil.example', 'http:', '_blank', rel, 'no-referrer'],
  ])
})

test('a picture is its words, linked to its address and not fetched', async ({ paper }) => {
  const drawn = await paper.evaluate(() => window.whole('![A teapot](https://evil.example/p.png?secret=1) ![](data:image/png;base64,AAAA)'))
  expect(drawn.html).toContain('href="https://evil.example/p.png?secret=1"')
  expect(drawn.html).not.toContain('<img')
  expect(drawn.text).toContain('A teapot')
})

test('raw HTML is shown as it was written, and character references once decoded', async ({ paper }) => {
  const drawn = await paper.evaluate(() => window.whole('<b onclick="x">bold</b> &lt;i&gt; &amp;lt; &copy; &#x41;\n\n<div>block</div>'))
  expect(drawn.text).toContain('<b onclick="x">bold</b> <i> &lt; © A')
  expect(drawn.text).toContain('<div>block</div>')
  expect(drawn.breaches).toEqual([])
})

test('what is written in Markdown is there: headings, lists, tasks, tables, code, quotes', async ({ paper }) => {
  const html = await paper.evaluate(() => window.whole('# One\n\n3. c\n4. d\n\n- [x] done\n- [ ] open\n\n| a | b |\n|:-:|--:|\n| 1 | 2<br>3 |\n\n```ts\nlet a = `<b>`\n```\n\n> **q** ~~x~~ `<i>`').html)
  expect(html).toContain('<h3>One</h3>')
  expect(html).toContain('<ol start="3"><li>c</li><li>d</li></ol>')
  expect(html).toContain('aria-label="done"')
  expect(html).toContain('aria-label="open"')
  expect(html).toContain('<td class="center">1</td><td class="right">2<br>3</td>')
  expect(html).toContain('<pre data-language="ts"><code>let a = `&lt;b&gt;`</code></pre>')
  expect(html).toContain('<blockquote><p><strong>q</strong> <del>x</del> <code>&lt;i&gt;</code></p></blockquote>')
})

test('texts made to be slow are drawn as text, and nothing is lost of them', async ({ paper }) => {
  test.setTimeout(120_000)
  const shapes = ['> ', '- ', '1. ', '*a ', '**a', '_a', '[', '![', '`a', '<a ', '|', '*', '~~a', 'a@b.', '[a](', '  - a\n']
  for (const shape of shapes) {
    const text = await paper.evaluate((text) => window.whole(text).text, `${shape.repeat(50_000)} the end`)
    expect(text.trimEnd().endsWith('the end'), shape).toBe(true)
  }
  // In some browsers deeper than the stack.
  const stars = '*'.repeat(2_400)
  expect(await paper.evaluate((text) => window.whole(text).text, `${stars}a${stars}\n\nthe end`)).toContain('the end')
  const stairs = Array.from({ length: 600 }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n')
  const drawn = await paper.evaluate((text) => window.whole(text), `${stairs}\n\nthe end`)
  expect(drawn.text).toContain('the end')
  expect(drawn.html).toMatch(/^<p class="plain">/)
  const nested = await paper.evaluate(() => window.whole(`${'> '.repeat(60)}deep`).text)
  expect(nested).toContain('deep')
})
