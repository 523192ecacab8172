// The line that a panel on a phone is while tools fill and press the page, so that the visitor sees what happens there.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isObject } from '../../core/data/json.js'
import { toolCallsOf, type ToolCallPart } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { Agent } from '../../page/agent.js'
import type { Words } from '../i18n/en.js'
import { pageTools, readTools } from '../message/call/page-tool-names.js'
import { ActionEvent } from '../panel/actions.js'

/** The newest call of the running turn that changes the page, until the answer starts. */
export function callOnPage({ messages, draft }: Session): ToolCallPart | undefined {
  if (draft?.parts.some((part) => part.type === 'text' && part.text !== '')) return undefined
  const isOnPage = (name: string): boolean => pageTools.has(name) && !readTools.has(name) && name !== 'page_wait'
  const last = messages.at(-1)
  return last?.role === 'assistant'
    ? toolCallsOf(last).findLast(({ call, started, held }) => isOnPage(call.name) && started && !held)
    : undefined
}

/** What a bar says. */
export interface BarTexts {
  readonly title: string
  readonly detail: string
  /** From 0 to 1; undefined if it is not known. */
  readonly fraction: number | undefined
}

/** What the bar says of a call. Of a fill it counts the fields, and names the one that is being filled. */
export function barTexts({ call, result }: ToolCallPart, agent: Agent, words: Words, title: string): BarTexts {
  const progress = agent.progress.get(call.id)
  const known = isObject(progress) && typeof progress['fraction'] === 'number' ? progress['fraction'] : undefined
  const fraction = result === undefined ? known : 1
  const given = isObject(call.input) ? call.input['fields'] : undefined
  const names = Array.isArray(given) ? given.map((one) => (isObject(one) ? String(one['field'] ?? '') : '')) : []
  const at = Math.min(names.length, Math.round((fraction ?? 0) * names.length) + 1)
  const name = names[at - 1] ?? ''
  const detail = [names.length > 1 ? words.stage.step(at, names.length) : '', /^e\d+$/.test(name) ? '' : name]
  return { title, detail: detail.filter((text) => text !== '').join(' · '), fraction }
}

/** The bar. It is in the panel all the time, and visible in its place only. */
export class SheetBar {
  readonly node: HTMLElement
  readonly #title: HTMLElement
  readonly #detail: HTMLElement
  readonly #progress: HTMLProgressElement
  readonly #stop: HTMLButtonElement

  constructor() {
    const page = unclobbered(document)
    this.node = page.createElement('div')
    this.node.className = 'bar'
    this.node.part = 'bar'
    const texts = page.createElement('div')
    this.#title = page.createElement('p')
    this.#title.className = 'now'
    this.#detail = page.createElement('p')
    this.#detail.className = 'count'
    this.#progress = page.createElement('progress')
    for (const one of [this.#title, this.#detail, this.#progress]) texts.appendChild(one)
    this.#stop = page.createElement('button')
    this.#stop.type = 'button'
    this.#stop.part = 'stop'
    this.#stop.addEventListener('click', () => this.node.dispatchEvent(new ActionEvent({ do: 'stop' })))
    for (const one of [texts, this.#stop]) this.node.appendChild(one)
  }

  /** Says what happens now. */
  show({ title, detail, fraction }: BarTexts, words: Words): void {
    this.#title.textContent = title
    this.#detail.textContent = detail
    this.#progress.ariaLabel = title
    if (fraction === undefined) this.#progress.removeAttribute('value')
    else this.#progress.value = fraction
    this.#stop.textContent = words.stop
  }

  /** Takes the focus from what is hidden now. */
  focus(): void {
    this.#stop.focus({ preventScroll: true })
  }
}
