// Reads what page-agent tells its model about a page: one line for each element with an index, and lines of text. Finds
// elements in it as generously as a good model would: by text, attributes, labels and the lines around them.

/**
 * An element with an index, or a line of text, which has no index and no tag.
 * @typedef {{ line: number, depth: number, text: string, index?: number, tag: string, isNew: boolean,
 *   attributes: Record<string, string> }} Item
 */

/** @typedef {import('../hands.mjs').Where} Where */

/** The attributes that page-agent shows. Their values are not quoted, and are cut after 20 characters. */
const shown =
  /(?:^|\s)(title|type|checked|name|role|value|placeholder|data-date-format|alt|aria-label|aria-expanded|data-state|aria-checked|id|for|target|aria-haspopup|aria-controls|aria-owns|contenteditable|data-scrollable)=/

/** @param {string} text */
function attributesIn(text) {
  const [, ...parts] = text.split(shown)
  /** @type {Record<string, string>} */
  const attributes = {}
  for (let at = 0; at < parts.length; at += 2) attributes[parts[at] ?? ''] = (parts[at + 1] ?? '').trim()
  return attributes
}

/**
 * The items of a browser state, in the order of the document.
 * @param {string} state
 * @returns {Item[]}
 */
export function itemsIn(state) {
  /** @type {string[]} */
  const entries = []
  let isOpen = false
  // Before the elements come the title, the address and the size of the page.
  const content = state.replace(/^[\s\S]*?^(?:\[Start of page\]|\.\.\. \d+ pixels above.*)\n/m, '')
  for (const line of content.split('\n')) {
    // The text of an element may have several lines.
    if (isOpen) entries.push(`${entries.pop()}\n${line}`)
    else entries.push(line)
    isOpen = /^\t*\*?\[\d+\]</.test(entries.at(-1) ?? '') && !line.endsWith(' />')
  }
  return entries.map((entry, line) => {
    const [, tabs = '', isNew = '', index, tag = '', attributes = '', text = ''] =
      /^(\t*)(\*?)\[(\d+)\]<([^\s>]+)(.*?)(?:>([\s\S]*?))? \/>$/.exec(entry) ?? []
    if (index === undefined) return { line, depth: 0, text: entry.trim(), tag: '', isNew: false, attributes: {} }
    return {
      line,
      depth: tabs.length,
      text: text.trim(),
      index: Number(index),
      tag,
      isNew: isNew !== '',
      attributes: attributesIn(attributes),
    }
  })
}

export const plain = (/** @type {string} */ text) => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** The words of an id or a name, such as `firstName` or `first-name`. @param {string} text */
const words = (text) => plain(text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' '))

const inputRoles = new Map(
  Object.entries({
    checkbox: 'checkbox',
    radio: 'radio',
    range: 'slider',
    search: 'searchbox',
    number: 'spinbutton',
    button: 'button',
    submit: 'button',
    reset: 'button',
    image: 'button',
  }),
)
const tagRoles = new Map(
  Object.entries({ a: 'link', button: 'button', select: 'combobox', textarea: 'textbox', summary: 'button' }),
)

/** What an element is, as far as the state tells. @param {Item} item */
export function roleOf({ tag, attributes: { role, type = 'text', contenteditable } }) {
  if (role !== undefined) return role
  if (tag === 'input') return inputRoles.get(type) ?? 'textbox'
  if (contenteditable !== undefined && contenteditable !== 'false') return 'textbox'
  return tagRoles.get(tag) ?? 'clickable'
}

const fieldRoles = new Set(
  'textbox searchbox spinbutton slider combobox listbox checkbox switch radio menuitemcheckbox'.split(' '),
)
/** Whether a value can be given to it. @param {Item} item */
export const isField = (item) => item.index !== undefined && fieldRoles.has(roleOf(item))
/** Whether text can be typed into it. @param {Item} item */
export const isTextField = (item) =>
  (item.tag === 'input' &&
    !/^(?:checkbox|radio|button|submit|reset|image|file)$/.test(item.attributes['type'] ?? '')) ||
  item.tag === 'textarea' ||
  (item.attributes['contenteditable'] ?? 'false') !== 'false'

/** What the items inside an item are. @param {readonly Item[]} items @param {Item} item */
function contentsOf(items, item) {
  const rest = items.slice(item.line + 1)
  const end = rest.findIndex(({ depth }) => depth <= item.depth)
  return item.index === undefined ? [] : rest.slice(0, end < 0 ? undefined : end)
}

/** The item around an item. @param {readonly Item[]} items @param {Item} item */
const parentOf = (items, item) => items.slice(0, item.line).findLast(({ depth }) => depth < item.depth)

const known = (/** @type {(string | undefined)[]} */ names) => names.flatMap((name) => (name ? [plain(name)] : []))

/** Whether an item is the label of a field that is there. @param {readonly Item[]} items @param {Item} item */
const isLabel = (items, item) =>
  item.tag === 'label' &&
  (contentsOf(items, item).some(isField) ||
    items.some(({ attributes: { id } }) => id !== undefined && id === item.attributes['for']))

/** The text of an item and of everything inside it. @param {readonly Item[]} items @param {Item} item */
const wholeText = (items, item) => [item.text, ...contentsOf(items, item).map(({ text }) => text)].join(' ')

/**
 * The texts that name an item: those that belong to it, and those that are only close to it.
 * @param {readonly Item[]} items
 * @param {Item} item
 */
export function namesOf(items, item) {
  const { attributes, text } = item
  const isTicked = ['checkbox', 'radio', 'switch'].includes(roleOf(item))
  const own = [text, ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => attributes[name])]
  if (!isTextField(item) && !isTicked) own.push(attributes['value'])
  const { id } = attributes
  const parent = parentOf(items, item)
  const close = [attributes['name'], id].map((one) => one && words(one))
  if (isField(item)) {
    const labels = items.filter((one) => id !== undefined && one.attributes['for'] === id)
    if (parent?.tag === 'label') labels.push(parent)
    own.push(...labels.flatMap((label) => [label.text, wholeText(items, label)]))
    // A field without a label is named by the text before it, and a small box to tick by the text after it.
    const isText = (/** @type {Item | undefined} */ one) =>
      one?.index === undefined || (one.tag === 'label' && !isLabel(items, one))
    const beside = items[item.line + (isTicked && item.tag === 'input' ? 1 : -1)]
    if (known(own).length === 0 && beside && isText(beside)) own.push(beside.text)
    else if (isText(items[item.line - 1])) close.push(items[item.line - 1]?.text)
    close.push(parent?.text)
  }
  // A box with several elements shows the text of all of them.
  if (!isField(item)) close.push(wholeText(items, item))
  return { own: known(own), close: known(close) }
}

/** How well a name fits, from 0; undefined if it does not. @param {string} name @param {string} wanted */
function fit(name, wanted) {
  const without = (/** @type {string} */ text) => text.replace(/[\s*:]+$/, '')
  if (without(name) === without(wanted)) return 0
  // page-agent cuts the values of attributes.
  if (name.endsWith('...') && wanted.startsWith(name.slice(0, -3))) return 1
  if (name.startsWith(wanted)) return 2
  return name.includes(wanted) ? 3 : undefined
}

/**
 * The element that a name means, or undefined. See `Where` for the other arguments; `isRight` limits the choice.
 * @param {readonly Item[]} items
 * @param {string} name
 * @param {Where & { isRight?: (item: Item) => boolean }} [where]
 * @returns {Item | undefined}
 */
export function findItem(items, name, { role, near: under, beside, inside, isRight = () => true } = {}) {
  const wanted = plain(name)
  // What a label says is said of its field.
  const all = items.filter((item) => item.index !== undefined && isRight(item) && !isLabel(items, item))
  const ranked = all.flatMap((item) => {
    const { own, close } = namesOf(items, item)
    const fits = [
      ...own.map((one) => fit(one, wanted)),
      ...close.map((one) => fit(one, wanted)).map((one) => (one === undefined ? undefined : one + 4)),
    ].filter((one) => one !== undefined)
    if (wanted !== '' && fits.length === 0) return []
    const size = Math.min(...own.filter((one) => one.includes(wanted)).map((one) => one.length), 10_000)
    return [{ item, rank: wanted === '' ? 0 : Math.min(...fits), size }]
  })
  const hasRole = ranked.filter(({ item }) => roleOf(item) === role)
  const candidates = hasRole.length > 0 ? hasRole : ranked
  const best = (/** @type {typeof ranked} */ some) =>
    some.toSorted((one, other) => one.rank - other.rank || one.size - other.size || one.item.line - other.item.line)[0]
      ?.item
  const anchorText = under ?? beside ?? inside
  if (anchorText === undefined) return best(candidates)
  const anchors = anchorsOf(items, anchorText)
  if (inside !== undefined)
    for (const anchor of anchors)
      for (let around = anchor; around; around = /** @type {Item} */ (parentOf(items, around))) {
        if (around.index === undefined) break
        const inner = new Set(contentsOf(items, around))
        const found = best(candidates.filter(({ item }) => inner.has(item)))
        if (found) return found
      }
  const distance = (/** @type {Item} */ item) => Math.min(...anchors.map(({ line }) => Math.abs(item.line - line)))
  const nearest = (/** @type {typeof ranked} */ some) =>
    some.toSorted((one, other) => one.rank - other.rank || distance(one.item) - distance(other.item))[0]?.item
  const around = candidates.filter(({ item }) => distance(item) <= 3)
  if (beside !== undefined) return nearest(around)
  const below = candidates.filter(({ item }) => anchors.some(({ line }) => item.line >= line))
  return nearest(below) ?? nearest(around)
}

/** The items that have a text, the smallest first. @param {readonly Item[]} items @param {string} text */
function anchorsOf(items, text) {
  const sizeOf = (/** @type {Item} */ item) =>
    Math.min(
      ...[item.text, ...Object.values(item.attributes)]
        .map((one) => plain(one))
        .filter((one) => fit(one, plain(text)) !== undefined)
        .map((one) => one.length),
    )
  const sized = items.map((item) => ({ item, size: sizeOf(item) })).filter(({ size }) => size < Infinity)
  // Each part of a text that is not of one element has a line of its own.
  if (sized.length === 0)
    for (const item of items.filter(({ index }) => index === undefined)) {
      const after = items.slice(item.line, item.line + 3).map((one) => one.text)
      const size = plain(after.join(' ')).length
      if (fit(plain(after.join(' ')), plain(text)) === 2) sized.push({ item, size })
    }
  return sized
    .toSorted((one, other) => one.size - other.size || one.item.line - other.item.line)
    .map(({ item }) => item)
}
