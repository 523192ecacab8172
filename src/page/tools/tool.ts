// The types of a tool as page authors write it. Field names are those of WebMCP, so the same object with a plain JSON
// Schema works for both. Functions stay in the page; the host receives only the definition.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { DeclaredEffect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { ActionForecast, ActionPermission, QuestionRow } from '../../core/data/action.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { Message } from '../../core/data/message.js'
import type { AgentSpec, internals, ToolAnnotations, ToolContext } from '../../core/data/tool.js'
import type { PageGlass, PageStage, Placed, Release } from './shown-on-page.js'

/** The second argument of `execute`. `Context` is what the tool's `contextSchema` returns. */
export interface ToolRun<Context = ToolContext> {
  /** Aborted on time-out, on stop and when the page goes away. */
  readonly signal: AbortSignal
  /**
   * A frozen copy of the tool context: defaults, session and send merged; later layers win. Never sent to a model. With
   * `contextSchema` it has what the schema returns.
   */
  readonly toolContext: Readonly<Context>
  /** The open session. */
  readonly sessionId: string
  /** Unique in the session. */
  readonly toolCallId: string
  /** The conversation so far; for a tool inside an agent tool, that agent's messages. */
  readonly messages: readonly Message[]
  /** Values shared by the tools of one turn. Stays in the page and is never stored. */
  readonly shared: Map<string, unknown>
  /** The user's answer, if the call needed approval. `edited`: the user changed the arguments. */
  readonly approval?: { readonly reason?: string; readonly edited: boolean }
  /** @internal Of a page tool: what it may do. Absent: nothing above `view`. */
  readonly permission?: ActionPermission
  /** @internal Of a page tool: what the option `effects` says. */
  readonly effects?: readonly DeclaredEffect[]
  /**
   * @internal Of a page tool: waits until the user has decided on what it holds. Resolves with what it may do then,
   * undefined for nothing. Rejects if the call is settled meanwhile, such as by a denial. No time-out runs. Absent:
   * nobody can be asked.
   */
  readonly hold?: (held: readonly StoppedEffect[]) => Promise<ActionPermission | undefined>
  /** @internal Stops the turn of the call, as the user's Stop does. */
  readonly stopTurn?: () => void
  /**
   * Asks the user for a few values while the tool runs, and resolves with their validated answer. The panel shows the
   * form; without a panel the call is in `agent.questions`, and `agent.answer` answers it. No time-out runs meanwhile,
   * and the call holds no slot. Questions of a call are asked one after another, at most 20. They and their answers are
   * stored with the call.
   *
   * Rejects with `unavailable` where nobody can be asked: in `callTool`, and outside of a page if nothing observes the
   * agent. Rejects with `invalid-option` for a question that is no form, with `limit` after 20 questions, and with the
   * reason of `signal` if the call ends: the user stopped it or sent another message.
   */
  ask<const S extends Schema>(question: AskOptions<S>): Promise<AskResult<InputOf<S>>>
  /** Sets a key of the session's tool context after this call succeeds; undefined deletes it. */
  remember(key: string, value: JsonValue | undefined): void
  /** Shows progress to the user. Does not extend the time-out. `fraction` is between 0 and 1. */
  report(progress: { message?: string; fraction?: number }): void
}

/** What a tool asks the user while it runs. */
export interface AskOptions<S extends Schema = Schema> {
  /** The question: plain text of at most 2,000 characters. */
  readonly message: string
  /**
   * The answer: an object of at most 20 fields, each a text, a number, a boolean, a choice of texts or a list of
   * choices. Without a field the user can only accept or decline. `title`, `description`, `default` and the limits of
   * JSON Schema are those of the controls. Not for secrets: answers are stored, and a model may read them.
   */
  readonly schema: S
  /** Withdraws the question, which ends as `cancel`. */
  readonly signal?: AbortSignal
  /** @internal Who asks, and receives the answer: the origin of a server. */
  readonly from?: string
}

/** The answer of the user. `decline`: they refuse to answer. `cancel`: the question was closed without an answer. */
export type AskResult<T = Record<string, unknown>> =
  | {
      readonly action: 'accept'
      /** What the schema returns. */
      readonly content: T
    }
  | { readonly action: 'decline' | 'cancel'; readonly content?: never }

/** A plain JSON Schema (draft 7 or 2020-12) whose root is an object. */
export type JsonSchema = JsonObject

/** zod 4, zod/mini, zod 3, any Standard Schema that converts to JSON Schema, or plain JSON Schema. */
export type Schema<T = unknown> = StandardSchemaV1<unknown, T> | ZodLike<T> | JsonSchema
/** zod 3 before Standard Schema, recognised by its shape. */
export interface ZodLike<T> {
  /** Exists only as a type: what the schema returns. */
  readonly _output: T
  /** Part of the shape; the agent validates with `safeParseAsync`. */
  safeParse(value: unknown): unknown
}
/** The type of the arguments that `execute` receives for a schema. */
export type InputOf<S> =
  S extends StandardSchemaV1<unknown, infer T>
    ? T
    : S extends { readonly _output: infer T }
      ? T
      : S extends { readonly properties: infer P extends object }
        ? FromProperties<P, RequiredIn<S> | WithDefault<P>>
        : FromJsonSchema<S, Record<string, unknown>>

/**
 * The type that a plain JSON Schema describes. Reads `type`, `properties`, `required`, `items`, `enum` and `const`;
 * everything else is `Other`.
 */
export type FromJsonSchema<S, Other = unknown> = S extends { readonly const: infer V }
  ? V
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly properties: infer P extends object }
      ? FromProperties<P, RequiredIn<S>>
      : S extends { readonly type: infer T }
        ? FromTypeName<T extends readonly (infer One)[] ? One : T, S, Other>
        : Other
type RequiredIn<S> = S extends { readonly required: readonly (infer R)[] } ? R : never
/** The properties that are always there because a default is put in. */
type WithDefault<P> = { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P]
type FromTypeName<T, S, Other> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? FromJsonSchema<I>[]
            : unknown[]
          : T extends 'object'
            ? Record<string, unknown>
            : Other
/** A schema without `properties` allows any property. */
type FromProperties<P extends object, Required> = [keyof P] extends [never]
  ? Record<string, unknown>
  : Flat<
      { -readonly [K in keyof P as K extends Required ? K : never]: FromJsonSchema<P[K]> } & {
        -readonly [K in keyof P as K extends Required ? never : K]?: FromJsonSchema<P[K]>
      }
    >
type Flat<T> = { [K in keyof T]: T[K] }

/** What the model receives for a result: a text, JSON, or content parts with files. */
export type ModelOutputOf =
  | string
  | {
      readonly type: 'text'
      /** Sent as it is, without quotes. Longer than `limits.resultChars`: cut. */
      readonly value: string
    }
  | {
      readonly type: 'json'
      /** Sent as JSON text. */
      readonly value: JsonValue
    }
  | {
      readonly type: 'content'
      /** Text and file parts, in order. */
      readonly value: readonly JsonObject[]
    }
  | JsonValue

/** An ended call, as `summary` receives it. */
export type EndedCall<Input = Record<string, unknown>, Output = unknown> = {
  /** The arguments that `execute` received. */
  readonly input: Input
  /** The language of the page as a BCP 47 tag, such as `de-AT`. */
  readonly locale: string
} & (
  | {
      /** The call succeeded. */
      readonly state: 'done'
      /** What `execute` returned, or the hook `afterTool` instead. */
      readonly output: Output
    }
  | {
      /** The call failed: it threw, or ran into its time-out. */
      readonly state: 'failed'
      readonly output?: undefined
    }
)

/** What a page tool put back of the fields that its call had changed. Labels of fields. */
export interface FieldsPutBack {
  /** They hold the wanted values. */
  readonly done: readonly string[]
  /** They were changed since, so they were left as they are. */
  readonly kept: readonly string[]
  /** They are gone, or the page did not take the value. */
  readonly lost: readonly string[]
  /** The page had saved the other value, and its server keeps that. */
  readonly saved?: readonly string[]
}

/** What a page tool knows of the fields that its calls have changed. */
export interface FieldChanges {
  /**
   * Which values the fields have that a call has changed: those of the call (`after`) or those from before it.
   * Undefined if this page cannot put them back. `call`: its id.
   */
  holds(sessionId: string, call: string): 'before' | 'after' | undefined
  /** The values from before a call, as a person reads them, by the labels of their fields. */
  valuesBefore(sessionId: string, call: string): ReadonlyMap<string, JsonValue>
  /** Where the page has saved what a call has changed, such as `PATCH /settings`. */
  savedBy?(sessionId: string, call: string): readonly string[]
  /**
   * Puts back the values from before the call `run.toolCallId`, or those that it has written (`after`). With a label
   * only that field, as if the visitor had edited it.
   */
  putBack(run: ToolRun, to: 'before' | 'after', label?: string): Promise<FieldsPutBack>
  /** Loads what shows them on the page. */
  review?(): Promise<FieldReview>
}

/** A field that a call has changed, and that is on the page. */
export interface ReviewedField {
  readonly call: string
  readonly label: string
  /** Its value before the call, as a person reads it; undefined if it is not known. */
  readonly was: JsonValue | undefined
  /** Whether it still holds what the call has written. */
  isChanged(): boolean
  /** Where it is. */
  readonly placed: Placed
  /** Scrolls to it and outlines it: for a moment, or until it is released. */
  show(isKept: boolean): Release
  /** Draws a text over it, without a change of the page. */
  cover(text: string): Release
}

/** Shows the fields that calls have changed. `calls`: their ids. */
export interface FieldReview {
  /**
   * Marks the fields that hold what the calls have written, until the visitor edits them, sends their form or confirms,
   * and removes all other marks.
   */
  mark(sessionId: string, calls: readonly string[]): void
  /** The fields that are on the page, in call order. */
  fields(sessionId: string, calls: readonly string[]): readonly ReviewedField[]
  /** The visitor has looked at them. */
  confirm(sessionId: string, calls: readonly string[]): void
  /** Names of what only the visitor does: private fields that are empty, and the button that sends their form. */
  left(sessionId: string, calls: readonly string[]): readonly string[]
}

/** @internal What the page says when a message is sent. */
export interface PageReading {
  /** Removes private values from a text about the page. */
  redact(text: string): string
  /** Names the forms of the page in one text, so that a model can fill one without reading it: untrusted. */
  forms?(): string
  /** How many private fields it has; undefined for a page that is too large to read now. */
  readonly hidden?: number | undefined
}

/**
 * @internal The second interface of a tool: what the tools and providers of this package say beside what an author can
 * write. Bundles of other builds may read it, so a part keeps its meaning, and whoever does not know it leaves it out.
 */
export interface ToolInternals<Input = Record<string, unknown>> {
  /** A provider discovered the tool, not the author of the page: its hints are claims, its results are untrusted. */
  readonly isDiscovered?: true
  /** A call may do more than change a value, so it may ask. */
  readonly mayAct?: true
  /**
   * Its results are lines about one thing, such as a page, and one that repeats an earlier one is sent as what changed.
   * Other results reach the model byte for byte.
   */
  readonly repeatsAsChanges?: true
  /** What its calls have changed in fields, so that the user can undo them. Tools of the page have `undo` instead. */
  readonly fieldChanges?: FieldChanges
  /** Loads what reads the page for the facts of a message: title and address without private values, names of forms. */
  readonly readsPage?: () => Promise<() => PageReading>
  /** Loads what shows on the page what the assistant asks and does. */
  readonly stage?: () => Promise<PageStage>
  /** Loads what tells and shows the visitor what is read of the page. */
  readonly glass?: () => Promise<PageGlass>
  /** Predicts what a call will do, before the user is asked. @throws if the action is not possible */
  preview?(input: Input, run: ApprovalRun): ActionForecast
}

/**
 * What `summary` of a tool returns: a sentence, or with it a value before and after the call. Plain text, each at most
 * 200 characters; an empty `before` or `after` was or is empty.
 */
export type ToolSummary =
  | string
  | { readonly text?: string | undefined; readonly before?: string; readonly after?: string }

/** What `question` of a tool returns: a text, or rows. */
export type ToolQuestion = string | readonly QuestionRow[]

/** The type of `toolContext` for a `contextSchema`; `never` stands for a tool without one. */
export type ContextOf<C> = [C] extends [never] ? ToolContext : InputOf<C>

/** A function of the page that the model may ask for. `Context` is the type of `toolContext`. */
export interface Tool<Input = Record<string, unknown>, Output = unknown, Context = ToolContext> {
  /**
   * `^[A-Za-z0-9_-]{1,64}$`, unique in the agent. `todo_write`, `todo_read`, `read_result`, `final_result`,
   * `find_tools` and `use_tool` are reserved.
   */
  readonly name: string
  /** For people. Default: the name in words. */
  readonly title?: string
  /** For the model: what it does and when to use it. Default: the title, else the name; a warning is logged. */
  readonly description?: string | ((page: { url: string; locale: string }) => string)
  /** The arguments. Default: no parameters. */
  readonly inputSchema?: Schema
  /** Checked after `execute`. A mismatch is logged; the value is used anyway. */
  readonly outputSchema?: Schema
  /** Hints about what the tool does, such as `readOnlyHint`. Default: none. */
  readonly annotations?: ToolAnnotations
  /** Milliseconds per attempt. Default: 15,000. 0: no time-out. */
  readonly timeout?: number
  /** Retries after a time-out, only with `idempotentHint` or `readOnlyHint`. Default: 3. */
  readonly maxRetries?: number
  /** True: runs alone, after all earlier calls of its step and before all later ones. Default: false. */
  readonly exclusive?: boolean
  /** True: every request offers it, also while the model searches for the other tools. Default: false. */
  readonly alwaysOffered?: boolean
  /**
   * Whether the user is asked before a call runs. If the function throws, the call is refused. Default: false, and
   * true for a tool with `question`.
   */
  readonly needsApproval?: boolean | ((input: Input, run: ApprovalRun<Context>) => boolean | Promise<boolean>)
  /**
   * What the user decides, in the question before a call: a text, or rows of label and value, of plain text and at most
   * 2,000 characters, within two seconds. The panel draws them in its own frame, above the arguments, which the user
   * cannot change then. The approval is bound to it and to the tool context that the tool reads: if either has changed
   * before the answer, the user is asked again. If it throws or is late, the call is refused. With it,
   * `needsApproval` is true by default. Default: none.
   */
  readonly question?: (input: Input, run: ApprovalRun<Context>) => ToolQuestion | Promise<ToolQuestion>
  /** True: the result goes to the user and ends the turn. `if-last`: only if no other call follows. Default: false. */
  readonly returnDirect?: boolean | 'if-last'
  /** Converts the output for the model. The page still receives the original. */
  readonly toModelOutput?: (result: { toolCallId: string; input: Input; output: Output }) => ModelOutputOf
  /**
   * What happened, for the user: one sentence of plain text, such as "Found 3 products". The card shows it instead of
   * the title and the arguments. Called once, when a call has ended, and stored with the result. It is shortened to 200
   * characters. Undefined or an empty text: the title. With `{ text, before, after }` the card shows below it what was
   * changed, from what to what, and the call counts as a change. If it throws, returns anything else, or has no text
   * after one second, that is reported and the title is shown. Default: none.
   */
  readonly summary?: (call: EndedCall<Input, Output>) => ToolSummary | undefined | Promise<ToolSummary | undefined>
  /**
   * Takes back what a call has done. With it, the card of a successful call has an *Undo* button, as filled fields
   * have. `input` and `output` are JSON, as they are stored, so that it also works after a reload, if the tool is
   * registered again then. It runs at most once for each press, within `timeout`, and without a question. If it throws,
   * the visitor reads that it did not work and may try again, and the error is logged. After a time-out it is not
   * called again for this call. Default: none.
   */
  readonly undo?: (input: Input, output: Output, run: ToolRun<Context>) => unknown
  /**
   * Validates the tool context, and gives `toolContext` its type. Only the top-level properties that it names are
   * passed to the tool.
   */
  readonly contextSchema?: Schema
  /** Runs the tool. Without it, the tool is available only in turns that the caller runs with `step()`. */
  execute?(input: Input, run: ToolRun<Context>): Output | Promise<Output> | AsyncIterable<Output>
  /** @internal Set by `agentTool`: an agent runs instead of `execute`. */
  readonly agent?: AgentSpec & { readonly tools: readonly AnyTool[] }
  /** @internal Set by tools and providers of this package. */
  readonly [internals]?: ToolInternals<Input>
}

/** A tool whose functions receive the arguments and the context that its schemas describe. */
export type ToolWith<S extends Schema, Output = unknown, C extends Schema = never> = Omit<
  Tool<InputOf<S>, Output, ContextOf<C>>,
  'inputSchema' | 'contextSchema'
> & {
  /** Describes the arguments; the type of `input` is inferred from it. */
  readonly inputSchema: S
  /** Validates the tool context; the type of `toolContext` is inferred from it. */
  readonly contextSchema?: C
}

/** The same for a tool without parameters. */
export type ToolWithoutInput<Output = unknown, C extends Schema = never> = Omit<
  Tool<Record<string, never>, Output, ContextOf<C>>,
  'inputSchema' | 'contextSchema'
> & {
  /** None. */
  readonly inputSchema?: never
  /** Validates the tool context; the type of `toolContext` is inferred from it. */
  readonly contextSchema?: C
}

/** The second argument of `needsApproval` and `question`. */
export interface ApprovalRun<Context = ToolContext> extends Pick<
  ToolRun<Context>,
  'toolContext' | 'sessionId' | 'toolCallId' | 'messages' | 'signal'
> {
  /** @internal Of a page tool: what the option `effects` says. */
  readonly effects?: readonly DeclaredEffect[]
  /** @internal Of a page tool: what earlier attempts of this call were stopped before. The preview must include it. */
  readonly stopped?: readonly StoppedEffect[]
}

/** What every `toolContext` is assignable to: `Readonly<Context>` is a mapped type, which has an implicit index. */
type SomeContext = Record<string, unknown>
/** Methods, because the parameters of a method are compared in both directions: any `ToolRun<…>` fits. */
interface ContextMethods {
  needsApproval(input: never, run: ApprovalRun<SomeContext>): boolean | Promise<boolean>
  question(input: never, run: ApprovalRun<SomeContext>): ToolQuestion | Promise<ToolQuestion>
  undo(input: never, output: never, run: ToolRun<SomeContext>): unknown
}

// Method bivariance makes Tool<X, Y, Z> assignable here without `any`.
/** A tool whose input type is known only to its schema. */
export type AnyTool = Omit<
  Tool<never, unknown>,
  'execute' | 'needsApproval' | 'question' | 'toModelOutput' | 'summary' | 'undo'
> & {
  /** Runs the tool. Without it, the tool is available only in turns that the caller runs with `step()`. */
  execute?(input: never, run: ToolRun<SomeContext>): unknown
  /** Whether the user is asked before a call runs. If the function throws, the call is refused. Default: false. */
  needsApproval?: boolean | ContextMethods['needsApproval']
  /** What the user decides, in the question before a call. */
  question?: ContextMethods['question']
  /** Converts the output for the model. The page still receives the original. */
  toModelOutput?: (result: { toolCallId: string; input: never; output: never }) => ModelOutputOf
  /** One sentence for the user about an ended call. Default: the title of the tool. */
  summary?: (call: EndedCall<never, never>) => ToolSummary | undefined | Promise<ToolSummary | undefined>
  /** Takes back what a call has done. With it, the card of a successful call has an *Undo* button. */
  undo?: ContextMethods['undo']
}

/**
 * Returns tools for the next step, or null for none. Called before every step; must answer within 5 seconds. A provider
 * that throws is reported and left out of that step.
 */
export type ToolProvider = (request: {
  /** The text of the user's message that began the turn. */
  readonly message: string
  /** The open session. */
  readonly sessionId: string
  /** Defaults, session and send merged; later layers win. */
  readonly toolContext: Readonly<ToolContext>
  /** The address of the page. */
  readonly url: string
  /** Values that tools and providers of this turn share. Stays in the page and is never stored. */
  readonly shared: Map<string, unknown>
}) => readonly AnyTool[] | null | Promise<readonly AnyTool[] | null>

/**
 * Returns the tool unchanged; TypeScript infers the types of `input` and `toolContext` from its schemas. The tool is
 * checked when it is registered, and its schemas are compiled when the agent connects.
 */
export function defineTool<const S extends Schema, Output, const C extends Schema = never>(
  tool: ToolWith<S, Output, C>,
): Tool<InputOf<S>, Output, ContextOf<C>> & { readonly inputSchema: S }
/** The same for a tool without parameters. */
export function defineTool<Output, const C extends Schema = never>(
  tool: ToolWithoutInput<Output, C>,
): Tool<Record<string, never>, Output, ContextOf<C>>
export function defineTool(tool: AnyTool): AnyTool {
  return tool
}
