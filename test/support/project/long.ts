// Settings of the long run. `npm run test:long` sets TEST_LONG. It runs the tests tagged `@long`, and those tagged
// `@matrix` with all their cases instead of a sample.
export const isLong = process.env['TEST_LONG'] === '1'

/** The seeds of a generated test: 0 to `usual - 1` in the default run, 0 to `all - 1` in the long one. */
export function seeds(usual: number, all: number): number[] {
  return Array.from({ length: isLong ? all : usual }, (_, seed) => seed)
}

/** Every case in the long run, otherwise each `nth`. */
export function sample<T>(cases: readonly T[], nth: number): readonly T[] {
  return isLong ? cases : cases.filter((_, index) => index % nth === 0)
}
