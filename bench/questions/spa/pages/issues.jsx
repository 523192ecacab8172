/** @jsxImportSource preact */
// Issues with a palette of commands, lists in portals and a bar for what is selected. Each command is called at one address.
import { createPortal } from 'preact/compat'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ran, rpc } from './talk.js'

const states = ['Backlog', 'In review', 'Shipped']

function Page() {
  const [issues, set] = useState([])
  const [view, show] = useState('Issues')
  const [chosen, choose] = useState([])
  const [list, openList] = useState()
  const [words, type] = useState()
  const [isAsking, ask] = useState(false)
  useEffect(() => void rpc('load').then(set), [])
  useEffect(() => {
    const onKey = (event) => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        type('')
      }
      if (event.key === 'Escape') type(undefined)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const update = (id, changes) => {
    ran(`update ${id} ${Object.keys(changes)}`)
    set((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)))
    rpc('update', { id, changes }).catch(() => undefined)
  }
  const removeChosen = () => {
    ran(`remove ${chosen}`)
    ask(false)
    choose([])
    set((all) => all.filter((one) => !chosen.includes(one.id)))
    rpc('remove', { ids: chosen }).catch(() => undefined)
  }
  const commands = [
    ['Go to settings', () => show('Settings')],
    ['Go to issues', () => show('Issues')],
    ['Assign to me', () => chosen.forEach((id) => update(id, { who: 'me' }))],
    ['Copy link', () => undefined],
  ].filter(([name]) => name.toLowerCase().includes((words ?? '').toLowerCase()))
  const run = (command) => {
    type(undefined)
    command?.[1]()
  }
  return (
    <main>
      <h1>{view}</h1>
      <div class="bar">
        <div class="btn" onClick={() => type('')}>
          ⌘K
        </div>
        {chosen.length > 0 && (
          <div class="btn" onClick={() => ask(true)}>
            Delete {chosen.length}
          </div>
        )}
      </div>
      <div class="list">
        {issues.map((one, at) => (
          <div class="row" key={at}>
            <span>
              <span
                class="icon box"
                onClick={() =>
                  choose(chosen.includes(one.id) ? chosen.filter((id) => id !== one.id) : [...chosen, one.id])
                }
              >
                {chosen.includes(one.id) ? '☑' : '☐'}
              </span>{' '}
              {one.name}
            </span>
            <span>{one.who}</span>
            <span
              class="btn"
              onClick={(event) => {
                const { left, bottom } = event.currentTarget.getBoundingClientRect()
                openList({ id: one.id, left, top: bottom })
              }}
            >
              {one.state}
            </span>
          </div>
        ))}
      </div>
      {list &&
        createPortal(
          <div class="menu" style={{ left: list.left, top: list.top }}>
            {states.map((state) => (
              <div class="opt" key={state} onClick={() => (openList(undefined), update(list.id, { state }))}>
                {state}
              </div>
            ))}
          </div>,
          document.body,
        )}
      {words !== undefined && (
        <div class="modal">
          <input
            autoFocus
            placeholder="Type a command"
            value={words}
            onInput={(event) => type(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && run(commands[0])}
          />
          {commands.map((command) => (
            <div class="opt" key={command[0]} onClick={() => run(command)}>
              {command[0]}
            </div>
          ))}
        </div>
      )}
      {isAsking && (
        <div class="shade">
          <div class="modal">
            <p>{chosen.length} issues will be gone for good.</p>
            <div class="bar">
              <div class="btn" onClick={() => ask(false)}>
                Go back
              </div>
              <div class="btn main" onClick={removeChosen}>
                Yes, go ahead
              </div>
            </div>
          </div>
        </div>
      )}
    </main>
  )
}

render(<Page />, document.querySelector('#app'))
