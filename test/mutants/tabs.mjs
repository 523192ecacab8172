// The rules of several tabs: one drives and the others watch, who acts drives, and nobody writes without the session.
const serve = 'src/host/serve.ts'
const mirror = 'src/host/mirror.ts'
const channel = 'src/host/session-channel.ts'
const lock = 'src/host/session-lock.ts'
const tab = 'src/page/tab.ts'

const spec = 'test/node/tabs.spec.ts'
const tabs = 'test/browser/tabs.spec.ts'
const life = 'test/browser/page-life.spec.ts'

const live = 'F21 C120 R6.6 a second tab shows the session word by word, and its stop reaches the driver'
const sends = 'F21 R6.6 who sends in a second tab drives there: the turn of the first ends as interrupted, its tools are aborted, and it watches from then on'
const crashed = 'F22 R6.6 with no driver left a mirror offers to go on, and drives nothing by itself'
const hangs = 'F23 R6.6 a driver that does not let go has its lock taken, its send comes to its end, and it watches'
const approved = 'R6.6 a question that is answered in a second tab is answered there, and its turn goes on'
const foreign = 'R6.6 what another script posts is looked at before it is shown, and never written'
const missed = 'R6.6 a mirror that missed an event is told everything anew, and shows none twice'
const deleted = 'F25 R6.6 a session that is deleted elsewhere is left by the tab that drives it and by the one that watches'

export default [
  { row: 'C120 R6.6', rule: 'one tab drives a session', file: serve, find: 'if (release === undefined) return watch(store, sessionId)\n    ', replace: 'const drive = (given: Open, from: Store, name: string, letGo: (() => void) | undefined) => begin(given, from, name, letGo ?? (() => undefined), undefined)\n    ', spec, test: live },
  { row: 'F21 C120 R6.6', rule: 'the driver tells its events', file: serve, find: "      channel.post({ type: 'event', epoch: writer.session.epoch, seq, path, event })\n", replace: '', spec, test: live },
  { row: 'F21 R6.6', rule: 'who comes is shown all there is', file: serve, find: "if (message.type === 'hello') channel.post(", replace: "if (message.type === 'hello') void (", spec, test: live },
  { row: 'F21 R6.6', rule: 'a mirror can stop the turn', file: mirror, find: "    this.#channel.post({ type: 'stop' })\n", replace: '', spec, test: live },
  { row: 'R6.6', rule: 'and the driver hears it', file: serve, find: "else if (message.type === 'stop') void turns.stop()\n", replace: '\n', spec, test: live },
  { row: 'F21 R6.6', rule: 'who acts asks the driver to let go', file: serve, find: '    watched.ask(callId)\n', replace: '', spec, test: sends },
  { row: 'F21 R6.6', rule: 'sending is acting', file: serve, find: 'return act(({ turns }) => turns.send(message), message.turn)', replace: 'return whenOpen(({ turns }) => turns.send(message), message.turn)', spec, test: sends },
  { row: 'F21 R6.6', rule: 'the turn of the first ends as interrupted', file: serve, find: "lost.turns.stop(keep ? 'closed' : 'interrupted')", replace: "lost.turns.stop('closed')", spec, test: sends },
  { row: 'R6.6', rule: 'a turn that waits for its user is gone on with', file: serve, find: "lost.turns.stop(keep ? 'closed' : 'interrupted')", replace: "lost.turns.stop('interrupted')", spec, test: approved },
  { row: 'R6.6', rule: 'deciding is acting', file: serve, find: 'return act(({ turns }) => turns.decide(message), undefined, message.callId)', replace: 'return whenOpen(({ turns }) => turns.decide(message))', spec, test: approved },
  { row: 'R6.6', rule: 'what is decided on goes on', file: serve, find: 'return act(({ turns }) => turns.decide(message), undefined, message.callId)', replace: 'return act(({ turns }) => turns.decide(message))', spec, test: approved },
  { row: 'R6.6', rule: 'taking over is acting', file: serve, find: "else if (message.do === 'take-over') act(() => undefined)", replace: "else if (message.do === 'take-over') whenOpen(() => undefined)", spec, test: 'R6.6 takeOver() makes a tab the one that drives, without a message' },
  { row: 'F22 R6.6', rule: 'going on is acting', file: serve, find: "else if (message.do === 'continue') act(", replace: "else if (message.do === 'continue') whenOpen(", spec, test: crashed },
  { row: 'F22 R6.6', rule: 'a driver that is gone is noticed', file: mirror, find: 'void this.#watch().catch(() => undefined)', replace: 'void 0', spec, test: crashed },
  { row: 'F22 R6.6', rule: 'its turn is shown as interrupted', file: mirror, find: "session.turn ? { ...session, status: 'interrupted' } : session", replace: 'session', spec, test: crashed },
  { row: 'R6.6', rule: 'not while its page loads again', file: lock, find: 'if (![...held, ...pending].some((lock) => lock.name === name && lock.mode === \'exclusive\')) return', replace: 'if (held.length + pending.length >= 0) return', spec, test: 'R6.6 a driver whose page is loaded again drives on, and its mirror never offers to go on' },
  { row: 'R6.6', rule: 'a page that loads again is waited for', file: lock, find: "await wait(reloadTime, signal)", replace: 'void reloadTime', spec, test: 'R6.6 a driver whose page is loaded again drives on, and its mirror never offers to go on' },
  { row: 'F23 R6.6', rule: 'who does not let go has the lock taken', file: lock, find: '{ steal: true }', replace: '{}', spec, test: hangs },
  { row: 'F23 R6.6', rule: 'and watches from then on', file: lock, find: 'claim.onLost?.()', replace: 'void claim.onLost', spec, test: hangs },
  { row: 'F23 R6.6', rule: 'a send of his comes to its end', file: 'src/page/agent.ts', find: 'this.#pending.resolveStarted((turn)', replace: 'void ((turn)', spec, test: hangs },
  { row: 'R6.6', rule: 'a lock of the same tab is stolen when its holder does not answer', file: lock, find: 'if (release || !locks || !(await silence)) return release', replace: 'if (release || silence || !silence) return release', spec, test: 'R6.6 a page of the same tab steals the lock of a driver that does not answer' },
  { row: 'R6.6', rule: 'not when it answers', file: lock, find: "if (type === 'snapshot' || type === 'event') end(false)", replace: "if (type === 'deleted') end(false)", spec, test: 'R6.6 a page of the same tab leaves the lock to a driver that answers' },
  { row: 'R6.6', rule: 'not in another tab', file: lock, find: 'inTab.includes(holder)', replace: 'inTab !== undefined', spec, test: hangs },
  { row: 'R6.6', rule: 'what is posted is looked at', file: channel, find: 'if (isMessage(data, id)) hear(data)', replace: 'hear(data as ChannelMessage)', spec, test: foreign },
  { row: 'R6.6', rule: 'down to the event', file: channel, find: " && isShownEvent(data['event'])", replace: '', spec, test: foreign },
  { row: 'R6.6', rule: 'and the session', file: channel, find: "isShownSession(data['session'], id) && ", replace: '', spec, test: foreign },
  { row: 'R6.6', rule: 'a gap is noticed', file: mirror, find: ' || message.seq > this.#seq + 1', replace: '', spec, test: missed },
  { row: 'R6.6', rule: 'another driver is noticed', file: mirror, find: 'message.epoch !== this.#epoch || ', replace: '', spec, test: missed },
  { row: 'R6.6', rule: 'nothing is shown twice', file: mirror, find: '      if (message.seq <= this.#seq) return\n', replace: '', spec, test: missed },
  { row: 'F25 R6.6', rule: 'a deletion is told', file: 'src/host/requests.ts', find: '(channels, id', replace: "(channels, ''", spec, test: deleted },
  { row: 'F25 R6.6', rule: 'the driver hears it', file: serve, find: "else if (message.type === 'deleted') opening = ", replace: "else if (message.type === undefined) opening = ", spec, test: deleted },
  { row: 'F25 R6.6', rule: 'so does the mirror', file: mirror, find: '      this.#desk.deleted()\n', replace: '', spec, test: deleted },
  { row: 'S23 R6.6', rule: 'the store knows whether it was deleted', file: serve, find: '(found) => found === undefined, () => false', replace: '() => true, () => false', spec, test: 'S23 R6.6 a session that another script says was deleted goes on where it is stored still, in mid-turn and for who watches' },
  { row: 'F25', rule: 'in a real browser, too', file: 'src/host/requests.ts', find: '(channels, id', replace: "(channels, ''", spec: tabs, test: 'F25 a session deleted in another tab says so, is no longer busy and is not written again' },

  // Tabs that are duplicated.
  { row: 'F26 R6.2', rule: 'of two living tabs one keeps the id', file: tab, find: 'known !== undefined && await holdTab(known)', replace: 'known !== undefined', spec: life, test: 'F26 R6.2 a tab that is duplicated shows the same session under an id of its own, and does not take its turn for its own' },
  { row: 'F26', rule: 'the tab that was there keeps it over a reload', file: tab, find: 'if (known !== undefined && await holdTab(known)) return known', replace: 'void known', spec: life, test: 'F26 the tab that was there first keeps its id over reloads, and goes on with its turn by itself' },
  { row: 'F26 R6.2', rule: 'who takes over says what becomes of the turn, whatever the tab is called', file: serve, find: 'keep ?? resumesByItself(', replace: 'keep || resumesByItself(', spec, test: 'F26 R6.2 a tab of the same id that takes over by a message does not set the old turn going again' },

  // Several in one page.
  { row: 'F13 R6.2', rule: 'each agent of a page has a place of its own', file: tab, find: 'taken.add(at)', replace: 'void at', spec: 'test/node/sessions.spec.ts', test: 'R6.2 F13 agents of one page find the sessions that they had open before, in the order in which they begin' },
  { row: 'F13', rule: 'a script that is there twice is one tab', file: tab, find: "Symbol.for('tool-agent:tab')", replace: "Symbol('tool-agent:tab')", spec: life, test: 'F13 a script that is there twice defines its element once, and an agent of the second copy watches the session of the first' },
  { row: 'F13', rule: 'the element is defined once', file: 'src/define.ts', find: "typeof customElements !== 'undefined' && customElements.get('tool-agent') === undefined", replace: "typeof customElements !== 'undefined'", spec: 'test/browser/element.spec.ts', test: 'F13 loading the script twice is no error' },
]
