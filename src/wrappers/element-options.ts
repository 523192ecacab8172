// The properties and events of <tool-agent> as the components of the frameworks have them, and how they are set.
import type { Agent, AgentOptions, ToolAgentEventMap } from '../index.js'
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
  stage: false,
  words: false,
  messageActions: false,
} as const satisfies Record<keyof ElementOptions, boolean>

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<Name>

/** The events of the element as props: `tool-agent-turn-end` is `onToolAgentTurnEnd`. */
export type ElementListeners = {
  [Name in keyof ToolAgentEventMap as `on${Pascal<Name>}`]?: ((event: ToolAgentEventMap[Name]) => void) | undefined
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
] as const satisfies readonly (keyof ToolAgentEventMap)[]

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
