// The limits of the relay that its copies share in Redis: what happens without Redis, that the counts are those of one
// process, and a load on two copies of which one is killed.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, request as httpRequest, type ServerResponse } from 'node:http'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRelay } from '../../../src/relay/create-relay.js'
import { rateLimiter } from '../../../src/relay/rate-limiter.js'
import { redisLimiter } from '../../../src/relay/redis-limiter.js'
import { expect, test as base } from '../../support/project/dist.js'
import { packageFolder } from '../../support/project/installed-packages.js'
import { missingRedis, startRedis, type Redis } from '../../support/relay/redis.js'

type Client = Parameters<typeof redisLimiter>[0]

const limits = { requestsPerMinute: 2, streams: 5 }
/** For a real server on a busy machine. */
const patient = { timeout: 30_000 }
const refusedConnection = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

const test = base.extend<{ logged: string[]; redis: Redis }>({
  logged: async ({}, use) => {
    const { error } = console
    const logged: string[] = []
    console.error = (value: unknown) => void logged.push(String(value))
    await use(logged)
    console.error = error
  },
  redis: async ({}, use) => {
    const redis = await startRedis()
    await use(redis)
    await redis.stop()
  },
})

/** A client that answers with `answer`, and the scripts' arguments that it received. */
function standIn(answer: () => Promise<unknown>): Client & { readonly received: string[][] } {
  const received: string[][] = []
  return {
    received,
    eval(_script, options) {
      received.push([...options.keys, ...options.arguments])
      return answer()
    },
  }
}

const failures: [name: string, answer: () => Promise<unknown>, reason: string][] = [
  ['is not connected', () => Promise.reject(refusedConnection), 'ECONNREFUSED'],
  ['does not answer', () => new Promise(() => {}), 'no answer for 20 ms'],
  ['answers something else', () => Promise.resolve('QUEUED'), 'expected a number from eval, received string'],
]

for (const [name, answer, reason] of failures) {
  test(`refuses all requests while Redis ${name}, and logs it once`, async ({ logged }) => {
    let current = answer
    const limiter = redisLimiter(
      standIn(() => current()),
      { timeout: 20 },
    )(limits)
    for (let time = 0; time < 3; time++)
      expect(await limiter.take('ada')).toEqual({ refused: 'unavailable', retryAfter: 1 })
    expect(logged).toEqual([`The relay cannot count in Redis (${reason}). Until it can, requests are refused.`])
    current = () => Promise.resolve(0)
    const taken = await limiter.take('ada')
    expect(taken).toEqual({ release: expect.any(Function) as unknown })
    if ('release' in taken) taken.release()
    // A connection that comes and goes does not fill the log.
    current = answer
    await limiter.take('ada')
    expect(logged).toHaveLength(1)
  })

  test(`each copy counts by itself while Redis ${name}, if the author wants that`, async ({ logged }) => {
    const limiter = redisLimiter(standIn(answer), { fail: 'open', timeout: 20 })(limits)
    const taken = []
    for (let time = 0; time < 3; time++) taken.push(await limiter.take('ada'))
    expect(taken).toEqual([
      { release: expect.any(Function) as unknown },
      { release: expect.any(Function) as unknown },
      { refused: 'requests', retryAfter: expect.closeTo(30, 0) as unknown },
    ])
    expect(logged).toEqual([`The relay cannot count in Redis (${reason}). Until it can, each copy counts by itself.`])
  })
}

test('a request whose count got lost is taken back', async ({ logged }) => {
  const client = standIn(() => Promise.reject(refusedConnection))
  await redisLimiter(client)(limits).take('ada')
  const [taken, removed] = client.received
  expect(removed).toEqual([taken?.[1], taken?.[2], '30000'])
  expect(logged).toHaveLength(1)
})

test('the page learns that limits are exceeded or unavailable, and when to try again', async ({ logged }) => {
  let answer: () => Promise<unknown> = () => Promise.resolve(20_500)
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: 'http://127.0.0.1:1', models: ['small'] } },
    user: () => 'ada',
    limits,
    limiter: redisLimiter(standIn(() => answer())),
  })
  const ask = async () => {
    const response = await relay(
      new Request('https://site.example/models/openai/chat/completions', {
        method: 'POST',
        headers: { origin: 'https://site.example' },
        body: JSON.stringify({ model: 'small', messages: [] }),
      }),
    )
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return [response.status, response.headers.get('retry-after'), error.code, error.message]
  }
  expect(await ask()).toEqual([429, '21', 'rate_limit_exceeded', 'At most 2 requests per minute are allowed'])
  answer = () => Promise.resolve(-1)
  expect(await ask()).toEqual([429, '1', 'rate_limit_exceeded', 'At most 5 answers at the same time are allowed'])
  answer = () => Promise.reject(refusedConnection)
  expect(await ask()).toEqual([503, '1', 'limits_unavailable', 'The relay cannot count requests at the moment'])
  expect(logged).toHaveLength(1)
})

test('options that cannot work throw when the limiter is created', () => {
  const client = standIn(() => Promise.resolve(0))
  expect(() => redisLimiter(client, { fail: 'ajar' as never })).toThrow('fail: expected closed or open, received ajar')
  expect(() => redisLimiter(client, { prefix: 'a{b}' })).toThrow('prefix: name one without braces, received a{b}')
})

test.describe('with a Redis server', { tag: '@long' }, () => {
  test.skip(missingRedis() !== undefined, missingRedis())
  test.describe.configure({ timeout: 180_000 })

  for (const kind of ['client', 'cluster'] as const) {
    test(`a ${kind} counts as one process does`, async ({ redis }) => {
      const client = await redis.connect(kind)
      const limiters = [rateLimiter, redisLimiter(client, patient)]
      const [alone, shared] = await Promise.all(
        limiters.map(async (create) => {
          const limiter = create({ requestsPerMinute: 4, streams: 2 })
          const log: unknown[] = []
          const take = async (user: string) => {
            const taken = await limiter.take(user)
            log.push('refused' in taken ? [user, taken.refused, Math.ceil(taken.retryAfter)] : user)
            return taken
          }
          // Names whose braces would choose another node.
          for (const user of ['ada', 'b{o}b', '}cleo', '{}', 'ü \ud800']) {
            const slots = [await take(user), await take(user), await take(user)]
            for (let time = 0; time < 3; time++) for (const slot of slots) if ('release' in slot) slot.release()
            for (let time = 0; time < 3; time++) {
              const slot = await take(user)
              if ('release' in slot) slot.release()
            }
          }
          return log
        }),
      )
      expect(shared).toEqual(alone)
      expect(alone?.slice(0, 6)).toEqual(['ada', 'ada', ['ada', 'streams', 1], 'ada', 'ada', ['ada', 'requests', 15]])
      const keys = redis.command('KEYS', '*').split('\n')
      expect(keys).toHaveLength(5)
      for (const key of keys) expect(Number(redis.command('PTTL', key)), key).toBeGreaterThan(0)
    })
  }

  test('a command that a client sends twice is counted once', async ({ redis }) => {
    const client = await redis.connect('client')
    const twice: Client = {
      async eval(script, options) {
        await client.eval(script, options)
        return client.eval(script, options)
      },
    }
    const limiter = redisLimiter(twice, patient)({ requestsPerMinute: 3, streams: 3 })
    const taken = [await limiter.take('ada'), await limiter.take('ada'), await limiter.take('ada')]
    expect(taken.every((one) => 'release' in one)).toBe(true)
    expect(await limiter.take('ada')).toMatchObject({ refused: 'streams' })
    for (const one of taken) if ('release' in one) one.release()
    expect(await limiter.take('ada')).toMatchObject({ refused: 'requests' })
  })

  test('two copies keep the limits under load, also when one is killed', async ({ redis, dist }) => {
    const shared = { requestsPerMinute: 60, streams: 4 }
    const users = ['ada', 'b{o}b', '}cleo']
    const servers: Server[] = []
    const copies: ChildProcess[] = []
    try {
      const model = await startModel(servers)
      const receivedOf = (user: string) => model.received.filter((id) => id.startsWith(`${user} `))
      const ports: number[] = []
      const entry = pathToFileURL(join(dist, 'relay.js')).href
      for (const name of ['one', 'two']) {
        const copy = fork(
          join(packageFolder('relay'), 'copy.mjs'),
          [name, `${model.url}/v1`, String(redis.port), JSON.stringify(shared), entry],
          { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
        )
        copies.push(copy)
        ports.push(Number((await once(copy, 'message'))[0]))
      }
      const url = await startFront(servers, ports)
      const startedAt = Date.now()
      // Streams that stay open during the whole test, on the copy that lives on. Their leases must be renewed.
      const direct = `http://127.0.0.1:${ports[1]}`
      model.isHeld = (id) => id.startsWith('dora ')
      for (let index = 0; index < shared.streams; index++) void ask(direct, 'dora', `dora ${index}`)
      await expect.poll(() => receivedOf('dora').length).toBe(shared.streams)

      // With less than all of its requests left, no user is at the upper limit of the count for half a minute.
      const useFirst = async (user: string) => {
        for (let index = 0; index < 40; index++) expect(await ask(url, user, `${user} first ${index}`)).toBe('200')
      }
      await Promise.all(users.map(useFirst))
      const before = users.map((user) => countsOf(redis, user))

      let seen = 0
      model.onRequest = async (copy) => {
        if (copy !== 'one' || ++seen !== 15) return
        copies[0]!.kill('SIGKILL')
        await once(copies[0]!, 'exit')
      }
      const outcomes = new Map<string, string>()
      await Promise.all(
        users.flatMap((user) =>
          Array.from({ length: 8 }, async (_, worker) => {
            for (let index = 0; receivedOf(user).length < shared.requestsPerMinute + 5; index++) {
              const id = `${user} ${worker}-${index}`
              outcomes.set(id, await ask(url, user, id))
            }
          }),
        ),
      )
      // More than the limit of a minute, so the users had to wait for more.
      const minutes = (Date.now() - startedAt) / 60_000
      const kinds = new Map<string, number>()
      for (const outcome of outcomes.values()) kinds.set(outcome, (kinds.get(outcome) ?? 0) + 1)
      expect([...kinds.keys()].sort()).toEqual(['200', '429', 'broken'])

      expect(new Set(model.received).size, 'no request reaches the model twice').toBe(model.received.length)
      for (const [index, user] of users.entries()) {
        const mine = [...outcomes].filter(([id]) => id.startsWith(`${user} `))
        const reached = mine.filter(([id]) => model.received.includes(id))
        expect(mine.filter(([id, outcome]) => outcome === '200' && !model.received.includes(id))).toEqual([])
        expect(reached.filter(([, outcome]) => outcome === '429')).toEqual([])
        // A copy that is killed between the count and the model has counted a request that the model never saw.
        const lost = mine.filter(([id, outcome]) => outcome === 'broken' && !model.received.includes(id)).length
        const [{ left, at }, after] = [before[index]!, countsOf(redis, user)]
        const counted = left + ((after.at - at) / 60_000) * shared.requestsPerMinute - after.left
        const shown = `${counted} is a whole number: ${JSON.stringify({ left, at, after })}`
        expect(Math.abs(counted - Math.round(counted)), shown).toBeLessThan(1e-6)
        expect(Math.round(counted)).toBeGreaterThanOrEqual(reached.length)
        expect(Math.round(counted)).toBeLessThanOrEqual(reached.length + lost)
        expect(receivedOf(user).length).toBeLessThanOrEqual(shared.requestsPerMinute * (1 + minutes))
        expect(model.mostOpen.get(user)).toBe(shared.streams)
      }

      // The streams of the killed copy are free after their lease, those of the other one are not.
      const limiter = redisLimiter(await redis.connect('client'), patient)(shared)
      for (const user of users) {
        let open = 0
        const takeOne = async () => ('release' in (await limiter.take(user)) ? ++open : open)
        await expect.poll(takeOne, { timeout: 60_000 }).toBe(shared.streams)
      }
      expect(await limiter.take('dora')).toMatchObject({ refused: 'streams' })
      for (const key of redis.command('KEYS', '*').split('\n'))
        expect(Number(redis.command('PTTL', key)), key).toBeGreaterThan(0)
    } finally {
      for (const copy of copies) copy.kill('SIGKILL')
      for (const server of servers) server.close()
    }
  })
})

/** The count of the requests of a user, as Redis has it. */
function countsOf(redis: Redis, user: string): { left: number; at: number } {
  const [left, at] = redis.command('HMGET', `relay:{${encodeURIComponent(user)}}:rate`, 'left', 'at').split('\n')
  return { left: Number(left), at: Number(at) }
}

interface Model {
  readonly url: string
  /** The ids of the requests, in order. */
  readonly received: string[]
  /** The most answers at the same time, by user. */
  readonly mostOpen: Map<string, number>
  /** Called with the name of the copy before a request is answered. */
  onRequest: (copy: string) => Promise<void>
  /** Whether the answer of a request never ends. */
  isHeld: (id: string) => boolean
}

/** A model that answers each request with a stream of some milliseconds. The id of a request is its first message. */
async function startModel(servers: Server[]): Promise<Model> {
  const open = new Map<string, number>()
  const model: Model = {
    url: '',
    received: [],
    mostOpen: new Map(),
    onRequest: () => Promise.resolve(),
    isHeld: () => false,
  }
  const answer = async (copy: string, id: string, response: ServerResponse) => {
    const [user = ''] = id.split(' ')
    model.received.push(id)
    open.set(user, (open.get(user) ?? 0) + 1)
    model.mostOpen.set(user, Math.max(open.get(user) ?? 0, model.mostOpen.get(user) ?? 0))
    await model.onRequest(copy)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let index = 0; index < 3 && !response.destroyed; index++) {
      response.write('data: {"choices":[{"delta":{"content":"word "}}]}\n\n')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    if (model.isHeld(id)) return
    open.set(user, (open.get(user) ?? 0) - 1)
    response.end('data: [DONE]\n\n')
  }
  const server = createHttpServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { messages: { content: string }[] }
      void answer(String(request.headers['x-copy']), messages[0]!.content, response)
    })
  })
  return Object.assign(model, { url: await listen(servers, server) })
}

/** A load balancer: each connection goes to the next copy that takes it. */
function startFront(servers: Server[], ports: readonly number[]): Promise<string> {
  let turn = 0
  const server = createServer((client) => {
    client.on('error', () => {})
    const tryNext = (left: number): void => {
      if (left === 0) return void client.destroy()
      const copy = connect(ports[turn++ % ports.length]!, '127.0.0.1')
      let isConnected = false
      copy.on('connect', () => {
        isConnected = true
        client.pipe(copy).pipe(client)
        client.on('close', () => copy.destroy())
        copy.on('close', () => client.destroy())
      })
      copy.on('error', () => (isConnected ? client.destroy() : tryNext(left - 1)))
    }
    tryNext(ports.length)
  })
  return listen(servers, server)
}

async function listen(servers: Server[], server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends one request on a connection of its own. Resolves with the status, or `broken` without an end of the answer. */
function ask(url: string, user: string, id: string): Promise<string> {
  return new Promise((resolve) => {
    const call = httpRequest(`${url}/models/openai/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { origin: url, 'content-type': 'application/json', 'x-user': encodeURIComponent(user) },
    })
    call.on('error', () => resolve('broken'))
    call.on('response', (answer) => {
      answer.resume()
      answer.on('error', () => resolve('broken'))
      answer.on('close', () => resolve(answer.complete ? String(answer.statusCode) : 'broken'))
    })
    call.end(JSON.stringify({ model: 'small', stream: true, messages: [{ role: 'user', content: id }] }))
  })
}
