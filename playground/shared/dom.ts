// Elements from plain values. Texts become text nodes and attributes are set one by one, so that no string is ever
// parsed as markup.

type Child = Node | string | null | undefined | false
type Attributes = Readonly<Record<string, string | number | boolean | ((event: Event) => void) | undefined>>

/** An element with attributes, listeners (`onclick`) and children. `true` is an empty attribute, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** The element with this id. A page without it is a mistake of ours. */
export function byId<T extends HTMLElement>(id: string, type: abstract new (...given: never[]) => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`The page has no #${id} of the expected kind`)
  return element
}
