// Numbers, durations, sizes of files and plural forms of one language, through the rules that the browser knows.

/** The forms of a text by the plural category of a number. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & {
  /** Also used for categories without a form of their own. */
  readonly other: string
}

/** Formats the numbers of one language. */
export interface Counting {
  /** A number, with at most `digits` decimals. @default 0 decimals */
  number(value: number, digits?: number): string
  /** The form that the count needs, with the count in place of `#`. */
  plural(count: number, forms: PluralForms): string
  /** A duration in whole seconds, with its unit. */
  seconds(value: number): string
  /** A duration in milliseconds: below one second in milliseconds, otherwise in seconds. */
  time(ms: number): string
}

/** The formats of a language, such as `fr`. */
export function countingIn(language: string): Counting {
  const rules = new Intl.PluralRules(language)
  const number = (value: number, digits = 0): string =>
    value.toLocaleString(language, { maximumFractionDigits: digits })
  const unit = (value: number, name: 'second' | 'millisecond', digits = 0): string =>
    value.toLocaleString(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    })
  return {
    number,
    plural: (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', number(count)),
    seconds: (value) => unit(value, 'second'),
    time: (ms) => (ms < 995 ? unit(Math.max(1, ms), 'millisecond') : unit(ms / 1000, 'second', ms < 9_950 ? 1 : 0)),
  }
}

/** A size in the form of a language, such as `12 kB`. */
export function sizeIn(language: string, bytes: number): string {
  const isLarge = bytes >= 1_000_000
  return Math.max(1, bytes / (isLarge ? 1_000_000 : 1_000)).toLocaleString(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  })
}
