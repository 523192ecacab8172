// Prepares the snapshot of a large page in pieces of 30 ms, so that the page stays responsive: computes what is
// visible, and names. The reading itself then finds the results in the caches of the snapshot. If the page changes
// meanwhile, the results are dropped.
import { currentPage, elementsUnder, frameDocument, isElement, isOffLimits } from '../dom/dom.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { takeSnapshot } from '../dom/page-snapshot.js'
import type { PageSnapshot, RunLike } from '../dom/page-snapshot.js'
import { nextTask } from '../fill/input-events.js'
import { isAction } from '../dom/roles.js'

/** Milliseconds of work between two pauses. */
const longestPiece = 30

/** Whether a document or shadow root changed since it was watched. */
interface ChangeWatch {
  watch(root: Document | ShadowRoot): void
  hasChanged(): boolean
  end(): void
}

function watchChanges(): ChangeWatch {
  let changed = false
  const ending = new AbortController()
  const noteChange = (): void => {
    changed = true
  }
  // Changes of the panel do not count: it shows that this call runs.
  const isOfPage = ({ target }: MutationRecord): boolean => !isOffLimits(target)
  const observer = new MutationObserver((records) => {
    changed ||= records.some(isOfPage)
  })
  return {
    watch(root) {
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
      for (const type of ['scroll', 'toggle', 'load'])
        root.addEventListener(type, noteChange, { capture: true, passive: true, signal: ending.signal })
    },
    hasChanged: () => (changed ||= observer.takeRecords().some(isOfPage)),
    end() {
      observer.disconnect()
      ending.abort()
    },
  }
}

/** Computes what the outline needs of an element. Creates no refs, because their order belongs to the outline. */
function prepareElement(element: Element, { visibility, refs }: PageSnapshot): void {
  for (const child of visibility.children(element)) if (!isElement(child)) visibility.isTextVisible(child)
  visibility.isApart(element)
  if (!visibility.isShown(element)) return
  const role = roleOf(element)
  if (!isAction(role)) return
  accessibleNameOf(element, visibility)
  refs.prepare(element, visibility)
}

/**
 * A snapshot of a large page, with everything computed that takes long. Pauses between pieces. The snapshot is of the
 * moment of its return: it is a new one if the page has changed.
 */
export async function takeSnapshotInPieces(run: RunLike): Promise<PageSnapshot> {
  const snapshot = takeSnapshot(run)
  const changes = watchChanges()
  try {
    changes.watch(document)
    let start = performance.now()
    const pause = async (): Promise<boolean> => {
      await nextTask()
      start = performance.now()
      return changes.hasChanged()
    }
    for (const element of elementsUnder(currentPage().body, snapshot.visibility.children)) {
      if (element.shadowRoot) changes.watch(element.shadowRoot)
      const inside = frameDocument(element)
      if (inside) changes.watch(inside)
      prepareElement(element, snapshot)
      if (performance.now() - start > longestPiece && (await pause())) return takeSnapshot(run)
    }
    if (await pause()) return takeSnapshot(run)
    snapshot.fields()
    return (await pause()) ? takeSnapshot(run) : snapshot
  } finally {
    changes.end()
  }
}
