// From a file of the user to a part of the message. Images are scaled down and encoded again, which also removes what a
// camera wrote into them, such as the place. Text becomes fenced text, because the file may be by somebody else. Loaded
// with the first file.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { FilePart, TextPart } from '../../core/data/message.js'
import { attachedText, toOneLine } from '../../core/prompt/cut-and-fence.js'

/** Why a file cannot be attached. */
export class FileProblem extends Error {
  /** `large`: more than `limit` bytes. `type`: neither an image nor text, nor accepted by its own type. */
  readonly kind: 'large' | 'unreadable' | 'type'
  /** Bytes; 0 unless the file is too large. */
  readonly limit: number

  constructor(kind: FileProblem['kind'], limit = 0) {
    super(kind)
    this.kind = kind
    this.limit = limit
  }
}

/** Bytes of all files of one message, as they are sent before Base64. A request also has the rest of a conversation. */
export const mostBytes = 12_000_000
/** Bytes of a file as it was chosen. */
const limits = { image: 25_000_000, text: 200_000, other: 5_000_000 }
/** Pixels of the longer side. Larger images are scaled down by the providers themselves. */
const longestSide = 1568
/** Bytes. A larger PNG becomes a JPEG. */
const largestPng = 750_000
const jpegQuality = 0.85

/** Media types of text that do not begin with `text/`. */
const textTypes = /^application\/(?:[\w.-]*\+)?(?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|sql|x-sh|x-ndjson)$/
/** Extensions of text files for which browsers know no type, or a wrong one. */
const textNames = new RegExp(
  `\\.(?:${[
    'txt|md|markdown|csv|tsv|jsonl?|ndjson|xml|ya?ml|toml|ini|log|tex|srt|vtt|ics',
    'html?|css|[cm]?[jt]sx?|svelte|vue|py|rb|go|rs|java|kt|swift|c|h|cpp|cs|php|sh|sql',
  ].join('|')})$`,
  'i',
)

/**
 * Reads a file. `mayPass`: a file that is neither an image nor text is accepted as it is, such as a PDF. Rejects with a
 * `FileProblem`.
 */
export async function readFile(file: File, mayPass: boolean): Promise<FilePart | TextPart> {
  const name = toOneLine(file.name, 120) || 'file'
  const isSvg = file.type === 'image/svg+xml'
  if (file.type.startsWith('image/') && !isSvg) return imagePart(file, name)
  if (
    isSvg ||
    file.type === '' ||
    file.type.startsWith('text/') ||
    textTypes.test(file.type) ||
    textNames.test(file.name)
  )
    return textPart(file, name)
  if (!mayPass) throw new FileProblem('type')
  checkSize(file, limits.other)
  return { type: 'file', mediaType: file.type, data: await base64(file), name }
}

function checkSize(file: File, limit: number): void {
  if (file.size > limit) throw new FileProblem('large', limit)
}

async function textPart(file: File, name: string): Promise<TextPart> {
  checkSize(file, limits.text)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw new FileProblem('unreadable')
  }
  if (text.includes('\0')) throw new FileProblem('unreadable')
  const boundary = crypto.getRandomValues(new Uint32Array(2)).join('')
  return { type: 'text', text: attachedText(name, text, boundary), name }
}

async function imagePart(file: File, name: string): Promise<FilePart> {
  checkSize(file, limits.image)
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(file)
  } catch {
    throw new FileProblem('unreadable')
  }
  try {
    const { width, height } = bitmap
    const scale = Math.min(1, longestSide / Math.max(width, height))
    const canvas = unclobbered(document).createElement('canvas')
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    const context = canvas.getContext('2d')
    if (context === null) throw new FileProblem('unreadable')
    context.imageSmoothingQuality = 'high'
    // A photo has no transparent pixels. A graphic keeps its format as long as it is small.
    if (file.type !== 'image/jpeg') {
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
      const png = await encode(canvas, 'image/png')
      if (png.size <= largestPng) return { type: 'file', mediaType: 'image/png', data: await base64(png), name }
    }
    context.globalCompositeOperation = 'source-over'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const jpeg = await encode(canvas, 'image/jpeg')
    return { type: 'file', mediaType: 'image/jpeg', data: await base64(jpeg), name }
  } finally {
    bitmap.close()
  }
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new FileProblem('unreadable'))), type, jpegQuality)
  })
}

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; start += 32_768)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 32_768)))
  return btoa(pieces.join(''))
}
