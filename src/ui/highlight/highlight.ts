// Colours for code. highlight.js finds the words and their kinds; they become Lit templates, so that no string becomes
// HTML. A chunk of its own, which loads with the first code block in one of these languages.
import type { Emitter } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { html, type TemplateResult } from 'lit'
import type { CodeLanguage } from '../markdown/code-languages.js'

const languages = {
  bash,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
} satisfies Record<CodeLanguage, unknown>

/** The kinds of words that look different, with the scopes of highlight.js that belong to each. */
const kinds = new Map(
  Object.entries({
    keyword: 'keyword selector-tag name doctag template-tag section',
    string: 'string regexp char link symbol code',
    number: 'number literal bullet variable.constant',
    name:
      'title type built_in attr attribute property selector-class selector-id selector-attr selector-pseudo ' +
      'variable template-variable',
    comment: 'comment quote meta',
    added: 'addition',
    removed: 'deletion',
    // What is computed inside of a string.
    '': 'subst',
  }).flatMap(([kind, scopes]) => scopes.split(' ').map((scope) => [scope, kind] as const)),
)

/** Words in their order, with the kind of the innermost scope that has one. */
class Words implements Emitter {
  readonly all: { readonly kind: string; text: string }[] = []
  /** Of the open scopes, outermost first. */
  readonly #kinds = ['']

  addText(text: string): void {
    if (text !== '') this.#add(this.#kind, text)
  }

  startScope(scope: string): void {
    this.#kinds.push(kinds.get(scope) ?? kinds.get(scope.replace(/\..*/, '')) ?? this.#kind)
  }

  endScope(): void {
    this.#kinds.pop()
  }

  /** highlight.js calls it in place of `startScope`, although its types do not have it. */
  openNode(scope: string): void {
    this.startScope(scope)
  }

  /** As `openNode`. */
  closeNode(): void {
    this.endScope()
  }

  /** Styles and scripts in HTML. */
  __addSublanguage(inner: Words): void {
    for (const { kind, text } of inner.all) this.#add(kind, text)
  }

  finalize(): void {
    // All is complete at any time.
  }

  toHTML(): string {
    return ''
  }

  get #kind(): string {
    return this.#kinds.at(-1) ?? ''
  }

  #add(kind: string, text: string): void {
    const last = this.all.at(-1)
    if (last?.kind === kind) last.text += text
    else this.all.push({ kind, text })
  }
}

/** Not the instance that a page may use, which has its own settings. */
const highlighter = hljs.newInstance()
highlighter.configure({ __emitter: Words })
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)

/** The code with a `span` for each word that has a colour. The text is always the whole code, unchanged. */
export function highlight(code: string, language: CodeLanguage): readonly (string | TemplateResult)[] {
  const { _emitter } = highlighter.highlight(code, { language, ignoreIllegals: true })
  const { all } = _emitter as Words
  // highlight.js swallows its own errors, after which words would be missing.
  if (all.map(({ text }) => text).join('') !== code) return [code]
  return all.map(({ kind, text }) => (kind === '' ? text : html`<span class=${`code-${kind}`}>${text}</span>`))
}
