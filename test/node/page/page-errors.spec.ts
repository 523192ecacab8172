// Hooks and error handlers: what they receive, what their exceptions do, and what is logged.
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { toolCallsOf } from '../../../src/core/data/message.js'
import { Agent } from '../../../src/page/agent.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import type { AnyTool, ToolRun } from '../../../src/page/tools/tool.js'
import { deferred, expect, test, until } from '../../support/lab/lab.js'
import { resultsOf } from '../../support/lab/requests.js'

const call = (name: string, args: object | string = {}) => ({ name, arguments: args as never })
const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does the work of ${name} for the user`,
  execute: () => `${name} ran`,
  ...more,
})
class OutOfStock extends Error {
  override readonly name = 'OutOfStock'
  readonly sku = 'tea-7'
}

/** What the console was given as errors meanwhile. */
async function errors(run: () => Promise<unknown>): Promise<string[]> {
  const said: string[] = []
  const { error } = console
  console.error = (...words: unknown[]) => {
    said.push(words.join(' '))
  }
  try {
    await run()
  } finally {
    console.error = error
  }
  return said
}

test.describe('onToolError for wrong arguments', () => {
  test('receives the text of arguments that are not JSON, and what it returns is what the model reads', async ({
    lab,
  }) => {
    const seen: unknown[] = []
    const { agent, endpoint } = await lab.start([{ calls: [call('look', '{tea}')] }, { text: 'ok' }], {
      onToolError: (error, info) => {
        seen.push([error.code, info.call.raw])
        return 'Write JSON.'
      },
    })
    agent.registerTool(tool('look'))
    const { toolExecutions } = await agent.send('Go')
    expect(seen).toEqual([['format-error', '{tea}']])
    expect(resultsOf(endpoint.requests[1])).toEqual(['Write JSON.'])
    expect(toolExecutions[0]?.error?.code).toBe('format-error')
  })

  test('that returns nothing for arguments that are not JSON leaves the default error text', async ({ lab }) => {
    const { agent, endpoint } = await lab.start(
      [{ calls: [call('look', '{tea}'), call('todo_write', '[')] }, { text: 'ok' }],
      { onToolError: () => undefined },
    )
    agent.registerTool(tool('look'))
    await agent.send('Go')
    expect(resultsOf(endpoint.requests[1])).toEqual(
      Array(2).fill(expect.stringContaining('Tool call JSON parse failed')),
    )
  })

  test('that throws for arguments that are not JSON ends the turn', async ({ lab }) => {
    const thrown = new OutOfStock('enough')
    const { agent } = await lab.start([{ calls: [call('look', '{tea}')] }], {
      onToolError: () => {
        throw thrown
      },
    })
    agent.registerTool(tool('look'))
    const error = await agent.send('Go').catch((one: unknown) => one)
    expect(error).toMatchObject({ code: 'format-error', message: 'enough', turn: { reason: 'error' } })
    expect((error as Error).cause).toBe(thrown)
  })
})

test.describe('onToolError', () => {
  test('gets the original error as cause, before exposeErrors hides its message', async ({ lab }) => {
    const thrown = new OutOfStock('sku tea-7 is gone')
    const seen: unknown[] = []
    const { agent, endpoint } = await lab.start([{ calls: [call('buy')] }, { text: 'ok' }], {
      exposeErrors: 'generic',
      onToolError: (error) => {
        seen.push(error.message, error.cause)
        return error.cause instanceof OutOfStock ? 'Offer another tea.' : undefined
      },
    })
    agent.registerTool(
      tool('buy', {
        execute: () => {
          throw thrown
        },
      }),
    )
    await agent.send('Go')
    expect(seen).toEqual(['The tool failed.', thrown])
    expect(seen[1]).toBe(thrown)
    expect(resultsOf(endpoint.requests[1])).toEqual(['Offer another tea.'])
  })

  test('that throws the error it was given, or its cause, rejects send with that object as cause', async ({ lab }) => {
    const thrown = new OutOfStock('gone')
    for (const rethrow of [(error: { cause?: unknown }) => error.cause, (error: unknown) => error]) {
      const { agent } = await lab.start([{ calls: [call('buy')] }], {
        onToolError: (error) => {
          throw rethrow(error)
        },
      })
      agent.registerTool(
        tool('buy', {
          execute: () => {
            throw thrown
          },
        }),
      )
      const rejection = (await agent.send('Go').catch((one: unknown) => one)) as Error
      expect(rejection).toMatchObject({ code: 'execution-failed', message: 'gone' })
      expect([rejection.cause, (rejection.cause as Error).cause]).toContain(thrown)
    }
  })

  test('that throws for two calls rejects send with the cause that belongs to its message', async ({ lab }) => {
    const first = deferred()
    const { agent } = await lab.start([{ calls: [call('slow'), call('fast')] }], {
      onToolError: (error) => {
        throw error.cause
      },
    })
    agent.registerTool([
      tool('slow', {
        execute: async () => {
          await first.promise
          throw new RangeError('slow failed')
        },
      }),
      tool('fast', {
        execute: () => {
          throw new OutOfStock('fast failed')
        },
      }),
    ])
    const turn = agent.send('Go').catch((one: unknown) => one)
    await until(agent, () => toolCallsOf(agent.messages.at(-1)).some((part) => part.result?.error))
    first.resolve()
    expect(await turn).toMatchObject({ message: 'fast failed', cause: expect.any(OutOfStock) })
  })

  test('of a tool inside a sub-agent keeps the class of the exception', async ({ lab }) => {
    const thrown = new OutOfStock('gone')
    const { agent } = await lab.start([{ calls: [call('clerk', { task: 'Buy' })] }, { calls: [call('buy')] }], {
      onToolError: (error) => {
        throw error.cause
      },
    })
    agent.registerTool(
      agentTool({
        name: 'clerk',
        description: 'Buys what is needed',
        instructions: 'You buy.',
        tools: [
          tool('buy', {
            execute: () => {
              throw thrown
            },
          }),
        ],
      }),
    )
    const rejection = await agent.send('Go').catch((one: unknown) => one)
    expect((rejection as Error).cause).toBe(thrown)
  })
})

test('the map that the tools of a turn share reaches beforeTool and the error handler', async ({ lab }) => {
  const seen: unknown[] = []
  const { agent } = await lab.start(
    [
      { calls: [call('first')] },
      { calls: [call('broken'), call('nope'), call('strict', { count: 'many' })] },
      { text: 'ok' },
    ],
    {
      hooks: {
        beforeTool: ({ name }, { shared }) => {
          seen.push([name, shared.get('by')])
        },
      },
      onToolError: ({ code }, { shared }) => {
        seen.push([code, shared.get('by')])
      },
    },
  )
  agent.registerTool([
    tool('first', {
      execute: (_: unknown, { shared }: ToolRun) => {
        shared.set('by', 'first')
      },
    }),
    tool('broken', {
      execute: () => {
        throw new Error('broken')
      },
    }),
    tool('strict', { inputSchema: { type: 'object', properties: { count: { type: 'number' } } } }),
  ])
  await agent.send('Go')
  expect(seen).toHaveLength(5)
  expect(seen).toEqual(
    expect.arrayContaining([
      ['first', undefined],
      ['broken', 'first'],
      ['execution-failed', 'first'],
      ['unknown-tool', 'first'],
      ['invalid-input', 'first'],
    ]),
  )
})

test('a tool inside a sub-agent receives the messages of that agent, in execute and in needsApproval', async ({
  lab,
}) => {
  const seen: unknown[] = []
  const texts = (run: Pick<ToolRun, 'messages'>) =>
    run.messages.flatMap((message) => {
      if (message.role === 'summary') return []
      const texts = message.parts.filter((part) => part.type === 'text').map(({ text }) => text)
      return [...texts, ...toolCallsOf(message).map(({ call }) => call.name)]
    })
  const { agent } = await lab.start([
    { calls: [call('clerk', { task: 'Buy tea' })] },
    { calls: [call('buy')] },
    { text: 'Bought' },
    { text: 'ok' },
  ])
  const buy = tool('buy', {
    needsApproval: (_: unknown, run) => {
      seen.push(texts(run))
      return false
    },
    execute: (_: unknown, run: ToolRun) => {
      seen.push(texts(run))
    },
  })
  agent.registerTool(
    agentTool({ name: 'clerk', description: 'Buys what is needed', instructions: 'You buy.', tools: [buy] }),
  )
  await agent.send('Go')
  expect(seen).toEqual([
    ['Buy tea', 'buy'],
    ['Buy tea', 'buy'],
  ])
})

test('a call stopped while it runs counts one attempt and its time; one that has not started counts none', async ({
  lab,
}) => {
  const { agent } = await lab.start([{ calls: [call('slow'), call('asked')] }])
  agent.registerTool([
    tool('slow', { execute: () => new Promise(() => undefined) }),
    tool('asked', { needsApproval: true }),
  ])
  const turn = agent.send('Go')
  await until(
    agent,
    () => toolCallsOf(agent.messages.at(-1)).some((part) => part.started) && agent.status === 'awaiting-approval',
  )
  agent.stop()
  const { toolExecutions } = await turn
  expect(toolExecutions.map(({ attempts, error }) => [attempts, error?.code])).toEqual([
    [1, 'cancelled'],
    [0, 'cancelled'],
  ])
  const [ran, waited] = agent.messages.flatMap(toolCallsOf)
  expect([ran?.result?.startedAt, waited?.result?.startedAt]).toEqual([ran?.started?.at, undefined])
  expect(toolExecutions.map(({ ms }) => ms)).toEqual([ran!.result!.endedAt - ran!.started!.at, 0])
})

test('the message of a throwing beforeTool or needsApproval reaches the model only as exposeErrors allows', async ({
  lab,
}) => {
  const result = async (exposeErrors: 'message' | 'generic', name: string) => {
    const { agent, endpoint } = await lab.start([{ calls: [call(name)] }, { text: 'ok' }], {
      exposeErrors,
      hooks: {
        beforeTool: (one) => {
          if (one.name === 'hooked') throw new Error('row 7 of users')
        },
      },
    })
    agent.registerTool([
      tool('hooked'),
      tool('guarded', {
        needsApproval: () => {
          throw new Error('row 7 of users')
        },
      }),
    ])
    await agent.send('Go')
    return resultsOf(endpoint.requests[1])[0]
  }
  expect(await result('message', 'hooked')).toBe('Error (refused): The page refused this call: row 7 of users')
  expect(await result('generic', 'hooked')).toBe('Error (refused): The page refused this call.')
  expect(await result('message', 'guarded')).toContain('row 7 of users')
  expect(await result('generic', 'guarded')).not.toContain('row 7')
})

test('exposeErrors does not hide a ToolAgentError that a tool throws', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('buy')] }, { text: 'ok' }], { exposeErrors: 'generic' })
  agent.registerTool(
    tool('buy', {
      execute: () => {
        throw new ToolAgentError('refused', 'Not on Sundays')
      },
    }),
  )
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])).toEqual(['Error (refused): Not on Sundays'])
  expect(agent.error).toBeNull()
})

test.describe('the console', () => {
  test('logs what a tool threw, with stack, causes, tool name and call id', async ({ lab }) => {
    const said = await errors(async () => {
      const { agent } = await lab.start([{ calls: [{ id: 'call_77', ...call('buy') }] }, { text: 'ok' }], {
        logErrors: true,
        toolContext: { token: 'secret-of-the-shop' },
      })
      agent.registerTool(
        tool('buy', {
          execute: () => {
            throw Object.assign(new OutOfStock('gone', { cause: new TypeError('no stock row') }), {
              config: { headers: { authorization: 'Bearer secret-of-ada' } },
            })
          },
        }),
      )
      await agent.send('Go')
    })
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(
      /^\[tool-agent\] Tool "buy" failed in call call_77: OutOfStock: gone\n\s+at .*execute[^]*Caused by: TypeError: no stock row\n/,
    )
    expect(said[0]).not.toContain('secret')
  })

  test('logs of a thrown object that is not an Error only that fact', async ({ lab }) => {
    const said = await errors(async () => {
      const { agent } = await lab.start([{ calls: [call('buy')] }, { text: 'ok' }], { logErrors: true })
      agent.registerTool(
        tool('buy', {
          execute: () => {
            throw { config: { headers: { authorization: 'Bearer secret-of-ada' } } }
          },
        }),
      )
      await agent.send('Go')
    })
    expect(said).toEqual(['[tool-agent] Tool "buy" failed in call call_1: object, not an Error'])
  })

  test('logs what a hook around a tool threw, and a result that is not JSON', async ({ lab }) => {
    const said = await errors(async () => {
      const { agent } = await lab.start([{ calls: [call('after'), call('before'), call('odd')] }, { text: 'ok' }], {
        logErrors: true,
        hooks: {
          beforeTool: ({ name }) => {
            if (name === 'before') throw new Error('before broke')
          },
          afterTool: ({ name }) => {
            if (name === 'after') throw new Error('after broke')
          },
        },
      })
      agent.registerTool([tool('after'), tool('before'), tool('odd', { execute: () => () => undefined })])
      await agent.send('Go')
    })
    expect(said).toHaveLength(3)
    for (const text of ['Tool "before" failed', 'before broke', 'after broke', 'not-serializable'])
      expect(said.join('\n')).toContain(text)
  })

  test('logs each error once if exposeErrors reports it, and nothing for a stopped call', async ({ lab }) => {
    const said = await errors(async () => {
      const { agent } = await lab.start([{ calls: [call('buy')] }, { calls: [call('slow')] }], {
        logErrors: true,
        exposeErrors: 'generic',
      })
      agent.registerTool([
        tool('buy', {
          execute: () => {
            throw new Error('gone')
          },
        }),
        tool('slow', {
          execute: (_: unknown, { signal }: ToolRun) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error))
            }),
        }),
      ])
      const turn = agent.send('Go')
      await until(agent, () =>
        toolCallsOf(agent.messages.at(-1)).some((part) => part.call.name === 'slow' && part.started),
      )
      agent.stop()
      await turn
      expect(agent.error?.message).toBe('gone')
    })
    expect(said).toHaveLength(1)
  })

  test('logs nothing about workers in Node', async () => {
    const said: unknown[] = []
    const { info } = console
    console.info = (...words: unknown[]) => {
      said.push(words.join(' '))
    }
    const agent = new Agent({ endpoint: 'http://127.0.0.1:9/v1' })
    try {
      await agent.connect()
      expect(agent.host).toBe('page')
    } finally {
      await agent.close()
      console.info = info
    }
    expect(said).toEqual([])
  })

  test('logs nothing with logErrors: false, and still reports an error that exposeErrors hides', async ({ lab }) => {
    const said = await errors(async () => {
      const { agent } = await lab.start([{ calls: [call('buy')] }, { text: 'ok' }], { logErrors: false })
      agent.registerTool(
        tool('buy', {
          execute: () => {
            throw new Error('gone')
          },
        }),
      )
      await agent.send('Go')
    })
    expect(said).toEqual([])
    const { agent } = await lab.start([])
    expect(() => agent.configure({ logErrors: 'no' as never })).toThrow('logErrors')
  })
})

for (const [headers, message] of [
  [() => 'Bearer secret-of-ada', 'headers: expected an object of strings, received string'],
  [() => null, 'headers: expected an object of strings, received null'],
  [() => ({ 'x-day': 5 }), 'headers: expected a string for "x-day", received number'],
] as const) {
  test(`headers that cannot be sent are reported without their value: ${message}`, async ({ lab }) => {
    const { agent } = await lab.start([], { headers: headers as never })
    await expect(agent.send('Go')).rejects.toMatchObject({ code: 'invalid-option', message })
  })
}

test('a beforeModel hook that returns no request is reported with what it returned', async ({ lab }) => {
  const { agent } = await lab.start([], { hooks: { beforeModel: () => 'Be brief' as never } })
  await expect(agent.send('Go')).rejects.toMatchObject({
    code: 'invalid-option',
    message: 'hooks.beforeModel: expected a request with system, messages and tools, or nothing, received "Be brief"',
  })
})
