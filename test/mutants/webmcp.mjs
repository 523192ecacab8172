// Tools that a page offers to agents, and the agent's own for agents from outside.
const node = 'test/node/discovered.spec.ts'
const forms = 'test/browser/webmcp-forms.spec.ts'
const approval = 'src/page/approval.ts'
const discovery = 'src/tools/webmcp/discovery.ts'
const form = 'src/tools/webmcp/forms.ts'

const first = 'S6 R7.2 a discovered tool asks at its first use in a session, whatever its hints claim, and not again'
const reload = 'R7.2 the yes is kept over a reload, and so is a question that waits'
const schema = 'S17 the schema is what people read beside the controls; private, hidden, unseen and read-only ones and files are not in it'
const stale = 'S3 R2.13 a form that changed between the offer and the call does not run, one that is gone says so'

export default [
  { row: 'S6 R7.2', rule: 'a discovered tool asks', file: approval, find: 'entry.tool[discovered] && !isGranted', replace: 'false', spec: node, test: first },
  { row: 'S6 R7.2', rule: 'the first yes holds', file: 'src/core/calls.ts', find: 'decision.remember || once', replace: 'decision.remember', spec: node, test: first },
  { row: 'R7.2', rule: 'the yes is stored', file: 'src/page/answers.ts', find: '...(need.once ? { once: true } : {})', replace: '...({})', spec: node, test: reload },
  { row: 'S3 R7.2', rule: 'the yes is bound to the definition', file: approval, find: ' && grant.hash === spec.hash', replace: '', spec: node, test: 'S3 R7.2 a changed description or schema asks again' },
  { row: 'R7.2 R7.7', rule: 'what it says is outside text', file: 'src/page/tool-rules.ts', find: ', untrustedContentHint: true }', replace: ' }', spec: node, test: 'R7.2 R7.7 what a discovered tool says, also as an error, is fenced' },
  { row: 'S6', rule: 'that it may run twice is a claim', file: 'src/page/tool-rules.ts', find: 'readOnlyHint: false, idempotentHint: false, ', replace: '', spec: node, test: 'S6 a claim that a call may run twice is not believed: a discovered tool that timed out is not tried again' },
  { row: 'S17', rule: 'private fields are not in the schema', file: 'src/tools/webmcp/parameters.ts', find: "!secret && type !== 'file' && type !== 'password' && ", replace: '', spec: forms, test: schema },
  { row: 'S18', rule: 'an incomplete form is not sent', file: form, find: "!unchecked && form.matches(':invalid')", replace: 'false', spec: forms, test: 'S18 a form that wants a private field is filled and not sent, and says what the user has to do' },
  { row: 'S14', rule: 'another site has consequences', file: form, find: '.origin !== location.origin', replace: ".protocol === 'javascript:'", spec: forms, test: 'S14 a form that sends to another site is marked as one with consequences' },
  { row: 'S3', rule: 'words are within bounds', file: 'src/tools/webmcp/found.ts', find: 'short(clean(text), most)', replace: 'text', spec: forms, test: 'S3 words of a tool are cut and cleaned' },
  { row: 'S3 R2.13', rule: 'what runs is what was offered', file: discovery, find: 'canonicalJson(now.definition) !== canonicalJson(definition)', replace: 'false', spec: forms, test: stale },
]
