// The order form in React: every control is controlled by one useState object.
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import * as m from './model.js'

const texts = [
  ['name', 'Name', 'text'],
  ['email', 'Email', 'email'],
  ['phone', 'Phone', 'tel'],
  ['website', 'Website', 'url'],
  ['search', 'Search', 'search'],
  ['date', 'Date', 'date'],
  ['time', 'Time', 'time'],
  ['month', 'Month', 'month'],
  ['week', 'Week', 'week'],
  ['starts', 'Starts', 'datetime-local'],
  ['colour', 'Colour', 'color'],
  ['password', 'Password', 'password'],
]

function Form({ s, set, renamed }) {
  return (
    <form aria-label="Order" onSubmit={(event) => event.preventDefault()}>
      {texts.map(([key, label, type]) => (
        <p key={key} data-c={key}>
          <label>
            {key === 'name' && renamed ? 'Pet' : label}{' '}
            <input
              type={type}
              name={key === 'name' && renamed ? 'pet' : key}
              value={s[key]}
              onChange={(event) => set(key, event.target.value)}
            />
          </label>
        </p>
      ))}
      <p data-c="notes">
        <label>
          Notes <textarea name="notes" value={s.notes} onChange={(event) => set('notes', event.target.value)} />
        </label>
      </p>
      <p data-c="guests">
        <label>
          Guests{' '}
          <input
            type="number"
            min="1"
            max="12"
            value={s.guests}
            onChange={(event) => set('guests', event.target.value === '' ? null : event.target.valueAsNumber)}
          />
        </label>
      </p>
      <p data-c="spice">
        <label>
          Spice{' '}
          <input
            type="range"
            min="0"
            max="10"
            step="2"
            value={s.spice}
            onChange={(event) => set('spice', Number(event.target.value))}
          />
        </label>
      </p>
      <p data-c="news">
        <label>
          <input type="checkbox" checked={s.news} onChange={(event) => set('news', event.target.checked)} /> Send me
          news
        </label>
      </p>
      <fieldset data-c="seat">
        <legend>Seating</legend>
        {m.seats.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="seat"
              value={value}
              checked={s.seat === value}
              onChange={() => set('seat', value)}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset data-c="diet">
        <legend>Diet</legend>
        {m.diets.map(([value, label]) => (
          <label key={value}>
            <input
              type="checkbox"
              value={value}
              checked={s.diet.includes(value)}
              onChange={() => set('diet', m.flipped(s.diet, value))}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <p data-c="occasion">
        <label>
          Occasion{' '}
          <select value={s.occasion} onChange={(event) => set('occasion', event.target.value)}>
            {m.occasions.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </p>
      <p data-c="wines">
        <label>
          Wines{' '}
          <select
            multiple
            value={s.wines}
            onChange={(event) =>
              set(
                'wines',
                [...event.target.selectedOptions].map((option) => option.value),
              )
            }
          >
            {m.wines.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </p>
      <p data-c="city">
        <label>
          City <input list="cities" value={s.city} onChange={(event) => set('city', event.target.value)} />
        </label>
        <datalist id="cities">
          {m.cities.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </p>
      <p data-c="account">
        <label>
          Account <input value={s.account} onChange={(event) => set('account', m.grouped(event.target.value))} />
        </label>
      </p>
      <p data-c="lower">
        <label>
          Lower case{' '}
          <input
            value={s.lower}
            onChange={(event) => {
              if (m.isLower(event.target.value)) set('lower', event.target.value)
            }}
          />
        </label>
      </p>
      <Memo s={s} set={set} />
      <Country s={s} set={set} />
      <Size s={s} set={set} />
      <ul data-c="crust" role="listbox" aria-label="Crust" tabIndex={0}>
        {m.crusts.map((name) => (
          <li key={name} role="option" aria-selected={s.crust === name} onClick={() => set('crust', name)}>
            {name}
          </li>
        ))}
      </ul>
      <ul data-c="toppings" role="listbox" aria-label="Toppings" aria-multiselectable="true" tabIndex={0}>
        {m.toppings.map((name) => (
          <li
            key={name}
            role="option"
            aria-selected={s.toppings.includes(name)}
            onClick={() => set('toppings', m.flipped(s.toppings, name))}
          >
            {name}
          </li>
        ))}
      </ul>
      <p data-c="alerts">
        <span id="alerts">Alerts</span>{' '}
        <button
          type="button"
          role="switch"
          aria-checked={s.alerts}
          aria-labelledby="alerts"
          onClick={() => set('alerts', !s.alerts)}
        >
          {s.alerts ? 'on' : 'off'}
        </button>
      </p>
      <p data-c="volume">
        <span id="volume">Volume</span>{' '}
        <span
          role="slider"
          tabIndex={0}
          aria-labelledby="volume"
          aria-valuemin={0}
          aria-valuemax={10}
          aria-valuenow={s.volume}
          onKeyDown={(event) => set('volume', m.stepped(event.key, s.volume, 0, 10))}
        >
          ⬤
        </span>
      </p>
      <p data-c="nights">
        <span id="nights">Nights</span>{' '}
        <span
          role="spinbutton"
          tabIndex={0}
          aria-labelledby="nights"
          aria-valuemin={1}
          aria-valuemax={30}
          aria-valuenow={s.nights}
          aria-valuetext={`${s.nights} nights`}
          onKeyDown={(event) => {
            if (/Up|Down|Home|End/.test(event.key)) set('nights', m.stepped(event.key, s.nights, 1, 30))
          }}
        >
          {s.nights}
        </span>
      </p>
      <div data-c="room" role="radiogroup" aria-label="Room">
        {m.rooms.map((name) => (
          <span key={name} role="radio" tabIndex={0} aria-checked={s.room === name} onClick={() => set('room', name)}>
            {name}
          </span>
        ))}
      </div>
      <Arrival s={s} set={set} />
      <Departure s={s} set={set} />
      <p data-c="rating">
        <span id="rating">Rating</span>{' '}
        <star-rating
          aria-labelledby="rating"
          name="rating"
          value={s.rating}
          onchange={(event) => set('rating', event.target.value)}
        />
      </p>
    </form>
  )
}

function Memo({ s, set }) {
  const box = useRef(null)
  // React does not draw what the user edits; it only begins it.
  useEffect(() => {
    box.current.textContent = s.memo
  }, [])
  return (
    <p data-c="memo">
      <span id="memo">Memo</span>{' '}
      <span
        ref={box}
        role="textbox"
        contentEditable="true"
        suppressContentEditableWarning
        aria-labelledby="memo"
        style={{ display: 'inline-block', minWidth: '5em' }}
        onInput={(event) => set('memo', event.currentTarget.textContent)}
      />
    </p>
  )
}

function Country({ s, set }) {
  const [text, type] = useState(s.country)
  const [open, show] = useState(false)
  useEffect(() => type(s.country), [s.country])
  const pick = (name) => {
    set('country', name)
    type(name)
    show(false)
  }
  return (
    <p data-c="country">
      <label htmlFor="country">Country</label>{' '}
      <input
        id="country"
        role="combobox"
        aria-autocomplete="list"
        aria-controls="countries"
        aria-expanded={open}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          type(event.target.value)
          show(true)
          if (event.target.value === '') set('country', '')
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') show(false)
        }}
      />
      <span role="listbox" id="countries" aria-label="Countries" hidden={!open}>
        {open &&
          m.matching(text).map((name) => (
            <span
              key={name}
              role="option"
              aria-selected={s.country === name}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(name)}
            >
              {name}{' '}
            </span>
          ))}
      </span>
    </p>
  )
}

function Size({ s, set }) {
  const [open, show] = useState(false)
  return (
    <div data-c="size">
      <span id="size">Size</span>{' '}
      <div
        role="combobox"
        tabIndex={0}
        aria-labelledby="size"
        aria-haspopup="listbox"
        aria-controls="sizes"
        aria-expanded={open}
        onClick={() => show(!open)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') show(false)
        }}
      >
        {s.size}
      </div>
      {open && (
        <div role="listbox" id="sizes" aria-labelledby="size">
          {m.sizes.map((name) => (
            <div
              key={name}
              role="option"
              aria-selected={s.size === name}
              onClick={() => {
                set('size', name)
                show(false)
              }}
            >
              {name}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

function Arrival({ s, set }) {
  const [text, type] = useState(m.toAmerican(s.arrival))
  return (
    <p data-c="arrival">
      <label>
        Arrival{' '}
        <input
          value={text}
          aria-describedby="arrival-format"
          onChange={(event) => {
            type(event.target.value)
            set('arrival', m.fromAmerican(event.target.value))
          }}
        />
      </label>{' '}
      <span id="arrival-format">(date format: mm/dd/yyyy)</span>
    </p>
  )
}

function Departure({ s, set }) {
  const [shown, show] = useState('')
  const day = useRef(null)
  useEffect(() => {
    if (shown !== '') day.current?.focus()
  }, [shown])
  const pick = (iso) => {
    set('departure', iso)
    show('')
  }
  return (
    <div data-c="departure">
      <label>
        Departure{' '}
        <input
          role="combobox"
          readOnly
          aria-haspopup="dialog"
          aria-controls="departures"
          aria-expanded={shown !== ''}
          value={m.toAmerican(s.departure)}
          onClick={() => show(s.departure)}
        />
      </label>
      {shown !== '' && (
        <div
          role="dialog"
          id="departures"
          aria-modal="true"
          aria-label="Choose a date"
          onKeyDown={(event) => {
            if (event.key === 'Escape') show('')
            else if (event.key === 'Enter') pick(shown)
            else show(m.calendarKey(event, shown))
          }}
        >
          <button type="button" aria-label="previous month" onClick={() => show(m.shifted(shown, { months: -1 }))}>
            ‹
          </button>{' '}
          <h2 id="departure-month" aria-live="polite">
            {m.headingOf(shown)}
          </h2>{' '}
          <button type="button" aria-label="next month" onClick={() => show(m.shifted(shown, { months: 1 }))}>
            ›
          </button>
          <table role="grid" aria-labelledby="departure-month">
            <thead>
              <tr>
                {m.weekdays.map((name) => (
                  <th key={name} scope="col" abbr={name}>
                    {name.slice(0, 2)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {m.weeksOf(shown).map((week) => (
                <tr key={week[0].iso}>
                  {week.map(({ iso, text, isOther }) => (
                    <td
                      key={iso}
                      ref={iso === shown ? day : null}
                      role="gridcell"
                      tabIndex={iso === shown ? 0 : -1}
                      aria-disabled={isOther}
                      aria-selected={iso === s.departure}
                      onClick={() => {
                        if (!isOther) pick(iso)
                      }}
                    >
                      {text}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

function Page() {
  const [s, setState] = useState(m.initial)
  const [version, setVersion] = useState(0)
  const [renamed, setRenamed] = useState(false)
  useEffect(
    () =>
      m.publish(document, {
        redraw: () => flushSync(() => setVersion((number) => number + 1)),
        rename: () =>
          flushSync(() => {
            setRenamed(true)
            setVersion((number) => number + 1)
          }),
      }),
    [],
  )
  return (
    <main>
      <h1>Order</h1>
      <Form key={version} s={s} set={(key, value) => setState((old) => ({ ...old, [key]: value }))} renamed={renamed} />
      <pre id="state" data-tool-agent-ignore>
        {JSON.stringify(s)}
      </pre>
    </main>
  )
}

createRoot(document.querySelector('#app')).render(<Page />)
