// `tool-agent/server`: what a server of the author needs to keep conversations. Imports nothing of Node.
export { ToolAgentError } from './core/data/errors.js'
export type { StorageKind } from './core/data/session.js'
export type { LongResult, SessionHead, Store, StoreChange, TextRange } from './core/state/store.js'
export type { SqliteHandle, SqliteStatement, SqliteValue } from './host/store/sqlite/handle.js'
export { sqliteStore, type SqliteStore } from './host/store/sqlite/sqlite-store.js'
