// What people and programmers call a secret, in the languages most forms are written in. Compared after `plain`:
// lower case, no accents, words apart.
import { plain } from './text.js'

export type Secret = 'password' | 'card' | 'security-code' | 'one-time-code' | 'hidden'

// Anywhere in the text.
const phrases: Record<Exclude<Secret, 'hidden'>, string> = {
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
const words: Record<Exclude<Secret, 'hidden'>, string> = {
  password: 'passwrd|psw|pswd|pword|mdp|pass|pw|userpass|userpwd|loginpass|wachtw|pin|clave|parole',
  card: 'pan|kartennr|karten nr|kreditkartennr|n de carte|no de carte|n carte|no carte|n tarjeta|no tarjeta|nro tarjeta|n de tarjeta|no de tarjeta|nr karty|ccn|cardnr|ccno|ccnum|ccnumber',
  'security-code': 'cvc|cvn|csc|cvd|ccv',
  'one-time-code': 'otp|totp|mfa|2fa|2 fa|tfa|tan|mtan|otc|smstan',
}

const list = (text: string): string => text.split('|').map((word) => plain(word)).filter((word) => word !== '').join('|')
const kinds = (Object.keys(phrases) as (keyof typeof phrases)[]).map((kind) => ({
  kind,
  anywhere: new RegExp(list(phrases[kind]), 'u'),
  alone: new RegExp(`(?<!\\p{L})(?:${list(words[kind])})(?!\\p{L})`, 'u'),
}))
// Words that look alike: a postal pin code, a forgotten password's link, a hint, a user name that names both.
const harmless = list('pin code|pincode|forgot|vergessen|oublie|olvid|esquec|dimenticat|vergeten|hint|reminder|captcha|username|user name|benutzername|nom d utilisateur|nombre de usuario|nome utente|nome de usuario|gebruikersnaam|promo code|coupon|gift code|strength')
const lookalike = new RegExp(harmless, 'u')

// Other things that hold such a word: taken out, for what is left may be a secret all the same.
const apart = new RegExp(`(?<!\\p{L})(?:${list('one time donation|one time gift|one time payment|one time contribution|one time purchase|one time order|one time fee|one time amount|ski pass|season pass|day pass|bus pass|travel pass|parking pass|boarding pass|loyalty card number|library card number|carte de fidelite|tarjeta de fidelidad|booking confirmation|order confirmation|reservation confirmation|pin colour|pin color|pin size|pan size|frying pan|sun tan|tan level')})(?!\\p{L})`, 'gu')

// A card by its bare name: the whole text, because a path such as `creditCard.billingPhone` names other things too.
const bareCard = new RegExp(`^(?:${list('credit card|debit card|creditcard|kreditkarte|carte bancaire|carte de credit|tarjeta de credito|carta di credito|cartao de credito')})$`, 'u')

/** The kind of secret that a name, id, label or placeholder speaks of. */
export function secretIn(text: string): Secret | undefined {
  const words = plain(text).replace(apart, ' ')
  if (words === '' || lookalike.test(words)) return undefined
  return bareCard.test(words) ? 'card' : kinds.find(({ anywhere, alone }) => anywhere.test(words) || alone.test(words))?.kind
}
