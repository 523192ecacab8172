// Computed colours as numbers. Most are `rgb()`; those that are not (`oklch()`, `lab()`, `color()`, `color-mix()`) the
// browser itself paints on a canvas. Where a canvas tells something else than was painted, the colour is unknown.

/** Red, green and blue up to 255, alpha up to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]

const known = new Map<string, Color | null>()
let pen: OffscreenCanvasRenderingContext2D | null | undefined

/** The colour in numbers; null where it cannot be told. */
export function colorOf(text: string): Color | null {
  const rgb = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text)
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3]), Number(rgb[4] ?? 1)]
  let found = known.get(text)
  if (found === undefined) {
    // An animation has a new colour in every frame.
    if (known.size > 500) known.clear()
    known.set(text, (found = painted(text)))
  }
  return found
}

function painted(text: string): Color | null {
  try {
    pen ??= new OffscreenCanvas(2, 1).getContext('2d', { willReadFrequently: true })
    if (!pen) return null
    const probe = '#0963c7'
    pen.clearRect(0, 0, 2, 1)
    pen.fillStyle = probe
    pen.fillRect(0, 0, 1, 1)
    pen.fillStyle = text
    if (pen.fillStyle === probe) return null
    pen.fillRect(1, 0, 1, 1)
    const [r = 0, g = 0, b = 0, a = 0, ...color] = pen.getImageData(0, 0, 2, 1).data
    // Browsers that guard against fingerprinting hand out noise.
    if (!areSimilarColors([r, g, b, a], [9, 99, 199, 255])) return null
    return [color[0] ?? 0, color[1] ?? 0, color[2] ?? 0, (color[3] ?? 0) / 255]
  } catch {
    return null // No canvas to paint on here: the colour stays unknown, which is the answer.
  }
}

/** The same to the eye, whatever the alpha. */
export const areSimilarColors = (one: Color, other: Color): boolean =>
  [0, 1, 2].every((index) => Math.abs((one[index] ?? 0) - (other[index] ?? 0)) <= 8)
