// The icon of the page, as a browser shows it in a tab: of this site, and sharp enough for a button. A data URL is left
// out, because policies that allow the images of a site often forbid those.
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** CSS pixels. A smaller one is not sharp. */
const smallest = 32

/** The address of the icon: an SVG, else the largest PNG. Undefined if there is none. */
export function siteIcon(): string | undefined {
  const links = unclobbered(document).querySelectorAll<HTMLLinkElement>('link[rel~=icon][href]')
  const rated = [...links].flatMap(({ href, type, media, sizes }) => {
    const kind = /svg|png/.exec(type || /\.\w+(?=$|[?#])/.exec(href)?.[0] || '')?.[0]
    const size = kind === 'svg' ? Infinity : parseInt(sizes.value) || smallest
    const fits =
      kind && size >= smallest && href.startsWith(`${location.origin}/`) && (!media || matchMedia(media).matches)
    return fits ? [{ href, size }] : []
  })
  return rated.sort((one, other) => other.size - one.size)[0]?.href
}
