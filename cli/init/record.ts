// What `tool-agent init` has added, in a file of the project, so that a second call adds nothing and `--remove` removes
// exactly this. Files are compared by their hashes, and insertions are looked for by their text.
import { createHash } from 'node:crypto'
import { UsageError } from '../arguments.js'
import type { Insertion } from './insert.js'
import type { ByHand } from './plan.js'
import { frameworkNames, type Framework, type Project } from './project.js'

export const recordFile = '.tool-agent/init.json'

interface EditRecord {
  /** Hashes of the file before and after the insertions. */
  readonly before: string
  readonly after: string
  /** The offsets are those in the file after the insertions, in their order. */
  readonly inserted: readonly Insertion[]
}

export interface InitRecord {
  readonly about: string
  readonly framework: Framework
  /** The hash of each new file. */
  readonly files: Readonly<Record<string, string>>
  readonly edits: Readonly<Record<string, EditRecord>>
  /** The folders that did not exist before, the inner ones first. */
  readonly folders: readonly string[]
  /** What the user was asked to add. */
  readonly byHand: readonly ByHand[]
}

export const about =
  'What "npx tool-agent init" has added. "npx tool-agent init --remove" removes it. Keep it with the project.'

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The record of an edit. `insertions` have the offsets of the file before. */
export function editRecord(before: string, after: string, insertions: readonly Insertion[]): EditRecord {
  let shift = 0
  const inserted = [...insertions]
    .sort((one, other) => one.at - other.at)
    .map(({ at, text }) => {
      const moved = { at: at + shift, text }
      shift += text.length
      return moved
    })
  return { before: hashOf(before), after: hashOf(after), inserted }
}

/**
 * The text without what was inserted. If it was changed since, only insertions that are there exactly once are found.
 * @returns undefined if one of them was changed, or is there several times
 */
export function withoutInsertions(text: string, { before, after, inserted }: EditRecord): string | undefined {
  if (hashOf(text) === after) {
    let result = text
    for (const { at, text: added } of [...inserted].reverse())
      result = result.slice(0, at) + result.slice(at + added.length)
    return hashOf(result) === before ? result : undefined
  }
  let result = text
  for (const { text: added } of inserted) {
    const parts = result.split(added)
    if (parts.length !== 2) return undefined
    result = parts.join('')
  }
  return result
}

/**
 * The record of a project; undefined without one.
 * @throws UsageError if it cannot be used
 */
export function readRecord(project: Project): InitRecord | undefined {
  if (!project.has(recordFile)) return undefined
  try {
    const record = JSON.parse(project.read(recordFile)) as InitRecord
    const paths = [...Object.keys(record.files), ...Object.keys(record.edits), ...record.folders]
    // The file is part of the project, so anybody may have written it.
    const isInside = paths.every((path) => !/^[/\\]|^[a-z]:|\\|(?:^|\/)\.\.(?:\/|$)/i.test(path))
    if (isInside && record.framework in frameworkNames) return record
  } catch {
    // The error below says what to do.
  }
  throw new UsageError(`init: ${recordFile} cannot be read. Restore it, or delete it and what init has added.`)
}
