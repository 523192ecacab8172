// What a page may answer and report, by the query that it was asked. A server asks five of the queries of
// core/data/protocol.ts: a page has no word in headers, requests and models.
import { z } from 'zod'
import type { JsonValue } from '../../core/data/json.js'
import { id, json, list } from './bounds.js'
import { hiddenTools, outcome, prepared, verdict } from './values.js'

const verdicts = list(verdict, 256)

/** The answers, by query. */
export const guestAnswers = {
  prepare: prepared,
  tools: hiddenTools,
  check: verdicts,
  read: z.null(),
  execute: outcome,
} as const

/** What is reported before the answer, by query. */
export const guestProgress = {
  read: z.union([
    z.strictObject({ verdicts }),
    z.strictObject({ callId: id, value: json }),
    z.strictObject({ outcome }),
  ]),
  execute: z.custom<JsonValue>((value) => value !== undefined),
} as const

/** A query that a server asks. */
export type GuestQuery = keyof typeof guestAnswers
