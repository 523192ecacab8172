// `npx tool-agent eval` as a page author runs it: the packed package, a file with tasks, a scripted endpoint, Chromium.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Handler, Reply } from '../../support/lab/endpoint.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { messagesOf, resultsOf, toolNames } from '../../support/lab/requests.js'
import { runCommand, type Ended } from '../../support/project/command.js'
import { packInto } from '../../support/project/package.js'
import { expect, root, test as base } from '../../support/project/dist.js'

interface Project {
  /** Writes a file of the project. */
  write(name: string, text: string): void
  read(name: string): string
  /** Runs the command there. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ended>
}

/** A folder with the packed package and these packages of this project. */
function projectIn(dist: string, packages: readonly string[]): Project & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-eval-'))
  packInto(dist, join(folder, 'node_modules/tool-agent'))
  for (const name of packages)
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  return {
    remove: () => rmSync(folder, { recursive: true, force: true }),
    write(name, text) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), text)
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    run: (args, env = {}) => runCommand('node_modules/tool-agent/dist/cli.mjs', { args, cwd: folder, env }),
  }
}

const test = base.extend<object, { project: Project }>({
  project: [
    async ({ dist }, use) => {
      const project = projectIn(dist, ['playwright', 'playwright-core', 'rolldown', 'vite'])
      await use(project)
      project.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const key = 'sk-secret-123'
/** Fills the name, then answers. */
const fills: Handler = (_body, request) =>
  resultsOf(request).length > 0
    ? { text: 'Filled in.', usage: { prompt_tokens: 40, completion_tokens: 4 } }
    : {
        calls: [{ name: 'form_fill', arguments: { fields: [{ field: 'Name', value: 'Ada' }] } }],
        usage: { prompt_tokens: 30, completion_tokens: 6 },
      }
const page = "{ html: '<title>Form</title><form><label>Name <input name=name></label></form>' }"
const task = (fields: string, from = page) =>
  `defineEval({ name: 'fill', page: ${from}, prompt: 'My name is Ada', ${fields} })`
const file = (...tasks: readonly string[]) =>
  `import { defineEval, defineEvals } from 'tool-agent/testing'\nexport default defineEvals([${tasks.join(',\n')}])\n`
const checksName = "check: async ({ page }) => (await page.inputValue('[name=name]')) === 'Ada'"

test('a TypeScript file: a row per task and model, JSON in a file, and the key in neither', async ({ project }) => {
  const endpoint = await startEndpoint(fills)
  const check = `async check({ page, result }) {
    const name: string = await page.inputValue('[name=name]')
    const html = await page.evaluate(() => document.documentElement.outerHTML)
    return name === 'Ada' && result.text === 'Filled in.' && !html.includes('${key}')
  }`
  project.write('evals.ts', file(task(check)))
  const { code, output, errors } = await project.run(
    ['eval', 'evals.ts', '--model', 'one,two', '--repeat', '2', '--json=out.json'],
    { MODEL_ENDPOINT: endpoint.url, MODEL_API_KEY: key },
  )
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toMatch(/^task +model +success +steps +tokens in +tokens out +time\n/)
  expect(output).toMatch(/\nfill +one +2 of 2 +2 +70 +10 +\d+\.\d s\nfill +two +2 of 2 /)
  expect(output).toContain('4 of 4 runs succeeded')
  const json = JSON.parse(project.read('out.json')) as { runs: object[] }
  expect(json).toMatchObject({ endpoint: endpoint.url, offline: false, success: true })
  expect(json.runs).toHaveLength(4)
  expect(json.runs[2]).toMatchObject({
    name: 'fill',
    model: 'two',
    repeat: 1,
    success: true,
    reason: 'stop',
    steps: 2,
    toolCalls: ['form_fill'],
    inputTokens: 70,
    outputTokens: 10,
  })
  expect(output + project.read('out.json')).not.toContain(key)
  for (const { headers } of endpoint.requests) expect(headers.authorization).toBe(`Bearer ${key}`)
  expect(endpoint.requests.map(({ body }) => body!['model'])).toEqual(
    ['one', 'one', 'two', 'two'].flatMap((name) => [name, name]),
  )
  await endpoint.close()
})

test('the model gets nothing that the page sends elsewhere, and the page gets no file that starts with a dot', async ({
  project,
}) => {
  const endpoint = await startEndpoint(fills)
  project.write('.env', 'PASSWORD=hunter2')
  const script = `const own = async (path, init) => (await fetch(path, init)).status
    const post = { method: 'POST', body: JSON.stringify({ messages: [{ role: 'user', content: 'private' }] }) }
    window.seen = Promise.all([own('/.env'), own('/node_modules/../.env'), own('/%2eenv'), own('/api/messages', post),
      own('/responses', post), own('/v2/chat/completions', post), own('/v1/deep/chat/completions', post)])`
  const check = `async check({ page }) {
    const seen = await page.evaluate(() => window.seen)
    if (seen.join() !== '403,403,403,404,404,404,404') throw new Error(seen.join())
    return (await page.inputValue('[name=name]')) === 'Ada'
  }`
  const html = `<form><label>Name <input name=name></label></form><script>${script}</script>`
  project.write('evals.mjs', file(task(check, `{ html: ${JSON.stringify(html)} }`)))
  const { code, output } = await project.run(['eval', 'evals.mjs'], {
    MODEL_ENDPOINT: endpoint.url,
    MODEL_NAME: 'm',
    MODEL_API_KEY: key,
  })
  expect(output).not.toContain('hunter2')
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(endpoint.requests).toHaveLength(2)
  expect(JSON.stringify(endpoint.requests.map(({ body }) => body))).not.toContain('private')
  await endpoint.close()
})

test(
  'a check that fails or throws, a page that throws and an endpoint that fails end with 1',
  { tag: '@long' },
  async ({ project }) => {
    const refusal: Reply = { status: 401, body: { error: { message: `Wrong key ${key}` } } }
    const endpoint = await startEndpoint((body, request) =>
      JSON.stringify(messagesOf(request)).includes('refused') ? refusal : fills(body, request),
    )
    const broken = '{ html: \'<script>throw new Error("Out of tea")</script><input name=name aria-label=Name>\' }'
    project.write(
      'evals.mjs',
      file(
        task('check: () => false').replace("'fill'", "'wrong'"),
        task("check: () => { throw new Error('No order') }").replace("'fill'", "'throws'"),
        task(checksName, broken).replace("'fill'", "'broken'"),
        task(checksName).replace("'fill'", "'refused'").replace('My name is Ada', 'refused'),
        task(checksName).replace("'fill'", "'good'"),
      ),
    )
    const env = { MODEL_ENDPOINT: endpoint.url, MODEL_NAME: 'm', MODEL_API_KEY: key }
    const { code, output } = await project.run(['eval', 'evals.mjs'], env)
    expect(code).toBe(1)
    expect(output).toContain('wrong (m): check returned false (the turn ended as stop)')
    expect(output).toContain('throws (m): check threw No order')
    expect(output).toContain('broken (m): The page threw Out of tea')
    expect(output).toMatch(/refused \(m\): The turn ended with unauthorized: .*Wrong key …/)
    expect(output).toMatch(/\ngood +m +yes /)
    expect(output).toContain('1 of 5 runs succeeded')
    expect(output).not.toContain(key)
    const filtered = await project.run(['eval', 'evals.mjs', '--filter', 'good', '--json'], env)
    expect(filtered.code).toBe(0)
    expect(JSON.parse(filtered.output)).toMatchObject({ runs: [{ name: 'good', success: true }] })
    await endpoint.stop()
  },
)

test('a web server, an approval, tools and limits', { tag: '@long' }, async ({ project }) => {
  const endpoint = await startEndpoint((_body, request) => {
    if (JSON.stringify(messagesOf(request)).includes('loop')) return { calls: [{ name: 'page_read', arguments: {} }] }
    return resultsOf(request).length > 0 ? { text: 'Paid.' } : { calls: [{ name: 'pay', arguments: {} }] }
  })
  project.write(
    'server.mjs',
    `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
const html = \`<title>Shop</title><script type="module">
  import '/lib/tool-agent.js'
  document.querySelector('tool-agent').registerTool({
    name: 'pay', description: 'Pays the order of the visitor now', annotations: { consequentialHint: true },
    execute() { document.title = 'Paid'; return 'ok' },
  })
</script><tool-agent endpoint="https://model.example/v1" model="own" page-tools="read"></tool-agent>\`
createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x')
  const isPage = pathname === '/shop'
  response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript')
  response.end(isPage ? html : readFileSync('node_modules/tool-agent/dist/' + pathname.replace('/lib/', ''), 'utf8'))
}).listen(Number(process.argv[2]), '127.0.0.1')
`,
  )
  const port = 20_000 + (process.pid % 20_000)
  project.write(
    'evals.mjs',
    `import { defineEvals } from 'tool-agent/testing'
const isPaid = async ({ page }) => (await page.title()) === 'Paid'
export default defineEvals({
  webServer: { command: 'node server.mjs ${port}', url: 'http://127.0.0.1:${port}/shop' },
  evals: [
    { name: 'pays', page: '/shop', prompt: 'Pay', check: isPaid },
    { name: 'denied', page: '/shop', prompt: 'Pay', approve: false, check: async (run) => !(await isPaid(run)) },
    { name: 'offer', page: '/shop', prompt: 'Pay', tools: ['pay'], check: isPaid },
    { name: 'loop', page: '/shop', prompt: 'loop', maxSteps: 2, models: ['other'],
      check: ({ result }) => result.reason === 'max-steps' && result.steps === 2 },
  ],
})
`,
  )
  const { code, output } = await project.run(['eval', 'evals.mjs'], { MODEL_ENDPOINT: endpoint.url })
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output).toMatch(/\npays +page +yes /)
  expect(output).toMatch(/\nloop +other +yes +2 /)
  // Without a name the page's own is used.
  expect(endpoint.requests.map(({ body }) => body!['model'])).toEqual([
    ...Array<string>(6).fill('own'),
    'other',
    'other',
  ])
  expect(toolNames(endpoint.requests[4])).toEqual(['todo_write', 'todo_read', 'pay'])
  await endpoint.close()
})

test('setup signs in before the assistant is looked for', async ({ project }) => {
  const endpoint = await startEndpoint(fills)
  project.write(
    'login.html',
    `<title>Desk</title><script type="module" src="/tool-agent/tool-agent.js"></script><!-- <tool-agent> is there later -->
<button onclick="this.outerHTML = '<label>Name <input name=name></label><' + 'tool-agent endpoint=/v1 page-tools=fill>'">Sign in</button>`,
  )
  const setup = "setup: (page) => page.getByRole('button', { name: 'Sign in' }).click()"
  project.write('evals.mjs', file(task(`${setup}, ${checksName}`, "'login.html'")))
  const { code, output } = await project.run(['eval', 'evals.mjs', '--model', 'm'], { MODEL_ENDPOINT: endpoint.url })
  expect({ code, output }).toMatchObject({ code: 0 })
  await endpoint.close()
})

test('without an endpoint the offline model answers, and the command says so', async ({ project }) => {
  project.write('page/form.html', '<title>Form</title><form><label>Name <input name=name></label></form>')
  project.write('evals.mjs', file(task("check: ({ result }) => result.reason === 'stop'", "'page/form.html'")))
  const { code, output, errors } = await project.run(['eval', 'evals.mjs', '--model', 'ignored'])
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output).toMatch(/\nfill +offline +yes /)
  expect(errors).toContain('No MODEL_ENDPOINT is set: the offline model answers.')
})

test('wrong calls end with 2 and say what to do', async ({ project, dist }) => {
  project.write('evals.mjs', file(task(checksName)))
  project.write('empty.mjs', 'export default []')
  project.write('twice.mjs', file(task(checksName), task(checksName)))
  project.write(
    'ended.mjs',
    file(task(checksName)).replace(
      /\(\[([^]*)\]\)/,
      "({ webServer: { command: 'exit 3', url: 'http://127.0.0.1:9' }, evals: [$1] })",
    ),
  )
  project.write('wrong.mjs', file("{ name: 'a', page: {}, prompt: 'x', check() {} }"))
  for (const [args, message] of [
    [['evil', 'evals.mjs'], 'Unknown command "evil"'],
    [['eval'], 'expected at least one file'],
    [['eval', 'missing.mjs'], 'missing.mjs does not exist'],
    [['eval', 'empty.mjs'], 'expected the default export to be defineEvals'],
    [['eval', 'twice.mjs'], 'two tasks have the name "fill"'],
    [
      ['eval', 'ended.mjs'],
      'webServer: exit 3 ended with code 3. Its message is above. If a development server of this project is running, stop it',
    ],
    [['eval', 'wrong.mjs'], 'a: page: expected a URL, a file or { html }'],
    [['eval', 'evals.mjs', '--repeat', '0'], '--repeat: expected a number of at least 1, received "0"'],
    [['eval', 'evals.mjs', '--endpoint', '/v1'], '--endpoint: expected an absolute URL'],
    [['eval', 'evals.mjs', '--key', 'x'], "Unknown option '--key'"],
    [['eval', 'evals.mjs', '--filter', 'nothing'], 'No task has "nothing" in its name'],
  ] as const) {
    const { code, errors } = await project.run(args)
    expect({ args, code, errors }).toEqual({ args, code: 2, errors: expect.stringContaining(message) })
  }
  expect(await project.run(['eval', '--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('MODEL_API_KEY'),
  })
  const bare = projectIn(dist, [])
  try {
    bare.write('evals.mjs', file(task(checksName)))
    const { code, errors } = await bare.run(['eval', 'evals.mjs'])
    expect({ code, errors }).toEqual({
      code: 2,
      errors: expect.stringContaining('needs Playwright. Run: npm install --save-dev playwright'),
    })
  } finally {
    bare.remove()
  }
})
