// Vuetify.
import { createApp, h, ref } from 'vue'
import { createVuetify } from 'vuetify'
import {
  VAutocomplete,
  VBtn,
  VBtnToggle,
  VCheckbox,
  VChip,
  VChipGroup,
  VColorInput,
  VColorPicker,
  VCombobox,
  VDateInput,
  VDatePicker,
  VMenu,
  VNumberInput,
  VOtpInput,
  VRadio,
  VRadioGroup,
  VRangeSlider,
  VRating,
  VSelect,
  VSlider,
  VSwitch,
  VTextarea,
  VTextField,
  VTimePicker,
  VTreeview,
} from 'vuetify/components'
import { VMaskInput } from 'vuetify/labs/VMaskInput'
import 'vuetify/styles'
import { countries, day, drinks, each, keep, month, placesAs, publish, searchCities } from './page.js'

const found = ref([])
const isMenuOpen = ref(false)
const tree = placesAs((title, path, children) => ({ id: path.join('/'), title, children }))
/** `Component` with its label, and the model as Vue binds it. */
const field =
  (Component, props = {}, slots) =>
  (label, value, set) =>
    h(Component, { label, modelValue: value, 'onUpdate:modelValue': set, ...props }, slots)
/** A component without a label of its own, in a group that has one. */
const grouped =
  (Component, props = {}, slots) =>
  (label, value, set) =>
    h('div', { role: 'group', 'aria-label': label }, [
      h('div', label),
      h(Component, { modelValue: value, 'onUpdate:modelValue': set, ...props }, slots),
    ])
const buttons = () => ['Left', 'Centre', 'Right'].map((name) => h(VBtn, { value: name }, () => name))

const rows = [
  { widget: 'text', label: 'Full name', value: 'Ada Lovelace', state: 'Ada Lovelace', draw: field(VTextField) },
  { widget: 'text area', label: 'Remarks', value: 'No nuts', state: 'No nuts', draw: field(VTextarea) },
  {
    widget: 'text with mask',
    label: 'Member code',
    value: '12-345',
    state: '12-345',
    draw: field(VMaskInput, { mask: '##-###', returnMaskedValue: true }),
  },
  {
    widget: 'number',
    label: 'Guests',
    value: 4,
    state: 4,
    draw: field(VNumberInput, { min: 1, max: 10 }),
  },
  {
    widget: 'one-time code',
    label: 'Table code',
    fails: 'A code in several boxes is no field',
    value: '123456',
    state: '123456',
    first: '',
    draw: grouped(VOtpInput),
  },
  {
    widget: 'select',
    label: 'Drink',
    value: 'Tea',
    state: 'Tea',
    draw: field(VSelect, { items: drinks }),
  },
  {
    widget: 'select with search',
    label: 'Country',
    value: 'France',
    state: 'France',
    draw: field(VAutocomplete, { items: countries }),
  },
  {
    widget: 'multi-select',
    label: 'Drinks',
    fails: 'The list does not say what is chosen',
    value: ['Tea', 'Coffee'],
    state: ['Tea', 'Coffee'],
    first: ['Water'],
    draw: field(VSelect, { items: drinks, multiple: true, chips: true }),
  },
  {
    widget: 'multi-select with search',
    label: 'Visited',
    fails: 'The page keeps only the last one',
    value: ['France', 'Spain'],
    state: ['France', 'Spain'],
    first: [],
    draw: field(VAutocomplete, { items: countries, multiple: true, chips: true }),
  },
  {
    widget: 'tags',
    label: 'Tags',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    first: [],
    draw: field(VCombobox, { multiple: true, chips: true, closableChips: true }),
  },
  {
    widget: 'tree',
    label: 'Areas',
    fails: 'A tree on the page is no field',
    value: ['Madrid'],
    state: ['Europe/Spain/Madrid'],
    first: [],
    draw: (label, value, set) =>
      h('div', { role: 'group', 'aria-label': label }, [
        h('div', label),
        h(VTreeview, { items: tree, itemValue: 'id', selectable: true, selected: value, 'onUpdate:selected': set }),
      ]),
  },
  {
    widget: 'autocomplete with a server',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    draw: (label, value, set) =>
      h(VAutocomplete, {
        label,
        modelValue: value,
        'onUpdate:modelValue': set,
        items: found.value,
        noFilter: true,
        'onUpdate:search': async (text) => {
          if (text) found.value = await searchCities(text)
        },
      }),
  },
  {
    widget: 'date',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    draw: field(VDateInput),
  },
  {
    widget: 'date range',
    label: 'Stay',
    fails: 'The page reads the text as other days',
    value: ['2026-11-27', '2026-11-29'],
    state: ['2026-11-27', '2026-11-28', '2026-11-29'],
    as: each(day),
    draw: field(VDateInput, { multiple: 'range' }),
  },
  {
    widget: 'calendar on the page',
    label: 'Birthday',
    fails: 'A calendar on the page is no field',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    draw: grouped(VDatePicker),
  },
  {
    widget: 'time',
    label: 'Breakfast',
    fails: 'The time stands in the pop-up',
    value: '14:30',
    state: '14:30',
    draw: (label, value, set) =>
      h(
        VTextField,
        { label, modelValue: value, readonly: true, active: isMenuOpen.value, focused: isMenuOpen.value },
        () =>
          h(
            VMenu,
            {
              modelValue: isMenuOpen.value,
              'onUpdate:modelValue': (open) => {
                isMenuOpen.value = open
              },
              closeOnContentClick: false,
              activator: 'parent',
            },
            () => h(VTimePicker, { format: '24hr', modelValue: value, 'onUpdate:modelValue': set }),
          ),
      ),
  },
  {
    widget: 'month',
    label: 'Card expires',
    value: '2027-05',
    state: '2027-05',
    as: month,
    draw: field(VTextField, { type: 'month' }),
  },
  { widget: 'colour', label: 'Colour', value: '#3366cc', state: '#3366cc', draw: field(VColorInput) },
  {
    widget: 'colour panel',
    label: 'Background',
    fails: 'The panel of colours is no field',
    value: '#3366cc',
    state: '#3366CC',
    first: '#FFFFFF',
    draw: grouped(VColorPicker, { mode: 'hex' }),
  },
  { widget: 'rating', label: 'Stars', value: 4, state: 4, first: 0, draw: grouped(VRating, { hover: true }) },
  {
    widget: 'slider',
    label: 'Volume',
    fails: 'The thumb has no name',
    value: 40,
    state: 40,
    first: 10,
    draw: field(VSlider, { step: 1 }),
  },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    draw: field(VRangeSlider, { step: 1 }),
  },
  { widget: 'switch', label: 'Newsletter', value: true, state: true, first: false, draw: field(VSwitch) },
  { widget: 'checkbox', label: 'Terms', value: true, state: true, first: false, draw: field(VCheckbox) },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    draw: field(VRadioGroup, {}, () =>
      ['Single', 'Double', 'Suite'].map((name) => h(VRadio, { label: name, value: name })),
    ),
  },
  {
    widget: 'toggle group',
    label: 'Styles',
    fails: 'The buttons do not say that they are pressed',
    value: ['Left', 'Right'],
    state: ['Left', 'Right'],
    first: [],
    draw: grouped(VBtnToggle, { multiple: true }, buttons),
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    fails: 'The buttons do not say that they are pressed',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    draw: grouped(VBtnToggle, {}, buttons),
  },
  {
    widget: 'chips',
    label: 'Mood',
    fails: 'The chips do not say that they are chosen',
    value: 'Calm',
    state: 'Calm',
    draw: grouped(VChipGroup, {}, () => ['Calm', 'Loud'].map((name) => h(VChip, { value: name }, () => name))),
  },
]

const values = ref(rows.map((row) => row.first ?? null))
createApp({
  render: () =>
    h('div', { class: 'v-application' }, [
      h('h1', 'Order'),
      ...rows.map((row, at) =>
        h(
          'div',
          { class: 'widget', key: row.label, style: 'margin: 12px; max-width: 500px' },
          row.draw(row.label, values.value[at], (value) => {
            values.value[at] = value
            keep(row, value)
          }),
        ),
      ),
    ]),
})
  .use(createVuetify())
  .mount('#app')
publish(rows, () => document.querySelectorAll('.widget').length === rows.length)
