/** @jsxImportSource preact */
// Invoices: rows are rewritten in place, dialogs are boxes, and each procedure is called at one address.
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ran, rpc } from './talk.js'

const Icon = ({ title, path, onClick }) => (
  <div class="icon" title={title} onClick={onClick}>
    <svg viewBox="0 0 24 24">
      <path d={path} fill="none" stroke="currentColor" stroke-width="2" />
    </svg>
  </div>
)

function Page() {
  const [invoices, set] = useState([])
  const [question, ask] = useState()
  const [opened, open] = useState()
  const [isOpenOnly, filter] = useState(false)
  useEffect(() => void rpc('invoices.list').then(set), [])
  const act = (method, one, state) => {
    ask(undefined)
    ran(`${method} ${one.name}`)
    set((all) => all.map((other) => (other.id === one.id ? { ...other, state } : other)))
    rpc(method, { id: one.id }).catch(() => undefined)
  }
  const rows = invoices.filter((one) => !isOpenOnly || one.state === 'offen')
  return (
    <main>
      <h1>Rechnungen</h1>
      <div class="bar">
        <div class={isOpenOnly ? 'btn main' : 'btn'} onClick={() => filter(!isOpenOnly)}>
          Nur offene
        </div>
      </div>
      <div class="list">
        {rows.map((one, at) => (
          <div class="row" key={at}>
            <span class="item" onClick={() => rpc('invoices.get', { id: one.id }).then(open)}>
              {one.name}
            </span>
            <span>{one.sum} €</span>
            <span>{one.state}</span>
            <Icon
              title="Bezahlen"
              path="M3 7h18v10H3zM3 11h18"
              onClick={() =>
                ask({
                  text: `${one.name}: ${one.sum} € überweisen?`,
                  yes: 'Ja',
                  run: () => act('invoices.pay', one, 'bezahlt'),
                })
              }
            />
            <Icon
              title="Stornieren"
              path="M5 5l14 14M19 5L5 19"
              onClick={() =>
                ask({
                  text: `${one.name} wirklich stornieren?`,
                  yes: 'Bestätigen',
                  run: () => act('invoices.void', one, 'storniert'),
                })
              }
            />
          </div>
        ))}
      </div>
      {opened && (
        <div class="sheet">
          <div class="btn" onClick={() => open(undefined)}>
            Zurück
          </div>
          <h2>{opened.name}</h2>
          <p>Fällig am {opened.due}</p>
        </div>
      )}
      {question && (
        <div class="shade">
          <div class="modal">
            <p>{question.text}</p>
            <div class="bar">
              <div class="btn" onClick={() => ask(undefined)}>
                Nein
              </div>
              <div class="btn main" onClick={question.run}>
                {question.yes}
              </div>
            </div>
          </div>
        </div>
      )}
    </main>
  )
}

render(<Page />, document.querySelector('#app'))
