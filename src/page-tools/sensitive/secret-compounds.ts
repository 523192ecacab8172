// Names of secrets that are built of two parts: a thing (key, token, code, phrase) and a word that makes a secret of it
// (private, recovery, sent by SMS, six digits). Languages are mixed on purpose: "API-Schlüssel" and "OAuth secret" are
// usual, and a wrong mixture is no ordinary field in any language. Texts are comparable, see `toComparable`.
import { fold } from '../dom/text.js'

/** What a compound names: something that is kept, or a code that is used once. */
export type CompoundKind = 'password' | 'one-time-code'

/** The source of a regular expression for comparable texts, without the accents that they do not have. */
export const folded = (source: string): string => `(?:${fold(source)})`

/**
 * The beginning of a word. Scripts without spaces have none: there, words of another script may follow directly, as in
 * "私のAPIキー". An Arabic word may begin with its article.
 */
const start = '(?<![\\p{sc=Latin}\\p{sc=Cyrl}\\p{sc=Grek}\\p{sc=Arab}\\p{sc=Hebr}])(?:[وبلك]?ال|لل)?'
/** The rest of a word: the ending of a case, a plural, an article. */
const ending = '\\p{L}{0,3}(?!\\p{L})'
/** Between the parts: "Clé d'API", "Chave do Wi-Fi", "復元用のコード". */
const gap = '(?: ?[ぁ-ん]{1,3}| ?的| \\p{L}{1,3}){0,2} ?'

/** Words for a thing. In the languages of `compounding` the thing comes last, also inside one word. */
const things = {
  key: {
    compounding: 'key|schlüssel|sleutel|nøgle|nøkkel|nyckel|lykill?|avain|キー|鍵|密钥|密鑰|金鑰|金钥|키|anahtar|kulcs',
    leading: 'clé|clef|clave|chiave|chave|klucz|ключ|κλειδί|klíč|kľúč|ključ|cheie|مفتاح|מפתח|kunci|khóa|कुंजी',
  },
  token: {
    compounding: 'token|トークン|令牌|权杖|權杖|토큰|belirte[cç]',
    leading: 'token|jeton|токен|رمز|אסימון|διακριτικό',
  },
  code: {
    compounding: 'code|kode|kod|kóði|koodi|ziffern|コード|番号|数字|代码|代碼|码|碼|코드|번호|şifre',
    leading: 'code|código|codice|kod|kód|cod|codi|koda|код|κωδικός|رمز|كود|קוד|kode',
  },
  phrase: {
    compounding:
      'phrase|words?|frase|phrase|satz|wörter|zin|woorden|fras|setning|フレーズ|短语|短語|词组|助记词|sætning|구문|문구|단어|ifade',
    leading: 'phrase|mots|frase|palabras|parole|palavras|fraza|słow|фраза|слова|φράση|عبارة|كلمات|fráze|frázis',
  },
} as const

/** Words that make a secret of a thing. Stems: any ending may follow. */
const traits = {
  private:
    'privat|privé|privée|privad|prywatn|приватн|закрыт|ιδιωτικ|soukrom|súkromn|özel|einka|yksityi|개인|비공개|私|خاص|פרטי',
  secret:
    'secret|geheim|segret|segred|tajn|секретн|таємн|тайн|μυστικ|hemlig|hemmelig|leynileg|gizli|salai|titkos|비밀|秘密|' +
    'シークレット|機密|机密|私密|سري|סודי|rahasia|गुप्त',
  master: 'master|haupt|maître|maestr|mestr|hoofd|główn|мастер|главн|マスター|主|huvud|hoved|رئيسي|마스터',
  crypto:
    'encrypt|decrypt|signing|verschlüssel|entschlüssel|signatur|chiffrement|déchiffr|cifrad|descifr|cifrat|cifrari|' +
    'crittograf|criptogr|versleutel|szyfr|шифр|подпис|暗号|加密|解密|签名|簽名|署名|تشفير|توقيع|krypter|κρυπτογράφησ|' +
    'şifrelem|šifrov|암호화|서명',
  access:
    'access|zugang|zugriff|accès|acceso|acesso|accesso|toegang|dostęp|доступ|アクセス|访问|訪問|存取|وصول|دخول|' +
    'πρόσβασ|adgang|åtkomst|tilgang|aðgang|erişim|přístup|prístup|액세스|접근|pääsy|hozzáfér|גישה|akses',
  network:
    'wi ?fi|wlan|wpa ?\\d?|wep|network|netzwerk|réseau|netwerk|sieci|сети|ネットワーク|网络|網路|无线|無線|شبكة|' +
    '와이파이|네트워크|hotspot|ssh|gpg|pgp|api|hmac|jwt|vpn',
  machine:
    'auth|deploy|session|service account|storage account|server|sync|bot|webhook|telegram|slack|' +
    'github|host|refresh|تحديث|刷新',
  security:
    'security|sicherheit|sécurité|seguridad|sicurezza|segurança|beveiliging|zabezpiecze|безопасност|セキュリティ|安全|보안|' +
    'sikkerhed|sikkerhet|säkerhet|öryggi|güvenlik|ασφαλεί|bezpečnost|امان',
  recovery:
    'recover|recovery|restor|wiederherstell|récupér|recuper|ripristin|restaur|herstel|odzysk|przywrac|восстановл|' +
    'відновл|復元|復旧|復活|リカバリ|回復|恢复|恢復|復原|还原|استرداد|استعادة|ανάκτησ|ανακτησ|gendann|gjenopprett|återställ|endurheimt|' +
    'kurtarma|obnov|복구|helyreállít|palautus|שחזור|pemulihan',
  spare:
    'back ?up|sicherungs|secours|sauvegarde|respaldo|riserva|zapasow|резервн|バックアップ|予備|备份|備份|备用|備用|احتياطي|ersatz|' +
    'εφεδρικ|reserv(?=ko[dn])|yedek|záložn|백업|notfall|emergency|urgence|emergencia|emergenza|emergência|nood|awaryjn|' +
    'аварийн|緊急|紧急|طوارئ|nød|scratch',
  seed: 'seed|semilla|semente|сид|シード|시드|ニーモニック|니모닉|mnemo|мнемо',
  unlock:
    'unlock|entsperr|freischalt|déverrouill|débloc|desbloque|sblocc|ontgrendel|deblokk|odblok|разблок|ロック解除|解锁|' +
    '解鎖|(?:الغاء|فك) ال?قفل|ξεκλειδ|oplås|opplås|upplås|kilit|odemk|odemyk|잠금',
  activation:
    'activat|activación|activacion|aktivier|attivaz|ativaç|activer|aktywac|активац|アクティベ|有効化|激活|啟用|启用|' +
    'تفعيل|تنشيط|ενεργοποί|aktiver|virkjun|etkinleştirm|aktivac|활성화|aktivoi',
  proof:
    'verif|validat|validac|validaz|validaç|validier|bestätig|confirm|conferm|bevestig|potwierdz|weryfik|подтвержд|' +
    'проверочн|确认|確認|验证|驗證|認証|认证|校验|تحقق|تاكيد|مصادقة|επαλήθευσ|επιβεβαίωσ|bekræft|bekreft|bekräft|' +
    'staðfest|doğrula|onay|ověřov|ověřen|overov|potvrz|potvrd|인증|확인|authent|autent|uwierzytel|аутентиф|' +
    'prüf|identif|אימות|xác (?:nhận|thực)|verifik|авториз|autori[sz]|authori[sz]|autoryz',
  login:
    'login|log ?in|sign ?in|anmelde|einmal|connexion|inicio de sesión|inlog|aanmeld|logowan|вход|ログイン|登录|登入|' +
    'σύνδεσ|giriş|přihlaš|prihlas|로그인|innlogg|innskrán|indlogning|masuk',
  once:
    'one time|single use|usage unique|un solo uso|uso único|monouso|tempora|tempor[äæ]r|temporan|eenmalig|tijdelijk|' +
    'jednoraz|jednorázov|tymczasow|одноразов|временн|ワンタイム|一次性|一時|临时|臨時|لمرة واحدة|موقت|μίας χρήσης|' +
    'engang|engång|einnota|tek kullanım|일회용|חד פעמי',
  twoSteps:
    'two (?:factor|step)|2 ?fa|mfa|[2２] ?(?:factor|step)|zwei ?faktor|deux (?:facteurs|étapes)|' +
    'dos (?:factores|pasos)|' +
    'due (?:fattori|passaggi)|d(?:ois|uas) (?:fatores|etapas)|double authentification|[二两兩2]段階|二要素|两步|兩步|' +
    '双重|雙重|二次|ثنائي|двухфактор|двухэтап|dwuetap|dwuskład|twee ?(?:staps|factor)|to ?faktor|två ?(?:faktor|steg)|' +
    'iki (?:adım|faktör)|dvoufáz|2단계|이중',
} as const

type Trait = keyof typeof traits
const traitsOf: Readonly<Record<keyof typeof things, readonly Trait[]>> = {
  key: ['private', 'secret', 'master', 'crypto', 'access', 'network', 'machine', 'security', 'recovery', 'proof'],
  token: ['private', 'secret', 'access', 'network', 'machine', 'once', 'proof', 'login'],
  code: ['secret', 'access', 'recovery', 'spare', 'unlock', 'activation', 'proof', 'login', 'once', 'twoSteps'],
  phrase: ['secret', 'recovery', 'spare', 'seed'],
}

/** Two words side by side, in the order of the language. */
function pairOf(thing: keyof typeof things): string {
  const { compounding, leading } = things[thing]
  const trait = folded(traitsOf[thing].map((name) => traits[name]).join('|'))
  return [
    `${start}${trait}\\p{L}{0,12}${gap}${folded(`${compounding}|${leading}`)}${ending}`,
    `${start}${folded(leading)}${ending}${gap}${start}${trait}`,
  ].join('|')
}

const codeWord = folded(`${things.code.compounding}|${things.code.leading}`)
const shortWord = '[\\p{sc=Latin}\\p{sc=Cyrl}\\p{sc=Grek}]{1,3}'
/** Words around a code that say nothing about which code it is. */
const filler = folded(
  'enter|type|please|your|this|digits?|use|geben|bitte|ihren?|deinen?|saisi\\p{L}*|entrez|votre|veuillez|' +
    'ingres\\p{L}*|introdu\\p{L}*|escrib\\p{L}*|inseri\\p{L}*|digit[ea]|voer|vul|podaj|wpisz|введите|укажите|' +
    'ادخل|اكتب|请|請|输入|輸入|填写|入力|してください|입력|girin|zadejte|ange|indtast',
)
const digits = folded(
  'digits?|stellig\\p{L}*|ziffern?|chiffres?|cifre?|cifras?|cijfer\\p{L}*|dígitos?|cyfr\\p{L}*|цифр\\p{L}*|' +
    'значн\\p{L}*|桁|位数|位數|位|자리|ارقام|رقم|خانات|ψηφ\\p{L}*|ciffer\\p{L}*|cifret|siffr\\p{L}*|siffer\\p{L}*|haneli|' +
    'míst[a-z]*|cifer\\p{L}*|stafa|számjegy\\p{L}*|numeroinen|numer\\p{L}* de|haneden',
)
const amount =
  '(?:\\d{1,2}|[一二三四五六七八]|' +
  folded(
    'four|five|six|eight|vier|fünf|sechs|acht|quatre|cinq|huit|cuatro|cinco|seis|ocho|quattro|cinque|sei|otto|quatro|' +
      'oito|vijf|zes|cztero|pięcio|sześcio|четырех|пяти|шести|восьми|sex|fyra|åtta|seks|fire|šesti|' +
      'čtyř|osmi|altı|dört|' +
      'ستة|اربعة|여섯|네',
  ) +
  ')'
/** "6-digit", "шестизначный", "à 6 chiffres", "6桁の". */
const counted = `${amount}[ \\p{L}]{0,3}?${digits}`
/** A code of some digits, and nothing that would say that it is the code of a product or an address. */
const countedCode = new RegExp(
  `^(?:${filler} ?|${shortWord} )*(?:${counted}${gap}${codeWord}${ending}|${codeWord}${ending}${gap}` +
    `(?:مكون|المكون|composto|compuesto|bestehend)?${gap}${counted})(?: ?${filler}| ${shortWord})*$`,
  'u',
)

const sent = folded(
  'sent|received|texted|emailed|mailed|gesend|geschickt|zugesandt|erhalten|envoy|reçu|enviad|enviamos|recib|inviat|' +
    'ricevut|recebid|verzond|verstuurd|gestuurd|ontvang|wysłan|otrzyman|отправл|получ|присл|届い|届き|送ら|送信|送った|' +
    '受信|受け取|記載|表示|收到|发送|發送|寄送|مرسل|ارسل|στείλ|στάλ|εστάλ|sendt|modtag|mottag|mottatt|skicka|gönder|zaslan|' +
    'odeslan|받은|전송|보낸|발송|küld|lähetet|sendur|gelen|kapott|primit',
)
const channel = folded(
  'sms|смс|text message|e ?mails?|mail|phone|telefon|téléphone|teléfono|telefono|telefone|móvil|movil|celular|handy|' +
    'mobil|apps?|authenticator|application|aplicación|applicazione|aplicativo|aplicação|aplikac|приложени|письм|почт|' +
    'телефон|сообщени|アプリ|メール|電話|スマホ|短信|簡訊|邮箱|邮件|郵件|手机|手機|应用|應用|تطبيق|هاتف|بريد|جوال|رسالة|' +
    'correo|courriel|εφαρμογ|κινητ|uygulama|eposta|e posta|e post|epost|smáforrit|이메일|메일|문자|앱|휴대폰|nachricht|' +
    'mensaje|message|messaggio|mensagem|bericht|wiadomoś|zpráv|tablet|nummer',
)
const before = `(?:${filler} |\\p{L}{1,3} |\\p{N}+ |${digits} )*(?:ال)?`
/** A code that comes from elsewhere: "Code from the app", "Código enviado por SMS", "メールで届いたコード". */
const sentCode = new RegExp(
  [
    `^${before}${codeWord}\\p{L}{0,2}(?: (?:\\p{L}{1,5}|${sent}\\p{L}*)){1,5} ${start}${channel}`,
    `^${before}${codeWord}\\p{L}{0,2}(?: \\p{L}{1,6}){0,4} (?:ال)?${sent}`,
    `^(?:${shortWord} )*(?:${channel}\\p{L}*(?: \\p{L}{1,3})?)? ?${sent}\\p{L}{0,4} ?${codeWord}${ending}`,
    // Japanese and Chinese: what is said about a code stands before it.
    `${channel}(?:[ぁ-ん]{1,3}|的)?(?:[ぁ-ん]|的|${sent})(?:[ぁ-ん]{1,3}|的)?(?:\\d[位桁]の?)?${folded('コード|番号|数字|代码|代碼|码|碼')}`,
    `${folded('sms|смс')} ?${codeWord}|${folded('e ?mail|app')} ?${codeWord}${ending}$`,
    `${codeWord}(?: \\p{L}{1,5}){0,2} ${folded('sms|смс')}`,
  ].join('|'),
  'u',
)

/** What has a secret of its own. */
const owner = `${start}${folded(
  'webhook|вебхук|client|client[ei]|kunden|klient|клиент|クライアント|客户端|用戶端|oauth|api|app|auth|hmac|jwt|signing|' +
    '署名|consumer|bot',
)}`
const secretNoun = folded(
  'secret(?!ar)|geheim|secreto|segreto|segredo|sekret(?!ar)|секрет(?!ар)|シークレット|机密|機密|비밀',
)
/** Whole things: no other word is needed. */
const alone = new RegExp(
  [
    // One token. "Tokens" are counted or paid with.
    `${start}${folded('\\p{L}{0,12}token|jeton|токен|トークン|令牌|权杖|權杖|토큰')}(?!\\p{L})`,
    folded('私钥|私鑰|密钥|密鑰|金鑰|秘钥|助记词|助記詞|秘密鍵'),
    `${owner}\\p{L}{0,4}${gap}${secretNoun}`,
    `${secretNoun}\\p{L}{0,4}${gap}${owner}`,
    `${start}${folded('wallet seed|(?:puk|пук) ?(?:code|kode?|nummer|код)?')}(?!\\p{L})`,
    // "24-word phrase".
    `${start}(?:12|15|18|21|24) ?\\p{L}{1,12} ${folded('phrase|frase|fraza|фраза|satz')}(?!\\p{L})`,
    `${start}pin(?:kode?|koodi|nummer|number)(?!\\p{L})`,
  ].join('|'),
  'u',
)
const kept = new RegExp((['key', 'token', 'phrase'] as const).map(pairOf).join('|'), 'u')
const usedOnce = new RegExp(pairOf('code'), 'u')

/** The kind of the secret that a text names by two words; undefined if it names none. */
export function compoundIn(comparable: string): CompoundKind | undefined {
  if (alone.test(comparable) || kept.test(comparable)) return 'password'
  return usedOnce.test(comparable) || countedCode.test(comparable) || sentCode.test(comparable)
    ? 'one-time-code'
    : undefined
}
