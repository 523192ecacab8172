// Radix, and the compositions of it that shadcn/ui copies into applications: combobox, date picker, phone field.
import { useEffect, useState } from 'react'
import { Command } from 'cmdk'
import {
  Checkbox,
  Label,
  Popover,
  RadioGroup,
  Select,
  Slider,
  Switch,
  Toggle,
  ToggleGroup,
  unstable_OneTimePasswordField as OneTimePasswordField,
} from 'radix-ui'
import { DayPicker } from 'react-day-picker'
import 'react-day-picker/style.css'
import PhoneInput from 'react-phone-number-input'
import { countries, day, drinks, searchCities } from './page.js'
import { draw } from './react-page.jsx'

const box = { border: '1px solid', minWidth: 120, minHeight: 24 }
const panel = { background: 'white', border: '1px solid', padding: 8 }

/** The combobox of shadcn/ui: a button that opens a list with a search field. */
function Combobox({ id, value, choose, items, several = false, search }) {
  const [isOpen, setOpen] = useState(false)
  const isChosen = (item) => (several ? value.includes(item) : value === item)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" id={id} role="combobox" aria-expanded={isOpen} style={box}>
          {(several ? value.join(', ') : value) || 'Select…'}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content style={panel}>
          <Command shouldFilter={search === undefined}>
            <Command.Input placeholder="Search…" onValueChange={search} />
            <Command.List>
              <Command.Empty>Nothing found.</Command.Empty>
              <Command.Group>
                {items.map((item) => (
                  <Command.Item
                    key={item}
                    value={item}
                    onSelect={() => {
                      choose(item)
                      if (!several) setOpen(false)
                    }}
                  >
                    <span style={{ opacity: isChosen(item) ? 1 : 0 }}>
                      <svg width="16" height="16" aria-hidden="true">
                        <path d="M2 8l4 4 8-8" stroke="black" fill="none" />
                      </svg>
                    </span>
                    {item}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function ServerCombobox({ value, set, label, id }) {
  const [text, setText] = useState('')
  const [items, setItems] = useState([])
  useEffect(() => {
    let isActive = true
    void searchCities(text).then((found) => isActive && setItems(found))
    return () => {
      isActive = false
    }
  }, [text])
  return (
    <>
      <Label.Root htmlFor={id}>{label}</Label.Root>
      <Combobox id={id} value={value} choose={set} items={items} search={setText} />
    </>
  )
}

const print = (date) => date.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric' })

/** The date picker of shadcn/ui: a button that opens a calendar. */
const datePicker =
  (mode) =>
  ({ value, set, label, id }) => {
    const [isOpen, setOpen] = useState(false)
    const range = [value?.from, value?.to].filter(Boolean).map(print).join(' - ')
    const shown = mode === 'range' ? range : value && print(value)
    return (
      <>
        <Label.Root htmlFor={id}>{label}</Label.Root>
        <Popover.Root open={isOpen} onOpenChange={setOpen}>
          <Popover.Trigger asChild>
            <button type="button" id={id} style={box}>
              {shown || 'Pick a date'}
            </button>
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content style={panel}>
              <DayPicker
                mode={mode}
                captionLayout="dropdown"
                endMonth={new Date(2030, 11)}
                selected={value}
                onSelect={(next) => {
                  set(next)
                  if (mode === 'single') setOpen(false)
                }}
              />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      </>
    )
  }

const labelled =
  (Inner) =>
  ({ label, id, ...rest }) => (
    <>
      <Label.Root htmlFor={id}>{label}</Label.Root> <Inner id={id} label={label} {...rest} />
    </>
  )

const thumbs = (label, value, set, names) => (
  <Slider.Root
    value={value}
    onValueChange={set}
    style={{ position: 'relative', display: 'flex', width: 200, height: 20 }}
  >
    <Slider.Track style={{ background: 'grey', position: 'relative', flexGrow: 1, height: 3 }}>
      <Slider.Range style={{ position: 'absolute', background: 'blue', height: '100%' }} />
    </Slider.Track>
    {names.map((name) => (
      <Slider.Thumb
        key={name}
        aria-label={name}
        style={{ display: 'block', width: 20, height: 20, background: 'blue' }}
      />
    ))}
  </Slider.Root>
)

const group =
  (type) =>
  ({ value, set, label, id }) => (
    <>
      <span id={id}>{label}</span>
      <ToggleGroup.Root type={type} value={value} onValueChange={set} aria-labelledby={id}>
        {['Left', 'Centre', 'Right'].map((name) => (
          <ToggleGroup.Item key={name} value={name}>
            {name}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </>
  )

const rows = [
  {
    widget: 'text',
    label: 'Full name',
    value: 'Ada Lovelace',
    state: 'Ada Lovelace',
    first: '',
    Draw: labelled(({ id, value, set }) => (
      <input id={id} value={value} onChange={({ target }) => set(target.value)} />
    )),
  },
  {
    widget: 'phone with country',
    label: 'Phone',
    value: '+34612345678',
    state: '+34612345678',
    first: '',
    Draw: labelled(({ id, value, set }) => <PhoneInput id={id} value={value} onChange={set} defaultCountry="DE" />),
  },
  {
    widget: 'one-time code',
    label: 'Table code',
    fails: 'A code in several boxes is no field',
    value: '123456',
    state: '123456',
    first: '',
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <OneTimePasswordField.Root value={value} onValueChange={set} aria-labelledby={id}>
          {Array.from({ length: 6 }, (_, at) => (
            <OneTimePasswordField.Input key={at} />
          ))}
          <OneTimePasswordField.HiddenInput />
        </OneTimePasswordField.Root>
      </>
    ),
  },
  {
    widget: 'select',
    label: 'Drink',
    value: 'Tea',
    state: 'tea',
    first: '',
    Draw: labelled(({ id, value, set }) => (
      <Select.Root value={value} onValueChange={set}>
        <Select.Trigger id={id}>
          <Select.Value placeholder="Pick a drink" />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content>
            <Select.Viewport>
              {drinks.map((drink) => (
                <Select.Item key={drink} value={drink.toLowerCase()}>
                  <Select.ItemText>{drink}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
    )),
  },
  {
    widget: 'select with search',
    label: 'Country',
    value: 'France',
    state: 'France',
    first: '',
    Draw: labelled(({ id, value, set }) => <Combobox id={id} value={value} choose={set} items={countries} />),
  },
  {
    widget: 'multi-select',
    label: 'Visited',
    value: ['France', 'Spain'],
    state: ['France', 'Spain'],
    first: [],
    Draw: labelled(({ id, value, set }) => (
      <Combobox
        several
        id={id}
        value={value}
        items={countries}
        choose={(item) => set(value.includes(item) ? value.filter((one) => one !== item) : [...value, item])}
      />
    )),
  },
  {
    widget: 'autocomplete with a server',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    first: '',
    Draw: ServerCombobox,
  },
  {
    widget: 'date',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    Draw: datePicker('single'),
  },
  {
    widget: 'date range',
    label: 'Stay',
    value: ['2026-11-27', '2026-12-03'],
    state: ['2026-11-27', '2026-12-03'],
    as: (range) => range && [day(range.from), day(range.to)],
    Draw: datePicker('range'),
  },
  {
    widget: 'calendar on the page',
    label: 'Birthday',
    fails: 'A calendar on the page is no field',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <DayPicker mode="single" selected={value} onSelect={set} aria-labelledby={id} />
      </>
    ),
  },
  {
    widget: 'slider',
    label: 'Volume',
    value: 40,
    state: [40],
    first: [10],
    Draw: ({ value, set, label }) => thumbs(label, value, set, [label]),
  },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    Draw: ({ value, set, label }) => (
      <>
        <span>{label}</span>
        {thumbs(label, value, set, [`${label} minimum`, `${label} maximum`])}
      </>
    ),
  },
  {
    widget: 'switch',
    label: 'Newsletter',
    value: true,
    state: true,
    first: false,
    Draw: labelled(({ id, value, set }) => (
      <Switch.Root id={id} checked={value} onCheckedChange={set} style={box}>
        <Switch.Thumb />
      </Switch.Root>
    )),
  },
  {
    widget: 'checkbox',
    label: 'Terms',
    value: true,
    state: true,
    first: false,
    Draw: labelled(({ id, value, set }) => (
      <Checkbox.Root id={id} checked={value} onCheckedChange={set} style={box}>
        <Checkbox.Indicator>✓</Checkbox.Indicator>
      </Checkbox.Root>
    )),
  },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'double',
    first: '',
    Draw: ({ value, set, label, id }) => (
      <>
        <span id={id}>{label}</span>
        <RadioGroup.Root value={value} onValueChange={set} aria-labelledby={id}>
          {['Single', 'Double', 'Suite'].map((name) => (
            <div key={name}>
              <RadioGroup.Item value={name.toLowerCase()} id={`room-${name}`} style={box}>
                <RadioGroup.Indicator>●</RadioGroup.Indicator>
              </RadioGroup.Item>
              <label htmlFor={`room-${name}`}>{name}</label>
            </div>
          ))}
        </RadioGroup.Root>
      </>
    ),
  },
  {
    widget: 'toggle',
    label: 'Bold',
    fails: 'A single toggle button is no field',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label }) => (
      <Toggle.Root aria-label={label} pressed={value} onPressedChange={set}>
        B
      </Toggle.Root>
    ),
  },
  {
    widget: 'toggle group',
    label: 'Styles',
    value: ['Left', 'Right'],
    state: ['Left', 'Right'],
    first: [],
    Draw: group('multiple'),
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    Draw: group('single'),
  },
]

draw(rows)
