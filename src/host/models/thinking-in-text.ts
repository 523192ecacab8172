// Thinking that a model writes into its text becomes reasoning: `<think>…</think>Hello`, also without the opening tag,
// which many chat templates put into the prompt, and the channels of harmony. Tags inside code are text.
//
// Without an opening tag nothing tells thinking from an answer before `</think>` arrives. The text is shown as it comes
// and taken back when the tag arrives. Holding it back would take streaming from every model.
import { dropUndefined, isObject } from '../../core/data/json.js'
import type { ModelAdapter, ModelPart } from '../../core/data/model.js'
import { CodeReader } from '../../core/prompt/markdown-code.js'
import { transformedParts } from './transformed-parts.js'
import type { Metadata } from '../../core/data/message.js'

/** The model with its thinking as reasoning. */
export function withThinkingApart(model: ModelAdapter): ModelAdapter {
  return {
    stream(request, signal) {
      const splitter = new ThinkingSplitter()
      return transformedParts(model.stream(request, signal), (part) => splitter.add(part))
    },
  }
}

const names = ['', 'seed:', 'antml:', 'mm:'].flatMap((space) =>
  ['think', 'thinking', 'thought', 'reasoning'].map((name) => `${space}${name}`),
)
const openings = [
  ...names.map((name) => `<${name}>`),
  '[THINK]',
  '◁think▷',
  '<|begin_of_thought|>',
  '<|START_THINKING|>',
] as const
const closings = [
  ...names.map((name) => `</${name}>`),
  '[/THINK]',
  '◁/think▷',
  '<|end_of_thought|>',
  '<|END_THINKING|>',
] as const
/** Marks of harmony that end a message. */
const messageEnds = ['<|end|>', '<|return|>', '<|call|>'] as const
const channelStart = '<|channel|>'
const messageStart = '<|start|>assistant'
/** The name of a channel, and who its message is for. */
const channel = /^<\|channel\|>([^<\n]{0,100})(?:<\|constrain\|>[^<\n]{0,30})?<\|message\|>/
/** Longer ones are no headers. */
const maxHeader = 200
/** The words of harmony's channels where a server has removed its marks. */
const bareAnalysis = 'analysis'
const bareFinal = 'assistantfinal'

type Mark =
  | { readonly kind: 'open' | 'close' | 'message-start' | 'message-end' | 'bare-final'; readonly text: string }
  | { readonly kind: 'channel'; readonly text: string; readonly name: string }
  /** The text may become a mark. */
  | { readonly kind: 'partial' }

function markAt(text: string, isEnd: boolean): Mark | undefined {
  const lists = [
    ['open', openings],
    ['close', closings],
    ['message-start', [messageStart]],
    ['message-end', messageEnds],
    ['bare-final', [bareFinal]],
  ] as const
  for (const [kind, list] of lists) {
    const found = list.find((mark) => text.startsWith(mark))
    if (found !== undefined) return { kind, text: found }
  }
  const [header, name = ''] = channel.exec(text) ?? []
  if (header !== undefined) return { kind: 'channel', text: header, name: name.trim() }
  if (isEnd) return undefined
  const isHeader = text.startsWith(channelStart) && text.length < maxHeader && !text.includes('\n')
  const isPartial =
    isHeader || [...lists.flatMap(([, list]) => list), channelStart].some((mark) => mark.startsWith(text))
  return isPartial ? { kind: 'partial' } : undefined
}

/** Splits the texts of one answer. */
export class ThinkingSplitter {
  readonly #texts = new Map<string, TextSplitter>()

  /** What takes the place of the part. */
  add(part: ModelPart): ModelPart[] {
    if (part.type === 'finish') return [...[...this.#texts.values()].flatMap((text) => text.add('', true)), part]
    if (part.type !== 'text-delta' && part.type !== 'text-end') return [part]
    const text = this.#texts.get(part.id) ?? new TextSplitter(part.id)
    this.#texts.set(part.id, text)
    if (part.type === 'text-end') return this.#end(text, part)
    // Nothing but metadata.
    if (part.delta === '') return [{ ...part, id: text.id }]
    const parts = text.add(part.delta, false)
    const { providerMetadata } = part
    if (providerMetadata) parts.push({ type: 'text-delta', id: text.id, delta: '', providerMetadata })
    return parts.length > 0 ? parts : [{ type: 'alive' }]
  }

  #end(known: TextSplitter, part: Extract<ModelPart, { type: 'text-end' }>): ModelPart[] {
    const parts = known.add('', true)
    const { text, ...end } = part
    if (text === undefined) return [...parts, { ...end, id: known.id }]
    const whole = new TextSplitter(part.id)
    this.#texts.set(part.id, whole)
    const texts = new Map<string, ModelPart & { text: string }>()
    for (const id of known.ids) texts.set(id, { ...end, id, text: '' })
    for (const one of whole.add(text, true)) {
      if (one.type === 'text-delta' || one.type === 'reasoning-delta') {
        const type = one.type === 'text-delta' ? 'text-end' : 'reasoning-end'
        texts.set(one.id, { type, id: one.id, text: (texts.get(one.id)?.text ?? '') + one.delta })
      } else if (one.type === 'reasoning-end') texts.set(one.id, { text: '', ...texts.get(one.id), ...one })
    }
    const last = texts.get(whole.id) ?? { type: 'text-end', id: whole.id, text: '' }
    return [...parts, ...texts.values(), { ...last, ...end, id: whole.id }]
  }
}

/** One text of an answer: texts and reasoning in turns, each with an id of its own. */
class TextSplitter {
  readonly ids: string[]
  readonly #given: string
  #mode: 'text' | 'thinking' | 'after' | 'call' = 'text'
  /** What is not decided yet. */
  #rest = ''
  #code = new CodeReader()
  /** The text since the last reasoning. */
  #text = ''
  #shown = 0
  /** Where a tag at the start of a line has opened in the text. */
  #opened: { readonly at: number; readonly tag: string } | undefined
  /** A sentence names the opening tag. It may name the closing one, too. */
  #isNamed = false
  #isHarmony = false
  /** The thinking: its last character, the marks around it, and its spaces that are not shown yet. */
  #thought = ''
  #before = ''
  #spaces = ''
  #after = ''
  #parts: ModelPart[] = []

  constructor(id: string) {
    this.#given = id
    this.ids = [id]
  }

  /** The id of the text that is being read. */
  get id(): string {
    return this.ids.at(-1) ?? this.#given
  }

  get #reasoningId(): string {
    return `${this.#given} thinking ${this.ids.length}`
  }

  add(delta: string, isEnd: boolean): ModelPart[] {
    this.#parts = []
    this.#rest += delta
    while (this.#rest !== '') {
      const at = this.#nextMark()
      this.#take(at)
      if (this.#rest === '') break
      const mark = markAt(this.#rest, isEnd)
      if (mark?.kind === 'partial') break
      if (mark === undefined) this.#take(1)
      else if (!this.#read(mark, isEnd)) break
    }
    this.#flush(isEnd)
    return this.#parts
  }

  /** Where the next mark may begin in `#rest`. */
  #nextMark(): number {
    const isBare = this.#mode === 'text' && (this.#text + this.#rest).trimStart().startsWith(bareAnalysis)
    const at = this.#rest.search(isBare ? /[<[◁a]/ : /[<[◁]/)
    return at < 0 ? this.#rest.length : at
  }

  /** Reads so many characters as text, thinking, or the space behind it. */
  #take(length: number): void {
    if (length === 0) return
    const piece = this.#rest.slice(0, length)
    this.#rest = this.#rest.slice(length)
    if (this.#mode === 'thinking') return this.#think(piece)
    let text = piece
    if (this.#mode === 'after') {
      text = piece.trimStart()
      this.#after += piece.slice(0, piece.length - text.length)
      if (text === '') return
      this.#endThinking()
    }
    this.#text += text
    this.#code.add(text)
  }

  #think(piece: string): void {
    const whole = this.#spaces + piece
    const begun = this.#thought === '' ? whole.trimStart() : whole
    const shown = begun.trimEnd()
    if (shown !== '') this.#before += whole.slice(0, whole.length - begun.length)
    this.#spaces = (shown === '' ? whole : begun).slice(shown.length)
    if (shown === '') return
    this.#thought = shown.slice(-1)
    this.#parts.push({ type: 'reasoning-delta', id: this.#reasoningId, delta: shown })
  }

  /** Reads the mark at the start of `#rest`. False if the next character decides. */
  #read(mark: Exclude<Mark, { kind: 'partial' }>, isEnd: boolean): boolean {
    const { kind, text } = mark
    const isChannel = kind === 'channel' || kind === 'message-start' || (kind === 'message-end' && this.#isHarmony)
    if (this.#mode === 'thinking') {
      if (kind === 'close' || isChannel) {
        const isQuoted = text.startsWith('<') && this.#isQuoted(text, isEnd)
        if (isQuoted === undefined) return false
        if (isQuoted) this.#take(text.length)
        else {
          this.#after = this.#spaces
          this.#spaces = ''
          this.#mode = 'after'
          // The header of the next channel is read as such.
          if (kind === 'channel') return true
          this.#skip(text)
        }
      } else this.#take(text.length)
      return true
    }
    if (this.#mode === 'call') {
      this.#take(text.length)
      if (kind === 'message-end') this.#mode = 'text'
      return true
    }
    if (this.#mode === 'text' && this.#code.isInCode) this.#take(1)
    else if (isChannel) this.#readChannel(mark)
    else if (kind === 'open') this.#readOpening(text)
    else if (kind === 'close' || kind === 'bare-final') this.#readClosing(kind, text)
    else this.#take(1)
    return true
  }

  /** Whether the mark is a code span of its own. Undefined: the next character decides. */
  #isQuoted(mark: string, isEnd: boolean): boolean | undefined {
    if (this.#spaces !== '' || this.#thought !== '`') return false
    if (this.#rest.length === mark.length) return isEnd ? false : undefined
    return this.#rest[mark.length] === '`'
  }

  #readChannel(mark: Exclude<Mark, { kind: 'partial' }>): void {
    this.#isHarmony = true
    if (mark.kind !== 'channel') return this.#skip(mark.text)
    const [name = ''] = mark.name.split(/\s/)
    if (/\bto=/.test(mark.name)) {
      // A call as text. It is removed where the tools are known.
      if (this.#mode === 'after') this.#endThinking()
      this.#take(mark.text.length)
      this.#mode = 'call'
    } else {
      this.#skip(mark.text)
      if (name !== bareAnalysis) return
      if (this.#mode === 'after') this.#endThinking()
      this.#openThinking()
    }
  }

  #readOpening(tag: string): void {
    if (this.#mode === 'after' || this.#text.trim() === '') {
      if (this.#mode === 'after') this.#endThinking()
      this.#before = this.#text + tag
      this.#text = ''
      this.#skip(tag)
      this.#openThinking()
      return
    }
    if (this.#opened === undefined && this.#code.isAtLineStart) this.#opened = { at: this.#text.length, tag }
    else this.#isNamed = true
    this.#take(tag.length)
  }

  #readClosing(kind: 'close' | 'bare-final', tag: string): void {
    if (this.#mode === 'after') return this.#skip(tag)
    if (kind === 'close' && this.#opened === undefined && this.#isNamed) {
      this.#isNamed = false
      return this.#take(tag.length)
    }
    this.#skip(tag)
    const { at, tag: opening } = this.#opened ?? { at: 0, tag: '' }
    const begin = kind === 'bare-final' ? this.#text.indexOf(bareAnalysis) + bareAnalysis.length : at + opening.length
    if (kind === 'bare-final') this.#isHarmony = true
    const thinking = this.#text.slice(begin)
    if (thinking.trim() === '' && opening === '') return
    this.#before = this.#text.slice(at, begin)
    this.#text = this.#text.slice(0, at)
    if (this.#shown > at) {
      this.#shown = at
      this.#parts.push({ type: 'text-end', id: this.id, text: this.#text })
    }
    this.#openThinking()
    this.#think(thinking)
    this.#after = this.#spaces + tag
    this.#spaces = ''
    this.#mode = 'after'
  }

  #skip(mark: string): void {
    this.#rest = this.#rest.slice(mark.length)
    if (this.#mode === 'after') this.#after += mark
  }

  #openThinking(): void {
    this.#flush(false)
    this.#mode = 'thinking'
    this.#thought = ''
    this.#parts.push({ type: 'reasoning-start', id: this.#reasoningId })
  }

  #endThinking(): void {
    // The marks of harmony are for the server, and must not come back as text.
    const marks = this.#isHarmony ? undefined : thinkingMarks(this.#before, this.#after)
    this.#parts.push(dropUndefined({ type: 'reasoning-end', id: this.#reasoningId, providerMetadata: marks }))
    this.ids.push(`${this.#given} ${this.ids.length}`)
    this.#mode = 'text'
    this.#before = this.#after = this.#text = ''
    this.#shown = 0
    this.#opened = undefined
    this.#isNamed = false
    this.#code = new CodeReader()
  }

  /** Shows the text so far. Space at its beginning waits for a word, because it may belong to thinking. */
  #flush(isEnd: boolean): void {
    if (isEnd && (this.#mode === 'thinking' || this.#mode === 'after')) {
      this.#after = this.#spaces + this.#after
      this.#spaces = ''
      this.#endThinking()
    }
    const delta = this.#text.slice(this.#shown)
    if (delta === '' || (!isEnd && this.#text.trim() === '')) return
    this.#parts.push({ type: 'text-delta', id: this.id, delta })
    this.#shown = this.#text.length
  }
}

// What stood around a thinking that a model wrote into its text. It is stored with the reasoning, because some models
// require their thinking back as they wrote it.

const key = 'inText'

/** The metadata of the reasoning. `before`, `after`: the tags, with the space around them. */
function thinkingMarks(before: string, after: string): Metadata {
  return { [key]: { before, after } }
}

/** A reasoning as its model wrote it into the text; '' for any other reasoning. */
export function thinkingAsWritten(text: string, metadata: Metadata | undefined): string {
  const marks = metadata?.[key]
  if (!isObject(marks)) return ''
  const { before, after } = marks
  return typeof before === 'string' && typeof after === 'string' ? before + text + after : ''
}
