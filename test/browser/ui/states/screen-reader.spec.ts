// A visitor with a screen reader, from the launcher through questions, failures, conversations and errors back to it.
// Each fact of screen-reader-facts.ts is heard once in its step, and nothing else is said. Time stands still except where
// a step lets it pass.
import type { Locator } from 'playwright/test'
import type { AssistantMessage, AssistantPart } from '../../../../src/core/data/message.js'
import type { AgentEvent } from '../../../../src/core/data/event.js'
import type { Turn } from '../../../../src/core/data/session.js'
import { ScreenReader } from '../../../support/page/screen-reader.js'
import { assistant, call, expect, tasks, test, user, type PanelPage } from '../../../support/page/panel.js'
import { steps, type StepName } from './screen-reader-facts.js'

/** When time stands still. */
const now = 1_790_000_600_000
const turn: Turn = {
  id: 't',
  tab: 'tab',
  url: 'https://shop.example/',
  startedAt: now,
  first: 0,
  resumes: 0,
  lastAt: now,
  spent: 0,
  mode: 'auto',
  options: {},
  facts: { url: '', title: '', lang: 'en', timeZone: 'UTC' },
  offered: [],
  counted: 0,
}
const shopTools = {
  export_orders: { title: 'Export the orders', input: { year: 2026 } },
  apply_coupon: { title: 'Apply the coupon', input: { coupon: 'TEA10' } },
  cancel_order: { title: 'Cancel the order', input: { order: '4148' } },
  track_parcel: { title: 'Track the parcel', input: { parcel: '12' } },
} as const
type Tool = keyof typeof shopTools

const partOf = (id: string, name: Tool): AssistantPart =>
  call(id, name, { title: shopTools[name].title, call: { id, name, input: shopTools[name].input } })
const stepEnd = (step: number, ...message: Parameters<typeof assistant>): AgentEvent => ({
  type: 'step-end',
  at: now,
  step,
  offered: Object.keys(shopTools),
  message: assistant(...message) as AssistantMessage,
})
const asks = (callId: string, name: Tool): AgentEvent => {
  const { title, input } = shopTools[name]
  return { type: 'approval-request', at: now, callId, approval: { hash: `hash-${callId}`, title, input, at: now } }
}
const starts = (callId: string, name: Tool): AgentEvent => ({
  type: 'tool-start',
  at: now,
  callId,
  hash: `hash-${callId}`,
  input: shopTools[name].input,
  repeatable: false,
})
const ends = (callId: string, code?: 'denied' | 'execution-failed'): AgentEvent => ({
  type: 'tool-result',
  at: now,
  callId,
  result: {
    ...(code === undefined ? { output: 'ok' } : { error: { code, message: code } }),
    startedAt: now,
    endedAt: now,
    attempts: 1,
  },
})

const answer = `Here they are:

| Teapot | Price |
|--|--|
| Hario | € 24.90 |
| Kinto | € 46.00 |

\`\`\`
const pots = 3
\`\`\`

Read the [care instructions](https://shop.example.org/care).`

/** A shop with landmarks of its own and a closed panel that floats. Everything is loaded before time stands still. */
async function openShop(panel: PanelPage): Promise<void> {
  const { page } = panel
  await page.clock.install({ time: now - 600_000 })
  await page.reload()
  await panel.ready()
  await page.evaluate((tools) => {
    const main = document.querySelector('main')!
    main.insertAdjacentHTML('beforebegin', '<header>A shop</header><nav aria-label="Shop">Teas</nav>')
    main.insertAdjacentHTML('afterend', '<footer>Imprint</footer>')
    const registered = Object.entries(tools).map(([name, { title, input }]) => ({
      name,
      title,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, { type: typeof value }])),
      },
      annotations: name === 'cancel_order' ? { destructiveHint: true } : {},
      tool: {},
    }))
    window.fake.set({ tools: registered as never })
    for (const [id, name] of [
      ['c2', 'apply_coupon'],
      ['c3', 'cancel_order'],
    ]) {
      const { inputSchema, annotations } = registered.find((tool) => tool.name === name)!
      const offers = name === 'apply_coupon' ? ['session'] : []
      window.fake.approvalTools.set(id!, { inputSchema, annotations, isDiscovered: false, offers })
    }
    window.fake.stored = ['Teapots', 'My order'].map((title, index) => ({
      id: index === 0 ? 'session-1' : 's1',
      scope: '',
      title,
      createdAt: 1,
      updatedAt: Date.now() - index * 60_000,
      messages: 2,
    }))
    Object.assign(window.element, {
      layout: 'floating',
      open: true,
      attachments: 'text/*',
      suggestions: ['Find a teapot', 'Where is my order?'],
      disclaimer: 'Answers may be wrong.',
    })
    void window.element.agent
  }, shopTools)
  await panel.field.focus()
  await expect(panel.element.locator('.attach')).toBeVisible()
  await expect(panel.element.locator('.granted')).toBeAttached()
  await page.evaluate(() => {
    window.element.open = false
    ;(window.element.shadowRoot!.activeElement as HTMLElement | null)?.blur()
  })
  await expect(panel.element.locator('.launcher')).toBeVisible()
  await page.clock.pauseAt(now)
}

/** Whether something is said with its name again, such as a tooltip that repeats the label. */
const isNamedTwice = (line: string): boolean => {
  const [name = '', ...others] = line.split(', ')
  return others.some((one) => one.length > 3 && name.includes(one))
}

test('a visitor with a screen reader hears every fact once, and nothing else', async ({ panel, browserName }) => {
  test.skip(browserName !== 'chromium', 'Only Chromium gives its accessibility tree to a test')
  test.slow()
  const { page, element } = panel
  await openShop(panel)
  const reader = await ScreenReader.start(page)
  const faults: string[] = []
  const left: StepName[] = steps.map(({ name }) => name)

  /** Takes one step, and compares what was said, and what was read, with its facts. */
  async function step(name: StepName, take: () => Promise<readonly string[] | void>): Promise<void> {
    expect(left.shift()).toBe(name)
    const read = (await test.step(name, take)) ?? []
    const said = [...(await reader.heard()), ...read]
    const all = said.join('\n')
    const hears: readonly string[] = steps.find((one) => one.name === name)!.hears
    const wrong = [
      ...hears.filter((fact) => !all.includes(fact)).map((fact) => `not heard: ${fact}`),
      ...hears.filter((fact) => all.split(fact).length > 2).map((fact) => `heard twice: ${fact}`),
      ...said.filter((line) => !hears.some((fact) => line.includes(fact))).map((line) => `no fact: ${line}`),
      ...said.filter(isNamedTwice).map((line) => `a name said twice: ${line}`),
    ]
    if (wrong.length > 0) faults.push([`${name}: ${wrong.join('; ')}`, ...said.map((line) => `  “${line}”`)].join('\n'))
  }
  /** Lets time pass until the next frame is drawn. */
  const draw = () => page.clock.runFor(100)
  const emit = async (...events: AgentEvent[]): Promise<void> => {
    await panel.emit(...events)
    await draw()
  }
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key)
    await draw()
  }
  const hasFocus = (target: Locator) => target.evaluate((one) => one === window.element.shadowRoot?.activeElement)
  /** Presses Tab until something has the focus. What is said on the way is not part of the step. */
  async function tabTo(selector: string, key = 'Tab'): Promise<void> {
    const target = element.locator(selector).first()
    for (let count = 0; count < 40; count++) {
      await reader.heard()
      await page.keyboard.press(key)
      if (await hasFocus(target)) return draw()
    }
    throw new Error(`The focus does not reach ${selector}`)
  }
  /** Gives something the focus and shows something, before a step. */
  async function prepare(selector: string, session?: Parameters<PanelPage['show']>[0]): Promise<void> {
    if (session !== undefined) await panel.show(session)
    await draw()
    await element.locator(selector).first().focus()
    await draw()
    await reader.heard()
  }
  const read = (...selectors: string[]) => reader.read(...selectors.map((one) => element.locator(one).last()))
  const field = '.grow textarea'
  const drop = (name: string, type: string) =>
    element.evaluate(
      (one, file) => {
        const data = new DataTransfer()
        data.items.add(new File(['# Tea'], file.name, { type: file.type }))
        one
          .shadowRoot!.querySelector('textarea')!
          .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
      },
      { name, type },
    )

  // Open and write.
  await step('Tab reaches the launcher', () => tabTo('.launcher'))
  await step('Enter opens the panel', async () => {
    await press('Enter')
    await expect(panel.field).toBeFocused()
  })
  await step('the empty panel is read', () =>
    read('section.panel > header', '.empty', 'tool-agent-composer', '.disclaimer', '.grip'),
  )
  await step('a message is typed', async () => {
    await page.keyboard.type('Export my orders')
    await draw()
  })
  await step('Enter sends it', async () => {
    await press('Enter')
    expect(await panel.asked('send')).toEqual([['Export my orders']])
    await emit({ type: 'turn-start', at: now, turn, message: user('u', 'Export my orders') as never })
  })

  // A tool that takes long.
  await step('a tool runs', () =>
    emit(
      { type: 'step-start', at: now, step: 1, id: 'm1' },
      stepEnd(1, 'm1', partOf('c1', 'export_orders')),
      starts('c1', 'export_orders'),
      { type: 'tool-progress', callId: 'c1', value: { message: 'Order 4 of 10', fraction: 0.4 } },
    ),
  )
  await step('its card is read', () => read('.call[data-tool=export_orders] > summary'))
  await step('five seconds pass without news', () => page.clock.runFor(5_100))
  await step('the tool is done', () => emit(ends('c1')))
  await step('its card is read again', () => read('.call[data-tool=export_orders] > summary'))

  // Two questions.
  const isReady = () =>
    expect
      .poll(async () => {
        await draw()
        return element.locator('.decision[data-ready]').count()
      })
      .toBe(1)
  await step('two questions are asked', async () => {
    await emit(
      stepEnd(2, 'm2', partOf('c2', 'apply_coupon'), partOf('c3', 'cancel_order')),
      asks('c2', 'apply_coupon'),
      asks('c3', 'cancel_order'),
    )
    await isReady()
  })
  await step('F8 leads to the question', () => press('F8'))
  await step('the question is read', () => read('.approval .ask', '.approval .reading', '.approval .decision'))
  await step('Tab leads to the button that allows', () => tabTo('.approve'))
  await step('Enter allows, and the second question gets the focus', async () => {
    await press('Enter')
    expect(await panel.asked('approve')).toEqual([['c2', {}]])
    await isReady()
  })
  await step('Tab leads to the button that refuses', () => tabTo('.deny'))
  await step('Enter refuses', async () => {
    await press('Enter')
    expect(await panel.asked('deny')).toEqual([['c3', {}]])
    await emit(starts('c2', 'apply_coupon'), ends('c2'), ends('c3', 'denied'))
  })
  await step('the card of the refused call is read', () => read('.call[data-tool=cancel_order] > summary'))

  // A failure, and the answer.
  await step('a call fails', () =>
    emit(stepEnd(3, 'm3', partOf('c4', 'track_parcel')), starts('c4', 'track_parcel'), ends('c4', 'execution-failed')),
  )
  await step('the answer is complete', () =>
    emit(stepEnd(4, 'm4', 'I applied the **coupon**. Your order was not cancelled.'), {
      type: 'turn-end',
      at: now,
      turn: 't',
      reason: 'stop',
    }),
  )

  // What was done.
  const filled = call('f', 'form_fill', {
    result: {
      output: [
        { field: 'Name', now: 'Ada', ok: true },
        { field: 'Guests', now: '4', ok: true },
      ],
      summary: 'Filled 2 fields',
      // Since this page was loaded, whatever the clock says.
      startedAt: 2 * now,
      endedAt: 2 * now,
      attempts: 1,
    },
  })
  const todos = [
    { text: 'Find a teapot', status: 'completed' },
    { text: 'Add two to the cart', status: 'in_progress' },
    { text: 'Apply the coupon', status: 'pending' },
  ] as const
  const messages = [
    user('u', 'Go'),
    { ...assistant('a', tasks('t', todos), filled, answer), reason: 'stop' } as AssistantMessage,
  ]
  await page.evaluate(() =>
    window.fake.set({ undoable: { can: 'undo', lines: [{ callId: 'f', can: 'undo' }] } as never }),
  )
  await prepare('.call[data-tool=form_fill] > summary', { messages })
  await step('a card is opened', () => press('Enter'))
  await step('it is read', () => read('.call[data-tool=form_fill] > .body'))
  await step('Tab leads to the way to undo it', () => tabTo('button.undo'))
  await step('Enter undoes it', () => press('Enter'))
  await step('the receipt is read, with its tasks', () => read('.receipt'))
  await step('a table is read', () => read('.text table'))
  await step('code is read', () => read('.text .code'))
  await step('a link is read', () => read('.text > p'))
  await prepare('.code pre')
  await step('Tab leads to the buttons of the answer', async () => {
    await tabTo('.assistant .actions .copy')
    const heard = await reader.heard()
    await tabTo('.act-again')
    return heard
  })

  // Queue and stop.
  await prepare(field, { status: 'running', messages, turn })
  await step('a message is sent while the assistant works', async () => {
    await page.keyboard.type('And a cup')
    await press('Enter')
    await page.evaluate(() => window.fake.wait({ turn: 't2', text: 'And a cup' }))
    await draw()
  })
  await step('Tab leads to the way to remove it', () => tabTo('.queued button', 'Shift+Tab'))
  await step('Enter removes it', async () => {
    await press('Enter')
    expect(await panel.asked('drop')).toEqual([['t2']])
    await page.evaluate(() => window.fake.wait())
    await draw()
  })
  await step('Tab leads to the way to stop', () => tabTo('.stop'))
  await step('Enter stops', async () => {
    await press('Enter')
    expect(await panel.asked('stop')).toEqual([[]])
    await emit({ type: 'turn-end', at: now, turn: 't', reason: 'stopped' })
  })

  // Conversations.
  await prepare('[part~="header-button"]')
  await step('the conversations are opened', async () => {
    await press('Enter')
    await expect(element.locator('.session')).toHaveCount(2)
  })
  await step('the arrow leads to a conversation', () => press('ArrowDown'))
  await step('Tab leads to its options', () => tabTo('.options'))
  await step('Enter opens them', () => press('Enter'))
  await step('Enter opens its title', () => press('Enter'))
  await step('Enter renames it', async () => {
    await page.keyboard.type('Cups')
    await press('Enter')
    await expect(element.locator('.session').first()).toContainText('Cups')
  })
  await step('Enter opens its options again', () => press('Enter'))
  await step('Tab leads to the way to delete it', () => tabTo('.tools :last-child'))
  await step('Enter deletes it', () => press('Enter'))
  await step('Tab leads to the way back', () => tabTo('.undone button'))
  await step('Enter brings it back', () => press('Enter'))
  await step('Escape leads back to the conversation', () => press('Escape'))

  // What is allowed, and what goes wrong.
  await prepare(field, { status: 'running', messages, turn })
  await step('more is allowed for the task', async () => {
    const taskGrants = [{ at: now, page: 'https://shop.example/', scope: { covers: 'unknown' } }] as const
    await panel.show({ status: 'running', messages, turn: { ...turn, taskGrants } })
    await draw()
  })
  await step('Tab leads to the line below the field', () => tabTo('.trust'))
  await step('Enter opens what the assistant may do', async () => {
    await press('Enter')
    await expect(element.locator('.glass')).toBeFocused()
    await draw()
  })
  await step('what it may do is read', () => read('.glass dl > div:nth-child(2)', '.grant p'))
  await step('Tab leads to the way to take it back', () => tabTo('[part=grant-end]'))
  await step('Enter takes it back', async () => {
    await press('Enter')
    expect(await panel.asked('endGrants')).toEqual([[]])
    await panel.show({ status: 'running', messages, turn })
    await draw()
  })
  await step('Escape leads back to the line', () => press('Escape'))
  const retry = (code: 'rate-limited' | 'offline', delay: number): AgentEvent => ({
    type: 'step-retry',
    step: 1,
    attempt: 1,
    delay,
    error: { code, message: code },
  })
  await step('the endpoint is busy', () => emit(retry('rate-limited', 18_000)))
  await step('the network is lost', () => emit(retry('offline', 0)))
  await step('the turn fails', () =>
    emit({ type: 'turn-end', at: now, turn: 't', reason: 'error', error: { code: 'server', message: '503' } }),
  )
  await step('Tab leads to the way out', () => tabTo('[part=notice-button]', 'Shift+Tab'))

  // Files.
  await prepare(field)
  await step('a file is attached', async () => {
    await drop('notes.md', 'text/markdown')
    await expect(element.locator('.attachments li button')).toHaveCount(1)
    await draw()
  })
  await step('another file is not accepted', async () => {
    await drop('tool.exe', 'application/x-msdownload')
    await expect(element.locator('.attachments .problem')).toBeVisible()
    await draw()
  })

  // Close.
  await step('Escape closes the panel', async () => {
    await press('Escape')
    await expect(element.locator('.launcher')).toBeFocused()
  })
  await step('an answer arrives while it is closed', () =>
    emit(
      { type: 'turn-start', at: now, turn, message: user('u2', 'And now?') as never },
      stepEnd(1, 'm5', 'Your parcel arrives today.'),
      { type: 'turn-end', at: now, turn: 't', reason: 'stop' },
    ),
  )
  await step('Enter opens the panel again', async () => {
    await press('Enter')
    await expect(panel.field).toBeFocused()
  })

  expect(left).toEqual([])
  faults.push(...(await reader.unheard()).map((text) => `a region that appears with its text: ${text}`))
  expect(faults.join('\n\n')).toBe('')
})
