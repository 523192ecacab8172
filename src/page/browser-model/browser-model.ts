// `provider="browser"`: the browser's built-in model as a model adapter. Sessions of the Prompt API keep what they were
// sent, so a step sends only its new messages; after a change of the history a new session is created. Tools go through
// the text protocol of the host (docs/decisions/0014-browser-model.md).
import { dropUndefined } from '../../core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../core/data/model.js'
import {
  contextOverflow,
  languageModelApi,
  toModelError,
  unavailableModel,
  type LanguageModelApi,
  type LanguageModelMessage,
  type LanguageModelNeeds,
  type LanguageModelSession,
} from './prompt-api.js'
import { answerKey, keyedMessages, type KeyedMessage } from './prompt-messages.js'

/** Sessions that are kept: one for the conversation, one for an agent inside a call. Each may need much memory. */
const keptSessions = 2
/** Milliseconds. The host ends a model call that sends nothing for a minute, and a download may take longer. */
const signOfLife = 10_000

/** What the model needs from its agent. */
export interface BrowserModelDeps {
  /** Destroys all sessions when it is aborted. */
  readonly closed: AbortSignal
  /** The language of the page, such as `de-AT`. */
  language(): string
  /** The part of the model that is downloaded, from 0 to 1; undefined when the download has ended. */
  onDownload(loaded: number | undefined): void
}

interface Held {
  readonly session: LanguageModelSession
  /** What the session contains, as keys of messages. */
  readonly keys: string[]
  readonly takesImages: boolean
  isBusy: boolean
  /** False after the browser has removed older messages from the session. */
  isWhole: boolean
}

/** The built-in model for one agent. */
export class BrowserModel implements ModelAdapter {
  readonly #deps: BrowserModelDeps
  /** The most recently used one is the last. */
  #held: Held[] = []

  constructor(deps: BrowserModelDeps) {
    this.#deps = deps
  }

  /** Streams one answer, in a session of the browser that may be reused for the next step. */
  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const messages = keyedMessages(request)
    let held: Held | undefined
    let isComplete = false
    try {
      held = this.#reusable(messages) ?? (yield* whileAlive(this.#create(messages, signal)))
      held.isBusy = true
      yield* this.#prompt(held, messages, signal)
      isComplete = true
    } catch (thrown) {
      signal.throwIfAborted()
      throw toModelError(thrown)
    } finally {
      if (held !== undefined) {
        held.isBusy = false
        // Browsers differ in what a session keeps of a prompt that was stopped or failed.
        if (!isComplete || !held.isWhole) this.#release(held)
      }
    }
  }

  /** The kept session with the longest beginning of these messages. */
  #reusable(messages: readonly KeyedMessage[]): Held | undefined {
    const hasImage = messages.some((message) => message.hasImage)
    const matching = this.#held.filter(
      ({ keys, isBusy, takesImages }) =>
        !isBusy &&
        (takesImages || !hasImage) &&
        keys.length < messages.length &&
        keys.every((key, index) => key === messages[index]?.key),
    )
    const held = matching.sort((one, other) => other.keys.length - one.keys.length)[0]
    if (held) this.#held = [...this.#held.filter((one) => one !== held), held]
    return held
  }

  /** A session with all messages but the newest. Downloads the model if necessary. */
  async #create(messages: readonly KeyedMessage[], signal: AbortSignal): Promise<Held> {
    const { closed, language, onDownload } = this.#deps
    const api = languageModelApi()
    const hasImage = messages.some((message) => message.hasImage)
    const { needs, takesImages, isReady } = await bestNeeds(api, language(), hasImage)
    signal.throwIfAborted()
    for (const one of this.#held.filter(({ isBusy }) => !isBusy).slice(0, -(keptSessions - 1))) this.#release(one)
    const known = messages.slice(0, -1)
    // Aborting the signal of `create` later would destroy the session, so it is aborted only while it is created.
    const creation = new AbortController()
    const stop = () => creation.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      const session = await api.create({
        ...needs,
        initialPrompts: known.map((message) => message.toMessage(takesImages)),
        signal: AbortSignal.any([creation.signal, closed]),
        // Without a download there are events, too, and nothing to show.
        ...(isReady
          ? {}
          : {
              monitor: (monitor) => {
                onDownload(0)
                monitor.addEventListener('downloadprogress', (event) => {
                  if (!creation.signal.aborted) onDownload((event as ProgressEvent).loaded)
                })
              },
            }),
      })
      const held: Held = { session, keys: known.map(({ key }) => key), takesImages, isBusy: false, isWhole: true }
      for (const event of ['contextoverflow', 'quotaoverflow'])
        session.addEventListener(event, () => {
          held.isWhole = false
        })
      this.#held.push(held)
      return held
    } finally {
      signal.removeEventListener('abort', stop)
      if (!isReady) onDownload(undefined)
    }
  }

  /** Sends the messages that the session does not have, and yields its answer. */
  async *#prompt(held: Held, messages: readonly KeyedMessage[], signal: AbortSignal): AsyncIterable<ModelPart> {
    const { session, keys, takesImages } = held
    const added = messages.slice(keys.length)
    const input = added.map((message) => message.toMessage(takesImages))
    const before = await checkedUsage(session, input, signal)
    const reader = session.promptStreaming(input, { signal }).getReader()
    // The stream may not react to the signal while the model is busy.
    const cancel = () => void reader.cancel(signal.reason).catch(() => undefined)
    signal.addEventListener('abort', cancel, { once: true })
    let text = ''
    try {
      for (;;) {
        const { done, value } = await reader.read()
        signal.throwIfAborted()
        if (done) break
        if (typeof value !== 'string') continue
        text += value
        yield { type: 'text-delta', id: 'text', delta: value }
      }
    } finally {
      signal.removeEventListener('abort', cancel)
      // Ends the model's work if the caller has stopped reading.
      cancel()
    }
    keys.push(...added.map(({ key }) => key), answerKey(text))
    const after = usageOf(session)
    yield { type: 'text-end', id: 'text' }
    yield dropUndefined({
      type: 'finish',
      finishReason: { unified: 'stop' },
      usage:
        before === undefined || after === undefined || after < before
          ? undefined
          : { inputTokens: { total: before }, outputTokens: { total: after - before } },
    })
  }

  #release(held: Held): void {
    this.#held = this.#held.filter((one) => one !== held)
    held.session.destroy()
  }
}

/**
 * The tokens of the session with the new messages; undefined if the browser does not measure. @throws
 * `context-overflow` instead of sending a prompt for which the browser would silently remove older messages.
 */
async function checkedUsage(
  session: LanguageModelSession,
  input: readonly LanguageModelMessage[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const used = usageOf(session)
  const needed = await (session.measureContextUsage?.(input, { signal }) ??
    session.measureInputUsage?.(input, { signal }))
  const available = session.contextWindow ?? session.inputQuota
  if (used === undefined || needed === undefined) return undefined
  if (available !== undefined && used + needed >= available) throw contextOverflow(needed, available - used)
  return used + needed
}

function usageOf({ contextUsage, inputUsage }: LanguageModelSession): number | undefined {
  return contextUsage ?? inputUsage
}

/**
 * What the session is created for: with the languages of the page and with images, if the browser offers that.
 * @throws `unavailable` if the device cannot run the model
 */
async function bestNeeds(
  api: LanguageModelApi,
  language: string,
  hasImage: boolean,
): Promise<{ needs: LanguageModelNeeds; takesImages: boolean; isReady: boolean }> {
  // English is the language of the system text.
  const languages = [...new Set(['en', language.split('-')[0] || 'en'])]
  for (const takesImages of hasImage ? [true, false] : [false]) {
    for (const text of [{ type: 'text', languages } as const, { type: 'text' } as const]) {
      const needs = {
        expectedInputs: takesImages ? [text, { type: 'image' } as const] : [text],
        expectedOutputs: [text],
      }
      // Some browsers throw for a language that they do not know.
      const availability = await api.availability(needs).catch(() => 'unavailable')
      if (availability !== 'unavailable') return { needs, takesImages, isReady: availability === 'available' }
    }
  }
  throw unavailableModel()
}

/** Waits for the work, and yields a sign of life from time to time. */
async function* whileAlive<T>(work: Promise<T>): AsyncGenerator<ModelPart, T> {
  const settled = work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  for (;;) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const pause = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), signOfLife)
    })
    const outcome = await Promise.race([settled, pause])
    clearTimeout(timer)
    if (outcome === undefined) yield { type: 'alive' }
    else if ('value' in outcome) return outcome.value
    else throw outcome.error
  }
}
