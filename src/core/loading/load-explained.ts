// Imports a file of the package, and says why that failed. Browsers report a missing file, a page in its place, a
// policy and a lost connection in the same words, and each browser in its own. So the files are requested once more,
// and violations of the page's policy are heard. The words of a browser only name the file.
import { errorMessage, ToolAgentError } from '../data/errors.js'
import { dropUndefined } from '../data/json.js'

/** What this file uses of the globals of a page, a worker or Node: pass `globalThis`. */
export interface LoadScope {
  readonly navigator?: { readonly onLine?: boolean }
  readonly PerformanceObserver?: new (onEntries: (list: { getEntries(): Timing[] }) => void) => {
    observe(options: { type: 'resource' }): void
    takeRecords(): Timing[]
    disconnect(): void
  }
  setTimeout(run: () => void): unknown
  fetch(url: string, options: { cache: 'no-store' }): Promise<FileResponse>
  addEventListener?(type: 'securitypolicyviolation', listener: (event: object) => void): void
  removeEventListener?(type: 'securitypolicyviolation', listener: (event: object) => void): void
}

/** A file that was requested. Some browsers have no status. */
interface Timing {
  readonly name: string
  readonly responseStatus?: number
}

interface FileResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: { cancel(): Promise<unknown> } | null
}

/** What the page's policy refused: the fields of the event that are used. */
interface Violation {
  readonly effectiveDirective: string
  readonly blockedURI: string
  readonly disposition: string
}

/**
 * Why a file could not be loaded, as `details.load` of the error: `missing`, something else is served in its place
 * (`not-script`), the page's policy refuses it (`blocked`), it does not fit the others (`version`), its code threw
 * (`code`), no network (`offline`), or no usable response (`unreachable`).
 */
type Trouble = 'missing' | 'not-script' | 'blocked' | 'version' | 'code' | 'offline' | 'unreachable'

interface Finding {
  readonly load: Trouble
  /** What is wrong and what to do, for the author of the page. */
  readonly text: string
}

const serveAll = 'Serve all files of one version of tool-agent in one folder, and keep those of the version before.'
/** Files of one load. A chunk imports a few others. */
const mostFiles = 8

/**
 * Resolves with what `load` imports. Rejects with `offline`, with `network` if trying again can help, and with
 * `unavailable` if the page or its server must be changed.
 * @param has An export that is used. A file without it is of another version.
 * @param url The file, where it is known.
 */
export async function loadExplained<Part>(
  scope: LoadScope,
  load: () => Promise<Part>,
  { has, url }: { has?: keyof Part & string; url?: string | undefined } = {},
): Promise<Part> {
  const watch = watchLoading(scope)
  try {
    const part = await load()
    if (part && (has === undefined || part[has] !== undefined)) return part
    throw new SyntaxError(`The file does not export ${has ?? 'anything'}`)
  } catch (thrown) {
    // Violations and timings are reported in tasks, which may come after the failure.
    await new Promise<void>((resolve) => {
      scope.setTimeout(resolve)
    })
    const named = /https?:\/\/[^\s'"()]+/.exec(errorMessage(thrown))?.[0]
    const file = named ?? (url || undefined)
    const { load: trouble, text } = await findTrouble(scope, watch, { thrown, file })
    const isTrouble = trouble === 'offline' || trouble === 'unreachable'
    const code = trouble === 'unreachable' ? 'network' : 'unavailable'
    throw new ToolAgentError(
      trouble === 'offline' ? 'offline' : code,
      `Could not load ${file ?? 'a part'} (${errorMessage(thrown)}). ${text}`,
      { cause: thrown, details: dropUndefined({ load: trouble, file, retry: isTrouble }) },
    )
  } finally {
    watch.end()
  }
}

async function findTrouble(
  scope: LoadScope,
  watch: LoadWatch,
  { thrown, file }: { thrown: unknown; file: string | undefined },
): Promise<Finding> {
  const message = errorMessage(thrown)
  if (thrown instanceof SyntaxError) return { load: 'version', text: `A file is of another version. ${serveAll}` }
  // Other scripts of the page may fail meanwhile.
  const folder = file?.replace(/[^/]*$/, '')
  const isOurs = (url: string) => !folder || url.startsWith(folder) || folder.startsWith(url)
  const refused = () => {
    const violation = watch.violations.find(
      (one) => one.effectiveDirective.startsWith('script-src') && isOurs(one.blockedURI),
    )
    return violation && ({ load: 'blocked', text: blockedText(violation) } as const)
  }
  const blocked = refused()
  if (blocked) return blocked
  if (scope.navigator?.onLine === false) return { load: 'offline', text: 'The browser is offline.' }
  const timings = watch.timings().filter(({ name }) => /\.[jt]s\b/.test(name) && isOurs(name))
  const files = [...new Set([...(file === undefined ? [] : [file]), ...timings.map(({ name }) => name)])]
  const found = await Promise.all(
    files.slice(0, mostFiles).map((one) => {
      const status = timings.findLast(({ name }) => name === one)?.responseStatus
      return fileTrouble(scope, one, status)
    }),
  )
  const trouble = found.find((one) => one !== undefined)
  // The request gave late reports time.
  const late = refused()
  if (late) return late
  if (trouble !== undefined) return trouble
  // The code of a loaded file failed, if these are not the words of a browser or a bundler about an import.
  if (!/modul|import|chunk/i.test(message)) return { load: 'code', text: `If files were changed: ${serveAll}` }
  const isMute = watch.violations.some((one) => one.effectiveDirective === 'connect-src')
  return {
    load: 'unreachable',
    text: isMute
      ? 'Why is unknown, because connect-src of the page does not allow to ask. Is the file there, and allowed?'
      : 'The server cannot be reached, or the browser refuses the file: check CORS, integrity and extensions.',
  }
}

const blockedText = ({ effectiveDirective, blockedURI }: Violation) =>
  `The Content-Security-Policy of the page: ${effectiveDirective} blocks ${blockedURI}. Allow the files of tool-agent.`

/** What is wrong with a file; undefined if it is there, or cannot be reached. `status`: that of the failed import. */
async function fileTrouble(scope: LoadScope, url: string, status = 0): Promise<Finding | undefined> {
  try {
    const { ok, status: now, headers, body } = await scope.fetch(url, { cache: 'no-store' })
    body?.cancel().catch(() => undefined)
    if (!ok) return statusTrouble(url, now)
    const type = headers.get('content-type') || 'no type'
    if (/script/i.test(type)) return undefined
    return { load: 'not-script', text: `The server sent ${type} in place of JavaScript for ${url}. ${serveAll}` }
  } catch {
    return status >= 400 ? statusTrouble(url, status) : undefined
  }
}

function statusTrouble(url: string, status: number): Finding {
  return status >= 500 || status === 429 || status === 408
    ? { load: 'unreachable', text: `The server answered ${url} with status ${status}. Try again later.` }
    : { load: 'missing', text: `The file is missing (status ${status}): ${url}. ${serveAll}` }
}

interface LoadWatch {
  readonly violations: readonly Violation[]
  timings(): readonly Timing[]
  end(): void
}

/** Collects what the policy refuses, and the requested files: with an observer, because the page's list gets full. */
function watchLoading(scope: LoadScope): LoadWatch {
  const violations: Violation[] = []
  const timings: Timing[] = []
  const onViolation = (event: object) => {
    // A policy that only reports refuses nothing.
    if ((event as Violation).disposition === 'enforce') violations.push(event as Violation)
  }
  const observer =
    scope.PerformanceObserver && new scope.PerformanceObserver((list) => timings.push(...list.getEntries()))
  observer?.observe({ type: 'resource' })
  scope.addEventListener?.('securitypolicyviolation', onViolation)
  return {
    violations,
    timings() {
      timings.push(...(observer?.takeRecords() ?? []))
      return timings
    },
    end() {
      observer?.disconnect()
      scope.removeEventListener?.('securitypolicyviolation', onViolation)
    },
  }
}
