// What a user needs who has scrolled away from the end: a button that returns, and the place when older messages are
// added above it.
import { html, nothing, type TemplateResult } from 'lit'
import { textOf, type AssistantPart, type Message } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { icon } from '../styles/icons.js'
import type { Texts } from './message-texts.js'

/**
 * The button that returns to the end, with the number of messages since the user scrolled away. `seen`: index in the
 * session after the last message then.
 */
export function latestButton(
  { messages, start, draft }: Session,
  seen: number,
  words: Texts,
  click: () => void,
): TemplateResult {
  const written: readonly Message[] =
    draft === undefined
      ? messages
      : [...messages, { id: '', role: 'assistant', at: 0, parts: draft.parts as readonly AssistantPart[] }]
  const count = written
    .slice(Math.max(0, seen - start))
    .filter((message) => message.role !== 'summary' && textOf(message) !== '').length
  return html`<button type="button" class="latest" part="latest" aria-label=${count === 0 ? words.latest : nothing}
    title=${words.latest} @click=${click}>${icon('down')}${count === 0 ? nothing : words.newMessages(count)}</button>`
}

/** Frames in which the list is scrolled back: the browser measures messages when they come close to being visible. */
const restoringFrames = 5

/**
 * Remembers the first visible message. Call the returned function when the older messages are drawn, before the frame
 * is painted: it scrolls back to the message.
 */
export function keepPlace(log: HTMLElement): () => void {
  const topOf = (element: Element): number => element.getBoundingClientRect().top - log.getBoundingClientRect().top
  const first = [...log.querySelectorAll('.messages > .message')].find(
    (one) => one.getBoundingClientRect().bottom > log.getBoundingClientRect().top,
  )
  const place = first === undefined ? 0 : topOf(first)
  const fromEnd = log.scrollHeight - log.scrollTop
  // The browser must not move the list as well.
  log.dataset['restoring'] = ''
  return () => {
    let frames = restoringFrames
    let top = log.scrollTop
    const restore = (): void => {
      // The user has scrolled since.
      const isElsewhere = Math.abs(log.scrollTop - top) > 1 && frames < restoringFrames
      // A message of reads only may have joined the one before it.
      if (!isElsewhere)
        log.scrollTop = first?.isConnected === true ? log.scrollTop + topOf(first) - place : log.scrollHeight - fromEnd
      top = log.scrollTop
      if (isElsewhere || frames-- === 0) delete log.dataset['restoring']
      else requestAnimationFrame(restore)
    }
    restore()
  }
}
