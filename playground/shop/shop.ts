// What every page of the shop does: the number on the cart, the assistant and its tools.
import '../../src/index.js'
import '../../src/inspector.js'
import { byId } from '../shared/dom.js'
import { createDock } from '../shared/dock.js'
import { onCartChange, readCart, totalsOf } from './cart.js'
import { registerTools, type ShopPage } from './tools.js'

export function startShop(page: ShopPage): void {
  const count = byId('cart-count', HTMLElement)
  const show = (): void => {
    const { pieces } = totalsOf(readCart())
    count.textContent = String(pieces)
    count.hidden = pieces === 0
  }
  show()
  onCartChange(show)
  registerTools(createDock(), page)
}
