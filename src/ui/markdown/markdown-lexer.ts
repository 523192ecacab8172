// Lexes a complete or a growing text. Of a growing text only the last block is lexed again.
import type { Block } from './syntax-tree.js'
import { BlockLexer } from './block-lexer.js'
import type { Links } from './links.js'

/** Characters. A longer text stays plain text. */
const textLimit = 400_000

/** Blocks, and the link definitions for them. */
export interface Lexed {
  readonly blocks: readonly Block[]
  readonly links: Links
}

/** With line feeds only, as the lexer requires. */
const normalizeLines = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text)

/** The blocks of a complete text; undefined if it must stay plain text. */
export function lexWhole(text: string): readonly Lexed[] | undefined {
  if (text.length > textLimit) return undefined
  const links: Links = new Map()
  return [{ blocks: new BlockLexer(normalizeLines(text), links).blocks, links }]
}

/** Returns a lexer for one growing text. Settled blocks keep their identity. */
export function streamLexer(): (text: string) => readonly Lexed[] | undefined {
  let settled: Block[] = []
  let links: Links = new Map()
  let lexed = ''
  return (text) => {
    if (text.length > textLimit) return undefined
    const source = normalizeLines(text)
    // Many times faster than startsWith.
    if (source.slice(0, lexed.length) !== lexed) {
      settled = []
      links = new Map()
      lexed = ''
    }
    const rest = source.slice(lexed.length)
    const all: Links = new Map(links)
    const { blocks, settled: end, settledCount } = new BlockLexer(rest, all)
    const open = blocks.slice(settledCount)
    if (end > 0) {
      // The definitions in the last block are not complete, so the others are lexed without it.
      const hasNone = all.size === links.size
      const closed = hasNone ? blocks.slice(0, settledCount) : new BlockLexer(rest.slice(0, end), links).blocks
      settled = [...settled, ...closed]
      lexed += rest.slice(0, end)
    }
    return [{ blocks: [...settled, ...open], links: all }]
  }
}
