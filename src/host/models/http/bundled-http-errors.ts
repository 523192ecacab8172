// The wording of errors, as an import: used in the page, in Node and from source. The build of the files that a worker
// loads replaces this file with an empty one (scripts/build.mjs): they get it from worker-parts.js.
import type * as HttpErrors from './http-errors.js'

/** Loads the code that words errors; undefined where the host provides it. */
export const bundledHttpErrors: (() => Promise<typeof HttpErrors>) | undefined = () => import('./http-errors.js')
