// Files as base64 in the text of a result: a model cannot see them like that, and each of them costs as much as a book.

const dataUrl = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*;base64,([A-Za-z0-9+/_-]{200,}={0,2})/g
const longRun = /[A-Za-z0-9+/_-]{2000,}={0,2}/g

/** The text with a note in place of each data URL and each long run of base64. */
export function leaveOutBase64(text: string): string {
  return text
    .replace(dataUrl, (_, type: string | undefined, data: string) => note(type ?? 'file', data))
    .replace(longRun, (run) => (isBase64(run) ? note('file', run) : run))
}

/** A run of one letter, or of words without space, is text. */
function isBase64(run: string): boolean {
  const start = run.slice(0, 400)
  return /[A-Z]/.test(start) && /[a-z]/.test(start) && /\d/.test(start) && new Set(start).size > 20
}

function note(type: string, data: string): string {
  return `[${type}, ${Math.ceil((data.length * 3) / 4 / 1000)} kB: left out, it is base64]`
}
