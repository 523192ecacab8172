// Amounts of money and the words before them. They stand beside a button that pays, and are no name of what it is in.

/** Amounts of money: a number beside a sign or a code of a currency. */
export const money =
  /(?:\p{Sc}|\b[A-Z]{3}|\bkr|zł|Kč)\s?[-−]?\d[\d.,'’\s]*|\d[\d.,'’\s]*(?:\p{Sc}|[A-Z]{3}\b|kr\b|zł|Kč|元|円)/gu

/** Words for a sum, which stand before an amount: "Order total", "Total amount", "Gesamt (inkl. MwSt.)". */
const sums = new RegExp(
  '^(?:\\p{L}+[ -])?(?:(?:sub)?total|amount|(?:zwischen|gesamt)?summe|(?:gesamt|rechnungs)?betrag|gesamt|somme|' +
    'montant|importe|suma|(?:sub)?totale|importo|totaal|totalt|razem|celkem|итого|всего|разом|toplam|' +
    '合計|小計|总计|合计|小计|總計|합계|المجموع|الإجمالي)' +
    '(?: (?:amount|price|cost|due|to pay|ttc|général|a pagar))?(?: ?[(（].*[)）])?$',
  'iu',
)

/** Three letters before a number are often no currency: `INV 42`, `BMW 320`. */
const isMoney = (found: string): boolean => {
  const code = /[A-Z]{3}/.exec(found)?.[0]
  return code === undefined || Intl.supportedValuesOf('currency').includes(code)
}

/** Whether a text says how much something is, and not what it is: `Total`, `€ 24.00`. */
export const isAmount = (text: string): boolean =>
  sums.test(text.replace(/[\s:：]+$/u, '')) ||
  !/[\p{L}\p{N}]/u.test(text.replaceAll(money, (found) => (isMoney(found) ? '' : found)))
