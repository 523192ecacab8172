// What requests and answers of the Gemini API share: the adapter's metadata, and names of tools and models.
import { wireName } from '../request/names.js'

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'generateContent'

/**
 * What this adapter keeps for one part. `signature`: the part's thought signature. `thought`: the part is a thought of
 * Gemini. `id`: the id that the server gave to the call.
 */
export interface PartMetadata {
  readonly signature?: string
  readonly thought?: true
  readonly id?: string
}

/**
 * A tool name as Gemini accepts it: the first character is a letter or an underscore. A name that begins with a digit
 * or a dash gets a prefix that no tool name can have; `toolOf` removes it.
 */
export function geminiName(name: string): string {
  return /^[\d-]/.test(name) ? `_.${wireName(name)}`.slice(0, 64) : wireName(name)
}

/** The tool that the model means by a name. */
export function toolOf(name: string): string {
  return name.replace(/^_\.(?=[\d-])/, '')
}

/** A text that is not empty; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Whether a model belongs to Gemini 3 or later. An unknown Gemini model counts as new, because old ones are known. */
export function isGemini3(model: string): boolean {
  return /(^|\/)gemini-/i.test(model) && !/(^|\/)gemini-([12]\b|pro(-vision)?$|robotics-er-1)/i.test(model)
}

/** Whether a model can send its thoughts. Models for images and speech cannot. */
export function canThink(model: string): boolean {
  return (isGemini3(model) || /(^|\/)gemini-2\.5\b/i.test(model)) && !/image|tts|audio|live/i.test(model)
}

/** Whether a model has no system text and rejects `systemInstruction`. */
export function isGemma(model: string): boolean {
  return /(^|\/)gemma-/i.test(model)
}
