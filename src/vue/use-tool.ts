// useTool(): a tool that exists while its component is mounted and, inside of KeepAlive, active. useToolRenderer():
// draws the calls of a tool with a component, inside the cards of the panel.
import {
  onActivated,
  onDeactivated,
  onMounted,
  onUnmounted,
  ref,
  toRaw,
  toValue,
  watchEffect,
  getCurrentInstance,
  h,
  render,
  watch,
  type MaybeRefOrGetter,
  type AppContext,
  type Component,
  type ComponentInternalInstance,
} from 'vue'
import type { Agent, AnyTool, Schema, ToolWith, ToolWithoutInput } from '../index.js'
import { LiveTool } from '../wrappers/live-tool.js'
import { ToolCards, toolCallProps } from '../wrappers/tool-cards.js'

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

/**
 * Draws the calls of a tool with a component, in place of the arguments and the result in their cards. The component
 * gets those of `ToolCallProps` as props that it declares: `input`, `state`, `output`, `error`, `part`. It has what
 * this component and the app provide, and is unmounted with the card or with this component. The styles of the page
 * do not reach it.
 */
export function useToolRenderer(
  agent: MaybeRefOrGetter<Agent | null | undefined>,
  toolName: MaybeRefOrGetter<string>,
  component: Component,
): void {
  const instance = getCurrentInstance()
  const cards = new ToolCards()
  /** The containers that have the component. */
  let drawn = new Set<HTMLElement>()
  const stopObserving = cards.observe(() => {
    const shown = new Set(cards.shown.map(({ container }) => container))
    for (const container of drawn) if (!shown.has(container)) render(null, container)
    drawn = shown
    for (const { container, part, callId } of cards.shown) {
      const node = h(component, declaredProps(component, { ...toolCallProps(part) }))
      if (instance !== null) node.appContext = contextOf(instance)
      render(node, container)
      cards.drawn(callId)
    }
  })
  let stop: (() => void) | undefined
  onMounted(() => {
    watch(
      // A private class must not be called through a proxy.
      () => [toRaw(toValue(agent)), toValue(toolName)] as const,
      ([current, name], _before, onCleanup) => {
        if (current != null) onCleanup((stop = cards.start(current, name)))
      },
      { immediate: true },
    )
  })
  onUnmounted(() => {
    stop?.()
    stopObserving()
  })
}

/** Only the props that a component declares: Vue would write the others as attributes on its element. */
function declaredProps(component: Component, all: Record<string, unknown>): Record<string, unknown> {
  if (typeof component === 'function') return all
  const declared: unknown = Reflect.get(component, 'props')
  const names: readonly unknown[] = Array.isArray(declared) ? declared : Object.keys(Object(declared) as object)
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/** What a component below this one has: Vue keeps what a component provides in a field that its types leave out. */
function contextOf(instance: ComponentInternalInstance): AppContext {
  const provides: unknown = Reflect.get(instance, 'provides')
  const { appContext } = instance
  return typeof provides === 'object' && provides !== null
    ? { ...appContext, provides: provides as AppContext['provides'] }
    : appContext
}
