// Pages that follow one another in one window of WebKit, which keeps the one before in its back/forward cache.
import { mergeTests } from 'playwright/test'
import type { ToolAgentElement } from '../../src/ui/element/tool-agent-element.js'
import { deferred } from '../support/lab/lab.js'
import { test as siteTest } from '../support/page/site.js'
import {
  begin,
  decide,
  expect,
  isStatus,
  opened,
  runs,
  seen,
  send,
  test as webkitTest,
  untilRuns,
  visit,
} from '../support/page/webkit.js'
import type { WebDriver } from '../support/page/webdriver.js'

const test = mergeTests(webkitTest, siteTest)

/** Goes back by the browser's own button; the page must come out of the cache. */
async function back(webkit: WebDriver): Promise<void> {
  await webkit.back()
  await webkit.until(() => window.wasCached)
  await opened(webkit)
}

/** Sends without waiting, and keeps the answer in the page. */
function ask(webkit: WebDriver, text: string): Promise<unknown> {
  return webkit.run((said) => {
    const note = (answer: string) => {
      Object.assign(window, { answer })
    }
    void document
      .querySelector('tool-agent')!
      .send(said)
      .then(
        (result) => {
          note(`${result.reason}: ${result.text}`)
        },
        (error: { code: string }) => {
          note(error.code)
        },
      )
  }, text)
}
const answer = (webkit: WebDriver) => webkit.until(() => (window as { answer?: string }).answer)

test.describe('navigation', () => {
  test('the next page drives the session of the page before at once', async ({ webkit, serve }) => {
    const { page } = await serve([{ text: 'one' }, { text: 'two' }])
    await visit(webkit, page())
    await send(webkit, 'first')
    await visit(webkit, page('?next=1'))
    expect(await webkit.run(() => sessionStorage.getItem('hidden')), 'the page before is in the cache').toBe('true')
    expect(await seen(webkit)).toMatchObject({ host: 'worker', error: null, messages: ['first', 'one'] })
    expect(await send(webkit, 'second')).toBe('two')
  })

  test('a lock that a frozen page of the window kept is taken by the next page', async ({ webkit, serve }) => {
    // A page whose worker holds the locks of a driver and answers nothing.
    const hold = `for (const name of ['tool-agent:kept', 'tool-agent-driver:this-tab:kept']) {
        navigator.locks.request(name, () => new Promise(() => undefined))
      }
      navigator.locks.query().then(() => postMessage('held'))`
    const { page, origin } = await serve([{ text: 'one' }], {
      files: {
        '/hold.html': `<!doctype html><title>Holds</title><script>sessionStorage.setItem('tool-agent:tab', 'this-tab')
          new Worker('/hold.js').onmessage = () => { document.title = 'held' }</script>`,
        '/hold.js': hold,
      },
    })
    await webkit.goto(`${origin}/hold.html`)
    await webkit.until(() => document.title === 'held')
    await visit(webkit, page('?session-id=kept'))
    expect(await seen(webkit)).toMatchObject({ host: 'worker', error: null })
    expect(await send(webkit, 'first')).toBe('one')
  })

  test('a tool that opens another page: the turn continues there', async ({ webkit, serve }) => {
    // The page before may request the next step as well, until it is left.
    const { page } = await serve((body) =>
      JSON.stringify(body).includes('gone there') ? { text: 'There.' } : { calls: [{ name: 'go', arguments: {} }] },
    )
    await visit(webkit, page())
    await begin(webkit, 'Go')
    await webkit.until(
      () => location.search.includes('there') && document.querySelector('tool-agent')?.status === 'idle',
    )
    expect(await seen(webkit)).toMatchObject({ host: 'worker', messages: ['Go', 'go:"gone there"', 'There.'] })
    expect(await runs(webkit, 'go')).toBe(1)
  })

  test('an answer that streams is requested again on the next page', async ({ webkit, serve }) => {
    const { page } = await serve([{ text: ['half ', 'lost'], hold: new Promise(() => undefined) }, { text: 'whole' }])
    await visit(webkit, page())
    await begin(webkit, 'Tell')
    await webkit.until(() => document.querySelector('tool-agent')?.session?.draft?.parts.length)
    await visit(webkit, page('?next=1'))
    await isStatus(webkit, 'idle')
    expect((await seen(webkit)).messages).toEqual(['Tell', 'whole'])
  })

  test('a call that may not run twice is settled as interrupted on the next page', async ({ webkit, serve }) => {
    const { page, endpoint } = await serve([{ calls: [{ name: 'buy', arguments: {} }] }, { text: 'checked' }])
    await visit(webkit, page())
    await begin(webkit, 'Buy')
    await untilRuns(webkit, 'buy')
    await visit(webkit, page('?next=1'))
    await isStatus(webkit, 'idle')
    expect((await seen(webkit)).messages).toEqual(['Buy', 'buy:interrupted', 'checked'])
    expect(endpoint.requests[1]?.raw).toContain('may still have happened')
    expect(await runs(webkit, 'buy')).toBe(1)
  })

  test('the shop demo goes over its navigation, asks once and applies the coupon', async ({ webkit, site }) => {
    await webkit.goto(`${site}/playground/shop/`)
    await webkit.until(() => {
      const agent = document.querySelector<ToolAgentElement>('tool-agent')
      return agent?.status === 'ready' && agent.tools.some(({ name }) => name === 'form_fill')
    })
    await begin(webkit, 'find the cheapest teapot, then add two to the cart, then apply the coupon TEA10')
    await webkit.until(
      () =>
        location.pathname === '/playground/shop/cart.html' &&
        document.querySelector('tool-agent')?.status === 'awaiting-approval',
    )
    await decide(webkit, 'approve')
    await isStatus(webkit, 'idle')
    expect(await webkit.run(() => document.querySelector('tool-agent')?.todos.map(({ status }) => status))).toEqual([
      'completed',
      'completed',
      'completed',
    ])
    expect(
      await webkit.run(() => JSON.parse(localStorage.getItem('kettle-and-leaf-cart') ?? 'null') as unknown),
    ).toEqual({ lines: [{ productId: 'pot-betty', quantity: 2 }], coupon: 'TEA10' })
  })
})

test.describe('reload', () => {
  test('at rest the conversation is there, and goes on', async ({ webkit, serve }) => {
    const { page } = await serve([{ text: 'one' }, { text: 'two' }])
    await visit(webkit, page())
    await send(webkit, 'first')
    await webkit.reload()
    await opened(webkit)
    expect(await seen(webkit)).toMatchObject({ host: 'worker', messages: ['first', 'one'] })
    expect(await send(webkit, 'second')).toBe('two')
  })

  test('in mid-turn a tool that only reads runs again, and the turn ends', async ({ webkit, serve }) => {
    const { page } = await serve([{ calls: [{ name: 'look', arguments: {} }] }, { text: 'seen' }])
    await visit(webkit, page())
    await begin(webkit, 'Look')
    await untilRuns(webkit, 'look')
    await webkit.reload()
    await isStatus(webkit, 'idle')
    expect(await seen(webkit)).toMatchObject({ host: 'worker', messages: ['Look', 'look:"looked"', 'seen'] })
  })
})

test.describe('back and forward', () => {
  test('a page out of the cache shows what was said on the page after it, and drives', async ({ webkit, serve }) => {
    const { page } = await serve([{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }])
    await visit(webkit, page())
    await send(webkit, 'first')
    await visit(webkit, page('?next=1'))
    await send(webkit, 'second')
    await back(webkit)
    await webkit.until(() => document.querySelector('tool-agent')?.messages.length === 4)
    expect(await seen(webkit)).toMatchObject({
      host: 'worker',
      error: null,
      messages: ['first', 'one', 'second', 'two'],
    })
    expect(await send(webkit, 'third')).toBe('three')
    await webkit.forward()
    await webkit.until(() => window.wasCached && document.querySelector('tool-agent')?.messages.length === 6)
    expect(await send(webkit, 'fourth')).toBe('four')
  })

  test('a page out of the cache opens the session that its window had open last', async ({ webkit, serve }) => {
    const { page } = await serve([{ text: 'one' }, { text: 'two' }])
    await visit(webkit, page())
    await send(webkit, 'first')
    await visit(webkit, page('?next=1'))
    await webkit.run(() => document.querySelector('tool-agent')!.sessions.create())
    await send(webkit, 'another conversation')
    await back(webkit)
    await webkit.until(
      () =>
        document.querySelector('tool-agent')?.messages[0]?.role === 'user' &&
        JSON.stringify(document.querySelector('tool-agent')?.messages).includes('another conversation'),
    )
    expect((await seen(webkit)).messages).toEqual(['another conversation', 'two'])
  })

  test('a turn that the page after it has ended resolves the send of the page that began it', async ({
    webkit,
    serve,
  }) => {
    const { page } = await serve([{ calls: [{ name: 'look', arguments: {} }] }, { text: 'seen there' }])
    await visit(webkit, page())
    await ask(webkit, 'Look')
    await untilRuns(webkit, 'look')
    await visit(webkit, page('?next=1'))
    await isStatus(webkit, 'idle')
    await back(webkit)
    expect(await answer(webkit)).toBe('stop: seen there')
    expect(await seen(webkit)).toMatchObject({
      host: 'worker',
      status: 'idle',
      messages: ['Look', 'look:"looked"', 'seen there'],
    })
  })

  test('a turn that no page went on with goes on when the page comes back', async ({ webkit, serve }) => {
    const { page, origin } = await serve([{ calls: [{ name: 'look', arguments: {} }] }, { text: 'seen here' }], {
      files: { '/empty.html': '<!doctype html><title>Empty</title>' },
    })
    await visit(webkit, page())
    await ask(webkit, 'Look')
    await untilRuns(webkit, 'look')
    await webkit.goto(`${origin}/empty.html`)
    await back(webkit)
    expect(await answer(webkit)).toBe('stop: seen here')
    expect(await runs(webkit, 'look')).toBe(2)
  })

  test('an answer that streamed is requested again when the page comes back', async ({ webkit, serve }) => {
    const hold = deferred()
    const { page, origin } = await serve([{ text: ['half ', 'lost'], hold: hold.promise }, { text: 'whole' }], {
      files: { '/empty.html': '<!doctype html><title>Empty</title>' },
    })
    await visit(webkit, page())
    await ask(webkit, 'Tell')
    await webkit.until(() => document.querySelector('tool-agent')?.session?.draft?.parts.length)
    await webkit.goto(`${origin}/empty.html`)
    hold.resolve()
    await back(webkit)
    expect(await answer(webkit)).toBe('stop: whole')
    expect((await seen(webkit)).messages).toEqual(['Tell', 'whole'])
  })

  test('an open question is open on the next page and again on the way back, and the call runs once', async ({
    webkit,
    serve,
  }) => {
    const { page } = await serve([{ calls: [{ name: 'pay', arguments: {} }] }, { text: 'It is paid.' }])
    await visit(webkit, page())
    await ask(webkit, 'Pay')
    await isStatus(webkit, 'awaiting-approval')
    await visit(webkit, page('?next=1'))
    await isStatus(webkit, 'awaiting-approval')
    await back(webkit)
    await isStatus(webkit, 'awaiting-approval')
    await decide(webkit, 'approve')
    expect(await answer(webkit)).toBe('stop: It is paid.')
    expect(await runs(webkit, 'pay')).toBe(1)
  })
})
