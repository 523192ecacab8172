// Highlights code at build time. The page gets spans with classes and no script.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import { escapeHtml } from './text.mjs'

for (const [name, language] of Object.entries({ bash, css, javascript, json, nginx, typescript, xml }))
  hljs.registerLanguage(name, language)

/** Names of fences that highlight.js does not know. */
const aliases = new Map([
  ['vue', 'xml'],
  ['svelte', 'xml'],
])

/** Names for readers. */
const labels = new Map([
  ['ts', 'TypeScript'],
  ['tsx', 'TypeScript (JSX)'],
  ['js', 'JavaScript'],
  ['jsx', 'JavaScript (JSX)'],
  ['html', 'HTML'],
  ['css', 'CSS'],
  ['json', 'JSON'],
  ['sh', 'Shell'],
  ['vue', 'Vue'],
  ['svelte', 'Svelte'],
  ['nginx', 'nginx'],
])

/** Code as HTML. Throws for an unknown language. @param {string} code @param {string} language */
export function highlight(code, language) {
  if (language === '') return escapeHtml(code)
  const name = aliases.get(language) ?? language
  if (hljs.getLanguage(name) === undefined)
    throw new Error(`Unknown language '${language}' of a code block: register it in site/highlight.mjs`)
  return hljs.highlight(code, { language: name }).value
}

/** A block of code. @param {string} code @param {string} language */
export function codeBlock(code, language) {
  const label = labels.get(language) ?? 'Text'
  return `<div class="code"><span class="language">${label}</span><pre><code>${highlight(code, language)}</code></pre></div>\n`
}
