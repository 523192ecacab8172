// <tool-agent-inspector for="id">: what an agent does, for whoever builds the page. Listens like any other listener, and
// turns on `debug` for as long as it is there, so that requests and responses are told.
import {
  html,
  LitElement,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit'
import { errorMessage } from '../../core/data/errors.js'
import { builtinTools } from '../../core/turn/builtin-tools.js'
import type { JsonValue } from '../../core/data/json.js'
import { emptySession, type Session } from '../../core/data/session.js'
import type { Agent } from '../../page/agent.js'
import { saveFile } from '../panel/save-file.js'
import { themeStyles } from '../styles/theme.js'
import { toLogEntry, type LogEntry } from './event-log.js'
import { inspectorStyles } from './inspector-styles.js'
import { eventsView, modelCallsView, sessionView, toolsView, type ToolLine } from './inspector-views.js'
import { withModelCall, type ModelCall } from './model-calls.js'

const tabs = { events: 'Events', calls: 'Model calls', tools: 'Tools', session: 'Session' } as const
export type InspectorTab = keyof typeof tabs
const tabNames = Object.keys(tabs) as InspectorTab[]

/** What is registered, and behind it what the host answers itself, as it is on offer now. */
function toolsOf({ tools, options, session }: Agent): ToolLine[] {
  return [
    ...tools,
    ...builtinTools(session ?? emptySession('', '', 0), options.todo === false ? false : { afterRounds: 0, text: '' }),
  ]
}

/** Anything with an agent: the element, or what stands in for it. */
interface Inspected extends Element {
  readonly agent?: Agent
}

export class ToolAgentInspectorElement extends LitElement {
  static override styles: CSSResultGroup = [themeStyles, inspectorStyles]
  static override properties: PropertyDeclarations = {
    for: { type: String },
    tab: { type: String },
    log: { state: true },
    calls: { state: true },
    filter: { state: true },
    transient: { state: true },
    paused: { state: true },
    stored: { state: true },
    problem: { state: true },
  }
  /** The id of the element whose agent is shown. */
  declare for: string | undefined
  declare tab: InspectorTab
  declare log: readonly LogEntry[]
  declare calls: readonly ModelCall[]
  declare filter: string
  declare transient: boolean
  declare paused: boolean
  declare stored: Session | undefined
  declare problem: string | undefined

  /** Taken in at once, drawn at the next frame. */
  #log: readonly LogEntry[] = []
  #calls: readonly ModelCall[] = []
  #frame: number | undefined
  #agent: Agent | undefined
  #watched: Agent | undefined
  #target: Inspected | undefined
  #leave: (() => void) | undefined
  #search: MutationObserver | undefined

  constructor() {
    super()
    this.tab = 'events'
    this.log = []
    this.calls = []
    this.filter = ''
    this.transient = true
    this.paused = false
  }

  /** An agent without an element; instead of `for`. Listened to at once. */
  get agent(): Agent | undefined {
    return this.#agent
  }

  set agent(agent: Agent | undefined) {
    this.#agent = agent
    if (this.isConnected) this.#find()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.hasUpdated) this.#find()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#forget()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!(this.tab in tabs)) this.tab = 'events'
    if (changed.has('for') || !this.hasUpdated) this.#find()
    if (changed.has('tab') && this.tab === 'session') this.#read()
  }

  protected override render(): TemplateResult {
    const agent = this.#watched
    return html`<section class="inspector" part="inspector" aria-label="Inspector">
      <div class="tabs" role="tablist" @keydown=${this.#keydown}>${tabNames.map(
        (name) => html`<button type="button" role="tab" id="tab-${name}"
        aria-selected=${name === this.tab ? 'true' : 'false'} aria-controls="content" tabindex=${name === this.tab ? 0 : -1}
        @click=${() => {
          this.tab = name
        }}>${tabs[name]}${this.#count(name)}</button>`,
      )}</div>
      <div class="content" id="content" role="tabpanel" aria-labelledby="tab-${this.tab}" tabindex="0">
        ${
          agent === undefined
            ? html`<p class="hint">${
                this.for === undefined
                  ? 'Set the attribute for to the id of a <tool-agent>, or the property agent.'
                  : `There is no <tool-agent id="${this.for}"> yet.`
              }</p>`
            : this.#content(agent)
        }
        ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      </div>
    </section>`
  }

  #content(agent: Agent): TemplateResult {
    switch (this.tab) {
      case 'events':
        return eventsView(this, {
          filter: (text) => {
            this.filter = text
          },
          showTransient: (shown) => {
            this.transient = shown
          },
          pause: (paused) => {
            this.paused = paused
            this.#drawSoon()
          },
          clear: () => {
            this.#log = []
            this.log = []
          },
        })
      case 'calls':
        return modelCallsView(this.calls)
      case 'tools':
        return toolsView(toolsOf(agent))
      case 'session':
        return sessionView(
          agent.session,
          this.stored,
          () => {
            this.#read()
          },
          () => {
            this.#export(agent)
          },
        )
    }
  }

  #count(tab: InspectorTab): string {
    const count = {
      events: this.log.length,
      calls: this.calls.length,
      tools: this.#watched === undefined ? 0 : toolsOf(this.#watched).length,
      session: 0,
    }[tab]
    return count === 0 ? '' : ` ${count}`
  }

  /** Finds the agent, now or when its element is there. */
  #find(): void {
    this.#search?.disconnect()
    this.#search = undefined
    if (this.#agent !== undefined || this.for === undefined) return this.#watch(this.#agent)
    const root = this.getRootNode() as Document | ShadowRoot
    const target: Inspected | null = root.getElementById(this.for)
    if (target?.agent === undefined) {
      this.#watch(undefined)
      this.#search = new MutationObserver(() => {
        this.#find()
      })
      this.#search.observe(root, { childList: true, subtree: true })
      // It may be there and not be upgraded yet.
      if (target !== null)
        void customElements.whenDefined(target.localName).then(() => {
          if (this.#search !== undefined) this.#find()
        })
      return
    }
    if (target !== this.#target) {
      this.#target?.removeEventListener('tool-agent-session-change', this.#again)
      this.#target = target
      target.addEventListener('tool-agent-session-change', this.#again)
    }
    this.#watch(target.agent)
  }

  /** The element may have another agent now. */
  #again = (): void => {
    if (this.#agent === undefined && this.#target?.agent !== this.#watched) this.#watch(this.#target?.agent)
  }

  #watch(agent: Agent | undefined): void {
    if (agent === this.#watched) return
    this.#leave?.()
    this.#leave = undefined
    this.#watched = agent
    this.#log = []
    this.#calls = []
    this.stored = undefined
    this.#drawSoon()
    if (agent === undefined) return
    const { debug } = agent.options
    agent.configure({ ...agent.options, debug: true })
    const leave = agent.observe((notice) => {
      if (notice.type === 'event') {
        this.#log = toLogEntry(this.#log, notice.event, notice.path, Date.now())
        this.#calls = withModelCall(this.#calls, notice.event, notice.path)
        if (notice.event.type === 'turn-end' && this.tab === 'session') this.#read()
      }
      this.#drawSoon()
    })
    this.#leave = () => {
      leave()
      const { debug: _on, ...rest } = agent.options
      agent.configure(debug === undefined ? rest : { ...rest, debug })
    }
  }

  #forget(): void {
    this.#search?.disconnect()
    this.#search = undefined
    this.#target?.removeEventListener('tool-agent-session-change', this.#again)
    this.#target = undefined
    this.#leave?.()
    this.#leave = undefined
    this.#watched = undefined
  }

  #read(): void {
    const agent = this.#watched
    const id = agent?.session?.id
    if (agent === undefined || id === undefined) return
    agent.sessions.stored(id).then(
      (stored) => {
        this.stored = stored
        this.problem = undefined
      },
      (thrown: unknown) => {
        this.problem = errorMessage(thrown)
      },
    )
  }

  /** Saves what happened as a file, for a report or a test. */
  #export(agent: Agent): void {
    agent.exportTrace().then(
      (trace) => {
        saveFile(`trace-${trace.session.id}.json`, trace as unknown as JsonValue)
        this.problem = undefined
      },
      (thrown: unknown) => {
        this.problem = errorMessage(thrown)
      },
    )
  }

  #drawSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      if (!this.paused) this.log = this.#log
      this.calls = this.#calls
      this.requestUpdate()
    })
  }

  #keydown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next =
      step === undefined
        ? { Home: tabNames[0], End: tabNames.at(-1) }[event.key]
        : tabNames[(tabNames.indexOf(this.tab) + step + tabNames.length) % tabNames.length]
    if (next === undefined) return
    event.preventDefault()
    this.tab = next
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
    })
  }
}
