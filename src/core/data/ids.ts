// Formats ids. The caller supplies the random bytes, because `core/` must not make random values itself.

/** The bytes in lower-case hex. Used instead of `crypto.randomUUID`, which pages without https do not have. */
export function formatId(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
