// Opens many streams through the relay at once, on this machine only: `node examples/relay/load-test.mjs [streams]`.
// Model, relay and client are processes of their own. Each event carries the time when the model sent it, so the client
// sees how late it arrives; the same streams without the relay are the comparison. The first event of each stream is not
// counted, because it includes the connection.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as httpRequest, Agent } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createRelay, toNodeHandler } from 'tool-agent/relay'

const [role, upstream = ''] = process.argv[2] === '--role' ? process.argv.slice(3) : []
/** Events of a stream, and the milliseconds between them. */
const [events, interval] = [40, 500]

if (role === 'model') listen(createServer(model))
else if (role === 'relay') listen(createServer(toNodeHandler(relay(upstream))))
else await run(Number(process.argv[2] ?? 2000))

/** Time in milliseconds, the same in all processes. */
function now() {
  return performance.timeOrigin + performance.now()
}

/** @type {import('node:http').RequestListener} */
function model(request, response) {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let left = events
  // The streams begin at different times, so that not all events are sent at once.
  setTimeout(send, Math.random() * interval)
  function send() {
    if (response.destroyed) return
    response.write(`data: {"choices":[{"delta":{"content":"word "}}],"sent":${now()}}\n\n`)
    if (--left > 0) setTimeout(send, interval)
    else response.end('data: [DONE]\n\n')
  }
}

/** @param {string} endpoint */
function relay(endpoint) {
  const timer = setInterval(() => process.send?.({ memory: process.memoryUsage().rss, cpu: process.cpuUsage() }), 250)
  timer.unref()
  return createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint, key: 'none', models: ['small'] } },
    user: () => 'everyone',
    limits: { requestsPerMinute: 1e6, streams: 1e6 },
  })
}

/** @param {import('node:http').Server} server */
function listen(server) {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send?.(server.address()))
  // Ends with the process that started it.
  process.on('disconnect', () => process.exit())
}

/** @param {number} count */
async function run(count) {
  const modelProcess = await start('model')
  const relayProcess = await start('relay', `${modelProcess.url}/v1`)
  /** @type {{ memory: number, cpu: NodeJS.CpuUsage }[]} */
  const samples = []
  relayProcess.child.on('message', (sample) => samples.push(/** @type {any} */ (sample)))
  await once(relayProcess.child, 'message')
  const direct = await streams(count, `${modelProcess.url}/v1/chat/completions`)
  const idle = samples.at(-1)
  const relayed = await streams(count, `${relayProcess.url}/models/openai/chat/completions`)
  await once(relayProcess.child, 'message')
  const peak = Math.max(...samples.map(({ memory }) => memory))
  const cpu = /** @param {number} at */ (at) => (samples.at(at)?.cpu.user ?? 0) + (samples.at(at)?.cpu.system ?? 0)
  const spent = cpu(-1) - (idle ? idle.cpu.user + idle.cpu.system : 0)
  const perEvent = spent / (count * events)
  console.table({
    direct: { ended: direct.ended, ...late(direct.delays) },
    relayed: { ended: relayed.ended, ...late(relayed.delays) },
  })
  console.log(
    `Added per event: median ${(percentile(relayed.delays, 50) - percentile(direct.delays, 50)).toFixed(2)} ms, ` +
      `95 % ${(percentile(relayed.delays, 95) - percentile(direct.delays, 95)).toFixed(2)} ms`,
  )
  console.log(
    `Memory of the relay: ${mib(idle?.memory ?? 0)} MiB before, ${mib(peak)} MiB at most, ` +
      `${((peak - (idle?.memory ?? 0)) / count / 1024).toFixed(0)} KiB per stream`,
  )
  console.log(`CPU of the relay: ${perEvent.toFixed(0)} µs per event`)
  modelProcess.child.disconnect()
  relayProcess.child.disconnect()
  if (direct.ended !== count || relayed.ended !== count) process.exitCode = 1
}

/** @param {string[]} args */
async function start(...args) {
  const child = fork(fileURLToPath(import.meta.url), ['--role', ...args])
  const [address] = await once(child, 'message')
  return { child, url: `http://127.0.0.1:${address.port}` }
}

/** @param {number} count @param {string} url */
async function streams(count, url) {
  const agent = new Agent({ maxSockets: Infinity })
  const headers = { 'content-type': 'application/json', origin: new URL(url).origin }
  /** @type {number[]} */
  const delays = []
  let ended = 0
  const all = Array.from({ length: count }, async (_, index) => {
    // Opened over two seconds.
    await new Promise((resolve) => setTimeout(resolve, (index / count) * 2000))
    const request = httpRequest(url, { method: 'POST', agent, headers })
    request.end(JSON.stringify({ model: 'small', stream: true, messages: [] }))
    const [response] = await once(request, 'response')
    let seen = 0
    for await (const chunk of response) {
      for (const [, sent] of String(chunk).matchAll(/"sent":([\d.]+)/g))
        if (seen++ > 0) delays.push(now() - Number(sent))
      if (String(chunk).includes('[DONE]')) ended++
    }
  })
  await Promise.all(all)
  agent.destroy()
  return { delays: delays.sort((one, other) => one - other), ended }
}

/** @param {number[]} sorted @param {number} share */
function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? NaN
}

/** @param {number[]} delays */
function late(delays) {
  return Object.fromEntries(
    [50, 95, 99].map((share) => [`${share} %, ms`, Number(percentile(delays, share).toFixed(2))]),
  )
}

/** @param {number} bytes */
function mib(bytes) {
  return (bytes / 1024 / 1024).toFixed(0)
}
