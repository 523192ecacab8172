// Recognizes changed texts. A file of its own, because no usual visit needs it in the page.

/** A 64-bit FNV-1a hash of a text as 16 hex digits. For change detection, not for security. */
export function fingerprint(text: string): string {
  let low = 0x84222325
  let high = 0xcbf29ce4
  for (let index = 0; index < text.length; index++) {
    low ^= text.charCodeAt(index)
    // Multiply by 2^40 + 0x1b3 in two 32-bit halves.
    const product = (low >>> 0) * 0x1b3
    high = (Math.imul(high, 0x1b3) + (low << 8) + Math.floor(product / 0x100000000)) | 0
    low = product | 0
  }
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}
