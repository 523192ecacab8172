// Rules of tool calls as text, for models without tool calling of their own.
const reader = { row: 'C31', file: 'src/host/models/text-protocol.ts', spec: 'test/node/text-protocol.spec.ts' }

export default [
  {
    ...reader, rule: 'what may be the beginning of a call is held back',
    find: 'held.length - partial(held, open)', replace: 'held.length',
    test: 'text streams through at once, arguments as they arrive, and each part of the model gives a part',
  },
  {
    ...reader, rule: 'each part of the model gives a part, so that a long call is no silence',
    find: "parts.length > 0 ? parts : [{ ...part, delta: '' }]", replace: 'parts',
    test: 'text streams through at once, arguments as they arrive, and each part of the model gives a part',
  },
  {
    ...reader, rule: 'behind a call only further calls count',
    find: "state = 'over'\n", replace: "state = 'text'\n",
    test: 'what a model writes behind its calls is dropped, and so are calls behind that: it has seen no result',
  },
  {
    ...reader, rule: 'a marker inside a string is a part of it',
    find: 'if (!inString) return true', replace: 'return true',
    test: 'a marker inside a string of the arguments is a part of it',
  },
  {
    ...reader, rule: 'a string that never ends does not swallow the calls behind it',
    find: 'if (inside >= 0 && ', replace: 'if (false && ',
    test: 'a string that never ends is a call with bad JSON, not the loss of all that follows',
  },
  {
    ...reader, rule: 'a call without its last marker counts only at a finish that means it',
    find: "const means = part.type !== 'finish' ||", replace: 'const means = true ||',
    test: 'without its last marker a complete call counts at a finish that means it, and a cut one is bad JSON',
  },
  {
    ...reader, rule: 'the name of the tool is never read out of the arguments',
    find: 'if (!isObject(value)) {', replace: "if (!isObject(value) || typeof value['name'] !== 'string') {",
    test: 'a name inside the arguments is not the name of the tool',
  },
  {
    ...reader, rule: 'the argument text goes on as it came',
    find: 'argsTo < 0 ? undefined : held.slice(argsFrom, argsTo)', replace: 'undefined',
    test: 'the arguments may have other names, stand before the name, or be a text of JSON',
  },
  {
    ...reader, rule: 'a finish with calls is one for calls',
    find: "unified: 'tool-calls' }", replace: "unified: 'stop' }",
    test: 'text before a call is text, the call is a call, and the markup is neither',
  },
  {
    ...reader, rule: 'each call of an answer has an id of its own',
    find: '`call_${calls}`', replace: "'call_1'",
    test: 'several calls are several calls, whatever space is between them',
  },
  {
    ...reader, rule: 'letting go of an answer does not wait behind a read',
    find: 'parts.return?.()', replace: 'undefined',
    test: 'who lets go of an answer ends the request, though it hangs',
  },
  {
    ...reader, rule: 'the request has no tools',
    find: "messages, tools: [], toolChoice: 'auto' }", replace: 'messages }',
    test: 'a call and its result, from a model that was sent no tools',
  },
  {
    ...reader, rule: 'roles alternate',
    find: 'if (last?.role === next.role)', replace: 'if (false)',
    test: 'after a stop while a tool runs, result and next message are one message',
  },
  {
    ...reader, rule: 'a file of a result is sent',
    find: 'files.push(defined({', replace: 'void (defined({',
    test: 'files of a result follow their text in the same message',
  },
  {
    ...reader, rule: 'it wraps whatever model there is', file: 'src/host/models/turn-model.ts',
    find: 'if (!current?.textProtocol)', replace: 'if (!current?.textProtocol || current.pageModel)',
    test: 'it works for a model of the page and for one that the host was given',
  },
  {
    ...reader, rule: 'debug events tell what the wire was given', file: 'src/host/models/turn-model.ts',
    find: 'request: textRequest(call.request, current.textProtocol)', replace: 'request: call.request',
    test: 'the debug events tell what was sent and what came, and a hook sees the tools as tools',
  },
  {
    ...reader, rule: 'two markers of which one begins the other cannot be told apart', file: 'src/page/parse-options.ts',
    find: '(one.startsWith(other) || other.startsWith(one))', replace: 'one === other',
    test: 'a wrong option names itself; undefined and false turn the protocol off',
  },
]
