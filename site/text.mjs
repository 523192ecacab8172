// Helpers for text in HTML.

/** Text as HTML. @param {string} text */
export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The text of HTML, on one line. @param {string} html */
export function textOf(html) {
  return html
    .replaceAll(/<\/?(?:a|code|em|span|strong)(?: [^>]*)?>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The id of a heading, as GitHub makes it. @param {string} text */
export function anchorOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** At most this many characters, cut at a word. @param {string} text @param {number} length */
export function shorten(text, length) {
  if (text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\s,;:(]*\S*$/, '')} …`
}

/** The path from one page to another page or file of the site. @param {string} from @param {string} to */
export function relative(from, to) {
  const [path = '', hash] = to.split('#')
  if (path === from && hash !== undefined) return `#${hash}`
  const shown = path === from ? path.split('/').at(-1) : '../'.repeat(from.split('/').length - 1) + path
  return hash === undefined ? `${shown}` : `${shown}#${hash}`
}
