// Finds what is dragged, and where: also parts, lists and headings, on which nobody clicks.
import { ToolAgentError } from '../../../core/data/errors.js'
import { ancestor, currentPage, elementsUnder, isTag, parentOf } from '../../dom/dom.js'
import { nameOrText, roleOf } from '../../dom/accessible-name.js'
import { isRef } from '../../dom/element-refs.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { foldName } from '../../dom/text.js'
import { findPart } from '../../read/find-part.js'
import { isInsidePrivate } from '../../read/named-parts.js'
import { resolveActionTarget } from '../resolve-target.js'
import { lists } from './boxes.js'

const handleRoles = /^(slider|separator|scrollbar|listitem|row|gridcell|cell|article|group|img|figure|treeitem)$/

/** The only element with one of the roles and the whole name. */
function namedWith(roles: RegExp, asked: string, snapshot: PageSnapshot): Element | undefined {
  const { visibility, redact } = snapshot
  const wanted = foldName(asked)
  const found = [...elementsUnder(currentPage().body)].filter(
    (one) =>
      roles.test(roleOf(one) ?? '') &&
      visibility.isShown(one) &&
      !isInsidePrivate(one, snapshot) &&
      foldName(redact(nameOrText(one, visibility))) === wanted,
  )
  return wanted !== '' && found.length === 1 ? found[0] : undefined
}

/** Resolves as a click does, or else by another step; the error is that of the click. */
function orElse(resolve: () => Element, other: () => Element | undefined): Element {
  try {
    return resolve()
  } catch (error) {
    const found = error instanceof ToolAgentError && error.code === 'invalid-input' ? other() : undefined
    if (found) return found
    throw error
  }
}

/**
 * What is dragged: as for a click, or a handle, slider or item with this name, or a heading, by which a hand takes a
 * card. @throws as `resolveActionTarget`
 */
export function resolveDragged(asked: string, snapshot: PageSnapshot): Element {
  return orElse(
    () => resolveActionTarget(asked, undefined, snapshot),
    () =>
      namedWith(handleRoles, asked, snapshot) ?? namedWith(/^heading$/, asked, snapshot) ?? findPart(asked, snapshot),
  )
}

const partRoles = /^(region|group|list|listbox|grid|tree|table|article|complementary|form|main|navigation)$/

/** The part under a heading: the box around it that has more than the heading. */
function partUnder(heading: Element): Element | undefined {
  const part = ancestor(
    parentOf(heading),
    (above) => above.querySelector(lists) !== null || above.children.length > 1 || isTag(above, 'body'),
  )
  return isTag(part, 'body') ? undefined : (part ?? undefined)
}

/** Where it is dropped: a part with this name, what a click would mean, or the part under this heading. */
export function resolveDestination(asked: string, snapshot: PageSnapshot): Element {
  if (isRef(asked)) return resolveActionTarget(asked, undefined, snapshot)
  return (
    namedWith(partRoles, asked, snapshot) ??
    orElse(
      () => resolveActionTarget(asked, undefined, snapshot),
      () => {
        const heading = namedWith(/^heading$/, asked, snapshot)
        return (heading && partUnder(heading)) ?? namedWith(handleRoles, asked, snapshot) ?? findPart(asked, snapshot)
      },
    )
  )
}
