// Why the panel could not be loaded. A failed import says only that it failed, so its file is requested once more: the
// visitor learns whether trying again can help, and the author of the page what to change.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { errorMessage, type Failure } from '../../core/data/errors.js'

/** What a visitor can do: connect, try again, or only reload the page or tell its owner. */
export type LoadProblem = 'offline' | 'network' | 'broken'

/** Loads and uses a part. `explain` says why it failed. */
export async function loadExplained<T>(
  load: () => Promise<T>,
): Promise<T | { problem: LoadProblem; failure: Failure }> {
  let blocked = ''
  const page = unclobbered(document)
  const onViolation = ({ blockedURI, effectiveDirective, disposition }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce') blocked ||= `${effectiveDirective} blocks ${blockedURI}`
  }
  page.addEventListener('securitypolicyviolation', onViolation)
  try {
    return await load()
  } catch (thrown) {
    const message = errorMessage(thrown)
    const failed = (problem: LoadProblem, why: string) => ({
      problem,
      failure: { code: problem === 'offline' ? 'offline' : 'network', message: `${message} ${why}`.trim() } as const,
    })
    if (navigator.onLine === false) return failed('offline', 'The browser is offline.')
    const [url] = /https?:\/\/[^\s'"]+\.[jt]s\b[^\s'"]*/.exec(message) ?? []
    const found = url === undefined ? '' : await problemOf(url)
    if (blocked !== '')
      return failed(
        'broken',
        `The Content-Security-Policy of the page: ${blocked}. Allow the files of tool-agent there.`,
      )
    if (found !== '') return failed('broken', found)
    // Neither a file nor the connection is the reason: the code itself failed, or its files do not belong together.
    const isImport = /modul|import/i.test(message) && !(thrown instanceof SyntaxError)
    if (isImport) return failed('network', '')
    return failed('broken', thrown instanceof SyntaxError ? `A file is of another version. ${serveAll}` : '')
  } finally {
    page.removeEventListener('securitypolicyviolation', onViolation)
  }
}

const serveAll = 'Serve all files of one version of tool-agent in one folder, and keep those of the version before.'

/** What is wrong with the file of a URL; '' if it is there, or cannot be reached. */
async function problemOf(url: string): Promise<string> {
  try {
    const { ok, status, headers } = await fetch(url)
    if (!ok) return `The file is missing (status ${status}). ${serveAll}`
    const type = headers.get('content-type') ?? ''
    return /script/i.test(type) ? '' : `The server sent ${type || 'no type'} in place of JavaScript. ${serveAll}`
  } catch {
    return ''
  }
}
