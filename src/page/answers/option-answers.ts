// One chunk: the answers that only some options need: `headers`, `hooks.beforeModel` and `modelAdapter`.
export { changedRequest } from './before-model.js'
export { requestHeaders } from './headers.js'
export { streamModel } from './model.js'
