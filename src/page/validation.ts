// What is needed once arguments are looked at closely: one chunk, loaded at the first call of a tool with a plain JSON
// Schema or the first arguments that do not fit, so that registering tools stays cheap.
export { coerce, rounded } from './coerce.js'
export { issueOf } from './issue.js'
export { jsonCheck } from './json-schema-check.js'
