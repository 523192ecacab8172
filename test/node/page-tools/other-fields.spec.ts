// Which words of a label, beside those that were asked for, make it another field.
import { expect, test } from 'playwright/test'
import { toComparable } from '../../../src/page-tools/dom/text.js'
import { meansAnother } from '../../../src/page-tools/fill/other-fields.js'

const isAnother = (label: string, asked: string): boolean =>
  meansAnother(toComparable(label).split(' '), toComparable(asked).split(' '))

for (const [kind, pairs] of Object.entries({
  negated: [
    'Not email/email',
    'No email/email',
    'Email, do not use/email',
    'Keine E-Mail/e-mail',
    'Sans adresse/adresse',
  ],
  'asked for once more': [
    'Confirm email/email',
    'Re-enter phone, again/phone',
    'E-Mail bestätigen/e-mail',
    'Confirmar correo/correo',
    'Répéter adresse/adresse',
    'تأكيد البريد الإلكتروني/البريد',
    'メールアドレス (確認用)/メールアドレス',
    '邮箱 确认/邮箱',
  ],
  'of another time': [
    'New email/email',
    'Old address/address',
    'Neue Adresse/adresse',
    'البريد الإلكتروني الجديد/البريد',
  ],
  'a second one': [
    'Recovery email/email',
    'Alternate phone/phone',
    'Correo secundario/correo',
    'Autre adresse/adresse',
  ],
  'of another person': [
    'Email of your friend/email',
    "Spouse's name/name",
    'Emergency contact phone/phone',
    'Name des Ehepartners/name',
    'Telefon Notfallkontakt/telefon',
    'Nom du conjoint/nom',
    'Téléphone d’urgence/téléphone',
    'Nombre del cónyuge/nombre',
    'اسم الزوجة/اسم',
    '電話番号 (緊急)/電話番号',
    '姓名 (配偶)/姓名',
  ],
}))
  test(`is another field: ${kind}`, () => {
    expect(pairs.filter((pair) => !isAnother(...(pair.split('/') as [string, string])))).toEqual([])
  })

test('is the same field with words that say more about it', () => {
  const pairs = [
    'Your email address/email',
    'Work phone/phone',
    'Phone no./phone',
    'No de teléfono/teléfono',
    'Newsletter email/email',
    'First name/name',
    'Current address/address',
    'Company email/email',
    'Contact name/name',
    'Songs name/name',
    'Straße und Hausnummer/strasse',
    'Dirección de envío/dirección',
    'Prénom et nom/nom',
    'お名前 フリガナ/お名前',
    'New email/new email',
    "Friend's email/friend email",
  ]
  expect(pairs.filter((pair) => isAnother(...(pair.split('/') as [string, string])))).toEqual([])
})
