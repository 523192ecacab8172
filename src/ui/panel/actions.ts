// What the parts of the panel request. Data goes down; these events go up to the panel, which alone knows the agent.
import type { JsonValue } from '../../core/data/json.js'
import type { CallId, UserPart } from '../../core/data/message.js'

/** A request of the user, by what to do. */
export type PanelAction =
  | {
      /** `suggest`: the text of a suggestion, which is sent once however often it is pressed. */
      readonly do: 'send' | 'suggest'
      /** The text of the message, not empty without `input`. It returns to the text field if no turn starts. */
      readonly text: string
      /** The whole message, if it has files. */
      readonly input?: readonly UserPart[]
      /** Called if no turn started, instead of putting the text back into the field. */
      restore?(): void
    }
  /** Removes a queued message. */
  | {
      readonly do: 'drop'
      /** Its id in the agent's `queue`. */
      readonly turn: string
    }
  | {
      readonly do: 'approve'
      /** The call that waits. */
      readonly callId: CallId
      /** The arguments as the user edited them. Absent: as the model wrote them. */
      readonly input?: JsonValue
      /** A note of the user for the tool and the model. Absent if the user wrote none. */
      readonly reason?: string
      /** Allows the tool for the rest of the session, too. */
      readonly remember?: 'session'
    }
  | {
      readonly do: 'deny'
      /** The call that waits. */
      readonly callId: CallId
      /** What the model reads as the reason. Absent if the user wrote none. */
      readonly reason?: string
    }
  | {
      readonly do: 'whole-result'
      /** The call whose result was shortened. */
      readonly callId: CallId
      /** Receives the full text; '' if none is stored. Not called if loading fails. */
      show(text: string): void
    }
  | {
      readonly do: 'undo'
      /** The call of `form_fill`. */
      readonly callId: CallId
      /** Receives the answer of `form_undo`, one entry per field. Not called if the call fails. */
      show(fields: unknown): void
    }
  | {
      /** Actions of the panel and of the open session. `compose`: the user is about to write a message. */
      readonly do:
        | 'compose'
        | 'stop'
        | 'continue'
        | 'take-over'
        | 'older'
        | 'dismiss'
        | 'close'
        | 'sessions'
        | 'new-session'
        | 'export'
    }
  | {
      /** Actions of one entry of the list of conversations. */
      readonly do: 'open-session' | 'delete-session'
      /** The session's id. */
      readonly id: string
    }
  | {
      readonly do: 'rename-session'
      /** The session's id. */
      readonly id: string
      /** The new title, trimmed and not empty. */
      readonly title: string
    }

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
