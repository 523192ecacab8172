// useTool(): a tool that exists while its component is mounted and, inside of KeepAlive, active.
import {
  onActivated,
  onDeactivated,
  onMounted,
  onUnmounted,
  ref,
  toRaw,
  toValue,
  watchEffect,
  type MaybeRefOrGetter,
} from 'vue'
import type { Agent, AnyTool, Schema, ToolWith, ToolWithoutInput } from '../index.js'
import { LiveTool } from '../wrappers/live-tool.js'

/** Where `useTool` registers. */
export interface UseToolOptions {
  /**
   * The agent that gets the tool. @default the agent of `useAgent`, or the element of a `<ToolAgent>` without an agent;
   * also one that is created later
   */
  agent?: MaybeRefOrGetter<Agent | undefined>
}

/**
 * Registers a tool while the component is mounted. A ref or a getter is followed: a call runs the newest functions, and
 * the tool is registered again only if its name, description, schema or another value changes.
 * If several mounted components register one name, the one that was mounted last is used. Nothing throws: a tool that
 * is not valid is shown in the panel and in the console, and not offered.
 */
export function useTool<const S extends Schema, Output, const C extends Schema = never>(
  tool: MaybeRefOrGetter<ToolWith<S, Output, C>>,
  options?: UseToolOptions,
): void
/** The same for a tool without parameters. */
export function useTool<Output, const C extends Schema = never>(
  tool: MaybeRefOrGetter<ToolWithoutInput<Output, C>>,
  options?: UseToolOptions,
): void
/** The same for tools whose types are not inferred. */
export function useTool(tool: MaybeRefOrGetter<AnyTool>, options?: UseToolOptions): void
export function useTool(tool: MaybeRefOrGetter<AnyTool>, { agent }: UseToolOptions = {}): void {
  const live = new LiveTool()
  const isActive = ref(false)
  const activate = (): void => {
    isActive.value = true
  }
  onMounted(activate)
  onActivated(activate)
  onDeactivated(() => {
    isActive.value = false
  })
  watchEffect(
    () => {
      // A copy, because the same reactive object would always equal itself.
      if (isActive.value) live.update({ ...toValue(tool) }, toRaw(toValue(agent)))
      else live.stop()
    },
    { flush: 'post' },
  )
  onUnmounted(() => {
    live.stop()
  })
}
