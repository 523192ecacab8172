// The kind of a secret that a text names. Phrases that contain a term but do not name a secret are left out, such as
// "Forgot your password?" or the PIN code of an address.
import { toComparable } from '../dom/text.js'
import { spellingsOf } from './look-alikes.js'
import { folded } from './secret-compounds.js'
import { alternatives, group, passwordTerms, termIn, type SensitiveKind } from './sensitive-terms.js'

const password = `${group(`${passwordTerms()}|pass|parole`)}\\p{L}{0,3}`
const codeAdjective = group('one time|temporary|new|verification|security|access|confirmation|login|sms')
const code = `(?:${codeAdjective} )*(?:${password}|otp|pin|code)`
const forgotten = '(?:forgot|forgotten|lost|vergessen|vergeten|(?:oubli|olvid|esquec|dimentica)\\p{L}*)'
const fillers = group(
  'your|my|the|or|and|user|username|name|id|email|login|dein|ihr|oder|das|tu|su|la|mi|votre|ton|le|sua|a|tua|il|' +
    'je|uw|het',
)
const between = `(?: ${fillers})*`
const userName = group(
  'user name|username|benutzername|nom d utilisateur|nombre de usuario|nome utente|nome de usuario|gebruikersnaam',
)
const account = `(?:${userName}|e ?mail(?: address)?|login)`
const postal = '(?:postal|post|zip|area)'
const place = '(?:city|town|state|district)'
const otherCards = group(
  'member|members|membership|loyalty|library|club|plus|reward|rewards|bonus|customer|student|staff|employee|identity|' +
    'id|health|insurance|medicare|travel|points',
)
const germanCards = group('kunden|mitglieds|bonus|treue|vorteils|bahn|bibliotheks|versicherten|gesundheits|ausweis')

/** They are removed, and the rest of the text is judged. */
const phrases = new RegExp(
  `(?<!\\p{L})(?:${[
    `${forgotten}${between} ${password}`,
    `${password}${between} ${forgotten}`,
    `(?:(?:e ?mail|address|phone|number) )?(?:for|to) (?:reset|recover)\\p{L}*${between} ${password}`,
    `${password} (?:reset|recovery|reminder) (?:e ?mail|address|link|phone)`,
    `${password} (?:hint|reminder|strength|protected)`,
    `(?:hint|reminder) (?:for|of)${between} ${password}`,
    `(?:search|find|filter)(?: (?:in|by|for|all|saved|your|my))* ${password}`,
    `${password} (?:suchen|durchsuchen|filtern)`,
    `(?:buscar|rechercher|cerca|zoek) ${password}`,
    // Two labels of one field, and messages: no field asks for both.
    `${userName} ${password}`,
    `${account} (?:and|und|et|y|e|en) ${password}`,
    `(?:wrong|invalid|incorrect) ${account} or ${password}`,
    `${account} or ${password} (?:is|are|was|were) (?:wrong|invalid|incorrect|not)`,
    // A code that is sent later is not what this field asks for.
    `(?:an? |your |the )?${code} (?:will|shall) be (?:sent|emailed|e mailed|texted|mailed)`,
    `(?:we|you) ?(?:will|ll|shall) (?:send|email|text|mail|receive|get)(?: you)?(?: an?| your| the)? ${code}`,
    `(?<=^|\\n)(?:no|without|kein|ohne|sans|sin|senza|zonder) ${code}(?: (?:needed|required|notig|erforderlich))?`,
    // A code to copy from an image.
    `captcha(?: verification| security)? code|code captcha|(?:image|picture|graphic) (?:verification|security) code`,
    `(?:verification|security) code (?:shown |displayed |you see )?(?:in|on|from) the (?:image|picture)`,
    alternatives('图形验证码|图片验证码|图像验证码|圖形驗證碼'),
    // A postal code in India.
    `(?:${postal}|delivery|address|shipping|billing)[ \\n](?:(?:area|code|or)[ \\n])*pin ?code`,
    `${postal} (?:code )?(?:or )?pin`,
    `pin ?code[ \\n](?:(?:or|of)[ \\n])*${postal}(?: code)?|pin (?:or )?${postal}(?: code)?`,
    `${place}(?: or| and)? pin ?code`,
    `pin ?code (?:or |and |of )?${place}(?! (?:bank|card|union))`,
    // Cards that are not payment cards.
    `${otherCards} card (?:number|no|num|nr)`,
    `${germanCards}karten ?(?:nummer|nr)`,
    `(?:klanten|bonus|leden|identiteits|bibliotheek)kaart ?nummer`,
    `(?:numero )?(?:de |de la )?carte (?:de fidelite|de membre|d identite|d adherent|d etudiant|vitale)`,
    `(?:numero )?(?:de |de la )?tarjeta (?:de fidelidad|de socio|de cliente|de identidad|sanitaria)`,
    `(?:numero )?(?:di |della )?carta (?:fedelta|d identita|di identita)`,
    `(?:numero )?(?:do )?cartao (?:de )?(?:fidelidade|socio|cidadao)`,
    // A key that everybody may know.
    `public (?:api|ssh|gpg|pgp|host|encryption|signing|access) keys?`,
    // What is counted, bought and exchanged.
    `(?:select|choose|pick|search|swap|buy|sell|native|reward|governance|erc ?\\d*|nft) (?:an? |the )?token`,
    // A keyword.
    folded('parol[ae] chiave'),
    // Other phrases that contain a term.
    alternatives(
      'one time donation|one time gift|one time payment|one time contribution|one time purchase|one time order|' +
        'one time fee|one time amount|ski pass|season pass|day pass|bus pass|travel pass|parking pass|boarding pass|' +
        'booking confirmation|order confirmation|reservation confirmation|pin colour|pin color|pin size|pan size|' +
        'frying pan|sun tan|tan level',
    ),
  ].join('|')})(?!\\p{L})`,
  'gu',
)

const aboutCard =
  / (name|holder|address|street|city|zip|postal code|postcode|state|country|phone|email|type|brand)( \d+)?$/

/** Whether the surroundings make a term harmless: a code to copy from an image, or an Indian postal code. */
export function isHarmlessHere(element: Element, kind: SensitiveKind, text: string): boolean {
  if (kind === 'one-time-code' || kind === 'security-code') {
    return !isSent.test(`${text} ${element.getAttribute('name') ?? ''} ${element.id}`) && isCaptcha(element)
  }
  if (kind !== 'password' || !/^(enter )?(your )?pin ?code$/.test(toComparable(text))) return false
  return (
    /(^|\s)postal-code(\s|$)/.test(element.getAttribute('autocomplete') ?? '') ||
    element.closest('fieldset,form')?.querySelector(placeField) != null
  )
}
const placeField =
  '[autocomplete*=address-level],[name*=city i],[id*=city i],[name*=district i],[name*=postal i],[name*=zip i]'

/** Whether "pincode", the postal code of an address in India, is the word for a PIN in the language of the element. */
export const isPinHere = (element: Element, text: string): boolean =>
  /(?:^| )pincode(?: |$)/.test(toComparable(text)) &&
  /^(?:nl|af|da|de|nb|nn|no|sv|et)\b/i.test(element.closest('[lang]')?.getAttribute('lang') ?? '')

/** A code that is sent to the visitor or printed on a card. */
const isSent = /one.?time|otp|sms|短信|手机|邮|phone|mobile|mail|factor|2fa|auth|cvv|cvc|card/i

/** Whether the field is called a captcha, or is the only text field beside a captcha image. */
function isCaptcha(element: Element): boolean {
  const isCaptchaImage = (one: Element): boolean =>
    ['name', 'id', 'class', 'src', 'alt'].some((name) =>
      /captcha|vcode|图形|图片|圖形/i.test(one.getAttribute(name) ?? ''),
    )
  if (['name', 'id'].some((name) => /captcha/i.test(element.getAttribute(name) ?? ''))) return true
  let around = element.parentElement
  for (let level = 0; around && level < 3; level++, around = around.parentElement) {
    if (around.querySelectorAll('input:not([type=hidden]),textarea').length !== 1) return false
    if ([...around.querySelectorAll('img,canvas')].some(isCaptchaImage)) return true
  }
  return false
}

/** Whether the last word of an identifier names something else: `cardNumber.billingCity` is a city. */
export const isAboutCard = (text: string): boolean => aboutCard.test(toComparable(text))

/** The kind of secret that a name, id, label or placeholder refers to; undefined if it refers to none. */
export function sensitiveKindIn(text: string): SensitiveKind | undefined {
  for (const form of spellingsOf(text)) {
    const kind = kindOfForm(form)
    if (kind) return kind
  }
  return undefined
}

function kindOfForm(text: string): SensitiveKind | undefined {
  if (termIn(toComparable(text)) === undefined) return undefined
  // A harmless phrase must not span clauses: in "Forgot it? Enter the password" the password counts.
  const clauses = text
    .split(/[.,;:!?()[\]|•·–—]+|\s-\s/)
    .map(toComparable)
    .filter((clause) => clause !== '')
  const [first = '', ...others] = clauses
  // After the name of an ordinary field, the rest explains: "E-mail address (you choose a password later)".
  const named = isOrdinary(first) ? [first, ...others.filter((clause) => !isSentence(clause))] : clauses
  const judged = named.filter((clause) => !isProperty(clause))
  return termIn(judged.join('\n').replace(phrases, ' – ').replaceAll('\n', ' ').trim())
}

const of = 'of|de|del|des|du|d|de la|de las|de los|der|di|dei|delle|della|dell|do|da|dos|van|van de|van het|sur'
/** What is told about a secret without telling it: "API key name", "Anzahl der Token", "令牌数量". */
const properties = new RegExp(
  [
    `^${folded(
      'name|number|amount|count|type|date|nom|nombre|date|nome|numero|número|data|tipo|nombre|cantidad|quantidade|' +
        'quantita|quantité|fecha|anzahl|datum|typ|naam|aantal|antal|navn|namn',
    )} ${folded(`(?:${of})`)}(?!\\p{L})`,
    `^${folded(
      'anzahl|aantal|antal|nazwa|liczba|data|название|имя|количество|дата|тип|اسم|عدد|تاريخ|نوع|název|počet',
    )} `,
    `(?<=(?:key|token|secret|code|phrase)) ?(?:names?|ids?|identifier|types?|counts?|labels?|descriptions?|title|` +
      'owner|scopes?|permissions?|limits?|quota|usage|status|urls?|endpoint|symbol|address|price|version|' +
      'prefix|created|' +
      'budget|contract|standard|balance|contacts?|managers?|persons?|people|figures?|points?|dates?|results?)$',
    '(?<!\\p{L})(?:length|expiry|expiration|expires|lifetime|policy|format|algorithm|rotation|age|history|last used)$',
    `${folded('länge|anzahl|ablauf|richtlinie|schlüsselname|tokenname|adı|sayısı|uzunluğu|türü|süresi')}$`,
    `${folded(
      '(?<!ユーザー|用户|使用者)名|名称|名稱|数|數|数量|數量|日期|类型|類型|描述|説明|有効期限|有效期|长度|長さ|이름|개수|길이|유형',
    )}$`,
  ].join('|'),
  'u',
)
/** Whether words name a property of a password, key or code. The number of a card is the secret itself. */
function isProperty(clause: string): boolean {
  if (!properties.test(clause)) return false
  const kind = termIn(clause)
  return kind === 'password' || kind === 'one-time-code'
}

/** What a field is called that holds no secret, alone or after words that say whose or which. */
const ordinary = new RegExp(
  `^(?:${folded(
    'your|my|the|new|work|business|private|personal|contact|billing|shipping|delivery|home|mobile|primary|confirm|' +
      'repeat|ihre|deine|tu|su|votre|il tuo|la tua|uw|je|seu|sua',
  )} )*${folded(
    'e mail|email|mail|e ?mail (?:address|id)|(?:first|last|full|middle|given|family|user|display|nick|company) ?' +
      'name|' +
      'name|surname|username|user id|(?:tele|cell|mobile )?phone(?: (?:number|no|nr))?|mobile(?: number)?|street|' +
      'address(?: line)?|city|town|zip(?: code)?|postal code|post ?code|country|state|region|company|organi[sz]ation|' +
      'website|url|date of birth|birth ?da(?:te|y)|subject|message|comments?|notes?|search|amount|quantity|job title|' +
      'department|(?:order|customer|account|vat|invoice) (?:number|no|nr)|' +
      'e mail adresse|vorname|nachname|telefon(?:nummer)?|handynummer|strasse|straße|ort|plz|postleitzahl|land|firma|' +
      'benutzername|geburtsdatum|nachricht|betreff|kundennummer|' +
      'correo(?: electronico)?|nombre(?: de usuario)?|apellidos?|teléfono|dirección|ciudad|codigo postal|pais|' +
      'empresa|' +
      'usuario|adresse(?: e ?mail| electronique)?|courriel|prenom|nom(?: d utilisateur)?|telephone|ville|code postal|' +
      'pays|societe|identifiant|indirizzo(?: e ?mail)?|nome(?: utente| de usuario)?|cognome|citta|cap|azienda|' +
      'endereco(?: de e ?mail)?|sobrenome|telefone|cidade|cep|voornaam|achternaam|e ?mailadres|telefoonnummer|' +
      'woonplaats|' +
      'postcode|gebruikersnaam|imie|nazwisko|adres(?: e ?mail)?|miasto|электронная почта|почта|имя|фамилия|телефон|' +
      'адрес|город|メールアドレス|氏名|名前|電話番号|住所|邮箱|电子邮件|姓名|手机号|电话|地址|이메일|이름|전화번호',
  )}(?: \\d+)?$`,
  'u',
)
/** Whether the text is the name of a field that holds no secret. */
export const isOrdinary = (text: string): boolean => ordinary.test(toComparable(text))

const command = new RegExp(
  `^(?:(?:please|then|now|also|bitte|dann|por favor|merci de|puis|per favore) )*${folded(
    'or|and|oder|und|ou|et|o|y|e|en|of|enter|type|insert|input|provide|fill|give|use|confirm|geben sie|gib|tippen|' +
      'ingresa\\p{L}*|introduzca|introduce|escrib\\p{L}*|saisi\\p{L}*|entrez|indiquez|inseri\\p{L}*|digit\\p{L}*|' +
      'voer|vul|podaj|wpisz|введите|укажите',
  )}(?!\\p{L})`,
  'u',
)
/** Whether words explain something, instead of naming or asking for it. */
function isSentence(comparable: string): boolean {
  return comparable.split(' ').length >= 4 && !command.test(comparable)
}

/** Words of an explanation that is about another moment, or about what not to do. */
const elsewhere = new RegExp(
  `(?<!\\p{L})${folded(
    'later|afterwards|after|before|when|if|in case|until|once you|next|reset|recover|restore|forget|forgot|forgotten|' +
      'lose|lost|never|not|don t|without|instead|spater|danach|falls|wenn|nachsten|nie|nicht|ohne|vergessen|despues|' +
      'luego|nunca|no|sin|plus tard|ensuite|apres|jamais|sans|si|dopo|mai|senza|se|later|nooit|als|depois|poi',
  )}(?!\\p{L})`,
  'u',
)
/**
 * Whether a text beside the name of a field, such as its `title`, only mentions a secret. `label` is the name; without
 * one, the text is the only name.
 */
export function isExplanation(text: string, label: string): boolean {
  const comparable = toComparable(text)
  return label !== '' && isSentence(comparable) && (isOrdinary(label) || elsewhere.test(comparable))
}
