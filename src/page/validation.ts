// What is needed once arguments do not fit: one chunk, loaded then, since most always do.
export { coerce, rounded } from './coerce.js'
export { issueOf } from './issue.js'
export { issuesOf } from './json-schema-issues.js'
