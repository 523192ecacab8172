// MUI, with MUI X in its free edition.
import { forwardRef, useEffect, useState } from 'react'
import {
  Autocomplete,
  Box,
  Button,
  Checkbox,
  FormControl,
  FormControlLabel,
  FormGroup,
  FormLabel,
  InputLabel,
  List,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  MenuItem,
  OutlinedInput,
  Paper,
  Radio,
  RadioGroup,
  Rating,
  Select,
  Slider,
  Switch,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from '@mui/material'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DateCalendar } from '@mui/x-date-pickers/DateCalendar'
import { DatePicker } from '@mui/x-date-pickers/DatePicker'
import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import { MobileDatePicker } from '@mui/x-date-pickers/MobileDatePicker'
import { TimePicker } from '@mui/x-date-pickers/TimePicker'
import { RichTreeView } from '@mui/x-tree-view/RichTreeView'
import { MuiTelInput } from 'mui-tel-input'
import { IMaskInput } from 'react-imask'
import { countries, day, dayTime, drinks, month, placesAs, searchCities, time } from './page.js'
import { draw } from './react-page.jsx'

const TextMask = forwardRef(function TextMask({ onChange, ...rest }, ref) {
  return (
    <IMaskInput
      {...rest}
      mask="00-000"
      inputRef={ref}
      onAccept={(value) => onChange({ target: { name: rest.name, value } })}
      overwrite
    />
  )
})

function TransferList({ value: right, set, label }) {
  const [checked, setChecked] = useState([])
  const left = drinks.filter((drink) => !right.includes(drink))
  const toggle = (drink) => () =>
    setChecked(checked.includes(drink) ? checked.filter((one) => one !== drink) : [...checked, drink])
  const list = (items, name) => (
    <Paper sx={{ width: 200 }}>
      <List dense component="div" role="list" aria-label={`${label}: ${name}`}>
        {items.map((drink) => (
          <ListItemButton key={drink} role="listitem" onClick={toggle(drink)}>
            <ListItemIcon>
              <Checkbox
                checked={checked.includes(drink)}
                tabIndex={-1}
                disableRipple
                slotProps={{ input: { 'aria-labelledby': `transfer-${drink}` } }}
              />
            </ListItemIcon>
            <ListItemText id={`transfer-${drink}`} primary={drink} />
          </ListItemButton>
        ))}
      </List>
    </Paper>
  )
  const chosen = (from) => checked.filter((one) => from.includes(one))
  const move = (next) => () => {
    set(next)
    setChecked([])
  }
  return (
    <>
      <Typography>{label}</Typography>
      {list(left, 'choices')}
      <Button variant="outlined" onClick={move([...right, ...chosen(left)])} aria-label="move selected right">
        &gt;
      </Button>
      <Button
        variant="outlined"
        onClick={move(right.filter((one) => !checked.includes(one)))}
        aria-label="move selected left"
      >
        &lt;
      </Button>
      {list(right, 'chosen')}
    </>
  )
}

function ServerAutocomplete({ value, set, label }) {
  const [options, setOptions] = useState([])
  const [text, setText] = useState('')
  useEffect(() => {
    if (text === '') return setOptions(value ? [value] : [])
    let isActive = true
    const timer = setTimeout(async () => {
      const found = await searchCities(text)
      if (isActive) setOptions(found)
    }, 200)
    return () => {
      isActive = false
      clearTimeout(timer)
    }
  }, [text, value])
  return (
    <Autocomplete
      filterOptions={(all) => all}
      options={options}
      value={value}
      noOptionsText="No cities"
      onChange={(_event, city) => set(city)}
      onInputChange={(_event, typed) => setText(typed)}
      renderInput={(given) => <TextField {...given} label={label} fullWidth />}
    />
  )
}

const select =
  (several) =>
  ({ value, set, label, id }) => (
    <FormControl sx={{ width: 240 }}>
      <InputLabel id={`${id}-label`}>{label}</InputLabel>
      <Select
        labelId={`${id}-label`}
        id={id}
        multiple={several}
        value={value}
        {...(several ? { input: <OutlinedInput label={label} />, renderValue: (all) => all.join(', ') } : { label })}
        onChange={({ target }) => set(target.value)}
      >
        {drinks.map((drink) => (
          <MenuItem key={drink} value={drink}>
            {several && <Checkbox checked={value.includes(drink)} />}
            {several ? <ListItemText primary={drink} /> : drink}
          </MenuItem>
        ))}
      </Select>
    </FormControl>
  )

const text =
  (props = {}) =>
  ({ value, set, label, id }) => (
    <TextField id={id} label={label} value={value} onChange={({ target }) => set(target.value)} {...props} />
  )

const picker =
  (Picker, props = {}) =>
  ({ value, set, label }) => <Picker label={label} value={value} onChange={set} {...props} />

const toggle =
  (exclusive) =>
  ({ value, set, label }) => (
    <>
      <FormLabel>{label}</FormLabel>
      <ToggleButtonGroup exclusive={exclusive} value={value} onChange={(_event, next) => set(next)} aria-label={label}>
        {['Left', 'Centre', 'Right'].map((side) => (
          <ToggleButton key={side} value={side} aria-label={side}>
            {side}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </>
  )

const rows = [
  { widget: 'text', label: 'Full name', value: 'Ada Lovelace', state: 'Ada Lovelace', first: '', Draw: text() },
  {
    widget: 'text area',
    label: 'Remarks',
    value: 'No nuts.\nRing twice.',
    state: 'No nuts.\nRing twice.',
    first: '',
    Draw: text({ multiline: true, maxRows: 4 }),
  },
  {
    widget: 'text with mask',
    label: 'Member code',
    value: '12-345',
    state: '12-345',
    first: '',
    Draw: text({ slotProps: { input: { inputComponent: TextMask } } }),
  },
  {
    widget: 'number',
    label: 'Guests',
    value: 4,
    state: '4',
    first: '',
    Draw: text({ type: 'number', slotProps: { inputLabel: { shrink: true } } }),
  },
  {
    widget: 'phone with country',
    label: 'Phone',
    value: '+34 612 345 678',
    state: '+34 612 34 56 78',
    first: '',
    Draw: ({ value, set, label }) => <MuiTelInput label={label} value={value} onChange={set} defaultCountry="DE" />,
  },
  { widget: 'select', label: 'Drink', value: 'Tea', state: 'Tea', first: '', Draw: select(false) },
  {
    widget: 'multi-select',
    label: 'Drinks',
    value: ['Tea', 'Coffee'],
    state: ['Tea', 'Coffee'],
    first: ['Water'],
    Draw: select(true),
  },
  {
    widget: 'autocomplete',
    label: 'Country',
    value: 'France',
    state: 'France',
    first: null,
    Draw: ({ value, set, label }) => (
      <Autocomplete
        options={countries}
        value={value}
        onChange={(_event, next) => set(next)}
        renderInput={(given) => <TextField {...given} label={label} />}
      />
    ),
  },
  {
    widget: 'multi-select with search',
    label: 'Visited',
    value: ['France', 'Spain'],
    state: ['France', 'Spain'],
    first: [],
    Draw: ({ value, set, label }) => (
      <Autocomplete
        multiple
        options={countries}
        value={value}
        onChange={(_event, next) => set(next)}
        renderInput={(given) => <TextField {...given} label={label} />}
      />
    ),
  },
  {
    widget: 'tags',
    label: 'Tags',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    first: [],
    Draw: ({ value, set, label }) => (
      <Autocomplete
        multiple
        freeSolo
        options={[]}
        value={value}
        onChange={(_event, next) => set(next)}
        renderInput={(given) => <TextField {...given} label={label} />}
      />
    ),
  },
  {
    widget: 'tree',
    label: 'Regions',
    fails: 'A tree on the page is no field',
    value: ['Madrid'],
    state: ['Europe/Spain/Madrid'],
    first: [],
    Draw: ({ value, set, label, id }) => (
      <>
        <FormLabel id={id}>{label}</FormLabel>
        <RichTreeView
          aria-labelledby={id}
          multiSelect
          checkboxSelection
          items={placesAs((name, path, children) => ({ id: path.join('/'), label: name, children }))}
          selectedItems={value}
          onSelectedItemsChange={(_event, items) => set(items)}
        />
      </>
    ),
  },
  {
    widget: 'transfer list',
    label: 'Served',
    fails: 'A transfer list is no field',
    value: ['Tea', 'Coffee'],
    state: ['Tea', 'Coffee'],
    first: [],
    Draw: TransferList,
  },
  {
    widget: 'autocomplete with a server',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    first: null,
    Draw: ServerAutocomplete,
  },
  {
    widget: 'date',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    first: null,
    as: day,
    Draw: picker(DatePicker),
  },
  {
    widget: 'date in a dialog',
    label: 'Departure',
    value: '2026-12-03',
    state: '2026-12-03',
    first: null,
    as: day,
    Draw: picker(MobileDatePicker),
  },
  {
    widget: 'date and time',
    label: 'Starts',
    value: '2026-11-27 14:30',
    state: '2026-11-27 14:30',
    first: null,
    as: dayTime,
    Draw: picker(DateTimePicker),
  },
  {
    widget: 'time',
    label: 'Breakfast',
    value: '14:30',
    state: '14:30',
    first: null,
    as: time,
    Draw: picker(TimePicker),
  },
  {
    widget: 'month',
    label: 'Card expires',
    value: '2027-05',
    state: '2027-05',
    first: null,
    as: month,
    Draw: picker(DatePicker, { views: ['month', 'year'] }),
  },
  {
    widget: 'calendar on the page',
    label: 'Birthday',
    fails: 'A calendar on the page is no field',
    value: '2026-11-27',
    state: '2026-11-27',
    first: null,
    as: day,
    Draw: ({ value, set, label, id }) => (
      <Box role="group" aria-labelledby={id}>
        <FormLabel id={id}>{label}</FormLabel>
        <DateCalendar value={value} onChange={set} />
      </Box>
    ),
  },
  {
    widget: 'rating',
    label: 'Stars',
    value: 4,
    state: 4,
    first: null,
    Draw: ({ value, set, label }) => (
      <FormControl component="fieldset">
        <FormLabel component="legend">{label}</FormLabel>
        <Rating name="stars" value={value} onChange={(_event, stars) => set(stars)} />
      </FormControl>
    ),
  },
  {
    widget: 'slider',
    label: 'Volume',
    value: 40,
    state: 40,
    first: 10,
    Draw: ({ value, set, label, id }) => (
      <Box sx={{ width: 300 }}>
        <Typography id={id}>{label}</Typography>
        <Slider aria-labelledby={id} value={value} onChange={(_event, next) => set(next)} />
      </Box>
    ),
  },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    Draw: ({ value, set, label }) => (
      <Box sx={{ width: 300 }}>
        <Slider
          getAriaLabel={() => label}
          value={value}
          onChange={(_event, next) => set(next)}
          valueLabelDisplay="auto"
          getAriaValueText={(number) => `${number} €`}
        />
      </Box>
    ),
  },
  {
    widget: 'switch',
    label: 'Newsletter',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label }) => (
      <FormControlLabel
        control={<Switch checked={value} onChange={({ target }) => set(target.checked)} />}
        label={label}
      />
    ),
  },
  {
    widget: 'checkbox',
    label: 'Terms',
    value: true,
    state: true,
    first: false,
    Draw: ({ value, set, label }) => (
      <FormControlLabel
        control={<Checkbox checked={value} onChange={({ target }) => set(target.checked)} />}
        label={label}
      />
    ),
  },
  {
    widget: 'checkbox group',
    label: 'Diet',
    value: ['Vegan', 'No nuts'],
    state: ['Vegan', 'No nuts'],
    first: [],
    Draw: ({ value, set, label }) => (
      <FormControl component="fieldset">
        <FormLabel component="legend">{label}</FormLabel>
        <FormGroup>
          {['Vegan', 'No nuts', 'No milk'].map((name) => (
            <FormControlLabel
              key={name}
              control={
                <Checkbox
                  checked={value.includes(name)}
                  onChange={({ target }) =>
                    set(target.checked ? [...value, name] : value.filter((one) => one !== name))
                  }
                />
              }
              label={name}
            />
          ))}
        </FormGroup>
      </FormControl>
    ),
  },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    first: '',
    Draw: ({ value, set, label, id }) => (
      <FormControl>
        <FormLabel id={id}>{label}</FormLabel>
        <RadioGroup aria-labelledby={id} value={value} onChange={({ target }) => set(target.value)}>
          {['Single', 'Double', 'Suite'].map((name) => (
            <FormControlLabel key={name} value={name} control={<Radio />} label={name} />
          ))}
        </RadioGroup>
      </FormControl>
    ),
  },
  {
    widget: 'toggle group',
    label: 'Styles',
    value: ['Left', 'Right'],
    state: ['Left', 'Right'],
    first: [],
    Draw: toggle(false),
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    Draw: toggle(true),
  },
]

draw(rows, ({ children }) => <LocalizationProvider dateAdapter={AdapterDayjs}>{children}</LocalizationProvider>)
