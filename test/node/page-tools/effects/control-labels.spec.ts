// What the words of controls announce, measured on labels of real menus in nineteen languages. Half of them was kept back
// while the vocabulary was written.
import { expect, test } from 'playwright/test'
import {
  agrees,
  closesDialog,
  effectOfWords,
  isCross,
  namesBin,
  saysFinal,
  saysPage,
  turnsPage,
} from '../../../../src/page-tools/effects/match-vocabulary.js'
import { controlLabels, developed, heldBack, type LabelSet } from '../../../fixtures/control-labels.js'

interface Row {
  readonly language: string
  readonly deeds: number
  readonly missed: readonly string[]
  readonly harmless: number
  readonly alarms: readonly string[]
}

const count = (rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0)

/** One row for each language: what should be announced and is not, and the other way round. */
function table(half: (labels: readonly string[]) => string[]): Row[] {
  return Object.entries(controlLabels).map(([language, set]: [string, LabelSet]) => ({
    language,
    deeds: half(set.destroy).length + half(set.send).length,
    missed: [
      ...half(set.destroy).filter((label) => effectOfWords(label) !== 'destroy'),
      ...half(set.send).filter((label) => effectOfWords(label) === undefined),
    ],
    harmless: half(set.none).length,
    alarms: half(set.none).filter((label) => effectOfWords(label) !== undefined),
  }))
}

for (const [name, half] of Object.entries({ developed, 'kept back': heldBack }))
  test(`labels that were ${name}: 98 % of the deeds are announced, and 5 % of the others at most`, () => {
    const rows = table(half)
    const missed = rows.flatMap((row) => row.missed)
    const alarms = rows.flatMap((row) => row.alarms)
    expect(missed.length / count(rows, (row) => row.deeds), `missed: ${missed.join(', ')}`).toBeLessThan(0.02)
    expect(alarms.length / count(rows, (row) => row.harmless), `false alarms: ${alarms.join(', ')}`).toBeLessThan(0.05)
    for (const { language, deeds, missed: own } of rows)
      expect(own.length / deeds, `${language}: ${own.join(', ')}`).toBeLessThan(0.1)
  })

test('the table of the labels that were kept back, for each language', { tag: '@long' }, () => {
  const rows = table(heldBack)
  const line = (name: string, own: readonly Row[]): string => {
    const deeds = count(own, (row) => row.deeds)
    const harmless = count(own, (row) => row.harmless)
    const found = deeds - count(own, ({ missed }) => missed.length)
    const alarms = count(own, (row) => row.alarms.length)
    const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`
    return `| ${name} | ${found} of ${deeds} | ${percent(found, deeds)} | ${alarms} of ${harmless} | ${percent(alarms, harmless)} |`
  }
  const lines = [
    '| language | deeds announced | | others announced | |',
    '|---|--:|--:|--:|--:|',
    ...rows.map((row) => line(row.language, [row])),
    line('all', rows),
  ]
  process.stdout.write(`\n${lines.join('\n')}\n`)
  expect(rows).toHaveLength(Object.keys(controlLabels).length)
})

test('the names of the buttons of dialogs and pagers, in each language', () => {
  const closing =
    'Close|Not now|Keep booking|Abbrechen|Fermer|Cancelar|キャンセル|取消|إلغاء|Annulla|Fechar|Annuleren|Avbryt|Annuller|Lukk|' +
    'Peruuta|Anuluj|Zrušit|Отмена|Скасувати|Vazgeç|취소'
  const agreeing =
    'OK|Yes|Yes, go on|Ja, weiter|Oui|Sí|はい|确定|نعم|Sim|Doorgaan|Fortsätt|Kyllä|Tak|Ano|Да|Так|Evet|확인'
  const turning =
    'Next|Go to the next page|Page 3|7|Nächste|Suivant|次へ|下一页|التالي|Volgende|Nästa|Następna|Далее|다음|»'
  for (const name of closing.split('|')) expect.soft(closesDialog(name), name).toBe(true)
  for (const name of agreeing.split('|')) expect.soft(agrees(name), name).toBe(true)
  for (const name of turning.split('|')) expect.soft(turnsPage(name), name).toBe(true)
  for (const name of ['Cancel order', 'Bestellung abbrechen', 'Close account', 'Anuluj zamówienie'])
    expect.soft(closesDialog(name), name).toBe(false)
  for (const name of ['Delete', 'Ja', 'Okayama', 'Next of kin', 'Buy 2'])
    expect.soft([name !== 'Ja' && agrees(name), turnsPage(name)], name).toEqual([false, false])
  for (const text of ['Page 2', '1–10 of 50', 'Seite 3', '2 / 9', '第 3 页', 'Strona 2', '3 из 12'])
    expect.soft(saysPage(text), text).toBe(true)
  for (const name of ['×', '✖️', '❌', 'times', 'xmark']) expect.soft(isCross(name), name).toBe(true)
  for (const name of ['Recycle bin', 'Papierkorb', 'Kosz', 'Çöp kutusu', 'ゴミ箱', '휴지통'])
    expect.soft(namesBin(name, ''), name).toBe(true)
  expect(namesBin('', 'drop-zone trash-list')).toBe(true)
  expect(namesBin('Robinson', 'cabinet')).toBe(false)
})

// Found in the translations of applications whose labels are in no list above.
test('a noun of a deed is confirmed, a state is none, and what is deleted is gone whatever it is', () => {
  for (const [expected, labels] of [
    [
      'destroy',
      [
        'Löschung bestätigen',
        'Zahlung durchführen',
        'Confirmar eliminación',
        'Confirmer la suppression',
        'Confirmar exclusão',
        'Conferma l’eliminazione',
        'Bevestig verwijdering',
        'Bekräfta betalning',
        'Potwierdź usunięcie',
        'Potvrdit smazání',
        'Подтвердить удаление',
        'Підтвердити видалення',
        'Silmeyi onayla',
        'تأكيد الحذف',
        'Delete selection',
        'Click to pay',
        'Do you want to delete it?',
      ],
    ],
    ['send', ['Confirm copy', 'Duplizieren bestätigen', 'Upload files', 'Click to upload', '確認', 'メールを転送する']],
    [
      undefined,
      [
        'Ready to publish',
        'Ready to unpublish',
        'File to upload',
        'Bereit zum Veröffentlichen',
        'Prêt à publier',
        'Listo para despublicar',
        'Klaar om te publiceren',
        'Готовы войти?',
        'Wichtig zu wissen',
        'Upload failed',
        'Upload complete',
        'Deploy failed',
        'Close guided tour',
        'Filter löschen',

        '保存しました',
        'ログインに失敗しました',
        'このロールは削除できません',
        '差分を確認',
        '転送トークン',
        '近日公開',
      ],
    ],
  ] as const)
    for (const label of labels) expect.soft(effectOfWords(label), label).toBe(expected)
})

test('what says that it cannot be taken back, in each language', () => {
  for (const text of [
    'This action cannot be undone.',
    "You can't undo this",
    'Das kann nicht rückgängig gemacht werden.',
    'Esta acción no se puede deshacer.',
    'Cette action est irréversible.',
    'この操作は元に戻せません。',
    '此操作无法撤销。',
    'لا يمكن التراجع عن هذا الإجراء.',
    'Questa azione non può essere annullata.',
    'Esta ação não pode ser desfeita.',
    'Dit kan niet ongedaan worden gemaakt.',
    'Det här kan inte ångras.',
    'Handlingen kan ikke fortrydes.',
    'Tätä ei voi perua.',
    'Tej operacji nie można cofnąć.',
    'Tuto akci nelze vrátit zpět.',
    'Это действие нельзя отменить.',
    'Цю дію неможливо скасувати.',
    'Bu işlem geri alınamaz.',
    '이 작업은 되돌릴 수 없습니다.',
  ])
    expect(saysFinal(text), text).toBe(true)
  for (const text of ['You can undo this.', 'Reopen the invoice?', 'Nothing is lost.'])
    expect(saysFinal(text), text).toBe(false)
})
