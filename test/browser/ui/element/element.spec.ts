// <tool-agent> with a real agent: markup, properties, methods and events.
import type { Page } from 'playwright/test'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../../src/core/data/model.js'
import type * as entry from '../../../../src/index.js'
import { expect, test as base } from '../../../support/page/site.js'

declare global {
  interface Window {
    load(): Promise<typeof entry>
    says(text: string): ModelPart[]
    calls(name: string, input: unknown, id?: string): ModelPart[]
    model(...steps: ModelPart[][]): ModelAdapter & { requests: ModelRequest[] }
    heard: Event[]
  }
}

const test = base.extend<{ empty: Page }>({
  empty: async ({ page, site }, use) => {
    await page.goto(`${site}/test/pages/panel/element.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await use(page)
  },
})

/** Puts markup into the page, with the element defined. */
const put = (page: Page, html: string) =>
  page.evaluate(async (markup) => {
    await window.load()
    document.body.append(document.createRange().createContextualFragment(markup))
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
  }, html)

const heard = (page: Page, type: string) =>
  page.evaluate((name) => window.heard.filter((event) => event.type === name).length, `tool-agent-${type}`)
const alert = (page: Page) => page.locator('tool-agent').getByRole('alert')

test.describe('attributes and properties', () => {
  test('sets each attribute as a camel-cased property, and restores the default when it is removed', async ({
    empty,
  }) => {
    await put(
      empty,
      `<tool-agent endpoint="/v1" model="m" provider="openai" instructions="Be kind" session-id="s-1" scope="ada" resume="ask" approval="always"
      layout="floating" heading="Tea" placeholder="Ask" worker-url="/w.js" suggestions='["One"]'></tool-agent>`,
    )
    const properties = () =>
      empty.evaluate(() => {
        const {
          endpoint,
          model,
          provider,
          instructions,
          sessionId,
          scope,
          resume,
          approval,
          layout,
          open,
          heading,
          placeholder,
          workerUrl,
          suggestions,
        } = document.querySelector('tool-agent')!
        return {
          endpoint,
          model,
          provider,
          instructions,
          sessionId,
          scope,
          resume,
          approval,
          layout,
          open,
          heading,
          placeholder,
          workerUrl,
          suggestions,
        }
      })
    expect(await properties()).toEqual({
      endpoint: '/v1',
      model: 'm',
      provider: 'openai',
      instructions: 'Be kind',
      sessionId: 's-1',
      scope: 'ada',
      resume: 'ask',
      approval: 'always',
      layout: 'floating',
      open: false,
      heading: 'Tea',
      placeholder: 'Ask',
      workerUrl: '/w.js',
      suggestions: ['One'],
    })
    await empty.evaluate(() => {
      const element = document.querySelector('tool-agent')!
      for (const name of element.getAttributeNames()) element.removeAttribute(name)
    })
    expect(await properties()).toEqual({ layout: 'inline', open: false })
  })

  test(
    'applies an attribute set again after a script; keeps the agent if nothing changes',
    { tag: '@one-engine' },
    async ({ empty }) => {
      await put(empty, '<tool-agent scope="ada" session-id="two"></tool-agent>')
      const seen = await empty.evaluate(() => {
        const element = document.querySelector('tool-agent')!
        const { agent } = element
        element.sessionId = 'one'
        element.setAttribute('session-id', 'two')
        element.setAttribute('scope', 'ada')
        return [element.sessionId, element.agent === agent]
      })
      expect(seen).toEqual(['two', true])
      await expect.poll(() => empty.evaluate(() => document.querySelector('tool-agent')!.session?.id)).toBe('two')
    },
  )

  test('properties set before the upgrade override the markup', async ({ empty }) => {
    const state = await empty.evaluate(async () => {
      document.body.insertAdjacentHTML('beforeend', '<tool-agent model="from-markup" endpoint="/v1"></tool-agent>')
      const element = document.querySelector('tool-agent')!
      const headers = () => ({ authorization: 'Bearer x' })
      Object.assign(element, {
        model: 'from-script',
        toolContext: { tenant: 't1' },
        headers,
        suggestions: ['Hi'],
        layout: 'sidebar',
      })
      await window.load()
      const { model, endpoint, toolContext, suggestions, layout } = element
      const own = ['model', 'toolContext', 'headers', 'suggestions', 'layout'].filter((name) =>
        Object.hasOwn(element, name),
      )
      return {
        model,
        endpoint,
        toolContext,
        suggestions,
        layout,
        own,
        sameHeaders: element.headers === headers,
        options: element.agent.options.model,
      }
    })
    expect(state).toEqual({
      model: 'from-script',
      endpoint: '/v1',
      toolContext: { tenant: 't1' },
      suggestions: ['Hi'],
      layout: 'sidebar',
      own: [],
      sameHeaders: true,
      options: 'from-script',
    })
    await empty.evaluate(() => {
      document.querySelector('tool-agent')!.setAttribute('model', 'later')
    })
    expect(await empty.evaluate(() => document.querySelector('tool-agent')!.model)).toBe('later')
  })

  test('uses an agent that was assigned before the upgrade', async ({ empty }) => {
    const same = await empty.evaluate(async () => {
      document.body.insertAdjacentHTML('beforeend', '<tool-agent></tool-agent>')
      const element = document.querySelector('tool-agent')!
      const given = {
        options: {},
        observe: () => () => {},
        onToolCall: () => () => {},
        configure: () => {},
        close: () => {},
        session: undefined,
        tools: [],
        progress: new Map(),
        queue: [],
        error: null,
      }
      Object.assign(element, { agent: given })
      await window.load()
      return (element.agent as unknown) === given
    })
    expect(same).toBe(true)
  })

  for (const [markup, says] of [
    ['layout="foo"', "layout: expected 'inline', 'floating' or 'sidebar', received \"foo\""],
    ['sidebar="over"', "sidebar: expected 'overlay' or 'push', received \"over\""],
    ['resume="never"', "resume: expected 'auto' or 'ask', received \"never\""],
    ['suggestions="[1"', 'suggestions: expected a JSON array of strings'],
    ['page-tools="read write"', "pageTools: expected 'read', 'fill' and 'act'"],
    ['endpoint="http://elsewhere.example/v1"', 'endpoint'],
    ['tool-context="{}"', 'set the property toolContext'],
    ['headers="x"', 'set the property headers'],
    ['tools="x"', 'call registerTool()'],
    ['sessionid="x"', 'write session-id'],
  ] as const) {
    const title = `${markup} shows an error until it is fixed, and the console names the property`
    test(title, { tag: '@one-engine' }, async ({ empty }) => {
      const logged: string[] = []
      empty.on('console', (message) => logged.push(message.text()))
      await put(empty, `<tool-agent ${markup}></tool-agent>`)
      await expect(alert(empty)).toContainText('The assistant is not set up correctly')
      await expect.poll(() => logged.join('\n')).toContain(says)
      await expect
        .poll(() =>
          empty.evaluate(() =>
            window.heard
              .filter((event) => event.type === 'tool-agent-error')
              .map((event) => (event as HTMLElementEventMap['tool-agent-error']).error.code),
          ),
        )
        .toEqual(['invalid-option'])
      await empty.evaluate(() => {
        const element = document.querySelector('tool-agent')!
        for (const name of element.getAttributeNames()) element.removeAttribute(name)
      })
      await expect(alert(empty)).toHaveCount(0)
    })
  }

  test('a wrong value of a property throws nothing, changes nothing, and is shown until a valid one is set', async ({
    empty,
  }) => {
    const logged: string[] = []
    empty.on('console', (message) => logged.push(message.text()))
    await put(empty, '<tool-agent layout="sidebar" open model="m"></tool-agent>')
    const names = await empty.evaluate(() => {
      const element = document.querySelector('tool-agent')!
      const attempts: [string, unknown][] = [
        ['layout', 'foo'],
        ['resume', 1],
        ['suggestions', [1]],
        ['pageTools', 'x'],
        ['toolContext', { f() {} }],
        ['limits', { step: 1 }],
        ['headers', 'x'],
        ['open', 'yes'],
        ['agent', {}],
      ]
      for (const [name, value] of attempts) {
        Reflect.set(element, name, value)
        Reflect.set(element, name, value)
      }
      return attempts.map(([name]) => name)
    })
    // The visitor reads one sentence.
    await expect(alert(empty)).toHaveCount(1)
    const codes = () =>
      empty.evaluate(() =>
        window.heard.flatMap((event) =>
          event.type === 'tool-agent-error'
            ? [(event as HTMLElementEventMap['tool-agent-error']).error.message.split(/[.:]/)[0]]
            : [],
        ),
      )
    await expect.poll(codes).toEqual(names)
    expect(logged.filter((line) => line.includes('invalid-option'))).toHaveLength(9)
    const state = await empty.evaluate((names) => {
      const element = document.querySelector('tool-agent')!
      const { layout, resume, model, open } = element
      for (const name of names) Reflect.set(element, name, name === 'layout' ? 'sidebar' : undefined)
      element.open = true
      return { layout, resume, model, open }
    }, names)
    expect(state).toEqual({ layout: 'sidebar', model: 'm', open: true })
    await expect(alert(empty)).toHaveCount(0)
  })

  test(
    'a wrong scope or approval of a running element is as strict as possible',
    { tag: '@one-engine' },
    async ({ empty }) => {
      await put(empty, '<tool-agent model="m" scope="user-1" approval="off"></tool-agent>')
      const read = () =>
        empty.evaluate(() => {
          const { approval, scope, agent } = document.querySelector('tool-agent')!
          return [approval, scope, agent.options.scope]
        })
      await empty.evaluate(() => {
        const element = document.querySelector('tool-agent')!
        Reflect.set(element, 'scope', 42)
        element.setAttribute('approval', 'allways')
      })
      await expect(alert(empty)).toHaveCount(1)
      const strict = expect.stringMatching(/^invalid-/)
      expect(await read()).toEqual(['always', strict, strict])
      await empty.evaluate(() => {
        const element = document.querySelector('tool-agent')!
        element.scope = 'user-2'
        element.setAttribute('approval', 'hints')
      })
      await expect(alert(empty)).toHaveCount(0)
      expect(await read()).toEqual(['hints', 'user-2', 'user-2'])
    },
  )

  test(
    'attributes that do not exist are named once in the console, and others are left alone',
    { tag: '@one-engine' },
    async ({ empty }) => {
      const logged: string[] = []
      empty.on('console', (message) => logged.push(message.text()))
      await put(
        empty,
        `<tool-agent model="m" endpiont="/v1" page-tool="read" modell="x" systemprompt="x" api-key="x" foo="1" placeholdr="x"
        class="a" id="a" style="" title="t" slot="s" part="p" lang="en" dir="ltr" hidden data-x="1" aria-label="x"
        onclick="" v-cloak ng-version="1" _ngcontent-abc data-v-1 svelte-x astro-y jsx x-data="{}" @click="" :foo="1"
        client:load hx-get="x"></tool-agent>
       <tool-agent endpiont="/v1"></tool-agent>`,
      )
      const named = () => logged.filter((line) => line.includes('has no attribute')).map((line) => line.slice(13))
      await expect.poll(named).toHaveLength(7)
      expect(named()).toEqual([
        '<tool-agent> has no attribute endpiont. Did you mean endpoint?',
        '<tool-agent> has no attribute page-tool. Did you mean page-tools?',
        '<tool-agent> has no attribute modell. Did you mean model?',
        '<tool-agent> has no attribute systemprompt. Did you mean instructions?',
        '<tool-agent> has no attribute api-key. Set the property headers from a script',
        '<tool-agent> has no attribute foo. It has no effect. An attribute of your own can be named data-foo',
        '<tool-agent> has no attribute placeholdr. Did you mean placeholder?',
      ])
      await empty.evaluate(() => {
        document.querySelector('tool-agent')!.setAttribute('headng', 'x')
      })
      await expect.poll(named).toHaveLength(8)
    },
  )

  test(
    'an attribute that resembles approval is shown until it is removed',
    { tag: '@one-engine' },
    async ({ empty }) => {
      const logged: string[] = []
      empty.on('console', (message) => logged.push(message.text()))
      await put(empty, '<tool-agent aproval="always"></tool-agent>')
      await expect(alert(empty)).toContainText('The assistant is not set up correctly')
      await expect.poll(() => logged.join()).toContain('has no attribute aproval. Did you mean approval?')
      await empty.evaluate(() => {
        document.querySelector('tool-agent')!.removeAttribute('aproval')
      })
      await expect(alert(empty)).toHaveCount(0)
    },
  )

  test('loading the script twice is not an error', { tag: '@F13' }, async ({ empty }) => {
    const names = await empty.evaluate(async () => {
      await window.load()
      const again = '/src/ui/element/define.ts?again'
      await import(again)
      return customElements.get('tool-agent')?.name
    })
    expect(names).toBe('ToolAgentElement')
  })
})

test.describe('a turn', () => {
  test('sending from the panel runs the page’s tools and dispatches events', async ({ empty }) => {
    await put(empty, '<div id="outer"><tool-agent></tool-agent></div>')
    await empty.evaluate(() => {
      const element = document.querySelector('tool-agent')!
      element.modelAdapter = window.model(window.calls('add', { a: 2, b: 3 }), window.says('It is **5**.'))
      element.registerTool({
        name: 'add',
        description: 'Adds.',
        inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
        execute: ({ a, b }: { a: number; b: number }) => a + b,
      } as never)
    })
    await empty.locator('tool-agent textarea').last().fill('What is 2 + 3?')
    await empty.locator('tool-agent textarea').last().press('Enter')
    await expect(empty.locator('tool-agent .text strong')).toHaveText('5')
    await expect.poll(() => heard(empty, 'turn-end')).toBe(1)
    const events = await empty.evaluate(() =>
      window.heard.map((event) => ({
        type: event.type,
        bubbles: event.bubbles,
        composed: event.composed,
        cancelable: event.cancelable,
        target: (event.target as Element).localName,
      })),
    )
    expect(events.map((event) => event.type.replace('tool-agent-', ''))).toEqual([
      'session-change',
      'turn-start',
      'tool-call',
      'tool-result',
      'turn-end',
    ])
    expect(events.every((event) => event.bubbles && event.composed && event.target === 'tool-agent')).toBe(true)
    expect(
      await empty.evaluate(() => {
        const [, start, call, result, end] = window.heard as [
          Event,
          HTMLElementEventMap['tool-agent-turn-start'],
          HTMLElementEventMap['tool-agent-tool-call'],
          HTMLElementEventMap['tool-agent-tool-result'],
          HTMLElementEventMap['tool-agent-turn-end'],
        ]
        return [
          start.message?.parts[0],
          call.call.name,
          call.input,
          result.result.output,
          end.reason,
          start.turn === end.turn,
        ]
      }),
    ).toEqual([{ type: 'text', text: 'What is 2 + 3?' }, 'add', { a: 2, b: 3 }, 5, 'stop', true])
  })

  test('a listener that cancels the tool-call event refuses the call', { tag: '@one-engine' }, async ({ empty }) => {
    await put(empty, '<tool-agent></tool-agent>')
    const refused = await empty.evaluate(async () => {
      const element = document.querySelector('tool-agent')!
      let ran = 0
      element.addEventListener('tool-agent-tool-call', (event) => {
        event.preventDefault()
      })
      element.modelAdapter = window.model(window.calls('pay', {}), window.says('I could not.'))
      element.registerTool({
        name: 'pay',
        description: 'Pays.',
        execute: () => {
          ran++
        },
      } as never)
      const result = await element.send('Pay')
      return { ran, error: result.toolExecutions[0]?.error?.code }
    })
    expect(refused).toEqual({ ran: 0, error: 'refused' })
    await expect(empty.locator('tool-agent details.call')).toHaveAttribute('data-state', 'refused')
  })

  test(
    'a call that needs approval waits for a click in the panel and runs once',
    { tag: '@one-engine' },
    async ({ empty }) => {
      await put(empty, '<tool-agent></tool-agent>')
      await empty.evaluate(() => {
        const element = document.querySelector('tool-agent')!
        element.modelAdapter = window.model(window.calls('coupon', { code: 'TEA10' }), window.says('Applied.'))
        element.registerTool({
          name: 'coupon',
          title: 'Apply a coupon',
          description: 'Applies.',
          needsApproval: true,
          inputSchema: { type: 'object', properties: { code: { type: 'string' } } },
          execute: () => {
            document.body.dataset['ran'] = `${document.body.dataset['ran'] ?? ''}x`
            return 'ok'
          },
        } as never)
        void element.send('Use TEA10')
      })
      await expect(empty.locator('tool-agent .approval')).toContainText('Apply a coupon')
      await expect(empty.locator('tool-agent .approval dd')).toHaveText(['TEA10'])
      expect(await heard(empty, 'approval-request')).toBe(1)
      await expect(empty.locator('tool-agent .decision[data-ready]')).toBeVisible()
      await empty.locator('tool-agent .approve').click()
      await expect(empty.locator('tool-agent .text')).toHaveText('Applied.')
      await expect(empty.locator('tool-agent .approval')).toHaveCount(0)
      expect(await empty.evaluate(() => document.body.dataset['ran'])).toBe('x')
    },
  )

  test('a tool that an assigned agent has already is a notice, until the element has it no longer', async ({
    empty,
  }) => {
    await put(empty, '<tool-agent></tool-agent>')
    await empty.evaluate(async () => {
      const { createAgent } = await window.load()
      const tool = (name: string) => ({ name, description: 'Finds things.', execute: () => 1 })
      const element = document.querySelector('tool-agent')!
      const remove = element.registerTool(tool('find'))
      element.registerTool(tool('other'))
      element.agent = createAgent({ modelAdapter: window.model(), tools: [tool('find')] })
      document.addEventListener('click', remove, { once: true })
    })
    await expect(alert(empty)).toHaveCount(1)
    await empty.evaluate(() => {
      document.body.click()
    })
    await expect(alert(empty)).toHaveCount(0)
  })

  test(
    'without endpoint and model the text is restored and an error is shown',
    { tag: '@one-engine' },
    async ({ empty }) => {
      await put(empty, '<tool-agent></tool-agent>')
      const field = empty.locator('tool-agent textarea').last()
      await field.fill('Hello?')
      await field.press('Enter')
      await expect(alert(empty)).toContainText('not connected yet')
      await expect(field).toHaveValue('Hello?')
      await expect.poll(() => heard(empty, 'error')).toBe(1)
      expect(
        await empty.evaluate(() =>
          document
            .querySelector('tool-agent')!
            .send('x')
            .catch((error: { code: string }) => error.code),
        ),
      ).toBe('no-endpoint')
    },
  )

  test('a message from before the agent is sent when the agent arrives, unless the user has changed it', async ({
    empty,
  }) => {
    await put(empty, '<tool-agent></tool-agent>')
    const field = empty.locator('tool-agent textarea').last()
    const assign = (answer: string) =>
      empty.evaluate(async (answer) => {
        const { createAgent } = await window.load()
        const modelAdapter = window.model(window.says(answer))
        document.querySelector('tool-agent')!.agent = createAgent({ modelAdapter })
      }, answer)
    await field.fill('Hello?')
    await field.press('Enter')
    await expect(alert(empty)).toContainText('not connected yet')
    await assign('Good morning.')
    await expect(empty.locator('tool-agent article')).toHaveText([/Hello\?/, /Good morning\./])
    await expect(alert(empty)).toHaveCount(0)
    await expect(field).toHaveValue('')

    await empty.evaluate(() => {
      document.querySelector('tool-agent')!.remove()
    })
    await put(empty, '<tool-agent></tool-agent>')
    await field.fill('Hello?')
    await field.press('Enter')
    await expect(alert(empty)).toContainText('not connected yet')
    await field.fill('Hello? And')
    await empty.evaluate(() => {
      document.querySelector('tool-agent')!.modelAdapter = window.model()
    })
    await expect(alert(empty)).toHaveCount(0)
    await expect(field).toHaveValue('Hello? And')
  })

  test('two elements with one session say that it is shown twice, and the console says what to do', async ({
    empty,
  }) => {
    const logged: string[] = []
    empty.on('console', (message) => logged.push(message.text()))
    await put(empty, '<tool-agent session-id="same"></tool-agent><tool-agent session-id="same"></tool-agent>')
    await empty.evaluate(async () => {
      const [one, two] = document.querySelectorAll('tool-agent')
      one!.modelAdapter = window.model(window.says('Yes.'))
      two!.modelAdapter = window.model(window.says('No.'))
      await one!.send('Really?')
      await two!.agent.connect()
    })
    const [one, two] = [empty.locator('tool-agent').first(), empty.locator('tool-agent').last()]
    await expect(two).toContainText('shown twice on this page')
    await expect(two).not.toContainText('another tab')
    await expect(one).not.toContainText('shown twice')
    const told = () => logged.filter((line) => line.includes('is open in two assistants of this page'))
    expect(told()).toEqual([expect.stringMatching(/Session "same" .* session-id or scope, or both one agent/)])
    await two.getByRole('button', { name: 'Use it here' }).click()
    await expect(one).toContainText('shown twice on this page')
    await expect(two).not.toContainText('shown twice')
    expect(told()).toHaveLength(1)
  })

  test('removes one queued message into the field and sends the others', { tag: '@one-engine' }, async ({ empty }) => {
    await put(empty, '<tool-agent model="m"></tool-agent>')
    await empty.evaluate(() => {
      const model = window.model(window.says('One.'), window.says('Three.'))
      let go: (() => void) | undefined
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      const held: ModelAdapter = {
        async *stream(request: ModelRequest, signal: AbortSignal) {
          await gate
          yield* model.stream(request, signal)
        },
      }
      document.querySelector('tool-agent')!.modelAdapter = held
      Object.assign(window, { go })
    })
    const field = empty.locator('tool-agent textarea').last()
    for (const text of ['First', 'Second', 'Third']) {
      await field.fill(text)
      await field.press('Enter')
    }
    await expect(empty.locator('tool-agent .queued')).toHaveCount(2)
    await field.fill('typed')
    await empty.getByRole('button', { name: 'Remove: Second' }).click()
    await expect(field).toHaveValue('Second\n\ntyped')
    await expect(empty.locator('tool-agent .queued')).toHaveCount(1)
    await empty.evaluate(() => {
      ;(window as unknown as { go(): void }).go()
    })
    await expect(empty.locator('tool-agent article')).toHaveText([/First/, /One\./, /Third/, /Three\./])
    await expect(alert(empty)).toHaveCount(0)
  })

  test(
    'registers the page tools that the attribute names, and unregisters them',
    { tag: '@one-engine' },
    async ({ empty }) => {
      await put(empty, '<tool-agent page-tools="read"></tool-agent>')
      const names = () => empty.evaluate(() => document.querySelector('tool-agent')!.tools.map((tool) => tool.name))
      await expect.poll(names).toContain('page_read')
      expect(await names()).not.toContain('form_fill')
      await empty.evaluate(() => {
        document.querySelector('tool-agent')!.pageTools = 'read fill'
      })
      await expect.poll(names).toContain('form_fill')
      expect((await names()).filter((name) => name === 'page_read')).toHaveLength(1)
      await empty.evaluate(() => {
        document.querySelector('tool-agent')!.removeAttribute('page-tools')
      })
      await expect.poll(names).toEqual([])
    },
  )
})

test.describe('life', () => {
  test('keeps tools registered before the element is in the document, and throws their errors', async ({ empty }) => {
    const result = await empty.evaluate(async () => {
      const { ToolAgentError } = await window.load()
      const element = document.createElement('tool-agent')
      const tool = { name: 'a_tool', description: 'x', execute: () => 1 } as never
      const remove = element.registerTool(tool)
      let duplicate: unknown
      try {
        element.registerTool(tool)
      } catch (error) {
        duplicate = error instanceof ToolAgentError ? error.code : error
      }
      document.body.append(element)
      const names = element.tools.map((one) => one.name)
      remove()
      return {
        duplicate,
        names,
        after: element.tools.length,
        output: await element.callTool('a_tool').catch((error: { code: string }) => error.code),
      }
    })
    expect(result).toEqual({ duplicate: 'duplicate-tool', names: ['a_tool'], after: 0, output: 'unknown-tool' })
  })

  test(
    'keeps its agent when moved within a second; later it gets a new agent with the same tools',
    { tag: ['@F6', '@R6.7'] },
    async ({ empty }) => {
      await empty.clock.install()
      await put(empty, '<tool-agent model="m"></tool-agent><section></section>')
      await empty.evaluate(() => {
        const element = document.querySelector('tool-agent')!
        element.registerTool({ name: 'a_tool', description: 'x', execute: () => 1 } as never)
        Object.assign(window, { first: element.agent, element })
        document.querySelector('section')!.append(element)
      })
      await empty.clock.runFor(3_000)
      const state = () =>
        empty.evaluate(() => {
          const { first, element } = window as unknown as { first: entry.Agent; element: entry.ToolAgentElement }
          return first
            .connect()
            .then(
              () => 'open',
              (error: { code: string }) => error.code,
            )
            .then((was) => ({ was, same: element.isConnected && element.agent === first }))
        })
      expect(await state()).toEqual({ was: 'open', same: true })

      // From here on the test moves the clock.
      await empty.clock.pauseAt(await empty.evaluate(() => Date.now() + 5_000))
      await empty.evaluate(() => {
        document.querySelector('tool-agent')!.remove()
      })
      await empty.clock.runFor(900)
      expect((await state()).was).toBe('open')
      await empty.clock.runFor(200)
      expect((await state()).was).toBe('closed')
      const back = await empty.evaluate(() => {
        const { element } = window as unknown as { element: entry.ToolAgentElement }
        document.body.append(element)
        return {
          tools: element.tools.length,
          agentTools: element.agent.tools.map((tool) => tool.name),
          model: element.agent.options.model,
        }
      })
      expect(back).toEqual({ tools: 0, agentTools: ['a_tool'], model: 'm' })
    },
  )

  test(
    'an assigned agent stays open when the element is removed, and works without it',
    { tag: '@R6.7' },
    async ({ empty }) => {
      await empty.clock.install()
      const loaded = await empty.evaluate(async () => {
        const { createAgent } = await window.load()
        const agent = createAgent({
          modelAdapter: window.model(window.says('one'), window.says('two')),
          model: 'given',
        })
        const element = document.createElement('tool-agent')
        element.agent = agent
        element.instructions = 'Be brief'
        document.body.append(element)
        Object.assign(window, { given: agent })
        const first = await agent.send('Hi')
        element.remove()
        return { text: first.text, model: element.model, instructions: agent.options.instructions }
      })
      expect(loaded).toEqual({ text: 'one', model: 'given', instructions: 'Be brief' })
      await empty.clock.runFor(3_000)
      expect(
        await empty.evaluate(
          async () => (await (window as unknown as { given: entry.Agent }).given.send('Again')).text,
        ),
      ).toBe('two')
    },
  )

  test('another scope replaces the agent and keeps the registrations', { tag: '@one-engine' }, async ({ empty }) => {
    await put(empty, '<tool-agent scope="ada"></tool-agent>')
    await empty.evaluate(() => document.querySelector('tool-agent')!.agent.connect())
    expect(await empty.evaluate(() => document.querySelector('tool-agent')!.session?.scope)).toBe('ada')
    const before = await empty.evaluate(() => {
      const element = document.querySelector('tool-agent')!
      element.registerTool({ name: 'a_tool', description: 'x', execute: () => 1 } as never)
      element.scope = 'grace'
      return element.session?.scope
    })
    expect(before).not.toBe('ada')
    await expect.poll(() => empty.evaluate(() => document.querySelector('tool-agent')!.session?.scope)).toBe('grace')
    expect(await empty.evaluate(() => document.querySelector('tool-agent')!.tools.map((tool) => tool.name))).toEqual([
      'a_tool',
    ])
  })
})
