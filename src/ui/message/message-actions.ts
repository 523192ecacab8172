// The buttons below a message: copy, edit or regenerate in the newest turn, time and tokens, feedback. Defined when the
// pointer or the focus is in the transcript, and on touch screens with the first message. Until then its elements keep
// the space. In the chunk of the messages, because it compresses badly alone. What a button opens is loaded when it is
// pressed.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import type { AssistantMessage, UserMessage, UserPart } from '../../core/data/message.js'
import type { Agent } from '../../page/agent.js'
import type { AgentElement } from '../element/agent-element.js'
import { ToolAgentFeedbackEvent, type Rating } from '../element/feedback-event.js'
import { attachedTo, detailsLine, editForm, timeOf } from './message-forms.js'
import type { Words } from '../i18n/en.js'
import { ActionEvent } from '../panel/actions.js'
import { PanelPart, reactiveProperties } from '../panel/render-context.js'
import { icon, type IconPath } from '../styles/icons.js'
import { copyButton, type Clip } from './copy-button.js'
import { ownTextOf } from './own-text.js'

const shapes = {
  edit: 'm5 19 1-4L16 5l3 3L9 18zM14 7l3 3',
  again: 'M5 12a7 7 0 0 1 12-5l2 2m0-5v5h-5M19 12a7 7 0 0 1-12 5l-2-2m0 5v-5h5',
  details: 'M12 11v5.5m0-9v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  good: 'M7 11v9H4v-9zm0 0 4-7c1.5 0 2.4 1.2 2 2.7L12.3 10H18a2 2 0 0 1 2 2.4l-1.2 6A2 2 0 0 1 16.8 20H7',
  bad: 'M7 13V4H4v9zm0 0 4 7c1.5 0 2.4-1.2 2-2.7L12.3 14H18a2 2 0 0 0 2-2.4l-1.2-6A2 2 0 0 0 16.8 4H7',
} as const satisfies Record<string, IconPath>

/** `<tool-agent-message-actions>`: the buttons of one message. */
export class MessageActions extends PanelPart {
  /** Set by the panel, and the state of the buttons. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'message',
    'words',
    'isNewest',
    'isDebug',
    'opened',
    'rating',
    'removed',
  )
  /** The message. */
  declare message: UserMessage | AssistantMessage
  /** The words of the panel's language. */
  declare words: Words
  /** It is in the newest turn and no turn is running, so the turn can be replaced. */
  declare isNewest: boolean
  /** Model and tokens can be shown. */
  declare isDebug: boolean
  /** What is open below the buttons, or instead of the message. */
  declare opened: 'edit' | 'details' | undefined
  /** What the user pressed. */
  declare rating: Rating
  /** Files and quotes that the user has removed while editing. */
  declare removed: readonly UserPart[]
  #hasFocus = false

  constructor() {
    super()
    this.removed = []
  }

  /** Draws the buttons, or the text field while the message is edited. */
  protected override render(): unknown {
    const { message, words, isNewest, opened } = this
    const root = this.getRootNode()
    const host = root instanceof ShadowRoot ? root.host : undefined
    const texts = words.actions
    const text = ownTextOf(message)
    if (opened === 'edit' && isNewest && message.role === 'user')
      return editForm(message, words, {
        removed: this.removed,
        remove: (part) => {
          this.removed = [...this.removed, part]
        },
        send: (edited) => {
          this.opened = undefined
          this.#run((agent) => agent.editLast(edited))
        },
        cancel: () => {
          this.#open('edit')
        },
      })
    const button = (name: keyof typeof shapes, click: (event: Event) => void, isPressed?: boolean): TemplateResult =>
      html`<button type="button" class="quiet act-${name}" part="quiet" title=${texts[name]}
        aria-pressed=${isPressed ?? nothing} @click=${click}>${icon(shapes[name])}</button>`
    const rate = (rating: 'good' | 'bad'): unknown =>
      text !== '' &&
      (host as Partial<AgentElement> | undefined)?.feedback &&
      button(
        rating,
        () => {
          this.rating = this.rating === rating ? undefined : rating
          host?.dispatchEvent(new ToolAgentFeedbackEvent(message as AssistantMessage, this.rating))
        },
        this.rating === rating,
      )
    const buttons =
      message.role === 'user'
        ? [isNewest && (text !== '' || attachedTo(message).length > 0) && button('edit', () => this.#open('edit'))]
        : [
            isNewest && button('again', () => this.#run((agent) => agent.regenerate())),
            rate('good'),
            rate('bad'),
            this.isDebug && button('details', () => this.#open('details'), opened === 'details'),
          ]
    // Only when the pointer is there: creating the first formatter of a page takes 25 ms, and the message would wait.
    const tellTime = ({ currentTarget }: Event): void => {
      ;(currentTarget as HTMLElement).title = timeOf(message.at, words)
    }
    // Lit draws `false` as a text.
    return html`<div class="actions" @pointerenter=${tellTime}>
        ${text === '' ? nothing : copyButton(() => ({ text }), words)}
        ${buttons.map((one) => one || nothing)}
      </div>
      ${opened === 'details' && message.role === 'assistant' ? detailsLine(message, words) : nothing}`
  }

  /** Marks the element, so that the message is hidden while it is edited, and keeps the focus inside. */
  protected override updated(): void {
    const isEdited = this.opened === 'edit'
    this.toggleAttribute('data-newest', this.isNewest)
    if (this.toggleAttribute('data-edited', isEdited) === this.#hasFocus) return
    this.#hasFocus = isEdited
    this.querySelector<HTMLElement>(isEdited ? 'textarea' : '.act-edit')?.focus()
  }

  #run(run: (agent: Agent) => Promise<unknown>): void {
    this.dispatchEvent(new ActionEvent({ do: 'run', run }))
  }

  /** Opens a part, or closes it if it is open. */
  #open(part: 'edit' | 'details'): void {
    this.opened = this.opened === part ? undefined : part
    this.removed = []
  }
}

/** `<tool-agent-copy>`: the button of a code block or a table. */
export class CopyBlock extends PanelPart {
  /** Set by the template of Markdown. */
  static override properties: PropertyDeclarations = reactiveProperties('words', 'label')
  /** The words of the panel's language. */
  declare words: Words
  /** The name of the button. */
  declare label: string
  /** What it copies. Called when it is pressed, because the block may still grow. */
  declare content: () => Clip

  /** Draws the button. */
  protected override render(): unknown {
    return copyButton(() => this.content(), this.words, this.label)
  }
}
