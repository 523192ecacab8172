// The templates of the inspector's four tabs, and the line that opens to show a value as JSON.
import { html, nothing, type TemplateResult, type PropertyDeclarations } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { CallId } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { RegisteredTool } from '../../page/agent.js'
import { filterEntries, eventSummary, tokensOf, type LogEntry } from './event-log.js'
import type { ModelCall } from './model-calls.js'
import { toVisibleText } from '../message/values/shown-text.js'
import { icon } from '../styles/icons.js'
import { words } from '../i18n/en.js'
import { copyButton } from '../message/copy-button.js'
import { PanelPart } from '../panel/render-context.js'

/** What the tab of events shows. */
export interface EventsState {
  /** Oldest first. */
  readonly log: readonly LogEntry[]
  /** Words that an entry must contain. */
  readonly filter: string
  /** Events that are not stored are shown, too. */
  readonly transient: boolean
  /** New events are not drawn. */
  readonly paused: boolean
}

/** What the tab of events can change. */
export interface EventsActions {
  /** Sets the filter. */
  filter(text: string): void
  /** Shows or hides events that are not stored. */
  showTransient(shown: boolean): void
  /** Stops drawing new events, or draws them again. */
  pause(paused: boolean): void
  /** Removes all events. */
  clear(): void
}

const entry = (head: TemplateResult, value: unknown, open = false): TemplateResult =>
  html`<tool-agent-inspector-entry .head=${head} .value=${value} ?open=${open}></tool-agent-inspector-entry>`

const pathView = (path: readonly CallId[]): unknown => path.map((id) => html`<span class="path">${id}</span>`)
const clock = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  })
const checked = (event: Event): boolean => (event.currentTarget as HTMLInputElement).checked

/** The tab of events, newest first. */
export function eventsView({ log, filter, transient, paused }: EventsState, actions: EventsActions): TemplateResult {
  const emptyLog = log.length === 0 ? 'No events yet.' : 'No event matches the filter.'
  const shown = filterEntries(log, filter, transient)
  return html`<div class="bar">
      <input type="search" placeholder="Filter by type, path or contents" aria-label="Filter" .value=${filter}
        @input=${(event: Event) => {
          actions.filter((event.currentTarget as HTMLInputElement).value)
        }}>
      <label><input type="checkbox" .checked=${transient} @change=${(event: Event) => {
        actions.showTransient(checked(event))
      }}>Transient</label>
      <label><input type="checkbox" .checked=${paused} @change=${(event: Event) => {
        actions.pause(checked(event))
      }}>Pause</label>
      <button type="button" @click=${actions.clear}>Clear</button>
    </div>
    ${shown.length === 0 ? html`<p class="hint">${emptyLog}</p>` : nothing}
    <div class="list">${repeat(
      shown.toReversed(),
      ({ id }) => id,
      ({ at, path, event, count, isDurable }) =>
        entry(
          html`
      <time>${clock(at)}</time>${pathView(path)}<b class=${isDurable ? 'durable' : ''}>${event.type}</b>
      ${count > 1 ? html`<span class="count">×${count}</span>` : nothing}
      <span class="summary">${eventSummary(event)}</span>`,
          event,
        ),
    )}</div>`
}

/** The tab of model calls, newest first. */
export function modelCallsView(calls: readonly ModelCall[]): TemplateResult {
  if (calls.length === 0) return html`<p class="hint">No model calls since the inspector was added.</p>`
  return html`${repeat(
    calls.toReversed(),
    ({ id }) => id,
    ({ at, path, step, attempt, request, response, ms, usage }) => html`<section class="call">
    <h2><time>${clock(at)}</time>${pathView(path)}Step ${step}${attempt > 1 ? `, attempt ${attempt}` : ''}
      <span class="summary">${ms === undefined ? 'waiting for the response' : `${ms} ms${tokensOf(usage)}`}</span></h2>
    ${entry(html`<b>Request</b>`, request)}
    ${response === undefined ? nothing : entry(html`<b>Response</b>`, response)}
  </section>`,
  )}`
}

/** A registered or built-in tool. */
export type ToolLine = Pick<RegisteredTool, 'name' | 'description'> & {
  /** A built-in tool has none. */
  readonly title?: string
  /** As the tool declares it. */
  readonly inputSchema: unknown
  /** Hints such as `readOnlyHint`. */
  readonly annotations: unknown
  /** `host` for a built-in tool. */
  readonly hash?: string
}

/** The tab of tools. */
export function toolsView(tools: readonly ToolLine[]): TemplateResult {
  if (tools.length === 0) return html`<p class="hint">No tools are registered.</p>`
  return html`${repeat(
    tools,
    ({ name }) => name,
    ({ name, title, description, annotations, inputSchema, hash }) => html`<section class="call">
    <h2><code>${name}</code><span class="summary">${title}${hash === 'host' ? ', built in' : nothing}</span></h2>
    <p>${description}</p>
    <p class="hints">${Object.entries(annotations ?? {})
      .filter(([, value]) => value === true)
      .map(([hint]) => html`<span class="path">${hint}</span>`)}</p>
    ${entry(html`<b>Input schema</b>`, inputSchema)}
  </section>`,
  )}`
}

/** The tab of the session: as it is stored, and as this page has it. */
export function sessionView(
  live: Session | undefined,
  stored: Session | undefined,
  refresh: () => void,
  exportTrace: () => void,
): TemplateResult {
  const { messages, todos, context, ...head } = stored ?? {}
  return html`<div class="bar">
      <span class="summary">${
        live === undefined ? 'No session is open.' : html`<code>${live.id}</code> ${live.status}${tokensOf(live.usage)}`
      }</span>
      <button type="button" @click=${refresh}>Refresh</button>
      <button type="button" ?disabled=${live === undefined} @click=${exportTrace}>Export trace</button>
    </div>
    ${
      stored === undefined
        ? html`<p class="hint">Nothing is stored yet. A session is stored with its first message.</p>`
        : html`
      ${entry(html`<b>Record</b>`, head)}
      ${entry(
        html`<b>Tool context of the session</b><span class="summary">${Object.keys(context ?? {}).join(', ')}</span>`,
        context,
      )}
      ${entry(html`<b>Todos</b><span class="count">${todos?.length ?? 0}</span>`, todos)}
      ${entry(html`<b>Messages</b><span class="count">${messages?.length ?? 0}</span>`, messages)}`
    }
    ${live === undefined ? nothing : entry(html`<b>Session on this page</b>`, live)}`
}

/** `<tool-agent-inspector-entry>`: a line with a value. The JSON is created only while the line is open. */
export class JsonEntry extends PanelPart {
  /** Lit's declaration; only `open` is an attribute. */
  static override properties: PropertyDeclarations = {
    head: { attribute: false },
    value: { attribute: false },
    open: { type: Boolean },
  }
  /** The template of the line. */
  declare head: unknown
  /** The value; it must be JSON or undefined. */
  declare value: unknown
  /** Whether the JSON is shown. @default false */
  declare open: boolean

  constructor() {
    super()
    this.open = false
  }

  /** Draws the line, and the JSON while it is open. */
  protected override render(): TemplateResult {
    return html`<details class="entry" .open=${this.open} @toggle=${this.#onToggle}>
      <summary>${icon('chevron')}${this.head}</summary>
      ${this.open ? this.#json() : nothing}
    </details>`
  }

  #json(): TemplateResult {
    const text = JSON.stringify(this.value, null, 2) ?? 'undefined'
    const copy = copyButton(() => ({ text }), words)
    return html`<div class="json"><pre tabindex="0">${toVisibleText(text)}</pre>${copy}</div>`
  }

  #onToggle = (event: Event): void => {
    this.open = (event.currentTarget as HTMLDetailsElement).open
  }
}
