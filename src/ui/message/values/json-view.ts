// Text that comes from a model or a tool, made safe to read: invisible characters become visible escapes.

/** Characters that are invisible or change the direction of text. */
const invisible = new RegExp(
  '[\\u00ad\\u061c\\u115f\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\ufff9-\\ufffb]' +
    '|[\\u{e0000}-\\u{e0fff}]|(?![\\t\\n])\\p{Cc}',
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
