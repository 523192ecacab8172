// What a page needs once its agent is connected, as one chunk that is loaded while the host starts: the answers to the
// host's asks and, behind them, offers, approval, execution.
export { Answers, invalidInput } from './answers.js'
export { approvalHash } from './approval.js'
export { lintHooks, lintTool } from '../tools/lint-tool.js'
