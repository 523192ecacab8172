// Naive UI. Its labels are not tied to anything by the markup.
import { createApp, h, ref } from 'vue'
import {
  NAutoComplete,
  NCascader,
  NCheckbox,
  NColorPicker,
  NConfigProvider,
  NDatePicker,
  NDynamicTags,
  NForm,
  NFormItem,
  NInput,
  NInputNumber,
  NMention,
  NRadio,
  NRadioButton,
  NRadioGroup,
  NRate,
  NSelect,
  NSlider,
  NSwitch,
  NTimePicker,
  NTransfer,
  NTreeSelect,
} from 'naive-ui'
import { countries, drinks, keep, placesAs, publish, searchCities } from './page.js'

const found = ref([])
const tree = placesAs((label, path, children) => ({ label, key: path.join('/'), value: path.join('/'), children }))
const asOptions = (names) => names.map((name) => ({ label: name, value: name }))
/** `Component` with its model as Naive UI binds it. */
const field =
  (Component, props = {}, slots) =>
  (value, set) =>
    h(Component, { value, 'onUpdate:value': set, ...props }, slots)
const formatted =
  (Component, props = {}) =>
  (value, set) =>
    h(Component, { formattedValue: value, 'onUpdate:formattedValue': set, ...props })

const rows = [
  { widget: 'text', label: 'Full name', value: 'Ada Lovelace', state: 'Ada Lovelace', draw: field(NInput) },
  {
    widget: 'text area',
    label: 'Remarks',
    value: 'No nuts',
    state: 'No nuts',
    draw: field(NInput, { type: 'textarea' }),
  },
  {
    widget: 'text with mentions',
    label: 'Story',
    value: 'By me',
    state: 'By me',
    draw: field(NMention, { options: [] }),
  },
  { widget: 'number', label: 'Guests', value: 4, state: 4, draw: field(NInputNumber, { min: 1, max: 10 }) },
  {
    widget: 'select',
    label: 'Drink',
    fails: 'The select is a box without a role',
    value: 'Tea',
    state: 'Tea',
    draw: field(NSelect, { options: asOptions(drinks) }),
  },
  {
    widget: 'select with search',
    label: 'Country',
    fails: 'The options have no role',
    value: 'France',
    state: 'France',
    draw: field(NSelect, { filterable: true, options: asOptions(countries) }),
  },
  {
    widget: 'multi-select',
    label: 'Drinks',
    fails: 'The select is a box without a role',
    value: ['Tea', 'Coffee'],
    state: ['Tea', 'Coffee'],
    first: ['Water'],
    draw: field(NSelect, { multiple: true, options: asOptions(drinks) }),
  },
  {
    widget: 'multi-select with search',
    label: 'Visited',
    fails: 'The select is a box without a role',
    value: ['France', 'Spain'],
    state: ['France', 'Spain'],
    first: [],
    draw: field(NSelect, { multiple: true, filterable: true, options: asOptions(countries) }),
  },
  {
    widget: 'tags',
    label: 'Tags',
    fails: 'The text field appears after a press',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    first: [],
    draw: field(NDynamicTags),
  },
  {
    widget: 'tree select',
    label: 'Area',
    fails: 'The select is a box without a role',
    value: 'Madrid',
    state: 'Europe/Spain/Madrid',
    draw: field(NTreeSelect, { options: tree, defaultExpandAll: true }),
  },
  {
    widget: 'cascader',
    label: 'Place',
    fails: 'The select is a box without a role',
    value: 'Europe / Spain / Madrid',
    state: 'Europe/Spain/Madrid',
    draw: field(NCascader, { options: tree }),
  },
  {
    widget: 'transfer list',
    label: 'Team',
    fails: 'A list of boxes is no field',
    value: ['Tea'],
    state: ['Tea'],
    first: [],
    draw: field(NTransfer, { options: asOptions(drinks) }),
  },
  {
    widget: 'autocomplete with a server',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    draw: (value, set) =>
      h(NAutoComplete, {
        value,
        'onUpdate:value': async (text) => {
          set(text)
          found.value = text ? await searchCities(text) : []
        },
        options: found.value,
      }),
  },
  {
    widget: 'date',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    draw: formatted(NDatePicker, { type: 'date' }),
  },
  {
    widget: 'date range',
    label: 'Stay',
    fails: 'The page does not take the typed days',
    value: ['2026-11-27', '2026-11-29'],
    state: ['2026-11-27', '2026-11-29'],
    draw: formatted(NDatePicker, { type: 'daterange' }),
  },
  { widget: 'time', label: 'Breakfast', value: '07:30', state: '07:30:00', draw: formatted(NTimePicker) },
  {
    widget: 'month',
    label: 'Card expires',
    value: '2027-05',
    state: '2027-05',
    draw: formatted(NDatePicker, { type: 'month' }),
  },
  {
    widget: 'colour',
    label: 'Colour',
    fails: 'The box has no role',
    value: '#3366cc',
    state: '#3366cc',
    draw: field(NColorPicker, { modes: ['hex'] }),
  },
  {
    widget: 'rating',
    label: 'Stars',
    fails: 'The stars have no roles',
    value: 4,
    state: 4,
    first: 0,
    draw: field(NRate),
  },
  { widget: 'slider', label: 'Volume', value: 40, state: 40, first: 10, draw: field(NSlider) },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    draw: field(NSlider, { range: true }),
  },
  { widget: 'switch', label: 'Newsletter', value: true, state: true, first: false, draw: field(NSwitch) },
  {
    widget: 'checkbox',
    label: 'Terms',
    value: true,
    state: true,
    first: false,
    draw: (value, set) => h(NCheckbox, { checked: value, 'onUpdate:checked': set }),
  },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    draw: field(NRadioGroup, {}, () => ['Single', 'Double'].map((name) => h(NRadio, { value: name, label: name }))),
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    draw: field(NRadioGroup, {}, () =>
      ['Left', 'Centre', 'Right'].map((name) => h(NRadioButton, { value: name, label: name })),
    ),
  },
]

const values = ref(rows.map((row) => row.first ?? null))
createApp({
  render: () =>
    h(NConfigProvider, null, () =>
      h(NForm, { style: 'max-width: 640px' }, () => [
        h('h1', 'Order'),
        ...rows.map((row, at) =>
          h(NFormItem, { class: 'widget', key: row.label, label: row.label }, () =>
            row.draw(values.value[at], (value) => {
              values.value[at] = value
              keep(row, value)
            }),
          ),
        ),
      ]),
    ),
}).mount('#app')
publish(rows, () => document.querySelectorAll('.widget').length === rows.length)
