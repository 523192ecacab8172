// The languages of the panel: every text exists in every language, is translated, and says what it is called with. A
// failure names the language and the path of the text.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { isObject } from '../../../src/core/data/json.js'
import { sizeIn, countingIn } from '../../../src/ui/i18n/counting.js'
import { words as english } from '../../../src/ui/i18n/en.js'
import { errorText, problemText } from '../../../src/ui/i18n/error-text.js'
import { glassWords } from '../../../src/ui/i18n/glass.js'
import { languages, loadLanguage } from '../../../src/ui/i18n/languages/languages.js'
import { loadWords } from '../../../src/ui/i18n/locale.js'
import { retryText } from '../../../src/ui/panel/notice-view.js'

const folder = fileURLToPath(new URL('../../../src/ui', import.meta.url))
const i18n = join(folder, 'i18n')

/** Values for the functions of the catalogue: strings and numbers that can be found again in a text. */
const samples = ['⟨first⟩', '⟨second⟩', '⟨third⟩']
/** Counts for which languages have different forms. */
const counts = [0, 1, 2, 3, 11, 100]

type Catalogue = Readonly<Record<string, unknown>>
type Text = string | ((...values: unknown[]) => string)

/** Every text of a catalogue by its path, such as `approval.acts.yes`. */
function textsOf(catalogue: Catalogue, path = ''): Map<string, Text> {
  return new Map(
    Object.entries(catalogue).flatMap(([name, value]): [string, Text][] => {
      if (isObject(value) || Array.isArray(value)) return [...textsOf(value as Catalogue, `${path}${name}.`)]
      return value === undefined || name === 'language' ? [] : [[`${path}${name}`, value as Text]]
    }),
  )
}

/** What a text with values says for several counts. */
function said(text: Exclude<Text, string>): string[] {
  return counts.flatMap((count) => [text(count, count, samples[2]), text(count, 7, samples[2])])
}

/** Texts that are the same word in English. */
const sameInBoth = new Set([
  'fr heading',
  'fr assistant',
  'fr conversations',
  'fr messages.conversation',
  'de approval.details',
  'es body.error',
  'es approval.acts.no',
])
/** Texts that English has elsewhere: titles of tools that load later. */
const onlyInOthers = /^tools\./

test('the tag of a language is a file, and every file is a language', () => {
  const table = 'languages.ts'
  const files = readdirSync(join(i18n, 'languages')).filter((name) => name !== table)
  expect([...languages.keys()].sort()).toEqual(files.map((name) => name.replace(/\.ts$/, '')).sort())
})

for (const tag of languages.keys()) {
  test.describe(tag, () => {
    let texts: Map<string, Text>
    let original: Map<string, Text>

    test.beforeAll(async () => {
      original = textsOf({ ...english, glass: glassWords })
      texts = textsOf(await loadWords(tag))
    })

    test('has every text', () => {
      const missing = [...original.keys()]
        .filter((path) => !texts.has(path))
        .map((path) => `${tag}: ${path} is missing`)
      expect(missing).toEqual([])
    })

    test('has no text that the panel does not use', () => {
      const unknown = [...texts.keys()].filter((path) => !original.has(path) && !onlyInOthers.test(path))
      expect(unknown.map((path) => `${tag}: ${path} is not a text of the panel`)).toEqual([])
    })

    test('every text is translated', () => {
      const same = [...texts]
        .filter(
          ([path, text]) =>
            typeof text === 'string' && text === original.get(path) && !sameInBoth.has(`${tag} ${path}`),
        )
        .map(([path, text]) => `${tag}: ${path} is the English text “${String(text)}”`)
      expect(same).toEqual([])
    })

    test('every text with values says them, and no text is empty', () => {
      // One assertion: thousands of them take seconds.
      const problems: string[] = []
      for (const [path, text] of texts) {
        const source = original.get(path)
        const check = (isRight: boolean, problem: string) => {
          if (!isRight) problems.push(`${tag}: ${path} ${problem}`)
        }
        if (typeof text !== 'function') {
          check(text.trim() !== '', 'is empty')
          continue
        }
        check(typeof source !== 'string', 'must be a plain text')
        for (const one of said(text)) {
          check(!/undefined|NaN|\[object|#/.test(one), `says “${one}”`)
          check(one.trim() !== '', 'is empty')
        }
        const own = text(...samples)
        const wanted = typeof source === 'function' ? samples.filter((one) => source(...samples).includes(one)) : []
        for (const one of wanted) check(own.includes(one), `must contain its value ${one}`)
      }
      expect(problems).toEqual([])
    })

    test('has the same tools as the other languages', async () => {
      const tools = async (one: string) => Object.keys((await loadWords(one)).tools).sort()
      expect(await tools(tag)).toEqual(await tools('de'))
    })
  })
}

test('Arabic has six plural forms', () => {
  const { plural } = countingIn('ar')
  const forms = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' }
  expect([0, 1, 2, 3, 11, 100].map((count) => plural(count, forms))).toEqual(Object.keys(forms))
  expect(plural(2, { other: '# x' })).toBe(`${(2).toLocaleString('ar')} x`)
})

test('numbers and durations have the form of the language', () => {
  expect(countingIn('fr').number(12_345)).toMatch(/^12\s345$/)
  expect(countingIn('fr').time(1_520)).toMatch(/^1,5\ss$/)
  expect(countingIn('ja').time(30)).toMatch(/^30\s?(?:ms|ミリ秒)$/)
  expect(countingIn('zh').seconds(3)).toMatch(/^3\s?秒$/)
})

test('sizes have the form of the language', () => {
  expect([sizeIn('en', 12_345), sizeIn('en', 1_500_000), sizeIn('en', 1)]).toEqual(['12 kB', '1.5 MB', '1 kB'])
  expect(sizeIn('fr', 12_345)).toMatch(/^12\sko$/)
})

test('the page replaces single texts of attached files, also in English', async () => {
  const replaced = { attachments: { attach: 'Add a photo' } }
  expect((await loadWords('en', replaced)).attachments).toMatchObject({
    attach: 'Add a photo',
    remove: 'Remove',
  })
  expect((await loadWords('fr', replaced)).attachments).toMatchObject({
    attach: 'Add a photo',
    remove: 'Retirer',
  })
})

test('while the assistant tries again, no language tells the visitor to', async () => {
  const said: Record<string, string> = {}
  for (const tag of ['en', ...languages.keys()]) {
    const words = await loadWords(tag)
    const retry = { until: 0, delay: 0, attempt: 1, error: { code: 'server', message: 'HTTP 503' } } as const
    said[tag] = retryText(retry as Parameters<typeof retryText>[0], words)
  }
  expect(said).toEqual({
    en: 'Trying again. The assistant has a problem.',
    ar: 'تُعاد المحاولة الآن. حدثت مشكلة في المساعد.',
    de: 'Neuer Versuch. Der Assistent hat ein Problem.',
    es: 'Nuevo intento. El asistente tiene un problema.',
    fr: 'Nouvel essai. L’assistant rencontre un problème.',
    ja: '再試行しています。アシスタントに問題が発生しました。',
    zh: '正在重试。助手出现问题。',
  })
})

test('a page replaces the sentences of an error by one, or by what happened and what to do', async () => {
  const error = { code: 'server', message: 'HTTP 503' } as const
  const both = await loadWords('fr', { notices: { problems: { server: ['Panne.', 'Appelez-nous.'] } } })
  expect([errorText(error, both), problemText(error, both)]).toEqual(['Panne. Appelez-nous.', 'Panne.'])
  const one = await loadWords('ja', { notices: { problems: { server: '故障です。' } } })
  expect([errorText(error, one), problemText(error, one)]).toEqual(['故障です。', '故障です。'])
  expect(errorText({ ...error, code: 'network' }, one)).toBe(
    'アシスタントに接続できません。接続を確認して、もう一度お試しください。',
  )
})

test('traditional Chinese has the English texts, because the Chinese ones are simplified', async () => {
  expect(await loadWords('zh-tw')).toBe(english)
  expect((await loadWords('zh')).language).toBe('zh')
})

test('an unknown language has the English texts', async () => {
  expect(await loadWords('xx')).toBe(english)
  expect(await loadWords('en')).toBe(english)
})

test('texts of the page replace those of the language, one by one', async () => {
  const replaced = { greeting: 'Salut !', approval: { approve: 'D’accord', acts: { yes: 'ouais' } } }
  const words = await loadWords('fr', replaced)
  expect(words.greeting).toBe('Salut !')
  expect(words.send).toBe('Envoyer')
  expect(words.approval).toMatchObject({ approve: 'D’accord', deny: 'Ne pas autoriser' })
  expect(words.approval?.acts).toMatchObject({ yes: 'ouais', no: 'non' })
  expect(await loadWords('fr', replaced), 'the same object again').toBe(words)
  expect((await loadWords('fr')).greeting).toBe('Comment puis-je vous aider ?')
  expect((await loadLanguage('xx', english, { notices: { retry: 'Again' } })).notices).toEqual({
    ...english.notices,
    retry: 'Again',
  })
})

test('every part that loads later merges its texts with those of the page', () => {
  const wrong = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/\bwords\.(\w+) \?\? \w+Words\b/g)].map(
        ([found, group]) =>
          `${name}: ${found}: write { …xWords, …words.${group} }, so that a page can replace one text`,
      ),
    )
  expect(wrong).toEqual([])
})
