// The rules of the todo list with its reminder, and of the tool context.
const todos = 'test/node/core/prompt/todos.spec.ts'
const context = 'test/node/page/tools/tool-context.spec.ts'
const list = 'src/core/data/todo.ts'
const reminder = 'src/core/prompt/reminder.ts'
const loop = 'src/core/turn/turn-loop.ts'
const checks = 'src/page/tool-context.ts'
const layers = 'src/page/context-layers.ts'

const whole = 'R4.1 a list is taken whole or left as it was, with one message that says why'
const left = 'R4.1 a write that is refused leaves the list as it was and tells the model why'
const read = 'R4.1 the list is part of the session, told as an event, and read back'
const three = 'C45 R4.2 after three rounds without a write the reminder stands first in the newest first result, then again after three'
const others = 'R4.2 without an open item, without todos, or with another threshold the reminder follows'
const before = 'R4.2 the reminder stands in the first result alone, before the fence of an outside text'
const failed = 'R4.2 a write that fails does not count, one that succeeds as a second call does'
const extra = 'R4.3 an answer while an item is in progress costs one extra call that offers todo_write alone, and its text is dropped'
const oneContext = 'R3.1 R3.6 defaults, session and send make one context, later wins, and no value of it is in any byte of any request'
const outlive = 'R3.1 the context of a new session and the one of a send outlive a reload, and the send’s ends with its turn'
const misfit = 'R3.5 a context schema passes only its keys, and a misfit names keys without values'
const refused = 'R3.3 what JSON cannot hold is refused where it is remembered or given to a session, by key'

export default [
  // Tool context
  { row: 'R3.1', rule: 'a send wins over the defaults', file: 'src/core/data/session.ts', find: '{ ...session.context, ...session.turn?.options.toolContext }', replace: '{ ...session.context }', spec: context, test: oneContext },
  { row: 'R3.1', rule: 'a send wins over the session', file: 'src/core/data/session.ts', find: '{ ...session.context, ...session.turn?.options.toolContext }', replace: '{ ...session.turn?.options.toolContext, ...session.context }', spec: context, test: outlive },
  { row: 'R3.1', rule: 'the session wins over the defaults', file: layers, find: 'Object.assign({}, ...layers)', replace: 'Object.assign({}, ...layers.toReversed())', spec: context, test: oneContext },
  { row: 'R3.1', rule: 'sessions.create gives a context', file: 'src/host/serve.ts', find: 'emptySession(sessionId, scope, now(), message.toolContext)', replace: 'emptySession(sessionId, scope, now())', spec: context, test: outlive },
  { row: 'R3.1', rule: 'it is stored at once', file: 'src/host/serve.ts', find: 'if (context.length > 0)', replace: 'if (context.length < 0)', spec: context, test: 'R3.1 the context that a session is begun with is stored before its first message; a session without one is not' },
  { row: 'R3.1', rule: 'the send’s ends with its turn', file: 'src/core/state/reduce.ts', find: 'const { toolContext: _context, toolChoice', replace: 'const { toolChoice', spec: context, test: outlive },
  {
    row: 'R3.2', rule: 'defaults stay on the page', file: 'src/page/agent.ts', find: "const sent = toolContext === undefined ? {} :", replace: "const sent = toolContext === undefined ? { toolContext: this.#options.toolContext } as object : this.#options.toolContext ? { toolContext: { ...this.#options.toolContext, ...toolContext } } :", spec: context,
    test: 'R3.2 the defaults never leave the page: no message to the host and no record holds them',
  },
  {
    row: 'R3.3', rule: 'copied when a tool starts', file: checks, find: 'JSON.parse(JSON.stringify(value, refuse))', replace: '(JSON.stringify(value, refuse), value)', spec: context,
    test: 'R3.3 the context is copied when a tool starts: a proxy of a store works, and each call sees what stands there then',
  },
  { row: 'R3.3', rule: 'what JSON cannot hold throws', file: checks, find: 'JSON.stringify(value, refuse)', replace: 'JSON.stringify(value)', spec: context, test: 'R3.3 a context that JSON cannot hold throws where it is set and names the key' },
  { row: 'R3.3', rule: 'also where a tool remembers it', file: checks, find: "value: copyContext({ [key]: value }, 'remember')[key] ?? null", replace: 'value', spec: context, test: refused },
  { row: 'R3.3', rule: 'also where a session is given it', file: 'src/page/sessions.ts', find: "copyContext(options.toolContext, 'sessions.create: toolContext')", replace: 'options.toolContext', spec: context, test: refused },
  { row: 'R3.4', rule: 'tools get a frozen copy', file: layers, find: '    Object.freeze(value)\n', replace: '', spec: context, test: 'R3.4 tools get a frozen copy; the author keeps the object' },
  { row: 'R3.4', rule: 'frozen at every level', file: layers, find: 'for (const inner of Object.values(value)) freeze(inner)', replace: '', spec: context, test: 'R3.4 every level of what a tool gets is frozen, and nothing of the author’s is' },
  { row: 'R3.5', rule: 'only the keys of the schema are passed', file: layers, find: 'filter(([key]) => names.has(key))', replace: 'filter(([key]) => names.has(key) || key)', spec: context, test: misfit },
  { row: 'R3.5', rule: 'a misfit is invalid-context', file: layers, find: "if ('issues' in checked) {", replace: 'if (false) {', spec: context, test: misfit },
  { row: 'R3.5', rule: 'no values in its words', file: layers, find: 'Wrong or missing: ${keys.join', replace: 'Wrong or missing: ${JSON.stringify(visible)} ${keys.join', spec: context, test: misfit },
  {
    row: 'R3.6', rule: 'no value of it in a request', file: 'src/core/prompt/request.ts', find: '    instructions,\n    turn?.options', replace: '    instructions,\n    JSON.stringify(session.context),\n    turn?.options', spec: context, test: oneContext,
  },

  // The list
  { row: 'R4.1', rule: 'twenty at most', file: list, find: 'items.length > maxTodos', replace: 'false', spec: todos, test: whole },
  { row: 'R4.1', rule: 'an item has text', file: list, find: "if (text === '') return", replace: 'if (false) return', spec: todos, test: whole },
  { row: 'R4.1', rule: 'a status is one of three', file: list, find: 'if (!isStatus(status)) return', replace: 'if (false) return', spec: todos, test: left },
  { row: 'R4.1', rule: 'an id is used once', file: list, find: 'if (ids.has(id)) return', replace: 'if (false) return', spec: todos, test: whole },
  { row: 'R4.1', rule: 'one item in progress', file: list, find: 'if (active > 1) return', replace: 'if (false) return', spec: todos, test: whole },
  { row: 'R4.1', rule: 'status in any case', file: list, find: '.trim().toLowerCase()', replace: '.trim()', spec: todos, test: whole },
  { row: 'R4.1', rule: 'an id defaults to the place', file: list, find: '|| String(place)', replace: "|| 'none'", spec: todos, test: whole },
  { row: 'R4.1', rule: 'null clears', file: list, find: 'items === null', replace: 'items === undefined', spec: todos, test: read },
  { row: 'R4.1', rule: 'a line per item and the count', file: list, find: '(${done}/${todos.length} completed)', replace: '(${todos.length})', spec: todos, test: 'R4.1 a list reads as a line per item and a count' },
  { row: 'R4.1', rule: 'two writes in one step are both refused', file: 'src/core/turn/builtin-tools.ts', find: "'todo_write').length > 1", replace: "'todo_write').length > 9", spec: todos, test: 'R4.1 two writes in one step are both refused and the list stays' },

  // The reminder
  { row: 'R4.2', rule: 'after three rounds', file: 'src/core/data/tool.ts', find: 'afterRounds: 3', replace: 'afterRounds: 2', spec: todos, test: three },
  { row: 'R4.2', rule: 'every third round, not each', file: reminder, find: 'rounds % rule.afterRounds === 0', replace: 'true', spec: todos, test: three },
  { row: 'R4.2', rule: 'the whole list stands behind it', file: reminder, find: '`${rule.text}\\n${renderTodos(todos)}`', replace: 'rule.text', spec: todos, test: three },
  { row: 'R4.2', rule: 'in the first result', file: 'src/core/prompt/request.ts', find: "index === 0 ? reminder : ''", replace: 'reminder', spec: todos, test: before },
  { row: 'R4.2', rule: 'while an item is not completed', file: reminder, find: "todos.every((todo) => todo.status === 'completed')", replace: 'todos.length === 0', spec: todos, test: others },
  { row: 'R4.2', rule: 'a failed write does not count', file: reminder, find: 'part.result?.error === undefined && part.result', replace: 'part.result', spec: todos, test: failed },
  {
    row: 'R4.2', rule: 'a new message is not reminded', file: reminder, spec: todos,
    edits: [
      { find: 'if (callsOf(messages.at(-1)).length === 0) return false', replace: '' },
      { file: 'src/core/prompt/request.ts', find: "reminderText(reminder, session.todos) : '', settings", replace: "(session.messages.at(-1)?.role === 'user' ? (nudged = reminderText(reminder, session.todos), '') : reminderText(reminder, session.todos)) : '', settings" },
      { file: 'src/core/prompt/request.ts', find: '  if (settings.nudge && reminder !== false) messages', replace: '  if (nudged) messages.push(userText(nudged))\n  if (settings.nudge && reminder !== false) messages' },
      { file: 'src/core/prompt/request.ts', find: '  const { reminder } = settings\n', replace: "  const { reminder } = settings\n  let nudged = ''\n" },
    ],
    test: 'R4.2 rounds are counted off the history: over turns and over a reload, and a new message is not reminded',
  },
  { row: 'R4.2', rule: 'only where todo_write is on offer', file: 'src/core/prompt/request.ts', find: "tools.some((tool) => tool.name === 'todo_write')", replace: 'true', spec: todos, test: 'R4.2 without todo_write on offer there is no reminder' },
  {
    row: 'R4.2', rule: 'before any fence', file: 'src/core/prompt/request.ts', find: 'reminder ? `${reminder}\\n${output}`', replace: 'reminder ? `${output}\\n${reminder}`', spec: todos,
    test: before,
  },
  { row: 'R4.3', rule: 'one extra call', file: loop, find: 'if (isAnswer && !isNudgeDue(deps, session))', replace: 'if (isAnswer)', spec: todos, test: extra },
  { row: 'R4.3', rule: 'it offers todo_write alone', file: loop, find: 'if (isAnswer) offered = new Map', replace: 'if (false) offered = new Map', spec: todos, test: extra },
  { row: 'R4.3', rule: 'its request ends with the reminder', file: 'src/core/prompt/request.ts', find: 'if (settings.nudge && reminder !== false)', replace: 'if (false)', spec: todos, test: extra },
  { row: 'R4.3', rule: 'its text is dropped', file: loop, find: 'await keep({ ...message, parts })', replace: 'await keep(message)', spec: todos, test: extra },
  { row: 'R4.3', rule: 'once a turn', file: loop, find: "if (progress.nudged) return { reason: 'stop' }", replace: '', spec: todos, test: 'R4.3 one extra call, also where its write leaves an item in progress' },
  { row: 'R4.3', rule: 'only where the turn ran a tool', file: loop, find: '(part.result?.attempts ?? 0) > 0', replace: 'part.result !== undefined', spec: todos, test: 'R4.3 in a turn that ran no tool, or whose only call was refused, there is no extra call' },
  {
    row: 'R4.3', rule: 'none after a limit', file: loop, find: 'if (!isAnswer && progress.steps >= deps.config().limits.steps)', replace: 'if (!isAnswer && progress.steps > deps.config().limits.steps)', spec: todos,
    test: 'R4.3 there is none after stop and none after a limit',
  },
  { row: 'R4.3', rule: 'none after a direct return', file: loop, find: "isDirect ? { reason: 'direct' }", replace: "isDirect && deps.session().todos.length === 0 ? { reason: 'direct' }", spec: todos, test: 'R4.3 the extra call is made once a turn, and not after a direct return' },
]
