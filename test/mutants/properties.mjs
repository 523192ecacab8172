// Laws of whole sessions, taken out one by one: sessions that nobody wrote for it must notice each. The seeds are those that
// do; where the generator changes, others may, and `SEEDS=200` on the broken code says which.
const spec = 'test/node/properties.spec.ts'
const batch = (first) => `sessions of the seeds ${first} to ${first + 19} keep all laws`

export default [
  {
    row: 'R5.2', rule: 'no turn ends with an open call', file: 'src/core/loop.ts',
    find: 'await cancelOpen(deps, end.reason)', replace: 'void cancelOpen',
    spec, test: batch(1),
  },
  {
    row: 'R5.2', rule: 'a call is settled once', file: 'src/core/loop.ts',
    find: 'filter((part) => open.has(part.call.id))', replace: 'filter((part) => open.has(part.call.id) || true)',
    spec, test: batch(1),
  },
  {
    row: 'R6.5', rule: 'what may not run twice does not run again after a crash', file: 'src/core/recover.ts',
    edits: [{ find: 'started.repeatable || known', replace: 'true || known' }, { file: 'src/core/calls.ts', find: ' || !isRepeatable(spec)) {', replace: ') {' }],
    spec, test: batch(21),
  },
  {
    row: 'R6.5', rule: 'only what may run twice is tried again', file: 'src/page/execution.ts',
    find: 'attempt > spec.maxRetries', replace: 'attempt > 1',
    spec, test: batch(1),
  },
  {
    row: 'R2.4', rule: 'results are kept in call order', file: 'src/core/reduce.ts',
    find: 'return settledStatus({ ...remember(next, event.context), todos', replace: "const sorted = { ...next, messages: next.messages.map((message) => (message.role === 'assistant' ? { ...message, parts: [...message.parts].sort((one, other) => Number(one.type === 'tool-call' && one.result === undefined) - Number(other.type === 'tool-call' && other.result === undefined)) } : message)) }\n      return settledStatus({ ...remember(sorted, event.context), todos",
    spec, test: batch(1),
  },
  {
    row: 'R5.1', rule: 'results stand in call order', file: 'src/core/request.ts',
    find: "if (results.length > 0) prompt.push({ role: 'tool', content: results })", replace: "if (results.length > 0) prompt.push({ role: 'tool', content: results.reverse() })",
    spec, test: batch(1),
  },
  {
    row: 'R6.5', rule: 'the page keeps an outcome until its result is a fact, and no longer', file: 'src/page/agent.ts',
    find: 'this.#answering().acknowledge(event.callId)', replace: 'void event.callId',
    spec, test: batch(1),
  },
  {
    row: 'R6.5', rule: 'a start is stored before its tool runs', file: 'src/host/session-writer.ts',
    find: 'await this.#commit(changeOf(this.session, next, event))', replace: 'void this.#commit(changeOf(this.session, next, event))',
    spec, test: batch(1),
  },
  {
    row: 'R6.5', rule: 'a start is a fact before its tool runs', file: 'src/core/calls.ts',
    find: "await deps.emit(defined({\n    type: 'tool-start'", replace: "void deps.emit(defined({\n    type: 'tool-start'",
    spec, test: batch(1),
  },
  {
    row: 'R2.4', rule: 'an exclusive call is a group of its own', file: 'src/core/calls.ts',
    find: 'if (offered.get(part.call.name)?.exclusive) {', replace: 'if (offered.get(part.call.name)?.exclusive === null) {',
    spec, test: batch(1),
  },
  {
    row: 'R2.4', rule: 'no more calls than the limit at once', file: 'src/core/calls.ts',
    find: 'slots(deps.config().limits.concurrency)', replace: 'slots(99)',
    spec, test: batch(1),
  },
  {
    row: 'R2', rule: 'a denied call does not run', file: 'src/host/turns.ts',
    find: "if (decision === 'deny') waiting(defined({ do: 'deny', reason }))", replace: "if (decision === 'deny') waiting(defined({ do: 'approve', remember: false, reason }))",
    spec, test: batch(1),
  },
  {
    row: 'R2', rule: 'what must be asked about is asked about', file: 'src/page/approval.ts',
    find: 'return needed || consequentialHint || always ? ask', replace: 'return consequentialHint || always ? ask',
    spec, test: batch(1),
  },
  {
    row: 'R5.3', rule: 'a message behind a question settles it', file: 'src/host/turns.ts',
    find: "if (this.#host.writer.session.status === 'awaiting-approval') this.#supersede()", replace: '',
    spec, test: batch(21),
  },
  {
    row: 'R5.3', rule: 'messages are sent in their order', file: 'src/host/turns.ts',
    find: 'this.#queue.push(message)', replace: 'this.#queue.unshift(message)',
    spec, test: batch(41),
  },
  {
    row: 'R5.3', rule: 'what waits goes back when the turn before it is stopped', file: 'src/host/turns.ts',
    find: "this.#giveBack('The turn before it was stopped')", replace: '',
    spec, test: batch(1),
  },
  {
    row: 'R2', rule: 'what a tool remembers is kept with its result', file: 'src/core/reduce.ts',
    find: 'settledStatus({ ...remember(next, event.context), todos', replace: 'settledStatus({ ...next, todos',
    spec, test: batch(1),
  },
  {
    row: 'R6.1', rule: 'a draft goes with its turn, in the store too', file: 'src/core/store.ts',
    find: 'draft: before.draft !== undefined && after.draft === undefined ? null : undefined', replace: 'draft: undefined',
    spec, test: batch(1),
  },
  {
    row: 'R5.1', rule: 'ids are unique in the session', file: 'src/core/arguments.ts',
    find: "given === '' || isUsed", replace: "given === ''",
    spec, test: batch(1),
  },
  {
    row: 'R2', rule: 'a cut-off answer acts on nothing', file: 'src/core/step.ts',
    find: "finish === 'stop' || finish === 'tool-calls'", replace: 'true',
    spec, test: batch(1),
  },
  {
    row: 'R6.5', rule: 'an open call of a turn that does not go on is settled', file: 'src/core/recover.ts',
    find: 'const mayStay = goOn &&', replace: 'const mayStay =',
    spec, test: batch(1),
  },
  {
    row: 'R2', rule: 'a turn has no more steps than its limit', file: 'src/core/loop.ts',
    find: 'progress.steps >= deps.config().limits.steps', replace: 'progress.steps >= 99',
    spec, test: batch(21),
  },
]
