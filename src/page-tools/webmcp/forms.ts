// Forms that are tools: `<form toolname tooldescription [toolautosubmit]>`. They are read and filled by form_fill in
// every browser, so that private fields are protected and values are read back. Only the submit of a `toolautosubmit`
// form goes through the browser, if it knows the form. Usually another page follows, and the call ends there: it must
// not answer on this one, or the next step would run here with the old tools.
import type { JsonValue } from '../../core/data/json.js'
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { frameDocument, isOffLimits, isTag, currentPage, viewOf, isHiddenInput } from '../dom/dom.js'
import type { FillReport } from '../fill/fill-report.js'
import { fillForm } from '../fill/form-fill.js'
import { fieldsUnder, type Field } from '../read/form-fields.js'
import { Visibility } from '../dom/visibility.js'
import { budgets, toToolName, type DiscoveredTool } from './discovered-tool.js'
import { readToolResponse, callListed, listTools, ownerOf } from './model-context.js'
import { chosenMembers, parametersOf, type Parameter } from './parameters.js'
import type { ActionForecast } from '../../core/data/action.js'
import { patience, until } from '../waiting/until.js'
import { redactedUrl } from '../sensitive/redact.js'

/** A form with a `toolname`. */
export interface ToolForm {
  /** The `<form>`; possibly in a shadow root or a frame of the same origin. */
  readonly form: HTMLFormElement
  /** The `toolname`, never empty, as the page wrote it. */
  readonly name: string
}

/**
 * All forms with a `toolname`, also excluded ones: a tool of the browser's list that is such a form must not be used
 * either.
 */
export function* discoverToolForms(root: Document | ShadowRoot = document): Generator<ToolForm> {
  for (const element of unclobbered(root).querySelectorAll('*')) {
    if (isTag(element, 'form') && element.getAttribute('toolname'))
      yield { form: element, name: element.getAttribute('toolname') ?? '' }
    if (element.shadowRoot) yield* discoverToolForms(element.shadowRoot)
    const inside = frameDocument(element)
    if (inside) yield* discoverToolForms(inside)
  }
}

/** The visible forms as tools. */
export function readForms(forms: readonly ToolForm[]): DiscoveredTool[] {
  const offered = forms.filter(({ form }) => form.getAttribute('tooldescription') && !isOffLimits(form))
  if (offered.length === 0) return []
  const visibility = new Visibility()
  const all = fieldsUnder(currentPage().documentElement, visibility)
  return offered.flatMap(({ form, name }) => {
    const fields = all.filter((field) => field.form === form)
    if (fields.length === 0 && !visibility.isShown(form)) return []
    const parameters = parametersOf(fields, visibility)
    const required = parameters.filter((one) => one.required).map(({ key }) => key)
    const autosubmit = form.hasAttribute('toolautosubmit')
    const leaves = leavesOrigin(form)
    const title = toToolName(form.getAttribute('tooltitle'), budgets.title)
    return [
      {
        definition: {
          name,
          ...(title ? { title } : {}),
          description: toToolName(form.getAttribute('tooldescription'), budgets.tool),
          inputSchema: {
            type: 'object',
            properties: Object.fromEntries(parameters.map(({ key, schema }) => [key, schema])),
            ...(required.length > 0 ? { required } : {}),
            additionalProperties: false,
          },
          annotations: { autosubmit, ...(autosubmit && leaves ? { consequentialHint: true } : {}) },
        },
        exclusive: true,
        timeout: 60_000,
        ...(autosubmit ? { forecast: (claim: string) => forecastSubmit(claim, hidesValues(form, fields)) } : {}),
        run: (input, run) => runToolForm({ form, name, autosubmit, leaves, fields, parameters }, input, run),
      } satisfies DiscoveredTool,
    ]
  })
}

// A field named `elements` hides the property, so read it from the prototype.
const controlsOf = (form: HTMLFormElement): Element[] => [
  ...(Reflect.get(viewOf(form).HTMLFormElement.prototype, 'elements', form) as HTMLFormControlsCollection),
]

const submitterOf = (form: HTMLFormElement): HTMLElement | null =>
  controlsOf(form).find(
    (control): control is HTMLButtonElement =>
      isTag(control, 'button', 'input') && control.type === 'submit' && !control.matches(':disabled'),
  ) ?? null

/** Whether the next address may contain private or hidden values: the form sends them in the query. */
function hidesValues(form: HTMLFormElement, fields: readonly Field[]): boolean {
  const method = submitterOf(form)?.getAttribute('formmethod') ?? form.getAttribute('method') ?? 'get'
  return method.toLowerCase() === 'get' && (fields.some(({ secret }) => secret) || controlsOf(form).some(isHiddenInput))
}

/** Whether the form sends to another origin, or runs a script. */
function leavesOrigin(form: HTMLFormElement): boolean {
  const action = submitterOf(form)?.getAttribute('formaction') ?? form.getAttribute('action')
  return (
    Boolean(action) &&
    (!URL.canParse(action ?? '', unclobbered(form).baseURI) ||
      new URL(action ?? '', unclobbered(form).baseURI).origin !== location.origin)
  )
}

interface FormCall extends ToolForm {
  readonly autosubmit: boolean
  /** Whether it was offered as a form that sends to another origin. */
  readonly leaves: boolean
  readonly fields: readonly Field[]
  readonly parameters: readonly Parameter[]
}

/** The input for form_fill, one entry per field. */
function entriesOf(
  parameters: readonly Parameter[],
  input: Record<string, JsonValue>,
): { field: string; value: JsonValue }[] {
  return parameters.flatMap(({ key, fields }) => {
    const value = input[key]
    if (value === undefined) return []
    if (fields.length === 1) return fields.map(({ label }) => ({ field: label, value }))
    const chosen = chosenMembers(fields, Array.isArray(value) ? (value as readonly JsonValue[]) : [value])
    return fields.map(({ label }, index) => ({ field: label, value: chosen[index] ?? false }))
  })
}

async function runToolForm(call: FormCall, input: Record<string, JsonValue>, run: ToolRun): Promise<unknown> {
  const { name, autosubmit } = call
  const entries = entriesOf(call.parameters, input)
  const fields: FillReport[] = entries.length > 0 ? await fillForm({ fields: entries }, run) : []
  const answer = (submitted: boolean, more: object) => ({ fields, submitted, ...more })
  const refused = fields.some(({ ok }) => !ok)
  if (!autosubmit)
    return answer(false, {
      note:
        (refused ? 'Some fields were not accepted.' : 'The form is filled.') +
        ' Not submitted: the user must check and submit it.',
    })
  if (refused) return answer(false, { note: 'Not submitted: some fields were not accepted.' })
  // Filling may have re-rendered the form or changed its target.
  const form = call.form.isConnected
    ? call.form
    : [...discoverToolForms()].find((one) => one.name === name && !isOffLimits(one.form))?.form
  if (!form) return answer(false, { note: 'Not submitted: the form is no longer on the page.' })
  if (leavesOrigin(form) && !call.leaves)
    return answer(false, { note: 'Not submitted: the form now sends to another site.' })
  const unchecked = form.hasAttribute('novalidate') || submitterOf(form)?.hasAttribute('formnovalidate') === true
  if (!unchecked && form.matches(':invalid')) {
    const wrong = call.fields
      .filter(({ members }) => members.some((member) => member.matches(':invalid')))
      .map(({ label, secret }) => `${label}${secret ? ' (private: the user fills it)' : ''}`)
    return answer(false, {
      note: `Not submitted. Missing or invalid fields: ${wrong.join('; ') || 'one that is not visible'}.`,
    })
  }
  run.signal.throwIfAborted()
  return { fields, ...(await submit({ form, name }, run.signal)) }
}

interface AgentSubmitEvent extends Event {
  respondWith?(answer: unknown): void
}

/** Submits the form for an agent. The page sees `event.agentInvoked` and can answer with `event.respondWith()`. */
async function submit({ form, name }: ToolForm, signal: AbortSignal): Promise<object> {
  const view = viewOf(form)
  const listed = (await listTools()).find((tool) => tool.name === name && ownerOf(tool) === view)
  const root = form.getRootNode()
  const where: EventTarget = root.nodeType === 9 ? view : root
  const seen: { event?: Event; answer?: Promise<unknown> } = {}
  const notice = (event: AgentSubmitEvent): void => {
    if (event.target !== form) return
    seen.event = event
    const own = listed && event.respondWith?.bind(event)
    const respondWith = (value: unknown): void => {
      if (!event.defaultPrevented)
        throw new view.DOMException('Call preventDefault() before respondWith()', 'InvalidStateError')
      seen.answer = Promise.resolve(value)
      seen.answer.catch(() => undefined) // Handled below.
      own?.(seen.answer)
    }
    Object.defineProperties(event, {
      respondWith: { value: respondWith },
      ...(listed ? {} : { agentInvoked: { value: true } }),
    })
  }
  where.addEventListener('submit', notice, { capture: true })
  const navigation = watchNavigation(view)
  try {
    try {
      if (listed) await callListed(listed, {}, signal)
      else view.HTMLFormElement.prototype.requestSubmit.call(form, submitterOf(form))
    } catch (thrown) {
      // After the page has received the event, its answer counts, not an error of the browser.
      if (!seen.event) throw thrown
    } finally {
      where.removeEventListener('submit', notice, { capture: true })
    }
    if (seen.answer) return { submitted: true, ...(await answerOf(seen.answer)) }
    if (seen.event?.defaultPrevented)
      return { submitted: true, note: 'Submitted. The page handled it and returned no result.' }
    if (!seen.event && !listed) return { submitted: false, note: 'Not submitted: the browser ignored the request.' }
    return { submitted: true, note: await navigation.note(signal) }
  } finally {
    navigation.end()
  }
}

/** What the page answered with `respondWith`. */
async function answerOf(given: Promise<unknown>): Promise<{ answer?: unknown }> {
  try {
    const answer = readToolResponse(await given)
    return answer === undefined ? {} : { answer }
  } catch (thrown) {
    throw new ToolAgentError(
      'execution-failed',
      `The form was submitted, but the page returned an error: ${errorMessage(thrown)}`,
    )
  }
}

/**
 * What the approval shows of a form tool, and what the next page needs to know. `claim` is the description of the tool;
 * `hides` is whether the address of the next page must be cut before its query.
 */
const forecastSubmit = (claim: string, hides: boolean): ActionForecast => ({
  preview: { claim },
  from: new URL(redactedUrl(location.href), location.href).href,
  hides,
  answers: true,
})

/** A navigation that may follow a submission. */
interface NavigationWatch {
  /**
   * Waits until the page is gone, or until it is clear that it stays. Resolves in the second case, with a note for the
   * model. Rejects with the reason of the signal.
   */
  note(signal: AbortSignal): Promise<string>
  /** Stops watching. */
  end(): void
}

/** Watches a window from before its form is submitted. The caller must call `end`. */
function watchNavigation(view: Window): NavigationWatch {
  const ending = new AbortController()
  let isRequested = false
  let isGone = false
  const noteRequest = (): void => {
    isRequested = true
  }
  view.addEventListener('beforeunload', noteRequest, { signal: ending.signal })
  const noteEnd = (): void => {
    isGone = true
  }
  // If only a frame of this page is gone, the call ends here.
  if (view !== window) view.addEventListener('pagehide', noteEnd, { signal: ending.signal })

  return {
    end: () => ending.abort(),
    async note(signal) {
      await until({
        done: () => isGone,
        ...patience.navigationRequest,
        atMost: () => (isRequested ? patience.navigation : patience.navigationRequest).atMost,
        waitsFirst: true,
        signal,
      })
      return isRequested && !isGone
        ? 'Submitted. A navigation was requested, but this page is still open: a download, a slow server, or a prompt.'
        : 'Submitted. The page may be loading.'
    },
  }
}
