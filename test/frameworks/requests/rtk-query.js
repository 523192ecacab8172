// RTK Query with an optimistic update: the list shows the order before the server has it, and loses it if that fails.
import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'
import { addButton, outcome, ready } from './page.js'

const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: '/api/', headers: { 'x-marker': 'rtk' } }),
  endpoints: (build) => ({
    orders: build.query({ query: () => 'list' }),
    add: build.mutation({
      query: (name) => ({ url: name === 'broken' ? 'broken' : 'list', method: 'POST', body: { name } }),
      async onQueryStarted(name, { dispatch, queryFulfilled }) {
        const change = dispatch(api.util.updateQueryData('orders', undefined, (list) => void list.push(`${name} …`)))
        try {
          const { data } = await queryFulfilled
          dispatch(api.util.upsertQueryData('orders', undefined, data))
        } catch {
          change.undo()
        }
      },
    }),
  }),
})
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
  // Otherwise it tells of a change together with its undoing, if the request fails at once.
  enhancers: (defaults) => defaults({ autoBatch: false }),
})
const shown = []
store.subscribe(() => {
  const list = api.endpoints.orders.select()(store.getState()).data?.join(', ')
  if (list !== undefined && list !== shown.at(-1)) shown.push(list)
})
const add = (name) => store.dispatch(api.endpoints.add.initiate(name)).unwrap()
await store.dispatch(api.endpoints.orders.initiate())
addButton('Send', () => add('tea'))
ready({
  shown,
  idle: async () => ({
    // What it fails with is plain data.
    broken: await add('broken').catch((error) => error),
    sent: await outcome(add('idle')),
    shown: [...shown],
  }),
})
