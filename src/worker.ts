// `tool-agent/worker`: the host as a library, for your own worker, for Node and for tests. The ready-made worker file
// `worker.js` is built from host/worker.ts.
export { ToolAgentError } from './core/data/errors.js'
export type { ModelAdapter, ModelPart, ModelRequest } from './core/data/model.js'
export type { HostMessage, PageMessage, Port } from './core/data/protocol.js'
export type { Store } from './core/data/store.js'
export { serve, type ServeOptions } from './host/serve.js'
export { memoryStore } from './host/store/memory-store.js'
export { openStore } from './host/store/open-store.js'
export { replayTrace, type Replay } from './page/trace/replay.js'
export type { Trace } from './page/trace/recorder.js'
