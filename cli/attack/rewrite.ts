// Changes what stands around a control while a question about it is open, as a page does whose rows are live. Both
// functions are sent to the browser as text, so they use nothing from outside of themselves.

/** What the texts around a control become. */
export const rewritten = 'zq7rewritten'

/** Returns whether a text was there to be changed. `target`: such as `button "Pay" in "Invoice 7"`. */
export function rewriteAround({ target, text }: { target: string; text: string }): boolean {
  const [, name = '', place = ''] = /^\w+ "(.*?)"(?: in (?:\w+ )?"(.*)")?$/.exec(target) ?? []
  const longest = 400
  const controls = 'button, a, input, select, textarea, summary, option, [role=button], [role=menuitem], [onclick]'
  // What changes by itself while somebody reads is no part of a question.
  const live = 'time, progress, [role=timer], [role=status], [role=log], [role=progressbar], [aria-live]'
  const clean = (one: string | null | undefined): string => (one ?? '').replaceAll(/\s+/g, ' ').trim()
  const roots: ParentNode[] = [document]
  for (const root of roots)
    for (const { shadowRoot, localName } of root.querySelectorAll('*'))
      if (shadowRoot && localName !== 'tool-agent') roots.push(shadowRoot)
  const isNamed = (one: Element): boolean =>
    [one.getAttribute('aria-label'), (one as HTMLElement).innerText, one.getAttribute('title')].some(
      (said) => clean(said) === name,
    )
  const named = roots.flatMap((root) => [...root.querySelectorAll(controls)]).filter(isNamed)
  for (const control of name === '' ? [] : named) {
    for (let box = control.parentElement; box && box !== document.body; box = box.parentElement) {
      const all = clean(box.innerText)
      if (all.length > longest) break
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      const found: Text[] = []
      while (texts.nextNode()) {
        const node = texts.currentNode as Text
        const parent = node.parentElement
        const isShown = clean(node.data) !== '' && parent !== null && parent.getClientRects().length > 0
        if (isShown && parent.closest(`${controls}, ${live}, script, style`) === null) found.push(node)
      }
      if (found.length === 0 || (place !== '' && !all.includes(place))) continue
      Reflect.set(
        window,
        Symbol.for('tool-agent-attack-texts'),
        found.map((node) => [node, node.data]),
      )
      for (const node of found) node.data = text
      return true
    }
  }
  return false
}

/** Brings the texts back. */
export function restoreTexts(): void {
  const key = Symbol.for('tool-agent-attack-texts')
  for (const [node, data] of (Reflect.get(window, key) ?? []) as [Text, string][]) node.data = data
  Reflect.deleteProperty(window, key)
}
