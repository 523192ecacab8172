// Decodes the escapes of Markdown: backslash escapes and the character references of HTML. Most names
// are loaded with the first one that a text uses; until then they stay as written.

const common: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', '\u00a0'],
])
let names: typeof import('./entity-names.js') | undefined
let loading: Promise<void> | undefined
const listeners: WeakRef<() => void>[] = []

/**
 * Calls `listener` when the other names are loaded: texts that were drawn before must be drawn again. Holds it weakly,
 * because a panel may be removed before that.
 */
export function whenNamesLoad(listener: () => void): void {
  if (names === undefined) listeners.push(new WeakRef(listener))
}

/** Loads the other names. Rejects if that fails; the next text tries again. */
export function loadNames(): Promise<void> {
  loading ??= import('./entity-names.js').then((loaded) => {
    names = loaded
    for (const listener of listeners.splice(0)) listener.deref()?.()
  })
  return loading
}

function characterOf(name: string): string | undefined {
  const character = common.get(name)
  if (character === undefined && names === undefined)
    loadNames().catch(() => {
      loading = undefined
    })
  return character ?? names?.entityNames.get(name) ?? names?.accented(name)
}

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
