// A board: the change is shown at once, and the whole state is put to one address a little later.
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { create } from 'zustand'
import { debounce, load, ran, save } from './talk.js'

const push = debounce((state) => save(state).catch(() => undefined), 600)
const useBoard = create((set, get) => ({
  cards: [],
  columns: [],
  fill: (state) => set(state),
  change(next, wait = false) {
    set(next)
    const { cards, columns } = get()
    if (wait) push({ cards, columns })
    else save({ cards, columns }).catch(() => undefined)
  },
}))

function Card({ card, open, menu }) {
  return (
    <div
      className="card"
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/plain', card.id)}
      onClick={() => open(card.id)}
    >
      <span>{card.name}</span>
      <span
        className="icon"
        onClick={(event) => {
          event.stopPropagation()
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          menu({ id: card.id, left, top: bottom })
        }}
      >
        ⋯
      </span>
    </div>
  )
}

function Title({ card }) {
  const [isEditing, edit] = useState(false)
  const { cards, change } = useBoard()
  if (!isEditing)
    return (
      <h2>
        {card.name}{' '}
        <span className="icon" title="Rename" onClick={() => edit(true)}>
          ✎
        </span>
      </h2>
    )
  const rename = (event) =>
    change({ cards: cards.map((one) => (one.id === card.id ? { ...one, name: event.target.value } : one)) }, true)
  return <input autoFocus value={card.name} placeholder="Card title" onChange={rename} onBlur={() => edit(false)} />
}

function Page() {
  const { cards, columns, fill, change } = useBoard()
  const [opened, open] = useState()
  const [at, menu] = useState()
  const [only, filter] = useState()
  const [draft, write] = useState()
  useEffect(() => void load().then(fill), [])
  const move = (id, column) => {
    ran(`move ${id}`)
    change({ cards: cards.map((one) => (one.id === id ? { ...one, column } : one)) })
  }
  const archive = (id) => {
    ran(`archive ${id}`)
    menu(undefined)
    change({ cards: cards.filter((one) => one.id !== id) })
  }
  const add = () => {
    ran(`add ${draft}`)
    change({ cards: [...cards, { id: `c${cards.length + 1}`, name: draft, column: 'todo', who: 'Ada' }] })
    write(undefined)
  }
  const card = cards.find((one) => one.id === opened)
  return (
    <main>
      <h1>Website relaunch</h1>
      <div className="bar">
        {['Ada', 'Tom'].map((name) => (
          <div
            key={name}
            className={only === name ? 'btn main' : 'btn'}
            onClick={() => filter(only === name ? undefined : name)}
          >
            {name}
          </div>
        ))}
      </div>
      <div className="board">
        {columns.map((column) => (
          <div
            key={column.id}
            className="column"
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => move(event.dataTransfer.getData('text/plain'), column.id)}
          >
            <b>{column.name}</b>
            {cards
              .filter((one) => one.column === column.id && (!only || one.who === only))
              .map((one, index) => (
                <Card key={index} card={one} open={open} menu={menu} />
              ))}
            {column.id === 'todo' &&
              (draft === undefined ? (
                <div className="btn form" onClick={() => write('')}>
                  + Add a card
                </div>
              ) : (
                <div className="form">
                  <textarea
                    placeholder="What needs to be done?"
                    value={draft}
                    onChange={(event) => write(event.target.value)}
                  />
                  <div className="btn main" onClick={add}>
                    Put on board
                  </div>
                </div>
              ))}
          </div>
        ))}
      </div>
      {card && (
        <div className="sheet">
          <div className="icon" title="Close panel" onClick={() => open(undefined)}>
            ✕
          </div>
          <Title card={card} />
          <p className="muted">Assigned to {card.who}</p>
        </div>
      )}
      {at &&
        createPortal(
          <div className="menu" style={{ left: at.left, top: at.top }}>
            <div className="item" onClick={() => (menu(undefined), open(at.id))}>
              Open
            </div>
            <div className="item" onClick={() => archive(at.id)}>
              Archive
            </div>
          </div>,
          document.body,
        )}
    </main>
  )
}

createRoot(document.querySelector('#app')).render(<Page />)
