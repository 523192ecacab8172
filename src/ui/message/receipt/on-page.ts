// Leads from a receipt to the page: to one field, or through all that the turn has changed.
import { loadExplained } from '../../../core/loading/load-explained.js'
import type { ReviewedField } from '../../../page/tools/tool.js'
import { ActionEvent } from '../../panel/actions.js'
import type { RenderState } from '../../panel/render-context.js'
import { fillsWindow } from '../../layout/modal-panel.js'
import { makeRoom, placeOf, setPlace } from '../../stage/panel-place.js'
import { textsOf } from '../message-texts.js'
import { toSingleLine } from '../values/shown-text.js'

/** A panel that fills the window would hide the page. */
function uncover(from: Element): boolean {
  const isCovering = fillsWindow() && from.closest('.panel[popover]') !== null
  if (isCovering) from.dispatchEvent(new ActionEvent({ do: 'close' }))
  return isCovering
}

/** Moves a panel beside the page so that a field is free. */
function free(from: Element, { placed }: ReviewedField): void {
  const panel = from.closest<HTMLElement>('.panel[popover]')
  if (panel && !fillsWindow()) makeRoom(panel, placed, null)
}

/** Scrolls to a field that a call has changed, and outlines it. */
export async function showField(from: Element, call: string, label: string, renderState: RenderState): Promise<void> {
  const review = await renderState.review()
  const field = review?.fields(renderState.sessionId(), [call]).find((one) => one.label === label)
  if (field === undefined) {
    const { receipt } = textsOf(renderState.words)
    from.dispatchEvent(new ActionEvent({ do: 'ask', question: receipt.gone(toSingleLine(label)) }))
    return
  }
  if (!uncover(from)) free(from, field)
  field.show(false)
}

/** Opens the bar that leads through the changed fields. */
export async function openReview(from: Element, calls: readonly string[], renderState: RenderState): Promise<void> {
  const root = from.getRootNode()
  const [review, bar] = await Promise.all([
    renderState.review(),
    loadExplained(globalThis, () => import('../../review/review-bar.js'), { has: 'openReview' }),
  ])
  if (review === undefined || !(root instanceof ShadowRoot)) return
  const element = root.host as HTMLElement & { open?: boolean }
  const wasCovering = uncover(from)
  bar.openReview(element, {
    words: renderState.words,
    review,
    sessionId: renderState.sessionId(),
    calls,
    undo: ({ call, label }) => renderState.undoField(call, label),
    showing: (field) => {
      if (!wasCovering) free(from, field)
    },
    closed() {
      if (wasCovering) element.open = true
      const panel = from.closest<HTMLElement>('.panel[popover]')
      if (panel && placeOf(panel) !== 'aside') setPlace(panel, 'own')
    },
  })
}
