// How the lines of each kind of block are written. Those of tables and HTML are in rare/rare-blocks.ts.

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
