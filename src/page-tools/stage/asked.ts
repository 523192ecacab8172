// What questions are about. The page tools say which element a call acts on; the panel, which knows the question and
// its answer, says how it is shown.
import type { PageStage, Placed, Release, StagedTarget } from '../../page/tools/shown-on-page.js'
import { ancestor, isTag, parentOf, viewOf } from '../dom/dom.js'
import { bringInto } from './bring-into.js'
import { boxOf, clipsAround, commonPart, windowBox } from './rects.js'
import { configure, ring } from './stage.js'

/** What a call acts on. */
interface Acted {
  readonly element: Element
  /** Takes away the ring that it has until its question is shown. */
  readonly release: Release
}

/** The newest element of each call. If a page changes while a question is open, it is about another element. */
const acted = new Map<string, Acted>()
/** So many are remembered. */
const most = 20
/** Milliseconds. */
const shown = 4_000

/** Outlines what a call acts on, for a while or until its question is shown. */
export function showActed(callId: string, element: Element): void {
  acted.get(callId)?.release()
  acted.delete(callId)
  const release = ring(element, { level: 'fill' })
  setTimeout(release, shown)
  acted.set(callId, { element, release })
  for (const old of [...acted.keys()].slice(0, Math.max(0, acted.size - most))) acted.delete(old)
}

const parts =
  'section,fieldset,article,dialog,tr,form,li,:is([role=dialog],[role=alertdialog],[role=row],[role=region])'

/** Whether a box is drawn as one, such as a card. */
export function isDrawn(element: Element): boolean {
  const { boxShadow, borderTopWidth, borderBottomWidth, borderTopStyle } = viewOf(element).getComputedStyle(element)
  const hasBorder =
    borderTopStyle !== 'none' && Math.min(Number.parseFloat(borderTopWidth), Number.parseFloat(borderBottomWidth)) > 0
  return boxShadow !== 'none' || hasBorder
}

/** The part of the page that an element belongs to: a section, a row, or a box that looks like one. */
export function partAround(element: Element): Element | undefined {
  const { height } = element.getBoundingClientRect()
  const found = ancestor(
    parentOf(element),
    (above) =>
      isTag(above, 'body') ||
      above.matches(parts) ||
      (isDrawn(above) && above.getBoundingClientRect().height > height * 1.5),
  )
  return found && !isTag(found, 'body') ? found : undefined
}

/** Where an element is, and the part of the page around it. */
export function placedOf(element: Element, part = partAround(element)): Placed {
  return {
    box() {
      const all = boxOf(element, clipsAround(element))
      return all && commonPart(all, windowBox())
    },
    around: () => part && boxOf(part),
    bringInto: (free) => bringInto(element, free, part),
  }
}

/** What the question of a call is about; undefined if that is no element, or gone. */
export function stagedTarget(callId: string): StagedTarget | undefined {
  const { element, release } = acted.get(callId) ?? {}
  if (!element?.isConnected) return undefined
  const part = partAround(element)
  return {
    ...placedOf(element, part),
    show(options) {
      release?.()
      return ring(element, { ...options, section: part })
    },
    pressed: (signal) => pressed(element, signal),
  }
}

/** Waits for a press by the visitor, not by a script: of the element, or of what sends the form that it is. */
function pressed(element: Element, signal: AbortSignal): Promise<void> {
  const form = isTag(element, 'form') ? element : undefined
  const view = viewOf(element)
  return new Promise((resolve, reject) => {
    const listeners = new AbortController()
    const end = (): void => {
      listeners.abort()
    }
    signal.addEventListener('abort', () => {
      end()
      reject(signal.reason as Error)
    })
    for (const type of ['click', 'submit'])
      view.addEventListener(
        type,
        (event) => {
          const [target] = event.composedPath()
          // A submission that a script requests is trusted, too, but no key or button was pressed for it.
          if (!event.isTrusted || !view.navigator.userActivation?.isActive) return
          const isIt = event.composedPath().includes(element)
          if (!isIt || (form !== undefined && (type !== 'submit' || target !== form))) return
          end()
          resolve()
        },
        { capture: true, passive: true, signal: listeners.signal },
      )
  })
}

/** What the panel reaches of this folder, by the internals of a page tool. */
export const pageStage: PageStage = { configure, target: stagedTarget }
