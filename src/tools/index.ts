// `tool-agent/tools`: the page tools for page authors.
export { fillTools, readTools } from './lists.js'
