// Text fields that write another text than was typed: masks and formats of libraries, and those of plain scripts.
import AutoNumeric from 'autonumeric'
import { formatNumeral, registerCursorTracker } from 'cleave-zen'
import IMask from 'imask'
import Inputmask from 'inputmask'

const app = document.getElementById('app')
const field = (label, value = '', lang = '') => {
  const row = document.createElement('p')
  row.innerHTML = `<label>${label} <input></label>`
  const input = row.querySelector('input')
  input.value = value
  if (lang) row.lang = lang
  app.append(row)
  return input
}

const holds = {}
const inputmask = (label, options) => {
  const input = field(label)
  Inputmask(options).mask(input)
  holds[label] = () => input.inputmask.unmaskedvalue()
}
inputmask('Mask integer', { alias: 'integer' })
inputmask('Mask decimal', { alias: 'decimal', groupSeparator: ',' })
inputmask('Mask decimal comma', { alias: 'decimal', radixPoint: ',', groupSeparator: '.' })
inputmask('Mask numeric', { alias: 'numeric', digits: 0 })
inputmask('Mask percentage', { alias: 'percentage' })
inputmask('Mask currency', { alias: 'currency', prefix: '$ ' })
inputmask('Mask telephone', '(999) 999-9999')

const auto = (label, options) => {
  const numeric = new AutoNumeric(field(label), options)
  holds[label] = () => String(numeric.getNumber() ?? '')
}
auto('Auto')
auto('Auto euro', AutoNumeric.getPredefinedOptions().French)

const imask = (label, options) => {
  const mask = IMask(field(label), options)
  holds[label] = () => mask.unmaskedValue
}
imask('IMask comma', { mask: Number, thousandsSeparator: '.', radix: ',', scale: 2 })
imask('IMask steps', { mask: Number, scale: 0, thousandsSeparator: ',' })
imask('IMask telephone', { mask: '+{7}(000)000-00-00', lazy: false })

const cleave = field('Cleave')
registerCursorTracker({ input: cleave, delimiter: ',' })
cleave.addEventListener('input', () => (cleave.value = formatNumeral(cleave.value)))
holds['Cleave'] = () => cleave.value.replaceAll(',', '')

/** Reads a number as one language writes it, and writes it anew when the field is left. */
const local = (label, { lang, decimal, group, value = '', on = 'change' }) => {
  const input = field(label, value, lang)
  const read = () => Number(input.value.replaceAll(group, '').replace(/\s/g, '').replace(decimal, '.'))
  const write = () => {
    if (input.value === '') return
    const [whole, cents] = read().toFixed(2).split('.')
    input.value = whole.replace(/\B(?=(\d{3})+$)/g, group) + decimal + cents
  }
  input.addEventListener(on, write)
  holds[label] = () => (input.value === '' ? '' : String(read()))
}
local('German', { lang: 'de', decimal: ',', group: '.' })
local('German filled', { lang: '', decimal: ',', group: '.', value: '850,00' })
local('Without a sign', { lang: '', decimal: ',', group: '.' })
local('French', { lang: 'fr', decimal: ',', group: '\u202f', on: 'blur' })
local('Swiss', { lang: 'de-CH', decimal: '.', group: '’', on: 'blur' })
local('English', { lang: 'en', decimal: '.', group: ',' })

// Digits alone, the last two of which are cents.
const cents = field('Cents')
cents.addEventListener('input', () => {
  const digits = cents.value.replace(/\D/g, '').replace(/^0+/, '').padStart(3, '0')
  cents.value = `${digits.slice(0, -2)},${digits.slice(-2)}`
})
holds['Cents'] = () => String(Number(cents.value.replace(',', '.')))

// Takes no number above its limit, and leaves another one.
const limited = field('Limited', '5')
limited.addEventListener('change', () => (limited.value = String(Math.min(Number(limited.value) || 0, 10))))
holds['Limited'] = () => limited.value

window.fixture = {
  holds: () => Object.fromEntries(Object.entries(holds).map(([label, read]) => [label, read()])),
  shows: () =>
    Object.fromEntries(
      [...app.querySelectorAll('p')].map((row) => [row.textContent.trim(), row.querySelector('input').value]),
    ),
}
document.documentElement.dataset.ready = ''
