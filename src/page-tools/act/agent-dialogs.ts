// The question of the agent above the page: an action waits until its own question is gone, and the question of another
// call never counts as a cover.
import type { ToolRun } from '../../page/tools/tool.js'
import { currentPage, elementsUnder } from '../dom/dom.js'
import { waitForPageUpdates } from '../fill/input-events.js'

/** Milliseconds. The panel removes a decided question with its next update. */
const mostWait = 2_000

/** The shadow roots of the agent's own elements, also of those in shadow roots of the page. */
function ownRoots(): ShadowRoot[] {
  const { documentElement } = currentPage()
  const roots: ParentNode[] = [
    documentElement,
    ...[...elementsUnder(documentElement)].flatMap((one) => one.shadowRoot ?? []),
  ]
  return roots
    .flatMap((root) => [...root.querySelectorAll('tool-agent, tool-agent-inspector')])
    .flatMap((own) => own.shadowRoot ?? [])
}

const isAsking = (callId: string): boolean =>
  ownRoots().some((root) =>
    [...root.querySelectorAll<HTMLElement>('tool-agent-approval')].some(({ dataset }) => dataset['call'] === callId),
  )

/**
 * Waits until the question of this call is gone, for a limited time: code may approve while the question is above a
 * modal dialog, and then the page below it takes no clicks and no focus.
 */
export async function untilQuestionGone({ toolCallId, signal }: Pick<ToolRun, 'toolCallId' | 'signal'>): Promise<void> {
  for (const start = performance.now(); isAsking(toolCallId) && performance.now() - start < mostWait;) {
    await waitForPageUpdates()
    signal.throwIfAborted()
  }
}

/**
 * Runs a step while no modal dialog of the agent is open, and then opens them again, before the browser draws: below a
 * modal dialog the browser finds no element at any point. Returns undefined, and runs nothing, if none is open.
 */
export function withoutOwnModals<T>(step: () => T): T | undefined {
  const open = ownRoots().flatMap((root) =>
    [...root.querySelectorAll('dialog')]
      .filter((dialog) => dialog.matches(':modal'))
      .map((dialog) => ({ dialog, focus: root.activeElement as HTMLElement | null })),
  )
  if (open.length === 0) return undefined
  for (const { dialog } of open) dialog.close()
  try {
    return step()
  } finally {
    for (const { dialog, focus } of open) {
      if (!dialog.open && dialog.isConnected) dialog.showModal()
      focus?.focus({ preventScroll: true })
    }
  }
}
