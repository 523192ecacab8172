// The keyboard shortcut that opens and closes a panel.
import type { AgentElement } from './agent-element.js'

const launcherOf = (element: AgentElement) => element.shadowRoot?.querySelector<HTMLElement>('.launcher')

const listening = new WeakSet<AgentElement>()

/** Listens for the element's shortcut on the whole page, once per element, and names it on the launcher. */
export function listenForShortcut(element: AgentElement): void {
  launcherOf(element)?.setAttribute('aria-keyshortcuts', element.shortcut ?? '')
  if (listening.has(element)) return
  listening.add(element)
  const onKeydown = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.repeat) return
    if (!element.isConnected || !matches(event, element.shortcut)) return
    event.preventDefault()
    togglePanel(element)
  }
  addEventListener('keydown', onKeydown)
  // The keys of the panel do not leave it.
  element.shadowRoot?.addEventListener('keydown', onKeydown)
}

/** Whether these keys are pressed, written as in `aria-keyshortcuts`: `Control+Shift+K`. */
function matches(event: KeyboardEvent, shortcut: string | undefined): boolean {
  const keys = shortcut?.toLowerCase().split('+') ?? []
  const key = keys.pop() ?? ''
  if (key === '' || event.isComposing) return false
  const isPressed = ['control', 'alt', 'shift', 'meta'].every(
    (name) => event.getModifierState(`${name.charAt(0).toUpperCase()}${name.slice(1)}`) === keys.includes(name),
  )
  // With Alt, some keyboards write another character.
  return isPressed && [event.key.toLowerCase(), event.code.toLowerCase().replace(/^(?:key|digit)/, '')].includes(key)
}

function togglePanel(element: AgentElement): void {
  if (element.layout === 'inline') element.shadowRoot?.querySelector('textarea')?.focus()
  else if (element.open) {
    const hadFocus = element.shadowRoot?.activeElement !== null
    element.open = false
    if (hadFocus) launcherOf(element)?.focus()
  } else launcherOf(element)?.click()
}
