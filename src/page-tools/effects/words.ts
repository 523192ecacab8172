// Words that say what a control does, in the languages of the SDK. They only make a class more serious: a name with
// such a word never opens a menu without a question.

/** Whole words, in the forms of commands. Participles such as "deleted" name states. */
const destroying = [
  'delete remove erase discard destroy purge wipe pay buy purchase checkout check-out withdraw refund revoke ' +
    'unsubscribe deactivate terminate uninstall empty reset unlink disconnect ban kick',
  'löschen lösche entfernen stornieren kündigen bezahlen zahlen kaufen bestellen überweisen widerrufen leeren ' +
    'verwerfen zurücksetzen abbestellen erstatten deaktivieren buchen',
  'eliminar elimina borrar borra quitar suprimir anular pagar comprar pedir transferir revocar vaciar descartar ' +
    'restablecer reembolsar desactivar',
  'supprimer supprime effacer retirer payer acheter commander transférer virer révoquer vider abandonner ' +
    'réinitialiser rembourser désactiver résilier',
  'حذف احذف إزالة أزل ادفع دفع شراء اشتر اطلب سحب إفراغ تجاهل استرداد تعطيل',
]
/** Phrases of words that alone mean something harmless, as in "Orders" or "Cancel". */
const destroyingPhrases = new RegExp(
  [
    '(?<!\\p{L})(?:place(?: my| your| the| this)? order|order now|complete order|submit order|move to trash|' +
      'clear (?:all|everything|data|history|cart)|(?:close|cancel) (?!changes)\\p{L}+|' +
      '(?:money|bank|make a|confirm) transfer|transfer (?:money|funds|ownership|now|\\d)|' +
      'leave (?:team|group|organi[sz]ation)|cancelar \\p{L}+|annuler (?!la saisie)\\p{L}+|' +
      'إلغاء \\p{L}+|تحويل (?:المبلغ|الأموال))',
    '^(?:order|transfer|trash)$',
  ].join('|'),
  'iu',
)
const destroyingSigns = new RegExp(
  '削除|消去|取り消し|キャンセルする|をキャンセル|解約|支払う|支払い?を|購入|注文(?:する|を確定|確定)|^注文$|振込|送金|破棄|リセット|返金|無効化|空にする|' +
    '删除|刪除|移除|清空|取消.+|支付|付款|购买|購買|下单|下單|提交订单|转账|轉帳|撤销|撤銷|丢弃|重置|退款|注销|停用|解约',
  'u',
)

/** Submits, saves, sends, publishes. */
const sending = [
  'send submit save publish post share invite confirm approve reject decline upload merge deploy release register ' +
    'subscribe logout login accept',
  'senden absenden abschicken speichern sichern veröffentlichen teilen einladen bestätigen genehmigen ablehnen ' +
    'hochladen registrieren abonnieren abmelden anmelden posten einreichen',
  'enviar envía guardar guarda publicar compartir invitar confirmar aprobar rechazar subir registrar registrarse ' +
    'suscribirse',
  'envoyer envoie soumettre enregistrer sauvegarder publier partager inviter confirmer approuver valider refuser ' +
    'téléverser',
  'إرسال أرسل حفظ احفظ نشر انشر مشاركة دعوة تأكيد موافقة رفض رفع تسجيل اشتراك',
]
const sendingPhrases = new RegExp(
  "(?<!\\p{L})(?:sign (?:out|up|in)|log (?:out|in)|cerrar sesión|iniciar sesión|s['’]inscrire|s['’]abonner|" +
    'se (?:dé)?connecter)(?!\\p{L})',
  'iu',
)
const sendingSigns = new RegExp(
  '送信|保存|公開|投稿|共有|招待|確認する|承認|却下|アップロード|登録|ログアウト|ログイン|' +
    '发送|發送|提交|儲存|发布|發布|分享|邀请|邀請|确认|確認|批准|拒绝|上传|注册|登录|登出|订阅',
  'u',
)

const wordsOf = (languages: readonly string[]): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${languages.join(' ').split(' ').join('|')})(?!\\p{L})`, 'iu')
const destroyingWords = wordsOf(destroying)
const sendingWords = wordsOf(sending)

/** The class that the words of a name announce; undefined if they announce none. */
export function effectOfWords(name: string): 'send' | 'destroy' | undefined {
  const text = name.normalize('NFC').trim()
  if (destroyingWords.test(text) || destroyingPhrases.test(text) || destroyingSigns.test(text)) return 'destroy'
  if (sendingWords.test(text) || sendingPhrases.test(text) || sendingSigns.test(text)) return 'send'
  return undefined
}

/** The class of a name in code: of an operation such as `deleteIssue`, or of a part of an address such as `log-out`. */
export const effectOfCodeName = (name: string): 'send' | 'destroy' | undefined =>
  effectOfWords(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[-_./:]+/g, ' '))

/** Names that close a dialog and do nothing else. */
const closing = new RegExp(
  '^(?:[×✕✖⨯x]|close|dismiss|cancel|no|nein|non|いいえ|否|لا|not now|no,? thanks|keep(?: .*)?|back|' +
    'schließen|abbrechen|nicht jetzt|zurück|' +
    'cerrar|cancelar|ahora no|volver|fermer|annuler|pas maintenant|retour|閉じる|キャンセル|戻る|' +
    '关闭|關閉|取消|返回|إغلاق|إلغاء|رجوع)$',
  'iu',
)
/** Whether a name in a dialog only closes it. */
export const closesDialog = (name: string): boolean => closing.test(name.trim())

/** Names of the button that does what its dialog asks about. */
const agreeing = new RegExp(
  '^(?:ok(?:ay)?|yes(?:,.*)?|continue|proceed|agree|i understand|ja(?:,.*)?|weiter|fortfahren|sí|si|continuar|' +
    "aceptar|oui|continuer|d['’]accord|はい|続ける|是|好|确定|確定|继续|نعم|متابعة|موافق)$",
  'iu',
)
/** Whether a name in a dialog agrees to what the dialog says. */
export const agrees = (name: string): boolean => agreeing.test(name.trim())

const bins =
  /(?<!\p{L})(trash|garbage|recycle bin|rubbish|papierkorb|papelera|corbeille)(?!\p{L})|ゴミ箱|回收站|垃圾|سلة المهملات/iu
const binClasses = /(?:^|[-_\s])(trash|delete|remove|garbage|recycle-bin)(?:$|[-_\s])/i
/** Whether things that are dropped here are thrown away, by its names or by its id and classes. */
export const namesBin = (names: string, classes: string): boolean => bins.test(names) || binClasses.test(classes)
