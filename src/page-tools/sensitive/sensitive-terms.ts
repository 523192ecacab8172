// What people and programmers call a secret, in the languages most forms are written in. Compared after `plain`:
// lower case, no accents, words apart.
import { toComparable } from '../dom/text.js'

export type SensitiveKind = 'password' | 'card' | 'security-code' | 'one-time-code' | 'hidden'

// Anywhere in the text.
const phrases: Record<Exclude<SensitiveKind, 'hidden'>, string> = {
  password: `password|passwd|passwort|passcode|pass code|passphrase|pass phrase|pass word|kennwort|contrasena|contrasenya|mot de passe|motdepasse|
    senha|palavra passe|wachtwoord|heslo|haslo|hasło|parola|пароль|losenord|adgangskode|adgangskod|passord|salasana|sifre|jelszo|κωδικος προσβασης|συνθηματικο|
    密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة المرور|كلمة السر|الرقم السري|סיסמה|mat khau|kata sandi|รหัสผ่าน|पासवर्ड|geslo|geheimzahl|kodeord|lozinka|zaporka|slaptazodis|
    parool|pwd|رمز عبور|пароля|парола|clave de acceso|clave secreta|codice segreto|secret key|private key|api key|recovery phrase|seed phrase`,
  card: `card number|cardnumber|card num|card no|cardno|cardnum|cc number|cc num|cc no|credit card no|creditcardno|creditcardnumber|numero de carte|numero carte|
    numero de la carte|kartennummer|kreditkartennummer|numero de tarjeta|numero de la tarjeta|num tarjeta|numero di carta|numero della carta|numero carta|
    numero do cartao|num cartao|kaartnummer|creditcardnummer|numer karty|cislo karty|номер карты|カード番号|卡号|卡號|카드 번호|카드번호|kart numarasi|kortnummer|kartnummer|kortin numero|
    numar card|kartyaszam|αριθμος καρτας|رقم البطاقة|מספר כרטיס|so the tin dung|nomor kartu|หมายเลขบัตร|account number credit`,
  'security-code': `security code|securitycode|cvv|card verification|cardverification|verification value|card code|cardcode|cvc2|cvccode|cardcvc|cardcsc|sicherheitscode|
    sicherheitsnummer|prufziffer|prufnummer|kartenprufnummer|cryptogramme|code de securite|codigo de seguridad|codigo de seguranca|codice di sicurezza|beveiligingscode|kod bezpieczenstwa|
    bezpecnostni kod|код безопасности|セキュリティコード|安全码|安全碼|보안 코드|보안코드|guvenlik kodu|sakerhetskod|sikkerhedskode|sikkerhetskode|turvakoodi|رمز الأمان|קוד אבטחה|cod de securitate|cod seguridad|cod seguranca|3 digit code|code on the back`,
  'one-time-code': `one time|onetime|two factor|twofactor|2 factor|authentication code|authenticator|auth code|authcode|verification code|verificationcode|verify code|confirmation code|confirmationcode|
    login code|access code|sms code|smscode|6 digit code|passkey code|backup code|recovery code|bestatigungscode|verifizierungscode|einmalcode|einmalpasswort|code de verification|code de confirmation|
    codigo de verificacion|codigo de confirmacion|codigo de verificacao|codigo de confirmacao|codice di verifica|codice di conferma|verificatiecode|bevestigingscode|kod weryfikacyjny|overovaci kod|
    код подтверждения|код из смс|認証コード|確認コード|動態密碼|短信验证码|手机验证码|動態碼|인증번호|인증 번호|dogrulama kodu|verifieringskod|bekraeftelseskode|vahvistuskoodi|رمز التحقق|קוד אימות|ma xac nhan|kode verifikasi|
    un solo uso|usage unique|monouso|codigo sms|engangskode|jednorazow|одноразов|eenmalige code|验证码|stelliger code|code we sent|code we texted|code sent to your`,
}
// Only as words of their own.
const words: Record<Exclude<SensitiveKind, 'hidden'>, string> = {
  password: 'passwrd|psw|pswd|pword|mdp|pass|pw|userpass|userpwd|loginpass|wachtw|pin|clave|parole',
  card: 'pan|kartennr|karten nr|kreditkartennr|n de carte|no de carte|n carte|no carte|n tarjeta|no tarjeta|nro tarjeta|n de tarjeta|no de tarjeta|nr karty|ccn|cardnr|ccno|ccnum|ccnumber',
  'security-code': 'cvc|cvn|csc|cvd|ccv',
  'one-time-code': 'otp|totp|mfa|2fa|2 fa|tfa|tan|mtan|otc|smstan',
}

const list = (text: string): string =>
  text
    .split('|')
    .map((word) => toComparable(word))
    .filter((word) => word !== '')
    .join('|')
const kinds = (Object.keys(phrases) as (keyof typeof phrases)[]).map((kind) => ({
  kind,
  anywhere: new RegExp(list(phrases[kind]), 'u'),
  alone: new RegExp(`(?<!\\p{L})(?:${list(words[kind])})(?!\\p{L})`, 'u'),
}))
// A card by its bare name: the whole text, because a path such as `creditCard.billingPhone` names other things too.
const cards = `credit card|debit card|creditcard|kreditkarte|carte bancaire|carte de credit|tarjeta de credito|carta di credito|
  cartao de credito`
const bareCard = new RegExp(`^(?:${list(cards)})$`, 'u')
const kindIn = (words: string): SensitiveKind | undefined =>
  bareCard.test(words) ? 'card' : kinds.find(({ anywhere, alone }) => anywhere.test(words) || alone.test(words))?.kind

// Harmless phrases that hold such a word. They are taken out, and the rest is judged: it may be a secret all the same.
const any = (text: string): string => `(?:${list(text)})`
const password = `${any(`${phrases.password}|pass|parole`)}\\p{L}{0,3}`
const code = `(?:${any('one time|temporary|new|verification|security|access|confirmation|login|sms')} )*(?:${password}|otp|pin|code)`
const forgotten = `(?:${list('forgot|forgotten|lost|vergessen|vergeten')}|(?:oubli|olvid|esquec|dimentica)\\p{L}*)`
const between = `(?: ${any(`your|my|the|or|and|user|username|name|id|email|login|dein|ihr|oder|das|tu|su|la|mi|votre|ton|le|sua|a|
  tua|il|je|uw|het`)})*`
const userName = any(`user name|username|benutzername|nom d utilisateur|nombre de usuario|nome utente|nome de usuario|
  gebruikersnaam`)
const account = `(?:${userName}|e ?mail(?: address)?|login)`
const postal = '(?:postal|post|zip|area)'
const place = '(?:city|town|state|district)'

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
    // Two labels of one box, and messages: no box asks for both.
    `${userName} ${password}`,
    `${account} (?:and|und|et|y|e|en) ${password}`,
    `(?:wrong|invalid|incorrect) ${account} or ${password}`,
    `${account} or ${password} (?:is|are|was|were) (?:wrong|invalid|incorrect|not)`,
    // What is still to come is not what is typed here.
    `(?:an? |your |the )?${code} (?:will|shall) be (?:sent|emailed|e mailed|texted|mailed)`,
    `(?:we|you) ?(?:will|ll|shall) (?:send|email|text|mail|receive|get)(?: you)?(?: an?| your| the)? ${code}`,
    `(?<=^|\\n)(?:no|without|kein|ohne|sans|sin|senza|zonder) ${code}(?: (?:needed|required|notig|erforderlich))?`,
    // A code to copy from an image.
    `captcha(?: verification| security)? code|code captcha|(?:image|picture|graphic) (?:verification|security) code`,
    `(?:verification|security) code (?:shown |displayed |you see )?(?:in|on|from) the (?:image|picture)`,
    list('图形验证码|图片验证码|图像验证码|圖形驗證碼'),
    // A postal code in India.
    `(?:${postal}|delivery|address|shipping|billing)[ \\n](?:(?:area|code|or)[ \\n])*pin ?code|${postal} (?:code )?(?:or )?pin`,
    `pin ?code[ \\n](?:(?:or|of)[ \\n])*${postal}(?: code)?|pin (?:or )?${postal}(?: code)?`,
    `${place}(?: or| and)? pin ?code|pin ?code (?:or |and |of )?${place}(?! (?:bank|card|union))`,
    // Cards that nobody pays with.
    `${any(`member|members|membership|loyalty|library|club|plus|reward|rewards|bonus|customer|student|staff|employee|identity|id|
    health|insurance|medicare|travel|points`)} card (?:number|no|num|nr)`,
    `${any('kunden|mitglieds|bonus|treue|vorteils|bahn|bibliotheks|versicherten|gesundheits|ausweis')}karten ?(?:nummer|nr)`,
    `(?:klanten|bonus|leden|identiteits|bibliotheek)kaart ?nummer`,
    `(?:numero )?(?:de |de la )?carte (?:de fidelite|de membre|d identite|d adherent|d etudiant|vitale)`,
    `(?:numero )?(?:de |de la )?tarjeta (?:de fidelidad|de socio|de cliente|de identidad|sanitaria)`,
    `(?:numero )?(?:di |della )?carta (?:fedelta|d identita|di identita)|(?:numero )?(?:do )?cartao (?:de )?(?:fidelidade|socio|cidadao)`,
    // Other things that hold such a word.
    list(`one time donation|one time gift|one time payment|one time contribution|one time purchase|one time order|one time fee|
    one time amount|ski pass|season pass|day pass|bus pass|travel pass|parking pass|boarding pass|booking confirmation|
    order confirmation|reservation confirmation|pin colour|pin color|pin size|pan size|frying pan|sun tan|tan level`),
  ].join('|')})(?!\\p{L})`,
  'gu',
)

/** The kind of secret that a name, id, label or placeholder speaks of. */
export function sensitiveKindIn(text: string): SensitiveKind | undefined {
  if (kindIn(toComparable(text)) === undefined) return undefined
  // A phrase never reaches over the end of a clause: "Forgot it? Enter the password".
  const clauses = text
    .split(/[.,;:!?()[\]|•·–—]+|\s-\s/)
    .map(toComparable)
    .join('\n')
  return kindIn(clauses.replace(harmless, ' – ').replaceAll('\n', ' ').trim())
}
