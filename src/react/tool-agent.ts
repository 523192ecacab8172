// <ToolAgent> for React: the element with its options and events as props, and a ref. Sets properties and listeners
// itself, so that it works the same in React 18, which knows only attributes of custom elements.
import {
  createElement,
  forwardRef,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type RefAttributes,
} from 'react'
import type { ToolAgentElement } from '../index.js'
import {
  ElementProperties,
  eventNames,
  optionNames,
  type ElementListeners,
  type ElementOptions,
} from '../wrappers/component-props.js'
import { addElement } from '../wrappers/shared-agents.js'
import { useMountEffect } from './use-agent.js'

/** The props of `<ToolAgent>`. Other attributes, such as `className`, and children for the slots are passed on. */
export type ToolAgentProps = ElementOptions &
  ElementListeners &
  Omit<HTMLAttributes<ToolAgentElement>, keyof ElementOptions>

const pascal = (name: string): string => name.replaceAll(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())
/** The name of the prop → the name of the event. */
const listenerNames = new Map(eventNames.map((name) => [`on${pascal(name)}`, name]))
const neverChanges = (): (() => void) => () => {}

/**
 * The assistant. It is drawn in the browser only: a server renders nothing for it. An option that is not valid is shown
 * in the panel and reported by `tool-agent-error`, as that of the element, until another render brings a valid one.
 */
export const ToolAgent: ForwardRefExoticComponent<ToolAgentProps & RefAttributes<ToolAgentElement>> = forwardRef(
  function ToolAgent(props: ToolAgentProps, ref) {
    const isInBrowser = useSyncExternalStore(
      neverChanges,
      () => true,
      () => false,
    )
    const hasAgentProp = 'agent' in props
    const isShown = isInBrowser && !(hasAgentProp && props.agent === undefined)
    const element = useRef<ToolAgentElement>(null)
    const [properties] = useState(() => new ElementProperties())
    const newest = useRef(props)
    const { options, attributes } = split(props)

    useMountEffect(() => {
      newest.current = props
      if (element.current !== null) properties.set(element.current, options)
    })
    useMountEffect(() => {
      const { current } = element
      if (current === null) return undefined
      const removers = [...listenerNames].map(([prop, event]) => {
        const listener = (fired: Event): void => {
          const call: unknown = Reflect.get(newest.current, prop)
          if (typeof call === 'function') Reflect.apply(call, undefined, [fired])
        }
        current.addEventListener(event, listener)
        return () => {
          current.removeEventListener(event, listener)
        }
      })
      if (!hasAgentProp) removers.push(addElement(current))
      return () => {
        for (const remove of removers) remove()
      }
    }, [isShown, hasAgentProp])
    useImperativeHandle<ToolAgentElement | null, ToolAgentElement | null>(ref, () => element.current, [isShown])

    return isShown ? createElement('tool-agent', { ...attributes, ref: element }) : null
  },
)

/** Splits props into the options of the element and what React sets. `className` needs another name in React 18. */
function split(props: ToolAgentProps): { options: object; attributes: Record<string, unknown> } {
  const isOption = (name: string): boolean => optionNames.includes(name)
  const all = Object.entries(props).filter(([name]) => !listenerNames.has(name))
  return {
    options: Object.fromEntries(all.filter(([name]) => isOption(name))),
    attributes: Object.fromEntries(
      all.filter(([name]) => !isOption(name)).map(([name, value]) => [name === 'className' ? 'class' : name, value]),
    ),
  }
}
