// Splits the text of a block into spans: emphasis, code, links, line breaks. Follows CommonMark, with the strikethrough
// and the plain addresses of GitHub, and with the amended rule for emphasis in Chinese, Japanese and Korean
// (`emphasis.ts`). Takes bounded time for every text.
import { classAfter, classBefore, isSign, emphasize, type Mark } from './emphasis.js'
import { decodeText, reference } from './entities.js'
import { labelKey, matchAt, readTarget, type LinkTarget, type Links } from './links.js'
import type { Span } from './syntax-tree.js'

/** Characters. Longer texts have no spans, because hostile ones take quadratic time. */
const textLimit = 5_000
/** The source of a pattern for an opening or closing HTML tag. */
export const rawTag =
  '<(?:[a-z][a-z\\d-]*(?:\\s+[a-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s"\'=<>`]+|\'[^\']*\'|"[^"]*"))?)*\\s*/?|' +
  '/[a-z][a-z\\d-]*\\s*)>'
const rawHtml = new RegExp(`${rawTag}|<!--(?:-?>|[^]*?-->)|<\\?[^]*?\\?>|<![a-z][^>]*>|<!\\[CDATA\\[[^]*?\\]\\]>`, 'iy')
const enclosedAddress = /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)*))>/iy
const webAddress = /(?:https?:\/\/|www\.)[^\s<]+/iy
const mailHost = /@[\w-]+(?:\.[\w-]+)*\.[\w-]*[a-z\d](?![\w-])/iy
const punctuation = /[!-/:-@[-`{-~]/
const label = /\[((?:\\[^]|[^\\[\]])*)\]/y
/** What may start a span. */
const special = /[\\`*_~[\]!<&\n@]|https?:\/\/|www\./gi

/** An open bracket. */
interface Bracket {
  /** Its index among the parts. */
  readonly part: number
  /** The index of its text in the source. */
  readonly start: number
  readonly isImage: boolean
  /** False for the brackets around a link, which cannot contain another. */
  isActive: boolean
}

/** The spans of the text of a block. */
export function lexSpans(source: string, links: Links): Span[] {
  return source.length > textLimit ? [source] : new SpanLexer(source, links).spans
}

class SpanLexer {
  readonly spans: Span[]
  readonly #source: string
  readonly #links: Links
  readonly #parts: (Span | Mark)[] = []
  readonly #brackets: Bracket[] = []
  #at = 0
  /** The text before `#at` that is not among the parts yet. */
  #text = ''

  constructor(source: string, links: Links) {
    this.#source = source
    this.#links = links
    while (this.#at < source.length) {
      special.lastIndex = this.#at
      const next = special.exec(source)?.index ?? source.length
      this.#text += source.slice(this.#at, next)
      this.#at = next
      const sign = source.charAt(next)
      if (!this.#read(sign)) {
        this.#text += sign
        this.#at++
      }
    }
    this.#flush()
    this.spans = emphasize(this.#parts)
  }

  /** Reads the span at the current place. False if its first sign is only text. */
  #read(sign: string): boolean {
    switch (sign) {
      case '\\':
        return this.#readEscape()
      case '\n':
        return this.#readLineEnd()
      case '`':
        return this.#readCode()
      case '&':
        return this.#readReference()
      case '<':
        return this.#readAngle()
      case '@':
        return this.#readMail()
      case '*':
      case '_':
      case '~':
        return this.#readMark(sign)
      case '!':
      case '[':
        return this.#openBracket(sign === '!')
      case ']':
        return this.#closeBracket()
      default:
        return this.#readAddress()
    }
  }

  /** Adds the text before the current place to the parts. */
  #flush(): void {
    if (this.#text !== '') this.#parts.push(this.#text)
    this.#text = ''
  }

  /** Adds a part that ends at an index. */
  #push(part: Span | Mark, end: number): true {
    this.#flush()
    this.#parts.push(part)
    this.#at = end
    return true
  }

  #readEscape(): boolean {
    const next = this.#source.charAt(this.#at + 1)
    if (next === '\n') return this.#push({ type: 'break' }, this.#at + 2)
    if (!punctuation.test(next)) return false
    this.#text += next
    this.#at += 2
    return true
  }

  #readLineEnd(): true {
    const isBreak = this.#text.endsWith('  ')
    this.#text = this.#text.replace(/ {1,99}$/, '')
    return this.#push(isBreak ? { type: 'break' } : '\n', this.#at + 1)
  }

  #readCode(): boolean {
    const fence = this.#run('`')
    const start = this.#at + fence
    for (const { 0: run, index } of this.#source.slice(start).matchAll(/`+/g)) {
      if (run.length !== fence) continue
      const text = this.#source.slice(start, start + index).replaceAll('\n', ' ')
      const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== ''
      return this.#push({ type: 'code', text: isPadded ? text.slice(1, -1) : text }, start + index + fence)
    }
    this.#text += '`'.repeat(fence)
    this.#at = start
    return true
  }

  /** How often the sign is repeated at the current place. */
  #run(sign: string): number {
    let end = this.#at
    while (this.#source.charAt(end) === sign) end++
    return end - this.#at
  }

  #readReference(): boolean {
    const found = matchAt(reference, this.#source, this.#at)
    if (found === null) return false
    this.#text += decodeText(found[0])
    this.#at += found[0].length
    return true
  }

  /** An address in `<>`, or HTML. */
  #readAngle(): boolean {
    const [raw, address, mail] = matchAt(enclosedAddress, this.#source, this.#at) ?? []
    if (raw !== undefined) {
      const text = address ?? mail ?? ''
      return this.#pushLink(mail === undefined ? text : `mailto:${text}`, [text], raw.length)
    }
    const text = matchAt(rawHtml, this.#source, this.#at)?.[0]
    return text !== undefined && this.#push({ type: 'html', text }, this.#at + text.length)
  }

  #pushLink(href: string, spans: readonly Span[], length: number): true {
    const end = this.#at + length
    return this.#push({ type: 'link', href, spans, raw: this.#source.slice(this.#at, end) }, end)
  }

  #readMark(sign: string): boolean {
    const length = this.#run(sign)
    const end = this.#at + length
    const before = classBefore(this.#source, this.#at)
    const after = classAfter(this.#source, end)
    // Not before space, and before punctuation only if no letter is before; the same in the other direction.
    const isLeft = after !== 'space' && (after !== 'sign' || before !== 'word')
    const isRight = before !== 'space' && (before !== 'sign' || after !== 'word')
    const isInWord = sign === '_' && isLeft && isRight
    const opens = isLeft && (!isInWord || isSign(before))
    const closes = isRight && (!isInWord || isSign(after))
    if ((opens || closes) && (sign !== '~' || length < 3))
      return this.#push({ type: 'mark', sign, length, opens, closes, left: length }, end)
    this.#text += sign.repeat(length)
    this.#at = end
    return true
  }

  #openBracket(isImage: boolean): boolean {
    const written = isImage ? '![' : '['
    const start = this.#at + written.length
    if (!this.#source.startsWith(written, this.#at)) return false
    this.#push(written, start)
    this.#brackets.push({ part: this.#parts.length - 1, start, isImage, isActive: true })
    return true
  }

  #closeBracket(): boolean {
    const bracket = this.#brackets.pop()
    const target = bracket?.isActive === true ? this.#targetOf(bracket) : undefined
    if (bracket === undefined || target === undefined) return false
    this.#flush()
    const { part, start, isImage } = bracket
    const { href, end } = target
    const spans = emphasize(this.#parts.splice(part).slice(1))
    const raw = this.#source.slice(start - (isImage ? 2 : 1), end)
    if (isImage) return this.#push({ type: 'image', href, text: plainText(spans), raw }, end)
    for (const outer of this.#brackets) if (!outer.isImage) outer.isActive = false
    return this.#push({ type: 'link', href, spans, raw }, end)
  }

  /** The address of the link whose text ends at the current place, and the index after the link. */
  #targetOf({ start }: Bracket): LinkTarget | undefined {
    const after = this.#at + 1
    const target = readTarget(this.#source, after)
    if (target !== undefined) return target
    const [raw = '', name = ''] = matchAt(label, this.#source, after) ?? []
    const href = this.#links.get(labelKey(name === '' ? this.#source.slice(start, this.#at) : name))
    return href === undefined ? undefined : { href, end: after + raw.length }
  }

  /** An address without signs around it. */
  #readAddress(): boolean {
    if (/[\w]$/.test(this.#source.charAt(this.#at - 1))) return false
    const found = matchAt(webAddress, this.#source, this.#at)?.[0] ?? ''
    const address = withoutEnd(this.#brackets.length > 0 ? found.replace(/\].*/, '') : found)
    if (!/^(?:https?:\/\/|www\.)[^\W_]/i.test(address)) return false
    const text = decodeText(address)
    return this.#pushLink(/^www/i.test(text) ? `http://${text}` : text, [text], address.length)
  }

  /** The name of a mail address is the end of the text before the current place. */
  #readMail(): boolean {
    const host = matchAt(mailHost, this.#source, this.#at)?.[0]
    let start = this.#text.length
    while (/[\w.+-]/.test(this.#text.charAt(start - 1))) start--
    const name = this.#text.slice(start)
    if (host === undefined || name === '') return false
    this.#text = this.#text.slice(0, start)
    this.#at -= name.length
    return this.#pushLink(`mailto:${name}${host}`, [name + host], name.length + host.length)
  }
}

/** A plain address without the punctuation after it. */
function withoutEnd(address: string): string {
  let end = address.length
  for (;;) {
    const text = address.slice(0, end)
    const last = text.charAt(end - 1)
    const entity = last === ';' ? /&\w+;$/.exec(text)?.[0].length : undefined
    if (entity !== undefined) end -= entity
    else if (last === ')' && text.split(')').length > text.split('(').length) end--
    else if (last !== '' && '?!.,:;*_~\'"'.includes(last)) end--
    else return text
  }
}

/** The text of spans as an image's alternative text: without addresses. */
function plainText(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if (typeof span === 'string') return span
      if ('spans' in span) return plainText(span.spans)
      return 'text' in span ? span.text : '\n'
    })
    .join('')
}
