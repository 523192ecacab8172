// How much a guest may send, and the few kinds of values of which all its messages are made. A new field uses one of
// them, so that none is without a bound.
import { z } from 'zod'
import { isObject, isPrototypeKey, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { maxFrame, maxPiece } from './server-messages.js'

export { maxFrame, maxPiece }
/** Levels of objects and lists in a message. */
export const maxDepth = 64
/** Values in a message, of all levels together. */
export const maxValues = 100_000

/** A name of something, from outside: visible ASCII, and no key that changes a prototype. */
export const id = z
  .string()
  .max(256)
  .regex(/^[\x21-\x7e]+$/)
  .refine((value) => !isPrototypeKey(value))

/** A text of at most `max` characters. */
export const text = (max: number) => z.string().max(max)
/** A label, a title, one line. */
export const line = text(1_000)
/** An address. */
export const address = text(4_000)
/** A list of at most `max` items. */
export const list = <T extends z.ZodType>(item: T, max: number) => z.array(item).max(max).readonly()
/** A whole number from 0. */
export const count = z.int().min(0)
/** Milliseconds since the epoch. */
export const time = z.number().min(0).max(8.64e15)
/** Set, or absent. */
export const flag = z.literal(true).exactOptional()

/** Any JSON: what the frame, the depth and the number of values allow. */
export const json = z.custom<JsonValue>((value) => value !== undefined)
/** Any JSON object. */
export const jsonObject = z.custom<JsonObject>((value) => isObject(value) && !Array.isArray(value))
