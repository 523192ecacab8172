// Finds a part of the page by ref, name, role or selector. Loaded with the first call that names a part.
import { registerUncommonFields } from './uncommon/uncommon-fields.js'
import { registerHarmlessPhrases } from '../sensitive/harmless-phrases.js'
import { ToolAgentError } from '../../core/data/errors.js'
import { elementsUnder, currentPage } from '../dom/dom.js'
import { toComparable, truncate } from '../dom/text.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { refNamed } from '../dom/element-refs.js'
import { takeSnapshot } from '../dom/page-snapshot.js'
import type { PageSnapshot, RunLike } from '../dom/page-snapshot.js'

registerUncommonFields()
registerHarmlessPhrases()

const partsOfPages = 'main,nav,header,footer,aside,section,form,dialog,table,fieldset,[role]'

/** The landmark, form, dialog, table or group with this ref, name or role. @throws `stale-ref` */
export function findPart(
  scope: string,
  { visibility, redact, isInsidePrivate, element }: PageSnapshot,
): Element | undefined {
  const ref = refNamed(scope)
  if (ref !== undefined) return element(ref)
  const wanted = toComparable(scope)
  const parts = [...elementsUnder(currentPage().documentElement)].filter(
    (one) => Element.prototype.matches.call(one, partsOfPages) && visibility.hasBox(one) && !isInsidePrivate(one),
  )
  if (wanted === '') return undefined
  return (
    parts.find((one) => toComparable(redact(accessibleNameOf(one, visibility))) === wanted) ??
    parts.find((one) => roleOf(one) === scope)
  )
}

/** See `takePartialSnapshot`. */
export async function findInSnapshot(run: RunLike, scope: string): Promise<{ snapshot: PageSnapshot; part: Element }> {
  const first = takeSnapshot(run)
  const named = findPart(scope, first)
  if (named) return { snapshot: first, part: named }
  const { parseSelector, selectElements } = await import('../sensitive/selectors.js')
  // The page may have changed while the chunk was loading.
  const snapshot = takeSnapshot(run)
  const list = parseSelector(scope)
  const part = list && selectElements(list, snapshot).find((one) => snapshot.visibility.hasBox(one))
  if (part) return { snapshot, part }
  throw new ToolAgentError(
    'invalid-input',
    `No part of the page matches ${JSON.stringify(truncate(scope, 80))}. Pass a ref, name, role or CSS selector. ` +
      `The page has:\n${snapshot.currentItems()}`,
  )
}
