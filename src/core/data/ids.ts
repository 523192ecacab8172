// Ids are random bytes as text; the bytes come from whoever has dice.

/** Lower-case hex. `crypto.randomUUID` is missing on pages without https, so bytes it is. */
export function formatId(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
