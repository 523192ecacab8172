// What the panel shows of a session, and which methods of the agent it calls.
import type { Page } from 'playwright/test'
import type { Message } from '../../../../src/core/data/message.js'
import type { Session } from '../../../../src/core/data/session.js'
import { assistant, call, expect, tasks, test, user } from '../../../support/page/panel.js'

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? user(`u${index}`, `Question ${index}`) : assistant(`a${index}`, `Answer **${index}**`),
  )

test.describe('composer', () => {
  test('Enter sends the text and empties the field', async ({ panel }) => {
    await panel.field.fill('  Find a teapot ')
    await panel.field.press('Enter')
    expect(await panel.asked('send')).toEqual([['Find a teapot']])
    await expect(panel.field).toHaveValue('')
    await panel.field.press('Enter')
    expect(await panel.asked('send')).toHaveLength(1)
  })

  test('Shift+Enter starts a new line and the field grows', async ({ panel }) => {
    const before = await panel.field.boundingBox()
    await panel.field.pressSequentially('one')
    await panel.field.press('Shift+Enter')
    await panel.field.pressSequentially('two')
    await expect(panel.field).toHaveValue('one\ntwo')
    expect(await panel.asked('send')).toEqual([])
    expect((await panel.field.boundingBox())?.height ?? 0).toBeGreaterThan((before?.height ?? 0) + 10)
  })

  test('the field is as high as its text, wherever the lines break', { tag: '@long' }, async ({ panel, page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    for (let length = 20; length <= 60; length++) {
      await panel.field.fill('x'.repeat(length))
      await expect
        .poll(() => panel.field.evaluate((field) => field.scrollHeight - field.clientHeight), { message: `${length}` })
        .toBe(0)
    }
  })

  test('the Enter that ends an IME composition does not send', async ({ panel }) => {
    await panel.field.fill('にほん')
    await panel.field.evaluate((field) => {
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
      )
      // WebKit ends the composition first; only the key code 229 shows that.
      const late = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
      Object.defineProperty(late, 'keyCode', { value: 229 })
      field.dispatchEvent(late)
    })
    expect(await panel.asked('send')).toEqual([])
    await expect(panel.field).toHaveValue('にほん')
  })

  test('shows a stop button and queued messages while a turn runs', async ({ panel, page }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await page.getByRole('button', { name: 'Stop' }).click()
    expect(await panel.asked('stop')).toHaveLength(1)
    await page.evaluate(() => {
      window.fake.wait({ turn: 't2', text: 'And then this' })
    })
    await expect(panel.element.locator('.queued')).toContainText('And then this')
  })

  test('a message is in the conversation before its turn starts, and keeps its element then', async ({
    panel,
    page,
  }) => {
    const own = panel.element.locator('.own')
    await panel.show({ status: 'idle', messages: [user('u', 'Hi'), assistant('a', 'Hello')] })
    await page.evaluate(() => {
      window.fake.wait({ turn: 't2', text: 'And then this' }, { turn: 't3', text: 'Later' })
    })
    await expect(own).toHaveText(['Hi', 'And then this'])
    await expect(panel.element.getByText('Working')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    await expect(panel.element.locator('.queued')).toHaveText(/Later/)
    await own.last().evaluate((message) => {
      message.dataset['before'] = ''
    })
    const turn = { id: 't2', tab: '', url: '', startedAt: 1, first: 2, resumes: 0, lastAt: 1, spent: 0 }
    await panel.show({
      status: 'running',
      messages: [user('u', 'Hi'), assistant('a', 'Hello'), user('u2', 'And then this')],
      turn,
    } as unknown as Partial<Session>)
    await page.evaluate(() => {
      window.fake.wait({ turn: 't3', text: 'Later' })
    })
    await expect(own).toHaveText(['Hi', 'And then this'])
    await expect(own.last()).toHaveAttribute('data-before')
  })

  const turnOf = (transcript: HTMLElement) => (transcript as HTMLElement & { session?: Session }).session?.turn?.id

  test('each message keeps its element when the next one is sent', async ({ panel, page }) => {
    const own = panel.element.locator('.own')
    const send = async (turn: string, first: number, messages: Session['messages']) => {
      await page.evaluate((id) => window.fake.wait({ turn: id, text: id }), turn)
      await expect(own.last()).toHaveText(turn)
      await own.last().evaluate((message) => (message.dataset['before'] = ''))
      const started = { id: turn, tab: '', url: '', startedAt: 1, first, resumes: 0, lastAt: 1, spent: 0 }
      await panel.show({ status: 'running', messages, turn: started } as unknown as Partial<Session>)
      // A turn that starts and ends before a frame is drawn once, as ended.
      const drawn = () => panel.element.locator('tool-agent-transcript').evaluate(turnOf)
      await expect.poll(drawn).toBe(turn)
      await page.evaluate(() => window.fake.wait())
      await panel.show({ status: 'idle', messages: [...messages, assistant(`a-${turn}`, 'Yes')] })
    }
    await send('One', 0, [user('u1', 'One')])
    await send('Two', 2, [user('u1', 'One'), assistant('a-One', 'Yes'), user('u2', 'Two')])
    await expect(panel.element.locator('.own[data-before]')).toHaveText(['One', 'Two'])
  })

  test('all messages that are sent before the first turn starts are shown', async ({ panel, page }) => {
    await page.evaluate(() => window.fake.held.add('send'))
    for (const text of ['First', 'Second']) {
      await panel.field.fill(text)
      await panel.field.press('Enter')
    }
    await expect(panel.element.locator('.own')).toHaveText('First')
    await expect(panel.element.locator('.queued')).toHaveText(/Second/)
    await page.reload()
    await panel.ready()
    await expect(panel.field).toHaveValue('First\n\nSecond')
  })

  test('a message with a file is shown with it, and only its text is a draft', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.held.add('send')
      const file = { type: 'file', mediaType: 'text/plain', data: 'aGk=', name: 'hi.txt' } as const
      void window.fake.send([{ type: 'text', text: 'Read this' }, file])
    })
    await expect(panel.element.locator('.own tool-agent-file')).toContainText('hi.txt')
    await expect(panel.element.locator('.own')).toContainText('Read this')
    await page.reload()
    await panel.ready()
    await expect(panel.field).toHaveValue('Read this')
  })

  test('a message that is not sent after all leaves the conversation', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.wait({ turn: 't', text: 'First' })
    })
    await expect(panel.element.locator('.own')).toHaveText('First')
    await page.evaluate(() => {
      window.fake.wait()
    })
    await expect(panel.element.locator('.own')).toHaveCount(0)
    await expect(panel.element.locator('.greeting')).toBeVisible()
  })

  test('what is drawn ahead of the first message is never seen, and is removed', async ({ panel, page }) => {
    await page.addInitScript(() => {
      const { appendChild } = Node.prototype
      const shown: string[] = []
      Object.assign(window, { shown })
      Node.prototype.appendChild = function <T extends Node>(node: T): T {
        appendChild.call(this, node)
        if (node instanceof HTMLElement && node.localName === 'tool-agent-transcript')
          shown.push(getComputedStyle(node).display)
        return node
      }
    })
    await page.reload()
    await panel.field.focus()
    const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
    await expect.poll(shown).toEqual(['none'])
    await expect(panel.element.locator('tool-agent-transcript')).toHaveCount(0)
    await expect(panel.element.locator('.greeting')).toBeVisible()
  })

  test('removes one queued message and keeps the focus in the panel', async ({ panel, page }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await page.evaluate(() => {
      window.fake.wait({ turn: 't2', text: 'Second' }, { turn: 't3', text: 'Third' })
    })
    await page.getByRole('button', { name: 'Remove: Third' }).focus()
    await page.keyboard.press('Enter')
    expect(await panel.asked('drop')).toEqual([['t3']])
    await page.evaluate(() => {
      window.fake.wait({ turn: 't2', text: 'Second' })
    })
    await expect(panel.element.locator('.queued')).toHaveCount(1)
    await expect(panel.field).toBeFocused()
  })

  test('a button keeps the focus while an answer streams', async ({ panel, page }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await page.evaluate(() => {
      window.fake.wait({ turn: 't2', text: 'Second' })
    })
    await page.getByRole('button', { name: 'Stop' }).focus()
    await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: 'word' })
    await expect(panel.element.locator('[aria-busy] .text')).toHaveText('word')
    await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused()
  })

  test('restored messages keep their order, before newly typed text', async ({ panel, page }) => {
    for (const text of ['First', 'Second', 'Third']) {
      await panel.field.fill(text)
      await page.evaluate(() => {
        window.fake.held.add('send')
      })
      await panel.field.press('Enter')
    }
    await panel.field.fill('typed')
    await page.evaluate(() => {
      window.fake.refuse({ code: 'cancelled', message: 'The turn before it was stopped' })
    })
    await expect(panel.field).toHaveValue('First\n\nSecond\n\nThird\n\ntyped')
    await expect(panel.element.getByRole('alert')).toHaveCount(0)
  })

  test('restores a text that could not be sent, before newly typed text', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.failures.set('send', {
        code: 'no-endpoint',
        message: 'There is no model to ask. Set the endpoint attribute.',
      })
    })
    await panel.field.fill('My long question')
    await panel.field.press('Enter')
    await expect(panel.field).toHaveValue('My long question')
    await expect(panel.element.getByRole('alert')).toContainText('not connected yet')
    await expect(panel.element.getByRole('alert')).not.toContainText('Set the endpoint attribute')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(panel.element.getByRole('alert')).toHaveCount(0)
  })

  test('a text whose turn failed stays in the transcript and is not restored', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.failures.set('send', { code: 'network', message: 'cut' })
      window.fake.show({ messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'My question' }], at: 1 }] })
    })
    await panel.field.fill('My question')
    await panel.field.press('Enter')
    await expect(panel.element.getByRole('alert')).toBeVisible()
    await expect(panel.field).toHaveValue('')
  })

  test('restores typed and queued text once after a reload', async ({ panel, page }) => {
    await panel.field.fill('half a sen')
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await page.evaluate(() => {
      window.fake.wait({ turn: 't2', text: 'waiting' })
    })
    await page.reload()
    await panel.ready()
    await expect(panel.field).toHaveValue('waiting\n\nhalf a sen')
    // Removed from storage, so that a second element does not restore it as well.
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('half a sen')
    await panel.field.fill('')
    await page.reload()
    await panel.ready()
    await expect(panel.field).toHaveValue('')
  })

  test('an empty conversation has suggestions that send their text', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.element.setAttribute('suggestions', '["Find my order"]')
    })
    await page.getByRole('button', { name: 'Find my order' }).click()
    expect(await panel.asked('send')).toEqual([['Find my order']])
    await panel.show({ messages: [user('u', 'Hi')] })
    await expect(page.getByRole('button', { name: 'Find my order' })).toHaveCount(0)
  })
})

test.describe('transcript', () => {
  test('draws a streaming text as Markdown, and keeps the nodes of complete blocks', async ({ panel }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await panel.emit(
      { type: 'step-start', at: 1, step: 0, id: 'm' },
      { type: 'text-delta', delta: '# Title\n\nFirst **bold** paragraph.\n\nSecond one.\n\nThird' },
    )
    await expect(panel.element.locator('.text h3')).toHaveText('Title')
    await expect(panel.element.locator('.text strong')).toHaveText('bold')
    await panel.element.locator('.text h3').evaluate((heading) => {
      heading.dataset['mine'] = ''
    })
    await panel.emit({ type: 'text-delta', delta: ' grows\n\n- and a list' })
    await expect(panel.element.locator('.text li')).toHaveText('and a list')
    await expect(panel.element.locator('.text h3[data-mine]')).toHaveCount(1)
  })

  test('a dot at the end of a text shows that it is still being written', async ({ panel }) => {
    const dots = () =>
      panel.element
        .locator('.text, .text *')
        .evaluateAll((all) =>
          all.filter((one) => getComputedStyle(one, '::after').content === '""').map((one) => one.localName),
        )
    await panel.stream()
    expect(await dots()).toEqual(['p'])
    await panel.emit({ type: 'text-delta', delta: '\n\n- a list' })
    await expect(panel.element.locator('.text li')).toHaveText('a list')
    expect(await dots()).toEqual(['ul'])
    await panel.emit({ type: 'tool-input-start', id: 'c', name: 'look' })
    await expect(panel.element.locator('tool-agent-call')).toBeVisible()
    expect(await dots()).toEqual([])
  })

  test('draws many events of one frame once', { tag: '@F19' }, async ({ panel, page }) => {
    await panel.stream()
    const draws = await page.evaluate(async () => {
      let count = 0
      const text = [...(window.element.shadowRoot?.querySelectorAll('.text') ?? [])].at(-1)
      new MutationObserver(() => count++).observe(text as Node, { childList: true, characterData: true, subtree: true })
      for (let index = 0; index < 500; index++) window.fake.emit({ type: 'text-delta', delta: 'b' })
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      // After a slow frame the panel skips some frames.
      for (let tries = 0; tries < 1_000 && text?.textContent?.trim().length === 1; tries++) await frame()
      return { count, length: text?.textContent?.trim().length }
    })
    expect(draws).toEqual({ count: 1, length: 501 })
  })

  test('stays at the end while a text streams, unless the user has scrolled up', async ({ panel, page }) => {
    await panel.show({ messages: many(60), status: 'running' })
    const log = panel.element.locator('.log')
    const fromEnd = () =>
      log.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop))
    await expect.poll(fromEnd).toBeLessThan(2)
    await panel.emit(
      { type: 'step-start', at: 1, step: 0, id: 'm' },
      { type: 'text-delta', delta: 'line\n\n'.repeat(40) },
    )
    await expect(panel.element.locator('[aria-busy] .text p')).toHaveCount(40)
    await expect.poll(fromEnd).toBeLessThan(2)
    await expect(page.getByRole('button', { name: 'Jump to the latest message' })).toHaveCount(0)

    await log.hover()
    await page.mouse.wheel(0, -600)
    await expect(page.getByRole('button', { name: 'Jump to the latest message' })).toBeVisible()
    // The wheel may still be scrolling.
    await expect.poll(fromEnd).toBeGreaterThanOrEqual(599)
    const place = await log.evaluate((element) => element.scrollTop)
    await panel.emit({ type: 'text-delta', delta: 'more\n\n'.repeat(40) })
    await expect(panel.element.locator('[aria-busy] .text p')).toHaveCount(80)
    expect(Math.abs((await log.evaluate((element) => element.scrollTop)) - place)).toBeLessThan(3)
    await page.getByRole('button', { name: 'Jump to the latest message' }).click()
    await expect.poll(fromEnd).toBeLessThan(2)
  })

  test('the end of a complete answer is in view', async ({ panel }) => {
    await panel.show({ messages: [user('u', 'Hi')], status: 'running' })
    const text = Array.from({ length: 14 }, (_, index) => `Paragraph ${index}`).join('\n\n')
    await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: text })
    await expect(panel.element.locator('[aria-busy] .text p')).toHaveCount(14)
    await panel.emit({ type: 'step-end', at: 1, step: 0, offered: [], message: assistant('m', text) as never })
    await panel.show({ messages: [user('u', 'Hi'), assistant('m', text)], status: 'idle' })
    await expect(panel.element.locator('[aria-busy]')).toHaveCount(0)
    await expect(panel.element.locator('.text p').last()).toBeInViewport({ ratio: 1 })
    const log = panel.element.locator('.log')
    await expect
      .poll(() =>
        log.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop)),
      )
      .toBeLessThan(2)
    expect(await log.evaluate((element) => element.scrollTop)).toBeGreaterThan(0)
  })

  test('stays at the end when something else takes its space', async ({ panel, page }) => {
    await panel.show({ messages: many(30), status: 'running' })
    const log = panel.element.locator('.log')
    const fromEnd = () =>
      log.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop))
    await expect.poll(fromEnd).toBeLessThan(2)
    const room = await log.evaluate((element) => element.clientHeight)
    await panel.show({
      messages: [
        ...many(30),
        assistant('q', call('c', 'pay', { approval: { hash: 'h', title: 'Pay', input: { a: 1, b: 2, c: 3 }, at: 1 } })),
      ],
      status: 'awaiting-approval',
    })
    await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
    expect(await log.evaluate((element) => element.clientHeight)).toBeLessThan(room - 100)
    await expect.poll(fromEnd).toBeLessThan(2)
    await expect(page.getByRole('button', { name: 'Jump to the latest message' })).toHaveCount(0)
  })

  test('draws the newest hundred of ten thousand messages, and older ones when scrolling up', async ({ panel }) => {
    await panel.show({ messages: many(10_000) })
    await expect(panel.element.locator('article')).toHaveCount(100)
    await expect(panel.element.locator('article').last()).toContainText('Answer 9999')
    await panel.element.locator('.log').evaluate((log) => {
      log.scrollTop = 0
    })
    await expect(panel.element.locator('article')).toHaveCount(200)
  })

  test('does not draw settled messages again while a text streams', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.element.registerToolRenderer('find_products', () => {
        document.body.dataset['drawn'] = `${document.body.dataset['drawn'] ?? ''}x`
        return 'drawn'
      })
    })
    await panel.show({
      status: 'running',
      messages: [assistant('a', call('c', 'find_products'), '**done**'), user('u', 'Go on')],
    })
    // Markdown is loaded with the first text. Then everything is rendered again.
    await expect(panel.element.locator('.text strong')).toHaveText('done')
    const before = await page.evaluate(() => document.body.dataset['drawn'])
    await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: 'word' })
    await expect(panel.element.locator('[aria-busy] .text')).toHaveText('word')
    await panel.emit({ type: 'text-delta', delta: ' word' })
    await expect(panel.element.locator('[aria-busy] .text')).toHaveText('word word')
    await panel.emit({
      type: 'step-end',
      at: 1,
      step: 0,
      offered: [],
      message: assistant('m', 'word word word') as never,
    })
    await expect(panel.element.locator('.text').last()).toHaveText('word word word')
    expect(await page.evaluate(() => document.body.dataset['drawn'])).toBe(before)
  })

  test('requests older messages once at the top', async ({ panel, page }) => {
    await page.evaluate(
      (value) => {
        const messages = value as Message[]
        window.fake.older = messages.slice(0, 50)
        window.fake.show({ start: 50, messages: messages.slice(50) })
      },
      many(110) as unknown,
    )
    await expect(page.getByRole('button', { name: 'Show earlier messages' })).toBeAttached()
    await panel.element.locator('.log').evaluate((log) => {
      log.scrollTop = 0
    })
    await expect(panel.element.locator('article').first()).toContainText('Question 0')
    expect(await panel.asked('loadOlder')).toHaveLength(1)
    await expect(page.getByRole('button', { name: 'Show earlier messages' })).toHaveCount(0)
  })

  test('announces a complete answer once and politely, but not its deltas', async ({ panel }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    const live = panel.element.locator('.unseen[aria-live]')
    await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: 'Here ' })
    await expect(panel.element.locator('.text')).toHaveText('Here')
    await expect(live).toHaveText('')
    await panel.emit({
      type: 'step-end',
      at: 1,
      step: 0,
      offered: [],
      message: assistant('m', 'Here you are.') as never,
    })
    await expect(live).toHaveText('Assistant: Here you are.')
    await expect(panel.element.getByRole('log')).toHaveAttribute('aria-live', 'off')
  })

  test('announces a call that failed, and what runs after some seconds of silence', async ({ panel }) => {
    const live = panel.element.locator('.unseen[aria-live]')
    const started = { started: { at: 1, hash: 'h', input: {}, repeatable: true } }
    await panel.show({
      status: 'running',
      messages: [
        user('u', 'Hi'),
        assistant('a', call('c', 'track_parcel', started), call('d', 'export_orders', started)),
      ],
    })
    await panel.emit({ type: 'tool-progress', callId: 'd', value: { message: 'Order 4 of 10', fraction: 0.4 } })
    const result = { error: { code: 'execution-failed', message: 'x' }, endedAt: 2, attempts: 1 } as const
    await panel.emit({ type: 'tool-result', at: 2, callId: 'c', result })
    await expect(live).toHaveText('Assistant: Track parcel: Failed')
    await expect(live).toHaveText('Assistant: Still working: Export orders: Order 4 of 10')
    await panel.emit({ type: 'tool-result', at: 3, callId: 'd', result: { output: 1, endedAt: 3, attempts: 1 } })
    await panel.emit({ type: 'turn-end', at: 4, turn: 't', reason: 'stop' })
    await expect(live).toHaveText('Assistant: Done')
  })

  test('announces plain text, and only the start of a very long answer', async ({ panel }) => {
    const live = panel.element.locator('.unseen[aria-live]')
    for (const [text, announced] of [
      ['Here is the **blue pot**: [its page](/pot).', /^Assistant: Here is the blue pot: its page\.\s*$/],
      [`# Pots\n\n${'A pot and *another* one. '.repeat(20_000)}`, /^Assistant: Pots\s+A pot and another one\. /],
    ] as const) {
      await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
      await panel.emit(
        { type: 'step-start', at: 1, step: 0, id: 'm' },
        {
          type: 'step-end',
          at: 2,
          step: 0,
          offered: [],
          message: assistant('m', text) as Extract<Message, { role: 'assistant' }>,
        },
      )
      await expect(live).toHaveText(announced)
      expect((await live.textContent())?.length).toBeLessThan(600)
    }
  })
})

test.describe('cards', () => {
  const at = 1_000
  const failed = (code: string) => ({
    result: { error: { code, message: `because ${code}` }, startedAt: at, endedAt: at + 1200, attempts: 1 },
  })

  test('a card shows the state of its call', async ({ panel }) => {
    const states = [
      ['checking', {}, 'Checking'],
      ['asking', { approval: { hash: 'h', title: 'Find products', input: {}, at } }, 'Waiting for you'],
      ['running', { started: { at: Date.now(), hash: 'h', input: {}, repeatable: true } }, 'Running'],
      ['done', { result: { output: { total: 3 }, startedAt: at, endedAt: at + 2400, attempts: 1 } }, '2.4 s'],
      ['failed', failed('execution-failed'), 'Failed'],
      ['denied', failed('denied'), 'You said no'],
      ['cancelled', failed('cancelled'), 'Stopped'],
      ['interrupted', failed('interrupted'), 'Interrupted'],
      ['timeout', failed('timeout'), 'Timed out'],
    ] as const
    await panel.show({
      status: 'running',
      messages: [assistant('a', ...states.map(([state, rest]) => call(state, 'find_products', rest)))],
    })
    for (const [index, [state, , says]] of states.entries()) {
      const card = panel.element.locator('details.call').nth(index)
      await expect(card).toHaveAttribute('data-state', state)
      await expect(card.locator('summary')).toContainText('Find products')
      await expect(card.locator('summary')).toContainText(says)
    }
  })

  test('an open card shows streaming arguments; as raw text until they are an object', async ({ panel }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await panel.emit(
      { type: 'step-start', at: 1, step: 0, id: 'm' },
      { type: 'tool-input-start', id: 'c', name: 'find_products' },
      { type: 'tool-input-delta', id: 'c', delta: '{"query": "po' },
    )
    const card = panel.element.locator('details.call')
    await expect(card.locator('summary')).toContainText('Preparing')
    await card.locator('summary').click()
    await expect(card.locator('dd')).toHaveText(['po'])
    await panel.emit(
      { type: 'tool-input-delta', id: 'c', delta: 't\\u00' },
      { type: 'tool-input-delta', id: 'c', delta: 'e9\\n", "max": 12' },
    )
    await expect(card.locator('dd')).toHaveText(['poté'])
    await panel.emit({ type: 'tool-input-delta', id: 'c', delta: '3, "tags": ["a", "b' })
    await expect(card.locator('dt')).toHaveText(['Query', 'Max', 'Tags'])
    await expect(card.locator('dd')).toHaveText(['poté', '123', 'a, b'])
    await panel.emit({ type: 'tool-input-delta', id: 'c', delta: '"],}' })
    await expect(card.locator('pre')).toHaveText('{"query": "pot\\u00e9\\n", "max": 123, "tags": ["a", "b"],}')
  })

  test('a card opened while its arguments stream stays open', async ({ panel }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await panel.emit(
      { type: 'step-start', at: 1, step: 0, id: 'm' },
      { type: 'tool-input-start', id: 'c', name: 'find_products' },
      { type: 'tool-input-start', id: 'd', name: 'find_products' },
    )
    await panel.element.locator('details.call > summary').first().click()
    await expect(panel.element.locator('details.call').first()).toHaveJSProperty('open', true)
    await panel.emit(
      {
        type: 'step-end',
        at: 1,
        step: 0,
        offered: [],
        message: assistant('m', call('c', 'find_products'), call('d', 'find_products')) as never,
      },
      { type: 'step-start', at: 1, step: 1, id: 'm2' },
      { type: 'tool-input-start', id: 'e', name: 'find_products' },
    )
    await expect(panel.element.locator('details.call[data-state=checking]')).toHaveCount(2)
    expect(
      await panel.element
        .locator('details.call')
        .evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open)),
    ).toEqual([true, false, false])
  })

  test('shows a card while arguments stream, and an unfinished call of an idle session as interrupted', async ({
    panel,
  }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await panel.emit(
      { type: 'step-start', at: 1, step: 0, id: 'm' },
      { type: 'tool-input-start', id: 'c', name: 'find_products' },
      { type: 'tool-input-delta', id: 'c', delta: '{"query": "po' },
    )
    await expect(panel.element.locator('details.call')).toHaveAttribute('data-state', 'writing')
    await panel.show({
      status: 'interrupted',
      messages: [
        assistant('a', call('c', 'find_products', { started: { at, hash: 'h', input: {}, repeatable: true } })),
      ],
    })
    await expect(panel.element.locator('details.call')).toHaveAttribute('data-state', 'interrupted')
  })

  test('an open card shows arguments, changed arguments, and the error with its code', async ({ panel }) => {
    const result = {
      error: { code: 'timeout', message: 'No answer after 15 s' },
      input: { query: 'pot', max: 3 },
      startedAt: at,
      endedAt: at + 60_000,
      attempts: 4,
    }
    await panel.show({ messages: [assistant('a', call('c', 'find_products', { result }))] })
    await expect(panel.element.locator('details.call .body')).toHaveCount(0)
    await panel.element.locator('details.call > summary').click()
    await expect(panel.element.locator('details.call')).toContainText('4 attempts')
    const body = panel.element.locator('details.call .body')
    await expect(body).toContainText('find_products')
    await expect(body.locator('> dl dd')).toHaveText(['pot', '3'])
    await expect(body.locator('section', { hasText: 'Arguments used' }).locator('pre')).toContainText('"max": 3')
    await expect(body).toContainText('timeout No answer after 15 s')
    // For people first; the code is behind "Technical details".
    await expect(body).toContainText('This took too long')
    await expect(body.getByText('No answer after 15 s')).toBeHidden()
    await body.getByText('Technical details', { exact: true }).click()
    await expect(body.getByText('No answer after 15 s')).toBeVisible()
  })

  test('shows the progress of a running call', async ({ panel }) => {
    await panel.show({
      status: 'running',
      messages: [assistant('a', call('c', 'slow', { started: { at, hash: 'h', input: {}, repeatable: true } }))],
    })
    await panel.emit({ type: 'tool-progress', callId: 'c', value: { message: '3 of 4 done', fraction: 0.75 } })
    await expect(panel.element.locator('.call .activity')).toHaveText('3 of 4 done')
    // The spinner says that it runs.
    await expect(panel.element.locator('.call .status')).toHaveCount(0)
    await expect(panel.element.locator('.progress progress')).toHaveJSProperty('value', 0.75)
  })

  test('loads the full text of a shortened result on demand', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.results.set('c', 'the whole text')
    })
    await panel.show({
      messages: [
        assistant(
          'a',
          call('c', 'page_read', { result: { output: 'the wh', cut: { chars: 14 }, endedAt: at, attempts: 1 } }),
        ),
      ],
    })
    await panel.element.locator('details.call > summary').click()
    await panel.element.locator('.technical > summary').click()
    await page.getByRole('button', { name: 'Show the whole result' }).click()
    await expect(panel.element.locator('details.call pre').last()).toHaveText('the whole text')
  })

  test('draws a whole result of several megabytes in pieces', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.results.set('c', 'one of many rows\n'.repeat(300_000))
    })
    const result = { output: 'one of', outputChars: 5_100_000, endedAt: at, attempts: 1 }
    await panel.show({ messages: [assistant('a', call('c', 'export_rows', { result }))] })
    await panel.element.locator('details.call > summary').click()
    await panel.element.locator('.technical > summary').click()
    await page.getByRole('button', { name: 'Show the whole result (5,100,000 characters)' }).click()
    const body = panel.element.locator('details.call .body')
    await expect(body).toContainText('one of many rows')
    expect(await body.evaluate((element) => element.textContent?.length ?? 0)).toBeLessThan(200_000)
  })

  test('the card of an agent call shows its steps', async ({ panel }) => {
    const child = {
      messages: [
        assistant(
          'k',
          'Looking around.',
          call('k1', 'carriers', { result: { output: ['DHL'], endedAt: at, attempts: 1 } }),
        ),
      ],
    }
    await panel.show({
      status: 'running',
      messages: [
        assistant('a', call('c', 'research', { started: { at, hash: 'h', input: {}, repeatable: false }, child })),
      ],
    })
    await panel.element.locator('details.call > summary').first().click()
    await expect(panel.element.locator('.child')).toContainText('Looking around.')
    await expect(panel.element.locator('.child details.call')).toHaveAttribute('data-state', 'done')
  })

  test('a renderer of the page draws the card of its tool, and an error in it affects nothing else', async ({
    panel,
    page,
  }) => {
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await page.evaluate(() => {
      window.element.registerToolRenderer('map', (part) => {
        const node = document.createElement('p')
        node.textContent = `A map of ${String((part.call.input as { query: string }).query)}`
        return node
      })
      window.element.registerToolRenderer('broken', () => {
        throw new Error('no canvas')
      })
      window.element.registerToolRenderer('usual', () => null)
    })
    await panel.show({
      messages: [
        assistant(
          'a',
          call('1', 'map', { result: { output: 1, endedAt: at, attempts: 1 } }),
          call('2', 'broken'),
          call('3', 'usual'),
          'After.',
        ),
      ],
    })
    await expect(panel.element.locator('[data-tool=map] .body')).toHaveText('A map of pot')
    await expect(panel.element.locator('[data-tool=broken] .body')).toHaveText('This result cannot be shown.')
    expect(logged.filter((line) => line.includes('no canvas'))).toEqual([
      '[tool-agent] The renderer of tool "broken" failed: no canvas',
    ])
    await expect(panel.element.locator('[data-tool=usual]')).toHaveJSProperty('open', false)
    await expect(panel.element.locator('.text')).toHaveText('After.')
  })

  test('shows invisible characters of a result', async ({ panel }) => {
    await panel.show({
      messages: [
        assistant('a', call('c', 'x', { result: { output: 'a\u202egnp.exe\u200bz', endedAt: at, attempts: 1 } })),
      ],
    })
    await panel.element.locator('details.call > summary').click()
    await expect(panel.element.locator('details.call .outcome p').last()).toHaveText('a\\u{202e}gnp.exe\\u{200b}z')
    await expect(panel.element.locator('details.call pre').last()).toHaveText('a\\u{202e}gnp.exe\\u{200b}z')
  })
})

test.describe('todos', () => {
  const list = [
    { id: '1', text: 'Find a pot', status: 'completed' },
    { id: '2', text: 'Buy it', status: 'in_progress' },
    { id: '3', text: 'Pay', status: 'pending' },
  ]

  test('the tasks of the model are in the receipt of their turn, with the calls that each needed', async ({
    panel,
  }) => {
    const done = { result: { output: 1, endedAt: 1, attempts: 1 } }
    await panel.show({
      status: 'running',
      messages: [
        user('u', 'Hi'),
        assistant(
          'a',
          tasks(
            't',
            list.slice(0, 1).map((one) => ({ ...one, status: 'in_progress' })),
          ),
          call('f', 'find', done),
        ),
        assistant(
          'b',
          tasks('u', list),
          call('b', 'buy', { started: { at: 1, hash: 'h', input: {}, repeatable: false } }),
        ),
      ],
    })
    const receipt = panel.element.locator('.receipt')
    await expect(receipt).toHaveCount(1)
    await expect(receipt.locator('.head')).toHaveText(/Tasks\s*1 of 3 done/)
    await expect(receipt.getByRole('img')).toHaveCount(3)
    await expect(receipt.locator('.tasks .task')).toHaveText([/Find a pot/, /Buy it/, /Pay/])
    const lines = (text: string) => receipt.locator('.tasks li').filter({ hasText: text }).locator('.call')
    await expect(lines('Find a pot')).toHaveAttribute('data-tool', 'find')
    await expect(lines('Buy it')).toHaveAttribute('data-tool', 'buy')
    await expect(lines('Pay')).toHaveCount(0)
  })

  test('a list of tasks stays with its turn', async ({ panel }) => {
    const wrote = assistant('a', tasks('t', list), 'All done.')
    const receipts = panel.element.locator('.receipt')
    await panel.show({ messages: [user('u', 'Hi'), wrote, user('v', 'And now?'), assistant('b', 'Nothing.')] })
    await expect(receipts).toHaveCount(1)
    await expect(receipts).toContainText('1 of 3 done')
    await expect(receipts.locator('.spinner')).toHaveCount(0)
  })
})

test.describe('notices', () => {
  test('a turn that failed shows an error and can be retried', async ({ panel, page }) => {
    await panel.show({
      messages: [user('u', 'Hi')],
      end: { turn: 't', reason: 'error', at: 1, error: { code: 'rate-limited', message: 'The endpoint answered 429' } },
    })
    const alert = panel.element.getByRole('alert')
    await expect(alert).toContainText('busy')
    await expect(alert.getByText('The endpoint answered 429')).toBeHidden()
    // What the server said is for the developer of the page.
    await expect(alert.getByText('Details')).toHaveCount(0)
    await page.evaluate(() => window.fake.configure({ ...window.fake.options, debug: true }))
    await alert.getByText('Details').click()
    await expect(alert.getByText('rate-limited: The endpoint answered 429')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    expect(await panel.asked('continue')).toHaveLength(1)
  })

  test('an error has its sentence if what draws a conversation cannot be loaded; the next session tries again', async ({
    panel,
    page,
    browserName,
  }) => {
    await page.route('**/*conversation*', (route) => route.abort())
    await panel.show({
      messages: [user('u', 'Hi')],
      end: { turn: 't', reason: 'error', at: 1, error: { code: 'server', message: 'Status 503' } },
    })
    const alert = panel.element.getByRole('alert')
    await expect(alert.filter({ hasText: 'The assistant has a problem. Try again in a moment.' })).toBeVisible()
    await expect(panel.element.getByText('Status 503')).toHaveCount(0)
    await page.unroute('**/*conversation*')
    // Firefox caches a failed import until the page is closed.
    if (browserName === 'firefox') return
    await panel.show({ messages: [user('u', 'Hi'), assistant('a', 'Hello.')] })
    await expect(panel.element.locator('.text').last()).toHaveText('Hello.')
    await expect(alert).toHaveCount(0)
  })

  test('a turn that was interrupted, cut off or stopped by a limit can be continued', async ({ panel, page }) => {
    const endings = [
      { status: 'interrupted', end: { turn: 't', reason: 'interrupted', at: 1 } },
      { end: { turn: 't', reason: 'max-steps', at: 1 } },
      { end: { turn: 't', reason: 'error', at: 1, error: { code: 'stream-cut', message: 'cut' } } },
    ] as const
    for (const [index, ending] of endings.entries()) {
      await panel.show({ messages: [user('u', 'Hi')], ...ending })
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await panel.asked('continue')).toHaveLength(index + 1)
    }
    await panel.show({ messages: [user('u', 'Hi')], end: { turn: 't', reason: 'stop', at: 1 } })
    await expect(page.getByRole('button', { name: 'Continue' })).toHaveCount(0)
  })

  test(
    'shows a session of another tab live, and takes over when the user answers or sends',
    { tag: '@R6.6' },
    async ({ panel, page }) => {
      await panel.show({
        status: 'awaiting-approval',
        messages: [assistant('a', call('c', 'pay', { approval: { hash: 'h', title: 'Pay', input: {}, at: 1 } }))],
      })
      await page.evaluate(() => {
        window.fake.set({ role: 'mirror' })
      })
      await expect(panel.element.getByText('open in another tab')).toBeVisible()
      await expect(panel.element.locator('tool-agent-approval')).toHaveCount(1)
      await panel.field.fill('Here I am')
      await panel.field.press('Enter')
      expect(await panel.asked('send')).toHaveLength(1)
      await page.getByRole('button', { name: 'Use it here' }).click()
      expect(await panel.asked('takeOver')).toHaveLength(1)
    },
  )

  test('a session that is not stored has a badge', async ({ panel, page }) => {
    await expect(panel.element.locator('.badge')).toHaveCount(0)
    await page.evaluate(() => {
      window.fake.set({ storage: 'memory' })
    })
    await expect(panel.element.locator('.badge')).toHaveText('Not saved')
  })

  test('shows an error of the agent until it is dismissed', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.report({ code: 'storage', message: 'QuotaExceededError' })
    })
    await expect(panel.element.getByRole('alert')).toContainText('cannot be saved')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(panel.element.getByRole('alert')).toHaveCount(0)
  })

  test('a full storage says so and offers the conversation as a file', async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.set({ storage: 'memory' })
      window.fake.report({ code: 'storage', message: 'Full', details: { name: 'QuotaExceededError' } })
    })
    const alert = panel.element.getByRole('alert')
    await expect(alert).toContainText('The storage of this browser is full.')
    await page.evaluate(() => {
      const make = URL.createObjectURL.bind(URL)
      URL.createObjectURL = (blob) => {
        Object.assign(window, { saved: true })
        return make(blob)
      }
    })
    await alert.getByRole('button', { name: 'Save as a file' }).click()
    await page.waitForFunction(() => 'saved' in window)
  })

  test('a session deleted in another tab offers a new conversation, and no takeover or export', async ({
    panel,
    page,
  }) => {
    await page.evaluate(() => {
      window.fake.set({ role: 'mirror', storage: 'memory' })
      window.fake.report({ code: 'session-deleted', message: 'Deleted in another tab' })
    })
    const alert = panel.element.getByRole('alert')
    await expect(alert).toContainText('This conversation was deleted')
    await expect(alert.getByRole('button', { name: 'New conversation' })).toBeVisible()
    await expect(panel.element.getByRole('button', { name: 'Use it here' })).toHaveCount(0)
    await expect(panel.element.getByRole('button', { name: 'Not saved' })).toHaveCount(0)
  })

  test('a retry shows when and why', async ({ panel }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await panel.emit({
      type: 'step-retry',
      step: 0,
      attempt: 2,
      delay: 2_500,
      error: { code: 'server', message: 'Status 503' },
    })
    const timer = panel.element.getByRole('timer')
    await expect(timer).toHaveText('Trying again in 3 s. The assistant has a problem.')
    await expect(panel.element.getByText('Working')).toHaveCount(0)
    await expect(panel.element.getByText('Details')).toHaveCount(0)
    await panel.page.evaluate(() => window.fake.configure({ ...window.fake.options, debug: true }))
    await panel.element.getByText('Details').click()
    await expect(panel.element.getByText('server: Status 503')).toBeVisible()
    await panel.element.getByRole('button', { name: 'Try now' }).click()
    expect(await panel.asked('skipRetryDelay')).toHaveLength(1)
    await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' })
    await expect(timer).toHaveCount(0)
    await expect(panel.element.getByText('Working')).toBeVisible()
  })

  test('a mirror shows a retry, which only the tab of the driver can hurry', async ({ panel, page }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    await page.evaluate(() => {
      window.fake.set({ role: 'mirror' })
    })
    const error = { code: 'server', message: 'Status 503' } as const
    await panel.emit({ type: 'step-retry', step: 0, attempt: 2, delay: 60_000, error })
    await expect(panel.element.getByRole('timer')).toContainText('Trying again in')
    await expect(panel.element.getByRole('button', { name: 'Try now' })).toHaveCount(0)
  })

  test('an error has a sentence for the visitor, in their language, whatever its code is', async ({ panel, page }) => {
    for (const [code, language, text] of [
      ['unauthorized', 'en', 'The assistant is not available right now.'],
      ['invalid-context', 'en', 'Something went wrong. Try again.'],
      ['invalid-context', 'de', 'Etwas ist schiefgegangen. Versuchen Sie es erneut.'],
    ] as const) {
      await page.evaluate(
        ([name, lang]) => {
          window.element.lang = lang!
          window.fake.report({ code: name as 'unauthorized', message: 'Secret token x rejected by 10.0.0.1' })
        },
        [code, language],
      )
      const alert = panel.element.getByRole('alert')
      await expect(alert.locator('p')).toHaveText(text)
      await expect(alert.getByText('10.0.0.1')).toBeHidden()
    }
  })

  test('the end of a turn with an error is in the console', async ({ panel, page }) => {
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    const error = { code: 'server', message: 'Status 503' } as const
    await panel.emit({ type: 'turn-end', at: 1, turn: 't', reason: 'error', error })
    await expect.poll(() => logged.join()).toContain('server: Status 503')
  })

  test('a fallback shows why, and which model answers', async ({ panel }) => {
    await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
    const details = { model: 'big-model', fallback: 'small-model' }
    const error = { code: 'rate-limited', message: 'Status 429', details } as const
    await panel.emit({ type: 'step-retry', step: 0, attempt: 3, delay: 0, error })
    // The step with the other model starts immediately, so the notice stays until the model answers.
    await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' })
    const timer = panel.element.getByRole('timer')
    await expect(timer).toHaveText('The assistant is busy. small-model answers instead of big-model.')
    await panel.emit({ type: 'text-delta', delta: 'Hello' })
    await expect(timer).toHaveCount(0)
  })
})

test.describe('conversations', () => {
  /** Opens the options of a conversation, and chooses one. */
  const choose = async (page: Page, option: string, title: string): Promise<void> => {
    await page.getByRole('button', { name: `Options: ${title}` }).click()
    await page.getByRole('button', { name: `${option}: ${title}` }).click()
  }

  test.beforeEach(async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.stored = [
        { id: 'session-1', scope: '', title: 'Teapots', createdAt: 1, updatedAt: 1_790_000_000_000, messages: 12 },
        { id: 'other', scope: '', title: 'A table', createdAt: 1, updatedAt: 1_780_000_000_000, messages: 1 },
      ]
    })
    await page.getByRole('button', { name: 'Conversations' }).click()
    await expect(panel.element.getByRole('dialog', { name: 'Conversations' })).toContainText('12 messages')
  })

  test('opens a conversation, and starts a new one', async ({ panel, page }) => {
    await expect(panel.element.locator('[aria-current=true]')).toContainText('Teapots')
    await page
      .getByRole('button', { name: 'A table 1' })
      .or(panel.element.locator('.session', { hasText: 'A table' }))
      .first()
      .click()
    expect(await panel.asked('open')).toEqual([['other']])
    await expect(panel.element.getByRole('dialog')).toHaveCount(0)
    await expect(panel.field).toBeFocused()
    await page.getByRole('button', { name: 'New conversation' }).click()
    expect(await panel.asked('create')).toHaveLength(1)
  })

  test('renames a conversation in its line', async ({ panel, page }) => {
    await choose(page, 'Rename', 'A table')
    await panel.element.locator('.row input').fill('Friday')
    await panel.element.locator('.row input').press('Enter')
    expect(await panel.asked('rename')).toEqual([['other', 'Friday']])
    await expect(panel.element.locator('.session', { hasText: 'Friday' })).toBeVisible()
  })

  test('keeps the focus in the list, and Escape ends the innermost thing', async ({ panel, page }) => {
    const options = page.getByRole('button', { name: 'Options: A table' })
    await options.focus()
    await page.keyboard.press('Enter')
    await expect(options).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('button', { name: 'Rename: A table' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(options).toBeFocused()
    await expect(options).toHaveAttribute('aria-expanded', 'false')
    await expect(page.getByRole('button', { name: 'Rename: A table' })).toHaveCount(0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(panel.element.locator('.row input')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(options).toBeFocused()
    expect(await panel.asked('rename')).toEqual([])
    await expect(panel.element.getByRole('dialog', { name: 'Conversations' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel.element.getByRole('dialog')).toHaveCount(0)
  })

  test('a deletion can be undone, and is carried out when the list is closed', async ({ panel, page }) => {
    await choose(page, 'Delete', 'Teapots')
    // It was the open conversation, so the user must not continue it.
    expect(await panel.asked('create')).toHaveLength(1)
    await expect(panel.element.locator('.session')).toHaveCount(1)
    await expect(panel.element.locator('.session')).toBeFocused()
    expect(await panel.asked('delete')).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(panel.element.locator('.session', { hasText: 'Teapots' })).toBeFocused()
    expect(await panel.asked('open')).toEqual([['session-1']])
    await choose(page, 'Delete', 'A table')
    await page.keyboard.press('Escape')
    await expect.poll(() => panel.asked('delete')).toEqual([['other']])
  })

  test('a page that closes before a deletion is carried out has deleted nothing', async ({ panel, page }) => {
    await choose(page, 'Delete', 'A table')
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    const deleted: string[] = []
    await page.exposeFunction('noteDeletion', (id: string) => deleted.push(id))
    await page.evaluate(() => {
      window.fake.sessions.delete = (id) =>
        (window as unknown as { noteDeletion(id: string): Promise<never> }).noteDeletion(id)
    })
    await page.goto('about:blank')
    expect(deleted).toEqual([])
    expect(await panel.page.title()).toBe('')
  })

  test('a second deletion carries out the first one', async ({ panel, page }) => {
    await choose(page, 'Delete', 'A table')
    // The bar stays away from the edges of the panel.
    await page.setViewportSize({ width: 390, height: 800 })
    const bar = (await panel.element.locator('.undone').boundingBox())!
    const section = (await panel.element.locator('section.panel').boundingBox())!
    expect(bar.x).toBeGreaterThan(section.x + 8)
    expect(bar.x + bar.width).toBeLessThan(section.x + section.width - 8)
    await choose(page, 'Delete', 'Teapots')
    await expect.poll(() => panel.asked('delete')).toEqual([['other']])
    await expect(panel.element.locator('.session')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'New conversation' })).toBeFocused()
  })

  test('each has one button for its options, and one conversation shows them', async ({ panel, page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.evaluate(() => {
      window.fake.stored = window.fake.stored.map((one) => ({
        ...one,
        title: `${one.title} for four ${'and '.repeat(9)}`,
      }))
    })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Conversations' }).click()
    const rows = panel.element.locator('.sessions li')
    await expect(rows.first()).toContainText('for four')
    expect(await rows.evaluateAll((all) => all.map((one) => one.querySelectorAll('button').length))).toEqual([2, 2])
    // The whole title, which is the beginning of the first message.
    for (const title of await rows.locator('.title').all())
      expect(await title.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2)
    await rows.first().getByRole('button', { name: 'Options' }).click()
    await expect(rows.first().getByRole('button', { name: 'Rename' })).toBeFocused()
    await rows.last().getByRole('button', { name: 'Options' }).click()
    await expect(rows.first().locator('.tools')).toHaveCount(0)
    const sizes = await rows.locator('button').evaluateAll((all) =>
      all.map((button) => {
        const { width, height } = button.getBoundingClientRect()
        return Math.min(width, height)
      }),
    )
    expect(sizes).toHaveLength(7)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24)
    await rows.last().getByRole('button', { name: 'Options' }).click()
    await expect(panel.element.locator('.tools')).toHaveCount(0)
  })

  test('groups by day, and searches from eight conversations on', async ({ panel, page }) => {
    await expect(panel.element.getByRole('searchbox')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      const noon = new Date().setHours(12, 0, 0, 0)
      const day = 86_400_000
      window.fake.stored = [0, 1, 2, 7, 8, 30, 400, 401].map((days, index) => ({
        id: `s${index}`,
        scope: '',
        title: ['Café', 'Tee'][index] ?? `Number ${index}`,
        createdAt: 1,
        updatedAt: noon - days * day,
        messages: 1,
      }))
    })
    await page.getByRole('button', { name: 'Conversations' }).click()
    const groups = panel.element.locator('.sessions section')
    await expect(groups.locator('h3')).toHaveText(['Today', 'Yesterday', 'Previous 7 days', 'Older'])
    expect(await groups.evaluateAll((all) => all.map((one) => one.querySelectorAll('.session').length))).toEqual([
      1, 1, 2, 4,
    ])
    await panel.element.getByRole('searchbox').fill('cafe')
    await expect(panel.element.locator('.session')).toHaveText(/Café/)
    await expect(panel.element.getByText('1 conversation found')).toBeAttached()
    await panel.element.getByRole('searchbox').press('Escape')
    await expect(panel.element.locator('.session')).toHaveCount(8)
    await expect(panel.element.getByRole('searchbox')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(panel.element.locator('.session').nth(1)).toBeFocused()
  })

  test('lists conversations before one is open', async ({ panel, page }) => {
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      window.fake.show(undefined)
    })
    await page.getByRole('button', { name: 'Conversations' }).click()
    await expect(panel.element.locator('.session')).toHaveCount(2)
  })

  test('saves a conversation of the list as a file', async ({ panel, page, browserName }) => {
    test.skip(browserName === 'firefox', 'Playwright reports downloads only from its own Firefox build')
    const download = page.waitForEvent('download')
    await choose(page, 'Save as a file', 'A table')
    expect((await download).suggestedFilename()).toBe('A table.json')
    expect(await panel.asked('export')).toEqual([['other']])
  })

  test('Escape returns to the conversation', async ({ panel, page }) => {
    await page.keyboard.press('Escape')
    await expect(panel.element.getByRole('dialog')).toHaveCount(0)
    await expect(panel.field).toBeFocused()
  })
})

test.describe('languages', () => {
  test('uses the language of the nearest lang attribute, or English', async ({ panel, page }) => {
    await expect(panel.field).toHaveAttribute('placeholder', 'Ask anything about this page')
    await page.evaluate(() => {
      document.documentElement.lang = 'de-AT'
    })
    await expect(panel.field).toHaveAttribute('placeholder', 'Fragen Sie etwas zu dieser Seite')
    await page.evaluate(() => {
      window.element.lang = 'xx'
    })
    await expect(panel.field).toHaveAttribute('placeholder', 'Ask anything about this page')
  })

  test('texts that arrive late are not those of a language that the panel had before', async ({ panel, page }) => {
    await expect(panel.field).toHaveAttribute('placeholder', 'Ask anything about this page')
    let release = (): void => undefined
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/_de-/, async (route) => {
      await isReleased
      await route.continue()
    })
    const asked = page.waitForRequest(/_de-/)
    await page.evaluate(() => {
      window.element.lang = 'de'
    })
    const { url } = await asked.then((request) => ({ url: request.url() }))
    await page.evaluate(() => {
      window.element.lang = 'en'
    })
    release()
    // The panel's import was first, so its texts are there when this one ends.
    await page.evaluate(async (file) => {
      await import(file)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }, url)
    await expect(panel.field).toHaveAttribute('placeholder', 'Ask anything about this page')
  })
})
