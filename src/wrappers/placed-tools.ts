// The tools of mounted components, by agent or element. Components may register the same name: the one that was mounted
// last is offered, and when it goes, the one before. So routes can overlap, and nothing throws while a page is drawn.
import { toFailure } from '../core/data/errors.js'
import type { AnyTool } from '../index.js'
import { logWarning } from '../page/log.js'
import type { ToolTarget } from './shared-agents.js'

interface PlacedTool {
  /** Stands for the component. */
  readonly owner: object
  tool: AnyTool
  /** Unregisters the tool, or removes the problem with it. */
  undo: () => void
}

const placed = new WeakMap<ToolTarget, Map<string, PlacedTool[]>>()
const nothing = (): void => {}

/**
 * Registers the tool of a component, or takes the place of the one that the component has registered with this name. An
 * error is shown by the target, and the tool is not offered.
 * @returns The function that removes the component's tool with this name.
 */
export function placeTool(target: ToolTarget, owner: object, tool: AnyTool): () => void {
  const name = String(tool.name)
  const all = placed.get(target) ?? new Map<string, PlacedTool[]>()
  placed.set(target, all)
  const tools = all.get(name) ?? []
  all.set(name, tools)
  const newest = tools.at(-1)
  const known = tools.find((one) => one.owner === owner)
  if (known !== undefined) {
    known.tool = tool
    if (known === newest) show(target, known)
  } else {
    newest?.undo()
    const added: PlacedTool = { owner, tool, undo: nothing }
    tools.push(added)
    show(target, added)
    if (newest !== undefined) warnSoon(name, tools)
  }
  return () => {
    const at = tools.findIndex((one) => one.owner === owner)
    const [removed] = at === -1 ? [] : tools.splice(at, 1)
    const next = tools.at(-1)
    if (removed === undefined || at < tools.length) return
    removed.undo()
    if (next !== undefined) show(target, next)
  }
}

function show(target: ToolTarget, one: PlacedTool): void {
  one.undo()
  one.undo = nothing
  try {
    one.undo = target.registerTool(one.tool)
  } catch (thrown) {
    one.undo = target.reportProblem(toFailure(thrown, 'invalid-tool'))
  }
}

/** In a later task: when a route changes, the new page may be mounted before the old one is gone. */
function warnSoon(name: string, tools: readonly PlacedTool[]): void {
  setTimeout(() => {
    if (tools.length < 2) return
    const [last, ...others] = tools.toReversed().map(({ tool }) => JSON.stringify(describe(tool)))
    logWarning(
      `Tool "${name}": ${tools.length} mounted components register this name. The one that was mounted last is used, ` +
        `${last}, and not ${others.join(', ')}. Give each tool its own name.`,
      `components ${name}`,
    )
  })
}

function describe({ description, title }: AnyTool): string {
  return typeof description === 'string' ? description.slice(0, 80) : (title ?? 'without a description')
}
