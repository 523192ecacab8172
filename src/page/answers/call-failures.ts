// Failures of a call that more than one answer gives.
import type { Failure } from '../../core/data/errors.js'
import { issuesText, type ValidationIssue } from '../schema/validation-issue.js'

/** The tool was unregistered or replaced since it was offered. */
export function unavailableTool(name: string): Failure {
  return { code: 'unavailable', message: `The tool '${name}' is no longer available on this page.` }
}

/** The arguments do not match the input schema. `details` lists all issues, the message at most ten. */
export function invalidInput(issues: readonly ValidationIssue[]): Failure {
  return {
    code: 'invalid-input',
    message: `The arguments do not fit the tool. ${issuesText(issues)}`,
    details: issues.map((issue) => ({ ...issue })),
  }
}
