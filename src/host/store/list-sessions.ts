// Lists the sessions of a scope. Few visits open the list, so this is one of the rare parts.
import type { SessionSummary } from '../../core/data/session.js'
import { parseHead, sessionSummaryOf } from './records.js'

/** The sessions in the records of a scope, oldest first, as a list shows them: newest first. */
export function sessionList(records: readonly unknown[]): SessionSummary[] {
  return records
    .toReversed()
    .flatMap((record) => parseHead(record) ?? [])
    .map(sessionSummaryOf)
}
