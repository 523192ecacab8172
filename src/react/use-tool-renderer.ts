// useToolRenderer(): draws the calls of a tool with a component, inside the cards of the panel.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./react-dom.d.ts" />
import {
  Component,
  createElement,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
  type ReactPortal,
} from 'react'
import { createPortal } from 'react-dom'
import type { Agent } from '../index.js'
import { ToolCards, toolCallProps, type ToolCallProps, type ToolCard } from '../wrappers/tool-cards.js'
import { useMountEffect } from './mount-effect.js'

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
