// React Query with an optimistic update: the list shows the order before the server has it.
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { asText, ready, told } from './page.js'

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const shown = []
const errors = []
// Not what is drawn: React draws the first change together with the last one if the request fails at once.
client.getQueryCache().subscribe(() => {
  const list = client.getQueryData(['orders'])?.join(', ')
  if (list !== undefined && list !== shown.at(-1)) shown.push(list)
})

async function post(name, signal) {
  const body = JSON.stringify({ name })
  const answer = await fetch(name === 'broken' ? '/api/broken' : '/api/list', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-marker': 'query' },
    body,
    signal,
  })
  return answer.json()
}

function Orders() {
  const queries = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: ['orders'],
    queryFn: ({ signal }) => fetch('/api/list', { signal }).then((answer) => answer.json()),
  })
  const add = useMutation({
    mutationFn: (name) => post(name),
    onMutate: async (name) => {
      await queries.cancelQueries({ queryKey: ['orders'] })
      const before = queries.getQueryData(['orders'])
      queries.setQueryData(['orders'], (old = []) => [...old, `${name} …`])
      return { before }
    },
    onError: (error, _name, context) => {
      errors.push(told(error))
      queries.setQueryData(['orders'], context.before)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['orders'] }),
  })
  const run = useRef(add)
  run.current = add
  const text = data.join(', ')
  useEffect(() => {
    const idle = async () => {
      await run.current.mutateAsync('broken').catch(() => {})
      await run.current.mutateAsync('idle')
      return { errors: [...errors], plain: await asText('/api/echo'), list: await asText('/api/list') }
    }
    ready({ idle, shown, errors })
  }, [])
  return (
    <>
      <button aria-haspopup="menu" aria-expanded="false" onClick={() => add.mutate('tea')}>
        Send
      </button>
      <p id="answer">{text}</p>
    </>
  )
}

createRoot(document.querySelector('#app')).render(
  <QueryClientProvider client={client}>
    <Orders />
  </QueryClientProvider>,
)
