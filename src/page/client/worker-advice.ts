// Explains in the console why the host does not run in a worker of its own file, and how to fix that.
import * as log from '../log.js'

/** `why`: the error of the worker. `url`: the file that was tried. */
export function explainHost(kind: 'blob-worker' | 'page', url: string, why = ''): void {
  log.logInfo(
    [
      kind === 'page'
        ? `No worker could start (${why}), so the host runs in the page.`
        : 'The worker file is on another origin, so it is started from a blob.',
      `Worker file: ${url}.`,
      'To fix it, serve worker.js and the folder models beside it from the origin of the page,',
      'set worker-url if the file is not beside the script,',
      "and allow it with worker-src 'self'.",
      'With Vite 7 or older, add tool-agent to optimizeDeps.exclude.',
    ].join(' '),
    'host',
  )
}
