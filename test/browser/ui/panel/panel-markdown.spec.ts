// The text of a model may be hostile. It may only become a few kinds of elements; it fetches and runs nothing.
import type { Page } from 'playwright/test'
import { corpusFiles, missingCorpus } from '../../../support/lab/corpora.js'
import { sample } from '../../../support/project/long.js'
import { expect, test as base } from '../../../support/page/site.js'

interface Drawn {
  breaches: string[]
  html: string
  text: string
}
declare global {
  interface Window {
    whole(text: string): Drawn
    growing(text: string, step: number): Drawn
    announced(text: string): string
    attacked?: string
  }
}

/** A page on which a dialog, a request or an executed handler fails the test. */
const test = base.extend<{ paper: Page }>({
  paper: async ({ page, site }, use) => {
    const happened: string[] = []
    page.on('dialog', (dialog) => {
      happened.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.goto(`${site}/test/pages/panel/markdown.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate(() => {
      window.whole('warm *up*\n\n```js\nlet a = 1\n```')
    })
    // The colours of code load once.
    await page.locator('.code-keyword').waitFor({ state: 'attached' })
    page.on('request', (request) => happened.push(`request ${request.url().slice(0, 100)}`))
    page.on('pageerror', (error) => happened.push(String(error)))
    await use(page)
    expect(happened).toEqual([])
  },
})

const attacks = corpusFiles('markdown-bypass', '.md')
const vectors = corpusFiles('xss', '.txt').flatMap((file) => pieces(file.read(), 3_000))

/** Cuts at line ends, so that each attack stays complete. */
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

  test(
    'attacks on Markdown renderers, complete or in pieces of 1 to 7 characters, leave only text and links',
    { tag: '@matrix' },
    async ({ paper }) => {
      test.setTimeout(240_000)
      for (const [index, attack] of sample(attacks, 5).entries()) {
        const found = await paper.evaluate(
          ([text, step]) => [...window.whole(text).breaches, ...window.growing(text, step).breaches],
          [attack.read(), 1 + (index % 7)] as const,
        )
        expect(found, attack.name).toEqual([])
      }
    },
  )

  test('cross-site scripting vectors in Markdown leave only text and links', { tag: '@S16' }, async ({ paper }) => {
    test.setTimeout(240_000)
    const found = await paper.evaluate(
      (texts) => texts.flatMap((text) => [...window.whole(text).breaches, ...window.growing(text, 97).breaches]),
      vectors,
    )
    expect(found).toEqual([])
  })

  test('a streamed text ends as the same elements as a complete text', { tag: '@matrix' }, async ({ paper }) => {
    test.setTimeout(240_000)
    // A link definition after its use changes earlier blocks; only the complete message shows that.
    for (const attack of sample(attacks, 5).filter((one) => !/\]:/.test(one.read()))) {
      const [whole, grown] = await paper.evaluate(
        (text) => [window.whole(text).html, window.growing(text, 5).html],
        attack.read(),
      )
      expect(grown, attack.name).toBe(whole)
    }
  })
})

test(
  'links are http, https or mailto, say where they lead, and send no referrer',
  { tag: '@S13' },
  async ({ paper }) => {
    const links = await paper.evaluate(() => {
      window.whole(`[a](https://evil.example/x?q=1) [b](http://shop.example/) [c](mailto:a@b.example) [d](/cart) [e](javascript:alert(1))
      [f](https://good.example@evil.example/) [g](data:text/html,x) [h](java&#10;script&colon;alert(1)) [i](vbscript:x) [j](file:///etc/passwd) [k](//evil.example/p)`)
      return [...document.querySelectorAll('a')].map((link) => [
        link.textContent,
        link.protocol,
        link.target,
        link.rel,
        link.referrerPolicy,
      ])
    })
    const rel = 'noopener noreferrer nofollow'
    expect(links).toEqual([
      ['a evil.example', 'https:', '_blank', rel, 'no-referrer'],
      ['b shop.example', 'http:', '_blank', rel, 'no-referrer'],
      ['c', 'mailto:', '_self', rel, 'no-referrer'],
      ['d', 'http:', '_self', rel, 'no-referrer'],
      ['k evil.example', 'http:', '_blank', rel, 'no-referrer'],
    ])
  },
)

test('an image is its alternative text with a link, and is not fetched', { tag: '@S12' }, async ({ paper }) => {
  const drawn = await paper.evaluate(() =>
    window.whole('![A teapot](https://evil.example/p.png?secret=1) ![](data:image/png;base64,AAAA)'),
  )
  expect(drawn.html).toContain('href="https://evil.example/p.png?secret=1"')
  expect(drawn.html).not.toContain('<img')
  expect(drawn.text).toContain('A teapot')
})

test('a link says where it leads unless its text does', async ({ paper }) => {
  const own = new URL(paper.url()).host
  const cases: [written: string, shown: string][] = [
    ['[https://www.paypal.com/signin](https://pal.com/x)', 'https://www.paypal.com/signin pal.com'],
    ['[pal.com.evil.example](https://pal.com/)', 'pal.com.evil.example pal.com'],
    ['[https://pal.com@evil.example/](https://pal.com/)', 'https://pal.com@evil.example/ pal.com'],
    ['[pal.com or rather paypal.com](https://pal.com/)', 'pal.com or rather paypal.com pal.com'],
    ['[p\u0430l.com](https://p\u0430l.com/)', 'p\u0430l.com xn--pl-7kc.com'],
    ['[**www.paypal.com**](https://pal.com/)', 'www.paypal.com pal.com'],
    ['[https&#58;//paypal.com](https://pal.com/)', 'https://paypal.com pal.com'],
    // The text names the host, so the host is not shown again.
    ['[https://pal.com/sign-in](https://pal.com/other)', 'https://pal.com/sign-in'],
    ['[Pal.com](https://pal.com/x)', 'Pal.com'],
    ['<https://pal.com/x>', 'https://pal.com/x'],
    // A link to this site or to a mailbox whose text looks like another address.
    ['[https://www.paypal.com](/cart)', `https://www.paypal.com ${own}`],
    ['[www.paypal.com](/cart)', `www.paypal.com ${own}`],
    ['[paypal.com](/cart)', `paypal.com ${own}`],
    ['[PayPal.com/signin](mailto:help@pal.com)', 'PayPal.com/signin help@pal.com'],
    [`[http://${own}/cart](/cart)`, `http://${own}/cart`],
    ['[Your cart, item no. 3.5](/cart)', 'Your cart, item no. 3.5'],
    ['[help@paypal.com](mailto:help@pal.com)', 'help@paypal.com help@pal.com'],
    ['[https://www.paypal.com](mailto:help@pal.com)', 'https://www.paypal.com help@pal.com'],
    ['[help@pal.com](mailto:help@pal.com)', 'help@pal.com'],
    ['[Write to us](mailto:help@pal.com)', 'Write to us'],
  ]
  const shown = await paper.evaluate(
    (texts) =>
      texts.map((text) => {
        window.whole(text)
        return document.querySelector('a')?.textContent
      }),
    cases.map(([written]) => written),
  )
  expect(shown).toEqual(cases.map(([, expected]) => expected))
})

test('an image inside a link is part of that link', async ({ paper }) => {
  const drawn = await paper.evaluate(() =>
    window.whole(
      '[![A *teapot*](https://pictures.example/p.png)](https://shop.example/teapot) [**![Pot](https://pictures.example/q.png)**](/pot)',
    ),
  )
  expect(drawn.html.match(/<a /g)).toHaveLength(2)
  expect(drawn.html.match(/href="[^"]*"/g)).toEqual([
    'href="https://shop.example/teapot"',
    expect.stringMatching(/\/pot"$/),
  ])
  expect(drawn.text).toContain('shop.example')
  expect(drawn.text).not.toContain('pictures.example')
})

test('decodes character references in text, but not in code', async ({ paper }) => {
  const drawn = await paper.evaluate(() =>
    window.whole(
      'M&uuml;ller, Stra&szlig;e, caf&eacute;, &Aring;, &ntilde;, 5&nbsp;&euro;, &alpha;&rarr;&Omega;, &#228;&#xe4;, &notathing; &amp;uuml;\n\n`M&uuml;ller`',
    ),
  )
  expect(drawn.text.replaceAll(/\s+/g, ' ')).toBe(
    'Müller, Straße, café, Å, ñ, 5 €, α→Ω, ää, &notathing; &uuml;M&uuml;ller',
  )
  expect(drawn.breaches).toEqual([])
})

test('announces text without Markdown syntax', async ({ paper }) => {
  const text =
    '# Two *pots*\n\nThe **blue** one costs 5&nbsp;&euro;, see [the shop](https://shop.example/x) or `pot --blue`.\n\n- [x] packed\n- [ ] sent\n\n| Pot | Price |\n|---|---|\n| blue | 5 |\n\n```js\nlet a = 1\n```\n\n![A teapot](/p.png)<br>end'
  expect(
    (await paper.evaluate((written) => window.announced(written), text)).split('\n').filter((line) => line !== ''),
  ).toEqual([
    'Two pots',
    'The blue one costs 5\u00a0€, see the shop (shop.example) or pot --blue.',
    'completed: packed'.replace('completed', 'done'),
    'open: sent',
    'Pot, Price',
    'blue, 5',
    'let a = 1',
    'A teapot',
    'end',
  ])
})

test('shows raw HTML as written, and decodes character references once', { tag: '@S16' }, async ({ paper }) => {
  const drawn = await paper.evaluate(() =>
    window.whole('<b onclick="x">bold</b> &lt;i&gt; &amp;lt; &copy; &#x41;\n\n<div>block</div>'),
  )
  expect(drawn.text).toContain('<b onclick="x">bold</b> <i> &lt; © A')
  expect(drawn.text).toContain('<div>block</div>')
  expect(drawn.breaches).toEqual([])
})

test('text cannot draw a button, an input or a style', { tag: '@S11' }, async ({ paper }) => {
  const controls =
    '<button>Allow</button> <input value="Allow"> <form action="/x"></form> <style>*{display:none}</style> <b style="color:red">b</b>'
  for (const text of [controls, `${controls}\n\n<div>\n${controls}\n</div>`, '- [ ] Allow\n- [x] Deny']) {
    const drawn = await paper.evaluate((one) => window.whole(one), text)
    expect(drawn.breaches).toEqual([])
    expect(drawn.html).not.toMatch(/<(?:button|input|form|style|b)\b/)
    expect(drawn.text).toContain('Allow')
  }
})

test('draws headings, lists, tasks, tables, code and quotes', async ({ paper }) => {
  const html = await paper.evaluate(
    () =>
      window.whole(
        '# One\n\n3. c\n4. d\n\n- [x] done\n- [ ] open\n\n| a | b |\n|:-:|--:|\n| 1 | 2<br>3 |\n\n```ts\nlet a = `<b>`\n```\n\n> **q** ~~x~~ `<i>`',
      ).html,
  )
  expect(html).toContain('<h3>One</h3>')
  expect(html).toContain('<ol dir="ltr" start="3"><li>c</li><li>d</li></ol>')
  expect(html).toContain('aria-label="done"')
  expect(html).toContain('aria-label="open"')
  expect(html).toContain('<td class="center">1</td><td class="right">2<br>3</td>')
  expect(html).toContain('<pre tabindex="0" data-language="ts"><code>let a = `&lt;b&gt;`</code></pre>')
  expect(html).toContain(
    '<blockquote><p><strong>q</strong> <del>x</del> <code part="inline-code" class="short">&lt;i&gt;</code></p></blockquote>',
  )
})

test('draws texts that would be slow to parse as plain text, completely', { tag: '@long' }, async ({ paper }) => {
  test.setTimeout(120_000)
  const shapes = [
    '> ',
    '- ',
    '1. ',
    '*a ',
    '**a',
    '_a',
    '[',
    '![',
    '`a',
    '<a ',
    '|',
    '*',
    '~~a',
    'a@b.',
    '[a](',
    '  - a\n',
  ]
  for (const shape of shapes) {
    const text = await paper.evaluate((text) => window.whole(text).text, `${shape.repeat(50_000)} the end`)
    expect(text.trimEnd().endsWith('the end'), shape).toBe(true)
  }
  // Deeper than the stack of some browsers.
  const stars = '*'.repeat(2_400)
  expect(await paper.evaluate((text) => window.whole(text).text, `${stars}a${stars}\n\nthe end`)).toContain('the end')
  const stairs = Array.from({ length: 600 }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n')
  const drawn = await paper.evaluate((text) => window.whole(text), `${stairs}\n\nthe end`)
  expect(drawn.text).toContain('the end')
  expect(drawn.text.match(/a/g)).toHaveLength(600)
  expect(drawn.html.match(/<ul/g)).toHaveLength(16)
  const nested = await paper.evaluate(() => window.whole(`${'> '.repeat(60)}deep`).text)
  expect(nested).toContain('deep')
})
