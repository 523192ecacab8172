// What a fill may do: change values. Everything else that its events lead to is held, or stopped.
import { currentPage, elementsUnder, frameDocument } from '../dom/dom.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { isAbove, type Effect } from '../../core/data/effect.js'
import { guardAction, type ActionGuard, type Border } from './action-guard.js'

/** All documents and shadow roots of the page that can be read. */
export function pageRoots(): (Document | ShadowRoot)[] {
  return [
    document,
    ...[...elementsUnder(currentPage().documentElement)].flatMap((element) =>
      [element.shadowRoot, frameDocument(element)].filter((root) => root !== null),
    ),
  ]
}

/** Guards the page while fields are filled. The caller must end it. Without `border` nothing is held. */
export function guardFill({ permission }: Pick<ToolRun, 'permission'>, border?: Border): ActionGuard {
  const allowed: Effect = permission && isAbove(permission.effect, 'value') ? permission.effect : 'value'
  // A fill is predicted on this site. Another one is that which an earlier attempt was stopped before.
  const site = permission?.stopped?.find((one) => one.site !== undefined)?.site
  return guardAction({ effect: allowed, by: permission?.by ?? 'rule', site }, pageRoots(), border)
}
