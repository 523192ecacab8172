// Values as people write them: what is understood, and what is refused rather than guessed.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { redactEchoes } from '../../../src/page-tools/sensitive/redact.js'
import { fillTools, readTools } from '../../../src/tools.js'
import { parseBoolean } from '../../../src/page-tools/fill/choices.js'
import { formatDay, parseDay, parseTemporal, parseTime, isSameDay } from '../../../src/page-tools/fill/dates.js'
import { onlyNumber, shownDecimal } from '../../../src/page-tools/fill/numbers.js'
import { likeness, numberReadings, parseNumber, sameValue } from '../../../src/page-tools/fill/parse-values.js'
import { sensitiveKindIn } from '../../../src/page-tools/sensitive/sensitive-kind.js'
import { asLabel, normalizeText, toReadable, truncate } from '../../../src/page-tools/dom/text.js'

test('parses numbers with separators, currency and unit, in either convention', () => {
  for (const [text, number] of [
    ['1234', 1234],
    ['1,234', 1234],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['0,5', 0.5],
    ['1,5', 1.5],
    ['3.14', 3.14],
    ['1 234 567', 1234567],
    ['1.234.567', 1234567],
    ["1'234", 1234],
    ['€ 20', 20],
    ['20 people', 20],
    ['-3', -3],
    ['\u22124', -4],
    ['50%', 50],
    ['1e3', 1000],
    ['.5', 0.5],
    ['１２', 12],
  ] as const)
    expect(parseNumber(text), text).toBe(number)
  for (const text of ['', 'many', '3 or 4', '1-2', 'NaN', 'Infinity']) expect(parseNumber(text), text).toBeUndefined()
  expect(parseNumber(Infinity)).toBeUndefined()
})

test('the language decides on a single separator before three digits', () => {
  for (const [text, german, english] of [
    ['1,234', 1.234, 1234],
    ['1.234', 1234, 1.234],
    ['-1,234', -1.234, -1234],
    ['1234.5', 1234.5, 1234.5],
    ['1234,5', 1234.5, 1234.5],
    ['0.125', 0.125, 0.125],
    ['12345.678', 12345.678, 12345.678],
    ['1.234,50', 1234.5, 1234.5],
    ['1,234.50', 1234.5, 1234.5],
    ['1.234.567', 1234567, 1234567],
    ['1,234,567', 1234567, 1234567],
  ] as const) {
    expect(parseNumber(text, ['de']), text).toBe(german)
    for (const language of ['en', 'de-CH', 'no language'])
      expect(parseNumber(text, [language]), `${text} ${language}`).toBe(english)
  }
  expect(parseNumber(1.234, ['de'])).toBe(1.234)
})

test('parses days in ISO, with month names, and in numbers in the order of the language', () => {
  const day = { year: 2026, month: 11, day: 27 }
  for (const text of [
    '2026-11-27',
    '2026/11/27',
    '20261127',
    '2026-11-27T19:30',
    '27 November 2026',
    'November 27, 2026',
    'Nov 27 2026',
    '27th of November, 2026',
    'Friday, 27 November 2026',
    '27.11.2026',
    '27/11/2026',
    '11/27/2026',
    '27.11.26',
    '2026年11月27日',
  ]) {
    expect(parseDay(text, ['en-GB']), text).toEqual(day)
  }
  expect(parseDay('27 novembre 2026', ['fr'])).toEqual(day)
  expect(parseDay('27. März 2026', ['de'])).toEqual({ year: 2026, month: 3, day: 27 })
  expect(parseDay('27 de noviembre de 2026', ['es'])).toEqual(day)
  expect(parseDay('27 ноября 2026', ['ru'])).toEqual(day)
  expect(parseDay('05/06/2026', ['en-US'])).toEqual({ year: 2026, month: 5, day: 6 })
  expect(parseDay('05/06/2026', ['en-GB'])).toEqual({ year: 2026, month: 6, day: 5 })
  for (const text of ['next Friday', '30 February 2026', '2026-13-01', '27 November', 'May', ''])
    expect(parseDay(text, ['en']), text).toBeUndefined()
})

test('formats a day by the hint of a field, if it has one', () => {
  const day = { year: 2026, month: 3, day: 7 }
  for (const [hint, text] of [
    ['mm/dd/yyyy', '03/07/2026'],
    ['Date (DD.MM.YYYY)', '07.03.2026'],
    ['TT.MM.JJJJ', '07.03.2026'],
    ['jj/mm/aaaa', '07/03/2026'],
    ['dd-mm-jjjj', '07-03-2026'],
    ['yyyy-mm-dd', '2026-03-07'],
    ['date format: m/d/yyyy', '03/07/2026'],
  ] as const)
    expect(formatDay(day, hint), hint).toBe(text)
  for (const hint of ['', 'Arrival', 'mm/yyyy', 'dd/dd/yyyy', 'ad/mm/yy', 'mmm/dd/yyyy'])
    expect(formatDay(day, hint), hint).toBeUndefined()
})

test('parses times with colon, dot, h, am and pm', () => {
  for (const [text, time] of [
    ['19:30', '19:30'],
    ['7:30 pm', '19:30'],
    ['7.30 p.m.', '19:30'],
    ['7pm', '19:00'],
    ['12 am', '00:00'],
    ['12pm', '12:00'],
    ['19h30', '19:30'],
    ['19 Uhr', '19:00'],
    ['9', '09:00'],
    ['noon', '12:00'],
    ['19:30:15', '19:30:15'],
    ['at 7:30 PM', '19:30'],
  ] as const) {
    expect(parseTime(text), text).toBe(time)
  }
  for (const text of ['25:00', '19:61', '13 pm', 'evening', '']) expect(parseTime(text), text).toBeUndefined()
})

test('formats a value for every type of date control', () => {
  for (const [type, text, value] of [
    ['datetime-local', '27 November 2026 at 7:30 pm', '2026-11-27T19:30'],
    ['datetime-local', '2026-11-27T19:30:00Z', '2026-11-27T19:30'],
    ['month', 'November 2026', '2026-11'],
    ['month', '11/2026', '2026-11'],
    ['month', '2026-11-27', '2026-11'],
    ['week', '2026-W48', '2026-W48'],
    ['week', 'week 48 of 2026', '2026-W48'],
    ['week', '2026-11-27', '2026-W48'],
    ['time', '2026-11-27T19:30', '19:30'],
    ['week', '2027-01-01', '2026-W53'],
  ] as const)
    expect(parseTemporal(type, text, ['en']), `${type} ${text}`).toBe(value)
  for (const [type, text] of [
    ['datetime-local', '2026-11-27'],
    ['month', '2026-13'],
    ['week', 'week 60 2026'],
    ['date', 'today'],
  ] as const)
    expect(parseTemporal(type, text, ['en']), `${type} ${text}`).toBeUndefined()
})

test('a reformatted value is equal unless it loses a sign, a decimal or a word', { tag: '@F76' }, () => {
  for (const [asked, held, language = 'en'] of [
    ['Ada', 'ADA'],
    ['Ada  Lovelace ', 'Ada Lovelace'],
    ['03012345', '(030) 123-45'],
    ['(030) 123-45', '03012345'],
    ['555-123-4567', '555 123 456 7'],
    ['+49 30 1234567', '+49301234567'],
    ['030/1234567', '030 1234567'],
    ['4111 1111 1111 1111', '4111-1111-1111-1111'],
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['123456', '12-34-56'],
    ['01234', '01 234'],
    ['1234.5', '1,234.50'],
    ['1234.5', '1.234,50', 'de'],
    ['1234', '1.234', 'de'],
    ['1234', '1,234'],
    ['12.50', '12.5'],
    ['12.50', '$12.50'],
    ['12.50', '12,50 €', 'de'],
    ['-5', '-5.00'],
    ['-5', '\u22125'],
    ['25.12.2026', '25/12/2026', 'en-GB'],
    ['2026-12-25', '25.12.2026', 'de'],
    ['25.12.2026', '12/25/2026'],
    ['5.6.2026', '05.06.2026', 'de'],
    ['05/06/2026', '05.06.2026'],
    ['ff0000', '#ff0000'],
    ['ada', '@ada'],
    ["it's", 'it’s'],
  ] as const)
    expect(sameValue(held, asked, [language], undefined, isSameDay), `${asked} as ${held}`).toBe(true)
  for (const [asked, held, language = 'en'] of [
    ['12.50', '1250'],
    ['-1.5', '15'],
    ['-5', '5'],
    ['5', '-5'],
    ['C++', 'C'],
    ['C', 'C++'],
    ['C#', 'C'],
    ['C', 'C#'],
    ['a.b@c.d', 'abcd'],
    ['a-b', 'ab'],
    ['2026-12-25', '20/26/1225'],
    ['2026-12-25', '25.12.2025', 'de'],
    ['+49301234567', '49301234567'],
    ['491712345678', '+491712345678'],
    ['1250', '12.50'],
    ['1234', '1.234'],
    ['1234567.89', '123456789'],
    ['-12345678', '12345678'],
    ['01234', '1234'],
    ['12.5', '125'],
    ['A-12.5', 'A-125'],
    ['12345678901234567890', '12345678901234567891'],
    ['1,5', '15', 'de'],
    ['Ada', ''],
    ['', 'Ada'],
    ['Ada', 'Adam'],
    ['Ada Lovelace', 'Ada'],
    ['well done 👍', 'well done'],
    ['🙂', '🙁'],
    ['1-2', '12'],
    ['1.2.3', '1.23'],
  ] as const)
    expect(sameValue(held, asked, [language], undefined, isSameDay), `${asked} as ${held}`).toBe(false)
  expect([
    sameValue('1.234,00', '1.234', ['de']),
    sameValue('1.234,00', '1.234', ['de'], 1.234),
    sameValue('1,234', '1.234', ['de'], 1.234),
  ]).toEqual([true, false, true])
})

test('parses yes and no in many languages, and nothing else', () => {
  for (const word of [true, 'yes', 'True', 'on', 1, 'ja', 'Oui', 'sí', 'да', 'はい', 'checked'])
    expect(parseBoolean(word), String(word)).toBe(true)
  for (const word of [false, 'no', 'FALSE', 'off', 0, 'nein', 'нет', 'いいえ', '', null])
    expect(parseBoolean(word), String(word)).toBe(false)
  for (const word of ['perhaps', 2, '10', 'yes please do']) expect(parseBoolean(word), String(word)).toBeUndefined()
})

test('recognizes names of secrets in many languages, without false positives', { tag: '@S17' }, () => {
  for (const text of [
    'Password',
    'userPwd',
    'login_pass',
    'Kennwort',
    'mot de passe',
    'Contraseña',
    'Senha',
    'Wachtwoord',
    'Hasło',
    'Heslo',
    'Пароль',
    '密码',
    'パスワード',
    '비밀번호',
    'كلمة المرور',
    'סיסמה',
    'Şifre',
    'Lösenord',
  ])
    expect(sensitiveKindIn(text), text).toBe('password')
  for (const text of [
    'Card number',
    'cardNumber',
    'ccnum',
    'Kartennummer',
    'Numéro de carte',
    'Número de tarjeta',
    'номер карты',
    'カード番号',
    '卡号',
    'Credit card',
  ])
    expect(sensitiveKindIn(text), text).toBe('card')
  for (const text of [
    'CVV',
    'cvc',
    'Security code',
    'Prüfziffer',
    'Código de seguridad',
    'Cryptogramme',
    'код безопасности',
  ])
    expect(sensitiveKindIn(text), text).toBe('security-code')
  for (const text of [
    'OTP',
    'One-time code',
    'verification code',
    '2FA',
    'Bestätigungscode',
    'Код подтверждения',
    '인증번호',
  ])
    expect(sensitiveKindIn(text), text).toBe('one-time-code')
  for (const text of [
    'Email',
    'Pincode',
    'Promo code',
    'Passport country',
    'Company',
    'Compass',
    'Spanish',
    'Forgot password?',
    'User name',
    'Postal code',
    'Tandem',
    'Hotpoint',
    'account no',
    'Phone (with area code)',
  ])
    expect(sensitiveKindIn(text), text).toBeUndefined()
})

test('recognizes more names of secrets, and harmless texts that contain them', { tag: '@S17' }, () => {
  const said: Record<string, readonly string[]> = {
    password: ['Geheimzahl', 'Kodeord', 'Ski pass password', 'Pin colour and PIN', 'Loyalty card number: PIN'],
    card: ['Kartennr.', 'Karten-Nr.', 'N° de carte', 'Nº tarjeta', 'Nr karty', 'Kartnummer'],
    'security-code': ['Cód. seguridad', '3-digit code on the back of your card'],
    'one-time-code': [
      'código de un solo uso',
      'code à usage unique',
      'codice monouso',
      'Código SMS',
      'Engangskode',
      'jednorazowy kod',
      'одноразовый код',
      'eenmalige code',
      '验证码',
      '6-stelliger Code',
      'Enter the code we sent to your phone',
    ],
  }
  for (const [kind, texts] of Object.entries(said))
    for (const text of texts) expect(sensitiveKindIn(text), text).toBe(kind)
  for (const text of [
    'One-time donation amount',
    'oneTimeDonation',
    'Ski pass holder',
    'Loyalty card number',
    'Booking confirmation code',
    'Pin colour',
    'Pan size',
    'Sun tan level',
    'Création de carte',
    'N° de carte de fidélité',
  ])
    expect(sensitiveKindIn(text), text).toBeUndefined()
})

test('redacts echoes: grouped numbers, values in URLs, short values as words', { tag: '@S17' }, () => {
  for (const [held, text, told] of [
    [
      '4111 1111 1111 1234',
      'Card 4111111111111234, 4111-1111-1111-1234 and 4111.1111 1111+1234.',
      'Card [private], [private] and [private].',
    ],
    ['4111111111111234', 'x4111%201111%201111%201234x ends in 1234', 'x[private]x ends in 1234'],
    ['482913', '482 913 entered, 482-913, not 1482 9130', '[private] entered, [private], not 1482 9130'],
    [
      '987',
      '987 is not a valid code (987). 3.987, 987.50, 1987, 9876, $987, 987 € and e987 are.',
      '[private] is not a valid code ([private]). 3.987, 987.50, 1987, 9876, $987, 987 € and e987 are.',
    ],
    ['4711', 'PIN 4711 rejected: 4711.', 'PIN [private] rejected: [private].'],
    ['350', '3.50 or 3 50', '3.50 or 3 50'],
    [
      's3cr&t pass',
      '/x?p=s3cr%26t%20pass and s3cr%26t+pass and s3cr&t\u00a0pass',
      '/x?p=[private] and [private] and [private]',
    ],
    ['pässwort(1)', 'p%C3%A4sswort%281%29 p%c3%a4sswort(1)', '[private] [private]'],
    ['.*a+?', 'xxaaa .*a+?', 'xxaaa [private]'],
    ['the', 'the cat', 'the cat'],
  ] as const)
    expect(redactEchoes([held])(text)).toBe(told)
  expect(redactEchoes(['', ' ', 'no'])('no, not')).toBe('no, not')
  expect(redactEchoes(['secret '.repeat(50_000)])(`a ${'secret '.repeat(50_000)}b`)).toBe('a [private] b')
})

test('redacts values that are made to be slow in linear time', { tag: '@S29' }, () => {
  for (const [held, sign] of [
    ['+ + + + + x', '+ '],
    ['11111111111111112', '1 '],
    ['%20%20%20%20%20x', '%20'],
    ['a         b', 'a '],
  ] as const) {
    const text = sign.repeat(200_000)
    expect(redactEchoes([held])(text)).toBe(text)
  }
})

test('removes invisible characters and keeps visible text', () => {
  expect(normalizeText('a\u200bb \u202ec\u202c \u{e0041}\u{e0042}d\u00ad\ufeff\n\t e')).toBe('ab c d e')
  expect(normalizeText('naïve 日本語 👍 – “quoted”')).toBe('naïve 日本語 👍 – “quoted”')
  expect(normalizeText('x [ref=e1]')).toBe('x (ref=e1]')
  expect(asLabel(' * Email address: ')).toBe('Email address')
  expect(truncate('👍👍👍', 4)).toBe('👍…')
  expect([
    toReadable('billing_firstName'),
    toReadable('fields[email]'),
    toReadable('ctl00$Main$txtCity'),
    toReadable('x'),
    toReadable('a8f3c2d1'),
    toReadable('headlessui-listbox-button-:r3:'),
    toReadable('select-«r1»'),
    toReadable('_R_1ab_'),
  ]).toEqual(['billing first name', 'fields email', 'main city', '', '', '', '', ''])
  expect(likeness('emial', 'email')).toBeGreaterThan(likeness('emial', 'phone'))
})

test('recognizes each kind of secret in at least eight languages', { tag: '@S17' }, () => {
  const said: Record<string, readonly string[]> = {
    password: [
      'Password',
      'Passwort',
      'Mot de passe',
      'Contraseña',
      'Senha',
      'Wachtwoord',
      'Hasło',
      'Пароль',
      '密码',
      'パスワード',
      '비밀번호',
      'كلمة المرور',
      'Şifre',
      'Lösenord',
      'Heslo',
      'Salasana',
    ],
    card: [
      'Card number',
      'Kartennummer',
      'Numéro de carte',
      'Número de tarjeta',
      'Numero di carta',
      'Número do cartão',
      'Kaartnummer',
      'Numer karty',
      'Номер карты',
      '卡号',
      'カード番号',
      '카드 번호',
    ],
    'security-code': [
      'Security code',
      'Sicherheitscode',
      'Code de sécurité',
      'Código de seguridad',
      'Codice di sicurezza',
      'Código de segurança',
      'Beveiligingscode',
      'Kod bezpieczeństwa',
      'Код безопасности',
      '安全码',
      'セキュリティコード',
      '보안 코드',
    ],
    'one-time-code': [
      'Verification code',
      'Bestätigungscode',
      'Code de vérification',
      'Código de verificación',
      'Codice di verifica',
      'Código de verificação',
      'Verificatiecode',
      'Kod weryfikacyjny',
      'Код подтверждения',
      '短信验证码',
      '認証コード',
      '인증번호',
    ],
  }
  for (const [kind, texts] of Object.entries(said)) {
    expect(texts.length).toBeGreaterThanOrEqual(8)
    for (const text of texts)
      for (const label of [text, text.toUpperCase(), `${text} *`, `* ${text}:`])
        expect(sensitiveKindIn(label), label).toBe(kind)
  }
})

test('no tool uses screenshots, the clipboard, markup or the user’s selection', { tag: '@S19' }, () => {
  const tools = [...readTools(), ...fillTools()]
  expect(tools.map(({ name }) => name)).toEqual([
    'page_read',
    'dom_query',
    'form_read',
    'page_wait',
    'form_fill',
    'form_undo',
  ])
  expect(tools.filter(({ annotations }) => annotations?.untrustedContentHint !== true)).toEqual([])
  const folder = fileURLToPath(new URL('../../../src/page-tools', import.meta.url))
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )) {
    const code = readFileSync(join(folder, file), 'utf8').replace(/^\s*\/\/.*$/gm, '')
    // This file only reads the pixels that it has painted itself.
    let words = file === join('dom', 'colors.ts') ? code.replace('getImageData(0, 0, 2, 1)', '') : code
    // These hide a form, and the layer above the page, from the page.
    const hiding = [join('border', 'held-submission.ts'), join('stage', 'layer.ts')]
    if (hiding.includes(file)) words = code.replace("attachShadow({ mode: 'closed' })", '')
    // This one hands a text to editors by an event of its own. The clipboard of the visitor stays as it is.
    if (file === join('hands', 'rich-text.ts')) words = code.replaceAll('clipboardData', '')
    expect(
      words.match(
        /clipboard|getDisplayMedia|drawImage|toDataURL|toBlob|getImageData|outerHTML|innerHTML|XMLSerializer|getHTML|readAsText|attachShadow/g,
      ) ?? [],
      file,
    ).toEqual([])
  }
})

test('a harmless phrase beside a secret does not make it public', () => {
  for (const [kind, texts] of Object.entries({
    'one-time-code': [
      'One-time code (hint: see your SMS)',
      'Verification code, no captcha needed',
      'Forgot it? Enter the one-time code',
      'Recovery code reminder',
      'Username and one-time code',
      'Verification code (search your mail)',
    ],
    'security-code': [
      'Security code \u2013 hint: 3 digits on the back',
      'Security code (forgot it?)',
      'CVV, strength 3',
    ],
    card: [
      'Card number (no coupon)',
      'User name or card number',
      'Member card number or credit card number',
      'Card number / loyalty card number',
    ],
    password: [
      'PIN code',
      'SIM PIN code',
      'Debit card PIN code',
      'Passwort vergessen? Neues Passwort',
      'Password (hint: 8 characters)',
      'Forgot it? Enter the password',
      'Forgot password? New password',
      'Password. Forgot password?',
      'Password, no PIN code',
      'User name or password',
      'Mot de passe oublié ? Nouveau mot de passe',
      'Password: a code will be sent',
      'Search, then enter the password',
      'Zip file password',
      'City card PIN',
      'PIN code of City Bank card',
      'PIN code (City Bank)',
    ],
  }))
    for (const text of texts) expect(sensitiveKindIn(text), text).toBe(kind)
})

test('a phrase that only mentions a secret is not one', () => {
  for (const text of [
    'Search passwords',
    'Filter by password',
    'Passwörter durchsuchen',
    'Forgot your password?',
    'Forgot username or password',
    'Passwort vergessen?',
    'Wachtwoord vergeten',
    'Mot de passe oublié',
    '¿Olvidaste tu contraseña?',
    'Esqueceu sua senha?',
    'Password hint',
    'Password strength',
    'Member card number',
    'Library card number',
    'Plus Card Number or Alt ID Number (Optional)',
    'Kundenkartennummer',
    'Número de tarjeta de socio',
    'Captcha code',
    '图形验证码',
    'Security code shown in the image',
    'Postal PIN code',
    'PIN code / postal code',
    'City PIN code',
    'Zip or pin code',
    'PIN code (postal code)',
    'City, State, Postal PIN',
    'Mobile No. (A one-time password will be sent via SMS to you.)',
    'E-mail. We will send you a new password',
    'Email (no password needed)',
    'Username ERROR: Please enter your username and password',
    'Invalid email or password',
    'E-mail address to reset your password',
    'Password reset email',
  ])
    expect(sensitiveKindIn(text), text).toBeUndefined()
})

test('the numbers that a text may mean', () => {
  const texts: readonly (readonly [string, readonly number[]])[] = [
    ['1.234,56 €', [1234.56]],
    ['$ 1,234.56', [1234.56]],
    ['1’234.50', [1234.5]],
    ['12.345', [12.345, 12345]],
    ['850,00', [850]],
    ['₹ 12,34,567.50', [1234567.5]],
    ['1,23,45', []],
    ['-3', [-3, -3]],
    ['1.2.3', []],
    ['12 to 15', []],
    ['Version 12', []],
    ['', []],
  ]
  for (const [text, numbers] of texts) expect([text, numberReadings(text)]).toEqual([text, numbers])
  expect(sameValue('1.500', '1500', ['en'], 1500)).toBe(true)
  expect(sameValue('123.456,00', '1234.56', ['de'], 1234.56)).toBe(false)
})

test('the decimal sign that a text shows', () => {
  const texts: readonly (readonly [string, string | undefined])[] = [
    ['850,00', ','],
    ['1.234,56 €', ','],
    ['1.234.567', ','],
    ['e.g. 0.00', '.'],
    ['1.500', undefined],
    ['12', undefined],
  ]
  for (const [text, sign] of texts) expect([text, shownDecimal(text)]).toEqual([text, sign])
  expect([onlyNumber('1234.56'), onlyNumber('1.234'), onlyNumber('0123'), onlyNumber('1500')]).toEqual([
    1234.56,
    undefined,
    undefined,
    1500,
  ])
})
