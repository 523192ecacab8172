// The rules of a session's life: which one is open, how it is taken up again, what its page and its element do, and how
// long conversations are made to fit.
const recover = 'src/core/recover.ts'
const agent = 'src/page/agent.ts'
const serve = 'src/host/serve.ts'
const turns = 'src/host/turns.ts'
const bond = 'src/ui/agent-bond.ts'
const request = 'src/core/request.ts'
const fit = 'src/core/compact.ts'
const reduce = 'src/core/reduce.ts'

const spec = 'test/node/sessions.spec.ts'
const resume = 'test/node/resume.spec.ts'
const browser = 'test/browser/sessions.spec.ts'
const life = 'test/browser/page-life.spec.ts'
const element = 'test/browser/element.spec.ts'
const tabs = 'test/node/tabs.spec.ts'
const compact = 'test/node/compact.spec.ts'

const again = 'R6.1 R6.2 reload after a turn: transcript, todos and tool context are back'
const which = 'R6.2 the session that is named is opened; else the one this tab had open in its scope; else a new one'
const matrix = 'R6.3 R6.5 killed after any fact of a turn: the next page finishes it, and what may not run twice did not'
const asks = 'R5.5 F1 R6.3 resume="ask" keeps the text that was streaming, settles, and goes on when told to'
const kept = 'C42 F5 R6.3 an outcome that the page kept when it was left is taken instead of recovering the call'
const fresh = 'R6.4 a turn goes on by itself in its own tab, while fresh, and not for ever'
const late = 'R6.4 a resumed turn waits for its tools; one that does not come back is unavailable'
const ready = 'R6.4 a page that comes back is ready when its document is complete and its tools are there, and not for ever'
const nowhere = 'R6.4 a turn that gets nowhere is taken up three times, and then waits for its user'
const out = 'R6.7 F74 an element that is out for a second has its tools aborted and its session let go, the turn can be gone on with, and nothing runs twice'
const moved = 'F6 R6.7 moved within a second nothing happens; out for longer it closes its agent, and back again it has another with the same tools'
const results = 'R6.8 over the limit old results are left out first, the last three stay whole, and every call keeps its result'
const note = 'R6.8 C61 then a note by the model stands for older turns, cut where a turn begins, as fenced user text; todos, context and transcript stay'
const estimate = 'R6.8 the estimate follows what the endpoint counted, and before that the characters'
const growing = 'F1 R6.3 a text that grows is kept every 2 KB, and one that is slow each half second'
const behindNote = 'R6.8 after a reload the model is told what stands behind the newest note, and no more is read'

/** The rules are told by a function of their own. */
const freshness = (rule, find, replace) => ({ row: 'R6.4', rule, file: recover, find, replace, spec: resume, test: fresh })

export default [
  // Which session.
  { row: 'R6.2', rule: 'a tab notes its session', file: agent, find: 'this.#placeFor(session.id).note(session.id)', replace: 'void session', spec: browser, test: again },
  { row: 'R6.2', rule: 'the named session comes first', file: agent, find: 'this.#options.sessionId ?? free', replace: 'free', spec, test: which },
  { row: 'R6.2', rule: 'then the noted one', file: agent, find: '? undefined : noted\n', replace: '? undefined : undefined\n', spec, test: which },
  { row: 'R6.2', rule: 'notes are of a scope', file: 'src/page/tab.ts', find: '`tool-agent:session:${scope}`', replace: '`tool-agent:session:which${scope && String()}`', spec, test: which },
  { row: 'R6.2', rule: 'a session of another scope is not opened', file: serve, find: '(plain ?? scope) !== scope', replace: 'plain === null', spec: 'test/node/host.spec.ts', test: 'R6.2 a session of another scope is not opened: this one has its own under the name, finds it again, and is told nothing of the other' },
  {
    row: 'R6.2', rule: 'a new session is stored at its first message', file: serve, find: '    const turns = new Turns(host,', replace: '    if (!claimed.session) await store.commit(sessionId, claimed.epoch, { head: { ...session, length: 0 } })\n    const turns = new Turns(host,', spec,
    test: 'R6.2 a session is stored at its first message, not before',
  },
  { row: 'R6.2', rule: 'opening another stops the running turn', file: serve, find: "await leave('stopped')", replace: "await leave('closed')", spec, test: 'R6.2 opening another session stops the running turn first' },

  // A reload, a crash, a navigation.
  { row: 'F1 R6.3', rule: 'a text that grows is kept', file: 'src/host/session-writer.ts', find: 'this.#uncheckpointed > Math.max(checkpointChars, this.#drafted / 8) || ', replace: '', spec: 'test/node/session-writer.spec.ts', test: growing },
  { row: 'F1 R6.3', rule: 'and one that is slow', file: 'src/host/session-writer.ts', find: ' || this.#now() - this.#checkpointAt > checkpointMs', replace: '', spec: 'test/node/session-writer.spec.ts', test: growing },
  { row: 'F1 R6.3', rule: 'and one that breaks off', file: 'src/host/session-writer.ts', find: 'if (!isDue && this.#uncheckpointed > 0) this.#pause', replace: 'if (isDue && this.#uncheckpointed > 0) this.#pause', spec: 'test/node/session-writer.spec.ts', test: 'F1 R6.3 words that come fast wait for one checkpoint together, and none is made behind their step' },
  { row: 'F1', rule: 'nothing new is not written', file: 'src/host/session-writer.ts', find: ' || this.#uncheckpointed === 0', replace: '', spec: 'test/node/session-writer.spec.ts', test: growing },
  { row: 'F1 R6.3', rule: 'where the user is asked, the text so far is a message', file: recover, find: '  if (kept) add(', replace: '  if (kept && at < 0) add(', spec: resume, test: asks },
  { row: 'F1 R6.3', rule: 'and its turn is over', file: recover, find: "  add({ type: 'turn-end', at, turn: session.turn.id, reason: 'interrupted' })\n", replace: '', spec: resume, test: asks },
  { row: 'F1 R6.3', rule: 'a step that a reload cut is run again', file: serve, find: 'if (goOn && writer.session.turn) turns.resume(writer.session.turn)', replace: '', spec: browser, test: 'F1 R6.3 reload while the model streams: the step is run again, the user message stands once' },
  { row: 'F2 R6.3', rule: 'what may run twice runs again', file: recover, find: '!started || started.repeatable || known.has(call.id)', replace: '!started || known.has(call.id)', spec: resume, test: 'C42 F2 R6.3 a started call that may run twice runs again under the same id; any other is settled as interrupted' },
  { row: 'F2 R6.3', rule: 'what may not is settled', file: recover, find: '!started || started.repeatable || known.has(call.id)', replace: 'true', spec: browser, test: 'F2 R6.3 R6.5 reload while tools run: what may run twice does, the rest is interrupted, the turn goes on and the next message works' },
  { row: 'F2', rule: 'it may have happened', file: 'src/core/failure-text.ts', find: "const advice = repeatable ? '' :", replace: "const advice = true ? '' :", spec: resume, test: 'C42 F2 R6.3 a started call that may run twice runs again under the same id; any other is settled as interrupted' },
  { row: 'R6.3', rule: 'the turn goes on by itself', file: serve, find: 'if (goOn && writer.session.turn) turns.resume(writer.session.turn)', replace: '', spec: resume, test: matrix },
  { row: 'R6.3', rule: 'a question is asked again', file: recover, find: '!started || started.repeatable || known.has(call.id)', replace: 'started?.repeatable || known.has(call.id)', spec: resume, test: 'C101 R6.3 R7.3 an answer to a restored question counts, even before the page has its tools back' },
  { row: 'R6.3', rule: 'what an agent inside was doing ends', file: recover, find: ' && path.length === 0', replace: '', spec, test: 'R6.3 what an agent inside a call was doing ends with its page, and is not begun again' },
  { row: 'F5 R6.3', rule: 'a page that is left keeps what its tools gave', file: agent, find: 'if (this.#session && this.#answers) keepOutcomes(', replace: 'if (this.#session && persisted === null) keepOutcomes(', spec, test: 'F5 R6.3 a page that is left keeps what its tools gave and nobody could store' },
  { row: 'F5 R6.3', rule: 'the next page hands it over', file: agent, find: '...(id === undefined ? [] : takeOutcomes(id))', replace: '', spec: resume, test: kept },
  { row: 'F5', rule: 'once', file: 'src/page/tab.ts', find: "  const text = read(key)\n  write(key, undefined)\n", replace: '  const text = read(key)\n', spec, test: 'F5 an outcome that a page kept is handed over once' },
  { row: 'F78 R6.3', rule: 'a question is there after a reload', file: recover, find: '!started || started.repeatable || known.has(call.id)', replace: 'started?.repeatable || known.has(call.id)', spec: browser, test: 'F78 R6.3 a question is asked again after a reload, and its answer runs the call once' },

  // How far it goes on by itself.
  freshness('in its own tab', 'return turn.tab === tab && ', 'return '),
  freshness('while fresh', ' && now - turn.lastAt < freshFor', ''),
  freshness('three times', ' && turn.resumes < maxResumes', ''),
  freshness('where the page author wants it', " || resume !== 'auto'", ''),
  freshness('never one that is stepped through', " || turn.mode === 'manual'", ''),
  { row: 'R6.4', rule: 'each time counts', file: turns, find: 'resumes: turn.resumes + 1', replace: 'resumes: turn.resumes', spec, test: nowhere },
  { row: 'R6.4', rule: 'a step that ended starts the count anew', file: reduce, find: 'resumes: 0, offered', replace: 'offered', spec, test: 'R6.4 a step that came to its end lets its turn be taken up three times more' },
  { row: 'R6.4', rule: 'its tools are waited for', file: 'src/page/readiness.ts', find: 'if (names.every((name) => registry.get(name) !== undefined)) done()', replace: 'done()', spec: resume, test: late },
  { row: 'R6.4', rule: 'its document, too', file: 'src/page/readiness.ts', find: "pristine(document).readyState === 'complete'", replace: "pristine(document).readyState !== 'loading'", spec, test: ready },
  { row: 'R6.4', rule: 'not for ever', file: 'src/page/readiness.ts', find: 'AbortSignal.any([signal, AbortSignal.timeout(Math.min(limit, 2 ** 31 - 1))])', replace: 'signal', spec, test: ready },
  { row: 'R6.4', rule: 'a stop ends the wait', file: 'src/page/readiness.ts', find: '  if (signal.aborted) return resolve()\n', replace: '', spec, test: ready },
  { row: 'R6.4', rule: 'as long as resumeWait says', file: 'src/page/answers.ts', find: 'limits?.resumeWait ?? 5_000', replace: '3_600_000', spec: resume, test: late },
  { row: 'R6.4', rule: 'a tool that does not come back is unavailable', file: 'src/core/screen.ts', find: '    if (names?.includes(call.name)) return { refused: gone(call.name) }\n', replace: '', spec: resume, test: late },
  { row: 'R6.4', rule: 'time counts over all pages', file: turns, find: 'this.#spent = turn.spent', replace: 'this.#spent = 0', spec, test: 'R6.4 limits count over all pages of a turn: time' },
  { row: 'R6.4', rule: 'so do steps', file: turns, find: 'const resumed = { ...turn, tab:', replace: 'const { start, messages } = this.#host.writer.session\n    const resumed = { ...turn, counted: start + messages.length, tab:', spec, test: 'R6.4 limits count over all pages of a turn: steps' },
  { row: 'F15', rule: 'the next host knows what the page runs', file: agent, find: 'running, outcomes: [...outcomes', replace: 'running: [], outcomes: [...outcomes', spec, test: 'F15 a tool that outlives its host is waited for by the next, and what it gives is taken' },
  { row: 'F15', rule: 'a turn that was begun is not sent again', file: 'src/page/pending-turns.ts', find: 'one.isStarted ||= known.has(turn)', replace: 'one.isStarted ||= false', spec, test: 'F15 a turn that a host had begun when it died, and had not told of, is not sent twice' },

  // Pages and elements.
  { row: 'F6 R6.7', rule: 'an element may be out for a moment', file: bond, find: 'const graceTime = 1000', replace: 'const graceTime = 0', spec: life, test: 'F6 R6.7 an element that a framework moves about goes on with its turn, its agent and its worker' },
  { row: 'F6 R6.7', rule: 'back in time, nothing happens', file: bond, find: '    clearTimeout(this.#closing)\n', replace: '', spec: element, test: moved },
  { row: 'F6 R6.7', rule: 'out for longer it closes its agent', file: bond, find: '      if (this.#isOwn) this.#release()\n      else', replace: '      if (!this.#isOwn)', spec: element, test: moved },
  { row: 'R6.7', rule: 'tools are aborted', file: agent, find: "    this.#answers?.abortAll('The agent was closed')\n", replace: '', spec: life, test: out },
  { row: 'R6.7', rule: 'the turn is left resumable', file: serve, find: "    await leave('closed')\n", replace: "    await leave('stopped')\n", spec: 'test/node/host.spec.ts', test: 'R6.7 closing in mid-turn settles nothing: the turn is left for the next page' },
  { row: 'R6.7', rule: 'the lock is freed', file: serve, find: '    leaving.release()\n', replace: '', spec: tabs, test: 'R6.7 an agent that is closed lets its session go at once, in mid-turn too' },
  { row: 'R6.7', rule: 'an agent that was given stays', file: bond, edits: [{ find: '      if (this.#isOwn) this.#release()\n      else this.#fallSilent()', replace: '      this.#release()' }, { find: '    if (this.#isOwn) void agent.close()', replace: '    void agent.close()' }], spec: element, test: 'R6.7 an agent that was given stays open when the element goes, and works without one' },
  { row: 'R6.7', rule: 'its tools are aborted when the page is left', file: agent, find: "    this.#answers?.abortAll('The page was left')\n", replace: '', spec: life, test: 'R6.7 pagehide aborts the signals of running tools and settles nothing' },
  { row: 'F7', rule: 'a page that comes out of the cache has a host again', file: agent, find: "this.#answers?.abortAll('The page was left')", replace: 'this.close()', spec: life, test: 'F7 a page that comes back out of the cache is alive, and so is its worker' },
  { row: 'F8 C126', rule: 'with a stream in flight, too', file: agent, find: "this.#answers?.abortAll('The page was left')", replace: 'this.close()', spec: life, test: 'F8 C126 a page that went into the cache while the model streamed ends its turn when it is back, and the next message works' },
  { row: 'F9 C126', rule: 'what another tab finds is shown as interrupted', file: recover, find: "  add({ type: 'turn-end', at, turn: session.turn.id, reason: 'interrupted' })\n", replace: '', spec: life, test: 'F9 C126 another tab gets the session of a page in the cache at once, with a history that can be sent' },
  { row: 'F12', rule: 'no frame is waited for', file: 'src/page/answers.ts', find: '    const { registry, providers, options, session, send, page, report } = this.#desk\n', replace: "    if (typeof requestAnimationFrame === 'function') await new Promise((resolve) => requestAnimationFrame(resolve))\n    const { registry, providers, options, session, send, page, report } = this.#desk\n", spec: life, test: 'F12 a page that is hidden and draws no frames finishes a turn with tools, and shows it when it is seen' },
  { row: 'F14', rule: 'a page that is prerendered waits to be seen', file: agent, find: "if ('prerendering' in document && document.prerendering === true) document.addEventListener('prerenderingchange', begin, { once: true })\n  else", replace: '', spec: life, test: 'F14 a page that is prerendered starts no worker and opens no database before it is seen' },

  // Long conversations.
  { row: 'R6.8', rule: 'what fits is left alone', file: fit, find: '(limit !== undefined && tokensOf(request, measured) > limit)', replace: '(tokensOf(request, measured) > (limit ?? 100))', spec: compact, test: 'R6.8 without a limit and without a complaint nothing is left out' },
  { row: 'R6.8', rule: 'old results are left out', file: request, find: 'const left = Math.max(0, sent.flatMap(callsOf).length - keepResults)', replace: 'const left = 0 * keepResults', spec: compact, test: results },
  { row: 'R6.8', rule: 'the last three stay whole', file: 'src/core/loop.ts', find: 'context.keepResults ?? 3', replace: 'context.keepResults ?? 2', spec: compact, test: results },
  { row: 'R6.8', rule: 'a call keeps its result', file: request, find: "  if (result === undefined) return []\n  const whole", replace: '  if (result === undefined || isOld) return []\n  const whole', spec: compact, test: results },
  { row: 'R6.8', rule: 'how many is the page author’s to say', file: 'src/core/loop.ts', find: 'context.keepResults ?? 3', replace: '3', spec: compact, test: 'R6.8 how many stay whole is the page author’s to say' },
  { row: 'R6.8', rule: 'results go before words do', file: fit, find: 'if (isTooLong(build(deps.session(), true))) await compact', replace: 'await compact', spec: compact, test: 'R6.8 where leaving out old results is enough, no note is written' },
  { row: 'R6.8', rule: 'then a note stands for older turns', file: fit, find: 'if (isTooLong(build(deps.session(), true))) await compact(deps, signal, step, build)', replace: '', spec: compact, test: note },
  { row: 'R6.8', rule: 'fenced', file: request, find: '${fence(summary.text, summary.id)}', replace: '${summary.text}', spec: compact, test: note },
  { row: 'R6.8', rule: 'the transcript stays whole', file: reduce, find: 'messages: [...session.messages, note]', replace: "messages: [...session.messages.filter((one) => one.role !== 'user'), note]", spec: compact, test: note },
  { row: 'R6.8', rule: 'the note is made from what the model was told', file: fit, find: 'short(told(result?.modelOutput))', replace: 'short(result?.output)', spec: compact, test: 'R6.8 what the note is written from is what the model was told of each call, never an output that was shown otherwise' },
  { row: 'R6.8', rule: 'its request goes through the page’s hook', file: fit, find: 'const request = await asSent(deps, signal, noteRequest(deps, [...(before ? [before] : []), ...messages]))', replace: 'const request = noteRequest(deps, [...(before ? [before] : []), ...messages])', spec: compact, test: 'R6.8 the request for the note goes through beforeModel like any other' },
  { row: 'R6.8', rule: 'without the model’s words there are the user’s', file: fit, find: 'note ||= [', replace: "note += '' && [", spec: compact, test: 'R6.8 where the model cannot write the note, the user’s own words are one' },
  { row: 'R6.8', rule: 'the endpoint’s count is the measure', file: fit, find: 'if (measured && isPlausible(measured)) return', replace: 'if (measured && measured.tokens < 0) return', spec: compact, test: estimate },
  { row: 'R6.8', rule: 'four characters a token', file: fit, find: '(text.length - wide) / 4', replace: '(text.length - wide) / 3', spec: compact, test: estimate },
  { row: 'R6.8', rule: 'one for Chinese, Japanese and Korean', file: fit, find: 'return wide + Math.ceil(', replace: 'return Math.ceil(wide / 4) + Math.ceil(', spec: compact, test: estimate },
  { row: 'F54 R6.8', rule: 'too long compacts', file: 'src/core/loop.ts', find: '  await compact(deps, signal, number, build)\n  return ask', replace: '  return ask', spec: compact, test: 'R6.8 F54 the endpoint’s "too long" compacts once and asks once more; a second complaint ends the turn' },
  { row: 'F54 R6.8', rule: 'and the call is made once more', file: 'src/core/loop.ts', find: '  return ask(build(deps.session(), true))', replace: '  return outcome', spec: compact, test: 'R6.8 F54 the endpoint’s "too long" compacts once and asks once more; a second complaint ends the turn' },
  { row: 'R6.8', rule: 'silent truncation compacts', file: fit, find: 'isTruncated || ', replace: '', spec: compact, test: 'R6.8 C127 an endpoint that counts the same for a longer request cuts it in silence, and the next one is compacted' },
  { row: 'R6.8', rule: 'only where the request grew', file: reduce, find: ' && chars > before.chars * 1.05', replace: '', spec: compact, test: 'R6.8 the same count for a request that did not grow is no cut' },
  { row: 'R6.8', rule: 'a note before the window is sent', file: 'src/core/session.ts', find: "=> message.role === 'summary') ?? note", replace: "=> message.role === 'summary')", spec: compact, test: behindNote },
  { row: 'R6.8', rule: 'what a session opened without is told', file: 'src/host/session-writer.ts', find: 'if (from >= start) return', replace: 'if (start > 0) return', spec: compact, test: 'R6.8 after a reload the model is still told all that was said, and the page opens with the newest' },
  { row: 'R6.8', rule: 'no more than stands behind the note', file: 'src/host/session-writer.ts', find: 'Math.min(newestNote(this.session)?.upTo ?? 0, first)', replace: '0', spec: compact, test: behindNote },
  { row: 'R6.8', rule: 'a reason stands at words, not at a note', file: reduce, find: "session.messages.findLastIndex((message) => message.role !== 'summary')", replace: 'session.messages.length - 1', spec: compact, test: 'R6.8 a stop right behind a note is told at the last message that anybody wrote' },
  { row: 'R6.8', rule: 'a turn goes on behind a note', file: 'src/core/loop.ts', find: "session.messages.findLastIndex((message) => message.role !== 'summary')", replace: 'session.messages.length - 1', spec: compact, test: 'R6.8 a page that is left behind a note goes on where it was: with the one call for the todo list' },
]
