// The properties and events of <tool-agent> as the components of the frameworks have them, and how they are set.
import type {
  Agent,
  AgentOptions,
  ToolAgentApprovalRequestEvent,
  ToolAgentErrorEvent,
  ToolAgentFeedbackEvent,
  ToolAgentSessionChangeEvent,
  ToolAgentTodosChangeEvent,
  ToolAgentToolCallEvent,
  ToolAgentToolResultEvent,
  ToolAgentTurnEndEvent,
  ToolAgentTurnStartEvent,
} from '../index.js'
import type { Settings } from '../ui/element/element-options.js'
import { isSame, namesOf } from './compare.js'
import { isUsedByIdentity, liveOption } from './live-options.js'

/** The properties of `<tool-agent>` that a component can set: the options of the agent and those of the panel. */
export type ElementOptions = {
  [Name in keyof (Omit<AgentOptions, 'tools'> & Settings)]?: (Omit<AgentOptions, 'tools'> & Settings)[Name] | undefined
} & {
  /**
   * The agent to show, such as that of `useAgent`. With the value undefined nothing is shown until there is one.
   * Without this property, or with null, the element creates its own agent from its options.
   */
  agent?: Agent | null | undefined
}

/** Whether `ElementOptions` has a property with this name. The value says whether it can be a boolean. */
export const optionNames = {
  agent: false,
  endpoint: false,
  model: false,
  provider: false,
  instructions: false,
  sessionId: false,
  scope: false,
  resume: false,
  approval: false,
  workerUrl: false,
  headers: false,
  credentials: false,
  toolContext: false,
  pageContext: false,
  limits: false,
  todo: true,
  contextWindow: false,
  textProtocol: true,
  modelAdapter: false,
  stream: true,
  retention: false,
  debug: true,
  logErrors: true,
  exposeErrors: false,
  effects: false,
  onToolError: false,
  stopWhen: false,
  hooks: false,
  layout: false,
  open: true,
  heading: false,
  placeholder: false,
  prefill: false,
  suggestions: false,
  attachments: false,
  followUps: false,
  feedback: true,
  pageTools: false,
  greeting: false,
  icon: false,
  disclaimer: false,
  shortcut: false,
  sidebar: false,
  selection: false,
  words: false,
  messageActions: false,
} as const satisfies Record<keyof ElementOptions, boolean>

/** The events of `<tool-agent>`. */
export interface ElementEvents {
  /** A turn started. */
  'tool-agent-turn-start': ToolAgentTurnStartEvent
  /** A turn ended; `reason` says why. */
  'tool-agent-turn-end': ToolAgentTurnEndEvent
  /** A call is about to be approved or run. `preventDefault()` refuses it. */
  'tool-agent-tool-call': ToolAgentToolCallEvent
  /** A call has its result. */
  'tool-agent-tool-result': ToolAgentToolResultEvent
  /** A call waits for the user. `preventDefault()` hides the built-in card. */
  'tool-agent-approval-request': ToolAgentApprovalRequestEvent
  /** The task list changed. */
  'tool-agent-todos-change': ToolAgentTodosChangeEvent
  /** Another conversation is shown, or its title changed. */
  'tool-agent-session-change': ToolAgentSessionChangeEvent
  /** A visitor rated an answer. Only with `feedback`. */
  'tool-agent-feedback': ToolAgentFeedbackEvent
  /** An error for the user or the developer of the page. */
  'tool-agent-error': ToolAgentErrorEvent
}

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<Name>

/** The events of the element as props: `tool-agent-turn-end` is `onToolAgentTurnEnd`. */
export type ElementListeners = {
  [Name in keyof ElementEvents as `on${Pascal<Name>}`]?: ((event: ElementEvents[Name]) => void) | undefined
}

/** The names of the events. */
export const eventNames = [
  'tool-agent-turn-start',
  'tool-agent-turn-end',
  'tool-agent-tool-call',
  'tool-agent-tool-result',
  'tool-agent-approval-request',
  'tool-agent-todos-change',
  'tool-agent-session-change',
  'tool-agent-feedback',
  'tool-agent-error',
] as const satisfies readonly (keyof ElementEvents)[]

/** Sets the options of a component as properties of its element, and only those that changed. */
export class ElementProperties {
  #element: HTMLElement | undefined
  #options: object = {}

  /** The element shows a value that is not valid as a problem. */
  set(element: HTMLElement, options: object): void {
    const before = this.#element === element ? this.#options : {}
    this.#element = element
    this.#options = options
    for (const name of namesOf(before, options)) {
      const [one, other]: unknown[] = [Reflect.get(before, name), Reflect.get(options, name)]
      const isUnchanged = isUsedByIdentity(name) ? Object.is(one, other) : isSame(one, other)
      if (!isUnchanged)
        Reflect.set(
          element,
          name,
          liveOption(name, other, () => this.#options),
        )
    }
  }
}
