// The two names of zod that convert a schema, in a file that is loaded by itself: an `import()` of the package would
// bring all of it, with its messages in sixty languages.
export { globalRegistry, toJSONSchema } from 'zod/v4/core'
