// What a document of the cuts runs: the real client of a page. Bundled as a function, so that each document has modules
// of its own, and its own window, storage, timers and sockets.
export { Agent } from '../../../../src/page/agent.js'
export { connectHost } from '../../../../src/page/client/remote/connect-host.js'
