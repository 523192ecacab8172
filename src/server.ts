// `tool-agent/server`: what a server of the author needs to keep conversations. Imports nothing of Node.
export { ToolAgentError } from './core/data/errors.js'
export type { SessionHead, Store, StoreChange } from './core/state/store.js'
export type { SqliteHandle, SqliteStatement, SqliteValue } from './host/store/sqlite/handle.js'
export { sqliteStore, type SqliteStore } from './host/store/sqlite/sqlite-store.js'
