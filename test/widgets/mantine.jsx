// Mantine, with its package of dates.
import { useState } from 'react'
import {
  AngleSlider,
  Autocomplete,
  Cascader,
  Checkbox,
  Chip,
  ColorInput,
  ColorPicker,
  Group,
  Input,
  JsonInput,
  MantineProvider,
  MaskInput,
  MultiSelect,
  NativeSelect,
  NumberInput,
  PhoneInput,
  PinInput,
  Radio,
  RangeSlider,
  Rating,
  SegmentedControl,
  Select,
  Slider,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  TreeSelect,
} from '@mantine/core'
import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import {
  DateInput,
  DatePicker,
  DatePickerInput,
  DateTimePicker,
  MonthPickerInput,
  TimeInput,
  TimePicker,
  YearPickerInput,
} from '@mantine/dates'
import { countries, drinks, placesAs, searchCities } from './page.js'
import { draw } from './react-page.jsx'

const typed =
  (Field, props = {}) =>
  ({ value, set, label, id }) => (
    <Field id={id} label={label} value={value} onChange={(event) => set(event.currentTarget.value)} {...props} />
  )
const valued =
  (Field, props = {}) =>
  ({ value, set, label, id }) => <Field id={id} label={label} value={value} onChange={set} {...props} />

const tree = placesAs((label, path, children) => ({ label, value: path.join('/'), children }))

function ServerAutocomplete({ value, set, label }) {
  const [data, setData] = useState([])
  return (
    <Autocomplete
      label={label}
      value={value}
      data={data}
      filter={({ options }) => options}
      onChange={async (text) => {
        set(text)
        setData(await searchCities(text))
      }}
    />
  )
}

const rows = [
  {
    widget: 'text',
    label: 'Full name',
    value: 'Ada Lovelace',
    state: 'Ada Lovelace',
    first: '',
    Draw: typed(TextInput),
  },
  {
    widget: 'text area',
    label: 'Remarks',
    value: 'No nuts',
    state: 'No nuts',
    first: '',
    Draw: typed(Textarea, { autosize: true }),
  },
  {
    widget: 'text of data',
    label: 'Settings',
    value: '{"a": 1}',
    state: '{"a": 1}',
    first: '',
    Draw: valued(JsonInput),
  },
  {
    widget: 'text with mask',
    label: 'Member code',
    value: '12-345',
    state: '12-345',
    first: '',
    Draw: ({ set, label }) => <MaskInput label={label} mask="99-999" onChangeRaw={(_raw, masked) => set(masked)} />,
  },
  { widget: 'number', label: 'Guests', value: 4, state: 4, first: '', Draw: valued(NumberInput, { min: 1, max: 10 }) },
  {
    widget: 'number with a format',
    label: 'Budget',
    value: 1500,
    state: 1500,
    first: '',
    Draw: valued(NumberInput, { prefix: '$ ', thousandSeparator: ',' }),
  },
  {
    widget: 'phone with country',
    label: 'Phone',
    value: '+34612345678',
    state: '+34612345678',
    first: '',
    Draw: valued(PhoneInput),
  },
  {
    widget: 'one-time code',
    label: 'Table number',
    fails: 'A code in several boxes is no field',
    value: '1234',
    state: '1234',
    first: '',
    Draw: ({ value, set, label }) => (
      <Input.Wrapper label={label}>
        <PinInput aria-label={label} value={value} onChange={set} />
      </Input.Wrapper>
    ),
  },
  {
    widget: 'select',
    label: 'Drink',
    value: 'Tea',
    state: 'Tea',
    first: null,
    Draw: valued(Select, { data: drinks }),
  },
  {
    widget: 'select with search',
    label: 'Country',
    value: 'France',
    state: 'France',
    first: null,
    Draw: valued(Select, { data: countries, searchable: true }),
  },
  {
    widget: 'native select',
    label: 'Table',
    value: 'Garden',
    state: 'Garden',
    first: 'Window',
    Draw: typed(NativeSelect, { data: ['Window', 'Garden'] }),
  },
  {
    widget: 'multi-select',
    label: 'Drinks',
    value: ['Tea', 'Coffee'],
    state: ['Tea', 'Coffee'],
    first: ['Water'],
    Draw: valued(MultiSelect, { data: drinks }),
  },
  {
    widget: 'tags',
    label: 'Tags',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    first: [],
    Draw: valued(TagsInput),
  },
  {
    widget: 'tree select',
    label: 'Region',
    fails: 'Lists of levels are not chosen from',
    value: 'Madrid',
    state: 'Europe/Spain/Madrid',
    first: null,
    Draw: valued(TreeSelect, { data: tree }),
  },
  {
    widget: 'tree select, several',
    label: 'Regions',
    fails: 'Lists of levels are not chosen from',
    value: ['Madrid', 'Tokyo'],
    state: ['Europe/Spain/Madrid', 'Asia/Japan/Tokyo'],
    first: [],
    Draw: valued(TreeSelect, { data: tree, mode: 'multiple' }),
  },
  {
    widget: 'cascader',
    label: 'Place',
    fails: 'Lists of levels are not chosen from',
    value: 'Europe > Spain > Madrid',
    state: ['Europe', 'Europe/Spain', 'Europe/Spain/Madrid'],
    first: null,
    Draw: valued(Cascader, { data: tree }),
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
    Draw: valued(DatePickerInput),
  },
  {
    widget: 'date as text',
    label: 'Departure',
    value: '2026-12-03',
    state: '2026-12-03',
    first: null,
    Draw: valued(DateInput),
  },
  {
    widget: 'date range',
    label: 'Stay',
    value: ['2026-11-27', '2026-12-03'],
    state: ['2026-11-27', '2026-12-03'],
    first: [null, null],
    Draw: valued(DatePickerInput, { type: 'range' }),
  },
  {
    widget: 'several dates',
    label: 'Visits',
    value: ['2026-11-24', '2026-11-27'],
    state: ['2026-11-24', '2026-11-27'],
    first: [],
    Draw: valued(DatePickerInput, { type: 'multiple', defaultDate: '2026-11-01' }),
  },
  {
    widget: 'date and time',
    label: 'Starts',
    fails: 'The time stands in the pop-up',
    value: '2026-11-27 14:30',
    state: '2026-11-27 14:30:00',
    first: null,
    Draw: valued(DateTimePicker),
  },
  { widget: 'time, native', label: 'Lunch', value: '14:30', state: '14:30', first: '', Draw: typed(TimeInput) },
  {
    widget: 'time',
    label: 'Breakfast',
    fails: 'The two boxes have no group',
    value: '14:30',
    state: '14:30',
    first: '',
    Draw: valued(TimePicker),
  },
  {
    widget: 'month',
    label: 'Card expires',
    fails: 'The pop-up has no days',
    value: '2027-05',
    state: '2027-05-01',
    first: null,
    Draw: valued(MonthPickerInput),
  },
  {
    widget: 'year',
    label: 'Founded',
    fails: 'The pop-up has no days',
    value: '2027',
    state: '2027-01-01',
    first: null,
    Draw: valued(YearPickerInput),
  },
  {
    widget: 'calendar on the page',
    label: 'Birthday',
    fails: 'A calendar on the page is no field',
    value: '2026-11-27',
    state: '2026-11-27',
    first: null,
    Draw: ({ value, set, label }) => (
      <Input.Wrapper label={label}>
        <DatePicker value={value} onChange={set} />
      </Input.Wrapper>
    ),
  },
  { widget: 'colour', label: 'Colour', value: '#3366cc', state: '#3366cc', first: '', Draw: valued(ColorInput) },
  {
    widget: 'colour panel',
    label: 'Background',
    fails: 'The panel of colours is no field',
    value: '#3366cc',
    state: '#3366cc',
    first: '#ffffff',
    Draw: ({ value, set, label }) => (
      <>
        <Text>{label}</Text>
        <ColorPicker value={value} onChange={set} saturationLabel={`${label} saturation`} hueLabel={`${label} hue`} />
      </>
    ),
  },
  {
    widget: 'rating',
    label: 'Stars',
    fails: 'The page ignores the click',
    value: 4,
    state: 4,
    first: 0,
    Draw: ({ value, set, label }) => (
      <Input.Wrapper label={label}>
        <Rating aria-label={label} value={value} onChange={set} />
      </Input.Wrapper>
    ),
  },
  {
    widget: 'slider',
    label: 'Volume',
    value: 40,
    state: 40,
    first: 10,
    Draw: ({ value, set, label }) => (
      <>
        <Text>{label}</Text>
        <Slider thumbLabel={label} value={value} onChange={set} />
      </>
    ),
  },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    Draw: ({ value, set, label }) => (
      <>
        <Text>{label}</Text>
        <RangeSlider thumbFromLabel={`${label} from`} thumbToLabel={`${label} to`} value={value} onChange={set} />
      </>
    ),
  },
  {
    widget: 'slider of an angle',
    label: 'Angle',
    value: 90,
    state: 90,
    first: 0,
    Draw: ({ value, set, label }) => <AngleSlider aria-label={label} value={value} onChange={set} />,
  },
  {
    widget: 'switch',
    label: 'Newsletter',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label }) => (
      <Switch label={label} checked={value} onChange={(event) => set(event.currentTarget.checked)} />
    ),
  },
  {
    widget: 'checkbox',
    label: 'Terms',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label }) => (
      <Checkbox label={label} checked={value} onChange={(event) => set(event.currentTarget.checked)} />
    ),
  },
  {
    widget: 'checkbox group',
    label: 'Diet',
    value: ['Vegan', 'No nuts'],
    state: ['Vegan', 'No nuts'],
    first: [],
    Draw: ({ value, set, label }) => (
      <Checkbox.Group label={label} value={value} onChange={set}>
        {['Vegan', 'No nuts', 'No milk'].map((name) => (
          <Checkbox key={name} value={name} label={name} />
        ))}
      </Checkbox.Group>
    ),
  },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    first: '',
    Draw: ({ value, set, label }) => (
      <Radio.Group name="room" label={label} value={value} onChange={set}>
        {['Single', 'Double', 'Suite'].map((name) => (
          <Radio key={name} value={name} label={name} />
        ))}
      </Radio.Group>
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
        <Text id={id}>{label}</Text>
        <Chip.Group multiple value={value} onChange={set}>
          <Group role="group" aria-labelledby={id}>
            {['Left', 'Centre', 'Right'].map((name) => (
              <Chip key={name} value={name}>
                {name}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
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
        <Text id={id}>{label}</Text>
        <SegmentedControl aria-labelledby={id} value={value} onChange={set} data={['Left', 'Centre', 'Right']} />
      </>
    ),
  },
]

draw(rows, ({ children }) => <MantineProvider>{children}</MantineProvider>)
