// Apollo Client: queries and mutations go to one address, with an optimistic answer for the mutation.
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core'
import { addButton, outcome, ready } from './page.js'

const client = (uri) =>
  new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri, headers: { 'x-marker': 'apollo' }, useGETForQueries: true }),
  })
const good = client('/api/graphql')
const add = gql`
  mutation AddOrder($name: String) {
    addOrder(name: $name) {
      id
      name
    }
  }
`
const list = gql`
  query GetOrders {
    orders {
      id
      name
    }
  }
`
const shown = []
good
  .watchQuery({ query: list })
  .subscribe(({ data }) => data?.orders && shown.push(data.orders.map(({ name }) => name).join(', ')))

const mutate = (one, name) =>
  one
    .mutate({
      mutation: add,
      variables: { name },
      optimisticResponse: { addOrder: { __typename: 'Order', id: 'new', name: `${name} …` } },
      update: (cache, { data: { addOrder } }) =>
        cache.updateQuery({ query: list }, (old) => ({ orders: [...(old?.orders ?? []), addOrder] })),
    })
    .then(({ data }) => data.addOrder.name)

addButton('Send', () => mutate(good, 'tea'))
await good.query({ query: list })
ready({
  shown,
  idle: async () => ({
    broken: await outcome(mutate(client('/api/broken'), 'x')),
    sent: await outcome(mutate(good, 'idle')),
    // What is asked by another client is fetched anew.
    list: await outcome(
      client('/api/graphql')
        .query({ query: list })
        .then(({ data }) => data.orders.length),
    ),
  }),
})
