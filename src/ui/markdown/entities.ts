// Decodes the escapes of Markdown: backslash escapes and the character references of HTML.
import { accented, entityNames } from './entity-names.js'

const common: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', '\u00a0'],
])

const characterOf = (name: string): string | undefined => common.get(name) ?? entityNames.get(name) ?? accented(name)

/** Matches a character reference at `lastIndex`. */
export const reference = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y
const escapeOrReference = new RegExp(`\\\\([!-/:-@[-\`{-~])|${reference.source}`, 'g')

/** Decodes backslash escapes, numeric references and known names, once. Others stay as written. */
export function decodeText(text: string): string {
  return text.replaceAll(escapeOrReference, (whole: string, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped
    const name = whole.slice(1, -1)
    if (!name.startsWith('#')) return characterOf(name) ?? whole
    const code = Number(name.slice(1).replace(/^x/i, '0x'))
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}
