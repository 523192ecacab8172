// The languages whose code has colours. Apart from both that use it: what draws code, and what finds the colours.
const names = {
  bash: 'sh shell zsh console',
  csharp: 'cs c#',
  css: '',
  diff: 'patch',
  go: 'golang',
  java: '',
  javascript: 'js jsx mjs cjs',
  json: 'jsonc json5',
  php: '',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  sql: '',
  typescript: 'ts tsx mts cts',
  xml: 'html svg vue svelte',
  yaml: 'yml',
} as const

/** A language whose code has colours. */
export type CodeLanguage = keyof typeof names

/** The languages by all their names. */
export const languages: ReadonlyMap<string, CodeLanguage> = new Map(
  Object.entries(names).flatMap(([language, others]) =>
    [language, ...others.split(' ').filter(Boolean)].map((name) => [name, language as CodeLanguage] as const),
  ),
)
