// The rules of approval: who is asked, what the answer is bound to, and what becomes of it.
const spec = 'test/node/page/answers/approval.spec.ts'
const need = 'src/page/answers/approval.ts'
const calls = 'src/core/turn/tool-calls.ts'
const turns = 'src/host/turns.ts'
const page = 'src/page/answers/answers.ts'
const agent = 'src/page/agent.ts'

const once = 'C100 C108 R7.3 R7.4 an approved call runs once with what was shown, a reason reaching tool and model'
const denied = 'C102 R7.4 R2.4 a denied call does not run, its reason reaches the model, its siblings run meanwhile'
const oneEach = 'C102 of two questions one is approved and one denied: one runs, the other’s denial is its result, and both are sent'
const batch = 'C101 C103 C104 after a reload each question is asked again, each call runs once, when it is answered, and the next model call waits for all'
const forged = 'C105 a stored question that was rewritten shows what would run, and a yes to the forged one counts for nothing'
const moved = 'C106 R5.3 a message sent instead of an answer settles the question, waits for what runs, and starts its own turn'
const shown = 'C107 R7.3 what was shown is what runs, also where a schema transforms or fills in something new each time'
const retried = 'C109 a denied call says that it is not to be tried again, and the same call asked for again and again ends the turn'
const exact = 'C110 R7.1 a denial of one call stands against an "always allow" given beside it, and a refusing hook against one given before'
const unfit = 'C111 R7.1 needsApproval never sees arguments that do not fit, and where it cannot decide nothing runs'
const hints = 'R7.1 hints ask, needsApproval speaks before them, but cannot silence a consequential tool'
const settings = 'R7.1 approval="always" asks for every tool of the page, "off" for none by its hints, and needsApproval speaks before both'
const allowed = 'R7.3 "allow for this session" holds for this definition, and not for another'
const edited = 'R7.4 edited arguments are validated first, then run, stored beside what was asked, and told to the model'
const bound = 'R7.3 another call, input, definition or page is another question'

export default [
  {
    row: 'R7.3', rule: 'what comes while an edit is checked waits for it', file: agent, find: '    if (this.#edits.has(callId) || !this.#connection.kind) await this.#answerable(callId)\n', replace: '', all: true, spec,
    test: 'R7.3 R7.4 a question is answered once: deny() behind an edit that is being checked is refused, and answers where the edit does not fit',
  },
  {
    row: 'C100 R7.3', rule: 'a decision counts once', file: turns, spec: 'test/node/host/host.spec.ts', test: 'C100 R7.3 an answer to a question that no longer stands as it was shown asks anew',
    edits: [{ find: 'if (part === undefined || !isQuestion(part)) return\n', replace: 'if (part === undefined) return\n' }, { find: "else if (hash !== part.approval?.hash) waiting({ do: 'recheck' })", replace: 'else if (false) return' }],
  },
  {
    row: 'C100', rule: 'a call id is executed once', file: page, find: 'if (known) return known', replace: 'if (false) return known', spec: 'test/node/page/answers/answers.spec.ts',
    test: 'C100 an execution asked for twice under one call id runs once, and both asks get its outcome',
  },
  { row: 'C101', rule: 'a call that was not started stays open for its question', file: 'src/core/state/recover.ts', find: '(!started || started.repeatable', replace: '(started?.repeatable', spec, test: batch },
  { row: 'C101 R7.3', rule: 'an early answer to a restored question counts', file: turns, find: 'this.#early.set(callId, message)', replace: 'void message', spec: 'test/node/core/turn/resume.spec.ts', test: 'C101 R7.3 an answer to a restored question counts, even before the page has its tools back' },
  { row: 'C102', rule: 'a denial is the call’s own', file: calls, find: "if (decision.do !== 'deny') return movedOn", replace: 'if (decision) return movedOn', spec, test: oneEach },
  { row: 'C102', rule: 'siblings of a question go on', file: calls, find: '  await allSettled(pending.map(({ part, warning, text }) => {', replace: '  for (const one of pending) await allSettled([one].map(({ part, warning, text }) => {', spec, test: denied },
  { row: 'C103', rule: 'what ran before the reload does not run again', file: calls, find: 'let open = group.filter((part) => part.result === undefined)', replace: 'let open = [...group]', spec, test: batch },
  { row: 'C104', rule: 'the next model call waits for every result', file: 'src/core/turn/semaphore.ts', find: 'const failed = (await Promise.allSettled(work))', replace: 'await Promise.race(work)\n  const failed = ([] as PromiseSettledResult<void>[])', spec, test: batch },
  { row: 'C105', rule: 'a restored question is checked again', file: calls, find: 'await deps.emit({ type: \'approval-request\', at: approval.at, callId, approval })', replace: 'if (!part.approval) await deps.emit({ type: \'approval-request\', at: approval.at, callId, approval })', spec, test: forged },
  {
    row: 'C105', rule: 'an early yes counts only for the question that is asked', file: turns, find: "if (early && (early.decision === 'deny' || early.hash === this.#call(callId)?.approval?.hash)) this.decide(early)", replace: "if (early) this.#decisions.get(callId)?.({ do: 'approve', remember: false })", spec, test: forged,
  },
  {
    row: 'C105', rule: 'only a tool that may run twice runs again', file: calls, find: ' || !isRepeatable(spec)', replace: '', spec,
    test: 'C105 a stored call that was made to look started and repeatable does not run, and one that waits for nobody cannot be approved',
  },
  { row: 'C106', rule: 'a message settles the question', file: turns, find: "if (this.#host.writer.session.status === 'awaiting-approval') this.#supersede()", replace: '', spec, test: moved },
  { row: 'C106 R5.3', rule: 'the turn then ends without another model call', file: 'src/core/turn/turn-loop.ts', find: "if (error?.code === 'superseded') return", replace: 'if (false) return', spec, test: moved },
  { row: 'C106', rule: 'nothing more of the step begins', file: calls, find: 'if (open.length > 0 && isSuperseded(deps)) {', replace: 'if (false) {', spec, test: 'C106 R5.3 once the user has moved on, nothing more of the step is asked or begun' },
  { row: 'C107 R7.3', rule: 'the input that was shown runs', file: calls, find: 'edited ?? input, all', replace: 'edited ?? part.call.input, all', spec, test: shown },
  { row: 'C108 R7.4', rule: 'an approval’s reason reaches the model', file: 'src/core/prompt/tool-result.ts', find: 'if (reason) notes.push', replace: 'if (false) notes.push', spec, test: once },
  { row: 'C108 R7.4', rule: 'an approval’s reason reaches the tool', file: calls, find: 'defined({ reason, edited: edited !== undefined })', replace: 'defined({ edited: edited !== undefined })', spec, test: once },
  { row: 'C109', rule: 'the model is told not to try again', file: calls, find: ' Do not try it again unless they ask for it.', replace: '', spec, test: retried },
  { row: 'C109', rule: 'denied calls count in the loop guard', file: 'src/core/turn/turn-counters.ts', find: '!unguarded.has(part.call.name))', replace: "!unguarded.has(part.call.name) && part.result?.error?.code !== 'denied')", spec, test: retried },
  {
    row: 'C110', rule: 'a grant answers no question that stands', file: turns, find: "else waiting(defined({ do: 'approve', remember: remember === 'session', reason, input }))", spec, test: exact,
    replace: "else {\n      waiting(defined({ do: 'approve', remember: remember === 'session', reason, input }))\n      if (remember) for (const other of this.#decisions.values()) other({ do: 'approve', remember: false })\n    }",
  },
  { row: 'C110 R7.1', rule: 'a refusing hook wins over a grant', file: page, find: "if (said && 'refuse' in said) return ", replace: "if (said && 'refuse' in said && this.#desk.session().grants.length === 0) return ", spec, test: exact },
  { row: 'C111', rule: 'a predicate sees valid arguments alone', file: page, find: "    if ('issues' in checked) return this.#refused(call, invalidInput(checked.issues), onInvalidInput)\n    const asTold", replace: "    if ('issues' in checked) {\n      await approvalNeed(offered, call.input, {} as never, this.#desk.session(), approval)\n      return this.#refused(call, invalidInput(checked.issues), onInvalidInput)\n    }\n    const asTold", spec, test: unfit },
  { row: 'C111 R7.1', rule: 'where it throws nothing runs', file: need, find: "return { do: 'refuse', thrown }", replace: "return { do: 'run' }", spec, test: unfit },
  { row: 'R7.1', rule: 'hints ask', file: need, find: "approval === 'always' || destructiveHint || consequentialHint", replace: "approval === 'always'", spec, test: hints },
  { row: 'R7.1', rule: 'false cannot silence consequentialHint', file: need, find: 'needed || consequentialHint || always ? ask', replace: 'needed || always ? ask', spec, test: hints },
  { row: 'R7.1', rule: 'needsApproval speaks before the hints', file: need, find: 'if (needsApproval !== undefined) {', replace: 'if (needsApproval) {', spec, test: hints },
  { row: 'R7.1', rule: 'always asks', file: need, find: "approval === 'always' || destructiveHint", replace: 'destructiveHint', spec, test: settings },
  { row: 'R7.1', rule: 'off does not', file: need, find: "if (approval === 'off') return", replace: 'if (false) return', spec, test: settings },
  { row: 'R7.1', rule: 'a listener may refuse', file: page, find: 'if (!isAllowed({', replace: 'if (isAllowed === undefined && !isAllowed({', spec, test: 'R2.0 R7.1 a listener of the tool call may refuse it, and so may a hook, or change its input' },
  {
    row: 'R7.2', rule: 'what has consequences asks again after outside text', file: need, find: '!((consequentialHint || destructiveHint) && tainted)', replace: 'true', spec,
    test: 'R7.2 what has consequences asks again after outside text was read in the turn, even if it was allowed before',
  },
  { row: 'R7.3', rule: 'a grant ends with its definition', file: need, find: ' && grant.hash === spec.hash', replace: '', spec, test: allowed },
  { row: 'R7.3', rule: 'a grant is stored', file: 'src/core/state/reduce.ts', find: "filter((one) => one.tool !== grant.tool), grant]", replace: "filter((one) => one.tool !== grant.tool)]", spec, test: allowed },
  ...[['the call', 'callId, input, definition, url', 'input, definition, url'], ['the input', 'callId, input, definition, url', 'callId, definition, url'], ['the definition', 'callId, input, definition, url', 'callId, input, url'], ['the page', 'callId, input, definition, url', 'callId, input, definition']].map(([what, from, to]) => ({
    row: 'R7.3', rule: `a question is bound to ${what}`, file: need, find: `canonicalJson([${from}, `, replace: `canonicalJson([${to}, `, spec, test: bound,
  })),
  { row: 'R7.3', rule: 'an answer for another question asks anew', file: turns, find: 'else if (hash !== part.approval?.hash)', replace: 'else if (false)', spec: 'test/node/host/host.spec.ts', test: 'C100 R7.3 an answer to a question that no longer stands as it was shown asks anew' },
  {
    row: 'R7.3', rule: 'a definition that changes voids the question', file: page, find: 'return spec.hash === hash ? { entry, spec } : undefined', replace: 'return { entry, spec: { ...spec, hash } }', spec, test: 'R7.3 a definition that changes while the user thinks voids the question',
  },
  { row: 'R7.4', rule: 'an edit is validated before it counts', file: agent, find: "if ('issues' in checked) throw new ToolAgentError('invalid-input'", replace: "if (false) throw new ToolAgentError('invalid-input'", spec, test: edited },
  { row: 'R7.4', rule: 'an edit runs', file: calls, find: 'edited ?? input, all', replace: 'input, all', spec, test: edited },
  { row: 'R7.4', rule: 'an edit is told to the model', file: 'src/core/prompt/tool-result.ts', find: 'if (edited !== undefined) notes.push', replace: 'if (false) notes.push', spec, test: edited },
  { row: 'R7.4', rule: 'an edit is stored beside what was asked', file: 'src/core/prompt/tool-result.ts', find: 'defined({ direct, attempts, startedAt, endedAt, input })', replace: 'defined({ direct, attempts, startedAt, endedAt })', spec, test: edited },
  { row: 'R7.4', rule: 'a denial’s reason reaches the model', file: calls, find: 'unless they ask for it.${said}', replace: 'unless they ask for it.', spec, test: denied },
  { row: 'R7.5', rule: 'a click must be a person’s', file: 'src/ui/panel/approval-card.ts', find: 'if (!event.isTrusted || ', replace: 'if (', spec: 'test/browser/ui/panel/panel-approval.spec.ts', test: 'R7.5 a click by a script is no decision' },
  {
    row: 'R7.5', rule: 'the agent’s own element is invisible to its tools', file: 'src/page-tools/dom/dom.ts', find: "ownTag.test(own('Element', element, 'localName')) || ", replace: '', spec: 'test/browser/page-tools/read/page-tools.spec.ts',
    test: 'R7.5 no tool tells a private value, by value, attribute, name, message, echo or selector',
  },
]
