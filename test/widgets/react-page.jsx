// Draws the table of a page in React: each row keeps its value as the documentation of its library shows.
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { keep, publish } from './page.js'

function Widget({ row }) {
  const [value, set] = useState(row.first)
  const change = (next) => {
    set(next)
    if (typeof next !== 'function') keep(row, next)
  }
  const { Draw } = row
  return (
    <div className="widget" style={{ margin: '16px 8px' }}>
      <Draw value={value} set={change} label={row.label} id={row.label.replaceAll(/\W+/g, '-').toLowerCase()} />
    </div>
  )
}

/** `Around` gives all widgets what the library asks for at the root of an application. */
export function draw(rows, Around = ({ children }) => children) {
  createRoot(document.getElementById('app')).render(
    <Around>
      <h1>Order</h1>
      {rows.map((row) => (
        <Widget key={row.label} row={row} />
      ))}
    </Around>,
  )
  publish(rows, () => document.querySelectorAll('.widget').length === rows.length)
}
