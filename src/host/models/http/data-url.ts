// Reads data URLs whose content is not in base64. Apart from the protocols, because several need it and none may fail
// for it: a request that cannot be built would end every later turn of the session.

/** The base64 of a percent-encoded content, as browsers decode it. Signs that are no escapes stay. Never throws. */
export function base64OfPercentEncoded(content: string): string {
  const bytesOf = (text: string): string =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(
    content
      .replace(/\P{ASCII}+/gu, bytesOf)
      .replace(/%([\da-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
}
