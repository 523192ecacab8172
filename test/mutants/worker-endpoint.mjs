// The rules of what happens when the worker dies or does not come, when the endpoint fails, when tools do, and when the
// device sleeps.
const connection = 'src/page/connection.ts'
const spawn = 'src/page/spawn.ts'
const chat = 'src/host/models/chat-completions.ts'
const stream = 'src/host/models/chat-stream.ts'
const step = 'src/core/step.ts'
const screen = 'src/core/screen.ts'
const turns = 'src/host/turns.ts'
const refs = 'src/tools/read/refs.ts'

const workers = 'test/browser/worker-faults.spec.ts'
const whole = 'test/node/endpoint-faults.spec.ts'
const wire = 'test/node/wire.spec.ts'
const inBrowser = 'test/browser/endpoint-faults.spec.ts'
const sleep = 'test/node/sleep.spec.ts'
const calls = 'test/node/calls.spec.ts'
const pageTools = 'test/browser/page-tools.spec.ts'
const form = 'test/browser/form.spec.ts'

const killed = 'F15 a killed worker is noticed and replaced; the new one takes what the page still runs, and nothing runs twice'
const asleep = 'F11 an answer that stood still before the first part while the device slept ends when it wakes, and the next message works'

export default [
  // The worker.
  { row: 'F15', rule: 'a silent worker is given up', file: connection, find: '      if (now - this.#heard > silence) this.#onSilent()\n', replace: '', spec: workers, test: killed },
  { row: 'F15', rule: 'not by a page that slept', file: connection, find: '      if (now - last > sleep) this.#heard = now\n', replace: '', spec: 'test/node/connection.spec.ts', test: 'F15 a page that slept has heard nothing, and does not take its worker for dead' },
  { row: 'F15', rule: 'not before 15 s', file: connection, find: 'const silence = 15_000', replace: 'const silence = 4_000', spec: 'test/node/connection.spec.ts', test: 'F15 a worker that is silent for 15 s is given up, and one that says anything is not' },
  { row: 'F15', rule: 'a worker gives signs of life', file: 'src/host/serve.ts', find: "setInterval(() => post({ type: 'ping' }), options.heartbeat)", replace: 'undefined', spec: 'test/node/host.spec.ts', test: 'F15 a host gives a sign of life as often as it was told to, and none when it is closed' },
  { row: 'F15', rule: 'what the page runs goes on', file: 'src/page/answers.ts', find: 'if (!this.#executing.has(controller)) controller.abort(', replace: 'controller.abort(', spec: workers, test: killed },
  { row: 'F15', rule: 'what waited is sent to the next host', file: 'src/page/pending-turns.ts', find: 'else one.begin()', replace: 'else void 0', spec: workers, test: 'F15 a worker killed while the model streams: the step is run again, and what waited in the queue is sent once' },
  { row: 'F16', rule: 'without a worker the host runs in the page', file: spawn, find: '  return spawnInPage()\n}', replace: "  throw new Error('No host')\n}", spec: workers, test: 'F16 a worker file that is not there: the same host runs in the page, and keeps sessions' },
  {
    row: 'F17', rule: 'a worker that does not start is given up', file: spawn, spec: workers, test: 'F17 a worker file that throws when it starts: the same host runs in the page, and keeps sessions',
    edits: [{ find: "end('message' in event && typeof event.message === 'string' && event.message !== '' ? event.message : 'its file is missing or blocked')", replace: '' }, { find: "setTimeout(() => end('it did not answer'), readyTimeout)", replace: 'undefined' }],
  },
  { row: 'F18', rule: 'the host has a thread of its own', file: spawn, find: "if (typeof Worker === 'function' && typeof document === 'object') {", replace: 'if (workerUrl === null) {', spec: workers, test: 'F18 a page that stands still behind an alert does not stop its worker, and shows all of it in order afterwards' },
  { row: 'F19', rule: 'what comes within a frame is drawn once', file: 'src/ui/panel.ts', find: 'this.#frame ??= requestAnimationFrame(this.#draw)', replace: 'void Promise.resolve().then(this.#draw)', spec: 'test/browser/panel-frames.spec.ts', test: 'F19 events of many tasks wait for the next frame, and are drawn with it once' },
  { row: 'F20', rule: 'a page of another version gets no session', file: 'src/host/serve.ts', find: 'if (message.protocol !== protocolVersion)', replace: 'if (false)', spec: 'test/node/host.spec.ts', test: 'F20 a page of another version is told to reload, and gets no session' },
  { row: 'F20', rule: 'a worker of another version is not taken', file: spawn, find: "if (event.data['protocol'] !== protocolVersion)", replace: 'if (false)', spec: workers, test: 'F20 a worker file that is of another version: the same host runs in the page, and keeps sessions' },

  // Sleep and clocks.
  { row: 'F11', rule: 'a wait is over by the clock on the wall', file: turns, find: '      if (one.isOver) one.resolve()\n', replace: '', spec: sleep, test: asleep },
  { row: 'F11', rule: 'that for another try, too', file: step, find: 'deps.wait(delay, signal, true)', replace: 'deps.wait(delay, signal)', spec: sleep, test: 'F11 a wait for another try is over when the device wakes behind its end' },
  { row: 'F11 F44', rule: 'what came meanwhile is read first', file: turns, find: 'if (one.isOver) one.resolve()', replace: 'if (Date.now() >= one.until) one.resolve()', spec: sleep, test: 'F11 F44 a clock that is set ahead ends no answer that goes on' },

  // The endpoint.
  { row: 'F45', rule: 'a refused connection is no cut answer, and tried again', file: chat, find: 'throw call.assembly.started ? cutError(error) : networkError(error, context)', replace: 'throw cutError(error)', spec: whole, test: 'F45 refused once: stop' },
  { row: 'F45', rule: 'an answer that was cut is not asked for again', file: chat, find: 'throw call.assembly.started ? cutError(error) : networkError(error, context)', replace: 'throw networkError(error, context)', spec: whole, test: 'F45 reset in mid-text: stream-cut' },
  { row: 'F46', rule: 'an end without a finish discards its calls', file: stream, find: 'if (raw === undefined && (!marked || calls.open)) throw cutError()', replace: '', spec: whole, test: 'F46 clean end behind a whole call: stream-cut' },
  { row: 'F47', rule: 'what breaks behind the finish took nothing away', file: chat, find: 'if (assembly.finished && !call.signal.aborted &&', replace: 'if (false && !call.signal.aborted &&', spec: whole, test: 'F47 a finish, then a reset: stop' },
  { row: 'F47', rule: 'behind the finish there is no long wait', file: chat, find: '(assembly.finished ? options.linger ?? 3000 : undefined)', replace: 'undefined', spec: whole, test: 'F47 a finish, then silence: stop' },
  { row: 'F48', rule: '[DONE] ends a text', file: stream, find: '(!marked || calls.open)', replace: 'true', spec: whole, test: 'F48 [DONE] without a finish, a text: stop' },
  { row: 'F48', rule: '[DONE] cuts an open call', file: stream, find: '(!marked || calls.open)', replace: '!marked', spec: whole, test: 'F48 [DONE] without a finish, a call: stream-cut' },
  { row: 'F49', rule: 'calls of an answer that was too long are dropped', file: step, find: 'let calls = keep ? readCalls(', replace: "let calls = keep || finish === 'length' ? readCalls(", spec: whole, test: 'F49 length, and the call parses: length' },
  { row: 'F49', rule: 'arguments that were cut do not run', file: screen, find: 'if (call.raw !== undefined) {', replace: 'if (false) {', spec: whole, test: 'F49 tool_calls, though the call was cut: stop' },
  { row: 'F50', rule: 'silence before the first part has its time', file: step, find: 'betweenParts : firstPart', replace: 'betweenParts : 60_000', spec: whole, test: 'F50 silence behind the headers: model-timeout' },
  { row: 'F50', rule: 'and silence behind it its own', file: step, find: 'collected.started ? betweenParts :', replace: 'collected.started ? 60_000 :', spec: whole, test: 'F50 silence in mid-text: model-timeout' },
  { row: 'F51', rule: 'a stop ends the wait', file: step, find: 'deps.wait(delay, signal, true)', replace: 'deps.wait(delay, new AbortController().signal, true)', spec: whole, test: 'F51 a wait that the server asked for is said, and a stop ends it at once' },
  { row: 'F51', rule: 'a minute at most', file: step, find: 'Math.min(Math.max(0, asked), 60_000)', replace: 'Math.max(0, asked)', spec: whole, test: 'F51 a wait that the server asked for is said, and a stop ends it at once' },
  { row: 'F51', rule: 'a date is read', file: 'src/host/models/http-errors.ts', find: 'Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())', replace: 'undefined', spec: wire, test: 'F51 Retry-After in seconds, as a date, or in milliseconds is passed on' },
  { row: 'F51', rule: 'a used-up quota is not asked again', file: 'src/host/models/http-errors.ts', find: "['rate-limited', !quota]", replace: "['rate-limited', quota || true]", spec: whole, test: 'F51 429 for an empty purse: rate-limited' },
  { row: 'F52', rule: 'a busy server is asked again', file: step, find: 'attempt < modelRetries && isRetryable', replace: 'attempt < 0 && isRetryable', spec: whole, test: 'F52 503 once: stop' },
  { row: 'F52', rule: 'twice', file: step, find: 'attempt < modelRetries && isRetryable', replace: 'attempt < 9 && isRetryable', spec: whole, test: 'F52 529 three times: server' },
  { row: 'F53', rule: 'a refused key is asked for once more', file: chat, find: 'if (response.status === 401) {', replace: 'if (false) {', spec: whole, test: 'F53 401 once: stop' },
  { row: 'F53', rule: 'a refusal is not tried again', file: 'src/host/models/http-errors.ts', find: "if (status === 401 || status === 403) return ['unauthorized', false]", replace: "if (status === 401 || status === 403) return ['unauthorized', true]", spec: whole, test: 'F53 403: unauthorized' },
  { row: 'F54', rule: 'the words for too long are known', file: 'src/host/models/http-errors.ts', find: 'if (status === 413 || tooLong.test(words)) return', replace: 'if (status === 413) return', spec: wire, test: 'F54 the words that providers have for a request that is too long are context-overflow' },
  { row: 'F55', rule: 'a policy that refuses is named', file: chat, find: 'if (!signal.aborted && await policy.refused()) throw policyError(error, url.origin)', replace: '', spec: inBrowser, test: 'F55 a Content-Security-Policy that refuses the endpoint is named, asked once, and nothing else is, its host in the worker' },
  { row: 'F55', rule: 'an address in the clear is refused when it is set', file: 'src/page/parse-options.ts', find: "if (url.protocol !== 'https:' && !((url.protocol === 'http:' && isLocal) || isOwn)) {", replace: 'if (false) {', spec: inBrowser, test: 'F55 an address that an https page could not call is refused when it is set' },
  { row: 'F55', rule: 'the usual causes are listed', file: 'src/host/models/http-errors.ts', find: "    'an https page may not call an http address (mixed content)',\n", replace: '', spec: inBrowser, test: 'F55 a server that does not allow the page’s origin is told from nothing else, and the message lists what it may be, its host in the page' },
  { row: 'F56', rule: 'a page of HTML is named', file: chat, find: 'if (isHtml(head)) throw htmlError(context)', replace: '', spec: whole, test: 'F56 a page of HTML: bad-response' },
  { row: 'F57', rule: 'a whole answer is taken', file: chat, find: 'if (/^\\s*[{[]/.test(head)) yield*', replace: 'if (false) yield*', spec: whole, test: 'F57 JSON, whole: stop' },
  { row: 'F58', rule: 'an error inside a stream is that error', file: stream, find: '    if (error !== undefined) return fail(error)\n    usage', replace: '    usage', spec: whole, test: 'F58 an error in a 200 stream, in mid-text: server' },
  { row: 'F58', rule: 'an event named error, too', file: chat, find: "if (event === 'error' && ", replace: 'if (false && ', spec: whole, test: 'F58 an error event, behind a whole call: rate-limited' },
  { row: 'F59', rule: 'a line that is no JSON ends the stream', file: chat, find: 'throw badResponse(`A line of the stream is not JSON: ${quoted(data, context.secrets)}`)', replace: 'return []', spec: whole, test: 'F59 a line that is not JSON, in mid-text: bad-response' },
  { row: 'F60', rule: 'a character may come in two reads', file: 'src/host/models/sse.ts', find: 'decoder.decode(read.value.subarray(0, room), { stream: true })', replace: 'decoder.decode(read.value.subarray(0, room))', spec: wire, test: 'F60 a character whose bytes come one at a time is one character' },
  { row: 'F61', rule: 'data in several lines is one event', file: 'src/host/models/sse.ts', find: "if (data.trim() !== '') events.push({ event, data })", replace: "for (const line of data.split('\\n')) if (line.trim() !== '') events.push({ event, data: line })", spec: wire, test: 'F60 F61 byte by byte, with CRLF or CR, a BOM, comments, several data lines, other fields and no space behind the colon' },
  { row: 'F62', rule: 'a flood has a bound', file: 'src/host/models/sse.ts', find: 'if (bytes <= options.limit) continue', replace: 'continue', spec: wire, test: 'F62 an answer longer than responseBytes is refused and the connection let go' },
  { row: 'F62', rule: 'what came within the bound counts', file: 'src/host/models/sse.ts', find: "if (text !== '') yield text\n      if (bytes", replace: "if (text !== '' && bytes <= options.limit) yield text\n      if (bytes", spec: wire, test: 'F62 what came within the bound is kept, though more comes in the same read' },
  { row: 'F62', rule: 'what arrives together is told together', file: chat, find: 'yield* joined(read(reader.feed(text)))', replace: 'yield* read(reader.feed(text))', spec: whole, test: 'F62 what arrives together is told together: a flood of tiny chunks is no flood of events' },
  { row: 'F64', rule: 'events that nobody knows are passed over', file: stream, find: "      if (event['usage'] === undefined) ignored++\n", replace: '      return noCompletion(event as JsonValue)\n', spec: whole, test: 'F64 events and parts that nobody knows: stop' },
  { row: 'F64', rule: 'and counted', file: stream, find: "      if (event['usage'] === undefined) ignored++\n", replace: '', spec: 'test/node/wire-assembly.spec.ts', test: 'F64 unknown events and parts are ignored and counted' },
  { row: 'F65', rule: 'arguments that are no object are a format error', file: screen, find: 'if (call.raw !== undefined) {', replace: 'if (false) {', spec: whole, test: 'F65 arguments that are no JSON, no object, too many, of another type: stop' },
  { row: 'F65', rule: 'arguments that do not fit are told', file: 'src/page/answers.ts', find: "if ('issues' in checked) return this.#refused(call, invalidInput(checked.issues), onInvalidInput)\n    const asTold", replace: 'const asTold', spec: whole, test: 'F65 arguments that are no JSON, no object, too many, of another type: stop' },
  { row: 'F66', rule: 'a tool that is not on offer is unknown', file: screen, find: 'if (!offered.has(call.name)) {', replace: 'if (false) {', spec: whole, test: 'F66 a tool that is not there, one that was not offered, one that is there but for case: stop' },
  { row: 'F67', rule: 'an empty answer is asked for once more', file: 'src/core/loop.ts', find: "if (!nudge && isEmpty(outcome) && outcome.finish === 'stop') outcome = await", replace: 'if (false) outcome = await', spec: whole, test: 'F67 nothing, twice: no-answer' },
  { row: 'F67', rule: 'and once alone', file: 'src/core/loop.ts', find: "if (finish === 'tool-calls' || !hasText) return endsAs('no-answer')", replace: '', spec: whole, test: 'F67 reasoning alone, twice: no-answer' },
  { row: 'F68', rule: 'the same call for ever is stopped', file: screen, find: 'if (repeated >= 5)', replace: 'if (repeated >= 50)', spec: whole, test: 'F68 the same call for ever: repeated-calls' },
  { row: 'F69', rule: 'offline is no attempt', file: step, find: 'attempt: attempt--', replace: 'attempt', spec: whole, test: 'F69 offline is no attempt: the turn waits as long as it takes and then goes on' },
  { row: 'F69', rule: 'a device without a network is told from a server that is not there', file: 'src/host/models/offline.ts', find: 'globalThis.navigator?.onLine === false ?', replace: 'false ?', spec: whole, test: 'F69 offline is no attempt: the turn waits as long as it takes and then goes on' },
  { row: 'F69', rule: 'the network is waited for', file: 'src/host/waits.ts', find: 'await Promise.race([heard, wait(probeEvery, either)])', replace: 'await wait(2 ** 31 - 1, either)', spec: whole, test: 'F69 offline is no attempt: the turn waits as long as it takes and then goes on' },

  // Tools.
  { row: 'F73', rule: 'a call is held against the definition that was offered', file: 'src/page/answers.ts', find: 'return spec.hash === hash ? { entry, spec } : undefined', replace: 'return { entry, spec }', spec: calls, test: 'F73 a tool that is registered anew with another definition is another tool: a call of the old one does not run it' },
  { row: 'F74', rule: 'a call is executed once', file: 'src/page/answers.ts', find: '    if (known) return known\n', replace: '', spec: 'test/node/answers.spec.ts', test: 'C100 F74 R6.5 an execution asked for twice under one call id runs once, and both asks get its outcome' },
  { row: 'F75', rule: 'a row tells its buttons from those of the next', file: refs, find: "const row = element.closest('tr,li,[role=row],[role=listitem],article')", replace: 'const row = null as Element | null', spec: pageTools, test: 'F75 never mean another element: the button of a row that went is stale, with what is there now' },
  { row: 'F75', rule: 'a ref means the re-rendered element', file: refs, find: 'if (!heir || candidates.length > 1 || refs.has(heir)) return undefined', replace: 'if (heir || candidates.length >= 0) return undefined', spec: pageTools, test: 'F75 mean the same element over readings, and the re-rendered one after a re-render' },
  { row: 'F75', rule: 'one of twins is nobody', file: refs, find: 'candidates.length > 1 || ', replace: '', spec: pageTools, test: 'F75 of twins that went are stale, however many take their place' },
  { row: 'F76', rule: 'what a field holds is read again', file: 'src/tools/fill/form-fill.ts', find: 'if (!await holds(current, plan, sight)) {', replace: 'if (false) {', spec: form, test: 'F76 reports a value that the page reformats or refuses as it is now' },
  { row: 'F79', rule: 'a field that the user works in is left alone', file: 'src/tools/fill/form-fill.ts', find: "  if (touched) { one.problem = 'Left alone: the user is working in this field'; return }\n", replace: '', spec: form, test: 'F79 leaves a field alone that the user types in meanwhile, and never takes the focus' },
  { row: 'F80', rule: 'an answer is bounded', file: 'src/tools/read/page-read.ts', find: 'if (index > start && length + line.length + 1 > maxChars) break', replace: '', spec: pageTools, test: 'F80 terminates, bounded, on a page of a hundred thousand elements' },
]
