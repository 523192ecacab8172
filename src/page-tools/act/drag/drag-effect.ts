// Predicts the effect of a drag: the order within a list and the place of a handle are values. Where something goes to
// another place, nobody knows what the page does with it. Words of the destination only raise the effect.
import type { Effect } from '../../../core/data/effect.js'
import { ancestor, isElement, parentOf } from '../../dom/dom.js'
import { accessibleNameOf, roleOf } from '../../dom/accessible-name.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { hint } from '../../read/icons.js'
import { nameOf } from '../../effects/control-effect.js'
import { declaredEffect } from '../../effects/declared-effects.js'
import { moreSerious } from '../../effects/predict-effect.js'
import { effectOfWords, namesBin } from '../../effects/match-vocabulary.js'
import { itemsOfOneList, type Goal } from './boxes.js'

/** Whether a handle says which value it has. */
const isHandle = (element: Element): boolean =>
  ancestor(
    element,
    (above) => /^(slider|separator|scrollbar)$/.test(roleOf(above) ?? '') && above.hasAttribute('aria-valuenow'),
  ) !== null

/** The class that the destination announces: its own name, and the names of the parts around it and not around both. */
function effectOfNames(destination: Element, source: Element, snapshot: PageSnapshot): Effect | undefined {
  const { visibility, redact } = snapshot
  let most: Effect | undefined
  const note = (effect: Effect | undefined): void => {
    if (effect) most = moreSerious(effect, most)
  }
  note(effectOfWords(nameOf(destination, snapshot)))
  for (let node: Element | null = destination; node && !node.contains(source); node = parentOf(node)) {
    const heading = [...node.children].find((one) => isElement(one) && roleOf(one) === 'heading')
    const names = [accessibleNameOf(node, visibility), heading ? visibility.visibleText(heading) : '']
    if (node === destination) names.push(hint(node, visibility), visibility.visibleText(node))
    const text = redact(names.filter((name) => name.length <= 80).join('\n'))
    for (const name of text.split('\n')) note(effectOfWords(name))
    if (namesBin(text, `${node.id} ${node.getAttribute('class') ?? ''}`)) note('destroy')
  }
  return most
}

/** The effect of a drag. */
export function dragEffect(source: Element, goal: Goal, snapshot: PageSnapshot): Effect {
  const declaredFor = (element: Element, predicted: Effect): Effect =>
    declaredEffect(element, undefined, { predicted, snapshot })
  if ('by' in goal) return declaredFor(source, isHandle(source) ? 'value' : 'unknown')
  const { element } = goal
  const byPlace: Effect = itemsOfOneList(source, element) ? 'value' : 'unknown'
  const effect = moreSerious(byPlace, effectOfNames(element, source, snapshot))
  return moreSerious(declaredFor(source, effect), declaredFor(element, effect))
}
