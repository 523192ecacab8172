// A line of the outline as data. Whoever filters, compares or shortens lines asks what their pieces are; the text is
// made once, where it is told.

/** Quotes a name. */
export const quote = (text: string): string => `"${text.replaceAll('"', "'")}"`

/** How a piece is written. Texts of the page are plain strings, so they can never be taken for one. */
const written = {
  /** The role, with which the line of an element begins. */
  role: (text: string) => text,
  /** The ref of an element. */
  ref: (text: string) => ` [ref=${text}]`,
  /** The ref of a day in the line of a calendar. */
  day: (text: string) => `=${text}`,
  state: (text: string) => ` [${text}]`,
  /** The field is invalid, with what the page says about it. */
  invalid: (text: string) => ` [invalid${text && `: ${text}`}]`,
  /** The rank of a heading. */
  level: (text: string) => ` [level=${text}]`,
  /** It looks chosen, which no state says. */
  look: (text: string) => ` [${text}]`,
  /** What a control is in, where it tells equal ones apart. */
  place: (text: string) => ` in ${quote(text)}`,
  /** Where a link leads. */
  target: (text: string) => ` -> ${text}`,
  /** Words about the line itself. */
  note: (text: string) => text,
} as const

export type PieceKind = keyof typeof written

export interface Piece<Kind extends PieceKind = PieceKind> {
  readonly is: Kind
  readonly text: string
}

/** Pieces in order. A string is text of the page, or of the outline where it does not matter which. */
export type Line = readonly (string | Piece)[]

/** A piece; `is` says which one. */
export const piece = (is: PieceKind, text: string): Piece => ({ is, text })

/** How the line of an element begins: with its role and its name. */
export const named = (role: string, name: string): Line => [piece('role', role), ` ${quote(name)}`]

const isOf =
  <Kind extends PieceKind>(...kinds: readonly Kind[]) =>
  (one: string | Piece): one is Piece<Kind> =>
    typeof one !== 'string' && (kinds as readonly PieceKind[]).includes(one.is)

const isRef = isOf('ref', 'day')

/** The line before its first ref: role and name. */
export const startOf = (line: Line): Line => line.slice(0, line.findIndex(isRef))

/** The line with a piece after role and name. */
export const withAfterStart = (line: Line, added: Piece): Line => {
  const start = startOf(line)
  return [...start, added, ...line.slice(start.length)]
}

/** The text of a line. */
export const textOf = (line: Line): string =>
  line.map((one) => (typeof one === 'string' ? one : written[one.is](one.text))).join('')

/** Lines in a row, with words between them. */
export const joinedBy = (lines: readonly Line[], between: string): Line =>
  lines.flatMap((line, index) => (index === 0 ? line : [between, ...line]))

/** The line without pieces of these kinds. */
export function without(line: Line, ...kinds: readonly PieceKind[]): Line {
  const isLeftOut = isOf(...kinds)
  return line.filter((one) => !isLeftOut(one))
}

/** Whether a line has a piece of this kind. */
export const has = (line: Line, kind: PieceKind): boolean => line.some(isOf(kind))

/** Whether a line has this ref. */
export const hasRef = (line: Line, ref: string): boolean => line.some((one) => isRef(one) && one.text === ref)

/** How many elements in a line have a ref of their own. */
export const countRefs = (line: Line): number => line.filter(isOf('ref')).length

/** The line with other words. Words in a row are changed as one text, and refs are not. */
export function mapTexts(line: Line, change: (text: string) => string): Line {
  const changed: (string | Piece)[] = []
  let words = ''
  for (const one of line) {
    if (typeof one === 'string') {
      words += one
      continue
    }
    if (words !== '') changed.push(change(words))
    words = ''
    changed.push(isRef(one) ? one : piece(one.is, change(one.text)))
  }
  return words === '' ? changed : [...changed, change(words)]
}

/** The line as it is if elements are drawn anew: with the places of its refs, and not the refs. */
export const withBlankRefs = (line: Line): string => textOf(line.map((one) => (isRef(one) ? piece(one.is, '') : one)))

/** The ref of what the line is about, or the first one in a row; undefined if there is none. */
export const refIn = (line: Line): string | undefined => line.find(isOf('ref'))?.text

/** The role with which the line begins; undefined for texts, rows and notes. */
export const roleIn = ([first = '']: Line): string | undefined => (isOf('role')(first) ? first.text : undefined)
