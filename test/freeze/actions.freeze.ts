// Records what a move of code in the tools that act must not change, beside the clicks of page-tools.freeze.ts: the
// question, the answer and the events of presses, submissions, drags, navigations and the manners of a click.
import type { Page } from 'playwright/test'
import { test, expect } from '../support/page/one-page.js'
import { call, open, openMarkup } from '../support/page/page-tools-call.js'
import { noteEvents } from './note-events.js'

const folder = 'test/pages/page-tools'
const calls: readonly (readonly [page: string, ...calls: (readonly [tool: string, input: object])[]])[] = [
  [
    'act-press.html',
    ...[
      'Find',
      'Note',
      'Only',
      'Left part',
      'Data',
      'Turned',
      'Plain',
      'Go on',
      'Box',
      'Disabled',
      'Tip',
      'Ask',
    ].flatMap((target) => [
      ['page_press', { target, key: 'Enter' }] as const,
      ['page_press', { target, key: 'Space' }] as const,
    ]),
    ['page_press', { key: 'Tab' }],
    ['page_press', { key: 'Escape' }],
    ['page_press', { key: 'Control+A', target: 'Note' }],
    ['page_press', { target: 'Note', text: 'a note' }],
    ['page_press', { target: 'Note', text: 'a note', key: 'Enter' }],
    ['page_press', { target: 'nothing of this name', key: 'Enter' }],
    ...['Search', 'Handled', 'Lone', 'Pair', 'Off', 'Turning', 'Nothing'].map(
      (form) => ['form_submit', { form }] as const,
    ),
    ['form_submit', { button: 'Find' }],
    ['form_submit', { button: 'Plain' }],
    ['form_submit', { form: 'Lone', button: 'Find' }],
    ['form_submit', {}],
    ['page_navigate', { url: '#linked' }],
    ['page_navigate', { url: '/test/pages/session/blank.html' }],
    ['page_navigate', { url: 'https://elsewhere.example/collect' }],
    ['page_navigate', { url: 'javascript:1' }],
  ],
  [
    'act-hand.html',
    ...['double', 'right', 'middle', 'hold', 'hover', 'other'].map(
      (how) => ['page_click', { target: 'Plain', how }] as const,
    ),
    ['page_click', { target: 'Press long', how: 'hold' }],
    ['page_click', { target: 'Press with mouse', how: 'hold' }],
    ['page_click', { target: 'Tip', hover: true }],
    ['page_click', { target: 'Plain', with: 'Control+Shift' }],
    ['page_click', { target: 'Swap', how: 'double' }],
    ['form_submit', { button: 'Make a wish' }],
    ['form_submit', { button: 'Pay now' }],
    ['page_drag', { target: 'Plain', x: 40, y: 10 }],
    ['page_drag', { target: 'Plain', to: 'Swap' }],
    ['page_drag', { target: 'Plain', to: 'Swap', place: 'before' }],
    ['page_drag', { target: 'Plain' }],
  ],
  [
    'act.html',
    ['form_submit', { form: 'Booking' }],
    ['form_submit', { button: 'Book there' }],
    ['page_press', { target: 'Book now', key: 'Enter' }],
    ['page_press', { target: 'Count', key: 'Space' }],
    ['page_press', { target: 'Hidden', key: 'Space' }],
    ['page_drag', { target: 'Count', to: 'Slow' }],
    ['page_click', { target: 'Open menu', hover: true }],
    ['page_scroll', { to: 'bottom' }],
    ['page_scroll', { text: 'Far down' }],
  ],
]

/** Those that are run, too. */
const run = [
  ['page_press', { target: 'Note', key: 'Enter' }],
  ['page_press', { target: 'Only', key: 'Enter' }],
  ['page_press', { target: 'Go on', key: 'Enter' }],
  ['page_press', { target: 'Box', key: 'Space' }],
  ['page_press', { target: 'Note', text: 'a note' }],
  ['page_press', { key: 'Tab' }],
  ['form_submit', { form: 'Handled' }],
  ['form_submit', { form: 'Lone' }],
  ['page_navigate', { url: '#linked' }],
  ['page_click', { target: 'Plain', how: 'double' }],
  ['page_click', { target: 'Plain', how: 'right' }],
  ['page_click', { target: 'Press with mouse', how: 'hold' }],
  ['page_click', { target: 'Tip', hover: true }],
  ['form_submit', { button: 'Make a wish' }],
  ['page_drag', { target: 'Plain', to: 'Swap' }],
].map((one) => JSON.stringify(one))

/** What the question of a call would show; the error where it is not possible. */
const question = (page: Page, tool: string, input: object): Promise<unknown> =>
  page.evaluate(
    ([tool, input]) => {
      type Tool = Record<symbol, { preview(input: object, run: object): object }>
      const { pageTools } = window as unknown as { pageTools: Map<string, Tool> }
      const run = { ...window.toolRun({ messages: [] }), toolCallId: 'forecast' }
      try {
        return pageTools.get(tool)![Symbol.for('tool-agent.internals')]?.preview(input, run) ?? null
      } catch (thrown) {
        return { error: (thrown as Error).message }
      }
    },
    [tool, input] as const,
  )

/** What became of a call: the output, what a model reads, and the events. */
async function answer(page: Page, tool: string, input: object): Promise<string[]> {
  const output = await call<{ error?: string }>(page, tool, input).catch(() => 'the page was left' as const)
  const said = await page
    .evaluate(
      ([tool, output]) => {
        const { pageTools, eventLog } = window as unknown as {
          pageTools: Map<string, { toModelOutput?(result: object): unknown }>
          eventLog: string[]
        }
        const isError = typeof output === 'string' || output.error !== undefined
        return [isError ? '' : pageTools.get(tool)?.toModelOutput?.({ output }), ...eventLog]
      },
      [tool, output] as const,
    )
    .catch(() => [])
  return [JSON.stringify(output), ...said.map(String)]
}

test.describe('answers of actions', () => {
  for (const [file, ...all] of calls)
    test(file, async ({ page, site }) => {
      test.setTimeout(900_000)
      const lines: string[] = []
      await open(page, `${site}/${folder}/${file}`)
      await call(page, 'page_read')
      for (const [tool, input] of all)
        lines.push(`# question ${tool} ${JSON.stringify(input)}`, JSON.stringify(await question(page, tool, input)))
      for (const [tool, input] of all.filter((one) => run.includes(JSON.stringify(one)))) {
        // A page of its own, because an action may leave it.
        const tab = await page.context().newPage()
        await tab.addInitScript(noteEvents)
        await open(tab, `${site}/${folder}/${file}`)
        await call(tab, 'page_read')
        lines.push(`# ${tool} ${JSON.stringify(input)}`, ...(await answer(tab, tool, input)))
        await tab.close()
      }
      expect(lines.join('\n').replaceAll(site, 'http://site')).toMatchSnapshot([`actions-${file}.txt`])
    })
})

/** One of each that does something of its own for a key. */
const keyed = `<input aria-label=Text value=abc><textarea aria-label=Lines>a
b</textarea><input type=number aria-label=Number value=3 max=9><input type=range aria-label=Range value=5 max=10>
<select aria-label=Choice><option>A<option selected>B<option>C</select>
<label><input type=radio name=r checked>One</label><label><input type=radio name=r>Two</label>
<label><input type=checkbox>Check</label><div contenteditable aria-label=Editor role=textbox><b>bold</b> text</div>
<button>Push</button><a href="#x">Go</a><details><summary>More</summary>inside</details>
<div tabindex=0 role=group aria-label=Scroller style="height:40px;overflow:auto"><p style="height:900px">long</p></div>
<div popover id=pop><button>In popover</button></div>
<div role=region tabindex=0 aria-label=Wheel style="height:60px">wheel here</div>`
const keys =
  'a 7 Enter Space Tab Shift+Tab Escape Backspace Delete Home End PageDown PageUp ArrowUp ArrowDown ' +
  'ArrowLeft ArrowRight Shift+ArrowLeft Control+A Control+B Control+K F2'
const receivers = 'Text Lines Number Range Choice One Two Check Editor Push Go More Scroller'

test('keys', async ({ page, site }) => {
  test.setTimeout(900_000)
  await page.addInitScript(noteEvents)
  await openMarkup(page, site, keyed)
  const lines: string[] = []
  const act = async (tool: string, input: object, before = ''): Promise<void> => {
    await page.evaluate(
      ([markup, before]) => {
        document.body.innerHTML = markup
        if (before === 'popover') document.querySelector<HTMLElement>('#pop')!.showPopover()
        ;(window as unknown as { eventLog: string[] }).eventLog.length = 0
      },
      [keyed, before] as const,
    )
    const said = await answer(page, tool, input)
    const state = await page.evaluate(() => {
      const fields = [...document.querySelectorAll('input,textarea,select')].map((one) => {
        const { value, checked, selectionStart } = one as HTMLInputElement
        return [value, checked, selectionStart].join('/')
      })
      return [document.activeElement?.outerHTML.slice(0, 60), ...fields, document.querySelector('div')!.innerHTML].join(
        ' ',
      )
    })
    lines.push(`# ${tool} ${JSON.stringify(input)} ${before}`, ...said, state)
    await page.evaluate(() => (window as unknown as { eventLog: string[] }).eventLog.splice(0))
  }
  for (const target of receivers.split(' ')) for (const key of keys.split(' ')) await act('page_press', { target, key })
  for (const target of ['Text', 'Lines', 'Number', 'Editor', 'Scroller'])
    for (const text of ['xy', 'x\ny', '']) await act('page_press', { target, text })
  await act('page_press', { target: 'Text', select: 'bc', text: 'Z' })
  await act('page_press', { target: 'Editor', select: 'bold', text: '' })
  await act('page_press', { target: 'Editor', select: 'bold', key: 'Control+I' })
  await act('page_press', { key: 'Escape' }, 'popover')
  for (const how of ['double', 'right', 'middle', 'hold', 'hover', undefined])
    await act('page_click', { target: 'Push', with: 'Shift', ...(how && { how }) })
  await act('page_click', { target: 'Editor' })
  await act('page_click', { target: 'Check' })
  await act('page_scroll', { target: 'Wheel', to: 'down' })
  await act('page_scroll', { target: 'Scroller', to: 'bottom' })
  await act('page_drag', { target: 'Wheel', x: 40, y: 30 })
  await act('page_drag', { target: 'Go', to: 'Wheel' })
  await act('form_fill', {
    values: { Editor: 'new text', Text: 'typed', Choice: 'C', Range: 7, Check: true, Two: true },
  })
  expect(lines.join('\n').replaceAll(site, 'http://site')).toMatchSnapshot(['keys.txt'])
})
