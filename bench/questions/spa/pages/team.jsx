// A team: a panel slides in, roles are chosen from boxes, and the page shows each change before the server answers.
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { load, ran, save } from './talk.js'

const key = ['state']

function Page() {
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: key, queryFn: load })
  const [words, type] = useState('')
  const [opened, open] = useState()
  const [isListOpen, openList] = useState(false)
  const [asked, ask] = useState()
  const [mail, write] = useState()
  const change = useMutation({
    mutationFn: ({ next }) => save(next),
    onMutate({ what, next }) {
      ran(what)
      const before = client.getQueryData(key)
      client.setQueryData(key, next)
      return before
    },
    onError: (_error, _next, before) => client.setQueryData(key, before),
  })
  const members = data?.members ?? []
  const put = (what, next) => change.mutate({ what, next: { members: next } })
  const member = members.find((one) => one.id === opened)
  return (
    <main>
      <h1>Team</h1>
      <div className="bar">
        <input placeholder="Search people" value={words} onChange={(event) => type(event.target.value)} />
        <div className="btn" onClick={() => write('')}>
          New person
        </div>
      </div>
      <div className="list">
        {members
          .filter((one) => one.name.toLowerCase().includes(words.toLowerCase()))
          .map((one, at) => (
            <div className="row" key={at} onClick={() => open(one.id)}>
              <span>{one.name}</span>
              <span>{one.role}</span>
              <div
                className="icon"
                title="Remove"
                onClick={(event) => {
                  event.stopPropagation()
                  ask(one)
                }}
              >
                <svg viewBox="0 0 24 24">
                  <path d="M5 7h14M8 7v13h8V7" />
                </svg>
              </div>
            </div>
          ))}
      </div>
      {member && (
        <div className="sheet">
          <div className="icon" title="Close" onClick={() => open(undefined)}>
            ✕
          </div>
          <h2>{member.name}</h2>
          <div className="btn" onClick={() => openList(!isListOpen)}>
            {member.role} ▾
          </div>
          {isListOpen && (
            <div className="menu">
              {['Admin', 'Editor', 'Guest'].map((role) => (
                <div
                  className="opt"
                  key={role}
                  onClick={() => {
                    openList(false)
                    put(
                      `role ${member.name}`,
                      members.map((one) => (one.id === opened ? { ...one, role } : one)),
                    )
                  }}
                >
                  {role}
                </div>
              ))}
            </div>
          )}
        </div>
      )}
      {asked &&
        createPortal(
          <div className="shade">
            <div className="modal">
              <p>Take {asked.name} out of the team?</p>
              <div className="bar">
                <div className="btn" onClick={() => ask(undefined)}>
                  No
                </div>
                <div
                  className="btn main"
                  onClick={() => {
                    ask(undefined)
                    put(
                      `remove ${asked.name}`,
                      members.filter((one) => one.id !== asked.id),
                    )
                  }}
                >
                  Yes
                </div>
              </div>
            </div>
          </div>,
          document.body,
        )}
      {mail !== undefined && (
        <div className="modal">
          <input autoFocus placeholder="Email" value={mail} onChange={(event) => write(event.target.value)} />
          <div
            className="btn main"
            onClick={() => {
              write(undefined)
              put(`add ${mail}`, [...members, { id: members.length + 1, name: mail, role: 'Guest' }])
            }}
          >
            Add to team
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
