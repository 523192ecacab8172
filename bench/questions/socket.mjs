// A WebSocket as a server sees it, for short texts: the pages of the jobs send nothing else.
import { createHash } from 'node:crypto'

const key = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/**
 * Accepts the connection and answers each message, if there is an answer.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:stream').Duplex} socket
 * @param {(text: string) => string | undefined} answer
 */
export function acceptSocket(request, socket, answer) {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${key}`).digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  let waiting = Buffer.alloc(0)
  // The page may have gone.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let frame = readFrame(waiting); frame; frame = readFrame(waiting)) {
      waiting = waiting.subarray(frame.end)
      const text = frame.isText ? answer(frame.text) : undefined
      if (text !== undefined) socket.write(frameOf(text))
      if (frame.isClose) socket.end()
    }
  })
}

/** The first frame of some bytes; undefined until it is whole. @param {Buffer} bytes */
function readFrame(bytes) {
  if (bytes.length < 2) return undefined
  const [head = 0, second = 0] = bytes
  const isLong = (second & 0x7f) === 126
  const start = isLong ? 4 : 2
  if (bytes.length < start) return undefined
  const length = isLong ? bytes.readUInt16BE(2) : second & 0x7f
  const end = start + 4 + length
  if (bytes.length < end) return undefined
  // What a browser sends is always masked.
  const mask = bytes.subarray(start, start + 4)
  const text = Buffer.from(bytes.subarray(start + 4, end).map((byte, at) => byte ^ (mask[at % 4] ?? 0))).toString()
  const code = head & 0x0f
  return { text, end, isText: code === 1, isClose: code === 8 }
}

/** @param {string} text */
function frameOf(text) {
  const body = Buffer.from(text)
  const head = body.length < 126 ? [0x81, body.length] : [0x81, 126, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from(head), body])
}
