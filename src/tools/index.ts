// `tool-agent/tools`: the page tools for page authors, and WebMCP, of which a page that names page tools loads nothing.
export { actTools } from './act/index.js'
export { fillTools, readTools } from './lists.js'
export { exposeToWebMcp, webMcpTools, type ExposeOptions } from './webmcp.js'
