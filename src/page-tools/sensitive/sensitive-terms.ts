// Names for secrets that are one word or a fixed phrase, as a table by kind and language. secret-compounds.ts has the
// names of two parts. Texts are compared after `toComparable`: lower case, no accents, words separated by one space.
// sensitive-kind.ts leaves out harmless texts that contain a term.
import { toComparable } from '../dom/text.js'
import { compoundIn, folded } from './secret-compounds.js'

/** What a private field holds. `hidden` is an `<input type="hidden">`. */
export type SensitiveKind = 'password' | 'card' | 'security-code' | 'one-time-code' | 'hidden'

type NamedKind = Exclude<SensitiveKind, 'hidden'>
/** One string per language: its terms, separated by `|`. The language is a comment, which costs no download. */
type Terms = readonly string[]

/**
 * Terms that match anywhere in a text, also inside a word. The kinds are tried in this order. Omit a term that contains
 * another term of its kind: it can never decide the result.
 */
export const phrases: Readonly<Record<NamedKind, Terms>> = {
  password: [
    // English
    'password|passwd|passcode|pass code|passphrase|pass phrase|pass word|pwd|' +
      'mnemonic|shared secret|' +
      'memorable word|memorable information|security word|secret code|' +
      'secret answer|security answer|memorable answer|answer to the secret|answer to your secret|' +
      'answer to the security|answer to your security|secret question answer|security question answer',
    'كلمة المرور|كلمة السر|الرقم السري|عبارة المرور', // Arabic
    'парола|тайна дума', // Bulgarian
    'contrasenya', // Catalan
    'heslo|tajna odpoved|bezpecnostni odpoved', // Czech, Slovak
    'adgangskod|kodeord', // Danish
    'passwort|kennwort|geheimzahl|geheime antwort|sicherheitsantwort|antwort auf die sicherheitsfrage|' +
      'antwort auf ihre sicherheitsfrage|geheimwort|losungswort|codewort|zugangscode|geheimnummer', // German
    'κωδικος προσβασης|συνθηματικο|κωδικο προσβασης|μυστικη απαντηση', // Greek
    'contrasena|contrasenya|respuesta secreta|respuesta de seguridad|' +
      'palabra secreta|codigo secreto|clave personal', // Spanish
    'parool|salasõna', // Estonian
    'رمز عبور|گذرواژه|کلمه عبور', // Persian
    'salasana|tunnusluku|salainen vastaus', // Finnish
    'mot de passe|motdepasse|phrase de passe|code secret|code confidentiel|reponse secrete|' +
      'reponse de securite|mot secret', // French
    'סיסמה|סיסמא', // Hebrew
    'पासवर्ड', // Hindi
    'lozinka|zaporka', // Croatian
    'jelszo|titkos valasz', // Hungarian
    'kata sandi|kata laluan|jawaban rahasia', // Indonesian, Malay
    'parola|codice segreto|risposta segreta|risposta di sicurezza', // Italian
    'パスワード|パスフレーズ|暗証番号|秘密の答え|秘密の質問の答え|合言葉', // Japanese
    '비밀번호|암호|비밀 답변|비밀답변', // Korean
    'slaptazodis', // Lithuanian
    'wachtwoord|geheim antwoord|geheime code|toegangscode', // Dutch
    'passord|hemmelig svar', // Norwegian
    'hasło|tajna odpowiedz|odpowiedz na pytanie pomocnicze', // Polish
    'senha|palavra passe|resposta secreta|resposta de seguranca|palavra secreta', // Portuguese
    'parola|raspuns secret', // Romanian
    'пароль|пароля|секретный ответ|ответ на секретный|контрольный ответ|секретное слово|кодовое слово|пин код|' +
      'секретна відповідь', // Russian, Ukrainian
    'geslo', // Slovenian
    'лозинка', // Serbian, Macedonian
    'құпия сөз|құпиясөз|нууц үг', // Kazakh, Mongolian
    'lösenord|hemligt svar', // Swedish
    'รหัสผ่าน', // Thai
    'şifre|şifrə|gizli cevap|gizli yanıt|güvenlik sorusu cevabı', // Turkish, Azerbaijani
    'mật khẩu', // Vietnamese
    'fjalekalim|lykilorð|aðgangsorð|pasahitza|contrasinal|wagwoord|nenosiri|cyfrinair|pasfhocal', // others
    'গোপন নম্বর|পাসওয়ার্ড|கடவுச்சொல்|పాస్‌వర్డ్|પાસવર્ડ|پاس ورڈ', // others
    'მომხმარებლის პაროლი|პაროლი|գաղտնաբառ|ពាក្យសម្ងាត់', // others
    '密码|密碼|口令|密保答案|安全问题答案|安全問題答案|密保', // Chinese
  ],
  card: [
    // English. A sign for a number is written "number" before.
    'card num|cardnum|cardno|cc num|account number credit|card digits|digits of your card|' +
      'digits of the card|digits of card|card nbr|crd num|crd no|number on your card|number on the card',
    'رقم البطاقة', // Arabic
    'cislo karty', // Czech, Slovak
    'kartennummer|kreditkarten nr|nummer der karte|nummer der kreditkarte|kreditkarten nummer', // German
    'αριθμος καρτας', // Greek
    'numero de tarjeta|numero de la tarjeta|num tarjeta', // Spanish
    'kortin numero', // Finnish
    'numero de carte|numero carte|numero de la carte', // French
    'מספר כרטיס', // Hebrew
    'kartyaszam|kartya szam', // Hungarian
    'broj kartice|stevilka kartice|број картице', // Croatian, Slovenian, Serbian
    'numero de targeta|kaardi number|kartes numurs|korteles numeris|numri i kartes|nombor kad|شماره کارت|' +
      'номер картки|номер на карта|कार्ड नंबर|कार्ड संख्या|numarul cardului|numar de card', // others
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
    'kart numarası', // Turkish
    'số thẻ tín dụng', // Vietnamese
    '卡号|卡號', // Chinese
  ],
  'security-code': [
    // English
    'security code|securitycode|cvv|card verification|cardverification|verification value|card code|cardcode|cvc2|' +
      'cvccode|cardcvc|cardcsc|3 digit code|code on the back|4 digit code on|digits on the back|digits on back|' +
      'digits on the front|signature panel|signature strip|card identification|amex cid|card cid|4 digit cid|' +
      'cav2|sec code|card security|3 digits on',
    'رمز الأمان', // Arabic
    'bezpecnostni kod|bezpecnostny kod|kontrolni kod karty', // Czech, Slovak
    'sigurnosni kod|biztonsagi kod|κωδικος ασφαλειας|turvakood|saugos kodas|drosibas kods|kode keamanan|' +
      'kod keselamatan|mã bảo mật|รหัสความปลอดภัย|รหัสรักษาความปลอดภัย|सुरक्षा कोड|کد امنیتی|код безпеки|' +
      'varnostna koda|сигурносни код|codi de seguretat', // others
    'sikkerhedskode|öryggiskóði', // Danish, Icelandic
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
    'kod bezpieczeństwa', // Polish
    'codigo de seguranca|cod seguranca', // Portuguese
    'cod de securitate', // Romanian
    'код безопасности', // Russian
    'säkerhetskod', // Swedish
    'güvenlik kodu', // Turkish
    '安全码|安全碼', // Chinese
  ],
  'one-time-code': [
    // English
    'one time|onetime|two factor|twofactor|2 factor|authenticator|auth code|authcode|' +
      'passkey code|' +
      'verification number|verification pin|verification token|security token|2 step verif|two step verif',
    'رمز التحقق', // Arabic
    'stelliger code|einmalkennwort|tan nummer', // German
    'ellenorzo kod|megerosito kod|' +
      'kinnituskood|patvirtinimo kodas|apstiprinajuma kods|' +
      'รหัสยืนยัน|सत्यापन कोड|ओटीपी|کد تایید|kod pengesahan|код підтвердження|код перевірки|код за потвърждение|' +
      'potrditvena koda', // others
    'un solo uso', // Spanish
    'vahvistuskoodi|kertakayttokoodi|varmistuskoodi', // Finnish
    'usage unique', // French
    'monouso', // Italian
    'ワンタイム', // Japanese
    '일회용', // Korean
    'jednorazow', // Polish
    'одноразов|код проверки', // Russian
    'mã xác nhận|mã xác thực', // Vietnamese
    '動態密碼|動態碼|动态码|动态密码|动态口令', // Chinese
  ],
}

/** Terms that match only as whole words. They are too short, or part of too many other words, to match anywhere. */
export const wholeWords: Readonly<Record<NamedKind, Terms>> = {
  password: [
    'passwrd|psswrd|psswd|passw|pswrd|paswd|psw|pswd|pword|pass|pw|p w|p wd|userpass|userpwd|loginpass|pin', // English
    'пин|пін', // Russian, Ukrainian
    'parole', // German
    'πιν', // Greek
    'parol|parolu|parolni|parolingiz', // Uzbek, Azerbaijani
    'mdp', // French
    'wachtw', // Dutch
  ],
  card: [
    'pan|ccn|cardnr|ccno|ccnum|ccnumber|cd no|cd num|card no|cc no|creditcard no|debitcard no', // English
    // With a sign for "number".
    'tarjeta number|number de tarjeta|number tarjeta|carte number|number de carte|number carte|carta number|' +
      'number carta|cartao number|number do cartao|karte number|kreditkarte number|karty number|number karty|' +
      'kart number|kaart number|карты number|number карты',
    'kartennr|karten nr|kreditkartennr', // German
    'n tarjeta|no tarjeta|nro tarjeta|n de tarjeta|no de tarjeta', // Spanish
    'n de carte|no de carte|n carte|no carte', // French
    'nr karty', // Polish
  ],
  'security-code': ['cvc|cvn|csc|cvd|ccv|cid 3|cid 4|cid code|cid number|3 digit cid|vcode'],
  'one-time-code': [
    'otp|totp|mfa|2fa|2 fa|tfa|otc|verif code|ver code|conf code', // English
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

/** They must be the whole text: `creditCard.billingPhone` is no card number, and a "Verification method" no code. */
const wholeTexts = (
  [
    [
      'card',
      'credit card|debit card|creditcard|kreditkarte|carte bancaire|carte de credit|tarjeta de crédito|' +
        'carta di credito|cartão de crédito|number on card',
    ],
    [
      'one-time-code',
      '(?:enter |your |sms |phone |login |account |mobile )*verification(?: \\d+ digits?)?|verificación|' +
        'verifizierung|verificatie|weryfikacja|верификация|verificação|verifiering|验证|驗證|認証|인증|token',
    ],
    ['password', '(?:the |your |my |enter )*secret'],
    // "Palabra clave" and "Clave catastral" are none.
    [
      'password',
      '(?:\\p{L}{1,3} |(?:ingres|introdu|escrib|repet|repit|confirm|nuev|actual|anterior|antigu|cambi)\\p{L}* )*clave' +
        '(?: (?:\\p{L}{1,3}|actual|nueva|anterior|usuario|ingreso|internet|cajero|web|digital|dinámica|numérica|' +
        'tarjeta|banco|cuenta|online))*',
    ],
    ['password', '(?:\\p{L}{1,3} )*κωδικός(?: σας| μου)?'],
  ] as const
).map(([kind, texts]) => ({ kind, pattern: new RegExp(`^${folded(texts)}$`, 'u') }))

/** The kind of the secret whose term a text has; undefined if it has none. `comparable`: see `toComparable`. */
export const termIn = (comparable: string): SensitiveKind | undefined =>
  wholeTexts.find(({ pattern }) => pattern.test(comparable))?.kind ??
  matchers.find(({ anywhere, wholeWord }) => anywhere.test(comparable) || wholeWord.test(comparable))?.kind ??
  compoundIn(comparable)
