// Rules of calls: when they run, what of their arguments is believed, what becomes of their results.
const calls = 'test/node/core/turn/tool-calls.spec.ts'
const loop = 'test/node/core/turn/turn-loop.spec.ts'
const todos = 'test/node/core/prompt/todos.spec.ts'
const leaks = 'test/node/host/models/text-protocol.spec.ts'
const context = 'test/node/page/tools/tool-context.spec.ts'

export default [
  {
    row: 'C06', rule: 'an id that was used before in the session is rewritten', file: 'src/core/turn/parse-tool-calls.ts',
    find: "given === '' || isUsed", replace: "given === ''",
    spec: loop, test: 'ids that a server uses again are rewritten, so that each call has its own result',
  },
  {
    row: 'C12', rule: 'arguments that parse are not yet complete', file: 'src/host/models/openai/chat-calls.ts',
    find: 'call.text = delta.whole ?', replace: 'if (!parses(call.text)) call.text = delta.whole ?',
    spec: calls, test: 'arguments that parse before the stream ends are not run; what they grow into is one format error',
  },
  {
    row: 'C18', rule: 'a stream that ended without a finish is an error', file: 'src/core/turn/model-step.ts',
    find: "if (collected.finish === 'cut') throw", replace: "if (collected.finish === 'nothing') throw",
    spec: loop, test: 'a model that ends without saying so was cut, whoever wrote its adapter',
  },
  {
    row: 'C20', rule: 'calls run behind a finish of stop, too', file: 'src/core/turn/model-step.ts',
    find: "finish === 'stop' || finish === 'tool-calls'", replace: "finish === 'tool-calls'",
    spec: calls, test: 'calls of a step that finished as stop are run',
  },
  {
    row: 'C21', rule: 'a cut-off answer acts on nothing', file: 'src/core/turn/model-step.ts',
    find: "finish === 'stop' || finish === 'tool-calls'", replace: "finish !== 'cut' && finish !== 'content-filter'",
    spec: loop, test: 'an answer cut at its length keeps the text, drops the calls and runs nothing',
  },
  {
    row: 'C22', rule: 'arguments that do not parse do not run', file: 'src/core/turn/call-guards.ts',
    find: 'if (call.raw !== undefined) {', replace: 'if (call.raw === null) {',
    spec: calls, test: 'arguments that are cut although the finish says tool_calls are a format error and do not run',
  },
  {
    row: 'C23', rule: 'a finish of tool_calls without calls ends the turn as no-answer', file: 'src/core/turn/turn-loop.ts',
    find: "finish === 'tool-calls' || !hasText", replace: '!hasText',
    spec: calls, test: 'words that announce calls which do not come end the turn as no-answer, without another try',
  },
  {
    row: 'C23', rule: 'a finish of tool_calls without calls is not tried again', file: 'src/core/turn/turn-loop.ts',
    find: "isEmpty(outcome) && outcome.finish === 'stop'", replace: 'isEmpty(outcome)',
    spec: loop, test: 'a finish that promises calls and brings none ends as no-answer',
  },
  {
    row: 'C24', rule: 'an empty answer is asked for once more', file: 'src/core/turn/turn-loop.ts',
    find: "isEmpty(outcome) && outcome.finish === 'stop'", replace: 'false',
    spec: loop, test: 'an empty answer is asked for once more, then ends as no-answer',
  },
  ...['content_filter', 'refusal'].map((finish) => ({
    row: 'C26', rule: `calls of a filtered answer (${finish}) do not run`, file: 'src/core/turn/model-step.ts',
    find: "finish === 'stop' || finish === 'tool-calls'", replace: "finish !== 'cut' && finish !== 'length'",
    spec: calls, test: `calls of an answer that was filtered (${finish}) are dropped and do not run`,
  })),
  {
    row: 'C28', rule: 'calls that were forbidden are refused', file: 'src/core/turn/call-guards.ts',
    find: "toolChoice === 'none'", replace: "toolChoice === 'never'",
    spec: loop, test: 'calls that come although tools were forbidden are refused',
  },
  ...[[context, 'a forced tool choice goes back to auto after its first use'], [calls, 'a choice that requires some tool is back to auto once one was called']].map(([spec, test]) => ({
    row: 'C29', rule: 'a forced choice goes back to auto', file: 'src/core/turn/turn-loop.ts',
    find: "calls.length > 0 ? 'auto' : choice", replace: 'calls.length > 0 ? choice : choice', spec, test,
  })),
  {
    row: 'C30', rule: 'tools are sent with every request', file: 'src/core/prompt/request.ts',
    find: '    tools: tools.map(', replace: "    tools: (messages.some((one) => one.role === 'tool') ? [] : tools).map(",
    spec: calls, test: 'every request of a session carries the tools, also behind their calls and results',
  },
  {
    row: 'C31', rule: 'a call that leaked into the text is not shown and not kept', file: 'src/core/turn/model-step.ts',
    find: "type === 'text' ? leakFilter(", replace: "type === 'nothing' ? leakFilter(",
    spec: leaks, test: 'a call that leaks as text is not shown, not kept and not run; an answer of nothing else is asked for once more',
  },
  {
    row: 'C31', rule: 'a bare call begins a word', file: 'src/core/prompt/strip-call-markup.ts', find: '(?<!\\w)c/g', replace: 'c/g', spec: 'test/node/host/models/text-protocol.spec.ts',
    test: 'C31 a letter inside a word is shown when it comes, though a bare call begins with it',
  },
  {
    row: 'C31', rule: 'only what names a tool of this request is a leaked call', file: 'src/core/prompt/strip-call-markup.ts',
    find: "isOffered(match.slice(1).find(Boolean) ?? '')", replace: 'match.length > 0',
    spec: leaks, test: 'a text about such markup is an answer, and a call beside a leaked one runs',
  },
  {
    row: 'C31', rule: 'text is not held back without end', file: 'src/core/prompt/strip-call-markup.ts',
    find: 'isEnd || rest.length > longest', replace: 'isEnd',
    spec: leaks, test: 'only what may be a call is held back, and not without end',
  },
  {
    row: 'C70', rule: 'empty arguments are an empty object', file: 'src/core/turn/parse-tool-calls.ts',
    find: "text.trim() === '' || text.trim() === 'null'", replace: "text.trim() === 'null'",
    spec: calls, test: 'arguments that are null or not there at all are an empty object',
  },
  {
    row: 'C70', rule: 'the word null is an empty object', file: 'src/core/turn/parse-tool-calls.ts',
    find: "text.trim() === '' || text.trim() === 'null'", replace: "text.trim() === ''",
    spec: loop, test: 'empty and missing arguments are an empty object',
  },
  {
    row: 'C72', rule: 'pieces of arguments are joined', file: 'src/host/models/openai/chat-calls.ts',
    find: 'call.text + delta.text', replace: 'delta.text',
    spec: calls, test: 'pieces of arguments are joined and parsed once',
  },
  {
    row: 'C73', rule: 'arguments that do not fit are coerced', file: 'src/page/schema/compile.ts',
    find: 'if (coerced === value) return first', replace: 'return first',
    spec: loop, test: 'arguments are coerced where nothing is lost, and what ran is stored beside what was asked',
  },
  {
    row: 'C73', rule: 'a text becomes a number only where the number prints as that text', file: 'src/page/validation/coerce.ts',
    find: 'String(number) === text && ', replace: '',
    spec: 'test/node/page/schema/schema.spec.ts', test: 'what would lose something on the way is not mended',
  },
  {
    row: 'C74', rule: 'an integer that would be rounded stays its digits', file: 'src/core/turn/parse-tool-calls.ts',
    find: '/\\d{16}/.test(text) ?', replace: 'false ?',
    spec: calls, test: 'a whole number beyond 2^53 reaches a field of text digit by digit, and others are what they were',
  },
  {
    row: 'C74', rule: 'an integer that would be rounded does not run as a number', file: 'src/page/schema/compile.ts',
    find: 'if (inexact.length > 0) return', replace: 'if (inexact.length > 99) return',
    spec: calls, test: 'where the schema says number it is not rounded and run: the model is told, and the author warned',
  },
  {
    row: 'C74', rule: 'the author is warned of an integer that would be rounded', file: 'src/page/validation/coerce.ts',
    find: 'log.warn(', replace: 'void (',
    spec: calls, test: 'where the schema says number it is not rounded and run: the model is told, and the author warned',
  },
  {
    row: 'C75', rule: 'keys that reach a prototype are refused', file: 'src/page/schema/json-value.ts',
    find: 'if (reachesPrototype(key))', replace: "if (key === '')",
    spec: calls, test: 'keys that reach a prototype are refused, and names of an object’s own methods are unknown tools',
  },
  {
    row: 'C75', rule: 'a name is looked up among the offered alone', file: 'src/core/turn/call-guards.ts',
    find: 'if (!offered.has(call.name)) {', replace: 'if (!offered.has(call.name) && !(call.name in {})) {',
    spec: calls, test: 'keys that reach a prototype are refused, and names of an object’s own methods are unknown tools',
  },
  {
    row: 'C76', rule: 'arguments are validated', file: 'src/page/schema/compile.ts',
    find: 'return issues.length === 0 ? { value } : { issues }', replace: 'return { value }',
    spec: calls, test: 'an object that is required and missing is an error for the model, never null for the tool',
  },
  {
    row: 'C77', rule: 'functions.x is x', file: 'src/core/turn/parse-tool-calls.ts',
    find: "name.replace(/^functions[.:/]/, '')", replace: 'name',
    spec: loop, test: 'other spellings of an offered name run it',
  },
  {
    row: 'C77', rule: 'parallel calls are unwrapped', file: 'src/core/turn/parse-tool-calls.ts',
    find: 'calls.flatMap(unwrapParallel)', replace: 'calls',
    spec: loop, test: 'other spellings of an offered name run it',
  },
  {
    row: 'C77', rule: 'a name that differs in case alone is the offered one', file: 'src/core/turn/parse-tool-calls.ts',
    find: 'matches.length === 1 &&', replace: 'matches.length === -1 &&',
    spec: loop, test: 'other spellings of an offered name run it',
  },
  {
    row: 'C77', rule: 'a name that two tools share but for case is neither', file: 'src/core/turn/parse-tool-calls.ts',
    find: 'matches.length === 1 &&', replace: 'matches.length >= 1 &&',
    spec: calls, test: 'a name that two tools share but for case runs neither',
  },
  {
    row: 'C77', rule: 'the nearest names are given', file: 'src/core/turn/call-guards.ts',
    find: 'const near = nearestNames(', replace: 'const near = false ? [] : [].slice(',
    spec: loop, test: 'a tool nobody offered does not run, and the nearest names are given',
  },
  {
    row: 'C78', rule: 'the fifth identical call ends the turn', file: 'src/core/turn/call-guards.ts',
    find: 'repeated >= 5', replace: 'repeated >= 500',
    spec: loop, test: 'the third and fourth identical call run with a warning, the fifth does not and ends the turn',
  },
  {
    row: 'C78', rule: 'the third identical call is warned of', file: 'src/core/turn/call-guards.ts',
    find: 'repeated >= 3', replace: 'repeated >= 4',
    spec: loop, test: 'the third and fourth identical call run with a warning, the fifth does not and ends the turn',
  },
  {
    row: 'C78', rule: 'identical is told by canonical arguments', file: 'src/core/turn/turn-counters.ts',
    find: 'canonicalJson(part.call.input)', replace: 'JSON.stringify(part.call.input)',
    spec: calls, test: 'repeats are counted over calls that succeed, too, and another call between them starts anew',
  },
  {
    row: 'C79 F70', rule: 'a throw is the call’s own result', file: 'src/page/tools/execute-tool.ts',
    find: 'if (!timer.signal.aborted) return {', replace: 'if (!timer.signal.aborted) throw thrown\n      if (!timer.signal.aborted) return {',
    spec: loop, test: 'a tool that throws is a result; its siblings are kept and the model goes on',
  },
  {
    row: 'C80', rule: 'a given-up attempt’s result is ignored', file: 'src/page/tools/execute-tool.ts',
    find: 'await untilAborted(call(entry, input, run, onProgress), attemptSignal)', replace: 'await call(entry, input, run, onProgress)',
    spec: calls, test: 'what an attempt gives that was given up is ignored: the next attempt’s result counts, once',
  },
  {
    row: 'C81 F71', rule: 'a tool that may not run twice is not tried again', file: 'src/page/tools/execute-tool.ts',
    find: 'if (attempt > spec.maxRetries)', replace: 'if (attempt > 1)',
    spec: loop, test: 'a tool that hangs is timed out, and only one that may run twice is tried again',
  },
  {
    row: 'C81 F71', rule: 'the model is told that it may still have happened', file: 'src/core/prompt/failure-text.ts',
    find: "const advice = repeatable ? '' :", replace: "const advice = true ? '' :",
    spec: loop, test: 'a tool that hangs is timed out, and only one that may run twice is tried again',
  },
  {
    row: 'C82 F77', rule: 'stop aborts what runs on the page', file: 'src/page/answers/answers.ts',
    find: "this.#asks.get(id)?.abort(new DOMException('The turn was stopped', 'AbortError'))", replace: '',
    spec: calls, test: 'stop reaches what a tool fetches before its call is settled, and the call counts as cancelled, not as done',
  },
  {
    row: 'C82 F77', rule: 'open calls of a stopped turn are cancelled', file: 'src/core/turn/turn-loop.ts',
    find: 'await cancelOpen(deps, end.reason)', replace: '',
    spec: loop, test: 'stop settles what runs, keeps the text, and ignores what comes later',
  },
  {
    row: 'C83', rule: 'the signal of a send is let go', file: 'src/page/agent.ts',
    find: "signal?.removeEventListener('abort', onAbort)", replace: '',
    spec: calls, test: 'a signal that lives longer than what it was given for keeps no listener',
  },
  {
    row: 'C83', rule: 'the signal of a registration is let go', file: 'src/page/tools/registry.ts',
    find: "if (left.size === 0) signal?.removeEventListener('abort', unregister)", replace: '',
    spec: calls, test: 'a signal that lives longer than what it was given for keeps no listener',
  },
  {
    row: 'C83', rule: 'the signal of a provider is let go', file: 'src/page/agent.ts',
    find: "signal?.removeEventListener('abort', remove)", replace: '',
    spec: calls, test: 'a signal that lives longer than what it was given for keeps no listener',
  },
  {
    row: 'C84', rule: 'an error without a message gives its class name', file: 'src/core/data/errors.ts',
    find: "thrown.message || (thrown.name === 'Error' ? thrown.constructor.name : thrown.name)", replace: 'thrown.message || thrown.name',
    spec: calls, test: 'an error that has neither a message nor a name of its own gives the name of its class',
  },
  {
    row: 'C84', rule: 'an error without a message says something', file: 'src/core/data/errors.ts',
    find: "thrown.message || (thrown.name === 'Error' ? thrown.constructor.name : thrown.name)", replace: 'thrown.message',
    spec: loop, test: 'an error without a message gives its class name',
  },
  {
    row: 'C85', rule: 'what a tool returns is never an error', file: 'src/page/tools/execute-tool.ts',
    find: 'return { ...attempted(), output, context }',
    replace: "if ((output as { isError?: boolean } | undefined)?.isError) throw new Error('isError')\n      return { ...attempted(), output, context }",
    spec: calls, test: 'a result that says isError is a result like any other: errors are thrown',
  },
  {
    row: 'C86', rule: 'a result over 1 MB is an error', file: 'src/core/data/plain-json.ts',
    edits: [{ find: 'if (chars > maxJsonChars) throw', replace: 'if (chars < 0) throw' }, { find: 'if (text.length > maxJsonChars) throw', replace: 'if (text === undefined) throw' }],
    spec: calls, test: 'a result of 5 MB is an error that says how to ask for less, and is stored nowhere',
  },
  {
    row: 'C86', rule: 'a long result is cut for the model', file: 'src/core/prompt/result-text.ts',
    find: 'if (text.length <= chars) return text', replace: 'return text',
    spec: loop, test: 'a result too long for the model is cut, read on in pieces, and given whole to the caller',
  },
  {
    row: 'C86', rule: 'the whole of a cut result is stored once', file: 'src/core/prompt/tool-result.ts',
    find: 'isShown ? whole.slice(0, limit) : output', replace: 'output',
    spec: loop, test: 'a result too long for the model is cut, read on in pieces, and given whole to the caller',
  },
  {
    row: 'C87', rule: 'a function in a result is an error', file: 'src/core/data/plain-json.ts',
    find: "case 'function': return fail('is a function')", replace: "case 'function': return null",
    spec: loop, test: 'a result that JSON cannot hold is an error that names the place',
  },
  {
    row: 'C87 F72', rule: 'a cycle is marked', file: 'src/core/data/plain-json.ts',
    find: 'if (ancestors.has(value)) {', replace: 'if (ancestors.size < 0) {',
    spec: calls, test: 'what JSON does not know crosses as text and lists; a function, a symbol and a getter that throws are errors with their place',
  },
  {
    row: 'C87 F72', rule: 'a BigInt becomes text', file: 'src/core/data/plain-json.ts',
    find: "case 'bigint': return visit(String(value), made)", replace: "case 'bigint': return fail('is a bigint')",
    spec: calls, test: 'what JSON does not know crosses as text and lists; a function, a symbol and a getter that throws are errors with their place',
  },
  {
    row: 'C87', rule: 'a DOM node is refused', file: 'src/core/data/plain-json.ts',
    find: 'if (isNode(value)) return', replace: 'if (value === null) return',
    spec: 'test/node/core/prompt/result-text.spec.ts', test: 'what has no plain meaning is refused with its place',
  },
  ...[[context, 'a tool registered while a turn runs is on offer at the next step; one taken away is unavailable'], [calls, 'a tool that is taken away while its question stands is no longer available, and does not run']].map(([spec, test]) => ({
    row: spec === calls ? 'C88 F78' : 'C88', rule: 'a tool that is not registered any more does not run', file: 'src/page/answers/answers.ts',
    find: 'if (entry === undefined) return undefined', replace: 'if (entry === undefined) return offered', spec, test,
  })),
  {
    row: 'C89', rule: 'the offer is composed anew for each step', file: 'src/page/answers/answers.ts',
    find: 'const offer = await composeOffer({', replace: "const offer = this.#offers.get('') ?? await composeOffer({",
    spec: context, test: 'a tool registered while a turn runs is on offer at the next step; one taken away is unavailable',
  },
  {
    row: 'C90', rule: 'a request that a hook changed in place is the one that is sent', file: 'src/page/answers/answers.ts',
    find: 'beforeModel?.(copy)) ?? copy', replace: 'beforeModel?.(copy)) ?? ask.request',
    spec: loop, test: 'a request that a hook changes in place is the one that is sent; one that is no request is refused',
  },
  {
    row: 'C90', rule: 'a request that a hook gave back is the one that is sent', file: 'src/core/turn/turn-loop.ts',
    find: 'const request = await asSent(deps, signal, fitting)', replace: 'const request = fitting; await asSent(deps, signal, fitting)',
    spec: loop, test: 'a hook may change one request, never the history',
  },
  {
    row: 'C91', rule: 'text beside calls ends nothing', file: 'src/core/turn/turn-loop.ts',
    find: 'if (hasCalls) return { sent }', replace: "if (hasText) return endsAs('stop')",
    spec: calls, test: 'text beside calls is no answer yet: the turn ends behind their results, with one turn-end as its last event',
  },
  {
    row: 'C91', rule: 'turn-end comes last', file: 'src/core/turn/turn-loop.ts',
    edits: [{ find: 'await cancelOpen(deps, end.reason)', replace: '' }, { find: 'turn: turn.id, reason, error }))', replace: 'turn: turn.id, reason, error })); await cancelOpen(deps, end.reason)' }],
    spec: calls, test: 'what a stop cancels is settled before the turn ends',
  },
  {
    row: 'C92', rule: 'two todo writes in one step are refused', file: 'src/core/turn/builtin-tools.ts',
    find: ".length > 1) {", replace: '.length > 99) {',
    spec: todos, test: 'two writes in one step are both refused and the list stays',
  },
  {
    row: 'C93', rule: 'the reminder is of a request, never of a result', file: 'src/core/prompt/tool-result.ts',
    find: "const warning = notes.join('\\n') || undefined", replace: "const warning = [...notes, '<reminder>'].join('\\n')",
    spec: calls, test: 'a direct return in the round of the reminder carries none: not to the user, not in what is stored, not in the next turn',
  },
  {
    row: 'C93', rule: 'no model call, and so no reminder, follows a direct return', file: 'src/core/turn/turn-loop.ts',
    find: 'return isDirect ?', replace: 'return isDirect && false ?',
    spec: calls, test: 'a direct return in the round of the reminder carries none: not to the user, not in what is stored, not in the next turn',
  },
  {
    row: 'C94', rule: 'a todo write counts wherever it stands in its step', file: 'src/core/prompt/reminder.ts',
    find: 'if (calls.some((part) =>', replace: 'if (calls.slice(0, 1).some((part) =>',
    spec: todos, test: 'a write that fails does not count, one that succeeds as a second call does',
  },
  {
    row: 'C95', rule: 'a todo write that failed does not count', file: 'src/core/prompt/reminder.ts',
    find: 'part.result?.error === undefined && part.result', replace: 'part.result',
    spec: todos, test: 'a write that fails does not count, one that succeeds as a second call does',
  },
]
