// What an action on the page will do, and what it may do. The tool computes a preview before it acts, and the approval
// request shows it. Only the action that was shown may run. For tools that the page provides there is only the page's
// own claim.
import type { Effect, TaskScope } from './effect.js'
import type { StoppedEffect } from './stopped-effect.js'

/** One row of the question of a tool. */
export interface QuestionRow {
  /** What the value is, such as `Total`. */
  readonly label: string
  /** The value as text, such as `€ 24.00`. */
  readonly value: string
}

/** A value of a field, as a question shows it. */
export interface PreviewValue {
  /** The label of the field. */
  readonly field: string
  /** The value; true or false for a box, `filled` or `empty` for a private field. */
  readonly value: string | boolean
  /** The value is not shown. */
  readonly private?: true
}

/** A control or another part of the page, as a question names it. */
export interface NamedPart {
  /** Its role, or its tag if it has none. `page` is the page itself, which has no name. */
  readonly role: string
  /** Its name, cut to 80 characters; empty if it has none. */
  readonly name: string
  /** The control of which it is a part, or the list that it is in. Absent if its name says enough. */
  readonly place?: { readonly role: string; readonly name: string }
}

/** What an action acts on. */
export interface NamedTarget {
  readonly on: NamedPart
  /** The key that is pressed on it. */
  readonly key?: string | undefined
  /** The button that sends it, if it is a form. */
  readonly by?: NamedPart | undefined
}

/** What is another one than in the question before, which was answered. Absent texts are not shown to the user. */
export interface PreviewChange {
  /** The control, where it leads, what stands around it, a value, or one that is not shown. */
  readonly what: 'target' | 'address' | 'around' | 'value' | 'hidden'
  /** The label of a field. */
  readonly field?: string | undefined
  /** What it was. */
  readonly before?: string | undefined
  /** What it is. */
  readonly now?: string | undefined
  /** `before` of a control, as data. Absent in questions of older builds. */
  readonly was?: NamedPart | undefined
  /** `now` of a control, as data. */
  readonly is?: NamedPart | undefined
}

/** What the approval request shows. Texts come from the page. They are already cleaned and cut. */
export interface Preview extends Partial<NamedTarget> {
  /** What kind of effect the action has. Absent for tools that the page provides, and in older questions. */
  readonly effect?: Effect
  /** The name of the row, card, item or heading around the target. */
  readonly in?: string
  /** The title of the dialog, section or pane around the target. */
  readonly heading?: string
  /** The nearest line of text above or beside the target that holds an amount of money, as the page has it. */
  readonly amount?: string
  /** The action ran and was stopped before it did this. Absent if the effect was predicted. */
  readonly stopped?: readonly StoppedEffect[]
  /** What was stopped is held in the page: it is sent if the user allows it, and the action does not run again. */
  readonly held?: true
  /** The user has refused something since the page was loaded, which it may still contain. */
  readonly refused?: true
  /** The page changed this while the user decided, so nothing ran, and they are asked anew. */
  readonly changes?: readonly PreviewChange[]
  /** Input on this page that was not sent would be lost. */
  readonly loses?: true
  /** What "Allow for this task" would cover; absent if it is not offered. */
  readonly task?: TaskScope
  /** A click, the submission of a form, a navigation, a key that does none of these by markup, or a drag. */
  readonly does?: 'click' | 'submit' | 'go' | 'press' | 'drag'
  /** How it is clicked, if not with one press of the main button; `hold` is a long press. Absent for other actions. */
  readonly how?: 'double' | 'right' | 'middle' | 'hold' | 'hover'
  /** What the tool's own `question` says the user decides: a text, or rows. Stored as the user sees it. */
  readonly question?: string | readonly QuestionRow[]
  /** How a tool that the page provides describes itself. The description is not verified. */
  readonly claim?: string
  /**
   * `on`, `key` and `by` in words: `button "Pay"`, `Escape on dialog "Help"`. Questions of older builds have nothing
   * else.
   */
  readonly target?: string
  /** The text that is typed instead of a key, cut as values are; empty if words are removed. */
  readonly types?: string
  /** The words that are selected first, cut as values are. */
  readonly selects?: string
  /** What the target is dragged to; absent if it is moved by a distance. */
  readonly onto?: NamedPart
  /** `onto` in words. */
  readonly to?: string
  /** Where a link leads or a form is sent. */
  readonly url?: string
  /** HTTP method of a form, in upper case. */
  readonly method?: string
  /** Set if the action leads to another site: its origin, or the scheme of an address such as `mailto:`. */
  readonly site?: string
  /** The action opens a new tab or starts a download. */
  readonly opens?: 'tab' | 'download'
  /** What a form sends. */
  readonly values?: readonly PreviewValue[]
  /**
   * What the assistant has filled in on this page since the user decided last, beside `values`. `group`: the heading
   * around the field.
   */
  readonly filled?: readonly (PreviewValue & { readonly group?: string })[]
  /** Number of fields that are sent but not shown: hidden fields, and those beyond the longest list. */
  readonly more?: number
}

/** What a page tool predicts about its own action. */
export interface ActionForecast {
  /** What the approval request shows. The hash of the approval includes it, so a changed preview makes it void. */
  readonly preview: Preview
  /**
   * What the action does. `outside` asks even if approval is off. Undefined for tools that the page provides, which are
   * decided by their hints.
   */
  readonly effect?: Effect
  /** Role, name and place of the control, for what a grant covers. */
  readonly control?: string
  /** Whatever it sends can be held, so that it may run although nobody has allowed its effect. @default false */
  readonly isTight?: boolean
  /** It is the page's own confirmation of the action that the user has just allowed. @default false */
  readonly confirms?: boolean
  /** The page's own address, as a model may read it. */
  readonly from: string
  /** The next address will contain private values, so the model receives it without its query. */
  readonly hides: boolean
  /** The next page may answer the call with JSON-LD, as pages do for forms that are tools. @default false */
  readonly answers?: boolean
}

/**
 * What a page tool may do without being stopped. It is made from the newest check of the call on this page, so a call
 * that runs without one has none, and nothing above `view` is allowed.
 */
export interface ActionPermission {
  /** The most serious effect that is allowed. */
  readonly effect: Effect
  /**
   * Who allowed it: the rules of `approval="hints"` without a question, the user in a question, the user for the task,
   * or `approval="off"`.
   */
  readonly by: 'rule' | 'user' | 'task' | 'off'
  /** What earlier attempts of this call were stopped before, and what is allowed now. */
  readonly stopped?: readonly StoppedEffect[]
}
