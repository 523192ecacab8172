// Other forms of a text in which the name of a secret may hide: letters of other alphabets that look the same, digits
// and signs in place of letters, spaced letters, parts joined by a hyphen, and signs for "number".
import { normalizeText } from '../dom/text.js'

/** Pairs: a letter of another alphabet, and the Latin one that it looks like. In a secret's name, case is nothing. */
const lookAlikes = new Map(
  (
    'аaАaвbВbеeЕeкkКkмmМmнhНhоoОoрpРpсcСcтtТtуyУyхxХxіiІiїiЇiјjЈjѕsЅsԁdԛqԝwһhҺhӏlӀlүyҮyґrгr' +
    'αaΑaΒbεeΕeΖzηnΗhιiΙiκkΚkΜmΝnνvοoΟoρpΡpτtΤtυuΥyχxΧxωwϲcϹcϳj' +
    'ɑaɡgıiʟlɪiʀrᴏoᴄcᴡwᴘpꜱsᴅdᴇeᴀaոnօoсcցgհhսu'
  )
    .match(/../gu)
    ?.map((pair) => [...pair] as [string, string]),
)
/** Digits and signs in place of letters. */
const inPlaceOf = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', $: 's', '@': 'a', '!': 'i' }),
)

const replaced = (text: string, letters: ReadonlyMap<string, string>): string =>
  [...text]
    .map((letter) => {
      const latin = letters.get(letter) ?? letter
      // A change of case would be a border of words.
      return letter === letter.toLowerCase() ? latin : latin.toUpperCase()
    })
    .join('')

const other = /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}ɑɡıʟɪʀᴏᴄᴡᴘꜱᴅᴇᴀ]/u
/** A sign inside of a word. */
const disguised = /\p{L}[\d$@!]+\p{L}/u
/** Three or more single letters with one sign or space between each. */
const spaced = /(?<![\p{L}\p{N}])\p{L}(?:([\s._·•*|/-])\p{L})(?:\1\p{L})+(?![\p{L}\p{N}])/gu
/** `OTPCode`, but not `PINs`. */
const abbreviation = /(\p{Lu}{2,})(?=\p{Lu}\p{Ll}{2})/gu
const numberSign = /#|№|\bN[º°]|\bn[º°]/gu
/** Not in short identifiers: `has-location` would have the Polish word for a password. */
const hyphen = /(?<=\p{L}{4})[-‐‑‒·](\p{L}{4})/gu
/** `C.C.` */
const initials = /(?<![\p{L}\p{N}])(\p{L})\.(\p{L})\./gu

/** The text without invisible characters, and its other forms. Most texts have none. */
export function spellingsOf(text: string): string[] {
  const plain = normalizeText(text)
  let forms = [plain]
  const add = (change: (form: string) => string): void => {
    forms = [...new Set([...forms, ...forms.map(change)])]
  }
  add((form) => form.replace(abbreviation, '$1 '))
  add((form) => form.replace(numberSign, ' number '))
  add((form) => form.replace(spaced, (run) => run.replace(/\P{L}/gu, '')))
  if (other.test(plain)) add((form) => replaced(form, lookAlikes))
  if (disguised.test(plain)) add((form) => replaced(form, inPlaceOf))
  add((form) => form.replace(initials, '$1$2 '))
  add((form) => form.replace(hyphen, (_found, next: string) => next.toLowerCase()))
  return forms
}
