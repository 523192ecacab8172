// Inserting and removing with the methods of Node alone. Old libraries and copied snippets replace the newer ones of
// Element on every page they are on: `remove` throws for an element without a parent (Prototype.js) or directly in a
// shadow root (`this.parentElement.removeChild(this)`), `append` takes HTML, `scrollTo` scrolls the window.

/** Removes a node from where it is, if it is anywhere. */
export function removeNode(node: Node | undefined): void {
  node?.parentNode?.removeChild(node)
}

/** Inserts nodes before a child of `parent`; `null` is its end. */
export function insertNodes(parent: Node | null | undefined, before: Node | null, ...nodes: readonly Node[]): void {
  for (const node of nodes) parent?.insertBefore(node, before)
}
