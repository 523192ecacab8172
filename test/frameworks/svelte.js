// Mounts the order form written in Svelte.
import { flushSync, mount } from 'svelte'
import { publish } from './model.js'
import Order from './Order.svelte'

const order = mount(Order, { target: document.querySelector('#app') })
flushSync()
publish(document, {
  redraw: () => {
    order.redraw()
  },
  rename: () => {
    order.rename()
  },
})
