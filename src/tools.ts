// `tool-agent/tools`: the page tools and WebMCP for pages that register them explicitly.
export { actTools } from './page-tools/act/act-tools.js'
export { fillTools, readTools } from './page-tools/definitions/tool-lists.js'
export { exposeToWebMcp, webMcpTools, type ExposeOptions } from './page-tools/webmcp/webmcp.js'
