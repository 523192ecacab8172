// The four tabs of the inspector as templates.
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { CallId } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { RegisteredTool } from '../../page/agent.js'
import { filterEntries, eventSummary, type LogEntry } from './event-log.js'
import type { ModelCall } from './model-calls.js'

export interface EventsState {
  readonly log: readonly LogEntry[]
  readonly filter: string
  readonly transient: boolean
  readonly paused: boolean
}
export interface EventsActions {
  filter(text: string): void
  showTransient(shown: boolean): void
  pause(paused: boolean): void
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

export function eventsView({ log, filter, transient, paused }: EventsState, act: EventsActions): TemplateResult {
  const shown = filterEntries(log, filter, transient)
  return html`<div class="bar">
      <input type="search" placeholder="Filter by type, path or contents" aria-label="Filter" .value=${filter}
        @input=${(event: Event) => {
          act.filter((event.currentTarget as HTMLInputElement).value)
        }}>
      <label><input type="checkbox" .checked=${transient} @change=${(event: Event) => {
        act.showTransient(checked(event))
      }}>Transient</label>
      <label><input type="checkbox" .checked=${paused} @change=${(event: Event) => {
        act.pause(checked(event))
      }}>Pause</label>
      <button type="button" @click=${act.clear}>Clear</button>
    </div>
    ${shown.length === 0 ? html`<p class="hint">${log.length === 0 ? 'No events yet.' : 'No event fits the filter.'}</p>` : nothing}
    <div class="list">${repeat(
      shown.toReversed(),
      ({ id }) => id,
      ({ at, path, event, count, isDurable }) =>
        entry(
          html`
      <time>${clock(at)}</time>${pathView(path)}<b class=${isDurable ? 'durable' : ''}>${event.type}</b>
      ${count > 1 ? html`<span class="count">×${count}</span>` : nothing}<span class="summary">${eventSummary(event)}</span>`,
          event,
        ),
    )}</div>`
}

export function modelCallsView(calls: readonly ModelCall[]): TemplateResult {
  if (calls.length === 0) return html`<p class="hint">No model call since the inspector is open.</p>`
  return html`${repeat(
    calls.toReversed(),
    ({ id }) => id,
    ({ at, path, step, attempt, request, response, ms }) => html`<section class="call">
    <h3><time>${clock(at)}</time>${pathView(path)}Step ${step}${attempt > 1 ? `, attempt ${attempt}` : ''}
      <span class="summary">${ms === undefined ? 'waiting for the answer' : `${ms} ms`}</span></h3>
    ${entry(html`<b>Request</b>`, request)}
    ${response === undefined ? nothing : entry(html`<b>Response</b>`, response)}
  </section>`,
  )}`
}

/** A tool of the page, or one that is built in. */
export type ToolLine = Pick<RegisteredTool, 'name' | 'description'> & {
  readonly title?: string
  readonly inputSchema: unknown
  readonly annotations: unknown
  readonly hash?: string
}

export function toolsView(tools: readonly ToolLine[]): TemplateResult {
  if (tools.length === 0) return html`<p class="hint">No tools are registered.</p>`
  return html`${repeat(
    tools,
    ({ name }) => name,
    ({ name, title, description, annotations, inputSchema, hash }) => html`<section class="call">
    <h3><code>${name}</code><span class="summary">${title}${hash === 'host' ? ', built in' : nothing}</span></h3>
    <p>${description}</p>
    <p class="hints">${Object.entries(annotations ?? {})
      .filter(([, value]) => value === true)
      .map(([hint]) => html`<span class="path">${hint}</span>`)}</p>
    ${entry(html`<b>Input schema</b>`, inputSchema)}
  </section>`,
  )}`
}

export function sessionView(
  live: Session | undefined,
  stored: Session | undefined,
  refresh: () => void,
  exportTrace: () => void,
): TemplateResult {
  const { messages, todos, context, ...head } = stored ?? {}
  return html`<div class="bar">
      <span class="summary">${live === undefined ? 'No session is open.' : html`<code>${live.id}</code> ${live.status}`}</span>
      <button type="button" @click=${refresh}>Refresh</button>
      <button type="button" ?disabled=${live === undefined} @click=${exportTrace}>Export trace</button>
    </div>
    ${
      stored === undefined
        ? html`<p class="hint">Nothing is stored yet: a session is stored at its first message.</p>`
        : html`
      ${entry(html`<b>Record</b>`, head)}
      ${entry(html`<b>Tool context of the session</b><span class="summary">${Object.keys(context ?? {}).join(', ')}</span>`, context)}
      ${entry(html`<b>Todos</b><span class="count">${todos?.length ?? 0}</span>`, todos)}
      ${entry(html`<b>Messages</b><span class="count">${messages?.length ?? 0}</span>`, messages)}`
    }
    ${live === undefined ? nothing : entry(html`<b>As this page sees it</b>`, live)}`
}
