// The rules of a turn that its caller steps through, and of an agent that runs as a tool.
const steps = 'test/node/steps.spec.ts'
const agents = 'test/node/agent-tool.spec.ts'
const stepped = 'src/page/steps.ts'
const inner = 'src/core/agent-call.ts'

const open = 'R5.4 the next step with a call open rejects with open-calls and changes nothing; a second settle throws'
const resumed = 'R5.4 a stepped turn is never resumed: after a reload it is settled, and continue() refuses'
const words = 'R5.6 it can be given the user’s words as they are, and what was said before'
const own = 'R5.6 an agent as a tool has its own instructions, tools and steps, and its answer is the result'
const stop = 'R5.6 stop reaches the agent’s fetch and its tools at once, and everything inside is settled'
const limits = 'R5.6 it has limits of its own, ten steps where nothing else is said, and counts as one call outside'
const allowance = 'R5.6 its tools ask like any other, the answer counts inside, and an allowance holds for the session'

export default [
  { row: 'R5.4', rule: 'a call waits for its caller', file: 'src/core/calls.ts', find: "const isManual = deps.session().turn?.mode === 'manual'", replace: 'const isManual = false', spec: steps, test: 'R5.4 a tool without execute is on offer in stepped turns alone, and the caller gives its result' },
  { row: 'R5.4', rule: 'the next model call waits for its caller', file: 'src/core/loop.ts', find: 'calls.length > 0) await deps.proceed(signal)', replace: 'false) await deps.proceed(signal)', spec: 'test/node/turn.spec.ts', test: 'R5.4 the next model call waits for its caller, who may change the tools before it' },
  { row: 'R5.4', rule: 'a step with a call open rejects', file: stepped, find: 'if (open.length > 0) {', replace: 'if (false) {', spec: steps, test: open },
  { row: 'R5.4', rule: 'a second settle throws', file: stepped, find: 'part.result !== undefined || this.#moved.has(callId)', replace: 'false', spec: steps, test: open },
  { row: 'R5.4', rule: 'what the caller settles is the result', file: stepped, find: "this.#desk.post({ type: 'settle', outcome })", replace: "this.#desk.post({ type: 'run', callId })", spec: steps, test: open },
  { row: 'R5.4', rule: 'a tool without execute is on offer in stepped turns alone', file: 'src/page/offer.ts', find: '!request.isManual && !isRunnable(entry)', replace: 'false', spec: steps, test: 'R5.4 a tool without execute is on offer in stepped turns alone, and the caller gives its result' },
  { row: 'R5.4', rule: 'leaving the loop is stop', file: stepped, find: '      this.#left.abort()\n', replace: '', spec: steps, test: 'R5.4 leaving the loop stops this turn alone, and what waits behind it goes on' },
  { row: 'R5.4', rule: 'such a turn is never resumed', file: 'src/core/recover.ts', find: " || turn.mode === 'manual'", replace: '', spec: steps, test: resumed },
  { row: 'R5.4', rule: 'nor continued', file: 'src/host/turns.ts', find: ' && !session.end?.manual', replace: '', spec: steps, test: resumed },

  { row: 'R5.6', rule: 'it has its own instructions', file: inner, find: 'return { ...config, instructions, model,', replace: 'return { ...config, model,', spec: agents, test: own },
  { row: 'R5.6', rule: 'it has no todo tools', file: inner, find: 'todo: false', replace: 'todo: config.todo', spec: agents, test: words },
  { row: 'R5.6', rule: 'it gets the user’s words where it is to', file: inner, find: "from === 'user-message' && asked", replace: 'from === undefined && asked', spec: agents, test: words },
  { row: 'R5.6', rule: 'it gets what was said before where it is to', file: inner, find: "agent.history === 'text' ?", replace: 'agent.history === undefined ?', spec: agents, test: words },
  { row: 'R5.6', rule: 'ten steps', file: inner, find: 'const steps = 10', replace: 'const steps = 12', spec: agents, test: limits },
  { row: 'R5.6', rule: 'limits of its own', file: inner, find: 'steps, ...limits }', replace: 'steps }', spec: agents, test: limits },
  { row: 'R5.6', rule: 'two deep', file: 'src/core/loop.ts', find: 'deps.depth < maxDepth', replace: 'deps.depth < 9', spec: agents, test: 'R5.6 an agent may call an agent, but that one no third' },
  { row: 'R5.6', rule: 'stop reaches it', file: inner, find: 'AbortSignal.any([signal, clock.signal])', replace: 'clock.signal', spec: agents, test: stop },
  { row: 'R5.6', rule: 'its calls stand inside the call', file: inner, find: 'return deps.emit(event, [callId, ...path])', replace: 'return deps.emit(event, path)', spec: agents, test: 'R5.6 its calls are on disk before they run, and its events carry the path' },
  { row: 'R5.6', rule: 'an allowance given inside holds for the session', file: 'src/core/reduce.ts', find: 'return settledStatus(withGrant(next, event.grant))', replace: 'return settledStatus(next)', spec: agents, test: allowance },
  { row: 'R5.6', rule: 'what is remembered inside is the session’s', file: 'src/core/reduce.ts', find: "event.type === 'tool-result' ? remember(next, event.context) : next", replace: 'next', spec: agents, test: 'R5.6 what its tools remember is the session’s, and outside text that it read is fenced in its answer' },
  { row: 'R5.6', rule: 'after a crash it is never run again', file: 'src/core/tool.ts', find: 'return agent === undefined && (', replace: 'return (', spec: agents, test: 'R5.6 after a crash it is never run again, and what it had open is settled inside' },
  { row: 'R5.6', rule: 'what it had open is settled inside', file: 'src/core/recover.ts', find: ' && path.length === 0', replace: '', spec: agents, test: 'R5.6 after a crash it is never run again, and what it had open is settled inside' },
]
