// page_read on large pages: it pauses, and its answer is of one moment. Also what it lists once.
import { expect, test } from '../../../support/page/site.js'
import { call, open } from '../../../support/page/page-tools-call.js'

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(() => {
    for (let number = 1; number <= 2000; number++) {
      const button = document.createElement('button')
      button.textContent = `Old ${number}`
      document.body.append(button)
    }
  })
})

test('a large page runs its own tasks while it is read', async ({ page }) => {
  const counts = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const { port1, port2 } = new MessageChannel()
        let tasks = 0
        port1.onmessage = () => {
          tasks++
          if ((window as unknown as { isRead?: boolean }).isRead) resolve(tasks)
          else port2.postMessage(null)
        }
        port2.postMessage(null)
        const { pageTools } = window as unknown as {
          pageTools: Map<string, { execute(input: object, run: object): Promise<string> }>
        }
        const run = { signal: new AbortController().signal, sessionId: 's', toolCallId: 'c', messages: [] }
        void pageTools
          .get('page_read')
          ?.execute({}, run)
          .then(() => {
            // The first reading loads code. Only tasks of the second one count.
            tasks = 0
            return pageTools.get('page_read')?.execute({}, run)
          })
          .then(() => Object.assign(window, { isRead: true }))
      }),
  )
  expect(await counts).toBeGreaterThan(3)
})

test('an answer is of one moment, even if the page changes between two pieces', async ({ page }) => {
  const answer = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<string> }>
    }
    const run = { signal: new AbortController().signal, sessionId: 's', toolCallId: 'c', messages: [] }
    const tool = pageTools.get('page_read')
    await tool?.execute({}, run)
    // The page changes in the first pause after a thousand elements.
    const { port1, port2 } = new MessageChannel()
    const own = window.getComputedStyle.bind(window)
    let styles = 0
    window.getComputedStyle = (...given) => {
      if (++styles === 1000) port2.postMessage(null)
      return own(...given)
    }
    port1.onmessage = () => {
      for (const button of document.querySelectorAll('button'))
        button.textContent = button.textContent.replace('Old', 'New')
    }
    return tool?.execute({ maxChars: 40_000 }, run)
  })
  expect(answer).toContain('"New 1"')
  expect(answer).not.toContain('"Old ')
})

test('lists the target of several links with the first of them', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = '<a href="/a">One</a> <a href="/b">Two</a> <a href="/a">Three</a>'
  })
  const answer = await call<string>(page, 'page_read')
  expect(answer).toMatch(/link "One" \[ref=e\d+\] -> \/a\n.*"Two" \[ref=e\d+\] -> \/b\n.*"Three" \[ref=e\d+\]$/)
  expect(await call<string>(page, 'page_read', { filter: 'three' })).toMatch(/"Three" \[ref=e\d+\] -> \/a$/)
})

const links = (...hrefs: readonly string[]): string =>
  hrefs.map((href) => `<p><a href="${href}">Text ${href.replaceAll(/[^a-z0-9]+/g, ' ')}</a></p>`).join('')
const shownTargets = (outline: string): string[] =>
  outline.split('\n').flatMap((line) => (line.includes('- link') ? [/ -> (.*)$/.exec(line)?.[1] ?? ''] : []))

test('lists ten addresses, and later ones only if they say more than the link', async ({ page }) => {
  const few = Array.from({ length: 10 }, (_, number) => `/orders/${number}`)
  const later = {
    '/orders/10': '',
    '/help/returns': '',
    '/news/2031/?page=2': '/news/2031/?page=2',
    '/a/x?one': '/a/x?one',
    '/a/x?two': '/a/x?two',
    '/a/x?three': '/a/x?three',
    '/a/x?four': '',
    'https://shop.example/tea/green': 'https://shop.example/…',
    'https://shop.example/tea/black?size=2': 'https://shop.example/tea/black?size=2',
    'mailto:ada@example.org': 'mailto:ada@example.org',
  }
  await page.evaluate(
    (html) => {
      document.body.innerHTML = html
    },
    links(...few),
  )
  const whole = await call<string>(page, 'page_read')
  expect(shownTargets(whole)).toEqual(few)
  expect(whole).not.toContain('left out')
  const all = [...few, ...Object.keys(later)]
  await page.evaluate(
    (html) => {
      document.body.innerHTML = html
    },
    `${links(...all)}<p>Cut short -> here</p><button>Buy</button>`,
  )
  const short = await call<string>(page, 'page_read')
  expect(shownTargets(short)).toEqual([...few, ...Object.values(later)])
  expect(short.split('\n')[0]).toMatch(/\(some addresses left out: use filter links\)$/)
  const complete = await call<string>(page, 'page_read', { filter: 'links' })
  expect(shownTargets(complete)).toEqual(all)
  expect(complete).not.toMatch(/left out|Cut short|Buy/)
  expect(shownTargets(await call<string>(page, 'page_read', { filter: 'text orders 10' }))).toEqual(['/orders/10'])
})

test('shortens an address only after its private values were removed', async ({ page }) => {
  const few = Array.from({ length: 11 }, (_, number) => `/orders/${number}`)
  await page.evaluate(
    (html) => {
      document.body.innerHTML = html
    },
    `<label>Password <input type="password" value="geheim?wort=1"></label>` +
      links(...few, `https://shop.example/${'x'.repeat(90)}/geheim?wort=1`, `/long/${'y'.repeat(90)}?query=1`),
  )
  const outline = await call<string>(page, 'page_read')
  expect(outline).toContain(' -> https://shop.example/')
  expect(outline).toMatch(/ -> \/long\/y+\?…$/m)
  expect(outline).not.toContain('/geheim')
})
