// Loads the parts of the host that few visits need (worker-parts.ts). A worker loads them from the URL that its page
// names; any other host imports them.
import { bundledFiles } from './bundled-files.js'
import { loadFile } from './load-file.js'
import { delay } from './timers.js'
import type * as WorkerParts from './worker-parts.js'

/** How long a page may still run scripts after the browser has started to close it, in milliseconds. */
const closingTime = 1_000

let partsUrl: string | undefined
let onUrl: () => void = () => undefined
const urlKnown = new Promise<void>((resolve) => {
  onUrl = resolve
})

/** Sets the URL of the file. Before it, `loadParts` waits in a host that does not contain the parts. */
export function setPartsUrl(url: string | undefined): void {
  partsUrl = url
  onUrl()
}

/**
 * The rare parts of the host. Rejects with `network` or `offline` if their file cannot be loaded; the next call tries
 * again. The first failure is not reported: browsers refuse imports in a page that they are closing, and such a failure
 * must not end a turn that continues on the next page.
 */
export async function loadParts(): Promise<typeof WorkerParts> {
  const { parts } = bundledFiles
  if (!parts) await urlKnown
  return loadFile(parts, partsUrl).catch(async () => {
    await delay(closingTime, new AbortController().signal)
    return loadFile(parts, partsUrl)
  })
}
