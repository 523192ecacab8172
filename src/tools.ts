// `tool-agent/tools`: the page tools for page authors, and WebMCP, of which a page that names page tools loads nothing.
export { actTools } from './page-tools/act/act-tools.js'
export { fillTools, readTools } from './page-tools/tool-lists.js'
export { exposeToWebMcp, webMcpTools, type ExposeOptions } from './page-tools/webmcp/webmcp.js'
