// A chat: queries and mutations at one address, with optimistic updates that are taken back if the server refuses.
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { gql, ran } from './talk.js'

function useChange(operation, channel, next) {
  const client = useQueryClient()
  const key = ['messages', channel]
  return useMutation({
    mutationFn: (variables) => gql('mutation', operation, variables),
    onMutate(variables) {
      ran(`${operation} ${variables.id ?? variables.name}`)
      const before = client.getQueryData(key)
      client.setQueryData(key, (all) => next(all, variables))
      return before
    },
    onError: (_error, _variables, before) => client.setQueryData(key, before),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}

function Composer({ channel, send }) {
  const box = useRef()
  const submit = () => {
    const name = box.current.textContent.trim()
    box.current.textContent = ''
    if (name) send({ id: `m${Date.now()}`, channel, name })
  }
  return (
    <div className="bar">
      <div
        ref={box}
        className="editor"
        style={{ flex: 1 }}
        contentEditable
        suppressContentEditableWarning
        aria-label={`Message #${channel}`}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          submit()
        }}
      />
      <div className="icon" title="Send now" onClick={submit}>
        <svg viewBox="0 0 24 24">
          <path d="M3 3l18 9-18 9 4-9z" />
        </svg>
      </div>
    </div>
  )
}

function Page() {
  const [channel, choose] = useState('general')
  const [menu, setMenu] = useState()
  const [asked, ask] = useState()
  const { data: messages = [] } = useQuery({
    queryKey: ['messages', channel],
    queryFn: () => gql('query', 'GetMessages', { channel }),
  })
  const send = useChange('PostMessage', channel, (all, one) => [...all, { ...one, likes: 0 }])
  const react = useChange('ToggleReaction', channel, (all, { id }) =>
    all.map((one) => (one.id === id ? { ...one, likes: one.likes + 1 } : one)),
  )
  const remove = useChange('RemoveMessage', channel, (all, { id }) => all.filter((one) => one.id !== id))
  return (
    <main>
      <div className="bar">
        {['general', 'random', 'support'].map((name) => (
          <div key={name} className={name === channel ? 'tab on' : 'tab'} onClick={() => choose(name)}>
            # {name}
          </div>
        ))}
      </div>
      <div className="list">
        {messages.map((one, at) => (
          <div className="row" key={at}>
            <span>{one.name}</span>
            <div className="icon" onClick={() => react.mutate({ id: one.id })}>
              👍 {one.likes || ''}
            </div>
            <div className="icon" title="More" onClick={() => setMenu(menu === one.id ? undefined : one.id)}>
              ⋯
            </div>
            {menu === one.id && (
              <div className="menu">
                <div className="item" onClick={() => setMenu(undefined)}>
                  Copy text
                </div>
                <div className="item" onClick={() => (setMenu(undefined), ask(one))}>
                  Delete message
                </div>
              </div>
            )}
          </div>
        ))}
      </div>
      <Composer channel={channel} send={send.mutate} />
      {asked && (
        <div className="modal">
          <p>Delete “{asked.name}”? This cannot be undone.</p>
          <div className="bar">
            <div className="btn" onClick={() => ask(undefined)}>
              Keep
            </div>
            <div className="btn main" onClick={() => (ask(undefined), remove.mutate({ id: asked.id }))}>
              Delete
            </div>
          </div>
        </div>
      )}
    </main>
  )
}

createRoot(document.querySelector('#app')).render(
  <QueryClientProvider client={new QueryClient()}>
    <Page />
  </QueryClientProvider>,
)
