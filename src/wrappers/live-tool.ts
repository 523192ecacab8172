// A tool of a component: registered while the component is mounted. Its functions call those of the newest render, and
// it is registered again only if what the model reads has changed.
import type { AnyTool } from '../index.js'
import { isSameTool, isToolFunction } from './compare.js'
import { followTarget, type ToolTarget } from './shared-agents.js'

/** The registration of one `useTool`. */
export class LiveTool {
  #tool: AnyTool | undefined
  #target: ToolTarget | undefined
  #stop: (() => void) | undefined

  /**
   * Registers the tool, or takes its functions if it is registered already.
   * @param target The agent to register with. Default: the agent of the page, also one that is created later.
   * @throws `invalid-tool`, `duplicate-tool`
   */
  update(tool: AnyTool, target?: ToolTarget): void {
    const isSame = this.#tool !== undefined && this.#target === target && isSameTool(this.#tool, tool)
    if (isSame && this.#stop !== undefined) {
      this.#tool = tool
      return
    }
    this.stop()
    this.#tool = tool
    this.#target = target
    const register = (one: ToolTarget): (() => void) => one.registerTool(this.#live(tool))
    this.#stop = target === undefined ? followTarget(register) : register(target)
  }

  /** Unregisters the tool. `update` registers it again. */
  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  #live(tool: AnyTool): AnyTool {
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
