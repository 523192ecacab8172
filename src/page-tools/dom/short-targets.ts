// Shortens the addresses of links, for the outline of a page with many links: a list of links would otherwise be mostly
// addresses.
import { toComparable } from './text.js'

/** Of the addresses in one folder, this many are listed. */
const listedPerFolder = 3
/** Characters. A longer address is shown without its query. */
const longest = 100

/** Whether the name of a link has all words of the last part of its address. */
function isNamed(last: string, name: string): boolean {
  const words = toComparable(last)
  return words !== '' && ` ${toComparable(name)} `.includes(` ${words} `)
}

/**
 * Shortens the addresses of one outline, one after the other: call it once for each address. The first `few` are listed
 * in full. A later one on this site becomes '' if the name of the link says the same, or if three addresses in its
 * folder were listed. Of an address on another site, at least the site remains.
 */
export function shortTargets(few: number): (target: string, name: string) => string {
  let count = 0
  const inFolder = new Map<string, number>()
  return (target, name) => {
    const [, site = '', path = '', rest = ''] = /^(https?:\/\/[^/?#]+)?([^?#]*)(.*)$/.exec(target) ?? []
    // The scheme of another kind of address says what a click does.
    if (/^[a-z]+:/.test(path)) return target
    const start = path.replace(/\/$/, '').lastIndexOf('/') + 1
    const folder = site + path.slice(0, start)
    const before = inFolder.get(folder) ?? 0
    inFolder.set(folder, before + 1)
    if (++count > few && (before >= listedPerFolder || (rest === '' && isNamed(path.slice(start), name))))
      return site && `${site}/…`
    return target.length > longest && rest.startsWith('?') ? `${site}${path}?…` : target
  }
}
