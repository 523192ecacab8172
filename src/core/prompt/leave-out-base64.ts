// Files as base64 in the text of a result: a model cannot see them like that, and each of them costs as much as a book.

const letter = '[A-Za-z0-9+/_-]'
/** In a text, or in a text within JSON. */
const lineBreak = String.raw`(?:(?:\\r)?\\n|\r?\n)`
/** MIME wraps after 76 letters, PEM after 64. A word of the next line is no last line. */
const wrapped = (least: number) =>
  `(?:${letter}{60,80}${lineBreak}){${least},}(?:${letter}+={0,2}(?!${letter}|[ .,:;]))?`
const dataUrl = new RegExp(
  String.raw`data:([\w.+-]+/[\w.+-]+)?(?:;[\w=.-]+)*;base64,(${wrapped(3)}|${letter}{200,}={0,2})`,
  'g',
)
const longRun = new RegExp(`(?<!${letter})(?:${letter}{2000,}={0,2}|${wrapped(25)})`, 'g')

/** The text with a note in place of each data URL and each long run of base64. */
export function leaveOutBase64(text: string): string {
  return text
    .replace(dataUrl, (_, type: string | undefined, data: string) => note(type ?? 'file', data))
    .replace(longRun, (run) => (isBase64(run) ? note('file', run) : run))
}

/** A run of one letter, or of words without space, is text, and lines of several lengths are a list. */
function isBase64(run: string): boolean {
  const start = run.slice(0, 400)
  const [first = '', ...lines] = run.split(new RegExp(lineBreak))
  return (
    /[A-Z]/.test(start) &&
    /[a-z]/.test(start) &&
    /\d/.test(start) &&
    new Set(start).size > 20 &&
    lines.slice(0, -1).every(({ length }) => length === first.length)
  )
}

function note(type: string, data: string): string {
  const { length } = data.replaceAll(new RegExp(lineBreak, 'g'), '')
  return `[${type}, ${Math.ceil((length * 3) / 4 / 1000)} kB: left out, it is base64]`
}
