// The rules of the offer: who brings tools, under which names, and that nothing else runs.
const loop = 'test/node/core/turn/turn-loop.spec.ts'
const own = 'test/node/page/tools/available-tools.spec.ts'
const context = 'test/node/page/tools/tool-context.spec.ts'
const offer = 'src/page/tools/available-tools.ts'
const providers = 'src/page/tools/provider-tools.ts'

const sends = 'R1.1 tools of a send win for its turn alone, or replace all others'
const hidden = 'R1.1 R1.3 a registered tool that this request did not offer cannot run'
const unknownActive = 'R1.1 a name in activeTools that no tool has throws before anything is sent; the names of built-in tools are known'
const duplicate = 'R1.2 a provider’s tool whose name is taken is left out and reported, and the first keeps its place'
const foreign = 'R1.2 foreign names are made to fit: a sign for each bad character, and a hash where that is too long or taken'
const spellings = 'R1.3 other spellings of an offered name run it'
const nearest = 'R1.3 the nearest three names are told, nearest first, and no more'

export default [
  { row: 'R1.1', rule: 'the tools of a send win', file: offer, find: "add(own, 'win')", replace: "add(own, 'keep')", spec: context, test: sends },
  { row: 'R1.1', rule: 'replace leaves the tools of the send alone', file: offer, find: "request.toolsMode !== 'replace'", replace: 'true', spec: context, test: sends },
  { row: 'R1.1', rule: 'the offer is cut to activeTools', file: offer, find: 'active === undefined ? offer', replace: 'true ? offer', spec: loop, test: hidden },
  {
    row: 'R1.1', rule: 'built-in tools stay beside activeTools', file: 'src/core/turn/turn-loop.ts', spec: loop, test: hidden,
    find: '[...tools, ...own]', replace: '[...tools, ...(deps.session().turn?.options.activeTools ? [] : own)]',
  },
  { row: 'R1.1', rule: 'an unknown name in activeTools throws', file: 'src/page/tools/active-tools.ts', find: 'unknown.length > 0', replace: 'false', spec: own, test: unknownActive },
  { row: 'R1.1', rule: 'activeTools knows the built-in names', file: 'src/page/tools/active-tools.ts', find: 'new Set([...hostToolNames, ', replace: 'new Set([', spec: own, test: unknownActive },
  {
    row: 'R1.1', rule: 'read_result waits for a result that was cut', file: 'src/core/turn/builtin-tools.ts', spec: loop,
    find: '...(cut ? [readResult] : [])', replace: '...(cut ? [readResult] : [readResult])', test: 'R1.1 R2.8 a result too long for the model is cut, read on in pieces, and given whole to the caller',
  },
  {
    row: 'R1.1', rule: 'only a cut result in the request counts', file: 'src/core/turn/builtin-tools.ts', spec: own,
    find: 'sentMessages(session).some(', replace: 'session.messages.some(', test: 'R1.1 read_result is on offer only while the cut result stands in the request',
  },
  { row: 'R1.2', rule: 'a provider’s duplicate is left out', file: offer, find: "mode === 'keep' && offer.has(entry.name)", replace: 'false', spec: own, test: duplicate },
  { row: 'R1.2', rule: 'a provider’s duplicate is reported', file: offer, find: "request.report({ code: 'duplicate-tool'", replace: "void ({ code: 'duplicate-tool'", spec: own, test: duplicate },
  {
    row: 'R1.2', rule: 'a provider that throws is reported', file: providers, find: "request.report({ code: 'invalid-tool'", replace: "void ({ code: 'invalid-tool'", spec: context,
    test: 'R1.1 R1.2 a provider is asked before every step; one that throws gives no tools for that step and is reported',
  },
  {
    row: 'R1.2', rule: 'a provider has five seconds', file: providers, find: 'const providerTimeout = 5_000', replace: 'const providerTimeout = 60_000', spec: own,
    test: 'R1.2 a provider that takes longer than five seconds gives no tools for that step and is reported',
  },
  { row: 'R1.2', rule: 'a bad character becomes a sign', file: providers, find: "replace(/[^A-Za-z0-9_-]/g, '_')", replace: "replace(/[^A-Za-z0-9_-]/g, '')", spec: own, test: foreign },
  { row: 'R1.2', rule: 'a foreign name that is too long gets a hash', file: providers, find: 'plain.length > 64 || isTaken(plain)', replace: 'isTaken(plain)', spec: own, test: foreign },
  { row: 'R1.2', rule: 'a foreign name that is taken gets a hash', file: providers, find: 'plain.length > 64 || isTaken(plain)', replace: 'plain.length > 64', spec: own, test: foreign },
  {
    row: 'R1.3', rule: 'a call is looked up among what its request offered, by host and page', file: 'src/core/turn/turn-loop.ts', spec: loop, test: hidden,
    edits: [
      { find: 'await runCalls(deps, signal, offered, runTurn)', replace: "await runCalls(deps, signal, new Map([['hidden', { name: 'hidden', hash: '', annotations: {}, timeout: 0, maxRetries: 0, exclusive: false } as never], ...offered]), runTurn)" },
      {
        file: 'src/page/answers/answers.ts', find: '    if (offered === undefined || offered.spec.hash !== hash) return undefined\n',
        replace: '    const late = this.#desk.registry.get(name)\n    if (late && offered === undefined) return { entry: late, spec: { ...this.#desk.registry.specOf(late, this.#desk.page()), hash } }\n    if (offered === undefined || offered.spec.hash !== hash) return undefined\n',
      },
    ],
  },
  { row: 'R1.3', rule: 'functions.x is unwrapped', file: 'src/core/turn/parse-tool-calls.ts', find: "name.replace(/^functions[.:/]/, '')", replace: 'name', spec: loop, test: spellings },
  { row: 'R1.3', rule: 'multi_tool_use.parallel is unwrapped', file: 'src/core/turn/parse-tool-calls.ts', find: 'calls.flatMap(unwrapParallel)', replace: 'calls', spec: loop, test: spellings },
  { row: 'R1.3', rule: 'a name that matches one tool but for case runs it', file: 'src/core/turn/parse-tool-calls.ts', find: 'matches.length === 1 &&', replace: 'false &&', spec: loop, test: spellings },
  {
    row: 'R1.3', rule: 'a name that matches several but for case runs none', file: 'src/core/turn/parse-tool-calls.ts', find: 'matches.length === 1 &&', replace: 'matches.length >= 1 &&', spec: own,
    test: 'R1.3 two names that differ in case alone are two: another case of them runs neither',
  },
  { row: 'R1.3', rule: 'three names are told', file: 'src/core/turn/parse-tool-calls.ts', find: '.slice(0, 3)', replace: '', spec: own, test: nearest },
  { row: 'R1.3', rule: 'the nearest are told', file: 'src/core/turn/parse-tool-calls.ts', find: 'a.distance - b.distance', replace: '0', spec: own, test: nearest },
  {
    row: 'R1.3', rule: 'a call taken up again runs only what its own request offered', file: 'src/core/turn/turn-loop.ts', find: 'session.turn?.offered.includes(name)', replace: 'true', spec: own,
    test: 'R1.3 a call taken up again after a reload runs only what its own request offered, whatever the next page has',
  },
  {
    row: 'R1.4', rule: 'without tools there is no tools field', file: 'src/host/models/openai/chat-request.ts', find: 'const hasTools = tools.length > 0', replace: 'const hasTools = true', spec: own,
    test: 'R1.4 without tools the request has no tools field and no tool choice',
  },
  {
    row: 'R1.4', rule: 'a forced choice goes back to auto', file: 'src/core/turn/turn-loop.ts', find: "calls.length > 0 ? 'auto' : choice", replace: 'choice', spec: context,
    test: 'R1.4 a forced tool choice goes back to auto after its first use',
  },
]
