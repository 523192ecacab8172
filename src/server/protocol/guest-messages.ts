// Everything that a page may say to a server, as schemas: what is not here does not exist. A new message is an entry of
// `guestMessages`, a new field uses a kind of value of bounds.ts, and both need a row in
// test/node/server/guest-protocol.spec.ts, which sends each field hostile. Nothing that decides about the host, its
// model, its limits or another user may be added: see docs/decisions/0027-what-a-page-may-say-to-a-server.md.
import { z } from 'zod'
import { count, flag, id, json, line, list, maxPiece, text } from './bounds.js'
import { failure, facts, offer, outcome } from './values.js'

/** What the user writes. */
const words = text(200_000)
/**
 * What is attached, in its order: an upload by the id that the server gave it, or a text in its fence, such as a quote
 * or a file of 200,000 characters.
 */
const files = list(
  z.union([
    z.strictObject({ upload: id, name: line.exactOptional() }),
    z.strictObject({ name: line, text: text(201_000) }),
  ]),
  50,
)
const oneSession = { id: id.exactOptional() }

/** What a page requests, by name: the arguments. */
const requests = {
  sessions: z.strictObject({}),
  messages: z.strictObject({ ...oneSession, before: count, limit: count.max(1_000) }),
  result: z.strictObject({ ...oneSession, callId: id }),
  /** The content of an upload, a piece at a time: from this character of its base64 on. */
  file: z.strictObject({ ...oneSession, upload: id, from: count }),
  rename: z.strictObject({ ...oneSession, title: line }),
  /** Of a question about a tool of the server: whether arguments that the user has changed match its schema. */
  validate: z.strictObject({ ...oneSession, callId: id, input: json }),
  /** Without a text, only the answer is replaced. */
  replace: z.strictObject({ text: words.exactOptional(), files: files.exactOptional() }),
  undo: z.strictObject({
    callId: id,
    path: list(id, 16),
    undone: z.nullable(
      z.strictObject({ state: z.enum(['begun', 'done', 'failed']), kept: list(line, 200).exactOptional() }),
    ),
  }),
  delete: z.strictObject(oneSession),
  clear: z.strictObject({}),
  export: z.strictObject(oneSession),
  /**
   * A conversation as JSON text, for the new session `id`: the piece from the character `at` on, of `of` characters.
   * The reply is the number of characters that the server has, or in the end the id. `data`: all of it, from version 1.
   */
  import: z.union([
    z.strictObject({ id, at: count, of: count, text: text(maxPiece) }),
    z.strictObject({ id, data: json }),
  ]),
} as const

const request = <K extends keyof typeof requests>(what: K) =>
  z.strictObject({ type: z.literal('request'), id: count, what: z.literal(what), with: requests[what] })

/** The messages of a guest, by type. `id` is the client id that the server acknowledges. */
export const guestMessages = {
  /**
   * Joins a session, and brings what the page still runs or has ended. Absent `session`: a new one. `page`: random, of
   * one document; a duplicated tab has the same `tab` and another `page`. `after`: the `page` of the document before it
   * in this tab, if that has said that it goes (`pagehide`), and only then: this one is asked what that one was.
   */
  open: z.strictObject({
    type: z.literal('open'),
    protocol: count,
    session: id.exactOptional(),
    tab: id,
    page: id,
    after: id.exactOptional(),
    offer: offer.exactOptional(),
    running: list(id, 100),
    outcomes: list(outcome, 100),
  }),
  send: z.strictObject({
    type: z.literal('send'),
    id,
    text: words,
    files,
    facts,
    offer: offer.exactOptional(),
    whenBusy: z.enum(['queue', 'interrupt']),
  }),
  continue: z.strictObject({ type: z.literal('continue'), id, facts }),
  stop: z.strictObject({ type: z.literal('stop') }),
  /** Takes a message out of the queue, or stops its turn. */
  drop: z.strictObject({ type: z.literal('drop'), turn: id }),
  /** A failed model call is repeated without waiting. */
  retry: z.strictObject({ type: z.literal('retry') }),
  /** Takes back what the user allowed beyond one call; with `page`, what was for the task and holds there no more. */
  'end-grants': z.strictObject({ type: z.literal('end-grants'), page: text(4_000).exactOptional() }),
  decide: z.strictObject({
    type: z.literal('decide'),
    id,
    callId: id,
    hash: id,
    decision: z.enum(['approve', 'deny']),
    doneByUser: flag,
    input: json.exactOptional(),
    reason: text(10_000).exactOptional(),
    remember: z.enum(['session', 'task']).exactOptional(),
  }),
  /** The tools of a turn have changed. Absent: the server must ask. */
  offer: z.strictObject({ type: z.literal('offer'), turn: id, offer: offer.exactOptional() }),
  /** `value` is parsed by `parseAnswer`, for the query that was asked. */
  answer: z.union([
    z.strictObject({ type: z.literal('answer'), id, ask: count, value: json }),
    z.strictObject({ type: z.literal('answer'), id, ask: count, error: failure }),
  ]),
  /** `value` is parsed by `parseProgress`. */
  progress: z.strictObject({ type: z.literal('progress'), ask: count, value: json }),
  outcome: z.strictObject({ type: z.literal('outcome'), id, outcome }),
  request: z.discriminatedUnion('what', [
    request('sessions'),
    request('messages'),
    request('result'),
    request('file'),
    request('rename'),
    request('validate'),
    request('replace'),
    request('undo'),
    request('delete'),
    request('clear'),
    request('export'),
    request('import'),
  ]),
  ping: z.strictObject({ type: z.literal('ping') }),
  pong: z.strictObject({ type: z.literal('pong') }),
} as const

/** The name of a message. */
export type GuestMessageType = keyof typeof guestMessages
/** Any message of a guest, parsed. */
export type GuestMessage = { [T in GuestMessageType]: z.output<(typeof guestMessages)[T]> }[GuestMessageType]
/** Any message as a page writes it, before it is parsed. */
export type GuestInput = { [T in GuestMessageType]: z.input<(typeof guestMessages)[T]> }[GuestMessageType]
