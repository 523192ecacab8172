// What a database offers to several server processes that share it: who is alive, who works on which session, and mail
// between them. All times are those of the database, because the clocks of processes differ.

/** A session of a user. */
export interface LeasedSession {
  readonly user: string
  readonly session: string
}

/** What a process sends to another one. */
export interface Mail {
  /** The id of the process that gets it. */
  readonly to: string
  /** The version of `body`. A process that does not know it leaves it. */
  readonly version: number
  readonly body: string
}

/** Mail as it has arrived. */
export interface Arrived {
  readonly id: string
  readonly body: string
}

/** The processes of one database. A process is named by a random id, which each start makes for itself. */
export interface Cluster {
  /** Milliseconds after which a process that has not renewed is over, and others take its sessions. */
  readonly leaseTime: number
  /** Mail that one `collect` returns at most. */
  readonly mostMail: number
  /** A process begins. */
  join(process: string): Promise<void>
  /**
   * Renews a process, and ends those that are over. Returns the ids of all that are alive; undefined if this one is
   * over itself. What is over must join with another id.
   */
  renew(process: string): Promise<readonly string[] | undefined>
  /** The ids of all processes that are alive. */
  alive(): Promise<readonly string[]>
  /** A process ends. What it has not released goes on elsewhere. */
  leave(process: string): Promise<void>
  /**
   * Takes the lease of a session, if no process that is alive has it, and returns the id of the process that has it
   * now. Taking it raises the epoch: what the process before still writes is refused.
   * @throws `storage` if the process is over
   */
  lease(session: LeasedSession, process: string): Promise<string>
  /** Gives a lease back, if this process holds it. `isUnfinished`: another process must go on with the session. */
  release(session: LeasedSession, process: string, isUnfinished: boolean): Promise<void>
  /**
   * Takes the leases of at most so many sessions that a process has left unfinished. May return others that this
   * process has, after an error of the connection.
   */
  adopt(process: string, most: number): Promise<LeasedSession[]>
  /** Sends mail. That of one process to another one arrives in the order of these calls, if each waits for the last. */
  post(mail: Mail): Promise<void>
  /**
   * Deletes mail that was read, and returns what has arrived beside it, in its order. What is not told as read is
   * returned again, until this process has renewed twice: what arrives later than that counts as lost.
   */
  collect(process: string, version: number, read: readonly string[]): Promise<Arrived[]>
  /**
   * Calls `wake` when mail may have arrived. Resolves with a function that stops it, or with undefined if the database
   * cannot tell: then it must be asked. `lost`: it will not be told any more.
   */
  listen(process: string, wake: () => void, lost: () => void): Promise<(() => void) | undefined>
}
