// Implements dom_query: tells what is known of the elements that find-elements.ts finds. The result contains only the
// ref and role of an invisible element, and the state of a private field instead of its value.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { withIndex } from '../../core/data/lists.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { ancestor, currentPage, elementsUnder, isTag, parentOf } from '../dom/dom.js'
import { barRoles, barValueOf, isDisabled } from '../dom/field-state.js'
import { numberArgument, redactSecrets, takeSnapshot, textArgument, type PageSnapshot } from '../dom/page-snapshot.js'
import { isAction } from '../dom/roles.js'
import { finish, forEach, type Steps } from '../dom/steps.js'
import { normalizeText, truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { withoutPrivateParameters } from '../sensitive/redact.js'
import { declaredSensitive, holdsTyping, inEditable, sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { deadline, patience } from '../waiting/until.js'
import { looksClickable } from './clickables.js'
import { fieldErrorOf, fieldValueOf } from './field-values.js'
import { isWithheld, type Field } from './field.js'
import { controlNameOf } from './icons.js'
import { ListReading } from './long-lists/list-reading.js'
import { searchedLists } from './long-lists/row-lists.js'
import { looksSelected } from './looks.js'
import { placeOf, placesApart } from './places.js'
import { readInPieces } from './read-in-pieces.js'
import { bySelector, fieldsByMember, findTold, type Conditions } from './find-elements.js'

/** Attributes that are never returned. */
const hiddenAttributes = new Set(['style', 'srcdoc', 'nonce', 'integrity', 'ping'])

/** What is around an element that has no row, heading or name of a part around it: its container. */
function containerOf(element: Element, visibility: Visibility): string {
  const around = ancestor(
    parentOf(element),
    (up) =>
      !isTag(up, 'body', 'html') &&
      (up.id !== '' || /^(dialog|main|navigation|form|region|table|list)$/.test(roleOf(up) ?? '')),
  )
  if (!around) return ''
  const name = accessibleNameOf(around, visibility)
  return truncate(`${roleOf(around) ?? around.localName}${name ? ` "${name}"` : ''}${around.id && `#${around.id}`}`, 80)
}

/** What tells results apart that have one role and name or text, and what is near the others. */
function* contextsOf(found: readonly Element[], snapshot: PageSnapshot): Steps<ReadonlyMap<Element, string>> {
  const { visibility, redact } = snapshot
  // Each is compared with all controls of its role, whose names are remembered.
  const roles = new Set(found.map(roleOf))
  yield* forEach(elementsUnder(currentPage().body, visibility.children), (one) => {
    const role = roleOf(one)
    if (role !== null && roles.has(role)) controlNameOf(one, visibility)
  })
  const equal = new Map<string, Element[]>()
  for (const element of found) {
    const key = `${roleOf(element)}\n${redact(controlNameOf(element, visibility))}`
    equal.set(key, [...(equal.get(key) ?? []), element])
  }
  const contexts = new Map<Element, string>()
  for (const elements of equal.values()) {
    yield
    const places = elements.length > 1 ? placesApart(elements, '', snapshot) : [placeOf(elements[0]!, snapshot)]
    for (const [at, element] of withIndex(elements))
      contexts.set(element, places[at] ?? containerOf(element, visibility))
  }
  return contexts
}

function describe(
  element: Element,
  field: Field | undefined,
  attributes: readonly string[],
  { visibility, refs, redact }: PageSnapshot,
): JsonObject {
  const isClickable = roleOf(element) === null && looksClickable(element, visibility)
  // Icon buttons and gaps between boxes hide their own text only.
  const visible =
    field !== undefined ||
    (visibility.isShown(element) &&
      (visibility.level(element) === 'visible' ||
        visibility.visibleText(element, undefined, 1) !== '' ||
        isClickable ||
        /^(button|tab|menuitem)$/.test(roleOf(element) ?? '') ||
        // Unlike a button, a link has no frame that is visible.
        (roleOf(element) === 'link' && visibility.style(element).backgroundImage !== 'none')))
  const ref = refs.refFor(element, visibility)
  const role = roleOf(element) ?? (isClickable ? 'clickable' : element.localName)
  if (!visible) return { ref, role, visible: false }
  const isPrivate =
    field?.secret !== undefined ||
    (!field && holdsTyping(element) ? sensitiveKindOf(element, '') : declaredSensitive(element)) !== undefined
  const found: Record<string, JsonValue> = {
    ref,
    role,
    name:
      field?.label ??
      (accessibleNameOf(element, visibility) ||
        ((isClickable && visibility.visibleText(element) === '') || isAction(roleOf(element))
          ? controlNameOf(element, visibility)
          : '')),
    visible: true,
  }
  if (field) {
    found[isWithheld(field) ? 'state' : 'value'] = fieldValueOf(field, visibility)
    const error = fieldErrorOf(field, visibility)
    if (error) found['error'] = error
    if (field.secret) found['private'] = field.secret
  } else if (!isPrivate && !inEditable(element)) {
    const text = visibility.visibleText(element)
    const lines = visibility.visibleLines(element)
    // A private value is not recognized if its spaces are others.
    if (text !== '' && text !== found['name']) found['text'] = truncate(redact(text) === text ? lines : text, 500)
  }
  const bar = barRoles.test(role) ? barValueOf(element) : ''
  if (bar !== '') found['value'] = bar
  if (isDisabled(element)) found['disabled'] = true
  if ((isClickable || isAction(roleOf(element))) && looksSelected(element, visibility)) found['looks'] = 'selected'
  for (const state of ['checked', 'expanded', 'selected', 'pressed', 'current', 'sort']) {
    const value = element.getAttribute(`aria-${state}`)
    if (value !== null && !isPrivate)
      found[state] = /^(true|false)$/.test(value) ? value === 'true' : normalizeText(value)
  }
  if (attributes.length > 0 && !isPrivate) {
    found['attributes'] = Object.fromEntries(
      attributes
        .map((name) => name.toLowerCase())
        .filter(
          (name) =>
            !hiddenAttributes.has(name) &&
            !name.startsWith('on') &&
            !(name === 'value' && isTag(element, 'input') && element.type === 'file'),
        )
        .map((name) => {
          const value = element.getAttribute(name)
          return [
            name,
            value === null
              ? null
              : truncate(
                  normalizeText(/^(href|action|formaction|src)$/.test(name) ? withoutPrivateParameters(value) : value),
                  300,
                ),
          ]
        }),
    )
  }
  return found
}

/** Searches the rows of lists that are not in the document. No match has a ref, because it has left again. */
async function findInLists(
  conditions: Conditions,
  { attributes, limit }: { readonly attributes: readonly string[]; readonly limit: number },
  run: ToolRun,
): Promise<JsonObject> {
  const page = takeSnapshot(run)
  const matches: JsonObject[] = []
  const notes: string[] = []
  const isLate = deadline(patience.rows)
  for (const list of searchedLists(page.visibility)) {
    const reading = new ListReading(list, page.refs.refFor(list.root, page.visibility))
    await reading.through(run, isLate, (fresh, snapshot, root) => {
      const rows = new Set(fresh.map(({ element }) => element))
      const fieldOf = fieldsByMember(snapshot.fields())
      for (const element of finish(findTold(conditions, snapshot, root))) {
        if (ancestor(element, (above) => rows.has(above)) === null) continue
        const { ref: _left, ...match } = describe(element, fieldOf.get(element), attributes, snapshot)
        matches.push(redactSecrets({ ...match, in: `list ${reading.ref}` }, snapshot.fields()))
      }
      return matches.length >= limit
    })
    notes.push(reading.note())
    if (matches.length >= limit || !reading.isDone) break
  }
  const found = { count: matches.length, matches: matches.slice(0, limit), note: notes.join('\n') }
  return redactSecrets(found, takeSnapshot(run).fields())
}

/** Finds elements. @throws `invalid-input` if the input has no condition, or if its selector is invalid */
export async function runDomQuery(input: Record<string, unknown>, run: ToolRun): Promise<JsonValue> {
  const [selector, role, name, label, text] = ['selector', 'role', 'name', 'label', 'text'].map((key) =>
    textArgument(input[key]),
  )
  if ([selector, role, name, label, text].every((condition) => condition === undefined))
    throw new ToolAgentError('invalid-input', 'Pass at least one of: selector, role, name, label, text.')
  const conditions = { select: selector === undefined ? undefined : bySelector(selector), role, name, label, text }
  const limit = numberArgument(input['limit'], 1, 100, 20)
  const attributes = Array.isArray(input['attributes'])
    ? input['attributes'].filter((name): name is string => typeof name === 'string')
    : []
  const told = { attributes, limit }
  const { value } = await readInPieces(run, (snapshot) => findOnPage(conditions, told, snapshot))
  const hasWords = text !== undefined || name !== undefined
  return value.count === 0 && hasWords && searchedLists(new Visibility()).length > 0
    ? findInLists(conditions, told, run)
    : value
}

function* findOnPage(
  conditions: Conditions,
  { attributes, limit }: { readonly attributes: readonly string[]; readonly limit: number },
  snapshot: PageSnapshot,
): Steps<{ readonly count: number; readonly matches: JsonObject[] }> {
  const fields = snapshot.fields()
  const fieldOf = fieldsByMember(fields)
  const found = yield* findTold(conditions, snapshot, currentPage().body)
  const listed = found.slice(0, limit)
  // Tells equal texts apart, such as the words of a task and the button that they mean.
  const contexts = conditions.select || found.length < 2 ? undefined : yield* contextsOf(listed, snapshot)
  const matches: JsonObject[] = []
  yield* forEach(listed, (element) => {
    const match = describe(element, fieldOf.get(element), attributes, snapshot)
    const around = match['visible'] === false ? undefined : contexts?.get(element)
    matches.push(around ? { ...match, in: around } : match)
  })
  return redactSecrets({ count: found.length, matches }, fields)
}
