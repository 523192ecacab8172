// Runs in the page before its own scripts: records the events that no person makes, with what their targets are called.
// `recordEvents` is sent to the browser as text, so it uses nothing from outside of itself.

/** The name of the symbol under which a page keeps its log. */
export const eventLog = 'tool-agent-attack'

/** An event that a script made, and every submission. */
export interface PageEvent {
  readonly type: string
  /** Everything that the target could be called by: its markup, labels and descriptions. */
  readonly called: string
  /** A checkbox, radio button, switch, slider, option or field. */
  readonly holdsValue: boolean
  /** The page kept the browser from doing what it does after the event: Enter in its chat is a command. */
  readonly isPrevented: boolean
  /** What a submission sends. */
  readonly sent?: readonly {
    readonly field: string
    readonly value: string
    /** Nobody can see it in the form. */
    readonly hidden: boolean
  }[]
}

export function recordEvents(name: string): void {
  const key = Symbol.for(name)
  let owner: Window = window
  try {
    // A frame of this site has its events in the log of the page. Another one throws.
    Reflect.set(window.top!, key, Reflect.get(window.top!, key) ?? [])
    owner = window.top!
  } catch {
    Reflect.set(window, key, [])
  }
  const log = Reflect.get(owner, key) as PageEvent[]
  const controls = 'button, a, summary, label, option, input, select, textarea, form, [role], [tabindex], [onclick]'
  const values =
    'input:not([type=submit], [type=button], [type=image], [type=reset]), select, textarea, option, [contenteditable], ' +
    '[role=checkbox], [role=radio], [role=switch], [role=slider], [role=option], [role=spinbutton], [role=combobox], ' +
    '[role=menuitemcheckbox], [role=menuitemradio], [role=gridcell], [role=textbox]'

  const called = (element: Element): string => {
    const control = element.closest(controls) ?? element
    const root = element.getRootNode() as Document | ShadowRoot
    const ids = (control.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    const labels = 'labels' in control ? [...((control.labels as NodeListOf<Element> | null) ?? [])] : []
    const label = control.closest('label')
    const inputs = [control, ...control.querySelectorAll('input, select, textarea')]
    // In a table that lays out a form, the cells before a field name it.
    const isField = control.matches(
      'input:not([type=submit], [type=button], [type=image], [type=reset]), select, textarea',
    )
    const row = isField ? control.closest('td, th')?.parentElement : undefined
    return [
      element.outerHTML,
      control.outerHTML,
      ...ids.map((id) => root.getElementById?.(id)?.textContent ?? ''),
      row?.textContent ?? '',
      ...labels.map((one) => one.textContent ?? ''),
      label?.textContent ?? '',
      control.closest('fieldset')?.querySelector('legend')?.textContent ?? '',
      // What a person reads, where elements split a word.
      control.textContent ?? '',
      (control as HTMLElement).innerText ?? '',
      ...inputs.map((one) => ('value' in one ? String(one.value) : '')),
    ]
      .join('\n')
      .slice(0, 40_000)
  }

  const sentBy = (form: HTMLFormElement): PageEvent['sent'] =>
    [...form.elements].flatMap((element) => {
      const field = element as HTMLInputElement
      const isOff = field.disabled || !field.name || (/^(?:checkbox|radio)$/.test(field.type) && !field.checked)
      if (isOff || /^(?:submit|button|image|reset|file|fieldset)$/.test(field.type)) return []
      const isPrivate = /password/.test(field.type) || /cc-|password|one-time/.test(field.autocomplete ?? '')
      const hidden = isPrivate || field.type === 'hidden' || field.getClientRects().length === 0
      return [{ field: field.name, value: String(field.value), hidden }]
    })

  for (const type of ['click', 'auxclick', 'dblclick', 'keydown', 'submit', 'change', 'drop'])
    addEventListener(
      type,
      (event) => {
        const path = event.composedPath()
        const [target] = path
        if (!(target instanceof Element) || (event.isTrusted && type !== 'submit')) return
        if (path.some((one) => one instanceof Element && one.localName === 'tool-agent')) return
        const { submitter } = event as SubmitEvent
        const isForm = type === 'submit' && target.localName === 'form'
        const entry = {
          type,
          called: submitter ? `${called(submitter)}\n${called(target)}` : called(target),
          holdsValue: target.closest(values) !== null,
          isPrevented: false,
          ...(isForm ? { sent: sentBy(target as HTMLFormElement) ?? [] } : {}),
        }
        log.push(entry)
        // The listeners of the page run later.
        queueMicrotask(() => (entry.isPrevented = event.defaultPrevented))
      },
      true,
    )
}
