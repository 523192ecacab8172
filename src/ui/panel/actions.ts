// What the parts of the panel request. Data goes down; these events go up to the panel, which alone knows the agent.
import type { JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'

/** A request of the user, by what to do. */
export type PanelAction =
  | { readonly do: 'send'; readonly text: string }
  /** Removes a queued message. */
  | { readonly do: 'drop'; readonly turn: string }
  | {
      readonly do: 'approve'
      readonly callId: CallId
      readonly input?: JsonValue
      readonly reason?: string
      readonly remember?: 'session'
    }
  | { readonly do: 'deny'; readonly callId: CallId; readonly reason?: string }
  /** `show` receives the full text of a shortened result. */
  | { readonly do: 'whole-result'; readonly callId: CallId; show(text: string): void }
  /** `show` receives the answer of `form_undo`: one entry per field. */
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

/** Carries an action to the panel. Bubbles inside the shadow root and does not leave it. */
export class ActionEvent extends Event {
  /** What to do. */
  declare readonly action: PanelAction

  constructor(action: PanelAction) {
    super('action', { bubbles: true })
    this.action = action
  }
}

/** Returns an event listener for a template, such as `@click`, that requests one action. */
export function actionListener(action: PanelAction): (event: Event) => void {
  return (event) => {
    event.currentTarget?.dispatchEvent(new ActionEvent(action))
  }
}
