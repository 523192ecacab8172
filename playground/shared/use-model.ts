// Gives an assistant the model that was chosen.
import type { ModelAdapter } from '../../src/core/data/model.js'
import type { ToolAgentElement } from '../../src/ui/element/tool-agent-element.js'
import { headersFor, type ModelChoice, type Relay } from './model-choice.js'

/** Sets the options of the assistant for a choice. `askForKey` is called when a request needs a key that is not known. */
export function useModel(
  agent: ToolAgentElement,
  choice: ModelChoice,
  given: { readonly relay: Relay | undefined; readonly offline: ModelAdapter; readonly askForKey: () => void },
): void {
  const served = choice.kind === 'server' ? '/v1' : undefined
  // Undefined resets an option.
  Object.assign(agent, {
    modelAdapter: choice.kind === 'offline' ? given.offline : undefined,
    provider: choice.kind === 'browser' ? 'browser' : undefined,
    endpoint: choice.kind === 'endpoint' ? choice.url : served,
  })
  agent.model = choice.kind === 'endpoint' ? choice.model : (given.relay?.model ?? 'offline')
  agent.headers = () => headersFor(choice, given.askForKey)
}

/** Milliseconds between two words of the offline model; tests set 0. */
export function pace(): number {
  try {
    return Number(sessionStorage.getItem('playground-pace') ?? 14)
  } catch {
    return 14
  }
}
