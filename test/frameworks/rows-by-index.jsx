// Lists whose rows have their index as key, so that React writes the next row into the elements of one that is deleted: a
// table with two buttons in a row, tasks with a box, and cards of boxes.
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const deleted = []
const people = ['Ann', 'Bob', 'Cid', 'Dee'].map((name) => ({ name, mail: `${name.toLowerCase()}@x.example` }))
const tasks = ['Buy milk today', 'Buy bread today', 'Call the bank today', 'Pay rent today']

function useRows(initial, nameOf) {
  const [rows, setRows] = useState(initial)
  const remove = (at) => () => {
    deleted.push(nameOf(rows[at]))
    setRows(rows.filter((_, index) => index !== at))
  }
  return [rows, remove]
}

function Table() {
  const [rows, remove] = useRows(people, ({ name }) => name)
  return (
    <table>
      <tbody>
        {rows.map(({ name, mail }, at) => (
          <tr key={at}>
            <td>{name}</td>
            <td>{mail}</td>
            <td>
              <button>Edit</button>
              <button onClick={remove(at)}>Delete</button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Tasks() {
  const [rows, remove] = useRows(tasks, String)
  return (
    <ul>
      {rows.map((task, at) => (
        <li key={at}>
          <input type="checkbox" aria-label={`Done ${task}`} /> {task} <button>Change</button>{' '}
          <button onClick={remove(at)}>Remove</button>
        </li>
      ))}
    </ul>
  )
}

function Cards() {
  const [rows, remove] = useRows(people, ({ name }) => name)
  return (
    <section>
      {rows.map(({ name }, at) => (
        <div key={at}>
          <div>
            <b>{name}</b> open since today
          </div>
          <div>
            <span style={{ cursor: 'pointer' }}>Answer</span>{' '}
            <span style={{ cursor: 'pointer' }} onClick={remove(at)}>
              Discard
            </span>
          </div>
        </div>
      ))}
    </section>
  )
}

function Page() {
  useEffect(() => {
    Object.assign(window, { deleted })
    document.documentElement.dataset.ready = ''
  }, [])
  return (
    <main>
      <Table />
      <Tasks />
      <Cards />
    </main>
  )
}

createRoot(document.querySelector('#app')).render(<Page />)
