// `tool-agent/worker`: the host without a page, for a worker of your own and for Node. By default a page starts
// `worker.js` instead, which is built from host/worker.ts.
export { ToolAgentError } from './core/data/errors.js'
export type { ModelAdapter, ModelPart, ModelRequest } from './core/data/model.js'
export type { HostMessage, PageMessage, Port } from './core/data/protocol.js'
export type { SessionHead, Store, StoreChange } from './core/state/store.js'
export { serve, type ServeOptions } from './host/serve.js'
export { memoryStore, type MemoryDisk } from './host/store/memory-store.js'
export { openStore } from './host/store/open-store.js'
