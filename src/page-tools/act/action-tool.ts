// What every tool that acts on the page has in common. An action tool is a definition, a plan and a run. To add one,
// write a file with `actionTool({ … })` and enter it in the list of act-tools.ts. What a visitor reads about it is in
// CONTRIBUTING, "Add a page tool".
//
// - `plan` finds what a call means, checks that a person could do it, and says with `planAction` what it will do. It
//   runs before the question and again before the action, so it only looks. It throws where the action is not possible.
// - `run` does it inside `actAndCompare`, with the hand (`hands/`) or by a method of the browser.
// - `words` tells the model what became of it.
//
// All else is here: the call waits until its question is gone, plans again, is compared with the plan that was checked,
// outlines its target, and runs with what was allowed inside the border.
import { internals } from '../../core/data/tool.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { undoableFields } from '../definitions/filling.js'
import { loadGlass } from '../definitions/load-code.js'
import { pageStage, showActed } from '../stage/asked.js'
import { again, approvedPlan, checkPlanUnchanged, permissionOf, planWithPreview } from './approved-plan.js'
import { runAndCompare, type ObservedChange } from './page-diff.js'
import type { ActionPlan, PlanRun } from './planned-action.js'
import { ownRoots } from '../hands/point.js'
import { patience, until } from '../waiting/until.js'

/** The arguments of a call, as its schema has checked them. */
export type Input = Record<string, unknown>

/** An action that is possible now. */
export interface Action {
  readonly plan: ActionPlan
  /** What is outlined. Absent: no part of the page. */
  readonly element?: Element | undefined
}

/** What makes an action tool. */
export interface ActionSpec<A extends Action, Output extends ObservedChange> extends Required<
  Pick<Tool<Input, Output>, 'name' | 'title' | 'description' | 'inputSchema'>
> {
  /** @default 30,000 */
  readonly timeout?: number
  /**
   * Must find the same in the same page. `approved`: what the user was asked about; absent before the question, and if
   * they changed the arguments.
   */
  plan(input: Input, run: PlanRun, approved?: ActionPlan): A
  run(action: A, run: ToolRun): Promise<Output>
  /** Lines of text. Those that are undefined are left out. */
  words(output: Output): readonly (string | undefined)[]
}

/** The tool of an action. By default it asks the user where its effect is not known to be harmless. */
export function actionTool<A extends Action, Output extends ObservedChange>({
  name,
  title,
  description,
  inputSchema,
  timeout = 30_000,
  ...action
}: ActionSpec<A, Output>): Tool<Input, Output> {
  const outline = ({ element }: Action, run: Pick<ToolRun, 'toolCallId'>): void => {
    if (element) showActed(run.toolCallId, element)
  }
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: { untrustedContentHint: true },
    timeout,
    exclusive: true,
    [internals]: {
      mayAct: true,
      fieldChanges: undoableFields,
      stage: async () => pageStage,
      glass: loadGlass,
      preview(input, run) {
        const planned = action.plan(input, run)
        outline(planned, run)
        return planWithPreview(run, planned.plan)
      },
    },
    async execute(input, run) {
      await untilQuestionGone(run)
      run.signal.throwIfAborted()
      const planned = action.plan(input, again(run), approvedPlan(run))
      checkPlanUnchanged(run, planned.plan)
      outline(planned, run)
      return action.run(planned, run)
    },
    toModelOutput: ({ output }) =>
      action
        .words(output)
        .filter((line) => line !== undefined)
        .join('\n'),
  }
}

/** Effects that this page cannot observe. */
const unobservable = {
  tab: 'A new tab was requested. Whether it opened is unknown.',
  download: 'A download was requested. Whether it succeeded is unknown.',
}

/**
 * Runs a planned action with what was allowed, and reports what changed. `hasFollowed`: whether it then led where its
 * plan says. @throws as `runAndCompare`
 */
export async function actAndCompare(
  plan: ActionPlan,
  run: ToolRun,
  { act, hasFollowed = () => true }: { act(): void | Promise<void>; readonly hasFollowed?: () => boolean },
): Promise<ObservedChange> {
  const observed = await runAndCompare(run, permissionOf(run, plan), act)
  const { opens } = plan.preview
  if (opens === undefined || !hasFollowed()) return observed
  return { ...observed, changed: true, changes: `${unobservable[opens]}\n${observed.changes}` }
}

/** The first line of an answer: what was done, and whether the page shows that. */
export const doneLine = (done: string, isSeen: boolean): string =>
  `${done}${isSeen ? '.' : ', but nothing happened that can be seen.'}`

const isAsking = (callId: string): boolean =>
  ownRoots().some((root) =>
    [...root.querySelectorAll<HTMLElement>('tool-agent-approval')].some(({ dataset }) => dataset['call'] === callId),
  )

/**
 * Waits until the question of this call is gone, for a limited time: code may approve while the question is above a
 * modal dialog, and then the page below it takes no clicks and no focus.
 */
async function untilQuestionGone({ toolCallId, signal }: Pick<ToolRun, 'toolCallId' | 'signal'>): Promise<void> {
  await until({ done: () => !isAsking(toolCallId), ...patience.question, signal })
}
