// Reads a large page in pieces of 30 ms, so that it stays responsive. A page that changes meanwhile is read again from
// the beginning, because an answer is of one moment. One that was read for long goes on with what can be seen then: a
// page that keeps changing must not be read for ever, and must not be blocked either.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { currentPage, elementsUnder, frameDocument, isOffLimits } from '../dom/dom.js'
import { snapshotSteps, takeSnapshot, type PageSnapshot } from '../dom/page-snapshot.js'
import { scrollBoxSteps } from '../dom/scroll-boxes.js'
import { finish, forEach, type Steps } from '../dom/steps.js'
import { Visibility } from '../dom/visibility.js'
import { deadline, nextTask, patience } from '../waiting/until.js'
import type { ToolRun } from '../../page/tools/tool.js'

/** A page with more elements is read with pauses. */
const fewElements = 1500

/** Whether watched documents and shadow roots have changed. */
interface ChangeWatch {
  watch(root: Document | ShadowRoot): void
  /** Whether something has changed since the last call. */
  takeChange(): boolean
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
    takeChange() {
      const found = observer.takeRecords().some(isOfPage) || changed
      changed = false
      return found
    },
    end() {
      observer.disconnect()
      ending.abort()
    },
  }
}

/** Watches all parts of the page, and measures what scrolls in it. */
function* watchPage({ visibility }: PageSnapshot, changes: ChangeWatch): Steps<void> {
  const { body } = currentPage()
  yield* forEach(elementsUnder(body, visibility.children), (element) => {
    if (element.shadowRoot) changes.watch(element.shadowRoot)
    const inside = frameDocument(element)
    if (inside) changes.watch(inside)
  })
  yield* scrollBoxSteps(body, visibility)
}

/** The number of elements of a document and of the frames in it. */
function countElements(page: Document): number {
  let count = page.getElementsByTagName('*').length
  for (const frame of page.querySelectorAll('iframe')) {
    const inside = frameDocument(frame)
    if (inside) count += countElements(unclobbered(inside))
  }
  return count
}

/** What was read, and whether the page has changed while it was. */
export interface Reading<T> {
  readonly value: T
  readonly hasChanged: boolean
}

/**
 * Runs the steps that a function makes of a snapshot. `canRestart`: whether it may be called again if the page has
 * changed.
 * @throws the reason of the signal
 */
export async function readInPieces<T>(
  run: ToolRun,
  read: (snapshot: PageSnapshot) => Steps<T>,
  canRestart = true,
): Promise<Reading<T>> {
  if (countElements(currentPage()) <= fewElements) return { value: finish(read(takeSnapshot(run))), hasChanged: false }
  const changes = watchChanges()
  const begin = function* (): Steps<T> {
    const snapshot = yield* snapshotSteps(run)
    yield* watchPage(snapshot, changes)
    return yield* read(snapshot)
  }
  try {
    changes.watch(document)
    const isLate = deadline(patience.restart)
    let [isLong, steps, hasChanged] = [deadline(patience.piece), begin(), false]
    for (let fresh: Visibility | undefined; ;) {
      const step = steps.next(fresh)
      if (step.done === true) return { value: step.value, hasChanged }
      fresh = undefined
      if (!isLong()) continue
      await nextTask()
      run.signal.throwIfAborted()
      isLong = deadline(patience.piece)
      if (!changes.takeChange()) continue
      if (canRestart && !isLate()) steps = begin()
      else [fresh, hasChanged] = [new Visibility(), true]
    }
  } finally {
    changes.end()
  }
}
