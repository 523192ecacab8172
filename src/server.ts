// `tool-agent/server`: conversations and turns on a server of the author, who opens the sockets and the database.
// Imports nothing of Node.
export { ToolAgentError } from './core/data/errors.js'
export type { StorageKind } from './core/data/session.js'
export type { Arrived, Cluster, LeasedSession, Mail } from './core/state/cluster.js'
export type {
  FileStore,
  LongResult,
  SessionHead,
  Store,
  StoreChange,
  TextRange,
  UploadedFile,
} from './core/state/store.js'
export type { SqliteHandle, SqliteStatement, SqliteValue } from './host/store/sqlite/handle.js'
export type { PostgresClient, PostgresPool, PostgresQueries } from './host/store/postgres/pool.js'
export { postgresStore, type PostgresStore, type PostgresStoreOptions } from './host/store/postgres/postgres-store.js'
export { sqliteStore, type SqliteStore } from './host/store/sqlite/sqlite-store.js'
export type { BeforeTurn, TurnToStart, Used } from './server/sessions/budget.js'
export {
  SessionServer,
  type ServerLimits,
  type SessionServerHooks,
  type SessionServerOptions,
  type SocketUser,
} from './server/session-server.js'
export type { SocketLike } from './server/socket.js'
export type { ToolUser } from './server/tools/tool-list.js'
export type { UpgradeRequest } from './server/origin.js'
export { uploadHandler, type UploadOptions, type UploadRequest, type UploadResponse } from './server/upload.js'
export { upgradeHandler, type UpgradeOptions, type UpgradeSocket, type WebSocketServerLike } from './server/upgrade.js'
