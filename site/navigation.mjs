// The pages of the site in the order of the navigation, and the address of each file of the repository.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {object} Entry
 * @property {string} url relative to the root of the site
 * @property {string} title in the navigation
 * @property {string} [file] the Markdown file, relative to the repository
 * @property {Entry[]} [inside] pages that are listed only while one of them is open
 *
 * @typedef {{ title: string, entries: Entry[] }} Section
 */

/** The address of a file that is a page or an image; undefined for any other. @param {string} file */
export function urlOf(file) {
  if (file === 'README.md') return 'index.html'
  if (file === 'docs/decisions/README.md') return 'decisions/index.html'
  const [, name] = /^docs\/(.+)\.md$/.exec(file) ?? []
  if (name !== undefined) return `${name}.html`
  if (file.startsWith('docs/images/')) return file.slice('docs/'.length)
  return ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].includes(file)
    ? `${file.slice(0, -'.md'.length).toLowerCase()}.html`
    : undefined
}

/** @param {string} file @param {string} title @param {Entry[]} [inside] @returns {Entry} */
function page(file, title, inside) {
  return { url: urlOf(file) ?? '', title, file, ...(inside ? { inside } : {}) }
}

/** A page that may not exist yet. @param {string} file @param {string} title */
function optional(file, title) {
  return existsSync(join(root, file)) ? [page(file, title)] : []
}

/** The records by their number. */
function decisions() {
  return readdirSync(join(root, 'docs/decisions'))
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map((name) => page(`docs/decisions/${name}`, name.slice(0, 4)))
}

/** The whole navigation. @param {Entry[]} api The pages of the API reference. @returns {Section[]} */
export function navigation(api) {
  return [
    {
      title: 'Get started',
      entries: [
        page('docs/start.md', 'Start'),
        page('docs/frameworks.md', 'Frameworks'),
        page('docs/recipes.md', 'Recipes'),
        page('docs/comparison.md', 'Comparison'),
      ],
    },
    {
      title: 'Assistant',
      entries: [
        page('docs/tools.md', 'Tools'),
        page('docs/page-tools.md', 'Page tools'),
        page('docs/sessions.md', 'Sessions'),
        page('docs/models.md', 'Models'),
        page('docs/mcp.md', 'MCP servers'),
        page('docs/webmcp.md', 'WebMCP'),
      ],
    },
    {
      title: 'Interface',
      entries: [
        page('docs/theming.md', 'Panel and theming'),
        page('docs/languages.md', 'Languages'),
        page('docs/headless.md', 'Headless'),
        ...optional('docs/accessibility.md', 'Accessibility'),
      ],
    },
    {
      title: 'Quality',
      entries: [page('docs/testing.md', 'Testing and evaluation'), page('docs/debugging.md', 'Debugging')],
    },
    {
      title: 'Production',
      entries: [
        page('docs/relay.md', 'Relay'),
        page('SECURITY.md', 'Security'),
        page('docs/privacy.md', 'Privacy and retention'),
        page('docs/performance.md', 'Performance'),
        page('docs/guarantees.md', 'Guarantees'),
      ],
    },
    {
      title: 'Reference',
      entries: [
        page('docs/reference.md', 'Overview'),
        { url: 'api/index.html', title: 'API', inside: api },
        page('CHANGELOG.md', 'Changelog'),
      ],
    },
    {
      title: 'Inside',
      entries: [
        page('docs/architecture.md', 'Architecture'),
        page('docs/life-of-a-turn.md', 'The life of a turn'),
        page('docs/decisions/README.md', 'Decisions', decisions()),
        page('CONTRIBUTING.md', 'Contributing'),
      ],
    },
  ]
}

/** Every entry in order, with the title of its section. @param {Section[]} sections */
export function flat(sections) {
  return sections.flatMap(({ title, entries }) =>
    entries.flatMap((entry) => [entry, ...(entry.inside ?? [])].map((one) => ({ ...one, section: title }))),
  )
}
