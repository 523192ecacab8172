// Names controls without a text by their icon: its title, what the markup calls it (an attribute, the id of a symbol,
// the class of an icon font, a ligature, the file of an image), or at last the words of any class. Neither the
// characters of icon fonts nor the paths of drawings are read: they differ in each version of each set.
import { elementsUnder, isTag, parentOf } from '../dom/dom.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import { asLabel, saysNothing, toComparable, toReadable, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { inEditable } from '../sensitive/sensitive-fields.js'

/** Attributes that browsers or libraries show as a text of an icon. */
export const textAttributes = ['aria-label', 'alt', 'title', 'data-tooltip', 'data-original-title']
/** Attributes in which libraries keep the name of an icon. */
const nameAttributes = ['data-icon', 'data-lucide', 'data-feather', 'data-icon-name', 'icon', 'icon-name', 'uk-icon']
/** Words of classes that name a library, a size or a place. */
const unhelpful = new RegExp(
  '^(fa[a-z]?|icons?|ico|btn|buttons?|glyphicon|material|symbols?|outlined|rounded|sharp|svg|inline|block|flex|grid|' +
    'small|medium|large|primary|secondary|default|solid|regular|light|active|focus|hover|clickable|pointer|link|item|' +
    'cell|col|row|container|wrapper|inner|outer|box|toolbar|format|formats|image|img|has|the|and|root|base|main|' +
    'widget|component|element|class|style|css|control|controls|action|actions|group|left|right|top|bottom|sprites?)$',
)
/** Classes of icon fonts and sets, whose rest is the name of the icon. */
const iconClass = new RegExp(
  '^(?:fa[srlbdt]?|bi|ti|mdi|ri|ph|las?|pi|bxs?|uil|cil|lucide|codicon|octicon|glyphicon|anticon|feather|icofont|' +
    'zmdi|typcn|iconoir|heroicon|el-icon|(?:ui|tabler|vs|dx)-icon|icon-tabler|' +
    'i-(?:lucide|mdi|heroicons|tabler|ph|carbon))-(.+)$',
)
/** Classes of an icon font that say how the icon looks. */
const look = new RegExp(
  '^(solid|regular|light|thin|duotone|brands?|fw|li|ul|lg|xl|xs|sm|md|\\d+x?|spin.*|pulse|border|stack.*|inverse|' +
    'rotate.*|flip.*|beat|fade|bounce|shake|modifier.*|size.*)$',
)
/** Classes of style libraries that say how an element looks and where it stands, not what it is. */
const utility = new RegExp(
  '^-?(?:[mp][trblxyse]?|[wh]|z|d|g[xy]?|gap|space|inset|top|left|right|bottom|start|end|min|max|size|text|font|bg|' +
    'border|rounded|shadow|items|justify|self|content|align-(?:items|self|content)|float|position|flex|grid|col|row|' +
    'order|basis|grow|shrink|opacity|overflow|cursor|transition|duration|ease|ring|outline|leading|tracking|' +
    'whitespace|object|fill|stroke|select|pointer-events|rotate|scale|divide|sr)(?:-[trblxyse])?-' +
    '(?:\\d[\\w./%]*|auto|full|screen|none|px|xs|sm|md|lg|xl|center|start|end|between|around|evenly|baseline|stretch|' +
    'white|black|transparent|current|bold|semibold|medium|light|normal|circle|pill|pointer|hidden|visible|nowrap|' +
    'wrap|row|col|column|inline|block|flex|grid|only|colors|all|primary|secondary|success|danger|' +
    'warning|info|dark|muted|[a-z]+-\\d{2,3})$|[:[]|^(?:relative|absolute|fixed|sticky|static|' +
    'hidden|visible|rounded|border|shadow|truncate|' +
    'uppercase|lowercase|capitalize|italic|underline|antialiased|fade|show|collapsed?)$',
)
/** Ends of the names of icons that say how they are drawn. */
const variant = /\b(icons?|outlined?|filled|fill|solid|rounded?|sharp|twotone|\d+px|svg)\b/g

/** The name of an icon in words; '' if it is a generated code. */
function inWords(name: string): string {
  const last = name.split(/[:/]/).at(-1) ?? ''
  const words = toComparable(last.replaceAll(/[_-]+/g, ' '))
    .replace(variant, '')
    // The number of a drawing: `trash-2`, `trash3`.
    .replace(/(?<=\p{L}{3})\s*\d{1,2}\s*$/u, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words.split(' ').some((word) => /^[a-f\d]*\d[a-f\d]*$|^[b-df-hj-np-tv-xz\d]{5,}$/.test(word))
    ? ''
    : truncate(words, 40)
}

/** The words of a file name; '' for what a camera or a build gave it. */
function fileWords(address: string): string {
  if (/^(data|blob):/i.test(address)) return ''
  const [, name = ''] = /([^/?#]+?)(?:@\dx)?\.(?:svg|png|gif|webp|avif|ico)(?:[?#].*)?$/i.exec(address) ?? []
  const words = inWords(name.replaceAll('%20', ' ').replace(/\.[\da-f]{6,}$|[-_.][\da-f]{8,}$/i, ''))
  return words
    .split(' ')
    .filter((word) => !unhelpful.test(word))
    .join(' ')
}

const urlIn = (value: string): string => /^url\("?([^")]+)"?\)/.exec(value)?.[1] ?? ''

/** The words of a ligature, of which a font makes an icon. */
function ligatureOf(element: Element): string {
  const isFont =
    /(^|\s)(mat-icon|material-(icons|symbols))/.test(element.getAttribute('class') ?? '') ||
    /^(mat|md|mwc)-icon$/.test(element.localName)
  const text = isFont && element.childElementCount === 0 ? (element.textContent ?? '').trim() : ''
  return /^[a-z][a-z\d_]{1,40}$/.test(text) ? text.replaceAll('_', ' ') : ''
}

/** What the markup calls an icon; '' if nothing does. */
function iconName(element: Element): string {
  const named = nameAttributes.map((name) => element.getAttribute(name) ?? '')
  // Libraries of components: `<ion-icon name="trash">`, `data-testid="DeleteIcon"`.
  if (/(^|-)icon$/.test(element.localName)) named.push(element.getAttribute('name') ?? '')
  named.push(/^(\w+)Icon$/.exec(element.getAttribute('data-testid') ?? '')?.[1] ?? '')
  const use = element.localName === 'svg' ? element.querySelector('use') : null
  named.push(/#(.+)$/.exec(use?.getAttribute('href') ?? use?.getAttribute('xlink:href') ?? '')?.[1] ?? '')
  for (const one of element.getAttribute('class')?.split(/\s+/) ?? []) {
    const [, rest = ''] = iconClass.exec(one) ?? []
    if (!look.test(rest)) named.push(rest)
  }
  // A title further inside is that of a part, such as of a layer of a drawing.
  const title = element.localName === 'svg' ? (element.querySelector(':scope > title')?.textContent ?? '') : ''
  return named.map(inWords).find(Boolean) || asLabel(title) || ligatureOf(element)
}

/** The name of the file of an image, drawn as an image, a background or a mask. */
function imageName(element: Element, visibility: Visibility): string {
  if (isTag(element, 'img', 'input')) return fileWords(element.getAttribute('src') ?? '')
  const style = visibility.style(element)
  return fileWords(urlIn(style.backgroundImage)) || fileWords(urlIn(style.maskImage ?? ''))
}

/** The class of an element in words, without classes that its siblings share; '' if no word remains. */
function classWords(element: Element): string {
  const classesOf = (one: Element): string[] => (one.getAttribute('class') ?? '').split(/\s+/).filter(Boolean)
  const siblings = [...(element.parentElement?.children ?? [])].filter((one) => one !== element)
  const shared = new Set(siblings.flatMap(classesOf))
  const words = classesOf(element)
    .filter((name) => !shared.has(name) && !utility.test(name))
    .flatMap((name) => toComparable(name).split(' '))
    // Generated names have digits, or no vowel.
    .filter((word) => /^(up|on|off|\p{L}{3,20})$/u.test(word) && /[^\P{L}b-df-hj-np-tv-xz]/u.test(word))
    .filter((word, index, all) => !unhelpful.test(word) && all.indexOf(word) === index)
  return words.slice(0, 4).join(' ')
}

/** A box with more elements is no button. Reading their texts for each of them would take quadratic time. */
const mostParts = 5

/** The title of a box that holds nothing else to see: the browser shows it over all that is inside. */
function titleAround(element: Element, visibility: Visibility): string | undefined {
  let up = parentOf(element)
  for (let level = 0; up && level < 2 && up.childElementCount <= mostParts; level++, up = parentOf(up)) {
    const title = asLabel(up.getAttribute('title') ?? '')
    if (title !== '') return visibility.visibleText(up) === '' ? title : undefined
    if (up.childElementCount > 1) return undefined
  }
  return undefined
}

/** The parts of an element that may be icons. */
const partsOf = (element: Element, visibility: Visibility): Element[] =>
  [...elementsUnder(element)].slice(0, 40).filter((one) => visibility.isShown(one) && !inEditable(one))

/** What the icons in an element are called by their markup or their files. */
export const iconNames = (element: Element, visibility: Visibility): string[] =>
  partsOf(element, visibility)
    .map((one) => iconName(one) || imageName(one, visibility))
    .filter((name) => name !== '')

/** A name for an element without text: what its icon says, or its class in words; '' if there is nothing. */
export function hint(element: Element, visibility: Visibility): string {
  const parts = partsOf(element, visibility)
  for (const one of parts) {
    const own = one === element ? '' : accessibleNameOf(one, visibility)
    const texts = [own, ...textAttributes.map((attribute) => asLabel(one.getAttribute(attribute) ?? ''))]
    const name = texts.find((text) => text !== '' && !(isTag(one, 'img', 'input') && saysNothing(text)))
    if (name !== undefined) return name
  }
  return (
    titleAround(element, visibility) ??
    parts.map(iconName).find(Boolean) ??
    parts.map((one) => imageName(one, visibility)).find(Boolean) ??
    parts.map(classWords).find(Boolean) ??
    toReadable(element.id)
  )
}

/** Whether a control is named by nothing but a picture whose `alt` says nothing, such as "icon". */
const isNamedByEmptyAlt = (element: Element, name: string, visibility: Visibility): boolean =>
  saysNothing(name) &&
  !element.hasAttribute('aria-label') &&
  !element.hasAttribute('aria-labelledby') &&
  [...elementsUnder(element)].some((one) => isTag(one, 'img', 'input') && one.alt.trim() !== '') &&
  visibility.visibleText(element) === ''

/** What an item of a menu or tree contains besides its own text. */
export const submenus = 'ul,[role=group],[role=menu]'

/** The name of a control, as the outline shows it. That of an item of a menu is without its submenu. */
export const controlNameOf = cachedPerSnapshot((element: Element, visibility: Visibility) => {
  const own =
    roleOf(element)?.endsWith('item') && element.querySelector(submenus)
      ? visibility.visibleText(element, (inner) => inner.matches(submenus))
      : ''
  const name = accessibleNameOf(element, visibility)
  return (
    truncate(own, 120) ||
    (name !== '' && isNamedByEmptyAlt(element, name, visibility) ? hint(element, visibility) || name : name) ||
    truncate(visibility.visibleText(element), 200) ||
    hint(element, visibility)
  )
})
