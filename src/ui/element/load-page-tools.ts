// The page tools that `page-tools` names: loaded when named, registered like any other tool, taken away when not.
import type { PageToolToken } from '../../page/options.js'
import type { AnyTool } from '../../page/tools/tool.js'
import { pageToolTokens } from './element-options.js'

export class PageTools {
  #wanted = ''
  #remove: () => void = () => {}

  /** Rejects where the tools cannot be loaded or registered; the ones before are gone then, too. */
  async change(value: string | undefined, register: (tools: AnyTool[]) => () => void): Promise<void> {
    const tokens = pageToolTokens(value)
    const wanted = tokens.join(' ')
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    this.#remove()
    this.#remove = () => {}
    if (tokens.length === 0) return
    const tools = (await Promise.all(tokens.map((token) => load[token]()))).flat()
    if (wanted === this.#wanted) this.#remove = register(tools)
  }
}

/** A page whose assistant may not act loads nothing of acting. */
const load: Readonly<Record<PageToolToken, () => Promise<AnyTool[]>>> = {
  read: async () => (await import('../../page-tools/tool-lists.js')).readTools(),
  fill: async () => (await import('../../page-tools/tool-lists.js')).fillTools(),
  act: async () => (await import('../../page-tools/act/act-tools.js')).actTools(),
}
