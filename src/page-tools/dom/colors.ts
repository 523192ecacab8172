// Parses computed colors. Colors other than `rgb()`, such as `oklch()` or `color-mix()`, are painted on a canvas and
// read back. A canvas that adds noise against fingerprinting makes them unknown.

/** Red, green and blue from 0 to 255, alpha from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]

const known = new Map<string, Color | null>()
let context: OffscreenCanvasRenderingContext2D | null | undefined

/** The components of a computed color; null if unknown. */
export function colorOf(text: string): Color | null {
  const rgb = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text)
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3]), Number(rgb[4] ?? 1)]
  let found = known.get(text)
  if (found === undefined) {
    // Bounds the cache: an animation has a new color in every frame.
    if (known.size > 500) known.clear()
    known.set(text, (found = painted(text)))
  }
  return found
}

function painted(text: string): Color | null {
  try {
    context ??= new OffscreenCanvas(2, 1).getContext('2d', { willReadFrequently: true })
    if (!context) return null
    const probe = '#0963c7'
    context.clearRect(0, 0, 2, 1)
    context.fillStyle = probe
    context.fillRect(0, 0, 1, 1)
    context.fillStyle = text
    if (context.fillStyle === probe) return null
    context.fillRect(1, 0, 1, 1)
    const [r = 0, g = 0, b = 0, a = 0, ...color] = context.getImageData(0, 0, 2, 1).data
    // Some browsers add noise against fingerprinting.
    if (!areSimilarColors([r, g, b, a], [9, 99, 199, 255])) return null
    return [color[0] ?? 0, color[1] ?? 0, color[2] ?? 0, (color[3] ?? 0) / 255]
  } catch {
    return null // No OffscreenCanvas.
  }
}

/** Whether two colors look the same, ignoring alpha. */
export const areSimilarColors = (one: Color, other: Color): boolean =>
  [0, 1, 2].every((index) => Math.abs((one[index] ?? 0) - (other[index] ?? 0)) <= 8)
