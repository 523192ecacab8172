// One chunk, loaded while the host starts: what a page needs after its agent is connected. The answers import offers,
// approval and execution.
export { Answers } from './answers.js'
export { approvalHash } from './approval.js'
export { invalidInput } from './call-failures.js'
export { lintHooks, lintTool } from '../hints/hints.js'
export { compileTool } from '../tools/compile-tool.js'
