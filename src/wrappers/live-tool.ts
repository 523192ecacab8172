// A tool of a component: registered while the component is mounted. Its functions call those of the newest render, and
// it is registered again only if what the model reads has changed.
import type { AnyTool } from '../index.js'
import { isSameTool, isToolFunction } from './compare.js'
import { placeTool } from './placed-tools.js'
import { followTarget, type ToolTarget } from './shared-agents.js'

/** The registration of one `useTool`. */
export class LiveTool {
  #tool: AnyTool | undefined
  #target: ToolTarget | undefined
  /** Where the tool is registered now. */
  #current: ToolTarget | undefined
  #stop: (() => void) | undefined

  /**
   * Registers the tool, or takes its functions if it is registered already. Never throws: the panel shows an error.
   * @param target The agent to register with. Default: the agent of the page, also one that is created later.
   */
  update(tool: AnyTool, target?: ToolTarget): void {
    const before = this.#tool
    const isPlaced = this.#stop !== undefined && this.#target === target && before !== undefined
    this.#tool = tool
    this.#target = target
    if (isPlaced && isSameTool(before, tool)) return
    if (isPlaced && before.name === tool.name) {
      // It keeps its place among the tools of this name.
      if (this.#current !== undefined) placeTool(this.#current, this, this.#live())
      return
    }
    this.stop()
    const place = (one: ToolTarget): (() => void) => {
      this.#current = one
      const remove = placeTool(one, this, this.#live())
      return () => {
        this.#current = undefined
        remove()
      }
    }
    this.#stop = target === undefined ? followTarget(place) : place(target)
  }

  /** Unregisters the tool. `update` registers it again. */
  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  #live(): AnyTool {
    const tool = this.#tool as AnyTool
    const live = Object.entries(tool).map(([name, value]) => [
      name,
      isToolFunction(name, value) ? (...args: unknown[]) => this.#call(name, args) : value,
    ])
    // The spread keeps fields whose names are symbols.
    return { ...tool, ...(Object.fromEntries(live) as AnyTool) }
  }

  #call(name: string, args: unknown[]): unknown {
    return Reflect.apply(Reflect.get(this.#tool ?? {}, name) as () => unknown, this.#tool, args)
  }
}
