// Loads and registers the page tools that the `page-tools` attribute names, and unregisters the others.
import { loadExplained } from '../../core/loading/load-explained.js'
import type { PageToolToken, PageToolTokens } from '../../page/options.js'
import type { AnyTool } from '../../page/tools/tool.js'
import { pageToolTokens } from './element-options.js'

/** The page tools of one element. The newest `change` wins, even if an older one is still loading. */
export class PageTools {
  #wanted = ''
  #unregister: () => void = () => {}
  /** The tools could not be loaded; `change` with the same tools tries again. */
  hasFailed = false

  /** Loads the code of the registered tools before their first call. A failure is reported by that call. */
  warmUp(): void {
    if (this.#wanted !== '') import('../../page-tools/implementation.js').catch(() => undefined)
  }

  /**
   * Replaces the registered page tools.
   * @param value Tokens as in the attribute, such as `read fill`, or a list of them. Undefined registers none.
   * @throws ToolAgentError `invalid-option` for an unknown token. Rejects, too, if the tools cannot be loaded or
   * registered; then no page tool is registered.
   */
  async change(value: PageToolTokens | undefined, register: (tools: AnyTool[]) => () => void): Promise<void> {
    const tokens = pageToolTokens(value)
    const wanted = tokens.join(' ')
    if (wanted === this.#wanted && !this.hasFailed) return
    this.#wanted = wanted
    this.hasFailed = false
    this.#unregister()
    this.#unregister = () => {}
    if (tokens.length === 0) return
    const loading = Promise.all(tokens.map((token) => load[token]()))
    loading.catch(() => {
      this.hasFailed ||= wanted === this.#wanted
    })
    const tools = (await loading).flat()
    if (wanted === this.#wanted) this.#unregister = register(tools)
  }
}

const lists = () => loadExplained(globalThis, () => import('../../page-tools/definitions/tool-lists.js'))
/** `act` is a chunk of its own: a page without it does not load the code that clicks. */
const load: Readonly<Record<PageToolToken, () => Promise<AnyTool[]>>> = {
  read: async () => (await lists()).readTools(),
  fill: async () => (await lists()).fillTools(),
  act: async () => (await loadExplained(globalThis, () => import('../../page-tools/act/act-tools.js'))).actTools(),
}
