// Finds the PostgreSQL of the system, as Debian installs it. The tests start servers of their own with it.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const versions = '/usr/lib/postgresql'
const bouncer = '/usr/sbin/pgbouncer'

/** The folder with the programs of the newest version; undefined without one. */
export function postgresPrograms() {
  const found = existsSync(versions) ? readdirSync(versions).map(Number).filter(Number.isFinite) : []
  const newest = found.sort((one, other) => other - one)[0]
  const folder = newest === undefined ? undefined : join(versions, String(newest), 'bin')
  return folder !== undefined && existsSync(join(folder, 'initdb')) ? folder : undefined
}

/** The program of PgBouncer; undefined without it. */
export function pgBouncer() {
  return existsSync(bouncer) ? bouncer : undefined
}

/** What the tests of PostgreSQL need and is not here, as packages of Debian. */
export function missingPostgres() {
  const missing = []
  if (postgresPrograms() === undefined) missing.push('postgresql')
  if (pgBouncer() === undefined) missing.push('pgbouncer')
  return missing
}

/** Whether the tests must not be skipped, as `REQUIRED_DATABASES` says. */
export function isPostgresRequired() {
  return (process.env['REQUIRED_DATABASES'] ?? '').split(/[\s,]+/).includes('postgres')
}
