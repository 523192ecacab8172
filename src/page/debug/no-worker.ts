// What the console says where the host does not run in a worker of its own file: why, and how to fix it. Loaded then.
import * as log from '../log.js'

export function explainHost(kind: 'blob-worker' | 'page', url: string, why: string): void {
  const what = kind === 'page' ? `There is no worker (${why}), so its work is done in the page` : `The worker file is of another origin, so it starts from a blob`
  log.info(`${what}. Worker file: ${url}. To fix it, serve worker.js and the folder models beside it from the origin of the page; ` +
    "name the file with worker-url where it does not stand beside the script; allow it with worker-src 'self'.", 'host')
}
