// Bytes of a body: joined, or read whole.

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0]
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** All bytes of a body; undefined if there are more than `most`. */
export async function readAll(body: Request['body'], most: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > most) {
      void reader?.cancel().catch(() => {})
      return undefined
    }
    parts.push(part.value)
  }
  return joined(parts)
}
