// Recognizes requests that an endpoint refuses because of the bytes of their files. Such a refusal has its own code,
// because neither another attempt nor a summary of the conversation makes a file smaller.
import type { ModelRequest } from '../../../core/data/model.js'
import { countFileChars } from '../../../core/prompt/request-size.js'

/** What servers write about the bytes of a request or of a file. */
const tooManyBytes = new RegExp(
  [
    'request[ _](entity[ _]|body[ _])?(is[ _])?too[ _](large|long|big)',
    'payload[ _]?(size|(is )?too[ _]?large)',
    'content size limit',
    'exceeds? the maximum (allowed )?(size|number of bytes)',
    '\\b(image|file|document|pdf)\\b[^.]{0,60} (exceeds?|too large)\\b',
    'image_(file_)?too_large',
    'maximum of \\d+ pdf pages',
  ].join('|'),
  'i',
)

/**
 * Whether an error is about the bytes of files. A refusal that counts tokens is not, nor is one of a request that
 * consists mostly of text: a shorter conversation helps there.
 */
export function isAboutFiles(status: number | undefined, words: string, request: ModelRequest | undefined): boolean {
  if (status !== 413 && !tooManyBytes.test(words)) return false
  return request !== undefined && !/\btokens?\b/i.test(words) && countFileChars(request) * 2 > sizeOf(request)
}

/** For the programmer: what was sent, and what to change. The words of the server may name its limit. */
export function tooLargeHint(request: ModelRequest): string {
  const [all, files] = [sizeOf(request), countFileChars(request)].map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`)
  return (
    ` (The request has about ${all}, ${files} of them are files. ` +
    'Raise the limit of the endpoint or of a proxy before it, or attach smaller files.)'
  )
}

function sizeOf(request: ModelRequest): number {
  return JSON.stringify(request).length
}
