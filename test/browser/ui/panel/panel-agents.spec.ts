// Agents as tools in the panel: the card of a call shows what the agent inside it does.
import type { AgentEvent } from '../../../../src/core/data/event.js'
import type { JsonObject } from '../../../../src/core/data/json.js'
import type { UserMessage } from '../../../../src/core/data/message.js'
import { startEndpoint } from '../../../support/lab/endpoint.js'
import { assistant, call, expect, question, test, user, type PanelPage } from '../../../support/page/panel.js'
import { agentSession } from '../../../support/page/rich-session.js'

const running = { started: { at: 1_000, hash: 'h', input: { task: 'Look into it' }, repeatable: false } }
const done = (output: unknown) => ({ result: { output, startedAt: 1_000, endedAt: 2_200, attempts: 1 } })
const agent = (id: string, name: string, ...inside: Parameters<typeof assistant>[1][]) =>
  call(id, name, {
    ...running,
    child: {
      messages: [user(`${id}-u`, 'Look into it'), ...(inside.length > 0 ? [assistant(`${id}-a`, ...inside)] : [])],
    },
  })
const start = (id: string, name = 'research') => ({
  status: 'running' as const,
  messages: [user('u', 'Hi'), assistant('a', call(id, name, running))],
})
const begin = (id: string): AgentEvent[] => [
  { type: 'turn-start', at: 1, turn: { id: 't' } as never, message: user(`${id}-u`, 'Look into it') as UserMessage },
  { type: 'step-start', at: 1, step: 0, id: `${id}-a` },
]
const card = (panel: PanelPage, tool: string) => panel.element.locator(`details.call[data-tool=${tool}]`)
const activity = (panel: PanelPage, tool: string) => card(panel, tool).locator('> summary .activity')

test('shows the steps of an agent inside its call while it works: text, arguments, progress, results', async ({
  panel,
}) => {
  await panel.show(start('c'))
  await card(panel, 'research').locator('> summary').click()
  const inside = card(panel, 'research').locator('.child')
  await panel.emitInside(['c'], ...begin('k'))
  await expect(inside.locator('.working')).toBeVisible()
  await panel.emitInside(
    ['c'],
    { type: 'text-delta', delta: 'I look at **both**' },
    { type: 'tool-input-start', id: 'k1', name: 'carriers' },
    { type: 'tool-input-delta', id: 'k1', delta: '{"to": "Ber' },
  )
  await expect(inside.locator('.text strong')).toHaveText('both')
  await expect(inside.locator('.working')).toHaveCount(0)
  await expect(card(panel, 'carriers')).toHaveAttribute('data-state', 'writing')
  await expect(card(panel, 'carriers').locator('summary')).toContainText('Ber')

  await panel.emitInside(['c'], {
    type: 'step-end',
    at: 1,
    step: 0,
    offered: [],
    message: assistant('k-a', 'I look at **both**', call('k1', 'carriers')) as never,
  })
  await expect(card(panel, 'carriers')).toHaveAttribute('data-state', 'checking')
  await panel.emitInside(
    ['c'],
    { type: 'tool-start', at: 1, callId: 'k1', hash: 'h', input: { to: 'Berlin' }, repeatable: true },
    { type: 'tool-progress', callId: 'k1', value: { message: '3 of 4', fraction: 0.75 } },
  )
  await expect(card(panel, 'carriers')).toHaveAttribute('data-state', 'running')
  await expect(card(panel, 'carriers').locator('> summary')).toContainText('3 of 4')
  await panel.emitInside(['c'], {
    type: 'tool-result',
    at: 1,
    callId: 'k1',
    result: { output: ['DHL'], endedAt: 1, attempts: 1 },
  })
  await expect(card(panel, 'carriers')).toHaveAttribute('data-state', 'done')
  await expect(inside.locator('.working')).toBeVisible()
  await expect(inside.locator('.text strong')).toHaveText('both')
  // The task is an argument of the call, so it is not shown as a message.
  await expect(inside.getByRole('article', { name: 'You' })).toHaveCount(0)
})

test('a closed card says what its agent is doing', async ({ panel }) => {
  await panel.show(start('c'))
  await panel.emitInside(['c'], ...begin('k'))
  await expect(activity(panel, 'research')).toHaveText('Working')
  await panel.emitInside(['c'], { type: 'reasoning-delta', delta: 'hm' })
  await expect(activity(panel, 'research')).toHaveText('Thinking')
  await panel.emitInside(['c'], { type: 'text-delta', delta: 'First a word.\n\nThen I look at the ca' })
  await expect(activity(panel, 'research')).toHaveText('Then I look at the ca')
  await panel.emitInside(
    ['c'],
    { type: 'tool-input-start', id: 'k1', name: 'carriers' },
    { type: 'tool-input-delta', id: 'k1', delta: '{"to": "Ber' },
  )
  await expect(activity(panel, 'research')).toHaveText('Carriers: To: Ber')
  await panel.emitInside(['c'], {
    type: 'step-end',
    at: 1,
    step: 0,
    offered: [],
    message: assistant(
      'k-a',
      call('k1', 'carriers'),
      call('k2', 'price_list', done(1)),
      agent('k3', 'booking'),
    ) as never,
  })
  await expect(activity(panel, 'research')).toHaveText('Carriers: Query: pot · Booking: Working')
  await panel.emitInside(['c'], { type: 'tool-progress', callId: 'k1', value: { message: '3 of 4' } })
  await expect(activity(panel, 'research')).toHaveText('Carriers: 3 of 4 · Booking: Working')
  await panel.emitInside(['c', 'k3'], ...begin('m'), { type: 'text-delta', delta: 'Deep inside' })
  await expect(activity(panel, 'research')).toHaveText('Carriers: 3 of 4 · Booking: Deep inside')
  await panel.emit({ type: 'tool-result', at: 1, callId: 'c', result: { output: 'done', endedAt: 1, attempts: 1 } })
  await expect(card(panel, 'research')).toHaveAttribute('data-state', 'done')
  await expect(activity(panel, 'research')).toHaveCount(0)
})

test('a card opens when a call inside waits for the user, and again for the next question', async ({ panel }) => {
  await panel.show({
    status: 'awaiting-approval',
    messages: [
      user('u', 'Hi'),
      assistant('a', agent('c', 'research'), agent('d', 'booking', question('q1'), question('q2'))),
    ],
  })
  await expect(card(panel, 'booking')).toHaveJSProperty('open', true)
  await expect(card(panel, 'booking')).toHaveAttribute('data-state', 'asking')
  await expect(card(panel, 'research')).toHaveJSProperty('open', false)
  await expect(card(panel, 'research')).toHaveAttribute('data-state', 'running')

  await card(panel, 'booking').locator('> summary').click()
  await expect(activity(panel, 'booking')).toHaveText('Your decision is needed: Apply a coupon')
  await panel.emitInside(['d'], {
    type: 'tool-result',
    at: 1,
    callId: 'q1',
    result: { output: 1, endedAt: 1, attempts: 1 },
  })
  await expect(panel.element.locator('tool-agent-approval')).toHaveCount(1)
  // Still the same question, so the card that the user closed stays closed.
  await expect(card(panel, 'booking')).toHaveJSProperty('open', false)
  await panel.emitInside(['d'], {
    type: 'tool-result',
    at: 1,
    callId: 'q2',
    result: { output: 1, endedAt: 1, attempts: 1 },
  })
  await expect(card(panel, 'booking')).toHaveAttribute('data-state', 'running')
  await panel.emitInside(['d'], {
    type: 'step-end',
    at: 1,
    step: 1,
    offered: [],
    message: assistant('d-b', question('q3')) as never,
  })
  await expect(card(panel, 'booking')).toHaveJSProperty('open', true)
})

test('a question from inside a call names its agents, also for screen readers, and can be answered', async ({
  panel,
}) => {
  await panel.show({
    status: 'running',
    messages: [
      user('u', 'Hi'),
      assistant('a', agent('c', 'research', agent('d', 'booking', call('q', 'apply_coupon')))),
    ],
  })
  const approval = { hash: 'h', title: 'Apply a coupon', input: { code: 'TEA10' }, at: 1 }
  await panel.emitInside(['c', 'd'], { type: 'approval-request', at: 1, callId: 'q', approval })
  const asked = panel.element.getByRole('group', { name: 'Apply a coupon, Asked by Research › Booking' })
  await expect(asked).toContainText('Asked by Research › Booking')
  await expect(panel.element.locator('.unseen[aria-live]')).toHaveText(
    'Your decision is needed: Apply a coupon. Code: TEA10. Asked by Research › Booking. Press F8 to answer.',
  )
  for (const name of ['research', 'booking']) await expect(card(panel, name)).toHaveJSProperty('open', true)
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await asked.getByRole('button', { name: 'Allow', exact: true }).click()
  expect(await panel.asked('approve')).toEqual([['q', {}]])
})

test('a question of the assistant itself names no agent', async ({ panel }) => {
  await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Hi'), assistant('a', question('q'))] })
  await expect(panel.element.getByRole('group', { name: 'Apply a coupon', exact: true })).not.toContainText('Asked by')
})

test('inside a call that is over nothing seems to run, at any depth', async ({ panel }) => {
  const open = [
    call('k1', 'running_one', running),
    call('k2', 'checking_one'),
    question('k3'),
    agent('k4', 'deeper', call('k5', 'running_deep', running)),
  ]
  const messages = [user('c-u', 'Look'), assistant('c-a', ...open)]
  const draft = {
    id: 'x',
    step: 1,
    parts: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Half a sen' },
      { type: 'tool-input', id: 'k6', name: 'writing_one', text: '{"a": "b' },
      { type: 'reasoning', text: 'hm' },
    ],
  }
  const over = { result: { error: { code: 'cancelled', message: 'Stopped by the user' }, endedAt: 1, attempts: 1 } }
  // Another call of the turn is still running.
  await panel.show({
    status: 'running',
    messages: [
      user('u', 'Hi'),
      assistant(
        'a',
        call('c', 'research', { ...running, child: { messages, draft }, ...over }),
        call('d', 'other', running),
      ),
    ] as never,
  })
  await expect(card(panel, 'research')).toHaveAttribute('data-state', 'cancelled')
  await expect(panel.element.locator('tool-agent-approval')).toHaveCount(0)
  await card(panel, 'research').locator('> summary').click()
  await card(panel, 'deeper').locator('> summary').click()
  await expect(card(panel, 'research').locator('.child .text')).toHaveText('Half a sen')
  const inside = card(panel, 'research').locator('.child details.call')
  await expect(inside).toHaveCount(6)
  expect(await inside.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['state']))).toEqual(
    Array.from({ length: 6 }, () => 'interrupted'),
  )
  await expect(card(panel, 'research').locator('.spinner, .pulse, .activity, .progress, [aria-busy=true]')).toHaveCount(
    0,
  )
  await expect(card(panel, 'other').locator('.spinner')).toHaveCount(1)
})

test('shows the answer of an agent once: as its last step, or as the result if that differs', async ({ panel }) => {
  const messages = [user('c-u', 'Look'), assistant('c-a', 'Both take two days.')]
  await panel.show({
    messages: [
      user('u', 'Hi'),
      assistant(
        'a',
        call('c', 'research', { ...running, child: { messages }, ...done('Both take two days.') }),
        call('d', 'booking', { ...running, child: { messages }, ...done({ booked: true }) }),
      ),
    ],
  })
  await card(panel, 'research').locator('> summary').click()
  await card(panel, 'booking').locator('> summary').click()
  await expect(card(panel, 'research').getByText('Both take two days.')).toHaveCount(1)
  await expect(card(panel, 'research').getByText('Result', { exact: true })).toHaveCount(0)
  await expect(card(panel, 'booking').getByText('Result', { exact: true }).filter({ visible: true })).toHaveCount(1)
})

test('nested cards open with the keyboard and fit on a phone', async ({ panel, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await panel.show({ ...agentSession(), status: 'running' })
  await expect(card(panel, 'contract')).toHaveJSProperty('open', true)
  await card(panel, 'booking').locator('> summary').focus()
  await page.keyboard.press('Tab')
  await expect(card(panel, 'free_days').locator('> summary')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card(panel, 'free_days').locator('.body')).toContainText('2026-03-03')
  await page.keyboard.press('Tab')
  await expect(card(panel, 'free_days').locator('.technical > summary')).toBeFocused()
  // A box that can scroll is a stop of its own.
  await page.keyboard.press('Tab')
  await expect(
    card(panel, 'free_days')
      .locator('.technical pre')
      .or(card(panel, 'contract').locator('> summary'))
      .and(panel.element.locator(':focus')),
  ).toBeVisible()
  await card(panel, 'contract').locator('> summary').focus()
  await page.keyboard.press('Space')
  await expect(card(panel, 'contract')).toHaveJSProperty('open', false)
  await page.keyboard.press('Space')
  const closed = panel.element.locator('details.call:not([open])')
  await expect
    .poll(async () => {
      await closed.evaluateAll((all) => {
        for (const one of all) (one as HTMLDetailsElement).open = true
      })
      return closed.count()
    })
    .toBe(0)
  const wide = await panel.element
    .locator('.log')
    .evaluate((log) =>
      [log, ...log.querySelectorAll('.call, .body, .child, summary')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1)
        .map((one) => `${one.className} ${one.textContent?.slice(0, 60)}`),
    )
  expect(wide).toEqual([])
  const titles = await panel.element
    .locator('.call .title')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)))
  expect(Math.min(...titles)).toBeGreaterThan(50)
})

test('a real agent inside a real agent works, asks and answers in the panel', async ({ page, site }) => {
  const systemOf = (body: JsonObject): string => JSON.stringify((body['messages'] as JsonObject[])[0])
  const endpoint = await startEndpoint(
    Array.from({ length: 6 }, () => (body: JsonObject) => {
      const isFirst = (body['messages'] as JsonObject[]).at(-1)?.['role'] === 'user'
      if (systemOf(body).includes('You order.'))
        return isFirst ? { calls: [{ name: 'pay', arguments: { amount: 9.9 } }] } : { text: 'Ordered.' }
      if (systemOf(body).includes('You plan.'))
        return isFirst ? { calls: [{ name: 'order', arguments: { task: 'Order the pick-up' } }] } : { text: 'Planned.' }
      return isFirst
        ? { calls: [{ name: 'plan', arguments: { task: 'Plan the pick-up' } }] }
        : { text: 'All **done**.' }
    }),
  )
  try {
    await page.goto(`${site}/test/pages/panel/element.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate(async (url) => {
      const { agentTool } = await (
        window as unknown as { load(): Promise<typeof import('../../../../src/index.js')> }
      ).load()
      const pay = {
        name: 'pay',
        title: 'Pay',
        description: 'Pays an amount after the user has agreed.',
        needsApproval: true,
        inputSchema: {
          type: 'object',
          properties: { amount: { type: 'number', description: 'In euros' } },
          required: ['amount'],
        },
        execute: ({ amount }: { amount: number }) => `paid ${amount}`,
      }
      const order = agentTool({
        name: 'order',
        title: 'Ordering',
        description: 'Orders what was planned before.',
        instructions: 'You order.',
        tools: [pay],
      })
      const element = Object.assign(document.createElement('tool-agent'), { endpoint: url, model: 'm' })
      element.registerTool(
        agentTool({
          name: 'plan',
          title: 'Planning',
          description: 'Plans what the user wants.',
          instructions: 'You plan.',
          tools: [order],
        }),
      )
      document.body.append(element)
    }, endpoint.url)
    const element = page.locator('tool-agent')
    await element.locator('textarea').fill('Have it picked up')
    await element.locator('textarea').press('Enter')
    const asked = element.getByRole('group', { name: 'Pay, Asked by Planning › Ordering' })
    await expect(asked).toContainText('9.9')
    await expect(element.locator('[data-tool=pay]')).toHaveAttribute('data-state', 'asking')
    await expect(element.locator('.decision[data-ready]')).toBeVisible()
    await asked.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(element.locator('.messages > article').last().locator('strong')).toHaveText('done')
    for (const name of ['plan', 'order', 'pay'])
      await expect(element.locator(`[data-tool=${name}]`)).toHaveAttribute('data-state', 'done')
    await expect(element.locator('[data-tool=plan] > .body > .child > .message').last()).toContainText('Planned.')
    await expect(element.locator('[data-tool=order] > .body > .child > .message').last()).toContainText('Ordered.')
    await endpoint.close()
  } finally {
    await endpoint.stop()
  }
})
