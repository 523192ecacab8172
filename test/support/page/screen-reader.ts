// Says what a screen reader would: what gets the focus, from the accessibility tree of Chromium, which spans shadow
// roots, and what changes in live regions, in the order in which it happens. @guidepup/virtual-screen-reader 0.33 does
// not enter shadow roots. Browsers tell screen readers of changes in a region that exists; a region that appears
// together with its text is often not read, so only an alert is read then.
import type { CDPSession, Locator, Page } from 'playwright/test'

/** A node of the accessibility tree, as the DevTools protocol has it. */
interface AXNode {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: { readonly value?: unknown }
  readonly name?: { readonly value?: unknown }
  readonly description?: { readonly value?: unknown }
  readonly value?: { readonly value?: unknown }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
  readonly parentId?: string
  readonly childIds?: readonly string[]
  readonly backendDOMNodeId?: number
}

declare global {
  interface Window {
    /** What live regions have said and the test has not taken yet. */
    said: string[]
    /** Regions that appeared together with their text. */
    unheard: string[]
  }
}

/** What a screen reader calls a role. */
const roles: Readonly<Record<string, string>> = {
  DisclosureTriangle: '',
  DisclosureTriangleGrouped: '',
  StaticText: '',
  img: '',
  image: '',
  listitem: 'list item',
  searchbox: 'textbox',
}
/** Containers whose name is said when the focus, or the reading, comes into them. */
const containers = new Set(['dialog', 'group', 'region', 'log', 'article', 'menu', 'banner', 'main', 'navigation'])
/** Controls and other things that are said as one, without what is in them. */
const wholes = new Set(['button', 'link', 'textbox', 'searchbox', 'spinbutton', 'checkbox', 'combobox', 'img', 'image'])
/** What begins and ends a line of text. */
const blocks = new Set(['paragraph', 'heading', 'listitem', 'term', 'definition', 'row', 'blockquote', 'pre', 'code'])

/** Listens to one page. */
export class ScreenReader {
  readonly #page: Page
  readonly #session: CDPSession
  /** The node that had the focus, and the containers around it. */
  #focused: AXNode | undefined
  #around: readonly string[] = []
  /** How it was described, without its value. */
  #said = ''

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  /** Starts to listen. Elements with a shadow root must be in the page already. */
  static async start(page: Page): Promise<ScreenReader> {
    const session = await page.context().newCDPSession(page)
    await session.send('Accessibility.enable')
    await page.evaluate(listen)
    return new ScreenReader(page, session)
  }

  /** What was said since the last call: changes of live regions, then where the focus is now, if it has moved. */
  async heard(): Promise<string[]> {
    const live = await this.#page.evaluate(() => window.said.splice(0))
    return [...live, ...(await this.#focusMove())]
  }

  /** Regions that appeared together with their text, so that not every screen reader says it. */
  unheard(): Promise<string[]> {
    return this.#page.evaluate(() => window.unheard)
  }

  /** What is said while the visitor reads these elements line by line, from the first to the last. */
  async read(...parts: readonly Locator[]): Promise<string[]> {
    const lines: string[] = []
    for (const part of parts) {
      const ids = await this.#nodesIn(part)
      const isIn = (node: AXNode | undefined): boolean => ids.has(node?.backendDOMNodeId ?? 0)
      let nodes = await this.#tree()
      // The tree leaves out elements that say nothing, so the part may have no node of its own.
      const topsOf = (): AXNode[] => [...nodes.values()].filter((node) => isIn(node) && !hasAncestor(node, nodes, isIn))
      // It follows the document a little later.
      for (let tries = 0; topsOf().length === 0; tries++) {
        if (tries === 50) throw new Error(`Not in the accessibility tree: ${String(part)}`)
        nodes = await this.#tree()
      }
      const childIds = topsOf().map(({ nodeId }) => nodeId)
      lines.push(...linesOf({ nodeId: '', ignored: true, childIds }, nodes))
    }
    return lines
  }

  async #focusMove(): Promise<string[]> {
    const nodes = await this.#tree()
    const focused = [...nodes.values()].findLast(
      (node) => propertyOf(node, 'focused') === true && node.role?.value !== 'RootWebArea',
    )
    const around = focused === undefined ? [] : containersOf(focused, nodes)
    const before = this.#focused
    const aroundBefore = this.#around
    this.#focused = focused
    this.#around = around.map(({ nodeId }) => nodeId)
    if (focused === undefined) return before === undefined ? [] : ['the page']
    const said = this.#said
    this.#said = describe(focused, nodes, false)
    // What the visitor types changes the value.
    const isSame = focused.backendDOMNodeId === before?.backendDOMNodeId
    if (isSame && this.#said === said) return []
    const entered = around.filter(({ nodeId }) => !aroundBefore.includes(nodeId)).map((node) => describe(node, nodes))
    return [...entered, describe(focused, nodes)]
  }

  async #tree(): Promise<Map<string, AXNode>> {
    const { nodes } = await this.#session.send('Accessibility.getFullAXTree')
    return new Map((nodes as readonly AXNode[]).map((node) => [node.nodeId, node]))
  }

  /** The ids of everything inside an element, and its own. */
  async #nodesIn(part: Locator): Promise<ReadonlySet<number>> {
    await part.evaluate((element) => {
      ;(window as unknown as { read: unknown }).read = element
    })
    const { result } = await this.#session.send('Runtime.evaluate', { expression: 'window.read' })
    const { node } = await this.#session.send('DOM.describeNode', {
      objectId: result.objectId!,
      depth: -1,
      pierce: true,
    })
    const ids = new Set<number>()
    const visit = ({ backendNodeId, children = [] }: typeof node): void => {
      ids.add(backendNodeId)
      children.forEach(visit)
    }
    visit(node)
    return ids
  }
}

function hasAncestor(node: AXNode, nodes: ReadonlyMap<string, AXNode>, matches: (node: AXNode) => boolean): boolean {
  const parent = nodes.get(node.parentId ?? '')
  return parent !== undefined && (matches(parent) || hasAncestor(parent, nodes, matches))
}

const propertyOf = (node: AXNode, name: string): unknown =>
  node.properties?.find((property) => property.name === name)?.value.value

const roleOf = ({ role }: AXNode): string => String(role?.value ?? '')

const textOf = (value: AXNode['name']): string =>
  String(value?.value ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** A node in words: name, role, state, value and description. */
function describe(node: AXNode, nodes: ReadonlyMap<string, AXNode>, hasValue = true): string {
  const role = roleOf(node)
  const expanded = propertyOf(node, 'expanded')
  const states = [
    propertyOf(node, 'pressed') === 'true' ? 'pressed' : '',
    propertyOf(node, 'checked') === 'true' ? 'checked' : '',
    expanded === true ? 'expanded' : '',
    expanded === false ? 'collapsed' : '',
    propertyOf(node, 'disabled') === true ? 'unavailable' : '',
    propertyOf(node, 'invalid') === 'true' ? 'invalid' : '',
  ]
  const name =
    textOf(node.name) || (containers.has(role) || wholes.has(role) ? '' : linesOf(node, nodes, true).join(' '))
  const description = textOf(node.description)
  const value = hasValue ? textOf(node.value) : ''
  return [name, roles[role] ?? role, ...states, value, description].filter((text) => text !== '').join(', ')
}

/** The named containers around a node, outermost first. */
function containersOf(node: AXNode, nodes: ReadonlyMap<string, AXNode>): AXNode[] {
  const found: AXNode[] = []
  for (let one = nodes.get(node.parentId ?? ''); one !== undefined; one = nodes.get(one.parentId ?? ''))
    if (!one.ignored && containers.has(roleOf(one)) && textOf(one.name) !== '') found.unshift(one)
  return found
}

/** The lines of a node, one for each control, block of text and row of a table. `isInside`: without its own line. */
function linesOf(start: AXNode, nodes: ReadonlyMap<string, AXNode>, isInside = false): string[] {
  const lines: string[] = []
  let line: string[] = []
  const flush = (ending = ''): void => {
    const text = line.join(' ').replace(/\s+/g, ' ').trim()
    if (text !== '') lines.push([text, ending].filter((one) => one !== '').join(', '))
    line = []
  }
  const children = (node: AXNode): void => {
    for (const id of node.childIds ?? []) visit(nodes.get(id))
  }
  const visit = (node: AXNode | undefined): void => {
    if (node === undefined || roleOf(node) === 'InlineTextBox') return
    const role = roleOf(node)
    if (node.ignored) return children(node)
    if (role === 'StaticText') {
      line.push(String(node.name?.value ?? ''))
    } else if (role.startsWith('DisclosureTriangle') || wholes.has(role)) {
      const isInText = role === 'link' || role === 'img' || role === 'image'
      if (isInText && line.length > 0) line.push(describe(node, nodes))
      else if (isInText) line = [describe(node, nodes)]
      else {
        flush()
        lines.push(describe(node, nodes))
      }
    } else if (role === 'table') {
      flush()
      const rows = inside(node, nodes, 'row')
      const columns = rows[0] === undefined ? 0 : cellsOf(rows[0], nodes).length
      lines.push(`table with ${rows.length} rows and ${columns} columns`)
      for (const row of rows)
        lines.push(
          cellsOf(row, nodes)
            .map((cell) => linesOf(cell, nodes, true).join(' '))
            .join(', '),
        )
    } else if (role === 'listitem') {
      flush()
      lines.push([linesOf(node, nodes, true).join(', '), 'list item'].join(', '))
    } else if (blocks.has(role)) {
      flush()
      children(node)
      flush(role === 'heading' ? 'heading' : '')
    } else {
      const isNamed = containers.has(role) && textOf(node.name) !== ''
      if (isNamed) {
        flush()
        lines.push(describe(node, nodes))
      }
      children(node)
      if (isNamed) flush()
    }
  }
  if (isInside) children(start)
  else visit(start)
  flush()
  return lines
}

function inside(node: AXNode, nodes: ReadonlyMap<string, AXNode>, role: string): AXNode[] {
  return (node.childIds ?? []).flatMap((id) => {
    const child = nodes.get(id)
    if (child === undefined) return []
    return roleOf(child) === role && !child.ignored ? [child] : inside(child, nodes, role)
  })
}

function cellsOf(row: AXNode, nodes: ReadonlyMap<string, AXNode>): AXNode[] {
  return (row.childIds ?? []).flatMap((id) => {
    const child = nodes.get(id)
    if (child === undefined) return []
    return /cell|columnheader|rowheader/i.test(roleOf(child)) && !child.ignored ? [child] : cellsOf(child, nodes)
  })
}

/** Runs in the page: notes what live regions say. */
function listen(): void {
  window.said = []
  window.unheard = []
  const regions = '[aria-live], [role=status], [role=alert], [role=log], [role=timer]'
  const politeness = (region: Element): string => {
    const own = region.getAttribute('aria-live')
    if (own !== null) return own
    const role = region.getAttribute('role')
    if (role === 'alert') return 'assertive'
    return role === 'timer' ? 'off' : 'polite'
  }
  const isShown = (element: Element | null): boolean =>
    element !== null && element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'
  const textIn = (node: Node, leavesOut = 'script'): string => {
    if (node instanceof Text) return isShown(node.parentElement) ? node.data : ''
    if (!(node instanceof Element) || !isShown(node) || node.matches(`[aria-hidden=true], ${leavesOut}`)) return ''
    return [...node.childNodes].map((child) => textIn(child, leavesOut)).join(' ')
  }
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()
  const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement)
  const onChange = (records: readonly MutationRecord[]): void => {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]))
    const isNew = (element: Element): boolean => {
      for (let one: Node | null = element; one !== null; one = one.parentNode) if (added.has(one)) return true
      return false
    }
    const changed = new Set<Node>()
    for (const { type, target, addedNodes } of records)
      for (const node of type === 'childList' ? addedNodes : [target]) if (node.isConnected) changed.add(node)
    const texts = new Map<Element, Set<string>>()
    const say = (region: Element, text: string): void => {
      if (plain(text) !== '') texts.set(region, (texts.get(region) ?? new Set()).add(plain(text)))
    }
    for (const node of changed) {
      // What is in another node that has changed is said with it.
      let isInside = false
      for (let up = node.parentNode; up !== null; up = up.parentNode) isInside ||= changed.has(up)
      const inner = node instanceof Element ? [...node.querySelectorAll(regions)] : []
      for (const region of node instanceof Element && node.matches(regions) ? [node, ...inner] : inner) {
        if (region.closest(regions) !== region || !isNew(region)) continue
        if (politeness(region) === 'assertive') say(region, textIn(region))
        else if (politeness(region) === 'polite' && region.getAttribute('role') !== 'log') {
          // A control that appears is no news.
          const text = plain(textIn(region, 'button'))
          if (text !== '') window.unheard.push(text)
        }
      }
      const region = elementOf(node)?.closest(regions)
      if (isInside || !region || isNew(region) || politeness(region) === 'off') continue
      const hasRole = ['status', 'alert'].includes(region.getAttribute('role') ?? '')
      const isAtomic = region.getAttribute('aria-atomic') ?? String(hasRole)
      say(region, textIn(isAtomic === 'true' ? region : node))
    }
    const isAssertive = ([region]: [Element, unknown]): boolean => politeness(region) === 'assertive'
    const all = [...texts]
    for (const [, said] of [...all.filter(isAssertive), ...all.filter((one) => !isAssertive(one))])
      window.said.push(...said)
  }
  const observer = new MutationObserver(onChange)
  const options = { subtree: true, childList: true, characterData: true }
  observer.observe(document, options)
  for (const { shadowRoot } of document.querySelectorAll('*')) if (shadowRoot) observer.observe(shadowRoot, options)
}
