// Whether a place in a Markdown text is inside code: a fenced block or a code span. Reads a text once, in pieces of any
// size. A code span ends with its line at the latest, so that a stray backtick does not hide the rest of the answer.

/** What may stand before a fence: indentation, and the marks of lists and quotes. */
const lineStart = /^[\s>*+\-\d.)]*$/

/** Follows one text from its beginning. */
export class CodeReader {
  /** The line so far. */
  #line = ''
  /** The backticks or tildes that are being read. */
  #run = ''
  /** The marks that opened the block; '' outside of one. */
  #fence = ''
  /** The line is that of the opening fence: another backtick in it makes it a code span. */
  #isFenceLine = false
  /** The backticks that opened the span; '' outside of one. */
  #span = ''

  /** Reads on. */
  add(text: string): void {
    for (const char of text) {
      if (char === '\n') this.#endLine()
      else if (char === '`' || char === '~') {
        if (this.#run !== '' && this.#run[0] !== char) this.#endRun()
        this.#run += char
      } else {
        this.#endRun()
        this.#line += char
      }
    }
  }

  /** Whether what follows is code, if it is no backtick. */
  get isInCode(): boolean {
    this.#endRun()
    return this.#fence !== '' || this.#span !== ''
  }

  /** Whether nothing but space stands before what follows in its line. */
  get isAtLineStart(): boolean {
    this.#endRun()
    return this.#line.trim() === ''
  }

  #endLine(): void {
    this.#endRun()
    this.#line = this.#span = ''
    this.#isFenceLine = false
  }

  #endRun(): void {
    const run = this.#run
    if (run === '') return
    this.#run = ''
    const isFence = run.length >= 3 && lineStart.test(this.#line)
    this.#line += run
    if (this.#fence !== '') {
      if (isFence && run.startsWith(this.#fence)) this.#fence = ''
      else if (this.#isFenceLine && run.startsWith('`') && this.#fence.startsWith('`')) {
        this.#span = run === this.#fence ? '' : this.#fence
        this.#fence = ''
      }
    } else if (this.#span !== '') {
      if (run === this.#span) this.#span = ''
    } else if (isFence) {
      this.#fence = run
      this.#isFenceLine = true
    } else if (run.startsWith('`')) {
      this.#span = run
    }
  }
}
