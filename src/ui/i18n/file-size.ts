// The sizes of files, in the form of a language.

/** A size in the form of a language, such as `12 kB`. */
export function sizeIn(language: string, bytes: number): string {
  const isLarge = bytes >= 1_000_000
  return Math.max(1, bytes / (isLarge ? 1_000_000 : 1_000)).toLocaleString(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  })
}
