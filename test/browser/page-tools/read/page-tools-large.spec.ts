// page_read on large pages: it pauses, and its answer is of one moment. Also what it lists once.
import type { Page } from 'playwright/test'
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

/** Reads with a clock of its own, on which each look at the time takes so many milliseconds. */
async function readSlowly(page: Page, each: number, disturb = ''): Promise<{ answers: string[]; turns: number }> {
  return page.evaluate(
    async ([each, disturb]) => {
      const { pageTools } = window as unknown as {
        pageTools: Map<string, { execute(input: object, run: object): Promise<string> }>
      }
      const run = { signal: new AbortController().signal, sessionId: 's', toolCallId: 'c', messages: [] }
      const read = (input: object): Promise<string> => pageTools.get('page_read')!.execute(input, run)
      // The first call loads code.
      await read({ maxChars: 500 })
      let [time, turns, isOver] = [0, 0, false]
      performance.now = () => (time += each)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        turns++
        if (disturb === 'scroll') scrollTo(0, turns % 2 === 0 ? 0 : 1e6)
        if (disturb !== '') document.body.dataset['turns'] = String(turns)
        if (!isOver) port2.postMessage(null)
      }
      port2.postMessage(null)
      const answers = [await read({ maxChars: 40_000 })]
      for (let cursor: string | undefined; (cursor = /next: cursor "([^"]+)"\)$/.exec(answers.at(-1)!)?.[1]);)
        answers.push(await read({ cursor, maxChars: 40_000 }))
      isOver = true
      port1.close()
      Reflect.deleteProperty(performance, 'now')
      return { answers, turns }
    },
    [each, disturb] as const,
  )
}
const buttonsIn = (answers: readonly string[]): string[] =>
  answers.flatMap((answer) => [...answer.matchAll(/button "(Old \d+)"/g)].map(([, name = '']) => name))
const allButtons = Array.from({ length: 2000 }, (_, at) => `Old ${at + 1}`)

test('a reading that takes too long tells what it has, and its cursor goes on', async ({ page }) => {
  await page.evaluate(() => {
    document.body.innerHTML = `<main>${document.body.innerHTML}</main><footer><a href="/end">End</a></footer>`
  })
  const { answers } = await readSlowly(page, 40)
  const stops = answers.filter((answer) => /\(stopped after 10 seconds, there is more; next: cursor/.test(answer))
  expect(stops.length).toBeGreaterThan(0)
  expect(answers[0]).toContain('- main')
  expect(answers[1]).toContain('(continued)')
  expect(buttonsIn(answers)).toEqual(allButtons)
  expect(answers.at(-1)).toMatch(/link "End" \[ref=e\d+\] -> \/end$/)
  // The time may be over before anything is found.
  expect(buttonsIn((await readSlowly(page, 400)).answers)).toEqual(allButtons)
})

test('a page that keeps changing runs its own tasks, and is read to its end', async ({ page }) => {
  const { answers, turns } = await readSlowly(page, 10, 'scroll')
  expect(answers[0]).toMatch(/^page .* \(changed while it was read\)/)
  expect(buttonsIn(answers)).toEqual(allButtons)
  expect(turns).toBeGreaterThan(20)
})

test('a reading that is stopped does not go on', async ({ page }) => {
  const result = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }>
    }
    const outcomes: string[] = []
    for (const name of ['page_read', 'dom_query', 'form_read']) {
      const abort = new AbortController()
      const run = { signal: abort.signal, sessionId: 's', toolCallId: 'c', messages: [] }
      let time = 0
      performance.now = () => (time += 20)
      const ended = pageTools.get(name)!.execute({ text: 'Old 77' }, run)
      abort.abort(new Error('stopped'))
      outcomes.push(
        await ended.then(
          () => `${name} went on`,
          (thrown: unknown) => `${name} ${String(thrown)}`,
        ),
      )
    }
    Reflect.deleteProperty(performance, 'now')
    return outcomes
  })
  expect(result).toEqual(['page_read', 'dom_query', 'form_read'].map((name) => `${name} Error: stopped`))
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
