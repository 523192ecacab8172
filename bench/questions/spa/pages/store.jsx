// A store: everything that the server should do is an operation at one address, also what only reads.
import { configureStore, createSlice } from '@reduxjs/toolkit'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider, useDispatch, useSelector } from 'react-redux'
import { debounce, gql, ran } from './talk.js'

const { actions, reducer } = createSlice({
  name: 'store',
  initialState: { products: [], cart: [] },
  reducers: {
    found: (state, { payload }) => void (state.products = payload),
    filled: (state, { payload }) => void (state.cart = payload),
    added: (state, { payload }) => void state.cart.push(payload),
    removed: (state, { payload }) => void (state.cart = state.cart.filter((one) => one.id !== payload)),
    ordered: (state) => void (state.cart = []),
  },
})
const search = debounce((words, then) => gql('query', 'SearchProducts', { words }).then(then), 300)
const send = (operation, variables) => {
  ran(`${operation} ${variables.id ?? ''}`)
  gql('mutation', operation, variables).catch(() => undefined)
}

function Cart({ close }) {
  const { cart } = useSelector((state) => state)
  const dispatch = useDispatch()
  const [isAsking, ask] = useState(false)
  const order = () => {
    dispatch(actions.ordered())
    ask(false)
    close()
    send('PlaceOrder', {})
  }
  return (
    <div className="sheet">
      <div className="icon" title="关闭" onClick={close}>
        ✕
      </div>
      {cart.map((one, at) => (
        <div className="row" key={at}>
          <span>{one.name}</span>
          <div
            className="icon"
            title="移除"
            onClick={() => (dispatch(actions.removed(one.id)), send('RemoveFromCart', { id: one.id }))}
          >
            <svg viewBox="0 0 24 24">
              <path d="M5 7h14M8 7v13h8V7" />
            </svg>
          </div>
        </div>
      ))}
      <div className="btn main" onClick={() => ask(true)}>
        去结算
      </div>
      {isAsking && (
        <div className="modal">
          <p>共 {cart.reduce((sum, one) => sum + one.price, 0)} 元，确定下单吗？</p>
          <div className="bar">
            <div className="btn" onClick={() => ask(false)}>
              再想想
            </div>
            <div className="btn main" onClick={order}>
              确定
            </div>
          </div>
        </div>
      )}
    </div>
  )
}

function Page() {
  const { products, cart } = useSelector((state) => state)
  const dispatch = useDispatch()
  const [isOpen, open] = useState(false)
  useEffect(() => {
    void gql('query', 'SearchProducts', { words: '' }).then((all) => dispatch(actions.found(all)))
    void gql('query', 'Cart').then((all) => dispatch(actions.filled(all)))
  }, [])
  const add = (one) => {
    dispatch(actions.added(one))
    send('AddToCart', { id: one.id })
  }
  return (
    <main>
      <h1>文具店</h1>
      <div className="bar">
        <input
          placeholder="搜索商品"
          onChange={(event) => search(event.target.value, (all) => dispatch(actions.found(all)))}
        />
        <div className="btn cart" onClick={() => open(true)}>
          购物车 ({cart.length})
        </div>
      </div>
      {products.map((one, at) => (
        <div className="row" key={at}>
          <span>{one.name}</span>
          <span>{one.price} 元</span>
          <div className="btn" onClick={() => add(one)}>
            加入购物车
          </div>
        </div>
      ))}
      {isOpen && <Cart close={() => open(false)} />}
    </main>
  )
}

createRoot(document.querySelector('#app')).render(
  <Provider store={configureStore({ reducer })}>
    <Page />
  </Provider>,
)
