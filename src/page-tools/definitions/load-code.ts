// The border between the definitions of the page tools, which are loaded when they are registered, and their code,
// which is loaded with the first message or call.

import { loadExplained } from '../../core/loading/load-explained.js'
import type { PageGlass } from '../../page/tools/shown-on-page.js'

type Implementation = typeof import('../implementation.js')

let loading: Promise<Implementation> | undefined

/**
 * Loads the code of the page tools. Rejects if it cannot be loaded; the next call tries again. Importing a loaded file
 * takes a task, in which a frame may be drawn, so the promise is kept.
 */
export function implementation(): Promise<Implementation> {
  loading ??= loadExplained(globalThis, () => import('../implementation.js'), { has: 'runPageRead' }).catch(
    (thrown: unknown) => {
      loading = undefined
      throw thrown
    },
  )
  return loading
}

/** Loads what shows the visitor what is read. A failed load is tried again with the next press. */
export const loadGlass = async (): Promise<PageGlass> =>
  (await loadExplained(globalThis, () => import('../glass/glass.js'), { has: 'pageGlass' })).pageGlass
