// Insertions into files of a project. Each function returns where its text goes, or undefined if that is not certain: then
// the user adds it by hand. Nothing is ever replaced or removed. Code is not parsed; brackets and names are looked for outside
// of comments and strings, and what does not balance is not certain.

/** A text and the offset in the file that it goes to. */
export interface Insertion {
  readonly at: number
  readonly text: string
}

/** Applies insertions, whose offsets are those of the text as it is given. */
export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  const sorted = [...insertions].sort((one, other) => one.at - other.at)
  let from = 0
  let result = ''
  for (const { at, text: added } of sorted) {
    result += text.slice(from, at) + added
    from = at
  }
  return result + text.slice(from)
}

const opening = '([{'
const closing = ')]}'

/**
 * Code of the same length, in which comments, and the insides of strings and templates are spaces. A quote that is not
 * closed on its line, such as an apostrophe in JSX, stays. Undefined if the brackets do not match.
 */
export function masked(code: string): string | undefined {
  const parts = /\/\*[^]*?\*\/|\/\/[^\n]*|(["'])(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\[^]|[^\\`])*`/g
  const blank = code.replaceAll(parts, (part) => {
    const inside = part.replaceAll(/[^\n]/g, ' ')
    return part.startsWith('/') ? inside : part[0] + inside.slice(2) + part[0]
  })
  const open: string[] = []
  for (const sign of blank) {
    if (opening.includes(sign)) open.push(sign)
    else if (closing.includes(sign) && open.pop() !== opening[closing.indexOf(sign)]) return undefined
  }
  return open.length === 0 ? blank : undefined
}

/** The only match, or undefined. */
function only(text: string, pattern: RegExp): RegExpExecArray | undefined {
  const [first, ...more] = text.matchAll(new RegExp(pattern.source, [...new Set([...pattern.flags, 'g'])].join('')))
  return more.length === 0 ? first : undefined
}

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0]

/** An import after the last one, in the style of the others: quotes, and whether lines end with a semicolon. */
export function importInsertion(code: string, names: string, from: string): Insertion | undefined {
  const blank = masked(code)
  if (blank === undefined || /\brequire\(|\bmodule\.exports\b/.test(blank)) return undefined
  const imports = [...blank.matchAll(/^[ \t]*import\b(?!\s*[(.])[^'"()=]*?(['"]) *\1[^\n;]*;?[ \t]*\r?(?:\n|$)/gm)]
  const last = imports.at(-1)
  if (last === undefined) {
    // A directive such as 'use client' must stay the first statement.
    if (/^\s*(?:#!|["'])/.test(blank)) return undefined
    return { at: code.startsWith('\uFEFF') ? 1 : 0, text: `import ${names} from '${from}'\n` }
  }
  const quote = last[1]!
  const semicolon = /;\s*$/.test(last[0]) ? ';' : ''
  const at = last.index + last[0].length
  const start = last[0].endsWith('\n') ? '' : '\n'
  return { at, text: `${start}${indentAt(code, last.index)}import ${names} from ${quote}${from}${quote}${semicolon}\n` }
}

/**
 * An item at the beginning of the list `property` of the object that the configuration of a file is. Adds the property if
 * the object has none.
 */
export function configInsertion(code: string, property: string, item: string): Insertion | undefined {
  const blank = masked(code)
  // A quoted name would not be found.
  if (blank === undefined || new RegExp(`["']${property}["']`).test(code)) return undefined
  const begin = only(blank, /\bdefineConfig\s*\(\s*\{|\bexport\s+default\s+\{/)
  if (begin === undefined) return undefined
  const object = begin.index + begin[0].length - 1
  const top = topLevel(blank, object)
  // A spread could bring the property, or replace it.
  if (top.includes('...')) return undefined
  const list = only(top, new RegExp(`(?<![\\w$.])${property}\\s*:\\s*\\[`))
  if (list !== undefined) {
    const at = object + list.index + list[0].length
    const next = /^[ \t]*(\r?\n[ \t]*)?(\])?/.exec(blank.slice(at))!
    if (next[2] !== undefined) return { at, text: item }
    return { at, text: next[1] === undefined ? `${item}, ` : `${next[1]}${item},` }
  }
  if (new RegExp(`(?<![\\w$.])${property}(?![\\w$])`).test(top)) return undefined
  const at = object + 1
  const next = /^[ \t]*(\r?\n[ \t]*)?(\})?/.exec(blank.slice(at))!
  const text = `${property}: [${item}]`
  if (next[2] !== undefined) return { at, text: next[1] === undefined ? ` ${text} ` : `\n  ${text},` }
  return { at, text: next[1] === undefined ? ` ${text},` : `${next[1]}${text},` }
}

/** The object that begins at `start`, with everything inside of its inner brackets blank. */
function topLevel(blank: string, start: number): string {
  let depth = 0
  let text = ''
  for (const sign of blank.slice(start)) {
    if (closing.includes(sign)) depth -= 1
    text += depth <= 1 || (opening.includes(sign) && depth === 1) ? sign : ' '
    if (opening.includes(sign)) depth += 1
    if (depth === 0) break
  }
  return text
}

/** Lines before the end of the body of a page; at the end of one that leaves out its last tags. */
export function bodyInsertion(html: string, lines: readonly string[]): Insertion | undefined {
  // What is in a comment, a script or a template is no tag of the page.
  const blank = html.replaceAll(/<!--[^]*?-->|<(script|style|textarea|template)\b[^]*?<\/\1\s*>/gi, (part) =>
    part.replaceAll(/[^\n]/g, ' '),
  )
  const ends = [...blank.matchAll(/<\/(?:body|html)\s*>/gi)]
  const bodies = ends.filter(([tag]) => /^<\/body/i.test(tag))
  if (bodies.length > 1 || ends.length > 2 || /<frameset\b/i.test(blank)) return undefined
  const end = ends[0]
  if (end === undefined) return { at: html.length, text: `${html.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n` }
  const line = html.lastIndexOf('\n', end.index) + 1
  const before = html.slice(line, end.index)
  // Something stands before the tag on its line.
  if (before.trim() !== '') return { at: end.index, text: `\n${lines.join('\n')}\n` }
  const step = before.includes('\t') ? '\t' : '  '
  const inside = /^<\/body/i.test(end[0]) ? `${before}${step}` : before
  return { at: line, text: lines.map((one) => `${inside}${one}\n`).join('') }
}

/** `<Assistant />` after the element that `render` draws, in its parent or in a fragment. */
export function siblingInsertions(code: string, element: string): Insertion[] | undefined {
  const blank = masked(code)
  if (blank === undefined) return undefined
  const app = only(blank, /<App(?:\s[^<>]*)?\/>/)
  if (app === undefined) return undefined
  const [before, after] = [blank.slice(0, app.index), blank.slice(app.index + app[0].length)]
  const end = app.index + app[0].length
  if (/\(\s*$/.test(before) && /^\s*,?\s*\)/.test(after))
    return [
      { at: app.index, text: '<>' },
      { at: end, text: `${element}</>` },
    ]
  // Between tags it has a parent.
  if (!/<\/?[\w.]*(?:\s[^<>]*)?\/?>\s*$/.test(before) || !/^\s*</.test(after)) return undefined
  const [lead] = /(?:\r?\n)?[ \t]*$/.exec(before)!
  return [{ at: end, text: lead.includes('\n') ? `${lead}${element}` : element }]
}

/** `<Assistant />` after the children of a layout. */
export function layoutInsertion(code: string, element: string): Insertion | undefined {
  const children = only(code, /\{\s*children\s*\}(?=\s*<\/body>)/)
  if (children === undefined) return undefined
  const [lead] = /(?:\r?\n)?[ \t]*$/.exec(code.slice(0, children.index))!
  const at = children.index + children[0].length
  return { at, text: lead.includes('\n') ? `${lead}${element}` : element }
}

/** An element at the end of the template of a Vue component. */
export function templateInsertion(code: string, element: string): Insertion | undefined {
  const end = only(code, /^<\/template>/m)
  if (end === undefined || only(code, /^<template>/m) === undefined) return undefined
  return { at: end.index, text: `  ${element}\n` }
}

/** An import in the only script of a component. `attribute` is what its tag must have. */
export function scriptImport(
  code: string,
  { attribute = '', names, from }: { attribute?: string; names: string; from: string },
): Insertion | undefined {
  const tag = only(code, new RegExp(`^<script\\b[^>\\n]*${attribute}[^>\\n]*>\\r?\\n`, 'm'))
  if (tag === undefined || / (?:src=|module\b|context=)/.test(tag[0])) return undefined
  const begin = tag.index + tag[0].length
  const length = code.slice(begin).search(/^<\/script>/m)
  if (length < 0) return undefined
  const script = code.slice(begin, begin + length)
  const insertion = importInsertion(script, names, from)
  if (insertion === undefined) return undefined
  // The first line of a script may be indented.
  const indent = insertion.at === 0 ? indentAt(script, 1) : ''
  return { at: begin + insertion.at, text: indent + insertion.text }
}
