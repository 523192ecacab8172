// A scripted `LanguageModel`, as the Prompt API defines it. One self-contained function, so that a page can get it with
// `addInitScript`; Node specs call it. It behaves like the specification: sessions keep what they were sent, `create`
// monitors a download, an abort removes the prompt, and a prompt that does not fit rejects with `QuotaExceededError`.

/** One answer: its chunks, an error, or chunks after which the model never ends. */
export type ScriptedAnswer =
  | readonly string[]
  | { readonly error: string; readonly after?: readonly string[] }
  | { readonly hangs: readonly string[] }

export interface LanguageModelScript {
  /** Used in order, also over a reload of the page. */
  readonly answers?: readonly ScriptedAnswer[]
  readonly availability?: 'unavailable' | 'downloadable' | 'downloading' | 'available'
  /** The values of `downloadprogress`; `wait` waits for `releaseDownload()`. */
  readonly download?: readonly (number | 'wait')[]
  /** The name of the error that `create` rejects with. */
  readonly createError?: string
  /** Tokens; one per four characters. */
  readonly contextWindow?: number
  readonly takesImages?: boolean
  /** Languages that `availability` knows. Default: all. */
  readonly languages?: readonly string[]
}

/** What the SDK did, in order. */
export interface LanguageModelCall {
  readonly do: 'create' | 'prompt' | 'destroy' | 'abort'
  readonly session: number
  /** Messages of `create` and `prompt`; images as their type and size. */
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[] | undefined
  readonly needs?: unknown
}

export interface ScriptedGlobals {
  LanguageModel?: unknown
  languageModelCalls: LanguageModelCall[]
  releaseDownload: () => void
}

/** Defines `LanguageModel` in this global scope. */
export function installLanguageModel(script: LanguageModelScript): void {
  const { answers = [], contextWindow = 6000, availability = 'available' } = script
  const scope = globalThis as unknown as ScriptedGlobals
  const calls: LanguageModelCall[] = []
  scope.languageModelCalls = calls
  let sessions = 0
  let isDownloaded = false
  let used = 0
  const storage = 'sessionStorage' in globalThis && typeof document === 'object' ? sessionStorage : undefined
  const nextAnswer = (): ScriptedAnswer | undefined => {
    const index = storage ? Number(storage.getItem('scripted-answers') ?? 0) : used
    used = index + 1
    storage?.setItem('scripted-answers', String(used))
    return answers[index]
  }
  const failure = (name: string, fields: object = {}): Error =>
    Object.assign(new DOMException(`scripted ${name}`, name), fields)
  type Part = { readonly type: string; readonly value: unknown }
  type Prompt = { readonly role: string; readonly content: string | readonly Part[] }
  const tokens = (input: readonly Prompt[]): number =>
    input.reduce(
      (sum, { content }) =>
        sum +
        (typeof content === 'string'
          ? Math.ceil(content.length / 4)
          : content.reduce(
              (all, { value }) => all + (typeof value === 'string' ? Math.ceil(value.length / 4) : 100),
              0,
            )),
      0,
    )
  const shown = (input: readonly Prompt[]): LanguageModelCall['messages'] =>
    input.map(({ role, content }) => ({
      role,
      content:
        typeof content === 'string'
          ? content
          : content.map(({ type, value }) =>
              value instanceof Blob ? { type, image: value.type, size: value.size } : { type, value },
            ),
    }))
  const check = (input: readonly Prompt[]): void => {
    for (const { content } of input)
      if (typeof content !== 'string' && content.some(({ type }) => type === 'image') && !script.takesImages)
        throw failure('NotSupportedError')
  }

  class Session extends EventTarget {
    readonly id = ++sessions
    readonly contextWindow = contextWindow
    contextUsage = 0
    isDestroyed = false

    async measureContextUsage(input: readonly Prompt[]): Promise<number> {
      return tokens(input)
    }

    promptStreaming(input: readonly Prompt[], { signal }: { signal?: AbortSignal } = {}): ReadableStream<string> {
      if (this.isDestroyed) throw failure('InvalidStateError')
      check(input)
      calls.push({ do: 'prompt', session: this.id, messages: shown(input) })
      const answer = nextAnswer()
      const needed = tokens(input)
      let chunks: string[] = []
      let isStarted = false
      return new ReadableStream<string>(
        {
          start: (controller) => {
            signal?.addEventListener('abort', () => {
              calls.push({ do: 'abort', session: this.id })
              try {
                controller.error(signal.reason)
              } catch {
                // The stream has ended.
              }
            })
          },
          // One chunk for each read, because an error discards what was not read.
          pull: (controller) => {
            if (answer === undefined) return controller.error(new Error('The script has no further answer'))
            if (!isStarted) {
              isStarted = true
              if (this.contextUsage + needed > contextWindow)
                return controller.error(
                  failure('QuotaExceededError', {
                    requested: needed,
                    contextWindow: contextWindow - this.contextUsage,
                  }),
                )
              this.contextUsage += needed
              if ('error' in answer) chunks = [...(answer.after ?? [])]
              else chunks = [...('hangs' in answer ? answer.hangs : answer)]
            }
            const chunk = chunks.shift()
            if (chunk !== undefined) {
              this.contextUsage += Math.ceil(chunk.length / 4)
              controller.enqueue(chunk)
            } else if ('error' in answer) controller.error(failure(answer.error))
            else if ('hangs' in answer) return new Promise(() => undefined)
            else controller.close()
            return undefined
          },
        },
        { highWaterMark: 0 },
      )
    }

    destroy(): void {
      this.isDestroyed = true
      calls.push({ do: 'destroy', session: this.id })
    }
  }

  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  scope.releaseDownload = () => release()
  type Needs = {
    readonly expectedInputs?: readonly { readonly type: string; readonly languages?: readonly string[] }[]
  }
  Object.defineProperty(globalThis, 'LanguageModel', {
    configurable: true,
    value: {
      async availability({ expectedInputs = [] }: Needs = {}) {
        const { languages, takesImages = false } = script
        if (expectedInputs.some(({ type }) => type === 'image') && !takesImages) return 'unavailable'
        if (languages && expectedInputs.some((one) => one.languages?.some((tag) => !languages.includes(tag))))
          return 'unavailable'
        return isDownloaded ? 'available' : availability
      },
      async create(options: {
        readonly initialPrompts?: readonly Prompt[]
        readonly signal?: AbortSignal
        readonly monitor?: (target: EventTarget) => void
        readonly expectedInputs?: unknown
      }) {
        const { initialPrompts = [], signal, monitor, expectedInputs } = options
        signal?.throwIfAborted()
        if (script.createError) throw failure(script.createError)
        const aborted = new Promise<never>((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
        aborted.catch(() => undefined)
        if (availability !== 'available' && !isDownloaded) {
          const target = new EventTarget()
          monitor?.(target)
          for (const loaded of script.download ?? [0, 1]) {
            if (loaded === 'wait') await Promise.race([released, aborted])
            else target.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }))
          }
          isDownloaded = true
        }
        check(initialPrompts)
        const needed = tokens(initialPrompts)
        if (needed > contextWindow) throw failure('QuotaExceededError', { requested: needed, contextWindow })
        const session = new Session()
        session.contextUsage = needed
        signal?.addEventListener('abort', () => session.destroy())
        calls.push({ do: 'create', session: session.id, messages: shown(initialPrompts), needs: expectedInputs })
        return session
      },
    },
  })
}
