// useTool(): a tool that exists while its component is mounted. useToolRenderer(): draws the calls of a tool with a
// component, inside the cards of the panel.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./react-dom.d.ts" />
import {
  useState,
  Component,
  createElement,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
  type ReactPortal,
} from 'react'
import type { Agent, AnyTool, Schema, ToolWith, ToolWithoutInput } from '../index.js'
import { LiveTool } from '../wrappers/live-tool.js'
import { createPortal } from 'react-dom'
import { ToolCards, toolCallProps, type ToolCallProps, type ToolCard } from '../wrappers/tool-cards.js'
import { useMountEffect } from './use-agent.js'

/** Where `useTool` registers. */
export interface UseToolOptions {
  /**
   * The agent that gets the tool. @default the agent of `useAgent`, or the element of a `<ToolAgent>` without an agent;
   * also one that is created later
   */
  agent?: Agent | undefined
}

/**
 * Registers a tool while the component is mounted. A call always runs the functions of the newest render. The tool is
 * registered again only if its name, description, schema or another value changes. A schema that is written inside of
 * the component must be plain JSON Schema or of a library with Standard JSON Schema, such as zod 4; others belong
 * outside, because they count as changed with each render.
 * If several mounted components register one name, the one that was mounted last is used. Nothing throws: a tool that
 * is not valid is shown in the panel and in the console, and not offered.
 */
export function useTool<const S extends Schema, Output, const C extends Schema = never>(
  tool: ToolWith<S, Output, C>,
  options?: UseToolOptions,
): void
/** The same for a tool without parameters. */
export function useTool<Output, const C extends Schema = never>(
  tool: ToolWithoutInput<Output, C>,
  options?: UseToolOptions,
): void
/** The same for tools whose types are not inferred. */
export function useTool(tool: AnyTool, options?: UseToolOptions): void
export function useTool(tool: AnyTool, { agent }: UseToolOptions = {}): void {
  const [live] = useState(() => new LiveTool())
  useMountEffect(() => {
    live.update(tool, agent)
  })
  useMountEffect(
    () => () => {
      live.stop()
    },
    [live],
  )
}

const none: readonly ToolCard[] = []

/**
 * Draws the calls of a tool with a component, in place of the arguments and the result in their cards. Render what it
 * returns anywhere in your component: `return <>{cards}…</>`. They are portals, so the component has the contexts of
 * that place, it is unmounted with the card or with the hook, and the styles of the page do not reach it. If it
 * throws, the card says so and the app goes on.
 */
export function useToolRenderer<Input = never, Output = never>(
  agent: Agent | null | undefined,
  toolName: string,
  component: ComponentType<ToolCallProps<Input, Output>>,
): ReactNode {
  const [cards] = useState(() => new ToolCards())
  useMountEffect(() => (agent == null ? undefined : cards.start(agent, toolName)), [cards, agent, toolName])
  const [subscribe] = useState(() => (changed: () => void) => cards.observe(changed))
  const shown = useSyncExternalStore(
    subscribe,
    () => cards.shown,
    () => none,
  )
  return shown.map((card) => portalOf(card, cards, component as ComponentType<never>))
}

function portalOf(
  { container, part, callId }: ToolCard,
  cards: ToolCards,
  component: ComponentType<never>,
): ReactPortal {
  const drawn = createElement(component, toolCallProps(part) as never)
  return createPortal(createElement(CardBoundary, { cards, callId }, drawn), container, callId)
}

interface BoundaryProps {
  readonly cards: ToolCards
  readonly callId: string
  readonly children?: ReactNode
}

/** Keeps an error of the component inside its card. React itself logs it. */
class CardBoundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidMount(): void {
    this.props.cards.drawn(this.props.callId)
  }

  override componentDidCatch(thrown: unknown): void {
    this.props.cards.failed(this.props.callId, thrown)
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children
  }
}
