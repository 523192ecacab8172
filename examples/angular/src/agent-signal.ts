import { DestroyRef, inject, signal, type Signal } from '@angular/core'
import { agentState, type Agent } from 'tool-agent/agent'

/** What `select` reads of the agent, as a signal. Call it where `inject()` works, such as in a field of a component. */
export function agentSignal<T>(agent: Agent, select: (agent: Agent) => T): Signal<T> {
  const shown = signal(select(agent))
  const stop = agentState(agent, select).subscribe((value) => shown.set(value))
  inject(DestroyRef).onDestroy(stop)
  return shown.asReadonly()
}
