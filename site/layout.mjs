// The HTML around the content of a page: head, header, navigation, contents of the page, previous and next page.
import { escapeHtml, relative } from './text.mjs'

/**
 * Everything comes from the site itself, and no script is inline. Set in the page, so that any static server will do.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * @typedef {import('./navigation.mjs').Section} Section
 * @typedef {import('./navigation.mjs').Entry} Entry
 * @typedef {import('./markdown.mjs').Heading} Heading
 *
 * @typedef {object} PageParts
 * @property {string} url
 * @property {string} title for the window
 * @property {string} description
 * @property {string} html
 * @property {readonly Heading[]} [headings]
 * @property {{ previous?: Entry | undefined, next?: Entry | undefined }} [around]
 * @property {boolean} [isLanding]
 */

/** A whole page. @param {PageParts} page @param {readonly Section[]} sections */
export function pageHtml({ url, title, description, html, headings = [], around = {}, isLanding = false }, sections) {
  const to = (/** @type {string} */ target) => escapeHtml(relative(url, target))
  const base = '../'.repeat(url.split('/').length - 1)
  return `<!doctype html>
<html lang="en"${isLanding ? ' class="landing"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${base}assets/icon.svg" type="image/svg+xml">
<script src="${base}assets/theme.js"></script>
<link rel="stylesheet" href="${base}assets/site.css">
<script type="module" src="${base}assets/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a id="menu" href="#navigation">Menu</a>
<a class="brand" href="${base}index.html"${isLanding ? ' aria-current="page"' : ''}><img src="${base}assets/icon.svg" alt="" width="26" height="26">tool-agent</a>
<nav aria-label="Main">
<a href="${base}start.html">Docs</a>
<a href="${base}api/index.html">API</a>
<a href="${base}playground/index.html">Playground</a>
</nav>
<button type="button" id="search" data-base="${base}" aria-keyshortcuts="/ Control+K" hidden><span>Search</span> <kbd>/</kbd></button>
<button type="button" id="theme" aria-pressed="false" hidden>Dark</button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Documentation">
<a class="menu-close" href="#content">Close the menu</a>
${sections.map((section) => sectionHtml(section, url, to)).join('\n')}
</nav>
<div class="page">
${contentsHtml(headings)}
<main id="content" tabindex="-1">
${html}
${aroundHtml(around, to)}
</main>
</div>
</div>
<footer class="foot">
<p>MIT licence. This site sets no cookies and loads nothing from other sites.</p>
</footer>
</body>
</html>
`
}

/** @param {Section} section @param {string} url @param {(target: string) => string} to */
function sectionHtml({ title, entries }, url, to) {
  const items = entries.map((entry) => {
    const inside = entry.inside ?? []
    const isOpen = entry.url === url || inside.some((one) => one.url === url)
    const list =
      isOpen && inside.length > 0
        ? `\n<ul>${inside.map((one) => `<li>${linkHtml(one, url, to)}</li>`).join('')}</ul>`
        : ''
    return `<li>${linkHtml(entry, url, to)}${list}</li>`
  })
  return `<p class="group">${title}</p>\n<ul>\n${items.join('\n')}\n</ul>`
}

/** @param {Entry} entry @param {string} url @param {(target: string) => string} to */
function linkHtml({ url: target, title }, url, to) {
  const current = target === url ? ' aria-current="page"' : ''
  return `<a href="${to(target)}"${current}>${escapeHtml(title)}</a>`
}

/** @param {readonly Heading[]} headings */
function contentsHtml(headings) {
  if (headings.filter(({ depth }) => depth === 2).length < 2) return ''
  /** @type {string[]} */
  const items = []
  let isInside = false
  for (const { depth, id, text } of headings) {
    if (depth === 2) {
      items.push(
        `${isInside ? '</ul>' : ''}${items.length > 0 ? '</li>' : ''}<li><a href="#${id}">${escapeHtml(text)}</a>`,
      )
      isInside = false
    } else if (items.length > 0) {
      items.push(`${isInside ? '' : '<ul>'}<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
      isInside = true
    }
  }
  return `<nav class="contents" aria-label="On this page">
<details id="contents" open><summary>On this page</summary>
<ul>${items.join('\n')}${isInside ? '</ul>' : ''}</li></ul>
</details>
</nav>`
}

/** @param {{ previous?: Entry | undefined, next?: Entry | undefined }} around @param {(target: string) => string} to */
function aroundHtml({ previous, next }, to) {
  if (previous === undefined && next === undefined) return ''
  /** @param {string} rel @param {string} label @param {Entry | undefined} entry */
  const link = (rel, label, entry) =>
    entry === undefined
      ? ''
      : `<a class="${rel}" rel="${rel}" href="${to(entry.url)}"><span>${label}</span> ${escapeHtml(entry.title)}</a>`
  return `<nav class="around" aria-label="Previous and next page">${link('prev', 'Previous', previous)}${link('next', 'Next', next)}</nav>`
}
