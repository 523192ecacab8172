// Text that comes from a model or a tool, made safe to read: invisible characters become visible escapes.

/** Text before a joiner, and after it: a joiner is part of words in scripts such as Arabic and Hindi, and of emoji. */
const joined = '[\\p{L}\\p{M}](?<![\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}\\p{sc=Hani}])|\\p{Extended_Pictographic}'
/** A variation selector is part of the symbol or ideograph before it. */
const varied = '[\\p{Emoji}\\p{S}\\p{P}\\p{sc=Hani}\\p{sc=Mong}]'
/** Characters that are invisible or change the direction of text. */
const invisible = new RegExp(
  [
    '(?![\\u200c\\u200d]|\\p{VS})\\p{DI}',
    `(?<!${joined}|\\p{EMod}|\\ufe0f)[\\u200c\\u200d]`,
    `[\\u200c\\u200d](?!${joined})`,
    `(?<!${varied})\\p{VS}`,
    '[\\u2028\\u2029\\ufff9-\\ufffb]',
    '(?![\\t\\n])\\p{Cc}',
  ].join('|'),
  'gu',
)

/** Replaces each invisible character by an escape such as `\u{202e}`, so that text cannot hide anything. */
export function toVisibleText(text: string): string {
  return text.replaceAll(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`)
}

/** The first 120 characters of a text, on one line. */
export function toSingleLine(text: string): string {
  return toVisibleText(text.trim().replaceAll(/\s+/g, ' ').slice(0, 120))
}
