// Names for secrets in the languages that most forms use, as a table by kind and language. Texts are compared after
// `toComparable`: lower case, no accents, words separated by one space. sensitive-kind.ts
// leaves out harmless texts that contain one.
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
export const alternatives = (terms: string): string =>
  terms
    .split('|')
    .map((term) => toComparable(term))
    .join('|')
/** The same with a group. */
export const group = (terms: string): string => `(?:${alternatives(terms)})`
const allOf = (terms: Terms): string => terms.join('|')
/** All terms for a password that match anywhere. */
export const passwordTerms = (): string => allOf(phrases.password)

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

/** The kind of the secret whose term a text has; undefined if it has none. `comparable`: see `toComparable`. */
export const termIn = (comparable: string): SensitiveKind | undefined =>
  bareCard.test(comparable)
    ? 'card'
    : matchers.find(({ anywhere, wholeWord }) => anywhere.test(comparable) || wholeWord.test(comparable))?.kind
