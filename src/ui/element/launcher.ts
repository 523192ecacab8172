// The round button that opens a floating panel or a sidebar. Plain DOM, so that a closed panel loads no other code.

/** The label of the button by language. A panel in a language of its own must have an entry here. */
const labels: ReadonlyMap<string, string> = new Map([['de', 'Assistenten öffnen']])
const svgNamespace = 'http://www.w3.org/2000/svg'
const icon =
  'M5 5h14a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1h-7l-4.5 3.5V16.5H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM9 9.5h6M9 12.5h3'

/** Creates the button. `labelLauncher` must set its texts, and the caller must show it as a popover. */
export function createLauncher(onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'launcher'
  // In the top layer no transform, z-index or clipping of the page moves or covers the button.
  button.popover = 'manual'
  button.part.add('launcher')
  const svg = document.createElementNS(svgNamespace, 'svg')
  for (const [name, value] of [
    ['viewBox', '0 0 24 24'],
    ['aria-hidden', 'true'],
    ['focusable', 'false'],
  ] as const)
    svg.setAttribute(name, value)
  svg.append(document.createElementNS(svgNamespace, 'path'))
  svg.firstElementChild?.setAttribute('d', icon)
  button.append(svg)
  button.addEventListener('click', onClick)
  return button
}

/** Names the button. While it has something to report, `layout/floating.ts` gives it another label. */
export function labelLauncher(button: HTMLElement, language: string): void {
  button.title = labels.get(language) ?? 'Open the assistant'
}

/**
 * The language of an element, such as `de`: that of the nearest [lang], also outside of shadow roots, or that of the
 * browser.
 */
export function languageOf(element: Element): string {
  const marked = element.closest('[lang]')?.getAttribute('lang')
  const root = element.getRootNode()
  if (!marked && root instanceof ShadowRoot) return languageOf(root.host)
  return (marked || navigator.language).split('-')[0]?.toLowerCase() ?? ''
}
