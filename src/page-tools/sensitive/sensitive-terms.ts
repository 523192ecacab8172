// Names for secrets in the languages that most forms use, as a table by kind and language. Texts are compared after
// `toComparable`: lower case, no accents, words separated by one space.
import { toComparable } from '../dom/text.js'

/** What a private field holds. `hidden` is an `<input type="hidden">`. */
export type SensitiveKind = 'password' | 'card' | 'security-code' | 'one-time-code' | 'hidden'

type NamedKind = Exclude<SensitiveKind, 'hidden'>
/** One string per language: its terms, separated by `|`. The language is a comment, which costs no download. */
type Terms = readonly string[]

/**
 * Terms that match anywhere in a text, also inside a word. The kinds are tried in this order. Omit a term that contains
 * another term of its kind: it can never decide the result.
 */
const phrases: Readonly<Record<NamedKind, Terms>> = {
  password: [
    // English
    'password|passwd|passcode|pass code|passphrase|pass phrase|pass word|pwd|secret key|private key|api key|' +
      'seed phrase|recovery phrase',
    'كلمة المرور|كلمة السر|الرقم السري', // Arabic
    'парола', // Bulgarian
    'contrasenya', // Catalan
    'heslo', // Czech, Slovak
    'adgangskod|kodeord', // Danish
    'passwort|kennwort|geheimzahl', // German
    'κωδικος προσβασης|συνθηματικο', // Greek
    'contrasena|clave de acceso|clave secreta', // Spanish
    'parool', // Estonian
    'رمز عبور', // Persian
    'salasana', // Finnish
    'mot de passe|motdepasse', // French
    'סיסמה', // Hebrew
    'पासवर्ड', // Hindi
    'lozinka|zaporka', // Croatian
    'jelszo', // Hungarian
    'kata sandi', // Indonesian
    'parola|codice segreto', // Italian
    'パスワード|暗証番号', // Japanese
    '비밀번호|암호', // Korean
    'slaptazodis', // Lithuanian
    'wachtwoord', // Dutch
    'passord', // Norwegian
    'haslo|hasło', // Polish
    'senha|palavra passe', // Portuguese
    'пароль|пароля', // Russian
    'geslo', // Slovenian
    'losenord', // Swedish
    'รหัสผ่าน', // Thai
    'sifre', // Turkish
    'mat khau', // Vietnamese
    '密码|密碼|口令', // Chinese
  ],
  card: [
    'card num|cardnum|card no|cardno|cc num|cc no|account number credit', // English
    'رقم البطاقة', // Arabic
    'cislo karty', // Czech, Slovak
    'kartennummer', // German
    'αριθμος καρτας', // Greek
    'numero de tarjeta|numero de la tarjeta|num tarjeta', // Spanish
    'kortin numero', // Finnish
    'numero de carte|numero carte|numero de la carte', // French
    'מספר כרטיס', // Hebrew
    'kartyaszam', // Hungarian
    'nomor kartu', // Indonesian
    'numero di carta|numero della carta|numero carta', // Italian
    'カード番号', // Japanese
    '카드 번호|카드번호', // Korean
    'kaartnummer|creditcardnummer', // Dutch
    'kortnummer', // Norwegian
    'numer karty', // Polish
    'numero do cartao|num cartao', // Portuguese
    'numar card', // Romanian
    'номер карты', // Russian
    'kartnummer', // Swedish
    'หมายเลขบัตร', // Thai
    'kart numarasi', // Turkish
    'so the tin dung', // Vietnamese
    '卡号|卡號', // Chinese
  ],
  'security-code': [
    // English
    'security code|securitycode|cvv|card verification|cardverification|verification value|card code|cardcode|cvc2|' +
      'cvccode|cardcvc|cardcsc|3 digit code|code on the back',
    'رمز الأمان', // Arabic
    'bezpecnostni kod', // Czech, Slovak
    'sikkerhedskode', // Danish
    'sicherheitscode|sicherheitsnummer|prufziffer|prufnummer', // German
    'codigo de seguridad|cod seguridad', // Spanish
    'turvakoodi', // Finnish
    'cryptogramme|code de securite', // French
    'קוד אבטחה', // Hebrew
    'codice di sicurezza', // Italian
    'セキュリティコード', // Japanese
    '보안 코드|보안코드', // Korean
    'beveiligingscode', // Dutch
    'sikkerhetskode', // Norwegian
    'kod bezpieczenstwa', // Polish
    'codigo de seguranca|cod seguranca', // Portuguese
    'cod de securitate', // Romanian
    'код безопасности', // Russian
    'sakerhetskod', // Swedish
    'guvenlik kodu', // Turkish
    '安全码|安全碼', // Chinese
  ],
  'one-time-code': [
    // English
    'one time|onetime|two factor|twofactor|2 factor|authentication code|authenticator|auth code|authcode|' +
      'verify code|verification code|verificationcode|confirmation code|confirmationcode|login code|access code|' +
      'sms code|smscode|6 digit code|passkey code|backup code|recovery code|code we sent|' +
      'code we texted|code sent to your',
    'رمز التحقق', // Arabic
    'overovaci kod', // Czech, Slovak
    'bekraeftelseskode|engangskode', // Danish
    'bestatigungscode|verifizierungscode|einmalcode|stelliger code', // German
    'codigo de verificacion|codigo de confirmacion|codigo sms|un solo uso', // Spanish
    'vahvistuskoodi', // Finnish
    'code de verification|code de confirmation|usage unique', // French
    'קוד אימות', // Hebrew
    'kode verifikasi', // Indonesian
    'codice di verifica|codice di conferma|monouso', // Italian
    '認証コード|確認コード', // Japanese
    '인증번호|인증 번호', // Korean
    'verificatiecode|bevestigingscode|eenmalige code', // Dutch
    'kod weryfikacyjny|jednorazow', // Polish
    'codigo de verificacao|codigo de confirmacao', // Portuguese
    'код подтверждения|код из смс|одноразов', // Russian
    'verifieringskod', // Swedish
    'dogrulama kodu', // Turkish
    'ma xac nhan', // Vietnamese
    '验证码|動態密碼|動態碼', // Chinese
  ],
}

/** Terms that match only as whole words. They are too short, or part of too many other words, to match anywhere. */
const wholeWords: Readonly<Record<NamedKind, Terms>> = {
  password: [
    'passwrd|psw|pswd|pword|pass|pw|userpass|userpwd|loginpass|pin', // English
    'parole', // German
    'clave', // Spanish
    'mdp', // French
    'wachtw', // Dutch
  ],
  card: [
    'pan|ccn|cardnr|ccno|ccnum|ccnumber', // English
    'kartennr|karten nr|kreditkartennr', // German
    'n tarjeta|no tarjeta|nro tarjeta|n de tarjeta|no de tarjeta', // Spanish
    'n de carte|no de carte|n carte|no carte', // French
    'nr karty', // Polish
  ],
  'security-code': ['cvc|cvn|csc|cvd|ccv'],
  'one-time-code': [
    'otp|totp|mfa|2fa|2 fa|tfa|otc', // English
    'tan|mtan|smstan', // German
  ],
}

/** Terms as a regular expression: alternatives without a group around them. */
const alternatives = (terms: string): string =>
  terms
    .split('|')
    .map((term) => toComparable(term))
    .join('|')
const group = (terms: string): string => `(?:${alternatives(terms)})`
const allOf = (terms: Terms): string => terms.join('|')

const matchers = (Object.keys(phrases) as NamedKind[]).map((kind) => ({
  kind,
  anywhere: new RegExp(alternatives(allOf(phrases[kind])), 'u'),
  wholeWord: new RegExp(`(?<!\\p{L})${group(allOf(wholeWords[kind]))}(?!\\p{L})`, 'u'),
}))

/** Names of a card alone. They must be the whole text: `creditCard.billingPhone` is not a card number. */
const bareCard = new RegExp(
  `^${group(
    'credit card|debit card|creditcard|kreditkarte|carte bancaire|carte de credit|tarjeta de credito|' +
      'carta di credito|cartao de credito',
  )}$`,
  'u',
)

/** `comparable` must be a result of `toComparable`. */
const kindIn = (comparable: string): SensitiveKind | undefined =>
  bareCard.test(comparable)
    ? 'card'
    : matchers.find(({ anywhere, wholeWord }) => anywhere.test(comparable) || wholeWord.test(comparable))?.kind

// Parts of the harmless phrases below.
const password = `${group(`${allOf(phrases.password)}|pass|parole`)}\\p{L}{0,3}`
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

/** Phrases that contain a term but do not name a secret. They are removed, and the rest of the text is judged. */
const harmless = new RegExp(
  `(?<!\\p{L})(?:${[
    `${forgotten}${between} ${password}`,
    `${password}${between} ${forgotten}`,
    `(?:(?:e ?mail|address|phone|number) )?(?:for|to) (?:reset|recover)\\p{L}*${between} ${password}`,
    `${password} (?:reset|recovery|reminder) (?:e ?mail|address|link|phone)`,
    `${password} (?:hint|reminder|strength)`,
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

/** The kind of secret that a name, id, label or placeholder refers to; undefined if it refers to none. */
export function sensitiveKindIn(text: string): SensitiveKind | undefined {
  if (kindIn(toComparable(text)) === undefined) return undefined
  // A harmless phrase must not span clauses: in "Forgot it? Enter the password" the password counts.
  const clauses = text
    .split(/[.,;:!?()[\]|•·–—]+|\s-\s/)
    .map(toComparable)
    .join('\n')
  return kindIn(clauses.replace(harmless, ' – ').replaceAll('\n', ' ').trim())
}
