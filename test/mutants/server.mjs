// Mutants of what a server reads from its pages.
const spec = 'test/node/server/guest-protocol.spec.ts'
export default [
  {
    rule: 'what a page has run is untrusted',
    file: 'src/server/protocol/values.ts',
    find: '.transform((given) => ({ ...given, untrusted: true })) satisfies z.ZodType<ExecutionResult>',
    replace: '.transform((given) => ({ ...given, untrusted: false }))',
    spec,
    test: 'a message of each form is read, and nothing that a page says counts as trusted',
  },
  {
    rule: 'a list from a page has an end',
    file: 'src/server/protocol/bounds.ts',
    find: 'z.array(item).max(max)',
    replace: 'z.array(item)',
    spec,
    test: 'each field of each message is refused with another type, too long, or as a list without end',
  },
  {
    rule: 'a tool of a page has no field that the protocol does not name',
    file: 'src/server/protocol/values.ts',
    find: 'const toolSpec = z.strictObject({',
    replace: 'const toolSpec = z.looseObject({',
    spec,
    test: 'a field that does not exist is refused at every level, and a prototype key anywhere',
  },
  {
    rule: 'a message with a prototype key is not looked at closer',
    file: 'src/server/protocol/parse-guest.ts',
    find: "Object.hasOwn(value, '__proto__')",
    replace: 'false',
    spec,
    test: 'a field that does not exist is refused at every level, and a prototype key anywhere',
  },
]
