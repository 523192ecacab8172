// useTool(): a tool that exists while its component is mounted.
import { useState } from 'react'
import type { Agent, AnyTool, Schema, ToolWith, ToolWithoutInput } from '../index.js'
import { LiveTool } from '../wrappers/live-tool.js'
import { useMountEffect } from './mount-effect.js'

/** Where `useTool` registers. */
export interface UseToolOptions {
  /**
   * The agent that gets the tool. @default the agent of `useAgent`, or the element of a `<ToolAgent>` without an agent;
   * also one that is created later
   */
  agent?: Agent | undefined
}

/**
 * Registers a tool while the component is mounted. A call always runs the functions of the newest render. The tool is
 * registered again only if its name, description, schema or another value changes. A schema that is written inside of
 * the component must be plain JSON Schema or of a library with Standard JSON Schema, such as zod 4; others belong
 * outside, because they count as changed with each render.
 * If several mounted components register one name, the one that was mounted last is used. Nothing throws: a tool that
 * is not valid is shown in the panel and in the console, and not offered.
 */
export function useTool<const S extends Schema, Output, const C extends Schema = never>(
  tool: ToolWith<S, Output, C>,
  options?: UseToolOptions,
): void
/** The same for a tool without parameters. */
export function useTool<Output, const C extends Schema = never>(
  tool: ToolWithoutInput<Output, C>,
  options?: UseToolOptions,
): void
/** The same for tools whose types are not inferred. */
export function useTool(tool: AnyTool, options?: UseToolOptions): void
export function useTool(tool: AnyTool, { agent }: UseToolOptions = {}): void {
  const [live] = useState(() => new LiveTool())
  useMountEffect(() => {
    live.update(tool, agent)
  })
  useMountEffect(
    () => () => {
      live.stop()
    },
    [live],
  )
}
