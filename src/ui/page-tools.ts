// The page tools that `page-tools` names: loaded when named, registered like any other tool, taken away when not.
import { ToolAgentError } from '../core/errors.js'
import type { PageToolToken } from '../page/options.js'
import type { AnyTool } from '../page/tool.js'
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
    const tools = await load(tokens)
    if (wanted === this.#wanted) this.#remove = register(tools)
  }
}

async function load(tokens: readonly PageToolToken[]): Promise<AnyTool[]> {
  const module: Record<string, unknown> = await import('../tools/lists.js')
  return tokens.flatMap((token) => {
    const make = module[`${token}Tools`]
    if (typeof make !== 'function') throw new ToolAgentError('invalid-option', `pageTools: '${token}' is not part of this version`)
    return make() as AnyTool[]
  })
}
