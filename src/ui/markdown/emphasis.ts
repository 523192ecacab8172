// Finds the pairs of `*`, `_` and `~~` among the parts of a text, by the rules of CommonMark.
import type { Span } from './span.js'

/** Marks inside each other. Deeper ones stay text, because each level needs some of the stack. */
const depthLimit = 16

/** A run of `*`, `_` or `~` that may start or end emphasis. */
export interface Mark {
  readonly type: 'mark'
  readonly sign: string
  readonly length: number
  readonly opens: boolean
  readonly closes: boolean
  /** How many of its signs are not used yet. */
  left: number
}

/** Turns pairs of marks into emphasis. */
export function emphasize(parts: readonly (Span | Mark)[]): Span[] {
  const found: (Span | Mark)[] = []
  const openers: { readonly mark: Mark; readonly index: number }[] = []
  for (const part of parts) {
    if (typeof part === 'string' || part.type !== 'mark') {
      found.push(part)
      continue
    }
    while (part.closes && part.left > 0) {
      const at = openers.findLastIndex(({ mark }) => belongTogether(mark, part))
      const opener = openers[at]
      if (opener === undefined) break
      const { mark, index } = opener
      const spans = asSpans(found.slice(index + 1))
      const depth = 1 + Math.max(0, ...spans.map(depthOf))
      if (depth > depthLimit) break
      const used = Math.min(mark.left, part.left, 2)
      mark.left -= used
      part.left -= used
      found.length = mark.left > 0 ? index + 1 : index
      openers.length = mark.left > 0 ? at + 1 : at
      const type = used === 2 ? 'strong' : 'em'
      found.push({ type: part.sign === '~' ? 'del' : type, spans, depth })
    }
    if (part.left === 0) continue
    if (part.opens) openers.push({ mark: part, index: found.length })
    found.push(part)
  }
  return asSpans(found)
}

/** Whether two marks can start and end the same emphasis. */
function belongTogether(opener: Mark, closer: Mark): boolean {
  if (opener.sign !== closer.sign) return false
  if (opener.sign === '~') return opener.length === closer.length
  const isAmbiguous = (opener.closes || closer.opens) && (opener.length + closer.length) % 3 === 0
  return !isAmbiguous || (opener.length % 3 === 0 && closer.length % 3 === 0)
}

/** Marks that no other belongs to are text. */
function asSpans(parts: readonly (Span | Mark)[]): Span[] {
  return parts.map((part) => (typeof part !== 'string' && part.type === 'mark' ? part.sign.repeat(part.left) : part))
}

function depthOf(span: Span): number {
  if (typeof span === 'string') return 0
  if ('depth' in span) return span.depth
  return span.type === 'link' ? Math.max(0, ...span.spans.map(depthOf)) : 0
}
