// The English texts of attached files. Not in en.ts, because few panels take files; the file of each other language has
// them as `attachments`.

const english = {
  attach: 'Attach files',
  attached: 'Attached files',
  drop: 'Drop files here',
  remove: 'Remove',
  reading: 'Reading',
  added: (name: string) => `Attached: ${name}`,
  removed: (name: string) => `Removed: ${name}`,
  /** Problems with one file. */
  wrongType: (name: string) => `${name} cannot be attached: files of this type are not accepted here.`,
  tooLarge: (name: string, bytes: string, limit: string) =>
    `${name} is too large: it has ${bytes}, and at most ${limit} can be attached.`,
  unreadable: (name: string) =>
    `${name} cannot be read. The file may be damaged, or of another type than its name says.`,
  tooMany: (limit: number) => `At most ${limit} files can be attached to one message.`,
  notLoaded: (name: string) =>
    `${name} cannot be attached, because a part of the assistant could not be loaded. Try again.`,
  notKept: (names: string) => `The page was loaded again, so these files are no longer attached: ${names}`,
}

/** The texts of attached files in one language. */
export type AttachmentWords = typeof english

/** The texts of attached files: the English ones, replaced by `words` of another language or of the page. */
export const attachmentWords = (words?: Partial<AttachmentWords>): AttachmentWords => ({ ...english, ...words })

/** A size in the form of a language, such as `12 kB`. */
export function sizeIn(language: string, bytes: number): string {
  const isLarge = bytes >= 1_000_000
  return Math.max(1, bytes / (isLarge ? 1_000_000 : 1_000)).toLocaleString(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  })
}
