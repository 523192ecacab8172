// What is needed once arguments do not fit, and for schemas that must be converted: one chunk, which most pages never load.
export { coerce, rounded } from './coerce.js'
export { cheapPart } from './plain-part.js'
export { issueOf } from './validation-issue.js'
export { issuesOf } from './json-schema-issues.js'
export { modernized } from '../schema/dialects.js'
export { convertZod3, zod4Converter } from '../schema/zod.js'
