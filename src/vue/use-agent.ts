// useAgent(): the agent of the app. The agent lives outside of the component (shared-agents.ts).
import {
  onMounted,
  onUnmounted,
  ref,
  shallowRef,
  toValue,
  watchEffect,
  type MaybeRefOrGetter,
  type ShallowRef,
} from 'vue'
import type { Agent, AgentOptions } from '../index.js'
import { configureAgent, holdAgent, observeAgents, sharedAgent } from '../wrappers/shared-agents.js'

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
