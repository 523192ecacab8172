// `approve`, `deny` and `answer`: post the user's decision on a waiting call to the host. The first decision on a call
// counts, and later ones are ignored, because a double click must not be an error.
import { toErrorValue, ToolAgentError } from '../../core/data/errors.js'
import { dropUndefined, type JsonValue } from '../../core/data/json.js'
import { allToolCalls, type CallId, isQuestion } from '../../core/data/message.js'
import type { QuestionTool } from '../../core/data/protocol.js'
import { internals } from '../../core/data/tool.js'
import type { AgentState } from '../agent-state.js'
import { approvalHash, approvalOffers, mayRemember } from '../answers/needs-approval.js'
import { invalidInput } from '../answers/tool-errors.js'
import type { HostLink } from './host-link.js'
import { pageAddress } from '../facts/address.js'
import type { Validated } from '../schema/compiled-schema.js'
import { loadAsking } from '../tools/ask.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { AskResult } from '../tools/tool.js'

/** How the user approves a call. */
export interface ApproveOptions {
  /** Arguments that replace those of the model. Validated like those. */
  readonly input?: JsonValue
  /** What the user says about it; the model reads it. */
  readonly reason?: string
  /**
   * `session`: later calls of this tool run without asking, for as long as its definition stays the same, or until
   * `endGrants()`.
   */
  readonly remember?: 'session'
  /**
   * `task`: similar actions on this page run without asking, as `part.approval.preview.task` says. It ends with the
   * turn, on another page, after ten minutes, and with `endGrants()`.
   */
  readonly for?: 'task'
}

/** How the user denies a call. */
export interface DenyOptions {
  /** What the user says about it; the model reads it. */
  readonly reason?: string
  /**
   * True: the user has done it themselves. The call never runs, and the model is told so. Also after the page is left,
   * if that is what it led to. @default false
   */
  readonly doneByUser?: boolean
}

/** What a question shows about the tool of its call. */
export interface ApprovalTool extends QuestionTool {
  /** Its texts come from the page or from a server, not from the author of the agent. */
  readonly isDiscovered: boolean
}

/** Milliseconds that the page has for what the user has pressed, before the model goes on: it may be left. */
const afterPress = 500

/** The decisions of the user on calls that await approval. */
export class Decisions {
  readonly #link: HostLink
  readonly #state: AgentState
  readonly #registry: ToolRegistry
  // Approvals whose edited arguments are being validated.
  readonly #edits = new Map<CallId, Promise<void>>()

  constructor(link: HostLink, state: AgentState, registry: ToolRegistry) {
    this.#link = link
    this.#state = state
    this.#registry = registry
  }

  /** Approves a call. The decision is bound to the hash of what the user was shown. */
  async approve(callId: CallId, { input, reason, remember, for: scope }: ApproveOptions): Promise<void> {
    if (await this.#isReplaced()) return
    // Not awaited without an edit, because another decision on the call could come between.
    if (this.#edits.has(callId) && (await this.#isDecided(callId))) return
    const waiting = this.#waitingCall(callId)
    if (waiting === undefined) return
    const { approval, tool, hostTool } = waiting
    if (approval.asks) throw new ToolAgentError('invalid-option', 'approve: use agent.answer() for this question')
    if (scope !== undefined && (scope !== 'task' || approval.preview?.task === undefined))
      throw new ToolAgentError(
        'invalid-option',
        `approve: this question cannot be allowed for ${JSON.stringify(scope)}`,
      )
    if (input !== undefined && approval.preview?.held)
      throw new ToolAgentError(
        'invalid-option',
        'approve: this call has run, and what it is about to send is held, so its arguments cannot be replaced',
      )
    if (input !== undefined && approval.preview?.question !== undefined)
      throw new ToolAgentError(
        'invalid-option',
        'approve: the question of this tool is about the arguments that it shows, so they cannot be replaced',
      )
    const isOffered = hostTool
      ? hostTool.offers.includes('session')
      : mayRemember(approval.preview, tool?.spec.annotations.destructiveHint)
    if (remember !== undefined && !isOffered)
      throw new ToolAgentError(
        'invalid-option',
        'approve: an action on the page, a tool with destructiveHint and one with a question of its own cannot be ' +
          'allowed for the session',
      )
    // Of a server, another page may have described what the user was shown. Only that page can say whether it holds.
    const handler = this.#link.queryHandler()
    const isOfOther = hostTool || (this.#link.connection.kind === 'server' && !handler.checkOf(callId))
    // Of what the user was shown: must be computed before the edit is validated, because the page may change meanwhile.
    const hash = isOfOther
      ? approval.hash
      : approvalHash({
          callId,
          input: approval.input,
          definition: tool?.spec.hash ?? '',
          url: pageAddress().url,
          preview: approval.preview,
          context: tool && handler.questionContext(tool),
        })
    const decide = (edited?: JsonValue): void => {
      this.#link.connection.post(
        dropUndefined({
          type: 'decide',
          callId,
          hash,
          decision: 'approve',
          input: edited,
          reason,
          remember: scope ?? remember,
        }),
      )
    }
    if (input === undefined) return decide()
    if (tool === undefined && isOfOther && !hostTool) return decide(input)
    if (tool === undefined && !hostTool)
      throw new ToolAgentError('unavailable', 'The tool is no longer available on this page: deny the call')
    const edit = (async () => {
      if (tool === undefined) {
        await this.#link.connection.request('validate', { callId, input })
        return decide(input)
      }
      decide(valid(await tool.entry.schema.validate(input)))
    })().finally(() => this.#edits.delete(callId))
    this.#edits.set(callId, edit)
    return edit
  }

  /** Answers what a running tool asks. Its content is validated here, and once more where the tool runs. */
  async answer(callId: CallId, answer: AskResult): Promise<void> {
    if (await this.#isReplaced()) return
    if (this.#edits.has(callId) && (await this.#isDecided(callId))) return
    const { approval, hostTool } = this.#waitingCall(callId) ?? {}
    if (approval === undefined) return
    const { asks, hash } = approval
    if (!this.#state.isDriver && this.#link.connection.kind !== 'server')
      throw new ToolAgentError('unavailable', 'answer: the tool runs in another tab. Answer it there')
    if (asks === undefined) throw new ToolAgentError('invalid-option', 'answer: this call asks nothing')
    const edit = (async () => {
      const { connection } = this.#link
      const { decisionFor } = await loadAsking()
      const decision = await decisionFor(answer, this.#link.queryHandler().asked(callId), asks)
      if (hostTool && decision.decision === 'approve')
        await connection.request('validate', { callId, input: decision.input ?? {} })
      connection.post({ type: 'decide', callId, hash, ...decision })
    })().finally(() => this.#edits.delete(callId))
    this.#edits.set(callId, edit)
    return edit
  }

  /** Denies a call. Needs no hash of the present page, because nothing runs. */
  async deny(callId: CallId, { reason, doneByUser: isDone = false }: DenyOptions): Promise<void> {
    // The page may be left before the host has read the decision.
    if (isDone) {
      this.#link.queryHandler().noteDoneByUser(callId)
      await new Promise((resolve) => setTimeout(resolve, afterPress))
    }
    if (await this.#isReplaced()) return
    if (this.#edits.has(callId) && (await this.#isDecided(callId))) return
    const waiting = this.#waitingCall(callId)
    if (waiting === undefined) return
    const { hash } = waiting.approval
    const done = isDone ? true : undefined
    this.#link.connection.post(
      dropUndefined({ type: 'decide', callId, hash, decision: 'deny', reason, doneByUser: done }),
    )
  }

  /** The tool of a call that awaits approval, as the newest offer has it; undefined if it has none. */
  async tool(callId: CallId): Promise<ApprovalTool | undefined> {
    await this.#registry.ready()
    const { part, path } = this.#find(callId) ?? {}
    const hostTool = this.#state.questions.get(part?.approval?.hash ?? '')
    if (hostTool) return { ...hostTool, isDiscovered: false }
    const handler = this.#link.queryHandler()
    const tool = part && handler.offered(part.call.name, path)
    if (tool === undefined) return undefined
    const { inputSchema, annotations } = tool.spec
    // A mirror has not checked the call, so it does not know what the request contains.
    const { untrusted = true } = handler.checkOf(callId) ?? {}
    const offers = approvalOffers(part?.approval?.preview, annotations, untrusted)
    return { inputSchema, annotations, isDiscovered: tool.entry.tool[internals]?.isDiscovered === true, offers }
  }

  /**
   * Waits for a session that is being opened again, and for the schemas of the tools, because a decision is bound to
   * the definition of its tool. Resolves with true if the host that asked is gone by then: the next one asks again, and
   * must not receive a decision before it has.
   */
  async #isReplaced(): Promise<boolean> {
    const { host } = this.#link.connection
    await Promise.all([this.#link.connected, this.#registry.ready()])
    return host !== undefined && host !== this.#link.connection.host
  }

  /**
   * Waits for an edit that is being validated. Resolves with true if it has been posted. An invalid edit decides
   * nothing.
   */
  async #isDecided(callId: CallId): Promise<boolean> {
    for (let edit; (edit = this.#edits.get(callId));) {
      const isPosted = await edit.then(
        () => true,
        () => false,
      )
      if (isPosted) return true
    }
    return false
  }

  /**
   * The approval that a call waits for, and its tool, if that is still registered. Undefined if the call is decided.
   * @throws `invalid-option` if the session has no such call or it needs no approval
   */
  #waitingCall(callId: CallId) {
    this.#link.closed.throwIfAborted()
    const { part, path } = this.#find(callId) ?? {}
    if (!part?.approval)
      throw new ToolAgentError('invalid-option', `This session has no call '${callId}' that needs approval`)
    if (!isQuestion(part)) return undefined
    const { approval, call } = part
    // The page may have a tool of the same name, which is not the one that is asked about.
    const hostTool = this.#state.questions.get(approval.hash)
    return { approval, hostTool, tool: hostTool ? undefined : this.#link.queryHandler().offered(call.name, path) }
  }

  /** The call in the open session, also inside an agent's call. */
  #find(callId: CallId) {
    return allToolCalls(this.#state.session?.messages ?? []).find(({ part }) => part.call.id === callId)
  }
}

/** @throws `invalid-input` */
function valid(checked: Validated): JsonValue {
  if ('issues' in checked) throw toErrorValue(invalidInput(checked.issues))
  return checked.json
}
