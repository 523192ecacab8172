// Loaded before the server: listens on the loopback address only, on a free port, and reports the port to the parent.
import { Server } from 'node:net'

const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  const whenListening = args.find((one) => typeof one === 'function')
  return listen.call(this, 0, '127.0.0.1', () => {
    process.send?.(this.address().port)
    whenListening?.()
  })
}
