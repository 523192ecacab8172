// Notices: errors, ends of turns, and states of the whole panel, in one shape with an optional action. The sentence is
// for the visitor; the message for developers is in a disclosure that only the option `debug` shows, because it can
// contain what a server answered. If the conversation cannot be loaded, panel-view.ts
// draws the errors.
import { html, nothing, type TemplateResult } from 'lit'
import type { Failure } from '../../core/data/errors.js'
import { actionListener, type PanelAction } from './actions.js'
import { quoted } from '../message/action-words.js'
import { toolTitle } from '../message/call-title.js'
import { textsOf as messageTexts } from '../message/message-texts.js'
import { toSingleLine, toVisibleText } from '../message/values/shown-text.js'
import { icon } from '../styles/icons.js'
import { iconButton } from './icon-button.js'
import type { Words } from '../i18n/en.js'
import type { NoticeWords } from '../i18n/en.js'
import { errorText, problemText } from '../i18n/error-text.js'
import { fallbackOf, isOfNetwork, sendingOf, type PanelState, type Retry } from './panel-view.js'

type Texts = Words & NoticeWords

const textsOf = ({ renderState: { words } }: PanelState): Texts => ({ ...words, ...words.notices })

/** One notice. */
interface PanelNotice {
  /** `error` interrupts a screen reader; the list of notices, or `Announcer`, says an `info`. */
  readonly kind: 'error' | 'info'
  /** A sentence for the user: what happened, and what they can do. */
  readonly text: string
  /** What failed, for the developer of the page. Shown only when the user opens the disclosure. */
  readonly failures?: readonly Failure[]
  /** A button with what it does. */
  readonly action?: NoticeButton | undefined
  /** The label of the button that dismisses the notice. Undefined: no such button. */
  readonly dismiss?: string
}

interface NoticeButton {
  readonly label: string
  readonly action: PanelAction
}

const tryAgain: PanelAction = { do: 'retry' }
const goOn: PanelAction = { do: 'run', run: (agent) => agent.continue() }
const takeOver: PanelAction = { do: 'run', run: (agent) => agent.takeOver() }
const skipRetryDelay: PanelAction = { do: 'run', run: async (agent) => agent.skipRetryDelay() }

/** Draws a notice. */
function noticeView(
  { kind, text, failures = [], action, dismiss }: PanelNotice,
  words: Texts,
  isDebug: boolean,
): unknown {
  return html`<div class="notice" part="notice" data-kind=${kind} role=${kind === 'error' ? 'alert' : nothing}>
    ${icon(kind === 'error' ? 'alert' : 'info')}
    <div>
      <p>${text}</p>
      ${below(action, isDebug ? failures : [], words)}
    </div>
    ${dismiss && iconButton({ name: 'close', title: dismiss, click: { do: 'dismiss' } })}
  </div>`
}

/** The button of a notice and the disclosure for developers, in one line below the text. */
function below(action: NoticeButton | undefined, failures: readonly Failure[], words: Texts): unknown {
  if (action === undefined && failures.length === 0) return nothing
  const details = failures.map(({ code, message }) => `${code}: ${toVisibleText(message)}`).join('\n')
  return html`<div class="acts">
    ${
      action &&
      html`<button type="button" part="notice-button" @click=${actionListener(action.action)}>${action.label}</button>`
    }
    ${
      details &&
      html`<details class="detail"><summary>${icon('chevron')}${words.details}</summary>
        <pre tabindex="0">${details}</pre></details>`
    }
  </div>`
}

/** An error in words that a user can act on. `isStored`: see `PanelState`. */
function errorNotice(failure: Failure, words: Texts, isStored = true): PanelNotice {
  const notice: PanelNotice = { kind: 'error', text: errorText(failure, words), failures: [failure] }
  if (failure.code === 'storage' && !isStored)
    return { ...notice, action: { label: words.saveFile, action: { do: 'export' } } }
  // The same request would be refused again.
  if (failure.code === 'request-too-large') return { ...notice, action: undefined }
  return failure.code === 'session-deleted' || failure.code === 'context-overflow'
    ? { ...notice, action: { label: words.newConversation, action: { do: 'new-session' } } }
    : notice
}

/** The notice about how the newest turn ended; undefined if it simply ended. */
function turnEndNotice({ session }: PanelState, words: Texts): PanelNotice | undefined {
  if (session === undefined) return undefined
  const resume = { label: words.goOn, action: goOn }
  if (session.status === 'interrupted') return { kind: 'info', text: words.interrupted, action: resume }
  const { end } = session
  if (session.status !== 'idle' || end === undefined) return undefined
  if (end.error !== undefined) {
    const label = end.error.code === 'stream-cut' ? words.goOn : words.retry
    return { action: { label, action: goOn }, ...errorNotice(end.error, words) }
  }
  const text = messageTexts(words).endings[end.reason]
  if (text === undefined) return undefined
  // Continuing makes no sense after a content filter stopped the turn.
  return { kind: 'info', text, ...(end.reason === 'content-filter' ? {} : { action: resume }) }
}

/** Above the messages: problems, errors, and that another tab drives the session. */
export function notices(state: PanelState): TemplateResult {
  const { problems, errors, isMirror, isShownTwice, isStored } = state
  const words = textsOf(state)
  const lasting = problemNotices(problems, words)
  const said = new Set(lasting.map(({ text }) => text))
  const drawn = [
    ...lasting,
    ...errors
      .map((failure) => ({
        ...errorNotice(failure, words, isStored),
        ...retryOf([failure], words),
        dismiss: words.dismiss,
      }))
      .filter(({ text }) => !said.has(text)),
    // A mirrored session that is no longer stored was deleted, so it cannot be taken over.
    ...(isMirror && isStored
      ? [
          {
            kind: 'info',
            text: isShownTwice ? words.twice : words.mirror,
            action: { label: words.takeOver, action: takeOver },
          } as const,
        ]
      : []),
  ].map((notice) => noticeView(notice, words, state.renderState.isDebug))
  // The region exists before its texts, so that a screen reader announces them.
  return html`<div class="notices" aria-live="polite">${drawn}</div>`
}

/** What is wrong with the settings of the page, or could not be loaded: each sentence once. */
function problemNotices(problems: readonly Failure[], words: Texts): PanelNotice[] {
  const texts = new Set(problems.map((failure) => errorText(failure, words)))
  return [...texts].map((text) => {
    const failures = problems.filter((failure) => errorText(failure, words) === text)
    return { kind: 'error', text, failures, ...retryOf(failures, words) }
  })
}

/** The button of a notice about what may work when the network is back. */
function retryOf(failures: readonly Failure[], { retry }: Texts): Pick<PanelNotice, 'action'> {
  return failures.some(isOfNetwork) ? { action: { label: retry, action: tryAgain } } : {}
}

/** What the user has allowed beyond one call, in sentences. */
export function grantTexts({ session, renderState }: PanelState): readonly string[] {
  const { words } = renderState
  const { taskGranted, granted } = words.approval
  const tools = (session?.grants ?? []).map(({ tool }) => quoted(toVisibleText(toolTitle(tool, renderState)), words))
  const texts = (session?.turn?.taskGrants ?? []).map(({ scope }) =>
    scope.covers === 'unknown' ? taskGranted.unknown : taskGranted.send(toSingleLine(scope.url)),
  )
  if (tools.length > 0) texts.push(granted(tools.join(', ')))
  return [...new Set(texts)]
}

/** For a screen reader. The line below the field says that there is something, and opens to it. */
export function grantsView(state: PanelState): TemplateResult {
  // The region exists before its text, so that a screen reader announces the text.
  return html`<div class="granted unseen" role="status">${grantTexts(state).map((text) => html`<p>${text}</p>`)}</div>`
}

/** Below the messages: a retry with its countdown, or how the turn ended, and what the page suggests to ask next. */
export function turnNotice(state: PanelState): unknown {
  return [turnState(state), followUpsView(state)]
}

function turnState(state: PanelState): unknown {
  const { retry, session } = state
  const words = textsOf(state)
  const loaded = state.progress.get('model-download')
  if (loaded !== undefined) return downloadView(Number(loaded), words)
  if (retry !== undefined) return retryView(retry, words, state)
  if (sendingOf(state) !== undefined) return nothing
  // The user caused this end, so a line is enough.
  if (session?.status === 'idle' && session.end?.reason === 'stopped')
    return html`<p class="ending">${messageTexts(words).endings.stopped}
      <button type="button" class="link" @click=${actionListener(goOn)}>${words.goOn}</button></p>`
  const notice = turnEndNotice(state, words)
  return notice === undefined ? nothing : noticeView(notice, words, state.renderState.isDebug)
}

/** How much of the browser's built-in model has been downloaded. `loaded`: the part that has arrived, from 0 to 1. */
function downloadView(loaded: number, { downloading }: Texts): TemplateResult {
  const percent = Math.round(Math.min(1, Math.max(0, loaded)) * 100)
  // The sentence is announced once. Screen readers read the progress bar when the user asks for it.
  return html`<div class="download"><p role="status">${downloading}</p>
    <div class="row"><progress max="100" .value=${percent} aria-label=${downloading}></progress>
    <span class="muted" aria-hidden="true">${percent} %</span></div></div>`
}

/** Buttons below an answer, from the page. */
function followUpsView(state: PanelState): unknown {
  const { followUps, session, status } = state
  if (followUps.length === 0 || status !== 'idle' || sendingOf(state) !== undefined) return nothing
  if (session?.messages.at(-1)?.role !== 'assistant') return nothing
  return html`<div class="follow-ups">${followUps.map(
    (text) => html`<button type="button" class="suggestion" part="suggestion"
      @click=${actionListener({ do: 'suggest', text })}>${text}</button>`,
  )}</div>`
}

/** What a wait before the next attempt is about. */
export function retryText(retry: Retry, common: Words): string {
  const { until, error } = retry
  const { code, details } = error
  const words = common.notices
  const problem = problemText(error, common)
  const fallback = fallbackOf(retry)
  if (fallback) return words.fallback((details as { readonly model: string }).model, fallback, problem)
  if (code === 'offline') return words.waitingForNetwork
  const left = Math.max(0, until - Date.now())
  return left > 0 ? words.retrying(Math.ceil(left / 1000), problem) : words.retryingNow(problem)
}

/** A wait before the next attempt. Only the driver's tab can end it. */
function retryView(retry: Retry, words: Texts, { isMirror, renderState: { isDebug } }: PanelState): TemplateResult {
  const { until, delay, error } = retry
  const text = retryText(retry, words)
  // A timer role, so that screen readers do not announce every second. `Announcer` says the first.
  if (fallbackOf(retry)) return html`<p class="working" role="timer">${text}</p>`
  const left = Math.max(0, until - Date.now())
  const isOffline = error.code === 'offline'
  const button = { label: words.tryNow, action: skipRetryDelay }
  return html`<div class="notice" part="notice" data-kind="wait">
    <span class="spinner"></span>
    <div>
      <p role="timer">${text}</p>
      ${
        isOffline || delay < 3_000
          ? nothing
          : html`<progress max=${delay} .value=${Math.min(delay, delay - left)} aria-hidden="true"></progress>`
      }
      ${isOffline ? nothing : below(isMirror ? undefined : button, isDebug ? [error] : [], words)}
    </div>
  </div>`
}
