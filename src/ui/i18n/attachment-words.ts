// The texts of attached files, in all languages. Not in en.ts and de.ts, because few panels take files.

const size = (language: string) => (bytes: number) => {
  const isLarge = bytes >= 1_000_000
  const value = Math.max(1, bytes / (isLarge ? 1_000_000 : 1_000))
  return `${value.toLocaleString(language, { maximumFractionDigits: isLarge ? 1 : 0 })} ${isLarge ? 'MB' : 'kB'}`
}

const english = {
  attach: 'Attach files',
  attached: 'Attached files',
  drop: 'Drop files here',
  remove: 'Remove',
  reading: 'Reading',
  added: (name: string) => `Attached: ${name}`,
  removed: (name: string) => `Removed: ${name}`,
  size: size('en'),
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

/** The texts of attached files. */
export type AttachmentWords = typeof english

const german: AttachmentWords = {
  attach: 'Dateien anhängen',
  attached: 'Angehängte Dateien',
  drop: 'Dateien hier ablegen',
  remove: 'Entfernen',
  reading: 'Wird gelesen',
  added: (name) => `Angehängt: ${name}`,
  removed: (name) => `Entfernt: ${name}`,
  size: size('de'),
  wrongType: (name) => `${name} kann nicht angehängt werden: Dateien dieses Typs werden hier nicht angenommen.`,
  tooLarge: (name, bytes, limit) =>
    `${name} ist zu groß: Die Datei hat ${bytes}, höchstens ${limit} können angehängt werden.`,
  unreadable: (name) =>
    `${name} kann nicht gelesen werden. Die Datei ist beschädigt oder hat einen anderen Typ, als ihr Name sagt.`,
  tooMany: (limit) => `An eine Nachricht können höchstens ${limit} Dateien angehängt werden.`,
  notLoaded: (name) =>
    `${name} kann nicht angehängt werden, weil ein Teil des Assistenten nicht geladen wurde. Bitte erneut versuchen.`,
  notKept: (names) => `Die Seite wurde neu geladen, deshalb sind diese Dateien nicht mehr angehängt: ${names}`,
}

/** The texts in a language, such as `de`; in English if there are none. */
export function attachmentWords(language: string): AttachmentWords {
  return language === 'de' ? german : english
}
