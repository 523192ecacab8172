// What the parts of the panel ask for. Data goes down, these go up to the element, which alone knows the agent.
import type { JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'

export type PanelAction =
  | { readonly do: 'send'; readonly text: string }
  | { readonly do: 'take-back'; readonly turn: string }
  | {
      readonly do: 'approve'
      readonly callId: CallId
      readonly input?: JsonValue
      readonly reason?: string
      readonly remember?: 'session'
    }
  | { readonly do: 'deny'; readonly callId: CallId; readonly reason?: string }
  /** `show` gets the whole text of a result that was cut. */
  | { readonly do: 'whole-result'; readonly callId: CallId; show(text: string): void }
  /** `show` gets the answer for each field. */
  | { readonly do: 'undo'; readonly callId: CallId; show(fields: unknown): void }
  | {
      readonly do:
        | 'stop'
        | 'continue'
        | 'take-over'
        | 'older'
        | 'dismiss'
        | 'open'
        | 'close'
        | 'sessions'
        | 'new-session'
        | 'export'
    }
  | { readonly do: 'open-session' | 'delete-session'; readonly id: string }
  | { readonly do: 'rename-session'; readonly id: string; readonly title: string }

/** Bubbles inside the panel's shadow root and not out of it. */
export class ActionEvent extends Event {
  readonly action: PanelAction

  constructor(action: PanelAction) {
    super('action', { bubbles: true })
    this.action = action
  }
}

/** An event listener for a template that asks for one thing. */
export function actionListener(action: PanelAction): (event: Event) => void {
  return (event) => {
    event.currentTarget?.dispatchEvent(new ActionEvent(action))
  }
}
