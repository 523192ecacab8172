// SWR with an optimistic mutation: the list shows the order before the server has it, and loses it again if that fails.
import { useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import useSWR from 'swr'
import useSWRMutation from 'swr/mutation'
import { addButton, asText, outcome, ready } from './page.js'

const shown = []
const load = (path) => fetch(path).then((answer) => answer.json())

async function post(path, { arg }) {
  const body = JSON.stringify({ name: arg })
  const headers = { 'content-type': 'application/json', 'x-marker': 'swr' }
  const answer = await fetch(arg === 'broken' ? '/api/broken' : path, { method: 'POST', headers, body })
  return answer.json()
}

function Orders() {
  const { data = [] } = useSWR('/api/list', load, { revalidateOnFocus: false, shouldRetryOnError: false })
  const { trigger } = useSWRMutation('/api/list', post)
  const text = data.join(', ')
  useEffect(() => {
    if (text !== shown.at(-1)) shown.push(text)
  }, [text])
  const run = useRef()
  run.current = (name) => trigger(name, { optimisticData: (old = []) => [...old, `${name} …`], rollbackOnError: true })
  useEffect(() => {
    addButton('Send', () => run.current('tea'))
    const idle = async () => ({
      broken: await outcome(run.current('broken')),
      sent: await outcome(run.current('idle')),
      list: await asText('/api/list'),
    })
    ready({ idle, shown })
  }, [])
  return <p id="answer">{text}</p>
}

const place = document.createElement('div')
document.querySelector('#app').append(place)
createRoot(place).render(<Orders />)
