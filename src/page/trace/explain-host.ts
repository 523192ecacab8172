// What the console says where the host does not run in a worker of its own file: why, and how to fix it. Loaded then.
import * as log from '../log.js'

export function explainHost(kind: 'blob-worker' | 'page', url: string, why: string): void {
  log.logInfo(
    [
      kind === 'page'
        ? `There is no worker (${why}), so its work is done in the page.`
        : 'The worker file is of another origin, so it starts from a blob.',
      `Worker file: ${url}.`,
      'To fix it, serve worker.js and the folder models beside it from the origin of the page,',
      'name the file with worker-url where it is not beside the script,',
      "and allow it with worker-src 'self'.",
    ].join(' '),
    'host',
  )
}
