// What the parts of the panel request. Data goes down; these events go up to the panel, which alone knows the agent.
import type { CallId, Message, UserPart } from '../../core/data/message.js'
import type { Agent } from '../../page/agent.js'

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
  | {
      /** Calls the agent. For parts that are loaded when needed, so that the panel need not know what they do. */
      readonly do: 'run'
      /** The panel shows the error of a rejection. */
      run(agent: Agent): Promise<unknown>
    }
  /** Removes a queued message. */
  | {
      readonly do: 'drop'
      /** Its id in the agent's `queue`. */
      readonly turn: string
    }
  | {
      /** Approves or denies a call. */
      readonly do: 'decide'
      /** The call that waits. */
      readonly callId: CallId
      /** Its question shows the error of a rejection. */
      decide(agent: Agent): Promise<void>
    }
  | {
      /** A question has come into view, so a screen reader announces it. */
      readonly do: 'ask'
      /** The question in words: its place among several, its arguments, what the user must know, and who asks. */
      readonly question: string
    }
  | {
      /** Undoes the newest task, or puts its values back. */
      readonly do: 'undo' | 'redo'
      /** Only this line of it. */
      readonly line?: CallId
    }
  | {
      /**
       * Actions of the panel and of the open session. `compose`: the user is about to write a message. `recall`: puts
       * the user's last message into the field. `retry`: what failed without a network. `end-grants`: takes back what
       * was allowed. `glass`: opens or closes what the assistant may do here.
       */
      readonly do:
        | 'compose'
        | 'stop'
        | 'recall'
        | 'dismiss'
        | 'retry'
        | 'close'
        | 'sessions'
        | 'new-session'
        | 'export'
        | 'end-grants'
        | 'glass'
    }

/**
 * Call it before a message is sent. Returns whether one with these parts has come since, so that a turn has started. A
 * server keeps files apart, so their content is not compared.
 */
export function sentCheck(element: { readonly messages: readonly Message[] }, input: readonly UserPart[]) {
  const newest = () => element.messages.findLast(({ role }) => role === 'user')
  const before = newest()?.id
  return (): boolean => {
    const shown = newest()
    return shown?.role === 'user' && shown.id !== before && describe(shown.parts) === describe(input)
  }
}

const describe = (parts: readonly UserPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : `${part.mediaType} ${part.name}`)).join('\n')

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
