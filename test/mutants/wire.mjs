// Rules of stream assembly: how deltas become text, reasoning and calls.
const assembly = { file: 'src/host/models/chat-calls.ts', spec: 'test/node/wire-assembly.spec.ts' }
const stream = { file: 'src/host/models/chat-stream.ts', spec: 'test/node/wire-assembly.spec.ts' }

export default [
  {
    ...assembly, row: 'C01', rule: 'another id with a name under the same index begins another call',
    find: "return id !== '' && at.given !== '' && id !== at.given && name !== '' ? undefined : at", replace: 'return at',
    test: 'C01 two calls without arguments under the same index are two calls',
  },
  {
    ...assembly, row: 'C01', rule: 'whole arguments, then an object again under the same index, begin another call',
    find: "return (delta.whole || delta.text.trimStart().startsWith('{')) && parses(call.text)", replace: 'return false',
    test: 'C01 two whole calls of the same tool under the same index without ids are two calls',
  },
  {
    ...assembly, row: 'C02', rule: 'without index and id a delta goes on with the latest call',
    find: 'const latest = known ?? calls.at(-1)', replace: 'const latest = known',
    test: 'C02 without an index, arguments without an id go to the latest call',
  },
  {
    ...assembly, row: 'C03 F63', rule: 'an index is a name, not a place in a list',
    find: 'byIndex.set(delta.index, call)', replace: 'byIndex.set(calls.indexOf(call), call)',
    test: 'C03 a gap in the indexes leaves no hole',
  },
  {
    ...assembly, row: 'C04', rule: 'an empty or missing id is generated',
    find: "call.id = call.given === '' || shownIds.has(call.given) ? newId() : call.given", replace: 'call.id = call.given',
    test: 'C04 an empty, null or missing id is generated',
  },
  {
    ...assembly, row: 'C05 F63', rule: 'the second call with an id gets one of its own',
    find: 'shownIds.has(call.given)', replace: 'false',
    test: 'C05 the same id on two calls gives the second an id of its own',
  },
  {
    ...assembly, row: 'C07', rule: 'an id seen before goes on with its call',
    find: 'id !== at.given && ', replace: '',
    test: 'C07 id and name repeated on every delta are one call',
  },
  {
    ...assembly, row: 'C08', rule: 'another id without a name is noise',
    find: "id !== at.given && name !== '' ?", replace: 'id !== at.given ?',
    test: 'C08 a new id on every delta without a name is one call',
  },
  {
    ...assembly, row: 'C09', rule: 'a name may come after the arguments began',
    find: "if (call.text === '' || call.name === '') call.name", replace: "if (call.text === '') call.name",
    test: 'C09 a name that comes after the arguments began is waited for',
  },
  {
    ...assembly, row: 'C10', rule: 'pieces of a name are joined',
    find: 'return name.startsWith(known) ? name : known + name', replace: 'return name',
    test: 'C10 a name in pieces is joined until the arguments begin',
  },
  {
    ...assembly, row: 'C11', rule: 'arguments as an object become JSON',
    find: 'JSON.stringify(given)', replace: 'String(given)',
    test: 'C11 arguments as an object become text',
  },
  {
    ...assembly, row: 'C12', rule: 'arguments that parse are not yet complete',
    find: 'parts.push(...show(call, delta.text))',
    replace: "parts.push(...show(call, delta.text), ...(parses(call.text) ? [{ type: 'tool-call' as const, toolCallId: call.id, toolName: call.name, input: call.text }] : []))",
    test: 'C12 no call comes out before the finish was seen',
  },
  {
    ...assembly, row: 'C13', rule: 'an entry that says nothing is no call',
    find: 'return calls.filter(said).flatMap(', replace: 'return calls.flatMap(',
    test: 'C13 empty tool_calls, null entries and an entry with a null function leave no orphan',
  },
  {
    ...stream, row: 'C14', rule: 'text does not close a call',
    find: 'parts.push(...write(piece.type, piece.text))', replace: 'parts.push(...calls.end(), ...write(piece.type, piece.text))',
    test: 'C14 text between arguments does not close the call',
  },
  {
    ...stream, row: 'C14', rule: 'a call does not close the text',
    find: 'parts.push(...calls.add(', replace: 'parts.push(...close(), ...calls.add(',
    test: 'C14 text around a call is one text',
  },
  {
    ...assembly, row: 'C15', rule: 'a delta needs no type',
    find: 'if (!isObject(entry)) return undefined', replace: "if (!isObject(entry) || entry['type'] !== 'function') return undefined",
    test: 'C15 an empty role and a missing type are accepted',
  },
  {
    ...stream, row: 'C16', rule: 'of two names for the same reasoning one is taken',
    find: "parts.push(...write('reasoning', field === undefined ? detailed : String(delta[field]), field))",
    replace: "for (const name of ['reasoning_content', 'reasoning']) if (delta[name]) parts.push(...write('reasoning', String(delta[name]), name))",
    test: 'C16 reasoning under both names is taken once, and says which name it came under',
  },
  {
    ...stream, row: 'C17', rule: 'an error object in the stream is an error',
    find: 'if (error !== undefined) return fail(error)', replace: 'if (error !== undefined) return []',
    test: 'C17 an error object in the stream is an error with the provider’s words',
  },
  {
    ...stream, row: 'C18', rule: 'an end without a finish is no success', spec: 'test/node/wire.spec.ts',
    find: 'if (raw === undefined && (!marked || calls.open)) throw cutError()', replace: '',
    test: 'C18 F46 an end without a finish is stream-cut, with the text so far and no call',
  },
  {
    ...stream, row: 'C19', rule: 'usage may come without choices',
    find: "usage = usageOf(event['usage']) ?? ", replace: "usage = (event['choices']?.length ? usageOf(event['usage']) : undefined) ?? ",
    test: 'C19 usage comes from a chunk without choices, from the last choice chunk, or from a provider’s own place',
  },
  {
    file: 'src/host/models/sse.ts', spec: 'test/node/wire.spec.ts', row: 'C19', rule: 'a character may be cut in two',
    find: 'decoder.decode(read.value.subarray(0, room), { stream: true })', replace: 'decoder.decode(read.value.subarray(0, room))',
    test: 'byte by byte, with CRLF or CR, a BOM, comments, several data lines, other fields and no space behind the colon',
  },
]
