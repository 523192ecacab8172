// useAgentState(): what a component shows of an agent.
import { computed, shallowRef, toRaw, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import type { Agent, AgentSelector, IsEqual } from '../index.js'
import { AgentSelection } from '../page/agent-selection.js'
import { blankAgent } from '../wrappers/blank-agent.js'

/**
 * What `select` reads of the agent, such as `({ todos }) => todos`, as a ref that cannot be set. Its value changes
 * when it differs from the one before: arrays and plain objects are equal if their members are, or as `isEqual` says.
 * Refs that `select` reads are followed. While `agent` is undefined or null, it reads an agent without a session.
 */
export function useAgentState<T>(
  agent: MaybeRefOrGetter<Agent | null | undefined>,
  select: AgentSelector<T>,
  isEqual?: IsEqual<T>,
): ComputedRef<T> {
  const selection = new AgentSelection<T>()
  const changes = shallowRef(0)
  // A private class must not be called through a proxy.
  const current = (): Agent => toRaw(toValue(agent)) ?? blankAgent()
  // On a server nothing changes while a page is rendered, and nothing would end the subscription.
  if (typeof document === 'object')
    watch(
      current,
      (observed, _before, onCleanup) => {
        onCleanup(
          selection.observe(observed, () => {
            changes.value += 1
          }),
        )
      },
      { immediate: true, flush: 'sync' },
    )
  return computed(() => {
    void changes.value
    // A new function each time, because the refs that it reads may have changed.
    return selection.read(current(), (one) => select(one), isEqual)
  })
}
