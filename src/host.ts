// `tool-agent/worker`: the host by itself, for a worker of the page author's own, for Node, for tests. The file that
// starts when no one says otherwise is `worker.js`, from host/worker.ts.
export { ToolAgentError } from './core/errors.js'
export type { ModelAdapter, ModelPart, ModelRequest } from './core/model.js'
export type { HostMessage, PageMessage, Port } from './core/protocol.js'
export type { Store } from './core/store.js'
export { serve, type ServeOptions } from './host/serve.js'
export { memoryStore } from './host/store/memory.js'
export { openStore } from './host/store/open.js'
export { replayTrace, type Replay } from './page/replay.js'
export type { Trace } from './page/trace.js'
