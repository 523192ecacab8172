// Every language fits the panel: buttons and titles are drawn in full at 390 and 320 px, in each state that has them. A
// failure names the language, the state and the text.
import { languages } from '../../../../src/ui/i18n/languages/languages.js'
import { assistant, call, expect, question, tasks, test, user, type PanelPage } from '../../../support/page/panel.js'

const result = (output: unknown) => ({ result: { output, startedAt: 1, endedAt: 2_500, attempts: 2 } })

/** The states with buttons and titles of the panel itself. Each resolves when it is drawn. */
const states: Record<string, (panel: PanelPage) => Promise<void>> = {
  empty: async () => {},
  'not saved': (panel) =>
    panel.page.evaluate(() => {
      window.fake.set({ storage: 'memory' })
    }),
  calls: async (panel) => {
    await panel.page.evaluate(() => {
      window.fake.set({ storage: 'indexeddb' })
    })
    await panel.show({
      status: 'running',
      messages: [
        user('u', 'Hi'),
        assistant(
          'a',
          'x'.repeat(40),
          tasks('t', [
            { text: 'A', status: 'completed' },
            { text: 'B', status: 'in_progress' },
          ]),
          call('c1', 'form_submit', result({ ok: true })),
          call('c2', 'page_navigate', { started: { at: 1 } }),
        ),
      ],
    })
    await expect(panel.element.locator('.receipt')).toBeVisible()
  },
  question: async (panel) => {
    await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Hi'), assistant('a', question('q'))] })
    await expect(panel.element.locator('.approval')).toBeVisible()
  },
  'question about a page action': async (panel) => {
    await panel.page.evaluate(() => {
      const tool = { inputSchema: {}, annotations: {}, isDiscovered: false, offers: ['task'] }
      window.fake.approvalTools.set('p', tool)
    })
    const preview = {
      effect: 'destroy',
      does: 'click',
      target: 'button "Revoke all access"',
      in: 'Slack',
      loses: true,
      task: { covers: 'unknown' },
    }
    const approval = { hash: 'p', title: 'Click', input: {}, at: 1, preview }
    await panel.show({
      status: 'awaiting-approval',
      messages: [user('u', 'Hi'), assistant('a', call('p', 'page_click', { approval }))],
      turn: {
        id: 't',
        step: 1,
        startedAt: 1,
        counted: 0,
        taskGrants: [{ at: 1, page: '', scope: { covers: 'unknown' } }],
      } as never,
    })
    await expect(panel.element.locator('.approve-task')).toBeVisible()
    await expect(panel.element.locator('.granted p')).toBeAttached()
  },
  interrupted: async (panel) => {
    await panel.show({ status: 'interrupted', messages: [user('u', 'Hi'), assistant('a', 'Hello')] })
    await expect(panel.element.locator('.notice')).toBeVisible()
  },
  error: async (panel) => {
    await panel.show({ messages: [user('u', 'Hi')] })
    await panel.page.evaluate(() => {
      window.fake.report({ code: 'storage', message: 'QuotaExceededError' })
    })
    await expect(panel.element.locator('.notice')).toBeVisible()
  },
  mirror: async (panel) => {
    await panel.page.evaluate(() => {
      window.fake.dismissError()
      window.fake.set({ role: 'mirror' })
    })
    await expect(panel.element.locator('.notice button')).toBeVisible()
  },
  conversations: async (panel) => {
    await panel.page.evaluate(() => {
      window.fake.set({ role: 'driver' })
      window.fake.stored = [{ id: 's', title: 'Tea', createdAt: 1, updatedAt: 1, messages: 3 }] as never
    })
    await panel.element.locator('[part~="header-button"]').first().click()
    await expect(panel.element.locator('.session')).toBeVisible()
    await panel.element.locator('.options').click()
    await expect(panel.element.locator('.tools')).toBeVisible()
  },
  deleting: async (panel) => {
    await panel.element.locator('.sessions li button').last().click()
  },
}

/** The texts of buttons and titles that do not fit: cut, wider than the panel, or outside of it. */
function misfits(panel: PanelPage): Promise<string[]> {
  return panel.element.evaluate((element) => {
    const root = element.shadowRoot!
    const frame = root.querySelector('.panel')!.getBoundingClientRect()
    return [
      ...root.querySelectorAll<HTMLElement>('button, h2, h3, .greeting, .status, .count, .receipt .head .title, .foot'),
    ].flatMap((one) => {
      const box = one.getBoundingClientRect()
      if (box.width === 0 || one.closest('[hidden]') !== null) return []
      const isCut = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible'
      const isOutside = box.left < frame.left - 1 || box.right > frame.right + 1
      // A button that breaks its text over more than two lines looks broken, except a conversation or a suggestion.
      const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(one)
      const lines = (box.height - parseFloat(paddingTop) - parseFloat(paddingBottom)) / parseFloat(lineHeight)
      const isTall = one.matches('button:not(.session, .suggestion, .badge)') && lines > 2.6
      const problem = [isCut && 'cut', isOutside && 'outside', isTall && `${lines.toFixed(1)} lines`].filter(Boolean)
      return problem.length === 0 ? [] : [`“${one.textContent.trim() || one.title}” is ${problem.join(', ')}`]
    })
  })
}

for (const tag of ['en', ...languages.keys()]) {
  for (const width of [390, 320]) {
    // The languages with the longest words and with another direction; the others in the long run.
    test(
      `${tag} fits ${width} px`,
      { tag: ['de', 'fr', 'ar'].includes(tag) ? [] : '@long' },
      async ({ panel, page }) => {
        await page.setViewportSize({ width, height: 760 })
        await page.evaluate((lang) => {
          document.documentElement.lang = lang
          document.documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr'
          window.element.layout = 'floating'
          window.element.open = true
        }, tag)
        if (tag !== 'en') await expect(panel.field).not.toHaveAttribute('placeholder', 'Ask anything about this page')
        const faults: string[] = []
        for (const [state, draw] of Object.entries(states)) {
          await draw(panel)
          faults.push(...(await misfits(panel)).map((fault) => `${tag}, ${width} px, ${state}: ${fault}`))
        }
        expect(faults).toEqual([])
      },
    )
  }
}
