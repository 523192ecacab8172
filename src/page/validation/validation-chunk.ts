// One chunk with what is needed for invalid arguments and for JSON Schema of older dialects. Most pages never load it.
export { coerceArguments, roundedNumbers } from './coerce.js'
export { plainPart } from './plain-part.js'
export { toValidationIssue } from './validation-issue.js'
export { toValidationIssues } from './json-schema-issues.js'
export { toModernDialect } from '../schema/dialects.js'
