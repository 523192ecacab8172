// Compares a file with a list of accepted types, as the attribute `accept` of a file input has it.

const tokensOf = (accept: string): string[] =>
  accept
    .split(/[\s,]+/)
    .map((token) => token.toLowerCase())
    .filter((token) => token !== '')

/**
 * Whether the list accepts the file: by its media type (`image/png`, `image/*`) or by the end of its name (`.md`).
 * `text/*` also accepts files without a type, because browsers know the types of few text files.
 */
export function accepts(accept: string, { name, type }: Pick<File, 'name' | 'type'>): boolean {
  return tokensOf(accept).some((token) => {
    if (token.startsWith('.')) return name.toLowerCase().endsWith(token)
    if (token === '*/*' || token === type) return true
    if (token === 'text/*' && (type === '' || isTextLike(type))) return true
    return token.endsWith('/*') && type.startsWith(token.slice(0, -1))
  })
}

/** Whether the list names the type or the extension itself, not with a `*`. */
export function acceptsByType(accept: string, { name, type }: Pick<File, 'name' | 'type'>): boolean {
  return tokensOf(accept).some((token) =>
    token.startsWith('.') ? name.toLowerCase().endsWith(token) : token === type && type !== '',
  )
}

/** JSON and other text formats whose type begins with `application/`. */
function isTextLike(type: string): boolean {
  return /^application\/(?:[\w.-]*\+)?(?:json|xml|yaml|x-yaml|javascript|sql)$/.test(type)
}
