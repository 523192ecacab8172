// useToolRenderer(): draws the calls of a tool with a component, inside the cards of the panel.
import {
  getCurrentInstance,
  h,
  onMounted,
  onUnmounted,
  render,
  toRaw,
  toValue,
  watch,
  type AppContext,
  type Component,
  type ComponentInternalInstance,
  type MaybeRefOrGetter,
} from 'vue'
import type { Agent } from '../index.js'
import { ToolCards, toolCallProps } from '../wrappers/tool-cards.js'

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
