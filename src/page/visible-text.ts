// Removes invisible characters from what a page author or a schema says. Apart from its users, because they are in
// several chunks.

/** All control characters but tab and line feed, and the invisible characters that direct text or tag it. */
const control = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu

/** The text without control characters, direction overrides and invisible tag characters. */
export function visibleText(text: string): string {
  return text.replace(control, '')
}
