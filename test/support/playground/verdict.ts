// Judges what came of a sentence. `useful`: done as it was meant. `honest`: nothing was changed, and the answer is one of
// those that say so. `wrong`: all else, such as a change that was not asked for, or an answer in another language.
import { languages } from '../../../playground/offline/languages/languages.js'
import { readTable } from '../../../playground/offline/lexer.js'
import type { Language } from '../../fixtures/playground-languages.js'
import type { Outcome } from './say-sentence.js'

export type Verdict = 'useful' | 'honest' | 'wrong'

/** Answers that say that nothing was done, and why, or ask. */
const honest = new Set(
  'unknown together private hand day date name which nofield nothing elsewhere noundo noorder failed'.split(' '),
)
const patterns = new Map(
  Object.entries(languages).map(([language, { answers }]) => {
    const found: RegExp[] = []
    readTable(
      answers,
      (key, text) => {
        const source = text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\d\}/g, '[^]+?')
        if (honest.has(key)) found.push(new RegExp(source, 'u'))
      },
      '\n',
    )
    return [language, found] as const
  }),
)

const words: Record<string, RegExp> = {
  en: /\b(?:the|is|of|and|you|i|it|was|nothing|please)\b/gi,
  de: /\b(?:der|die|das|ist|und|sie|ich|nicht|nichts|auf|bitte|noch)\b/gi,
  fr: /\b(?:le|les|est|et|vous|je|rien|pas|donc|sur|dans|dit)\b/gi,
  es: /\b(?:el|los|las|es|y|usted|nada|que|falta|está|he|del|dice|hay)\b/gi,
}

/** Whether the answer may be in the language. Names and quotes of the page are in English. */
export function isIn(language: Language, answer: string): boolean {
  const own = answer.replaceAll(/[“„«「][^”“»」]*[”“»」]|\([^)]*\)|^- .*$/gm, ' ')
  if (language === 'ar') return /\p{sc=Arabic}/u.test(own) || !/\p{L}{12}/u.test(own)
  if (language === 'ja') return /\p{sc=Hiragana}/u.test(own) || !/[.!?] \p{L}/u.test(own)
  if (language === 'zh') return !/\p{sc=Hiragana}/u.test(own) && (/\p{sc=Han}/u.test(own) || !/[.!?] \p{L}/u.test(own))
  const counts = Object.entries(words).map(([code, pattern]) => [code, own.match(pattern)?.length ?? 0] as const)
  const most = Math.max(...counts.map(([, count]) => count))
  return counts.some(([code, count]) => code === language && count === most)
}

export function verdictOf({ sentence, answer, wrong, isChanged }: Outcome): Verdict {
  const { language = 'en', cannot } = sentence
  if (!isIn(language, answer)) return 'wrong'
  const isHonest = !isChanged && patterns.get(language)!.some((pattern) => pattern.test(answer))
  if (cannot || wrong.length > 0) return isHonest ? 'honest' : 'wrong'
  return 'useful'
}
