// PrimeReact.
import { useState } from 'react'
import { AutoComplete } from 'primereact/autocomplete'
import { Calendar } from 'primereact/calendar'
import { CascadeSelect } from 'primereact/cascadeselect'
import { Checkbox } from 'primereact/checkbox'
import { Chips } from 'primereact/chips'
import { ColorPicker } from 'primereact/colorpicker'
import { Dropdown } from 'primereact/dropdown'
import { InputMask } from 'primereact/inputmask'
import { InputNumber } from 'primereact/inputnumber'
import { InputOtp } from 'primereact/inputotp'
import { InputSwitch } from 'primereact/inputswitch'
import { InputText } from 'primereact/inputtext'
import { InputTextarea } from 'primereact/inputtextarea'
import { Knob } from 'primereact/knob'
import { ListBox } from 'primereact/listbox'
import { MultiSelect } from 'primereact/multiselect'
import { PickList } from 'primereact/picklist'
import { RadioButton } from 'primereact/radiobutton'
import { Rating } from 'primereact/rating'
import { SelectButton } from 'primereact/selectbutton'
import { Slider } from 'primereact/slider'
import { ToggleButton } from 'primereact/togglebutton'
import { TreeSelect } from 'primereact/treeselect'
import { TriStateCheckbox } from 'primereact/tristatecheckbox'
import 'primereact/resources/themes/lara-light-cyan/theme.css'
import { day, dayTime, drinks, each, month, placesAs, searchCities, time } from './page.js'
import { draw } from './react-page.jsx'

const options = drinks.map((drink) => ({ name: drink, code: drink.toLowerCase() }))
const tree = placesAs((label, path, children) => ({ key: path.join('/'), label, children }))
const cascade = placesAs((name, path, children) => ({
  name,
  path: path.join('/'),
  ...(children && { items: children }),
}))

/** As the documentation labels its fields: a label for the id of the input. */
const labelled =
  (Field, props = {}, idName = 'inputId') =>
  ({ value, set, label, id }) => (
    <>
      <label htmlFor={id} id={`${id}-label`}>
        {label}
      </label>{' '}
      <Field
        {...{ [idName]: id }}
        value={value}
        onChange={({ value: next, target }) => set(next === undefined ? target.value : next)}
        {...props}
      />
    </>
  )

function ServerAutocomplete({ value, set, label, id }) {
  const [found, setFound] = useState([])
  return (
    <>
      <label htmlFor={id}>{label}</label>{' '}
      <AutoComplete
        inputId={id}
        value={value}
        suggestions={found}
        completeMethod={async ({ query }) => setFound(await searchCities(query))}
        onChange={({ value: next }) => set(next)}
      />
    </>
  )
}

function Pick({ value, set, label }) {
  const [source, setSource] = useState(options)
  return (
    <>
      <span>{label}</span>
      <PickList
        dataKey="code"
        source={source}
        target={value}
        onChange={(event) => {
          setSource(event.source)
          set(event.target)
        }}
        itemTemplate={({ name }) => name}
        sourceHeader="Available"
        targetHeader="Selected"
      />
    </>
  )
}

const code = (option) => option?.code ?? null
const calendar = (props) => labelled(Calendar, props)

const rows = [
  {
    widget: 'text',
    label: 'Full name',
    value: 'Ada Lovelace',
    state: 'Ada Lovelace',
    first: '',
    Draw: labelled(InputText, {}, 'id'),
  },
  {
    widget: 'text area',
    label: 'Remarks',
    value: 'No nuts',
    state: 'No nuts',
    first: '',
    Draw: labelled(InputTextarea, {}, 'id'),
  },
  {
    widget: 'text with mask',
    label: 'Member code',
    value: '12-345678',
    state: '12-345678',
    first: '',
    Draw: labelled(InputMask, { mask: '99-999999' }, 'id'),
  },
  {
    widget: 'number',
    label: 'Guests',
    value: 4,
    state: 4,
    first: null,
    Draw: ({ value, set, label, id }) => (
      <>
        <label htmlFor={id}>{label}</label>{' '}
        <InputNumber inputId={id} value={value} onValueChange={(event) => set(event.value)} />
      </>
    ),
  },
  {
    widget: 'number with a format',
    label: 'Budget',
    value: 1500,
    state: 1500,
    first: null,
    Draw: ({ value, set, label, id }) => (
      <>
        <label htmlFor={id}>{label}</label>{' '}
        <InputNumber
          inputId={id}
          value={value}
          onValueChange={(event) => set(event.value)}
          mode="currency"
          currency="USD"
          locale="en-US"
        />
      </>
    ),
  },
  {
    widget: 'one-time code',
    label: 'Table code',
    fails: 'A code in several boxes is no field',
    value: '1234',
    state: '1234',
    first: '',
    Draw: ({ value, set, label, id }) => (
      <div role="group" aria-labelledby={id}>
        <span id={id}>{label}</span>
        <InputOtp value={value} onChange={(event) => set(event.value)} />
      </div>
    ),
  },
  {
    widget: 'select',
    label: 'Drink',
    value: 'Tea',
    state: 'tea',
    first: null,
    as: code,
    Draw: labelled(Dropdown, { options, optionLabel: 'name', placeholder: 'Select a drink' }),
  },
  {
    widget: 'select with search',
    label: 'Favourite',
    value: 'Cocoa',
    state: 'cocoa',
    first: null,
    as: code,
    Draw: labelled(Dropdown, { options, optionLabel: 'name', filter: true }),
  },
  {
    widget: 'multi-select',
    label: 'Drinks',
    value: ['Tea', 'Coffee'],
    state: ['tea', 'coffee'],
    first: [],
    as: each(code),
    Draw: labelled(MultiSelect, { options, optionLabel: 'name', display: 'chip' }),
  },
  {
    widget: 'list box',
    label: 'Main drink',
    value: 'Tea',
    state: 'tea',
    first: null,
    as: code,
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <ListBox
          value={value}
          onChange={(event) => set(event.value)}
          options={options}
          optionLabel="name"
          pt={{ list: { 'aria-labelledby': id } }}
        />
      </>
    ),
  },
  {
    widget: 'tags',
    label: 'Tags',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    first: [],
    Draw: labelled(Chips),
  },
  {
    widget: 'tree select',
    label: 'Region',
    fails: 'Lists of levels are not chosen from',
    value: 'Madrid',
    state: 'Europe/Spain/Madrid',
    first: null,
    Draw: labelled(TreeSelect, { options: tree }),
  },
  {
    widget: 'cascader',
    label: 'Place',
    fails: 'Lists of levels are not chosen from',
    value: 'Europe > Spain > Madrid',
    state: 'Europe/Spain/Madrid',
    first: null,
    as: (place) => place?.path ?? null,
    Draw: labelled(CascadeSelect, {
      options: cascade,
      optionLabel: 'name',
      optionGroupLabel: 'name',
      optionGroupChildren: ['items', 'items'],
    }),
  },
  {
    widget: 'transfer list',
    label: 'Served',
    fails: 'A transfer list is no field',
    value: ['Tea', 'Coffee'],
    state: ['tea', 'coffee'],
    first: [],
    as: each(code),
    Draw: Pick,
  },
  {
    widget: 'autocomplete with a server',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    first: '',
    Draw: ServerAutocomplete,
  },
  {
    widget: 'date',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    first: null,
    as: day,
    Draw: calendar(),
  },
  {
    widget: 'date and time',
    label: 'Starts',
    fails: 'The page does not take the text',
    value: '2026-11-27 14:30',
    state: '2026-11-27 14:30',
    first: null,
    as: dayTime,
    Draw: calendar({ showTime: true, hourFormat: '24' }),
  },
  {
    widget: 'date range',
    label: 'Stay',
    fails: 'The page does not take the text',
    value: ['2026-11-27', '2026-12-03'],
    state: ['2026-11-27', '2026-12-03'],
    first: null,
    as: each(day),
    Draw: calendar({ selectionMode: 'range' }),
  },
  {
    widget: 'time',
    label: 'Breakfast',
    value: '14:30',
    state: '14:30',
    first: null,
    as: time,
    Draw: calendar({ timeOnly: true }),
  },
  {
    widget: 'month',
    label: 'Card expires',
    fails: 'The pop-up has no days',
    value: '2027-05',
    state: '2027-05',
    first: null,
    as: month,
    Draw: calendar({ view: 'month', dateFormat: 'mm/yy' }),
  },
  {
    widget: 'colour',
    label: 'Colour',
    fails: 'The panel of colours is no field',
    value: '#3366cc',
    state: '3366cc',
    first: 'ffffff',
    Draw: labelled(ColorPicker),
  },
  {
    widget: 'rating',
    label: 'Stars',
    fails: 'The stars have no group',
    value: 4,
    state: 4,
    first: null,
    Draw: ({ value, set, label }) => (
      <fieldset>
        <legend>{label}</legend>
        <Rating value={value} onChange={(event) => set(event.value)} />
      </fieldset>
    ),
  },
  {
    widget: 'slider',
    label: 'Volume',
    value: 40,
    state: 40,
    first: 10,
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <Slider aria-labelledby={id} value={value} onChange={(event) => set(event.value)} style={{ width: 200 }} />
      </>
    ),
  },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <Slider
          range
          aria-labelledby={id}
          value={value}
          onChange={(event) => set(event.value)}
          style={{ width: 200 }}
        />
      </>
    ),
  },
  {
    widget: 'knob',
    label: 'Heat',
    value: 40,
    state: 40,
    first: 10,
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <Knob aria-labelledby={id} value={value} onChange={(event) => set(event.value)} />
      </>
    ),
  },
  {
    widget: 'switch',
    label: 'Newsletter',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label, id }) => (
      <>
        <label htmlFor={id}>{label}</label>{' '}
        <InputSwitch inputId={id} checked={value} onChange={(event) => set(event.value)} />
      </>
    ),
  },
  {
    widget: 'checkbox',
    label: 'Terms',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label, id }) => (
      <>
        <Checkbox inputId={id} checked={value} onChange={(event) => set(event.checked)} />{' '}
        <label htmlFor={id}>{label}</label>
      </>
    ),
  },
  {
    widget: 'checkbox of three states',
    label: 'Smoking',
    fails: 'Two elements have the same name',
    value: true,
    state: true,
    first: null,
    Draw: ({ value, set, label }) => (
      <>
        <span>{label}</span>{' '}
        <TriStateCheckbox aria-label={label} value={value} onChange={(event) => set(event.value)} />
      </>
    ),
  },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    first: '',
    Draw: ({ value, set, label }) => (
      <fieldset>
        <legend>{label}</legend>
        {['Single', 'Double', 'Suite'].map((name) => (
          <span key={name}>
            <RadioButton
              inputId={`room-${name}`}
              name="room"
              value={name}
              onChange={(event) => set(event.value)}
              checked={value === name}
            />
            <label htmlFor={`room-${name}`}>{name}</label>
          </span>
        ))}
      </fieldset>
    ),
  },
  {
    widget: 'toggle',
    label: 'Garden',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label }) => (
      <ToggleButton onLabel={label} offLabel={label} checked={value} onChange={(event) => set(event.value)} />
    ),
  },
  {
    widget: 'toggle group',
    label: 'Styles',
    value: ['Left', 'Right'],
    state: ['Left', 'Right'],
    first: [],
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <SelectButton
          multiple
          aria-labelledby={id}
          value={value}
          onChange={(event) => set(event.value)}
          options={['Left', 'Centre', 'Right']}
        />
      </>
    ),
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <SelectButton
          aria-labelledby={id}
          value={value}
          onChange={(event) => set(event.value)}
          options={['Left', 'Centre', 'Right']}
        />
      </>
    ),
  },
]

draw(rows)
