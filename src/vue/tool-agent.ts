// <ToolAgent> for Vue: the element with its options as props and its events as emits. Needs no `isCustomElement`.
import {
  defineComponent,
  getCurrentInstance,
  h,
  onMounted,
  ref,
  shallowRef,
  toRaw,
  type ComponentOptionsMixin,
  type DefineComponent,
  type VNode,
} from 'vue'
import type { ToolAgentElement, ToolAgentEventMap } from '../index.js'
import {
  ElementProperties,
  eventNames,
  markupOf,
  optionNames,
  type ElementListeners,
  type ElementOptions,
} from '../wrappers/component-props.js'
import { addElement } from '../wrappers/shared-agents.js'

/** The props of `<ToolAgent>`. Other attributes, such as `class`, and the default slot are passed on. */
export type ToolAgentProps = ElementOptions

/** The events of `<ToolAgent>`, by the names of those of the element. */
export type ToolAgentEmits = { [Name in keyof ToolAgentEventMap]: (event: ToolAgentEventMap[Name]) => void }

/** What a template ref of `<ToolAgent>` has. */
export interface ToolAgentExposed {
  /** The element; undefined while none is shown. */
  readonly element: ToolAgentElement | undefined
}

/** Vue changes an absent boolean to false unless its default is undefined. */
const propTypes = Object.fromEntries(
  optionNames.map((name) => {
    const orObject = markupOf(name) === 'boolean or object' ? [Boolean, Object] : null
    return [name, { type: markupOf(name) === 'boolean' ? Boolean : orObject, default: undefined }]
  }),
)
const pascal = (name: string): string => name.replaceAll(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())

const component = defineComponent<Record<string, unknown>, Record<string, (event: Event) => void>>(
  (props, { emit, slots, attrs, expose }) => {
    const instance = getCurrentInstance()
    const isInBrowser = ref(false)
    const element = shallowRef<ToolAgentElement>()
    const properties = new ElementProperties()
    const listeners = Object.fromEntries(
      eventNames.map((name) => [
        `on${pascal(name)}`,
        (event: Event) => {
          emit(name, event)
        },
      ]),
    )
    let removeTarget: (() => void) | undefined
    const hasAgentProp = (): boolean => 'agent' in (instance?.vnode.props ?? {})
    const setTarget = (target: ToolAgentElement | undefined): void => {
      element.value = target
      removeTarget?.()
      removeTarget = target === undefined || hasAgentProp() ? undefined : addElement(target)
    }
    expose({ element })
    onMounted(() => {
      isInBrowser.value = true
    })

    return () => {
      // A private class must not be called through a proxy.
      const options = Object.fromEntries(Object.entries(props).map(([name, value]) => [name, toRaw(value)]))
      if (!isInBrowser.value || (hasAgentProp() && props['agent'] === undefined)) return null
      const set = ({ el }: VNode): void => {
        properties.set(el as ToolAgentElement, options)
      }
      return h(
        'tool-agent',
        {
          ...attrs,
          ...listeners,
          // Before it is put into the document, so that it never starts with other options.
          onVnodeBeforeMount: set,
          onVnodeBeforeUpdate: set,
          onVnodeMounted: ({ el }: VNode) => {
            setTarget(el as ToolAgentElement)
          },
          onVnodeBeforeUnmount: () => {
            setTarget(undefined)
          },
        },
        slots['default']?.(),
      )
    }
  },
  { name: 'ToolAgent', inheritAttrs: false, props: propTypes, emits: [...eventNames] },
)

/**
 * The assistant. It is drawn in the browser only: a server renders nothing for it. An option that is not valid is shown
 * in the panel and reported by `tool-agent-error`, as that of the element, until another render brings a valid one.
 */
export const ToolAgent = component as unknown as DefineComponent<
  ToolAgentProps & ElementListeners,
  ToolAgentExposed,
  Record<never, never>,
  Record<never, never>,
  Record<never, never>,
  ComponentOptionsMixin,
  ComponentOptionsMixin,
  ToolAgentEmits
>
