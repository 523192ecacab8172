// The rules of one call: in which order it is looked at, how it runs, what is said of it.
const line = 'test/node/core/turn/call-order.spec.ts'
const loop = 'test/node/core/turn/turn-loop.spec.ts'
const results = 'test/node/core/prompt/result-text.spec.ts'
const text = 'src/core/prompt/result-text.ts'
const calls = 'src/core/turn/tool-calls.ts'
const screen = 'src/core/turn/call-guards.ts'
const run = 'src/page/tools/execute-tool.ts'
const page = 'src/page/answers/answers.ts'

const order = 'R2.0 a call goes through every station once, in one order'
const firstFailure = 'R2.0 the first failure is the result and ends the line: nothing behind it is asked'
const rawKept = 'R2.2 the raw text of bad arguments is kept, and what the model is sent of them is an empty object'
const hang = 'R2.5 R2.6 a tool that hangs is timed out, and only one that may run twice is tried again'
const thrice = 'R2.6 what may run twice is tried three times more after a time-out, half a second apart'
const stopped = 'R2.6 a call that was stopped says that it may still have happened, one of a tool that may run twice does not'
const everyText = 'C56 R2.8 every result has a text: of nothing, of an empty text, of an empty list, of null'
const capFence = 'R2.8 a result is capped first, then fenced, then warned about, and stored as it was sent'
const fenced = 'R2.8 text from outside stands in a fence that it cannot close, the same in every later request'
const layers = 'R2.9 what a tool remembers wins over the send layer of the same turn, and a failed call remembers nothing'
const lastValue = 'R2.9 the last value of an async iterable is the result, the others are progress, and so is what a tool reports'
const limits = 'R2.11 so are calls beyond the limit of one step, of one tool, and arguments that are too long'
const fifth = 'R2.12 the third and fourth identical call run with a warning, the fifth does not and ends the turn'
const anew = 'R2.12 another call in between begins the count anew; order of keys does not make another call'

export default [
  // Order
  {
    row: 'R2.0', rule: 'validation and the hook come before the event', file: page, spec: line, test: order,
    find: 'let checked = await offered.entry.schema.validate(call.input)', replace: 'isAllowed({ id: callId, name: call.name, input: call.input }, call.input)\n    let checked = await offered.entry.schema.validate(call.input)',
  },
  {
    row: 'R2.0', rule: 'afterTool comes behind outputSchema and toModelOutput', file: page, spec: line, test: order,
    find: 'await checkOutput(entry, toJson(done.output).json)', replace: 'await this.#desk.options().hooks?.afterTool?.(call, toJson(done.output).json)\n      await checkOutput(entry, toJson(done.output).json)',
  },
  {
    row: 'C58 R2.0', rule: 'a start is stored before the function runs', file: calls, spec: loop, test: 'C58 R2.0 a step is stored before any of its calls runs, and a start before its execution',
    edits: [
      { find: "  await deps.emit(defined({\n    type: 'tool-start'", replace: "  const early = execute(round, part, spec, input, notes, approval)\n  await deps.emit(defined({\n    type: 'tool-start'" },
      { find: '  await execute(round, part, spec, input, notes, approval)\n}', replace: '  await early\n}' },
    ],
  },
  { row: 'R2.0', rule: 'a hook that refuses ends the line', file: page, find: "if (said && 'refuse' in said) return ", replace: "if (said && 'refuse' in said) void ", spec: line, test: firstFailure },
  { row: 'R2.0', rule: 'an event that refuses ends the line', file: page, find: 'if (!isAllowed({', replace: 'if (isAllowed === undefined || void isAllowed({', spec: line, test: firstFailure },
  { row: 'R2.0', rule: 'a name is looked up before its arguments are parsed', file: screen, find: 'if (!offered.has(call.name)) {', replace: 'if (!offered.has(call.name) && call.raw === undefined) {', spec: line, test: firstFailure },
  {
    row: 'R2.0', rule: 'bad JSON is told before a limit', file: screen, find: 'if (call.raw !== undefined) {', replace: 'if (call.raw !== undefined && calls.indexOf(part) === 0) {', spec: line,
    test: 'R2.0 a limit speaks before the arguments are looked at, bad JSON before a limit',
  },
  {
    row: 'R2.0', rule: 'an input that a hook changed is validated again', file: page, find: 'checked = await offered.entry.schema.validate(said.input)', replace: 'checked = { value: said.input, json: said.input }', spec: line,
    test: 'R2.0 an input that a hook changed is validated again',
  },
  {
    row: 'R2.0', rule: 'tools of the host skip the page', file: calls, find: 'else if (!screened.problem &&', replace: 'else if (false &&', spec: line,
    test: 'R2.0 tools of the host skip the page: no hook, no event, no question, and still limits and the loop guard',
  },

  // Arguments
  { row: 'R2.1', rule: 'keys that reach a prototype are refused', file: 'src/page/schema/compile.ts', find: 'if (forbidden !== undefined) return', replace: 'if (false) return', spec: line, test: 'R2.1 keys that reach a prototype are refused, wherever they stand' },
  {
    row: 'R2.1', rule: 'only a finish that means it makes calls real', file: 'src/core/turn/model-step.ts', find: "finish === 'stop' || finish === 'tool-calls'", replace: "finish !== 'cut'", spec: line,
    test: 'R2.1 a filtered answer acts on nothing: its calls are dropped, the turn ends as content-filter',
  },
  {
    row: 'R2.1', rule: 'an answer cut at its length ends the turn', file: 'src/core/turn/turn-loop.ts', find: "finish === 'length' || finish", replace: 'finish', spec: loop,
    test: 'R2.1 an answer cut at its length keeps the text, drops the calls and runs nothing',
  },
  { row: 'R2.1', rule: 'no arguments are an empty object', file: 'src/core/turn/parse-tool-calls.ts', find: "if (text.trim() === '' || text.trim() === 'null') return", replace: 'if (false) return', spec: loop, test: 'R2.1 empty and missing arguments are an empty object' },
  {
    row: 'R2.2', rule: 'three in a row are answered', file: 'src/core/turn/turn-loop.ts', find: 'formatErrors > deps.config()', replace: 'formatErrors >= deps.config()', spec: loop,
    test: 'C60 R2.2 bad JSON is answered with the rules three times in a row and ends the turn the fourth time',
  },
  { row: 'R2.2', rule: 'a sound step resets the count', file: 'src/core/turn/turn-counters.ts', find: 'formatErrors + 1 : 0', replace: 'formatErrors + 1 : formatErrors', spec: loop, test: 'R2.2 a step whose arguments parse resets the count of format errors' },
  {
    row: 'R2.2', rule: 'one error a step', file: 'src/core/turn/turn-counters.ts', find: 'formatErrors + 1 : 0', replace: 'formatErrors + callsOf(step).filter((part) => part.call.raw !== undefined).length : 0', spec: line,
    test: 'R2.2 a step counts one format error however many calls it has, and its sound siblings keep their results',
  },
  {
    row: 'R2.2', rule: 'schema failures do not count', file: 'src/core/turn/turn-counters.ts', find: 'part.call.raw !== undefined)', replace: "part.call.raw !== undefined || part.result?.error?.code === 'invalid-input')", spec: line,
    test: 'R2.2 arguments that are JSON but do not fit the schema are no format error',
  },
  { row: 'R2.2', rule: 'the raw text is kept', file: 'src/core/turn/parse-tool-calls.ts', find: 'input: {}, raw: text }', replace: "input: {}, raw: '' }", spec: line, test: rawKept },
  { row: 'R2.2', rule: 'the model is told the rules of JSON', file: 'src/core/turn/parse-tool-calls.ts', find: 'retry. ${formatRules} Error', replace: 'retry. Error', spec: line, test: rawKept },
  {
    row: 'R2.3', rule: 'a misfit is told with its path', file: 'src/page/schema/compile.ts', find: "path === '' ? message :", replace: 'path ? message :', spec: loop,
    test: 'R2.3 arguments that do not fit are an error with the path of each fault',
  },
  {
    row: 'R2.3', rule: 'arguments are coerced', file: 'src/page/schema/compile.ts', find: 'if (coerced === value) return first', replace: 'if (coerced !== undefined) return first', spec: loop,
    test: 'R2.3 arguments are coerced where nothing is lost, and what ran is stored beside what was asked',
  },
  {
    row: 'R2.3', rule: 'what validated is what is shown', file: 'src/page/schema/compile.ts', find: 'json: stable ? output : copyOf(json)', replace: 'json: copyOf(json)', spec: line,
    test: 'R2.3 what validated is what is shown and run: coerced, with defaults, and without what the schema drops',
  },
  {
    row: 'R2.3', rule: 'coercion is lossless', file: 'src/page/validation/coerce.ts', find: 'String(number) === text && ', replace: '', spec: line,
    test: 'R2.3 nothing is lost by coercion: a number that would change, or a text that is no number, is an error',
  },
  {
    row: 'R2.3', rule: 'bounds that say nothing are stripped', file: 'src/page/schema/convert.ts', find: "=== Number.MAX_SAFE_INTEGER) delete copy['maximum']", replace: '=== 0) void 0', spec: 'test/node/page/schema/schema.spec.ts',
    test: 'R2.3 only bounds that say nothing are stripped, wherever they stand',
  },
  { row: 'R2.3', rule: 'a conversion that loses properties is refused', file: 'src/page/schema/convert.ts', find: 'if (lost.length > 0) throw', replace: 'if (false) throw', spec: 'test/node/page/tools/registry.spec.ts', test: 'R2.3 are there when ready, and those that cannot be converted are taken out and reported' },

  // Order of several
  {
    row: 'C46 R2.4', rule: 'results are sent in call order', file: 'src/core/prompt/request.ts', spec: loop, test: 'C46 R2.4 calls run, their results go back in call order, and the answer follows',
    find: 'const results = callsOf(message).flatMap(', replace: "const results = callsOf(message).toSorted((a, b) => (a.call.name === 'slow' ? 1 : b.call.name === 'slow' ? -1 : 0)).flatMap(",
  },
  { row: 'R2.4', rule: 'at most so many run at once', file: 'src/core/turn/semaphore.ts', find: 'if (free > 0) free--', replace: 'if (free > -99) free--', spec: loop, test: 'R2.4 no more calls than the limit run at once, and all run' },
  {
    row: 'R2.4', rule: 'an exclusive call runs alone', file: calls, find: 'offered.get(part.call.name)?.exclusive', replace: 'false', spec: loop,
    test: 'R2.4 an exclusive call starts when all before it are settled, and none after it starts before it is',
  },
  {
    row: 'R2.4', rule: 'an exclusive call is checked when its turn has come', file: calls, find: 'offered.get(part.call.name)?.exclusive', replace: 'false', spec: line,
    test: 'R2.4 an exclusive call is checked when all before it are settled, and a later one when it is',
  },
  {
    row: 'R2.4', rule: 'calls start in call order', file: calls, find: 'await allSettled(pending.map(', replace: 'await allSettled(pending.toReversed().map(', spec: line,
    test: 'R2.4 calls start in call order, also where the second is free at once and the first has to wait for the page',
  },
  {
    row: 'R2.4', rule: 'a call that waits for the user holds no place', file: calls, spec: line, test: 'R2.4 a call that waits for the user holds no place: its siblings run, one at a time',
    edits: [
      { find: 'return follow(round, part, verdict, warning', replace: 'return round.slot(() => follow({ ...round, slot: (run) => run() }, part, verdict, warning' },
      { find: 'undefined ? [] : [warning])', replace: 'undefined ? [] : [warning]))' },
    ],
  },
  { row: 'R2.4', rule: 'exclusive tools share one lock with calls by hand', file: 'src/page/tools/exclusive-lock.ts', find: 'const done = this.#last.then(work)', replace: 'const done = work()', spec: 'test/node/page/answers/approval.spec.ts', test: 'R2.4 exclusive tools run one after another, whoever calls them' },

  // Time, retries, throws
  {
    row: 'R2.5', rule: 'progress does not extend the time', file: run, find: 'report: (progress) => {', replace: 'report: (progress) => { timer.stop();', spec: line,
    test: 'R2.5 progress and yields do not extend the time, and what comes after it is neither result nor progress',
  },
  {
    row: 'R2.5', rule: 'only the newest attempt counts', file: run, spec: line, test: 'R2.5 only the newest attempt counts: what an earlier one still brings is not the result',
    edits: [
      { find: 'await untilAborted(call(entry, input, run, onProgress), attemptSignal)', replace: 'await untilAborted(attempt === 1 ? (first = call(entry, input, run, onProgress)) : call(entry, input, run, onProgress).then(() => first), attemptSignal)' },
      { find: '  const mayRepeat = isRepeatable(spec)\n', replace: '  const mayRepeat = isRepeatable(spec)\n  let first: Promise<unknown> | undefined\n' },
    ],
  },
  {
    row: 'R2.5', rule: 'an attempt has fifteen seconds', file: 'src/page/tools/registered-tool.ts', find: 'const defaultTimeout = 15_000', replace: 'const defaultTimeout = 60_000', spec: line,
    test: 'R2.5 fifteen seconds are the time of an attempt that says nothing of its own, from when its function starts',
  },
  {
    row: 'R2.5', rule: 'the host gives up on a page that does not answer', file: calls, find: 'if (allowed > 0) deps.wait', replace: 'if (false) deps.wait', spec: 'test/node/host/host.spec.ts',
    test: 'R2.5 a page that never answers an execution is given up on, and the model is told that it may have happened',
  },
  { row: 'R2.5', rule: 'an attempt that takes too long is timed out', file: run, find: 'ms > 0 && ms <= 2 ** 31 - 1', replace: 'false', spec: loop, test: hang },
  { row: 'R2.6', rule: 'only what may run twice is tried again', file: 'src/page/tools/registered-tool.ts', find: 'repeatable ? tool.maxRetries ?? defaultRetries : 0', replace: 'tool.maxRetries ?? (repeatable ? defaultRetries : 0)', spec: loop, test: hang },
  { row: 'R2.6', rule: 'three further attempts', file: 'src/page/tools/registered-tool.ts', find: 'const defaultRetries = 3', replace: 'const defaultRetries = 2', spec: line, test: thrice },
  { row: 'R2.6', rule: 'half a second apart', file: 'src/core/data/tool.ts', find: 'retryPause = 500', replace: 'retryPause = 50', spec: line, test: thrice },
  {
    row: 'R2.6', rule: 'a tool that threw is not tried again', file: run, find: 'if (!timer.signal.aborted) return', replace: 'if (!timer.signal.aborted && attempt > spec.maxRetries) return', spec: line,
    test: 'R2.6 a tool that threw is not tried again, whatever its hints',
  },
  { row: 'R2.6', rule: 'a stopped call says that it may still have happened', file: 'src/core/prompt/failure-text.ts', find: "repeatable ? '' : ' It may still", replace: "true ? '' : ' It may still", spec: line, test: stopped },
  { row: 'R2.6', rule: 'what may run twice says nothing of it', file: 'src/core/prompt/failure-text.ts', find: "repeatable ? '' : ' It may still", replace: "false ? '' : ' It may still", spec: line, test: stopped },
  {
    row: 'R2.7', rule: 'a throw is the result, with its message', file: run, find: 'message: messageOf(thrown).slice(0, 1_000)', replace: "message: 'It failed'", spec: loop,
    test: 'R2.7 a tool that throws is a result; its siblings are kept and the model goes on',
  },
  {
    row: 'R2.7', rule: 'an error without a message gives its class name', file: 'src/core/data/errors.ts', find: 'return thrown.message || (', replace: 'return thrown.message ?? (', spec: loop,
    test: 'R2.7 an error without a message gives its class name',
  },
  {
    row: 'R2.7', rule: 'exposeErrors decides what the model sees', file: 'src/page/answers/tool-errors.ts', find: "if (exposeErrors === 'message') return", replace: 'if (true) return', spec: line,
    test: 'R2.7 what an error says reaches the model as the page allows: its message, a plain word, or words of the page',
  },
  {
    row: 'R2.7', rule: 'siblings of a throw are awaited', file: 'src/core/turn/semaphore.ts', find: 'const failed = (await Promise.allSettled(work))', replace: 'await Promise.race(work)\n  const failed = ([] as PromiseSettledResult<void>[])', spec: line,
    test: 'R2.7 a throw stops no sibling: what still runs is awaited and kept',
  },
  { row: 'R2.7', rule: 'a tool may give a code of its own', file: run, find: 'if (thrown instanceof ToolAgentError) return', replace: 'if (false) return', spec: line, test: 'R2.7 a tool may give its error a code of its own' },

  // The text of a result
  {
    row: 'C57 R2.8', rule: 'what a tool returns is JSON, whatever it looks like', file: run, spec: line, test: 'C57 R2.8 what looks like content of a provider is JSON, unless toModelOutput made it',
    find: 'if (convert === undefined) return own', replace: 'if (convert === undefined) return Array.isArray(output) && output.length > 0 ? { ...own, content: output } : own',
  },
  { row: 'C56 R2.8', rule: 'an empty text says so', file: 'src/page/schema/output-json.ts', find: "if (json === '') return", replace: 'if (false) return', spec: line, test: everyText },
  { row: 'C56 R2.8', rule: 'nothing is Success', file: 'src/page/schema/output-json.ts', find: "text: 'Success'", replace: "text: ''", spec: line, test: everyText },
  { row: 'R2.8', rule: 'the fence closes around the capped text', file: text, find: 'capText(text, limit, callId)', replace: 'capText(untrusted ? fence(text, boundary) : text, limit, callId)', spec: line, test: capFence },
  { row: 'R2.8', rule: 'the warning stands before the fence', file: text, find: '`${warning}\\n${fenced}`', replace: '`${fenced}\\n${warning}`', spec: line, test: capFence },
  { row: 'R2.8', rule: 'a long result is cut', file: text, find: 'if (text.length <= chars) return text', replace: 'if (chars) return text', spec: loop, test: 'R1.1 R2.8 a result too long for the model is cut, read on in pieces, and given whole to the caller' },
  { row: 'R2.8', rule: 'outside text is fenced', file: text, find: 'untrusted ? fence(capped, boundary) : capped', replace: 'capped', spec: loop, test: fenced },
  { row: 'R2.8', rule: 'a fence cannot be closed from inside', file: text, find: ".replace(/<(?=[\\s\\/]*untrusted)/gi, '&lt;')", replace: '', spec: loop, test: fenced },
  {
    row: 'R2.8', rule: 'the text is stored, so that later requests have the same bytes', file: 'src/core/prompt/tool-result.ts', spec: loop, test: fenced,
    find: 'if (whole === undefined) return { result: { output, modelOutput, ...common } }', replace: 'if (whole === undefined) return { result: { output, ...common } }',
  },
  { row: 'R2.8', rule: 'what is read on is fenced', file: 'src/core/turn/builtin-tools.ts', find: 'untrusted: true, foreign', replace: 'untrusted: false, foreign', spec: line, test: 'R2.8 what is read on in an outside text is fenced as well, and numbers outside of it are refused' },
  { row: 'R2.8', rule: 'cycles are marked', file: 'src/core/data/plain-json.ts', find: "'[Circular]'", replace: "'[Object]'", spec: results, test: 'R2.8 a cycle is marked, what is only used twice is not' },
  {
    row: 'R2.9', rule: 'undefined deletes', file: 'src/core/state/reduce.ts', find: 'if (value === undefined) entries.delete(key)', replace: 'if (value === undefined) continue', spec: line,
    test: 'R2.9 remember with undefined deletes the key, for this turn and those after it',
  },
  {
    row: 'R2.9', rule: 'what an attempt remembered goes with it', file: run, spec: line, test: 'R2.9 what an attempt remembered that timed out is not kept',
    edits: [
      { find: '    const context: ContextChange[number][] = []\n', replace: '' },
      { find: '  for (let attempt = 1; ; attempt++) {\n', replace: '  const context: ContextChange[number][] = []\n  for (let attempt = 1; ; attempt++) {\n' },
    ],
  },
  {
    row: 'R2.9', rule: 'only a successful call remembers', file: run, spec: 'test/node/page/tools/tool-context.spec.ts', test: layers,
    edits: [
      { find: 'failure: failureFrom(thrown), thrown }', replace: 'failure: failureFrom(thrown), thrown, context } as never' },
      { file: page, find: 'if (done.failure) return { ...common,', replace: 'if (done.failure) return { ...common, context: (done as never as { context: [] }).context,' },
      { file: calls, find: 'outcome.error === undefined && outcome.context && outcome.context.length > 0 ? outcome.context', replace: '(outcome as never as { context?: [] }).context?.length ? (outcome as never as { context: [] }).context' },
    ],
  },
  { row: 'R2.9', rule: 'the newest write wins over the send layer', file: 'src/core/state/reduce.ts', find: '!change.some((one) => one.key === key)', replace: 'true', spec: 'test/node/page/tools/tool-context.spec.ts', test: layers },
  { row: 'R2.9', rule: 'the last value is the result', file: run, find: '    last = next.value\n', replace: '    last ??= next.value\n', spec: loop, test: lastValue },
  { row: 'R2.9', rule: 'the values before it are progress', file: run, find: 'if (!isEnd && !signal.aborted) onProgress', replace: 'if (false) onProgress', spec: loop, test: lastValue },

  // Direct returns, limits, the loop guard
  { row: 'R2.10', rule: 'a direct return ends the turn', file: 'src/core/turn/turn-loop.ts', find: "isDirect ? { reason: 'direct' }", replace: "isDirect && false ? { reason: 'direct' }", spec: loop, test: 'R2.10 a direct return ends the turn with the raw output and no further model call' },
  {
    row: 'R2.10', rule: 'every direct output is given', file: 'src/page/turn-result.ts', find: '.filter((part) => part.result?.direct)', replace: '.filter((part) => part.result?.direct).slice(-1)', spec: line,
    test: 'R2.10 a step whose tools are all direct ends the turn with every output, in call order, and none of it goes to the model',
  },
  {
    row: 'R2.10', rule: 'all tools of the step must be direct', file: 'src/core/turn/turn-loop.ts', find: 'calls.every((part) => part.result?.direct)', replace: 'calls.some((part) => part.result?.direct)', spec: loop,
    test: 'R2.10 a direct tool beside one that is not, or one that failed, does not end the turn',
  },
  {
    row: 'R2.10', rule: 'if-last counts as the last call alone', file: 'src/core/turn/turn-loop.ts', find: "calls.at(-1)?.result?.direct === 'if-last'", replace: "calls.some((part) => part.result?.direct === 'if-last')", spec: loop,
    test: 'R2.10 a tool that is direct if last ends the turn only as the last call',
  },
  {
    row: 'R2.10', rule: 'a step with an error is not direct', file: 'src/core/turn/turn-loop.ts', find: 'if (calls.some((part) => part.result?.error)) return', replace: 'if (false) return', spec: loop,
    test: 'R2.10 a direct last call behind a failed one does not end the turn: the model has to hear of the failure',
  },
  ...['denied', 'refused', 'timeout'].map((how) => ({
    row: 'R2.10', rule: `a call that is ${how} counts as an error`, file: 'src/core/turn/turn-loop.ts', spec: line, test: `R2.10 a step with a call that is ${how} does not end as direct`,
    find: 'if (calls.some((part) => part.result?.error)) return', replace: `if (calls.some((part) => part.result?.error && part.result.error.code !== '${how}')) return`,
  })),
  { row: 'R2.11', rule: 'a limit of steps', file: 'src/core/turn/turn-loop.ts', find: 'progress.steps >= deps.config().limits.steps', replace: 'false', spec: loop, test: 'R2.11 R5.5 a turn ends at its limit of steps, and continue() goes on from there' },
  { row: 'R2.11', rule: 'a limit of calls', file: screen, find: 'place + 1 > limits.toolCalls', replace: 'false', spec: loop, test: 'R2.11 calls beyond a limit are settled and do not run; those before it do' },
  { row: 'R2.11', rule: 'a limit of calls in one step', file: screen, find: 'inStep > limits.callsPerStep', replace: 'false', spec: loop, test: limits },
  { row: 'R2.11', rule: 'a limit of calls of one tool', file: screen, find: 'sameTool > limits.callsPerTool', replace: 'false', spec: loop, test: limits },
  { row: 'R2.11', rule: 'a limit of the size of arguments', file: screen, find: '.length > limits.argumentBytes', replace: '.length > Infinity', spec: loop, test: limits },
  { row: 'R2.11', rule: 'a call beyond a limit ends the turn', file: 'src/core/turn/turn-loop.ts', find: "if (error?.code === 'limit') {", replace: 'if (false) {', spec: loop, test: 'R2.11 calls beyond a limit are settled and do not run; those before it do' },
  { row: 'R2.11', rule: 'a limit of time', file: 'src/host/turns.ts', find: "abort.abort(new TurnAbort('max-time'))", replace: 'void abort', spec: line, test: 'R2.11 a turn ends at its limit of time, and can be continued' },
  {
    row: 'R2.11', rule: 'a continued turn counts from zero', file: 'src/core/turn/turn-counters.ts', find: 'session.turn.counted - session.start', replace: 'session.turn.first - session.start', spec: line,
    test: 'R2.11 calls before a limit keep their results, and the turn can be continued with new counters',
  },
  { row: 'R2.12', rule: 'the fifth does not run', file: screen, find: 'repeated >= 5', replace: 'repeated >= 6', spec: loop, test: fifth },
  { row: 'R2.12', rule: 'the third is warned of', file: screen, find: 'repeated >= 3', replace: 'repeated >= 4', spec: loop, test: fifth },
  { row: 'R2.12', rule: 'another call resets the count', file: 'src/core/turn/turn-counters.ts', find: '!unguarded.has(part.call.name))', replace: '!unguarded.has(part.call.name) && part.call.name === calls.find((one) => one.call.id === callId)?.call.name)', spec: line, test: anew },
  { row: 'R2.12', rule: 'arguments are compared in canonical form', file: 'src/core/turn/turn-counters.ts', find: 'canonicalJson(part.call.input)', replace: 'JSON.stringify(part.call.input)', spec: line, test: anew },
  {
    row: 'R2.12', rule: 'failed calls count', file: 'src/core/turn/turn-counters.ts', find: '!unguarded.has(part.call.name))', replace: '!unguarded.has(part.call.name) && (part.call.id === callId || !part.result?.error))', spec: line,
    test: 'R2.12 the calls of one step count one after another, failed ones as well',
  },
  {
    row: 'R2.12', rule: 'todo_read and page_wait do not count', file: 'src/core/turn/turn-counters.ts', find: "new Set(['page_wait', 'todo_read'])", replace: "new Set(['page_wait'])", spec: line,
    test: 'R2.12 looking at the todo list and waiting for the page may be repeated, and do not break a row of others',
  },
  {
    row: 'R2.13', rule: 'the function registered when the call starts runs', file: page, find: 'return spec.hash === hash ? { entry, spec } : undefined', replace: 'return spec.hash === hash ? offered : undefined', spec: line,
    test: 'R2.13 a call runs the function registered under its name when it starts, if the definition is the one that was offered',
  },
  {
    row: 'R2.13', rule: 'another definition does not run for it', file: page, find: 'return spec.hash === hash ? { entry, spec } : undefined', replace: 'return { entry, spec }', spec: 'test/node/page/answers/approval.spec.ts',
    test: 'R2.13 a tool that changed after its call was checked does not run for it',
  },
  {
    row: 'R2.13', rule: 'a tool that was taken away is unavailable', file: page, find: '    if (entry === undefined) return undefined\n', replace: '    if (entry === undefined) return offered\n', spec: 'test/node/page/tools/tool-context.spec.ts',
    test: 'R2.13 a tool registered while a turn runs is on offer at the next step; one taken away is unavailable',
  },
  {
    row: 'R2.13', rule: 'a running call finishes with its own function', file: page, find: 'const { attempts, startedAt, endedAt } = done', replace: 'if (this.#desk.registry.get(name) !== entry) return early(unavailable(name))\n    const { attempts, startedAt, endedAt } = done', spec: line,
    test: 'R2.13 a running call finishes with its own function, also when its tool is taken away or replaced',
  },
]
