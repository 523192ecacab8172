// Boxes for all rows of a table in React: a native one with an effect for its mixed state, one by roles as Radix draws it,
// one whose rows are new elements after each change, and one that selects all rows whatever it is asked.
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

const names = ['Ann', 'Bob', 'Cleo']
const state = {}

function Native({ label, some, all, onChange }) {
  const box = useRef(null)
  useEffect(() => {
    box.current.indeterminate = some && !all
  })
  return (
    <label>
      <input ref={box} type="checkbox" checked={all} onChange={(event) => onChange(event.target.checked)} /> {label}
    </label>
  )
}

function Role({ label, some, all, onChange }) {
  const checked = some && !all ? 'mixed' : all
  return (
    <button type="button" role="checkbox" aria-checked={checked} onClick={() => onChange(checked !== true)}>
      {label}
    </button>
  )
}

function Rows({ kind, Head, fresh, stubborn }) {
  const [rows, setRows] = useState([true, false, false])
  const [version, setVersion] = useState(0)
  const set = (next) => {
    setRows(next)
    setVersion(version + 1)
  }
  state[kind] = rows
  return (
    <fieldset>
      <Head
        label={`All ${kind}`}
        some={rows.includes(true)}
        all={!rows.includes(false)}
        onChange={(checked) => set(rows.map(() => stubborn || checked))}
      />
      {names.map((name, at) => (
        <label key={fresh ? `${name} ${version}` : name}>
          <input
            type="checkbox"
            checked={rows[at]}
            onChange={(event) => set(rows.map((one, index) => (index === at ? event.target.checked : one)))}
          />{' '}
          {`${name} ${kind}`}
        </label>
      ))}
    </fieldset>
  )
}

function Page() {
  useEffect(() => {
    Object.assign(window, { rows: () => state })
    document.documentElement.dataset.ready = ''
  }, [])
  return (
    <main>
      <Rows kind="native" Head={Native} />
      <Rows kind="roles" Head={Role} />
      <Rows kind="fresh" Head={Native} fresh />
      <Rows kind="stubborn" Head={Native} stubborn fresh />
    </main>
  )
}

createRoot(document.querySelector('#app')).render(<Page />)
