// One line of Markdown, while its quotes and lists are removed from its start.

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
