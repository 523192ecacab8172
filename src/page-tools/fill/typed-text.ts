// Texts as people type them, in one form. All functions are pure.

/** Converts full-width and other compatibility forms of digits and letters to the usual ones (NFKC). */
export const digitsOf = (text: string): string => text.normalize('NFKC')

/** Lower case with one kind of space, quote and dash. */
export const asTyped = (text: string): string =>
  digitsOf(text)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐‑–\u2212]/g, '-')
    .trim()
/** Whether a text may be a day in numbers. */
export const mayBeDay = (text: string): boolean =>
  /^\d{1,4}(?<separator>[-./])\d{1,2}\k<separator>\d{1,4}$/.test(asTyped(text))
