// A process of the row `relay`: a model server, a bare proxy, or the relay with all of its checks.
// Posts its address to the process that forked it, and the CPU time that it took so far when it is asked.
import { Agent, createServer, request } from 'node:http'
import { answerParent } from './child.mjs'

// By its file, because bench/ is a package of its own. `npm run build` makes it.
const entry = new URL('../../dist/relay.js', import.meta.url).href
/** @type {typeof import('tool-agent/relay')} */
const { createRelay, sessionCookie, signSession, toNodeHandler } = await import(entry)
export { signSession }

const [, , role, upstream = ''] = process.argv
/** The secret of the session cookies. */
export const secret = 'signs the cookies of the bench'
/** Events of a stream: a short answer of a model. */
const events = 200

const servers = { model, bare, relay }
// The row imports the secret, and `npm run bench relay` has an argument of that name, too.
if (process.send && (role === 'model' || role === 'bare' || role === 'relay')) {
  const server = servers[role]()
  server.keepAliveTimeout = 60_000
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () =>
    answerParent(server.address(), () => process.cpuUsage()),
  )
}

function model() {
  const answer = JSON.stringify({
    id: 'chatcmpl-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(100) }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 100 },
  })
  const event = `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`
  return createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk) => (body += chunk))
    incoming.on('end', () => {
      if (!JSON.parse(body).stream) {
        outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answer)
        return
      }
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      let left = events
      // Each event is a write of its own, as a model sends them.
      const send = () => {
        outgoing.write(event)
        if (--left > 0) setImmediate(send)
        else outgoing.end('data: {"usage":{"prompt_tokens":12,"completion_tokens":200}}\n\ndata: [DONE]\n\n')
      }
      send()
    })
  })
}

/** What a developer writes in ten minutes: it adds the key, and checks nothing. */
function bare() {
  const target = new URL(upstream)
  const agent = new Agent({ keepAlive: true })
  return createServer((incoming, outgoing) => {
    const { host: _host, cookie: _cookie, ...headers } = incoming.headers
    const call = request(target, {
      method: 'POST',
      path: `${target.pathname}/chat/completions`,
      agent,
      headers: { ...headers, authorization: 'Bearer sk-of-the-bench' },
    })
    call.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    call.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(call)
  })
}

function relay() {
  return createServer(
    toNodeHandler(
      createRelay({
        upstreams: { openai: { protocol: 'openai', endpoint: upstream, key: 'sk-of-the-bench', models: ['small'] } },
        user: sessionCookie({ secret }),
        limits: { outputTokens: 8_000, requestsPerMinute: 1e9, streams: 1e6 },
        onUsage: ({ outputTokens }) => {
          if (outputTokens === undefined) throw new Error('The usage is missing')
        },
      }),
    ),
  )
}
