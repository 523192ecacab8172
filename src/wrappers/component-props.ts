// The properties and events of <tool-agent> as the components of the frameworks have them, and how they are set.
import { ToolAgentElement, type Agent, type AgentOptions, type ToolAgentEventMap } from '../index.js'
import type { Option } from '../page/checks.js'
import type { Settings } from '../ui/element/element-options.js'
import { isSame, namesOf } from './compare.js'

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

const { options } = ToolAgentElement
/** The names of the properties in `ElementOptions`. */
export const optionNames: readonly string[] = [
  'agent',
  ...Object.keys(options).filter((name) => options[name]?.isOfAgentOnly !== true),
]

/** What a template may hold for an option besides a text. */
export const markupOf = (name: string): Option['markup'] => options[name]?.markup

/** Whether another value of the option needs another agent, because the old one must not continue. */
export const needsNewAgent = (name: string): boolean => options[name]?.needsNewAgent === true

const isByIdentity = (name: string): boolean => name === 'agent' || options[name]?.isByIdentity === true

/** Whether an option has to be set again: if it is another object, or another value. */
export const hasChanged = (name: string, before: unknown, after: unknown): boolean =>
  isByIdentity(name) ? !Object.is(before, after) : !isSame(before, after)

/**
 * The value of an option, with functions that call the newest one of the same name. So a function that uses the state
 * of a component never is an old one, and a render that only brings new functions changes nothing.
 * @param newest Returns the options of the newest render.
 */
export function liveOption(name: string, value: unknown, newest: () => object): unknown {
  if (isByIdentity(name)) return value
  const call =
    (read: () => unknown) =>
    (...args: unknown[]): unknown => {
      const latest = read()
      return typeof latest === 'function' ? Reflect.apply(latest, undefined, args) : undefined
    }
  if (typeof value === 'function') return call(() => Reflect.get(newest(), name))
  if (name !== 'hooks' || typeof value !== 'object' || value === null) return value
  const hook = (key: string): unknown => {
    const hooks: unknown = Reflect.get(newest(), 'hooks')
    return typeof hooks === 'object' && hooks !== null ? Reflect.get(hooks, key) : undefined
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'function' ? call(() => hook(key)) : one]),
  )
}

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
      if (hasChanged(name, one, other))
        Reflect.set(
          element,
          name,
          liveOption(name, other, () => this.#options),
        )
    }
  }
}
