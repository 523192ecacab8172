// The question of the agent above the page: what it is about stays outlined, and an action waits until its own question
// is gone.
import type { ToolRun } from '../../page/tools/tool.js'
import { highlight } from '../dom/highlight.js'
import { ownRoots } from '../hands/point.js'
import { patience, until } from '../waiting/until.js'

const isAsking = (callId: string): boolean =>
  ownRoots().some((root) =>
    [...root.querySelectorAll<HTMLElement>('tool-agent-approval')].some(({ dataset }) => dataset['call'] === callId),
  )

/** What the question of each call is about: if a page changes while it is asked, it is about another element. */
const targets = new Map<string, Element>()

/** Outlines the target of an action, as long as its question is shown. */
export function highlightTarget(element: Element, { toolCallId }: Pick<ToolRun, 'toolCallId'>): void {
  targets.set(toolCallId, element)
  highlight({ element: element as HTMLElement, members: [] }, () => {
    if (targets.get(toolCallId) !== element) return false
    const isWanted = isAsking(toolCallId)
    if (!isWanted) targets.delete(toolCallId)
    return isWanted
  })
}

/**
 * Waits until the question of this call is gone, for a limited time: code may approve while the question is above a
 * modal dialog, and then the page below it takes no clicks and no focus.
 */
export async function untilQuestionGone({ toolCallId, signal }: Pick<ToolRun, 'toolCallId' | 'signal'>): Promise<void> {
  await until({ done: () => !isAsking(toolCallId), ...patience.question, signal })
}
