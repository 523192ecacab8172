// The round button that opens a floating panel or a sidebar, its icon, and the keyboard shortcut that opens and closes
// it. Plain DOM, so that a closed panel loads no other code.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { ErrorCode } from '../../core/data/errors.js'
import { unloaded } from '../i18n/unloaded.js'
import type { AgentElement } from './agent-element.js'

/** The languages besides English; undefined until one is needed. */
let languages: typeof import('../i18n/languages/languages.js').languages | undefined
const svgNamespace = 'http://www.w3.org/2000/svg'
const icon =
  'M5 5h14a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1h-7l-4.5 3.5V16.5H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM9 9.5h6M9 12.5h3'

/** Creates the button. The caller must set its title and show it as a popover. */
export function createLauncher(onClick: () => void): HTMLButtonElement {
  const page = unclobbered(document)
  const button = page.createElement('button')
  button.type = 'button'
  button.className = button.part = 'launcher'
  // In the top layer no transform, z-index or clipping of the page moves or covers the button.
  button.popover = 'manual'
  const svg = page.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.appendChild(page.createElementNS(svgNamespace, 'path')).setAttribute('d', icon)
  // What the page puts into the slot replaces the icon.
  const slot = page.createElement('slot')
  slot.name = 'launcher'
  slot.appendChild(svg)
  button.appendChild(slot)
  button.addEventListener('click', onClick)
  return button
}

/** Loads an image, and calls `use` with it. One that cannot be loaded, or that a policy forbids, is never used. */
export function loadIcon(address: string, use: (image: HTMLImageElement) => void): void {
  const image = unclobbered(document).createElement('img')
  image.alt = ''
  image.onload = () => use(image)
  image.src = address
}

/**
 * The name of the button in a language. While it has something to report, `layout/floating.ts` gives it another label.
 * `again` is called when the names in other languages are loaded.
 */
export function launcherName(language: string, again: () => void): string {
  // If they cannot be loaded, the name stays in English.
  if (languages === undefined && language !== 'en')
    import('../i18n/languages/languages.js').then(
      (part) => {
        languages = part.languages
        again()
      },
      () => {},
    )
  return languages?.get(language)?.launcher ?? 'Open the assistant'
}

/** What a visitor reads if the panel cannot be loaded. In English until the other languages are loaded. */
export function unloadedText(language: string, code: ErrorCode): string {
  const texts = languages?.get(language)?.unloaded ?? unloaded
  return code === 'offline' || code === 'network' ? texts[code] : texts.unavailable
}

/**
 * The language of an element, such as `de`: that of the nearest [lang], also outside of shadow roots, or that of the
 * browser. Traditional Chinese keeps its region or script, such as `zh-tw`, because the texts in `zh` are simplified.
 */
export function languageOf(element: Element): string {
  const marked = element.closest('[lang]')?.getAttribute('lang')
  const root = element.getRootNode()
  if (!marked && root instanceof ShadowRoot) return languageOf(root.host)
  return /^(zh-(hant|hk|mo|tw)|\w*)/.exec((marked || navigator.language).toLowerCase())![0]
}

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

/** CSS pixels. A smaller one is not sharp. */
const smallest = 32

/**
 * The address of the icon that a browser shows in the tab of the page: an SVG, else the largest PNG that is sharp
 * enough for a button. Of this site only, and no data URL: policies that allow the images of a site often forbid those.
 * Undefined if there is none.
 */
export function siteIcon(): string | undefined {
  const links = unclobbered(document).querySelectorAll<HTMLLinkElement>('link[rel~=icon][href]')
  const rated = [...links].flatMap(({ href, type, media, sizes }) => {
    const kind = /svg|png/.exec(type || /\.\w+(?=$|[?#])/.exec(href)?.[0] || '')?.[0]
    const size = kind === 'svg' ? Infinity : parseInt(sizes.value) || smallest
    const fits =
      kind && size >= smallest && href.startsWith(`${location.origin}/`) && (!media || matchMedia(media).matches)
    return fits ? [{ href, size }] : []
  })
  return rated.sort((one, other) => other.size - one.size)[0]?.href
}
