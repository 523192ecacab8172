// HTML that a visitor pasted, as nodes that cannot run, load or navigate. It is parsed without executing anything, and
// only then cleaned and copied. The policy of the page refuses scripts, handlers and foreign addresses as well.

/** Elements that run, load or change the page around them. */
const removed =
  'script, iframe, frame, frameset, object, embed, applet, base, meta, link, template, noscript, style, ' +
  'svg image, svg use, svg feImage, svg animate, svg set'
const addresses = /^(?:src|srcset|srcdoc|data|poster|background|ping|action|formaction|manifest|xlink:href)$/i

interface Parsed {
  readonly nodes: DocumentFragment
  /** The style sheets that the HTML has. The policy allows them only as sheets of a script. */
  readonly styles: readonly CSSStyleSheet[]
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): string }
}

/** The only policy of this page that makes trusted HTML: its result is parsed into a template. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('playground-lab', {
  createHTML: (html) => html,
})

/** Parses and cleans HTML. */
export function parseSafely(html: string): Parsed {
  const template = document.createElement('template')
  // The content of a template has a document of its own, in which nothing runs and nothing is loaded.
  template.innerHTML = policy?.createHTML(html) ?? html
  const nodes = template.content
  const styles = [...nodes.querySelectorAll('style')].map(({ textContent }) => sheetOf(textContent ?? ''))
  for (const element of nodes.querySelectorAll(removed)) element.remove()
  for (const element of nodes.querySelectorAll('*')) clean(element)
  return { nodes, styles }
}

function clean(element: Element): void {
  const style = element.getAttribute('style')
  for (const name of element.getAttributeNames()) {
    const value = element.getAttribute(name) ?? ''
    const isScript = /^on/i.test(name) || /^\s*(?:javascript|data|vbscript):/i.test(value)
    if (isScript || addresses.test(name) || name === 'style') element.removeAttribute(name)
  }
  // The policy refuses style attributes, but not declarations that a script sets.
  if (style !== null && 'style' in element) (element as HTMLElement).style.cssText = withoutAddresses(style)
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(withoutAddresses(css))
  return sheet
}

/** Styles load nothing. */
function withoutAddresses(css: string): string {
  return css.replaceAll(/(?:url|image-set|image|src)\s*\([^)]*\)/gi, 'none').replaceAll(/@import[^;]*;?/gi, '')
}
