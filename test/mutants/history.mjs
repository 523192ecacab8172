// The rules of the history that is sent, and of a turn as its caller meets it: stop, queue, continue, retries, errors.
const history = 'test/node/history.spec.ts'
const turn = 'test/node/turn.spec.ts'
const loop = 'test/node/loop.spec.ts'
const wire = 'test/node/wire.spec.ts'
const request = 'src/core/request.ts'
const step = 'src/core/step.ts'
const turns = 'src/host/turns.ts'

const stopped = 'C40 R5.2 stopping while two of three tools run settles both as cancelled, and the next request has three results'
const whileStreaming = 'C41 stopping while a call streams keeps the text and drops the call'
const attached = 'C49 R5.1 what a provider attached to a call or a thought goes back untouched, also after a reload'
const noEmpty = 'C55 R5.1 empty texts, empty messages and half pairs are not sent'
const note = 'C61 what a note stands for ends where a turn begins, wherever it says it ends'
const joined = 'R5.1 neighbouring answers are one message, and a history that ends with one goes on with a word of the user’s'
const systemLine = 'R5.1 system text comes from code alone: ours, the instructions, and one line that is the same for the whole turn'
const facts = 'R5.1 the facts of the page are day, zone, language, title, origin and path without the query'
const again = 'R5.7 a busy server is asked twice more, each time after a longer pause, and then the turn ends'
const named = 'R5.7 the time that a server names is kept, up to a minute; one whose quota is used up is not asked again'
const broke = 'R5.7 a connection that broke before the first part is tried again, one that broke behind it is not'

export default [
  { row: 'C40 R5.2', rule: 'no turn ends with an open call', file: 'src/core/loop.ts', find: '  await cancelOpen(deps, end.reason)\n', replace: '', spec: history, test: stopped },
  { row: 'C41', rule: 'the text of a stopped step is kept', file: 'src/core/loop.ts', find: 'if (hasText || hasCalls) await keep(message)', replace: 'if (hasCalls) await keep(message)', spec: history, test: whileStreaming },
  {
    row: 'C41', rule: 'thoughts alone are not sent again', file: request, find: "if (!content.some((part) => part.type !== 'reasoning')) return", replace: 'if (content.length === 0) return', spec: history,
    test: 'C41 what was stopped while the model only thought is not sent again',
  },
  {
    row: 'C41 R2.1', rule: 'only a finish makes calls real, whoever wrote the adapter', file: step, find: "finish === 'stop' || finish === 'tool-calls'", replace: 'true', spec: history,
    test: 'C41 R2.1 what an adapter gave before it ended without a finish is no call, and the text stays',
  },
  {
    row: 'C42', rule: 'what may not run twice is settled as interrupted', file: 'src/core/recover.ts', find: '(!started || started.repeatable || known.has(call.id))', replace: '(!started || started || known.has(call.id))', spec: 'test/node/resume.spec.ts',
    test: 'C42 a started call that may run twice runs again under the same id; any other is settled as interrupted',
  },
  {
    row: 'C42', rule: 'what may run twice runs again', file: 'src/core/recover.ts', find: '(!started || started.repeatable || known.has(call.id))', replace: '(!started || known.has(call.id))', spec: history,
    test: 'C42 R5.1 a turn that a reload cut goes on with every call settled, in call order',
  },
  {
    row: 'C42', rule: 'an outcome that the page kept is taken', file: 'src/core/recover.ts', find: ' || known.has(call.id)', replace: '', spec: 'test/node/resume.spec.ts',
    test: 'C42 an outcome that the page kept when it was left is taken instead of recovering the call',
  },
  {
    row: 'C43', rule: 'a stored part that is no call has no place in a message', file: 'src/host/store/records.ts', find: "isText(part, 'reasoning') || isCall(part)", replace: "isText(part, 'reasoning') || isObject(part)", spec: history,
    test: 'C43 a stored result without its call is not sent, and spoils nothing beside it',
  },
  {
    row: 'C44', rule: 'a call without a result is not sent', file: request, find: '    if (part.result === undefined) return []\n', replace: '', spec: history,
    test: 'C44 a message sent while tools run stands behind their results, and a call that never got one is not sent',
  },
  {
    row: 'C44', rule: 'a message sent while busy waits', file: turns, spec: history,
    test: 'C44 a message sent while tools run stands behind their results, and a call that never got one is not sent',
    edits: [
      { find: 'if (this.#current === undefined) return this.#next()', replace: 'return this.#next()' },
      { find: 'if (this.#isClosed || this.#current !== undefined) return', replace: 'if (this.#isClosed) return' },
    ],
  },
  {
    row: 'C45', rule: 'the reminder stands in a result, never before one', file: request, spec: 'test/node/todos.spec.ts',
    find: '  const results = callsOf(message).flatMap((part, index) =>', replace: "  if (reminder) prompt.push(userText(reminder))\n  const results = callsOf(message).flatMap((part, index) =>",
    test: 'C45 R4.2 after three rounds without a write the reminder stands first in the newest first result, then again after three',
  },
  { row: 'C49 R5.1', rule: 'metadata of a part goes back', file: request, find: 'part.metadata ? { providerOptions: part.metadata } : {}', replace: '{}', spec: history, test: attached },
  { row: 'C49 R5.1', rule: 'metadata of a call is stored', file: 'src/core/arguments.ts', find: 'title: offered.get(name)?.title, metadata }', replace: 'title: offered.get(name)?.title }', spec: history, test: attached },
  {
    row: 'C50', rule: 'reasoning goes back in turns that used tools', file: 'src/host/models/chat-request.ts', find: 'withReasoning ? reasoningFields(content) : {}', replace: '{}', spec: wire,
    test: 'C50 reasoning goes back under the name it came in, in turns that used tools alone',
  },
  {
    row: 'C53', rule: 'foreign ids are rewritten alike in call and result', file: 'src/host/models/chat-request.ts', find: '    id: wireId(part.toolCallId),', replace: '    id: part.toolCallId,', spec: wire,
    test: 'C53 foreign ids are rewritten alike in call and result, and invented names made sendable',
  },
  {
    row: 'C54', rule: 'what a hook made of the request is sent', file: 'src/page/answers.ts', find: 'beforeModel?.(copy)) ?? copy', replace: 'beforeModel?.(copy)) && ask.request', spec: history,
    test: 'C54 where a model takes only ids of its own kind a hook rewrites call and result, and the session keeps its ids',
  },
  { row: 'C55 R5.1', rule: 'blank text is not sent', file: request, find: "if (part.text.trim() === '' && part.metadata === undefined) return []", replace: '', spec: history, test: noEmpty },
  { row: 'C55 R5.1', rule: 'a blank message is not sent', file: request, find: "part.text.trim() === '' ? [] : [{ type: 'text'", replace: "false ? [] : [{ type: 'text'", spec: history, test: noEmpty },
  { row: 'C55', rule: 'half a pair in a result is replaced', file: request, find: 'const value = wellFormed(', replace: 'const value = String(', spec: history, test: noEmpty },
  {
    row: 'C59', rule: 'a stored message of another role is not read', file: 'src/host/store/records.ts', find: "record['role'] === 'assistant' && record", replace: "record['role'] !== 'user' && record", spec: 'test/node/store.spec.ts',
    test: 'C59 a damaged message keeps its place and loses its words',
  },
  {
    row: 'C60', rule: 'arguments that were no JSON are sent as an object', file: request, find: 'input: raw === undefined ? input : {}', replace: 'input', spec: history,
    test: 'C60 arguments that were no JSON are sent as an empty object, whatever stands in them',
  },
  { row: 'C61', rule: 'cut where a turn begins', file: request, find: "(messages[cut]?.role ?? 'user') !== 'user'", replace: 'false', spec: history, test: note },
  { row: 'C61', rule: 'the running turn keeps its beginning', file: request, find: 'Math.min(upTo, turn?.first ?? upTo)', replace: 'upTo', spec: history, test: note },
  { row: 'C61', rule: 'a note between two turns is no part of either', file: request, find: "while (messages[cut]?.role === 'summary') cut++", replace: '', spec: history, test: note },

  // The request
  { row: 'R5.1', rule: 'neighbouring answers are one message', file: request, find: "if (before?.role === 'assistant') prompt", replace: 'if (false) prompt', spec: history, test: joined },
  { row: 'R5.1', rule: 'it never ends with an answer', file: request, find: "messages.at(-1)?.role === 'assistant'", replace: 'false', spec: history, test: joined },
  {
    row: 'R5.1', rule: 'ids are unique in the session', file: 'src/core/arguments.ts', find: "given === '' || isUsed ? newId()", replace: "given === '' ? newId()", spec: loop,
    test: 'R5.1 ids that a server uses again are rewritten, so that each call has its own result',
  },
  { row: 'R5.1', rule: 'the line is fixed for the turn', file: request, find: 'factsText(session, turn)', replace: 'factsText(session, { ...turn, startedAt: Date.now() })', spec: history, test: systemLine },
  { row: 'R5.1', rule: 'system text comes from code', file: request, find: 'system: systemText(session, settings.instructions)', replace: "system: systemText(session, settings.instructions) + JSON.stringify(session.messages)", spec: history, test: systemLine },
  { row: 'R5.1', rule: 'no query in the line', file: request, find: 'oneLine(page.pathname, 200)', replace: 'oneLine(page.pathname + page.search, 200)', spec: history, test: facts },
  { row: 'R5.1', rule: 'the title is quoted', file: request, find: 'JSON.stringify(oneLine(facts.title, 120))', replace: 'oneLine(facts.title, 120)', spec: history, test: facts },
  {
    row: 'R5.1', rule: 'the instructions of a send are appended', file: request, find: '    turn?.options.instructions,\n', replace: '', spec: loop,
    test: 'R5.1 the system text has our preamble, the instructions and one line on date and page',
  },

  // Stop, queue, continue
  {
    row: 'R5.2', rule: 'stop reaches the request', file: 'src/host/models/chat-completions.ts', find: 'AbortSignal.any([signal, released.signal])', replace: 'new AbortController().signal', spec: turn,
    test: 'R5.2 stop reaches the request that streams: its connection is let go before the turn is told to have ended',
  },
  {
    row: 'R5.2', rule: 'stop reaches every running tool', file: 'src/host/asks.ts', find: "this.#post({ type: 'cancel'", replace: "void ({ type: 'cancel'", spec: turn,
    test: 'R5.2 stop reaches every running tool at once, and what they still bring changes nothing',
  },
  {
    row: 'R5.2', rule: 'the text so far is kept with its reason', file: 'src/core/reduce.ts', find: 'session.messages.with(place, { ...last, reason })', replace: 'session.messages', spec: turn,
    test: 'R5.2 stop reaches the request that streams: its connection is let go before the turn is told to have ended',
  },
  {
    row: 'R5.2', rule: 'an answer to a cancelled ask changes nothing', file: 'src/host/asks.ts', find: 'abortable<Answers[K]>(signal, ', replace: 'abortable<Answers[K]>(new AbortController().signal, ', spec: 'test/node/host.spec.ts',
    test: 'R5.2 an answer to an ask that was cancelled, or given twice, changes nothing',
  },
  {
    row: 'R5.2', rule: 'a cancelled ask is not answered', file: 'src/page/answers.ts', find: "if (isAsked()) this.#desk.post({ type: 'answer'", replace: "this.#desk.post({ type: 'answer'", spec: 'test/node/answers.spec.ts',
    test: 'R5.2 an ask that was cancelled aborts its tool and is not answered',
  },
  { row: 'R5.3', rule: 'messages wait their turn, in order', file: turns, find: 'this.#queue.push(message)', replace: 'this.#queue.unshift(message)', spec: turn, test: 'R5.3 messages that wait are a turn each, in the order they came' },
  { row: 'R5.3', rule: 'an error gives back what waits', file: turns, find: "session.end?.reason === 'error') this", replace: "session.end?.reason === 'stop' && false) this", spec: turn, test: 'R5.3 what waits comes back when the turn before it ends by an error' },
  { row: 'R5.3', rule: 'a stop gives back what waits', file: turns, find: "    this.#giveBack('The turn before it was stopped')\n", replace: '', spec: loop, test: 'R5.3 what waits in the queue comes back when the turn before it is stopped' },
  { row: 'R5.3', rule: 'a message that interrupts stops the turn', file: turns, find: "message.whenBusy === 'interrupt'", replace: 'false', spec: loop, test: 'R5.3 a message sent while busy waits its turn; one that interrupts stops it' },
  {
    row: 'R5.5', rule: 'continue goes on with a stopped turn', file: turns, find: "reason !== 'stop' && reason !== 'direct'", replace: "reason !== 'stop' && reason !== 'stopped'", spec: turn,
    test: 'R5.5 continue goes on with a turn that was stopped, and only while there is something to go on with',
  },
  {
    row: 'R5.5', rule: 'after a complete turn continue throws', file: turns, find: "reason !== 'stop' && reason !== 'direct'", replace: 'true', spec: turn,
    test: 'R5.5 continue goes on with a turn that was stopped, and only while there is something to go on with',
  },

  // Retries and errors
  { row: 'R5.7', rule: 'two further attempts', file: step, find: 'attempt < modelRetries', replace: 'attempt < 1', spec: turn, test: again },
  { row: 'R5.7', rule: 'the pause grows', file: step, find: '500 * 2 ** attempt', replace: '400', spec: turn, test: again },
  { row: 'R5.7', rule: 'only before the first part', file: step, find: '!collected.started && attempt', replace: 'attempt', spec: turn, test: broke },
  { row: 'R5.7', rule: 'network failures are tried again', file: step, find: "if (typeof asked === 'boolean') return asked", replace: "if (failure.code === 'network') return false", spec: turn, test: broke },
  { row: 'R5.7', rule: 'Retry-After is honoured', file: step, find: "if (typeof asked === 'number') return", replace: 'if (false) return', spec: turn, test: named },
  { row: 'R5.7', rule: 'up to a minute', file: step, find: 'Math.min(Math.max(0, asked), 60_000)', replace: 'Number(asked)', spec: turn, test: named },
  { row: 'R5.7', rule: 'a used-up quota is not asked again', file: 'src/host/models/http-errors.ts', find: "['rate-limited', !quota]", replace: "['rate-limited', quota || true]", spec: turn, test: named },
  { row: 'R5.7', rule: 'the first part has a time', file: step, find: 'betweenParts : firstPart', replace: 'betweenParts : 60_000', spec: loop, test: 'R5.7 a model that is silent too long ends the turn with a time-out' },
  { row: 'R5.7', rule: 'so has every further one', file: step, find: 'collected.started ? betweenParts', replace: 'collected.started ? 60_000', spec: turn, test: 'R5.7 a model that falls silent between two parts is timed out, and comments are no parts' },
  { row: 'R5.7', rule: 'after a 401 the headers are asked for once more', file: 'src/host/models/chat-completions.ts', find: 'if (response.status === 401) {', replace: 'if (false) {', spec: loop, test: 'R5.7 after a 401 the headers are asked for once more, and never stored' },
  {
    row: 'R5.7', rule: 'an end without a finish is no success', file: step, find: "if (collected.finish === 'cut') throw", replace: 'if (false) throw', spec: loop,
    test: 'C18 R2.1 R5.7 a model that ends without saying so was cut, whoever wrote its adapter',
  },
  {
    row: 'R5.8', rule: 'a tool’s error is no error of the agent', file: 'src/page/tool-errors.ts', find: "if (exposeErrors === 'message') return failure.message\n  desk.report", replace: "desk.report", spec: turn,
    test: 'R5.8 what a tool throws is its result: it is no error of the agent, and the turn goes on',
  },
  {
    row: 'R5.8', rule: 'a model’s error rejects with the turn so far', file: 'src/page/turn-result.ts', find: 'if (result) error.turn = result', replace: 'void result', spec: turn,
    test: 'R5.8 what the model’s side did goes to the user, with the turn so far, and never into the history',
  },
  {
    row: 'R5.8', rule: 'a programmer’s error throws', file: 'src/page/parse-options.ts', find: 'one >= least[key]!)', replace: 'one >= least[key]! - 9)', spec: turn,
    test: 'R5.8 what the programmer did wrong throws at once, and neither user nor model hear of it',
  },
  {
    row: 'R5.8', rule: 'stopping is no error', file: 'src/core/loop.ts', find: 'end = { reason: kind }', replace: "end = { reason: kind, error: { code: 'cancelled', message: 'stopped' } }", spec: turn,
    test: 'R5.8 stopping is no error: the promise resolves and nothing is reported',
  },
]
