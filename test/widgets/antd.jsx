// Ant Design. Its form has the values: each widget is an item of it.
import { useRef, useState } from 'react'
import {
  AutoComplete,
  Cascader,
  Checkbox,
  ColorPicker,
  DatePicker,
  Form,
  Input,
  InputNumber,
  Mentions,
  Radio,
  Rate,
  Segmented,
  Select,
  Slider,
  Switch,
  TimePicker,
  Transfer,
  Tree,
  TreeSelect,
} from 'antd'
import { createRoot } from 'react-dom/client'
import { day, dayTime, drinks, each, keep, month, placesAs, publish, searchCities, time } from './page.js'

const options = drinks.map((drink) => ({ value: drink.toLowerCase(), label: drink }))
const tree = placesAs((title, path, children) => ({ title, value: path.join('/'), key: path.join('/'), children }))
const cascade = placesAs((label, path, children) => ({ label, value: label, children }))

function ServerSearch(given) {
  const [found, setFound] = useState([])
  return (
    <AutoComplete
      {...given}
      options={found}
      showSearch={{ onSearch: async (text) => setFound((await searchCities(text)).map((value) => ({ value }))) }}
      style={{ width: 240 }}
    />
  )
}

function ServerSelect(given) {
  const [found, setFound] = useState([])
  const asked = useRef(0)
  const search = async (text) => {
    const number = ++asked.current
    const cities = await searchCities(text)
    if (number === asked.current) setFound(cities.map((city) => ({ value: city, label: city })))
  }
  return (
    <Select
      {...given}
      showSearch={{ filterOption: false, onSearch: search }}
      placeholder="Select a city"
      options={found}
      style={{ width: 240 }}
    />
  )
}

const rows = [
  { widget: 'text', label: 'Full name', value: 'Ada Lovelace', state: 'Ada Lovelace', item: <Input /> },
  { widget: 'text area', label: 'Remarks', value: 'No nuts', state: 'No nuts', item: <Input.TextArea /> },
  { widget: 'number', label: 'Guests', value: 4, state: 4, item: <InputNumber min={1} max={10} /> },
  {
    widget: 'number with a format',
    label: 'Budget',
    value: 1500,
    state: 1500,
    item: (
      <InputNumber
        formatter={(value) => `$ ${value}`.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}
        parser={(value) => value?.replace(/\$\s?|(,*)/g, '')}
      />
    ),
  },
  {
    widget: 'phone with country',
    label: 'Phone',
    value: '612345678',
    state: '612345678',
    item: (
      <Input
        prefix={
          <Select
            variant="borderless"
            aria-label="Country code"
            defaultValue="34"
            options={[
              { value: '34', label: '+34' },
              { value: '49', label: '+49' },
            ]}
          />
        }
      />
    ),
  },
  {
    widget: 'one-time code',
    label: 'Table code',
    fails: 'A code in several boxes is no field',
    value: '123456',
    state: '123456',
    item: <Input.OTP length={6} />,
  },
  { widget: 'select', label: 'Drink', value: 'Tea', state: 'tea', item: <Select options={options} /> },
  {
    widget: 'select with search',
    label: 'Favourite',
    value: 'Cocoa',
    state: 'cocoa',
    item: <Select showSearch={{ optionFilterProp: 'label' }} options={options} />,
  },
  {
    widget: 'multi-select',
    label: 'Drinks',
    value: ['Tea', 'Coffee'],
    state: ['tea', 'coffee'],
    first: ['water'],
    item: <Select mode="multiple" options={options} />,
  },
  {
    widget: 'tags',
    label: 'Tags',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    item: <Select mode="tags" options={[]} />,
  },
  {
    widget: 'tree select',
    label: 'Region',
    fails: 'Lists of levels are not chosen from',
    value: 'Madrid',
    state: 'Europe/Spain/Madrid',
    item: <TreeSelect treeData={tree} style={{ width: 240 }} />,
  },
  {
    widget: 'tree select, several',
    label: 'Regions',
    fails: 'Lists of levels are not chosen from',
    value: ['Madrid', 'Tokyo'],
    state: ['Europe/Spain/Madrid', 'Asia/Japan/Tokyo'],
    item: <TreeSelect treeData={tree} treeCheckable style={{ width: 340 }} />,
  },
  {
    widget: 'tree',
    label: 'Areas',
    fails: 'A tree on the page is no field',
    value: ['Madrid'],
    state: ['Europe/Spain/Madrid'],
    valuePropName: 'checkedKeys',
    trigger: 'onCheck',
    item: <Tree checkable treeData={tree} aria-label="Areas" />,
  },
  {
    widget: 'cascader',
    label: 'Place',
    fails: 'Lists of levels are not chosen from',
    value: 'Europe > Spain > Madrid',
    state: ['Europe', 'Spain', 'Madrid'],
    item: <Cascader options={cascade} style={{ width: 300 }} />,
  },
  {
    widget: 'transfer list',
    label: 'Served',
    fails: 'A transfer list is no field',
    value: ['Tea', 'Coffee'],
    state: ['Tea', 'Coffee'],
    valuePropName: 'targetKeys',
    as: (value) => drinks.filter((drink) => value?.includes(drink)),
    item: <Transfer dataSource={drinks.map((key) => ({ key, title: key }))} render={({ title }) => title} />,
  },
  { widget: 'autocomplete with a server', label: 'City', value: 'Madrid', state: 'Madrid', item: <ServerSearch /> },
  { widget: 'select with a server', label: 'Town', value: 'Paris', state: 'Paris', item: <ServerSelect /> },
  {
    widget: 'mentions',
    label: 'Message',
    value: 'Please call me',
    state: 'Please call me',
    item: <Mentions options={[{ value: 'ada', label: 'Ada' }]} />,
  },
  {
    widget: 'date',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    item: <DatePicker />,
  },
  {
    widget: 'date and time',
    label: 'Starts',
    value: '2026-11-27 14:30',
    state: '2026-11-27 14:30',
    as: dayTime,
    item: <DatePicker showTime />,
  },
  {
    widget: 'date range',
    label: 'Stay',
    fails: 'The panel asks for both days',
    value: ['2026-11-27', '2026-12-03'],
    state: ['2026-11-27', '2026-12-03'],
    as: each(day),
    item: <DatePicker.RangePicker />,
  },
  {
    widget: 'time',
    label: 'Breakfast',
    value: '14:30',
    state: '14:30',
    as: time,
    item: <TimePicker />,
  },
  {
    widget: 'time range',
    label: 'Opening hours',
    fails: 'The panel asks for a press of its button',
    value: '09:00 to 17:30',
    state: ['09:00', '17:30'],
    as: each(time),
    item: <TimePicker.RangePicker format="HH:mm" />,
  },
  {
    widget: 'month',
    label: 'Card expires',
    value: '2027-05',
    state: '2027-05',
    as: month,
    item: <DatePicker picker="month" />,
  },
  {
    widget: 'year',
    label: 'Founded',
    value: '2027',
    state: '2027',
    as: (value) => month(value)?.slice(0, 4) ?? null,
    item: <DatePicker picker="year" />,
  },
  {
    widget: 'colour',
    label: 'Colour',
    fails: 'The panel of colours is no field',
    value: '#3366cc',
    state: '#3366cc',
    as: (value) => value?.toHexString?.() ?? value ?? null,
    item: <ColorPicker defaultFormat="hex" />,
  },
  { widget: 'rating', label: 'Stars', fails: 'The stars have no group', value: 4, state: 4, item: <Rate /> },
  { widget: 'slider', label: 'Volume', value: 40, state: 40, first: 10, item: <Slider /> },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    item: <Slider range />,
  },
  {
    widget: 'switch',
    label: 'Newsletter',
    value: true,
    state: true,
    first: false,
    valuePropName: 'checked',
    item: <Switch />,
  },
  {
    widget: 'checkbox',
    label: 'Terms',
    value: true,
    state: true,
    first: false,
    valuePropName: 'checked',
    item: <Checkbox />,
  },
  {
    widget: 'checkbox group',
    label: 'Diet',
    value: ['Vegan', 'No nuts'],
    state: ['Vegan', 'No nuts'],
    item: <Checkbox.Group options={['Vegan', 'No nuts', 'No milk']} />,
  },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    item: <Radio.Group options={['Single', 'Double', 'Suite']} />,
  },
  {
    widget: 'toggle group',
    label: 'Floor',
    value: 'Upper',
    state: 'Upper',
    item: <Radio.Group options={['Lower', 'Upper']} optionType="button" />,
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    item: <Segmented options={['Left', 'Centre', 'Right']} />,
  },
]

const name = ({ label }) => label.toLowerCase().replaceAll(' ', '-')

function Order() {
  const [form] = Form.useForm()
  return (
    <Form
      form={form}
      labelCol={{ span: 6 }}
      initialValues={Object.fromEntries(rows.map((row) => [name(row), row.first]))}
      onValuesChange={(_changed, all) => {
        for (const row of rows) keep(row, all[name(row)])
      }}
    >
      <h1>Order</h1>
      {rows.map((row) => (
        <Form.Item
          key={row.label}
          className="widget"
          label={row.label}
          name={name(row)}
          valuePropName={row.valuePropName ?? 'value'}
          trigger={row.trigger ?? 'onChange'}
        >
          {row.item}
        </Form.Item>
      ))}
    </Form>
  )
}

createRoot(document.getElementById('app')).render(<Order />)
publish(rows, () => document.querySelectorAll('.widget').length >= rows.length)
