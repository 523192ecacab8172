// llms.txt and llms-full.txt: their form, their links, and that they have every page of the documentation.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'playwright/test'
import { llmsFiles } from '../../../scripts/llms.mjs'
import { slugOf } from '../../../site/navigation.mjs'
import { root } from '../../support/project/build-once.js'

const files = llmsFiles()
const index = files.get('llms.txt') ?? ''
const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '')

/** Links that lead nowhere. Pages and images of the site that are no Markdown are files of the repository here. */
function brokenLinks(path: string, text: string, all: ReadonlyMap<string, string> = files): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
  return links.flatMap((to) => {
    if (/^(?:https?|mailto):/.test(to)) return []
    const [name = '', hash] = to.split('#')
    const target = name === '' ? path : posix.normalize(posix.join(posix.dirname(path), name))
    if (target === 'index.html') return []
    if (target.startsWith('images/')) return existsSync(join(root, 'docs', target)) ? [] : [`${path}: ${to}`]
    const found = all.get(target)
    if (found === undefined) return [`${path}: ${to}`]
    if (hash === undefined) return []
    const ids = [...withoutCode(found).matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading))
    return ids.includes(decodeURIComponent(hash)) ? [] : [`${path}: ${to} has no such section`]
  })
}

test('llms.txt has the form of llmstxt.org', () => {
  const [title, , quote, ...rest] = index.split('\n')
  expect(title).toBe('# tool-agent')
  expect(quote).toMatch(/^> \S.{50,}/)
  const sections = rest.join('\n').split(/^## /m)
  expect(sections.length).toBeGreaterThan(5)
  expect(sections.at(-1)).toMatch(/^Optional\n/)
  expect(sections[0], 'no other heading').not.toMatch(/^#/m)
  for (const section of sections.slice(1))
    expect(section).toMatch(/^[^\n]+\n\n(?:- \[[^\]]+\]\([^)\s]+\.md\): \S[^\n]{20,}\n)+\n?$/)
})

test('every link of every file resolves, with its section', () => {
  const sample = new Map([
    ['a/b.html.md', '## One\n'],
    ['c.html.md', '[x](a/b.html.md#one) [x](a/b.html.md#two) [x](d.html.md) [x](images/no.png) [x](https://a.example)'],
  ])
  expect(brokenLinks('c.html.md', sample.get('c.html.md')!, sample)).toEqual([
    'c.html.md: a/b.html.md#two has no such section',
    'c.html.md: d.html.md',
    'c.html.md: images/no.png',
  ])
  expect([...files].flatMap(([path, text]) => brokenLinks(path, text))).toEqual([])
})

test('every document is listed, and the full text has those that a page author needs', () => {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/').replace('README.md', 'index.md').replace(/\.md$/, '.html.md'))
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
  const full = files.get('llms-full.txt') ?? ''
  for (const document of ['start', 'tools', 'testing', 'relay', 'privacy', 'reference']) {
    const [heading = ''] = readFileSync(join(root, `docs/${document}.md`), 'utf8').split('\n')
    expect(full).toContain(`\n${heading}\n`)
  }
  expect(withoutCode(full)).not.toContain('<!--')
  expect(full).not.toContain('# The life of a turn\n')
})
