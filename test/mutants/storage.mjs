// The rules of storage: one transaction a commit, losses, refusals and full disks, and what is damaged or old.
const idb = 'src/host/store/idb.ts'
const claims = 'src/host/store/claims.ts'
const records = 'src/host/store/records.ts'
const openStore = 'src/host/store/open.ts'
const writer = 'src/host/session-writer.ts'
const serve = 'src/host/serve.ts'

const host = 'test/node/host.spec.ts'
const writing = 'test/node/session-writer.spec.ts'
const node = 'test/node/store.spec.ts'
const store = 'test/browser/store.spec.ts'
const faults = 'test/browser/storage-faults.spec.ts'

const contract = 'F24 F40 F41 R6.1 IndexedDB keeps the contract of all stores'
const transaction = 'F3 F40 R6.1 a commit is one transaction, strict only where it was asked for'
const emptied = 'F32 F33 a database deleted underneath is opened again; what was stored is a storage error, not a deletion by the user'
const lost = 'F34 a connection that was lost is opened again once, and no more'
const backing = 'F35 a backing store that does not open is tried again three times, and nothing is deleted'
const damaged = 'F37 damaged records leave the rest of the session readable'
const fails = 'F28 F34 F43 R6.1 a store that fails is replaced by memory: the turn goes on, and the page is told that nothing is saved'
const refused = 'F27 R6.1 a storage that is refused: everything works, the panel says that it is not saved and gives the conversation as a file'

export default [
  {
    row: 'F3 R6.1', rule: 'the epoch is compared in the transaction that writes', file: idb, spec: store, test: transaction,
    find: "await connection.write(storeNames, change.strict === true, async (tx) => {",
    replace: "await connection.write(['sessions'], false, (tx) => tx.objectStore('sessions').get(id))\n      await connection.write(storeNames, change.strict === true, async (tx) => {",
  },
  { row: 'R6.1', rule: 'a commit that asks for the disk waits for it', file: idb, find: "durability: strict ? 'strict' : 'relaxed'", replace: "durability: 'relaxed'", spec: store, test: transaction },
  {
    row: 'R6.1', rule: 'the start of what may not run twice waits for the disk', file: 'src/core/store.ts', find: 'strict: event.type === \'tool-start\' && !event.repeatable ? true : undefined', replace: 'strict: undefined', spec: writing,
    test: 'R6.1 the start of a call that may not run twice waits for the disk, that of another does not',
  },
  {
    row: 'R6.1', rule: 'and of nothing else', file: 'src/core/store.ts', find: 'strict: event.type === \'tool-start\' && !event.repeatable ? true', replace: 'strict: event.type === \'tool-start\' ? true', spec: writing,
    test: 'R6.1 the start of a call that may not run twice waits for the disk, that of another does not',
  },
  {
    row: 'F3 F4 R6.1', rule: 'what is told is stored', file: writer, find: '      await this.#commit(changeOf(this.session, next, event))', replace: '      void this.#commit(changeOf(this.session, next, event))', spec: writing,
    test: 'F3 F4 R6.1 an event is told, and whoever waits for it goes on, when it is stored',
  },
  {
    row: 'F4', rule: 'no two commits overlap', file: writer, find: 'const done = this.#chain.then(() => this.#apply(event, path))', replace: 'const done = this.#apply(event, path)', spec: writing,
    test: 'F4 events that come while one is being stored wait for it, in their order',
  },
  { row: 'F40', rule: 'nothing foreign is awaited inside a transaction', file: idb, find: 'await Promise.all(puts(tx, id, epoch, change))', replace: 'await new Promise((resolve) => setTimeout(resolve))\n        await Promise.all(puts(tx, id, epoch, change))', spec: store, test: contract },
  { row: 'F41 R6.1', rule: 'what fails undoes all of its transaction', file: idb, find: '      tx.abort()\n', replace: '', spec: store, test: contract },
  { row: 'F24 R6.1', rule: 'an older epoch writes nothing', file: claims, find: 'stored === epoch && ', replace: '', spec: store, test: 'F24 R6.1 a session is there after a reload, and a new host takes it over' },
  {
    row: 'F24 R6.1', rule: 'a host that was fenced off says so', file: claims, find: 'stored === epoch && ', replace: '', spec: 'test/node/resume.spec.ts',
    test: 'F24 R6.1 a host whose session was claimed by another writes nothing more and says so',
  },
  { row: 'F24 R6.1', rule: 'of two that claimed a new session the first to commit has it', file: claims, find: "stored === epoch && state !== 'new'", replace: 'stored === epoch', spec: store, test: contract },
  { row: 'F24', rule: 'a claim raises the epoch', file: idb, find: 'const epoch = head.epoch + 1', replace: 'const epoch = head.epoch', spec: store, test: contract },
  {
    row: 'F24', rule: 'a commit writes what changed alone', file: 'src/core/store.ts', find: 'before.messages[index + shift] === message ? []', replace: 'before === after ? []', spec: writing,
    test: 'F24 a commit holds what changed: never a message that is as it was',
  },
  {
    row: 'F25', rule: 'a deleted session is not created again', file: claims, find: "if (state === 'stored' || epoch !== 1) throw", replace: 'if (epoch !== 1) throw', spec: host,
    test: 'a session deleted elsewhere is not written again; the page is told and no longer busy',
  },
  {
    row: 'F25', rule: 'results go with their session', file: idb, find: "        tx.objectStore('results').delete(allOf(id)),\n", replace: '', spec: faults,
    test: 'F25 a session that is deleted is gone from all stores, also while an answer streams into it and with a result that was cut',
  },
  { row: 'R6.1', rule: 'a session opens by its newest messages', file: idb, find: 'let start = Math.max(0, length - limit)', replace: 'let start = 0', spec: store, test: contract },
  { row: 'R6.1', rule: 'a window begins where a turn does', file: idb, find: "while (limit > 0 && start > 0 && messages[0]?.role !== 'user')", replace: 'while (false)', spec: store, test: contract },

  // Losses.
  { row: 'F31', rule: 'an opening that hears nothing has a time', file: idb, find: "reject(new ToolAgentError('storage', 'Another tab", replace: "void (new ToolAgentError('storage', 'Another tab", spec: store, test: 'F31 an opening that waits behind a blocked one ends with a storage error, and works once the other tab lets go' },
  {
    row: 'F30 R6.1', rule: 'then memory stands in, and what to do is said', file: idb, find: "reject(new ToolAgentError('storage', 'Another tab holds an old version of the storage. Close the other tabs of this site.'))", replace: "reject(new ToolAgentError('storage', 'Blocked'))", spec: faults,
    test: 'F30 F31 F32 R6.1 another tab that holds the storage: the agent works from memory, says what to do, and saves all of it once the tab lets go',
  },
  {
    row: 'F30 R6.1', rule: 'what was said meanwhile moves to the storage once it can be had', file: 'src/host/serve.ts', find: 'if (opened?.writer.stored) return opened.writer.moveTo(store)', replace: 'if (opened?.writer.stored) return undefined', spec: faults,
    test: 'F30 F31 F32 R6.1 another tab that holds the storage: the agent works from memory, says what to do, and saves all of it once the tab lets go',
  },
  { row: 'F32', rule: 'another tab that upgrades or deletes is not held up', file: idb, find: '      (event.target as IDBDatabase).close()\n', replace: '', spec: store, test: emptied },
  { row: 'F33', rule: 'a database that the browser emptied is no deletion by the user', file: idb, find: '      if (from === 0) onCreated?.()\n', replace: '', spec: store, test: emptied },
  {
    row: 'F33 R6.1', rule: 'what was cleared is written anew', file: writer, find: 'if (!isGone || !(await', replace: 'if (!isGone || isGone || !(await', spec: faults,
    test: 'F33 R6.1 site data that is cleared while the page is open: the session goes on and is saved anew, whole',
  },
  { row: 'F34', rule: 'a lost connection is opened again', file: idb, find: '          if (attempt === 0) continue\n', replace: '', spec: store, test: lost },
  { row: 'F34', rule: 'once', file: idb, find: 'if (attempt === 0) continue', replace: 'if (attempt < 3) continue', spec: store, test: lost },
  { row: 'F34', rule: 'the dead handle is dropped', file: idb, find: '          if (current === opening) current = undefined\n', replace: '', spec: store, test: lost },
  { row: 'F35', rule: 'a backing store that does not open is tried again', file: idb, find: 'if (attempt === 3 ||', replace: 'if (attempt === 2 ||', spec: store, test: backing },
  { row: 'F35', rule: 'three times', file: idb, find: 'if (attempt === 3 ||', replace: 'if (attempt === 9 ||', spec: store, test: backing },
  { row: 'F36', rule: 'a newer version is said', file: idb, find: "name === 'VersionError'", replace: "name === 'none'", spec: store, test: 'F36 a database of a newer version is a storage error and stays as it is' },
  {
    row: 'F36', rule: 'why memory stands in is told', file: openStore, find: "{ ...memoryStore(), failure: failureOf(thrown, 'storage'), later }", replace: 'memoryStore()', spec: faults,
    test: 'F36 a storage of a newer version is left as it is: the agent works from memory and says so',
  },
  {
    row: 'F38', rule: 'a migration that throws undoes the upgrade', file: idb, spec: store, test: 'F38 a migration that throws half way is undone, and the old version is intact',
    find: 'migrate(unwrap(database) as unknown as IDBDatabase, unwrap(transaction) as unknown as IDBTransaction, from)',
    replace: 'try { migrate(unwrap(database) as unknown as IDBDatabase, unwrap(transaction) as unknown as IDBTransaction, from) } catch { /* it goes on */ }',
  },
  {
    row: 'F39', rule: 'what an old version wrote is read', file: records, find: "if (!isObject(record) || !hasStrings(record, 'id') || typeof record['at'] !== 'number') return false", replace: "if (!isObject(record) || !hasStrings(record, 'id', 'since') || typeof record['at'] !== 'number') return false", spec: 'test/browser/schema-fixtures.spec.ts',
    test: 'F39 schema-1.json loads: its sessions are listed, read, gone on with and sent',
  },

  // Nothing to store in.
  { row: 'F27 R6.1', rule: 'without a storage memory stands in', file: openStore, find: '    // The snapshot', replace: '    throw thrown\n    // The snapshot', spec: faults, test: refused },
  { row: 'F27 R6.1', rule: 'and the user is told', file: serve, find: 'if (failure) report(failure)', replace: 'void failure', spec: faults, test: refused },
  { row: 'F27', rule: 'where locks are refused nobody shares anything', file: 'src/host/session-lock.ts', find: 'return patient.signal.aborted ? undefined : () => undefined', replace: 'return undefined', spec: faults, test: 'F27 in a sandboxed frame, which may keep nothing, an agent works from memory' },
  { row: 'F28 F34 F43 R6.1', rule: 'a disk that fails is replaced by memory', file: writer, find: "failure.code !== 'storage' || this.store.kind === 'memory'", replace: 'true', spec: host, test: fails },
  { row: 'F28 F43 R6.1', rule: 'and the page is told', file: writer, find: "    this.#post(++this.seq, [], { type: 'storage-change', storage: 'memory', error })\n", replace: '', spec: host, test: fails },
  { row: 'F28', rule: 'a full disk is named', file: idb, find: "name === 'QuotaExceededError'", replace: "name === 'none'", spec: store, test: 'F28 a full disk is a storage error that says so, and what was stored stays' },
  {
    row: 'F28 R6.1', rule: 'room that was made is used from the next turn on', file: writer, find: "    if (event.type === 'turn-start') await this.#fromMemory()\n", replace: '', spec: writing,
    test: 'F28 R6.1 what memory held is written whole when there is room again, at the next turn',
  },
  {
    row: 'F28', rule: 'what of a session was on the disk alone comes along', file: writer, find: 'const older = start ', replace: 'const older = start >= 0 ? [] : start ', spec: writing,
    test: 'F28 R6.1 what memory held is written whole when there is room again, at the next turn',
  },
  {
    row: 'F28', rule: 'whole results come along', file: writer, find: 'const value = result?.cut ?', replace: 'const value = false ?', spec: writing,
    test: 'F28 R6.1 what memory held is written whole when there is room again, at the next turn',
  },
  {
    row: 'F28', rule: 'on a full disk what there is can be read', file: serve, find: 'await store.read(sessionId, windowSize)', replace: '(undefined as Session | undefined)', spec: host,
    test: 'F28 R6.1 a session that cannot be claimed, because the disk is full, is read and goes on in memory',
  },
  {
    row: 'F29 R6.1', rule: 'a draft that finds the disk full ends no stream', file: writer, find: "if (failure.code !== 'storage' ||", replace: "if (change.draft !== undefined || failure.code !== 'storage' ||", spec: writing,
    test: 'F29 R6.1 a disk that is full in the middle of an answer ends no stream: it goes on in memory, and says so once',
  },
  {
    row: 'F42 R6.2', rule: 'a session that is not there is begun under the name that was asked for', file: serve, find: 'if (own === scope ||', replace: "if (plain === undefined) sessionId = id('session')\n    else if (own === scope ||", spec: faults,
    test: 'F42 R6.2 a session that was evicted while its page was closed is a new one of the same name',
  },

  // Damage and order.
  { row: 'F37 R6.1', rule: 'a damaged head keeps what is sound of it', file: records, find: "listOf(record['todos'], isTodo)", replace: "(record['todos'] ?? []) as Todo[]", spec: node, test: 'F37 R6.1 a damaged head keeps what is sound of it' },
  { row: 'F37', rule: 'a damaged draft is none', file: records, find: " || typeof record['step'] !== 'number' || !Array.isArray(record['parts'])) return undefined", replace: ') return undefined', spec: node, test: 'F37 a damaged draft is none' },
  { row: 'F37', rule: 'a damaged message keeps its place', file: records, find: 'return isMessage(record) ? record : unreadable(index)', replace: 'return record as Message', spec: store, test: damaged },
  { row: 'F37', rule: 'a length that was lost is found', file: idb, find: 'last === null ? 0 : last.key[1] + 1', replace: 'last === null ? 0 : 0', spec: store, test: damaged },
  { row: 'F44', rule: 'messages are in the order of their places', file: idb, find: 'parseMessage(byIndex.get(from + place), from + place))', replace: 'parseMessage(byIndex.get(from + place), from + place)).sort((one, other) => one.at - other.at)', spec: faults, test: 'F44 a clock that jumps back changes no order' },
]
