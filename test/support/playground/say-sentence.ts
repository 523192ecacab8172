// Says a sentence of test/fixtures/playground-sentences.ts to its demo, and compares the page and the answer with what is
// useful. One page is used for all sentences of a demo.
import type { Page } from 'playwright/test'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import type { Language, Useful } from '../../fixtures/playground-languages.js'

/** A sentence of a fixture. */
export interface Sentence {
  readonly demo: 'booking' | 'shop' | 'orders'
  readonly language?: Language
  readonly page?: string
  readonly cart?: Readonly<Record<string, number>>
  readonly before?: readonly string[]
  readonly say: string
  readonly cannot?: true
  readonly useful: Useful
}

/** What came of one sentence. */
export interface Outcome {
  readonly sentence: Sentence
  readonly answer: string
  readonly calls: readonly string[]
  /** Why it is not useful; empty for a useful answer. */
  readonly wrong: readonly string[]
  /** The page is not as it was before the sentence: a field, the cart, an order. */
  readonly isChanged: boolean
}

export interface State {
  readonly fields: Readonly<Record<string, string | readonly string[]>>
  readonly cart: Readonly<Record<string, number>>
  readonly coupon: string
  readonly rows: readonly string[]
  readonly changes: Readonly<Record<string, { readonly status?: string; readonly notes?: readonly string[] }>>
  readonly dialog: string
  readonly path: string
  readonly isSubmitted: boolean
}

/** The time that the clock of the page shows at first: a Wednesday. */
const start = new Date(2026, 10, 18, 10).getTime()

/** What no answer may contain: names of tools, references, outlines and logs. */
const internals: readonly [RegExp, string][] = [
  [/\b[a-z]+_[a-z_]+\b/, 'a name in snake case'],
  [/\[ref=e\d|\be\d+\b(?=\])/, 'a reference'],
  [/[✓✗]|now holds|asked `/, 'a log'],
  [/^\s*- (?:row|button|text|link):?/m, 'an outline'],
  [/undefined|\[object|NaN/, 'a broken value'],
]

/** Prepares a page: a fixed day, no pauses of the model. */
export async function preparePage(page: Page): Promise<void> {
  const shift = `{
    const offset = ${start} - Date.now(), Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) {
        if (given.length === 0) super(Real.now() + offset)
        else super(...given)
      }
      static now() { return Real.now() + offset }
    }
  }\n`
  await page.addInitScript(`if (origin !== 'null') sessionStorage['playground-pace'] ??= '0'\n${shift}`)
  // The host tells the model which day it is.
  await page.route('**/host/worker.ts', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: shift + (await response.text()) })
  })
}

/** Says the sentence on a fresh page of its demo. */
export async function saySentence(page: Page, site: string, sentence: Sentence): Promise<Outcome> {
  await page.goto(`${site}/playground/shared/icon.svg`)
  await page.evaluate((cart) => {
    const pace = sessionStorage.getItem('playground-pace') ?? '0'
    sessionStorage.clear()
    localStorage.clear()
    sessionStorage.setItem('playground-pace', pace)
    const lines = Object.entries(cart).map(([productId, quantity]) => ({ productId, quantity }))
    if (lines.length > 0) localStorage.setItem('kettle-and-leaf-cart', JSON.stringify({ lines }))
  }, sentence.cart ?? {})
  await page.goto(`${site}/playground/${sentence.demo}/${sentence.page ?? ''}`)
  await ready(page)
  await page.evaluate(() => document.querySelector<ToolAgentElement>('tool-agent')?.sessions.create())
  for (const text of sentence.before ?? []) await turn(page, text)
  const before = await stateOf(page)
  const { answer, calls } = await turn(page, sentence.say)
  const after = await stateOf(page)
  return judge(sentence, { before, after, answer, calls })
}

interface Course {
  readonly before: State
  readonly after: State
  readonly answer: string
  readonly calls: readonly string[]
}

/** Compares what happened with what is useful. */
export function judge(sentence: Sentence, course: Course): Outcome {
  const { before, after, answer, calls } = course
  const isChanged = !same({ ...before, path: '' }, { ...after, path: '' })
  return { sentence, answer, calls, wrong: compare(sentence, course), isChanged }
}

async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const agent = document.querySelector<ToolAgentElement>('tool-agent')
    return (
      (agent?.status === 'ready' || agent?.status === 'idle') && agent.tools.some(({ name }) => name === 'form_fill')
    )
  })
}

/** Sends a message, approves every question, and waits for the end of the turn, on another page as well. */
async function turn(page: Page, text: string): Promise<{ answer: string; calls: string[] }> {
  const count = await page.evaluate(() => document.querySelector<ToolAgentElement>('tool-agent')?.messages.length ?? 0)
  await page.evaluate((said) => void document.querySelector<ToolAgentElement>('tool-agent')?.send(said), text)
  const end = Date.now() + 40_000
  while (Date.now() < end) {
    const state = await page
      .evaluate((known) => {
        const agent = document.querySelector<ToolAgentElement>('tool-agent')
        if (!agent?.session) return 'loading'
        const open = agent.messages
          .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
          .find((part) => part.type === 'tool-call' && part.approval && !part.result && !part.started)
        if (open?.type === 'tool-call') void agent.approve(open.call.id)
        const last = agent.messages.at(-1)
        return agent.status === 'idle' && agent.messages.length > known + 1 && last?.role === 'assistant'
          ? 'done'
          : agent.status
      }, count)
      // The page may be navigating.
      .catch(() => 'navigating')
    if (state === 'done') break
    await page.waitForFunction(() => true)
  }
  return page.evaluate((known) => {
    const parts =
      document
        .querySelector<ToolAgentElement>('tool-agent')
        ?.messages.slice(known)
        .flatMap((message) => (message.role === 'assistant' ? message.parts : [])) ?? []
    return {
      answer: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n'),
      calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.call.name] : [])),
    }
  }, count)
}

function stateOf(page: Page): Promise<State> {
  return page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('form#booking, form#order, form#filters')
    const fields: Record<string, string | string[]> = {}
    for (const element of form?.elements ?? []) {
      if (element instanceof HTMLSelectElement && element.multiple)
        fields[element.name] = [...element.selectedOptions].map(({ value }) => value)
      else if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type)) {
        if (element.checked) fields[element.name] = element.value
        else fields[element.name] ??= ''
      } else if (
        (element instanceof HTMLInputElement && element.type !== 'file') ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement
      )
        fields[element.name] = element.value
    }
    const cart = JSON.parse(localStorage.getItem('kettle-and-leaf-cart') ?? '{"lines":[]}') as {
      lines: { productId: string; quantity: number }[]
      coupon?: string
    }
    return {
      fields,
      cart: Object.fromEntries(cart.lines.map(({ productId, quantity }) => [productId, quantity])),
      coupon: cart.coupon ?? '',
      rows: [...document.querySelectorAll<HTMLElement>('#rows tr')].map(({ innerText }) =>
        innerText.replaceAll(/\s+/g, ' '),
      ),
      changes: JSON.parse(sessionStorage.getItem('fernhill-orders') ?? '{}') as State['changes'],
      dialog: document.querySelector<HTMLElement>('dialog[open]')?.innerText ?? '',
      path: location.pathname,
      isSubmitted: document.querySelector('#confirmation:not([hidden]), #placed:not([hidden])') !== null,
    }
  })
}

function compare({ useful }: Sentence, { before, after, answer, calls }: Course): string[] {
  return [
    ...(answer.trim() === '' ? ['no answer'] : []),
    ...internals.filter(([pattern]) => pattern.test(answer)).map(([, name]) => `the answer has ${name}`),
    ...(useful.answer ?? []).filter((pattern) => !pattern.test(answer)).map((pattern) => `the answer lacks ${pattern}`),
    ...(useful.never ?? []).filter((pattern) => pattern.test(answer)).map((pattern) => `the answer has ${pattern}`),
    ...(useful.anyCall && !useful.anyCall.some((name) => calls.includes(name))
      ? [`no call of ${useful.anyCall.join(' or ')}`]
      : []),
    ...wrongFields(useful, before, after),
    ...(same(after.cart, useful.cart ?? before.cart) ? [] : [`the cart has ${JSON.stringify(after.cart)}`]),
    ...(after.coupon === (useful.coupon ?? before.coupon) ? [] : [`the coupon is ${after.coupon || 'not set'}`]),
    ...(useful.rows && (after.rows.length === 0 || !after.rows.every((row) => useful.rows?.test(row)))
      ? [`rows do not match ${useful.rows}`]
      : []),
    ...(useful.firstRow && !useful.firstRow.test(after.rows[0] ?? '') ? [`the first row is ${after.rows[0]}`] : []),
    ...wrongOrders(useful, after),
    ...(useful.dialog && !useful.dialog.test(after.dialog) ? ['the dialog is not open'] : []),
    ...((useful.path ? useful.path.test(after.path) : after.path === before.path || useful.answer?.[0]?.test('cart'))
      ? []
      : [`the page is ${after.path}`]),
    ...(after.isSubmitted ? ['the form was submitted'] : []),
  ]
}

function wrongFields({ fields = {} }: Useful, before: State, after: State): string[] {
  if (after.path !== before.path) return []
  return Object.keys(before.fields).flatMap((name) => {
    const wanted = fields[name] ?? before.fields[name] ?? ''
    const now = after.fields[name] ?? ''
    const isRight = wanted instanceof RegExp ? wanted.test(String(now)) : same(now, wanted)
    return isRight ? [] : [`${name} is ${JSON.stringify(now)}`]
  })
}

function wrongOrders({ statuses = {}, notes = {} }: Useful, { changes }: State): string[] {
  const changed = Object.fromEntries(
    Object.entries(changes).flatMap(([number, { status }]) => (status === undefined ? [] : [[number, status]])),
  )
  return [
    ...(same(changed, statuses) ? [] : [`orders changed: ${JSON.stringify(changed)}`]),
    ...Object.entries(notes).flatMap(([number, pattern]) =>
      pattern.test(changes[number]?.notes?.join('\n') ?? '') ? [] : [`order ${number} has no such note`],
    ),
  ]
}

function same(one: unknown, other: unknown): boolean {
  const sorted = (value: unknown): string =>
    JSON.stringify(
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).sort(([a], [b]) => a.localeCompare(b))
        : value,
    )
  return sorted(one) === sorted(other)
}
