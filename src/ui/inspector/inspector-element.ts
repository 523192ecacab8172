// <tool-agent-inspector for="id">: shows a developer what an agent does. While the inspector is in the document, it
// sets the agent's `debug` option, so that events contain requests and responses. The contents of the tabs are in
// `inspector-views.ts`.
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import { errorMessage } from '../../core/data/errors.js'
import { builtinTools } from '../../core/loop/builtin-tools.js'
import type { JsonValue } from '../../core/data/json.js'
import { emptySession, type Session } from '../../core/data/session.js'
import type { Agent } from '../../page/agent.js'
import { saveFile } from '../panel/save-file.js'
import { adoptSheets, adoptSheetsAgain } from '../styles/adopted-sheets.js'
import { adoptPageLook } from '../styles/page-look.js'
import { themeStyles } from '../styles/theme.js'
import { withEvent, type LogEntry } from './event-log.js'
import { inspectorStyles } from './inspector-styles.js'
import { eventsView, modelCallsView, sessionView, toolsView, type ToolLine } from './inspector-views.js'
import { withModelCall, type ModelCall } from './model-calls.js'

const tabs = { events: 'Events', calls: 'Model calls', tools: 'Tools', session: 'Session' } as const
/** A tab of the inspector. */
export type InspectorTab = keyof typeof tabs
const tabNames = Object.keys(tabs) as InspectorTab[]

/** The registered tools, then the built-in tools that the host offers now. */
function toolsOf({ tools, options, session }: Agent): ToolLine[] {
  return [
    ...tools,
    ...builtinTools(session ?? emptySession('', '', 0), options.todo === false ? false : { afterRounds: 0, text: '' }),
  ]
}

/** `<tool-agent>`, or another element with an agent. */
interface Inspected extends Element {
  readonly agent?: Agent
}

/**
 * `<tool-agent-inspector>`: events, model calls, tools and session of one agent, for developers.
 *
 * It uses the colours and fonts of `<tool-agent>`.
 *
 * @csspart inspector - The whole inspector.
 * @cssproperty [--tool-agent-inspector-height=512px] - Height of the inspector.
 */
export class ToolAgentInspectorElement extends LitElement {
  /** Attributes: `for` and `tab`. */
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
  /** The open tab. @default 'events' */
  declare tab: InspectorTab
  /** @internal The events that are shown. */
  declare log: readonly LogEntry[]
  /** @internal The model calls that are shown. */
  declare calls: readonly ModelCall[]
  /** @internal The text of the filter field. */
  declare filter: string
  /** @internal Whether transient events (events that are not stored) are shown, too. */
  declare transient: boolean
  /** @internal Whether the list of events stays as it is. New events are collected and shown later. */
  declare paused: boolean
  /** @internal The session as it is stored. */
  declare stored: Session | undefined
  /** @internal Why the last attempt to read or save the session failed; undefined if it succeeded. */
  declare problem: string | undefined

  /** All events, including those that are not drawn yet. */
  #log: readonly LogEntry[] = []
  #calls: readonly ModelCall[] = []
  #frame: number | undefined
  #agent: Agent | undefined
  #watched: Agent | undefined
  #target: Inspected | undefined
  #unsubscribe: (() => void) | undefined
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

  /** @internal Lit calls it once. The sheets of Lit belong to the document of the script. */
  protected override createRenderRoot(): ShadowRoot {
    const root = this.attachShadow({ mode: 'open' })
    adoptSheets(root, themeStyles.cssText, inspectorStyles.cssText)
    return root
  }

  /** Called by the browser when the element has moved to another document. */
  adoptedCallback(): void {
    if (this.shadowRoot) adoptSheetsAgain(this.shadowRoot)
  }

  /** The agent to show. If it is set, `for` is ignored. @default undefined */
  get agent(): Agent | undefined {
    return this.#agent
  }

  set agent(agent: Agent | undefined) {
    this.#agent = agent
    if (this.isConnected) this.#find()
  }

  /** Called by the browser. Finds the agent again if the element was removed and inserted again. */
  override connectedCallback(): void {
    super.connectedCallback()
    if (this.shadowRoot !== null) adoptPageLook(this.shadowRoot)
    if (this.hasUpdated) this.#find()
  }

  /** Called by the browser. Stops listening and restores the `debug` option of the agent. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stopWatching()
  }

  /** Falls back to the events for an unknown tab, and finds the agent when `for` has changed. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!(this.tab in tabs)) this.tab = 'events'
    if (changed.has('for') || !this.hasUpdated) this.#find()
    if (changed.has('tab') && this.tab === 'session') this.#readStored()
  }

  /** Draws the tabs and the content of the open one. */
  protected override render(): TemplateResult {
    const agent = this.#watched
    return html`<section class="inspector" part="inspector" lang="en" dir="ltr" aria-label="Inspector">
      <div class="tabs" role="tablist" @keydown=${this.#onKeydown}>${tabNames.map(
        (name) => html`<button type="button" role="tab" id="tab-${name}"
        aria-selected=${name === this.tab} aria-controls="content"
        tabindex=${name === this.tab ? 0 : -1}
        @click=${() => {
          this.tab = name
        }}>${tabs[name]}${this.#countLabel(name)}</button>`,
      )}</div>
      <div class="content" id="content" role="tabpanel" aria-labelledby="tab-${this.tab}" tabindex="0">
        ${
          agent === undefined
            ? html`<p class="hint">${
                this.for === undefined
                  ? 'Set for="…" to the id of a <tool-agent>, or set the agent property.'
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
            this.#drawNextFrame()
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
            this.#readStored()
          },
          () => {
            this.#saveTrace(agent)
          },
        )
    }
  }

  /** The count that follows a tab's title, with a space before it; an empty string if the count is 0. */
  #countLabel(tab: InspectorTab): string {
    const count = {
      events: this.log.length,
      calls: this.calls.length,
      tools: this.#watched === undefined ? 0 : toolsOf(this.#watched).length,
      session: 0,
    }[tab]
    return count === 0 ? '' : ` ${count}`
  }

  /** Finds the agent, or waits until its element is in the document. */
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
      // The element may be in the document before it is defined.
      if (target !== null)
        void customElements.whenDefined(target.localName).then(() => {
          if (this.#search !== undefined) this.#find()
        })
      return
    }
    if (target !== this.#target) {
      this.#target?.removeEventListener('tool-agent-session-change', this.#onSessionChange)
      this.#target = target
      target.addEventListener('tool-agent-session-change', this.#onSessionChange)
    }
    this.#watch(target.agent)
  }

  /** The element may have another agent now. */
  #onSessionChange = (): void => {
    if (this.#agent === undefined && this.#target?.agent !== this.#watched) this.#watch(this.#target?.agent)
  }

  /** Listens to `agent` and sets its `debug` option. Restores the option of the previous agent. */
  #watch(agent: Agent | undefined): void {
    if (agent === this.#watched) return
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#watched = agent
    this.#log = []
    this.#calls = []
    this.stored = undefined
    this.#drawNextFrame()
    if (agent === undefined) return
    const { debug } = agent.options
    agent.configure({ ...agent.options, debug: true })
    const unsubscribe = agent.observe((notice) => {
      if (notice.type === 'event') {
        this.#log = withEvent(this.#log, notice.event, notice.path, Date.now())
        this.#calls = withModelCall(this.#calls, notice.event, notice.path)
        if (notice.event.type === 'turn-end' && this.tab === 'session') this.#readStored()
      }
      this.#drawNextFrame()
    })
    this.#unsubscribe = () => {
      unsubscribe()
      const { debug: _on, ...rest } = agent.options
      agent.configure(debug === undefined ? rest : { ...rest, debug })
    }
  }

  /** Stops listening and searching, for example when the inspector is removed. */
  #stopWatching(): void {
    this.#search?.disconnect()
    this.#search = undefined
    this.#target?.removeEventListener('tool-agent-session-change', this.#onSessionChange)
    this.#target = undefined
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#watched = undefined
  }

  /** Reads the session from storage, for the tab that shows it. */
  #readStored(): void {
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

  /** Saves the trace as a file, for a report or a test. */
  #saveTrace(agent: Agent): void {
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

  /** Draws at most once per frame. While the log is paused, new events are collected but not drawn. */
  #drawNextFrame(): void {
    if (this.#frame !== undefined) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined
      if (!this.paused) this.log = this.#log
      this.calls = this.#calls
      this.requestUpdate()
    })
  }

  /** Arrow keys, Home and End move between the tabs, as in every tab list. */
  #onKeydown = (event: KeyboardEvent): void => {
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
