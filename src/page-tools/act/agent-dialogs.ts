// The question of the agent above the page: an action waits until its own question is gone.
import type { ToolRun } from '../../page/tools/tool.js'
import { ownRoots } from '../hands/point.js'
import { patience, until } from '../waiting/until.js'

const isAsking = (callId: string): boolean =>
  ownRoots().some((root) =>
    [...root.querySelectorAll<HTMLElement>('tool-agent-approval')].some(({ dataset }) => dataset['call'] === callId),
  )

/**
 * Waits until the question of this call is gone, for a limited time: code may approve while the question is above a
 * modal dialog, and then the page below it takes no clicks and no focus.
 */
export async function untilQuestionGone({ toolCallId, signal }: Pick<ToolRun, 'toolCallId' | 'signal'>): Promise<void> {
  await until({ done: () => !isAsking(toolCallId), ...patience.question, signal })
}
