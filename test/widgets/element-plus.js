// Element Plus.
import { createApp, h, ref } from 'vue'
import {
  ElAutocomplete,
  ElCascader,
  ElCheckbox,
  ElColorPicker,
  ElDatePicker,
  ElForm,
  ElFormItem,
  ElInput,
  ElInputNumber,
  ElInputTag,
  ElMention,
  ElOption,
  ElRadio,
  ElRadioGroup,
  ElRate,
  ElSegmented,
  ElSelect,
  ElSelectV2,
  ElSlider,
  ElSwitch,
  ElTimePicker,
  ElTimeSelect,
  ElTreeSelect,
} from 'element-plus'
import 'element-plus/dist/index.css'
import { countries, day, drinks, each, keep, month, placesAs, publish, searchCities, time } from './page.js'

const found = ref([])
const tree = placesAs((label, path, children) => ({ label, value: path.join('/'), children }))
const options = (names) => () => names.map((name) => h(ElOption, { key: name, label: name, value: name }))
/** `Component` with its model as Vue binds it. */
const field =
  (Component, props = {}, slots) =>
  (value, set) =>
    h(Component, { modelValue: value, 'onUpdate:modelValue': set, ...props }, slots)

const rows = [
  { widget: 'text', label: 'Full name', value: 'Ada Lovelace', state: 'Ada Lovelace', draw: field(ElInput) },
  {
    widget: 'text area',
    label: 'Remarks',
    value: 'No nuts',
    state: 'No nuts',
    draw: field(ElInput, { type: 'textarea' }),
  },
  { widget: 'text with mentions', label: 'Story', value: 'By me', state: 'By me', draw: field(ElMention) },
  { widget: 'number', label: 'Guests', value: 4, state: 4, draw: field(ElInputNumber, { min: 1, max: 10 }) },
  { widget: 'select', label: 'Drink', value: 'Tea', state: 'Tea', draw: field(ElSelect, {}, options(drinks)) },
  {
    widget: 'select with search',
    label: 'Country',
    value: 'France',
    state: 'France',
    draw: field(ElSelect, { filterable: true }, options(countries)),
  },
  {
    widget: 'virtual select',
    label: 'Floor',
    value: 'Floor 3',
    state: 'Floor 3',
    draw: field(ElSelectV2, {
      options: ['Floor 1', 'Floor 2', 'Floor 3'].map((name) => ({ value: name, label: name })),
    }),
  },
  {
    widget: 'multi-select',
    label: 'Drinks',
    value: ['Tea', 'Coffee'],
    state: ['Tea', 'Coffee'],
    first: ['Water'],
    draw: field(ElSelect, { multiple: true }, options(drinks)),
  },
  {
    widget: 'multi-select with folded tags',
    label: 'Extras',
    value: ['Tea', 'Coffee', 'Juice'],
    state: ['Tea', 'Coffee', 'Juice'],
    first: [],
    draw: field(ElSelect, { multiple: true, collapseTags: true }, options(drinks)),
  },
  {
    widget: 'multi-select with search',
    label: 'Visited',
    value: ['France', 'Spain'],
    state: ['France', 'Spain'],
    first: [],
    draw: field(ElSelect, { multiple: true, filterable: true, placeholder: 'Pick countries' }, options(countries)),
  },
  {
    widget: 'tags',
    label: 'Tags',
    fails: 'Nothing says that the field makes tags',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    first: [],
    draw: field(ElInputTag),
  },
  {
    widget: 'tree select',
    label: 'Area',
    value: 'Madrid',
    state: 'Europe/Spain/Madrid',
    draw: field(ElTreeSelect, { data: tree, defaultExpandAll: true }),
  },
  {
    widget: 'cascader',
    label: 'Place',
    fails: 'Nothing says that the read-only field opens a list',
    value: 'Europe / Spain / Madrid',
    state: ['Europe', 'Europe/Spain', 'Europe/Spain/Madrid'],
    draw: field(ElCascader, { options: tree }),
  },
  {
    widget: 'autocomplete with a server',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    draw: field(ElAutocomplete, {
      fetchSuggestions: async (text, done) => done((await searchCities(text)).map((value) => ({ value }))),
    }),
  },
  {
    widget: 'select with a server',
    label: 'Airport',
    value: 'Madrid',
    state: 'Madrid',
    draw: (value, set) =>
      h(
        ElSelect,
        {
          modelValue: value,
          'onUpdate:modelValue': set,
          filterable: true,
          remote: true,
          remoteMethod: async (text) => {
            found.value = await searchCities(text)
          },
        },
        options(found.value),
      ),
  },
  { widget: 'date', label: 'Arrival', value: '2026-11-27', state: '2026-11-27', as: day, draw: field(ElDatePicker) },
  {
    widget: 'date that cannot be typed',
    label: 'Departure',
    fails: 'The calendar has no readable month',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    draw: field(ElDatePicker, { editable: false }),
  },
  {
    widget: 'date range',
    label: 'Stay',
    fails: 'The two fields of the range have no names',
    value: ['2026-11-27', '2026-11-29'],
    state: ['2026-11-27', '2026-11-29'],
    as: each(day),
    draw: field(ElDatePicker, { type: 'daterange' }),
  },
  {
    widget: 'time',
    label: 'Breakfast',
    fails: 'The page takes the present time instead of the typed one',
    value: '07:30',
    state: '07:30',
    as: time,
    draw: field(ElTimePicker),
  },
  {
    widget: 'time from a list',
    label: 'Lunch',
    value: '12:30',
    state: '12:30',
    draw: field(ElTimeSelect, { start: '08:00', step: '00:30', end: '18:00' }),
  },
  {
    widget: 'month',
    label: 'Card expires',
    value: '2027-05',
    state: '2027-05',
    as: month,
    draw: field(ElDatePicker, { type: 'month' }),
  },
  {
    widget: 'colour',
    label: 'Colour',
    fails: 'The button has no name',
    value: '#3366cc',
    state: '#3366CC',
    draw: field(ElColorPicker),
  },
  { widget: 'rating', label: 'Stars', value: 4, state: 4, first: 0, draw: field(ElRate) },
  { widget: 'slider', label: 'Volume', value: 40, state: 40, first: 10, draw: field(ElSlider) },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    draw: field(ElSlider, { range: true }),
  },
  { widget: 'switch', label: 'Newsletter', value: true, state: true, first: false, draw: field(ElSwitch) },
  { widget: 'checkbox', label: 'Terms', value: true, state: true, first: false, draw: field(ElCheckbox) },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    draw: field(ElRadioGroup, {}, () => ['Single', 'Double'].map((name) => h(ElRadio, { value: name }, () => name))),
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    draw: field(ElSegmented, { options: ['Left', 'Centre', 'Right'] }),
  },
]

const values = ref(rows.map((row) => row.first ?? null))
createApp({
  render: () =>
    h(ElForm, { labelWidth: 200, style: 'max-width: 640px' }, () => [
      h('h1', 'Order'),
      ...rows.map((row, at) =>
        h(ElFormItem, { class: 'widget', key: row.label, label: row.label }, () =>
          row.draw(values.value[at], (value) => {
            values.value[at] = value
            keep(row, value)
          }),
        ),
      ),
    ]),
}).mount('#app')
publish(rows, () => document.querySelectorAll('.widget').length === rows.length)
