// Splits Markdown into blocks as CommonMark defines them, with the tables and task lists of GitHub. Looks at each line
// once: first for the open blocks that it continues, then for the blocks that it starts. Of a growing text only the
// last block is lexed again.
import type { Block, Code, Item, List } from './syntax-tree.js'
import { decodeText } from './entities.js'
import { withoutDefinitions, type Links } from './links.js'
import { addRows, htmlEnd, tableOf } from './rare-blocks.js'

/** The rest of a line, without what its containers have used of it. */
export class Line {
  /** What is left of the line. */
  rest: string
  #column = 0

  constructor(text: string) {
    this.rest = text
  }

  /** Columns of white space at its start. */
  get indent(): number {
    let column = this.#column
    for (const sign of this.rest) {
      if (sign === '\t') column += 4 - (column % 4)
      else if (sign === ' ') column++
      else break
    }
    return column - this.#column
  }

  /** The line without white space at its start. Empty if it is blank. */
  get text(): string {
    return /^[ \t]/.test(this.rest) ? this.rest.replace(/^[ \t]+/, '') : this.rest
  }

  /** Removes white space, at most so many columns. The remaining columns of a tab become spaces. */
  skip(columns: number): void {
    for (let left = Math.min(columns, this.indent); left > 0; left--) {
      if (this.rest.startsWith('\t')) this.rest = ' '.repeat(4 - (this.#column % 4)) + this.rest.slice(1)
      this.take(1)
    }
  }

  /** Removes the sign of a quote and the space after it. False if the line does not start with one. */
  skipQuoteSign(): boolean {
    if (this.indent > 3 || !this.text.startsWith('>')) return false
    this.skip(3)
    this.take(1)
    this.skip(1)
    return true
  }

  /** Removes characters that are not tabs. */
  take(count: number): void {
    this.rest = this.rest.slice(count)
    this.#column += count
  }
}

/** A line between blocks. */
export const rule = /^([*_-])[ \t]*(?:\1[ \t]*){2,}$/
/** The start of an item: a bullet, or a number and the sign after it. */
export const listMarker = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/
/** The text of a heading, without the signs that close it. */
export function headingText(written: string): string {
  const text = written.trimEnd()
  let end = text.length
  while (text.charAt(end - 1) === '#') end--
  return (/^[ \t]?$/.test(text.charAt(end - 1)) ? text.slice(0, end) : text).trim()
}

/** Quotes and lists inside each other. Deeper ones stay text, because each level is looked at for each line. */
const depthLimit = 16

/** The document, a quote or an item of a list that later lines may continue. */
interface Container {
  readonly type: 'document' | 'quote' | 'item'
  readonly blocks: Block[]
  readonly item?: Item
  /** The list of an item. */
  readonly list?: List
  /** Columns before the content of an item. */
  readonly indent: number
  /** The number of its last line. */
  last: number
}

/** A block without blocks inside that later lines may continue. */
interface Leaf {
  readonly type: 'paragraph' | 'fence' | 'indented' | 'html' | 'table'
  readonly lines: string[]
  /** Receives the lines when the block ends, and whether the line that ends it was read. */
  readonly close: (lines: readonly string[], isEnded: boolean) => void
  /** Matches the line that ends fenced code or HTML. */
  readonly end?: RegExp
  /** Columns that are removed from each line of fenced code. */
  readonly indent?: number
}

/** Lexes one text. */
class BlockLexer {
  /** The blocks outside of all others. */
  readonly blocks: Block[] = []
  /** Index in the text. More text at its end does not change the blocks before this index. */
  settled = 0
  /** How many blocks are before that index. */
  settledCount = 0
  readonly #links: Links
  /** The open containers, outermost first. */
  readonly #open: Container[] = [{ type: 'document', blocks: this.blocks, indent: 0, last: 0 }]
  #leaf: Leaf | undefined
  /** How many of the open containers the line continues. The others end unless it continues a paragraph. */
  #depth = 0
  // The current line: its number, its index in the text, the index of the line before, and whether it is complete.
  #number = 0
  #start = 0
  #previous = 0
  #isComplete = true

  /** `text` has line feeds only. The link definitions in it are added to `links`. */
  constructor(text: string, links: Links) {
    this.#links = links
    while (this.#start < text.length) {
      const end = text.indexOf('\n', this.#start)
      this.#isComplete = end >= 0
      this.#number++
      const next = this.#isComplete ? end : text.length
      this.#read(new Line(text.slice(this.#start, next)))
      this.#previous = this.#start
      this.#start = next + 1
    }
    this.#closeLeaf()
  }

  #read(line: Line): void {
    const open = this.#open
    const ended = open.findIndex((container) => !this.#continues(container, line))
    this.#depth = ended < 0 ? open.length : ended
    const isBlank = line.text === ''
    // A paragraph continues without its containers if the line starts nothing else.
    if (ended >= 0 && (isBlank || this.#leaf?.type !== 'paragraph')) this.#end()
    if (this.#depth < open.length || !this.#continueLeaf(line)) {
      while (this.#startContainer(line)) this.#depth = open.length
      if (line.text !== '' && !this.#startLeaf(line)) this.#addText(line.text)
    }
    // A blank line belongs to the quotes whose sign it has, and to what they are in.
    const touched = isBlank ? open.findLastIndex(({ type }) => type === 'quote') + 1 : open.length
    for (let index = 0; index < touched; index++) (open[index] as Container).last = this.#number
  }

  /** Whether the line continues a container. Removes what belongs to the container from the line. */
  #continues({ type, blocks, indent }: Container, line: Line): boolean {
    if (type === 'quote') return line.skipQuoteSign()
    // An item that starts with a blank line does not continue after another.
    if (type === 'item' && (line.text === '' ? blocks.length === 0 : line.indent < indent)) return false
    line.skip(indent)
    return true
  }

  #closeLeaf(isEnded = false): void {
    this.#leaf?.close(this.#leaf.lines, isEnded)
    this.#leaf = undefined
  }

  /** Ends the innermost block, and the containers that the line does not continue. */
  #end(): void {
    this.#closeLeaf()
    this.#open.length = this.#depth
  }

  /** The innermost container. */
  get #parent(): Container {
    return this.#open.at(-1) as Container
  }

  /** There are blank lines between the line and the blocks in its container. */
  get #isAfterBlank(): boolean {
    return this.#parent.blocks.length > 0 && this.#parent.last < this.#number - 1
  }

  /** Adds a block to the innermost container. `start`: the index of its first line. */
  #add(block: Block, start = this.#start): void {
    if (this.#open.length === 1 && this.#isComplete) {
      this.settled = start
      this.settledCount = this.blocks.length
    }
    if (this.#parent.list !== undefined && this.#isAfterBlank) this.#parent.list.isLoose = true
    this.#parent.blocks.push(block)
  }

  /** Starts the quote or the item that the line starts, and removes its sign from the line. */
  #startContainer(line: Line): boolean {
    const { text, indent } = line
    if (indent > 3 || this.#open.length > depthLimit) return false
    if (line.skipQuoteSign()) {
      this.#end()
      const blocks: Block[] = []
      this.#add({ type: 'quote', blocks })
      this.#open.push({ type: 'quote', blocks, indent: 0, last: 0 })
      return true
    }
    const [marker, bullet, digits, sign = bullet] = listMarker.exec(text) ?? []
    if (marker === undefined || sign === undefined || rule.test(text)) return false
    const isEmpty = text.slice(marker.length).trim() === ''
    const start = digits === undefined ? undefined : Number(digits)
    if (this.#paragraph !== undefined && (isEmpty || (start ?? 1) !== 1)) return false
    this.#end()
    const last = this.#parent.blocks.at(-1)
    let list: List
    if (last?.type === 'list' && last.sign === sign) {
      list = last
      list.isLoose ||= this.#isAfterBlank
    } else {
      list = { type: 'list', sign, start, isLoose: false, items: [] }
      this.#add(list)
    }
    line.skip(3)
    line.take(marker.length)
    // More space than four columns belongs to the code that the item starts with.
    const space = isEmpty || line.indent > 4 ? 1 : line.indent
    line.skip(space)
    const item: Item = { blocks: [] }
    list.items.push(item)
    const width = indent + marker.length + space
    this.#open.push({ type: 'item', blocks: item.blocks, item, list, indent: width, last: 0 })
    return true
  }

  /** The open paragraph, if the line continues all containers around it. */
  get #paragraph(): Leaf | undefined {
    return this.#leaf?.type === 'paragraph' && this.#depth === this.#open.length ? this.#leaf : undefined
  }

  /** Adds the line to the block that cannot contain others. False if the line may start other blocks. */
  #continueLeaf(line: Line): boolean {
    if (this.#leaf === undefined) return false
    const { type, lines, end, indent } = this.#leaf
    const { text } = line
    if (type === 'paragraph' || type === 'table') {
      if (text === '') this.#closeLeaf()
      return text === ''
    }
    if (type === 'indented' && text !== '' && line.indent < 4) return false
    const isEnd = end?.test(text) === true
    if (type === 'fence' && isEnd && line.indent < 4) {
      this.#closeLeaf(true)
      return true
    }
    line.skip(type === 'indented' ? 4 : (indent ?? 0))
    lines.push(line.rest)
    if (type === 'html' && isEnd) this.#closeLeaf()
    return true
  }

  /** Starts the block without others inside that the line starts. */
  #startLeaf(line: Line): boolean {
    const { text, indent } = line
    if (indent > 3) {
      if (this.#leaf?.type === 'paragraph') return false
      line.skip(4)
      const code: Block = { type: 'code', info: '', text: '' }
      this.#addLeaf(code, {
        type: 'indented',
        lines: [line.rest],
        close: (lines) => (code.text = lines.slice(0, lines.findLastIndex((one) => /\S/.test(one)) + 1).join('\n')),
      })
      return true
    }
    const level = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0].length
    if (level !== undefined) {
      this.#end()
      this.#add({ type: 'heading', level, text: headingText(text.slice(level)) })
      return true
    }
    const [, fence, info = ''] = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(text) ?? []
    if (fence !== undefined) {
      const code: Code = { type: 'code', info: decodeText(info.trim()), text: '' }
      const end = new RegExp(`^${fence}${fence.charAt(0)}*[ \\t]*$`)
      this.#addLeaf(code, {
        type: 'fence',
        lines: [],
        indent,
        end,
        close: (lines, isEnded) => {
          code.text = lines.join('\n')
          if (isEnded) code.isClosed = true
        },
      })
      return true
    }
    if (this.#startHtml(line) || this.#changeParagraph(text)) return true
    if (!rule.test(text)) return false
    this.#end()
    this.#add({ type: 'rule' })
    return true
  }

  #startHtml({ rest, text }: Line): boolean {
    const end = htmlEnd(text, this.#leaf?.type === 'paragraph')
    if (end === undefined) return false
    const block: Block = { type: 'html', text: '' }
    this.#addLeaf(block, {
      type: 'html',
      lines: [rest],
      end,
      close: (lines) => (block.text = lines.join('\n').trimEnd()),
    })
    if (end.test(text)) this.#closeLeaf()
    return true
  }

  /** Turns the open paragraph into a heading, or its last line into the header of a table. */
  #changeParagraph(text: string): boolean {
    const lines = this.#paragraph?.lines
    if (lines === undefined) return false
    const { blocks } = this.#parent
    if (/^(?:=+|-+)[ \t]*$/.test(text)) {
      const heading = withoutDefinitions(lines.join('\n'), this.#links).trimEnd()
      if (heading === '') return false
      this.#leaf = undefined
      blocks[blocks.length - 1] = { type: 'heading', level: text.startsWith('=') ? 1 : 2, text: heading }
      return true
    }
    const table = tableOf(lines.at(-1) ?? '', text)
    if (table === undefined) return false
    if (lines.length === 1) {
      this.#leaf = undefined
      blocks.pop()
    }
    lines.pop()
    const close = (written: readonly string[]): void => addRows(table, written)
    this.#addLeaf(table, { type: 'table', lines: [], close }, this.#previous)
    return true
  }

  #addLeaf(block: Block, leaf: Leaf, start?: number): void {
    this.#end()
    this.#add(block, start)
    this.#leaf = leaf
  }

  /** Adds a line to the paragraph or the table, or starts a paragraph. */
  #addText(text: string): void {
    if (this.#leaf?.type === 'paragraph' || this.#leaf?.type === 'table') {
      this.#leaf.lines.push(text)
      return
    }
    const block: Block = { type: 'paragraph', text: '' }
    const close = (lines: readonly string[]): void => {
      block.text = withoutDefinitions(lines.join('\n'), this.#links).trimEnd()
    }
    this.#end()
    const { item } = this.#parent
    const box = item?.blocks.length === 0 ? /^\[([ x])\][ \t]+(?=\S)/i.exec(text) : null
    if (item !== undefined && box !== null) item.checked = box[1] !== ' '
    this.#addLeaf(block, { type: 'paragraph', lines: [text.slice(box?.[0].length ?? 0)], close })
  }
}

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
