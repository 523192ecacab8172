// Controls of the component libraries that forms are made of, each with its state in the page's own hands.
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  Combobox,
  ComboboxButton,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Field,
  Label as FieldLabel,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
} from '@headlessui/react'
import { Autocomplete, FormControl, InputLabel, MenuItem, Select as MuiSelect, Slider, TextField } from '@mui/material'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DatePicker } from '@mui/x-date-pickers/DatePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import * as Radix from '@radix-ui/react-select'
import RcSelect from '@rc-component/select'
import * as Aria from 'react-aria-components'
import ReactSelect from 'react-select'

const names = ['Austria', 'Belgium', 'France', 'Germany', 'Spain']
const options = names.map((value) => ({ value, label: value }))
const state = {}
function useKept(key, first) {
  const [value, set] = useState(first)
  state[key] = value
  return [value, set]
}

function Mui() {
  const [one, setOne] = useKept('muiSelect', '')
  const [several, setSeveral] = useKept('muiSeveral', [])
  const [found, setFound] = useKept('muiAutocomplete', null)
  const [level, setLevel] = useKept('muiSlider', 10)
  const [date, setDate] = useKept('muiDate', null)
  return (
    <>
      <p>
        <FormControl sx={{ width: 200 }}>
          <InputLabel id="mui-one">Mui country</InputLabel>
          <MuiSelect
            labelId="mui-one"
            id="mui-one-box"
            label="Mui country"
            value={one}
            onChange={(event) => setOne(event.target.value)}
          >
            {names.map((name) => (
              <MenuItem key={name} value={name}>
                {name}
              </MenuItem>
            ))}
          </MuiSelect>
        </FormControl>
      </p>
      <p>
        <FormControl sx={{ width: 200 }}>
          <InputLabel id="mui-several">Mui countries</InputLabel>
          <MuiSelect
            multiple
            labelId="mui-several"
            label="Mui countries"
            value={several}
            onChange={(event) => setSeveral(event.target.value)}
          >
            {names.map((name) => (
              <MenuItem key={name} value={name}>
                {name}
              </MenuItem>
            ))}
          </MuiSelect>
        </FormControl>
      </p>
      <Autocomplete
        options={names}
        value={found}
        onChange={(_event, name) => setFound(name)}
        renderInput={(given) => <TextField {...given} label="Mui search" />}
      />
      <div>
        <span id="mui-level">Mui level</span>
        <Slider
          aria-labelledby="mui-level"
          value={level}
          onChange={(_event, number) => setLevel(number)}
          sx={{ width: 200 }}
        />
      </div>
      <LocalizationProvider dateAdapter={AdapterDayjs}>
        <DatePicker label="Mui date" onChange={(day) => setDate(day?.isValid() ? day.format('YYYY-MM-DD') : null)} />
      </LocalizationProvider>
      <i hidden>{date}</i>
    </>
  )
}

function Headless() {
  const [one, setOne] = useKept('headlessListbox', null)
  const [found, setFound] = useKept('headlessCombobox', null)
  const [typed, type] = useState('')
  return (
    <>
      <Field>
        <FieldLabel>Headless country</FieldLabel>{' '}
        <Listbox value={one} onChange={setOne}>
          <ListboxButton>{one ?? 'Choose one'}</ListboxButton>
          <ListboxOptions>
            {names.map((name) => (
              <ListboxOption key={name} value={name}>
                {name}
              </ListboxOption>
            ))}
          </ListboxOptions>
        </Listbox>
      </Field>
      <Field>
        <FieldLabel>Headless search</FieldLabel>{' '}
        <Combobox value={found} onChange={setFound} onClose={() => type('')}>
          <ComboboxInput displayValue={(name) => name ?? ''} onChange={(event) => type(event.target.value)} />
          <ComboboxButton>v</ComboboxButton>
          <ComboboxOptions>
            {names
              .filter((name) => name.toLowerCase().includes(typed.toLowerCase()))
              .map((name) => (
                <ComboboxOption key={name} value={name}>
                  {name}
                </ComboboxOption>
              ))}
          </ComboboxOptions>
        </Combobox>
      </Field>
    </>
  )
}

function ReactAria() {
  const [one, setOne] = useKept('ariaSelect', null)
  const [found, setFound] = useKept('ariaCombobox', null)
  const [date, setDate] = useState(null)
  state.ariaDate = date?.toString() ?? null
  const list = (
    <Aria.Popover>
      <Aria.ListBox>
        {names.map((name) => (
          <Aria.ListBoxItem key={name} id={name}>
            {name}
          </Aria.ListBoxItem>
        ))}
      </Aria.ListBox>
    </Aria.Popover>
  )
  return (
    <>
      <Aria.Select selectedKey={one} onSelectionChange={setOne}>
        <Aria.Label>Aria country</Aria.Label>{' '}
        <Aria.Button>
          <Aria.SelectValue />
        </Aria.Button>
        {list}
      </Aria.Select>
      <Aria.ComboBox selectedKey={found} onSelectionChange={setFound}>
        <Aria.Label>Aria search</Aria.Label> <Aria.Input />
        <Aria.Button>v</Aria.Button>
        {list}
      </Aria.ComboBox>
      <Aria.DateField value={date} onChange={setDate}>
        <Aria.Label>Aria date</Aria.Label>
        <Aria.DateInput>{(segment) => <Aria.DateSegment segment={segment} />}</Aria.DateInput>
      </Aria.DateField>
    </>
  )
}

function Others() {
  const [one, setOne] = useKept('radix', '')
  const [found, setFound] = useKept('reactSelect', null)
  const [several, setSeveral] = useKept('reactSelectSeveral', [])
  const [rc, setRc] = useKept('rcSelect', null)
  return (
    <>
      <p>
        <label htmlFor="radix">Radix country</label>{' '}
        <Radix.Root value={one} onValueChange={setOne}>
          <Radix.Trigger id="radix">
            <Radix.Value placeholder="Pick one" />
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content>
              <Radix.Viewport>
                {names.map((name) => (
                  <Radix.Item key={name} value={name}>
                    <Radix.ItemText>{name}</Radix.ItemText>
                  </Radix.Item>
                ))}
              </Radix.Viewport>
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      </p>
      <p>
        <label htmlFor="react-select">React-select country</label>
      </p>
      <ReactSelect
        inputId="react-select"
        options={options}
        value={found && { value: found, label: found }}
        onChange={(option) => setFound(option?.value ?? null)}
      />
      <p>
        <label htmlFor="react-select-several">React-select countries</label>
      </p>
      <ReactSelect
        isMulti
        inputId="react-select-several"
        options={options}
        onChange={(chosen) => setSeveral(chosen.map(({ value }) => value))}
      />
      <p>
        <label htmlFor="rc-select">Rc country</label>{' '}
        <RcSelect id="rc-select" style={{ width: 200 }} options={options} value={rc} onChange={setRc} />
      </p>
      <i hidden>{several}</i>
    </>
  )
}

createRoot(document.getElementById('app')).render(
  <>
    <Mui />
    <Headless />
    <ReactAria />
    <Others />
  </>,
)
window.fixture = { state: () => ({ ...state }) }
new MutationObserver((_records, observer) => {
  if (document.getElementById('rc-select') === null) return
  observer.disconnect()
  document.documentElement.dataset.ready = ''
}).observe(document, { childList: true, subtree: true })
