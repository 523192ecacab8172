// useAgent(): the agent of the app, which lives outside of the component (shared-agents.ts). useAgentState(): what a
// component shows of an agent.
import {
  onMounted,
  onUnmounted,
  ref,
  shallowRef,
  toValue,
  watchEffect,
  computed,
  toRaw,
  watch,
  type MaybeRefOrGetter,
  type ShallowRef,
  type ComputedRef,
} from 'vue'
import type { Agent, AgentOptions, AgentSelector, IsEqual } from '../index.js'
import { configureAgent, holdAgent, observeAgents, sharedAgent, blankAgent } from '../wrappers/shared-agents.js'
import { AgentSelection } from '../page/agent-selection.js'

/** Which agent `useAgent` means. */
export interface UseAgentOptions {
  /** Tells several agents of one page apart. Calls with the same name share one agent. @default '' */
  name?: string | undefined
}

/**
 * The agent of the app: created with the first call, shared by all components that call it with the same name, and
 * closed one second after the last of them was unmounted. Without `options` it returns the agent that another component
 * configures. Options that are a ref or a getter are followed: they take effect from the next step on, and another
 * `scope` or `workerUrl` gives another agent. It connects when the component is mounted, as an agent of `createAgent`
 * does. Nothing throws: an option that is not valid is shown in the panel and in the console, and left out until it is
 * valid.
 */
export function useAgent(
  options?: MaybeRefOrGetter<AgentOptions | undefined>,
  { name = '' }: UseAgentOptions = {},
): Readonly<ShallowRef<Agent>> {
  const read = (): Agent => sharedAgent(name, toValue(options))
  const agent = shallowRef(read())
  const isMounted = ref(false)
  const endings: (() => void)[] = []
  onMounted(() => {
    const update = (): void => {
      agent.value = read()
    }
    endings.push(observeAgents(update), holdAgent(name, toValue(options)))
    update()
    isMounted.value = true
  })
  watchEffect(
    () => {
      const newest = toValue(options)
      // A copy, because the same reactive object would always equal itself.
      if (isMounted.value && newest !== undefined) configureAgent(name, { ...newest })
    },
    { flush: 'post' },
  )
  onUnmounted(() => {
    for (const end of endings) end()
  })
  return agent
}

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
