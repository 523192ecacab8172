// The panel in WebKit, used as a visitor uses it: a mouse, a keyboard, a narrow and a wide screen.
import { decide, expect, inPanel, isStatus, runs, seen, send, test, visit } from '../support/page/webkit.js'
import type { WebDriver } from '../support/page/webdriver.js'

test('a question counts a real click alone, and the call runs once', async ({ webkit, serve }) => {
  const { page } = await serve([{ calls: [{ name: 'pay', arguments: {} }] }, { text: 'It is paid.' }])
  await visit(webkit, page())
  await webkit.run(() => {
    void document.querySelector('tool-agent')!.send('Pay')
  })
  await inPanel(webkit, '.decision[data-ready] .approve')
  await webkit.run(() => {
    document.querySelector('tool-agent')?.shadowRoot?.querySelector<HTMLElement>('.approve')?.click()
  })
  expect((await seen(webkit)).status).toBe('awaiting-approval')
  await decide(webkit, 'approve')
  await isStatus(webkit, 'idle')
  expect((await seen(webkit)).messages).toEqual(['Pay', 'pay:"paid"', 'It is paid.'])
  expect(await runs(webkit, 'pay')).toBe(1)
})

test('a question that is denied by a click settles its call as denied', async ({ webkit, serve }) => {
  const { page } = await serve([{ calls: [{ name: 'pay', arguments: {} }] }, { text: 'As you like.' }])
  await visit(webkit, page())
  await webkit.run(() => {
    void document.querySelector('tool-agent')!.send('Pay')
  })
  await webkit.click(await inPanel(webkit, '.decision .deny'))
  await isStatus(webkit, 'idle')
  expect((await seen(webkit)).messages).toEqual(['Pay', 'pay:denied', 'As you like.'])
  expect(await runs(webkit, 'pay')).toBe(0)
})

test('a message that is typed is sent by Enter, and its answer is shown as Markdown', async ({ webkit, serve }) => {
  const { page } = await serve([{ text: 'Some **green** tea.' }])
  // The text field is below the window, and the user scrolls to it.
  await webkit.resize(1024, 500)
  await visit(webkit, page())
  await webkit.click(await inPanel(webkit, 'tool-agent-composer textarea'))
  await webkit.type('Tea, please\uE007')
  await webkit.until(
    () =>
      document.querySelector('tool-agent')?.shadowRoot?.querySelector('[role="log"] strong')?.textContent === 'green',
  )
  await isStatus(webkit, 'idle')
  expect((await seen(webkit)).messages).toEqual(['Tea, please', 'Some **green** tea.'])
})

/** What sticks out of the panel or the page to the right, in pixels. */
function overflow(webkit: WebDriver): Promise<number[]> {
  return webkit.run(() => {
    const panel = document.querySelector('tool-agent')?.shadowRoot?.querySelector('.panel')
    const { right, left } = panel!.getBoundingClientRect()
    return [
      document.documentElement.scrollWidth - innerWidth,
      panel!.scrollWidth - panel!.clientWidth,
      right - innerWidth,
      -left,
    ].map((pixels) => Math.max(0, Math.round(pixels)))
  })
}

// The browser's window has a least width, so the narrow page is in a frame: its media queries and popovers take the
// frame's size.
for (const [width, height, layout] of [
  [390, 844, 'floating'],
  [1280, 900, 'sidebar'],
] as const) {
  test(`at ${width} pixels the panel fits the screen with an answer and a question`, async ({
    webkit,
    serve,
  }, info) => {
    const answer =
      'Here is what I found:\n\n| Tea | Price |\n|---|---|\n| Sencha | €12.50 |\n| Assam | €9.00 |\n\n' +
      '- **Sencha** is green.\n- `Assam` is black.'
    const { page, origin } = await serve(
      [
        { text: answer },
        {
          text: 'I will pay now.',
          calls: [{ name: 'pay', arguments: { order: 4711, address: 'Long Street 12, 20095 Hamburg' } }],
        },
        { text: 'Not paid.' },
      ],
      {
        files: {
          '/frame.html': `<!doctype html><title>Frame</title><body style="margin: 0">
            <iframe width="${width}" height="${height}" style="border: 0; display: block"></iframe>`,
        },
      },
    )
    await webkit.goto(`${origin}/frame.html`)
    // As tall as the frame: WebKit pads the picture of an element that is shorter than its window.
    await webkit.resize(1280, height)
    const frame = await webkit.find(() => document.querySelector('iframe'))
    await webkit.run(
      (address) => {
        document.querySelector('iframe')!.src = address
      },
      page(`?layout=${layout}&heading=Tea help`),
    )
    await webkit.frame(frame)
    await webkit.until(
      (wanted) => innerWidth === wanted && document.querySelector('tool-agent')?.status === 'ready',
      width,
    )
    await send(webkit, 'Which teas do you have?')
    await webkit.until(() => document.querySelector('tool-agent')?.shadowRoot?.querySelector('table'))
    expect(await overflow(webkit)).toEqual([0, 0, 0, 0])
    await webkit.run(() => {
      void document.querySelector('tool-agent')!.send('I take the first')
    })
    await inPanel(webkit, '.decision[data-ready]')
    expect(await overflow(webkit)).toEqual([0, 0, 0, 0])
    await webkit.frame(null)
    await info.attach(`webkit-${width}.png`, { body: await webkit.screenshot(frame), contentType: 'image/png' })
    await webkit.frame(frame)
    await decide(webkit, 'deny')
    await isStatus(webkit, 'idle')
    await webkit.frame(null)
  })
}
