// Words of a label that make it another field than its other words say: "Confirm email" is not "email", "Name of your
// spouse" is not "name". In the languages of the SDK.
import { toComparable } from '../dom/text.js'

/** Whole words, or beginnings of words with a hyphen behind them. Read through `toComparable`. */
const words: Readonly<Record<string, string>> = {
  negations:
    'not never without except none dont don neither nor instead exclud- unsubscribe optout nicht kein- ohne ' +
    'niemals statt außer pas sans non aucun- jamais sauf sin nunca ningun- jamas excepto لا ليس بدون غير',
  repetitions:
    'confirm- repeat- retype again verif- reenter reconfirm- bestätig- wiederhol- nochmal- erneut prüf- ' +
    'confirmez confirmer répét- ressaisi- nouveau vérifi- confirmar confirme repetir repita repite ' +
    'vuelva verificar تأكيد للتأكيد أكد كرر إعادة أعد',
  times:
    'new old previous former past prior neue neuer neues neuen neuem alte alter altes alten ' +
    'altem bisherig- früher- ' +
    'vorherig- nouvel- nouveau nouveaux ancien- précédent- nuevo nueva nuevos nuevas antiguo antigua antiguos ' +
    'antiguas anterior anteriores viejo vieja جديد الجديد جديدة الجديدة قديم القديم قديمة ' +
    'القديمة سابق السابق السابقة',
  others:
    'alternat- secondary second backup recovery another other additional zweite- weitere- andere- alternativ- ' +
    'ersatz- zusätzlich- secondaire second- autre- secours secundari- otro otra otros otras adicional- respaldo ' +
    'أخرى آخر بديل البديل ثانوي الثانوي احتياطي إضافي',
  people:
    'friend friends spouse spouses husband wife partner partners child children kid kids son ' +
    'daughter mother father ' +
    'mom mum dad parent parents guardian guardians emergency reference references referee ' +
    'referees referrer referral ' +
    'referred relative relatives sibling brother sister nominee beneficiary beneficiaries dependent dependents ' +
    'dependant recipient recipients employer employers manager managers supervisor supervisors ' +
    'colleague colleagues ' +
    'coworker boss doctor physician dentist teacher attorney lawyer landlord witness ' +
    'accountant assistant secretary ' +
    'coapplicant cosigner co their his her someone pet dog cat ' +
    'freund- ehe- ehepartner- ehefrau ehemann- gatte- gattin partner- lebensgefährt- kind kindes kinder- mutter ' +
    'vater- eltern- erziehungsberechtigt- vormund- notfall- referenz- empfänger- arbeitgeber- vorgesetzt- kolleg- ' +
    'arzt- ärzt- lehrer- begünstigt- angehörig- geschwister bruder schwester vermieter- zeuge- ' +
    'ami amis amie amies conjoint- époux épouse mari femme enfant- fils fille mère père parent- tuteur- tutrice ' +
    'urgence référence- référent- destinataire- bénéficiaire- employeur- responsable- ' +
    'supérieur- collègue- médecin- ' +
    'parrain- professeur- propriétaire- témoin- frère sœur proche proches ' +
    'amigo amiga amigos amigas cónyuge- esposo esposa marido mujer pareja hijo hija hijos ' +
    'hijas niño niña madre padre ' +
    'padres tutor tutora emergencia- referencia- referente destinatari- beneficiari- ' +
    'empleador- jefe jefa supervisor- ' +
    'colega- médico médica profesor- propietario testigo hermano hermana familiar familiares ' +
    'صديق- الصديق زوج- الزوج- شريك الشريك طفل- الطفل ابن- ابنة الأم والدة- الأب والد- الوالد- ' +
    'ولي الطوارئ طوارئ مرجع ' +
    'المستلم مستلم المستفيد صاحب المدير مدير المشرف زميل- الطبيب قريب أخ أخت',
}

/** Japanese and Chinese write no spaces, so these count anywhere in the other words. */
const parts =
  '不 非 无 無 除外 以外 別の 别的 确认 確認 核实 再次 再度 重复 重複 重新 再入力 もう一度 新 旧 前の 以前 备用 備用 予備 其他 その他 次要 第二 ' +
  '友 配偶 丈夫 妻 夫 伴侣 孩子 儿子 女儿 子供 お子 息子 娘 父 母 家长 保護者 监护 緊急 紧急 推荐人 推薦 紹介者 介绍人 受益 收件人 受取人 ' +
  '雇主 雇用主 上司 同事 同僚 经理 医生 医師 老师 証人 亲属 親族 兄弟 姐妹 姉妹'

const entries = Object.values(words).flatMap((list) => list.split(/\s+/))
const whole = new Set(entries.filter((word) => !word.endsWith('-')).map(toComparable))
const beginnings = entries.filter((word) => word.endsWith('-')).map((word) => toComparable(word))
const anywhere = parts.split(/\s+/).map(toComparable)
/** What follows "no" as a short form of "number". */
const numbered = /^(de|du|des|del)$/

/**
 * Whether the words of a label beside those that were asked for negate it, ask for it once more, or name another
 * person. `own` are all words of the label. A word that was asked for does not count.
 */
export function meansAnother(own: readonly string[], asked: readonly string[]): boolean {
  const others = own.filter((word) => !asked.includes(word))
  // Elsewhere it is a short form of "number": "Phone no".
  if (own[0] === 'no' && others.includes('no') && !numbered.test(own[1] ?? '')) return true
  return others.some(
    (word) =>
      whole.has(word) ||
      beginnings.some((start) => word.startsWith(start)) ||
      anywhere.some((part) => word.includes(part)),
  )
}
