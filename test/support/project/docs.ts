// Reads the examples of a page in docs/, type-checks them with a page author's settings, and runs them against a
// scripted model. A comment `// → …` after a `console.log` is its expected output; `…` stands for any text. HTML
// comments above a block contain the model's answers. A block that checks nothing is an error.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { transformSync } from 'rolldown/utils'
import * as agentEntry from '../../../src/agent.js'
import { isObject, type JsonObject } from '../../../src/core/data/json.js'
import { openToolCalls } from '../../../src/core/data/session.js'
import * as mcpEntry from '../../../src/mcp.js'
import * as hostEntry from '../../../src/worker.js'
import * as modelsEntry from '../../../src/models.js'
import * as relayEntry from '../../../src/relay.js'
import * as serverEntry from '../../../src/server.js'
import * as testingEntry from '../../../src/testing.js'
import { startEndpoint, type Endpoint, type Reply, type ScriptedCall, type ScriptItem } from '../lab/endpoint.js'
import { historyFaults } from '../lab/history.js'
import { startScriptedMcp, textTool, type ScriptedMcp } from '../mcp/scripted-server.js'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')

/** The marks that may precede a block, as `<!-- name: text -->`. */
const markNames = [
  'model', // the model's answers, as items of a JavaScript array: a text, `call(name, arguments)`, an array of calls, a Reply
  'sent', // a JSON block: the value at this path of the requests of the example above, such as `0.tools.0.function`
  'fragment', // not run and not checked; the text is the reason
  'prelude', // runs before every example of the page
]

export interface Block {
  /** The line of the fence, from 1. */
  readonly line: number
  readonly heading: string
  readonly language: string
  readonly code: string
  readonly marks: ReadonlyMap<string, string>
}

export interface Example {
  readonly title: string
  readonly block: Block
  /** The JSON blocks after it: what the model received. */
  readonly sent: readonly Block[]
}

/** Every fenced block. Throws for a fence in another format, and for an unknown mark. */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let heading = ''
  let marks = new Map<string, string>()
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index] ?? ''
    const line = index + 1
    const fence = /^```([a-z]*)$/.exec(text)
    if (fence) {
      const end = lines.indexOf('```', line)
      if (end < 0) throw new Error(`line ${line}: the block is not closed`)
      blocks.push({ line, heading, language: fence[1] ?? '', code: lines.slice(line, end).join('\n'), marks })
      index = end
      marks = new Map()
    } else if (/^\s*(```|~~~)/.test(text)) {
      throw new Error(`line ${line}: a block must begin at the margin with three backticks and a language`)
    } else if (text.startsWith('<!--')) {
      let end = index
      while (!(lines[end] ?? '-->').includes('-->')) end++
      const mark = /^<!-- (\w+)(?::\s+([^]*?))? *-->$/.exec(lines.slice(index, end + 1).join('\n'))
      if (!mark?.[1] || !markNames.includes(mark[1]))
        throw new Error(`line ${line}: unknown mark; expected one of: ${markNames.join(', ')}`)
      marks.set(mark[1], mark[2] ?? '')
      index = end
    } else {
      if (marks.size > 0) throw new Error(`line ${line}: a mark must be directly above its block`)
      heading = /^##+ (.*)/.exec(text)?.[1] ?? heading
    }
  }
  return blocks
}

/**
 * A page with the prelude of the page that it continues, as `<!-- continues: tools.md -->` says. The prelude follows at the
 * end, so that lines keep their numbers.
 */
export function withPrelude(markdown: string, read: (file: string) => string): string {
  const [mark = '', file] = /^<!-- continues: ([\w-]+\.md) -->$/m.exec(markdown) ?? []
  if (file === undefined) return markdown
  const { prelude } = examplesOf(read(file))
  if (prelude === undefined) throw new Error(`${file} has no prelude`)
  return `${markdown.replace(mark, '')}\n<!-- prelude -->\n\`\`\`ts\n${prelude.code}\n\`\`\`\n`
}

/** The prelude and the examples, each with the JSON blocks after it. Throws for a block that checks nothing. */
export function examplesOf(markdown: string): { prelude: Block | undefined; examples: Example[] } {
  let prelude: Block | undefined
  const examples: { title: string; block: Block; sent: Block[] }[] = []
  const titles = new Map<string, number>()
  for (const block of blocksOf(markdown)) {
    const { line, language, marks, heading, code } = block
    const fragment = marks.get('fragment')
    if (fragment !== undefined) {
      if (fragment === '') throw new Error(`line ${line}: a fragment must give the reason why it cannot run`)
    } else if (marks.has('prelude')) {
      if (prelude) throw new Error(`line ${line}: the page already has a prelude`)
      prelude = block
    } else if (language === 'json') {
      if (!marks.get('sent')) throw new Error(`line ${line}: a JSON block needs a mark with the path where it was sent`)
      const example = examples.at(-1)
      if (!example) throw new Error(`line ${line}: no example precedes this JSON block`)
      example.sent.push(block)
    } else if (language === 'ts' || language === 'js') {
      const count = (titles.get(heading) ?? 0) + 1
      titles.set(heading, count)
      examples.push({ title: count === 1 ? heading : `${heading} (${count})`, block, sent: [] })
      expectationsOf(block)
    } else {
      throw new Error(
        `line ${line}: unsupported language '${language}': use ts, js or json, or mark the block as a fragment`,
      )
    }
    if (/^(<<<|>>>)/m.test(code)) throw new Error(`line ${line}: the block contains a merge conflict`)
  }
  for (const { block, sent } of examples) {
    const { printed, warned } = expectationsOf(block)
    if (printed.size === 0 && warned.length === 0 && sent.length === 0)
      throw new Error(`line ${block.line}: the example checks nothing: print a value and add its output`)
  }
  return { prelude, examples }
}

interface Expectations {
  /** The outputs of each console.log, by its line of the page. */
  readonly printed: ReadonlyMap<number, string[]>
  /** Warnings in the console, in order. */
  readonly warned: string[]
  /** Lines of `debug`, in order. Empty if the example does not check them. */
  readonly debugged: string[]
}

function expectationsOf({ line: start, code }: Block): Expectations {
  const printed = new Map<number, string[]>()
  const warned: string[] = []
  const debugged: string[] = []
  let above: number | undefined
  for (const [index, text] of code.split('\n').entries()) {
    const line = start + 1 + index
    const isPrinting = text.includes('console.log(')
    const [, before = text, kind, expected] = /^(.*?)\/\/ (→|warns:|debug:) ?(.*)$/.exec(text) ?? []
    if (isPrinting) printed.set((above = line), [])
    else if (kind === undefined || before.trim() !== '') above = undefined
    if (kind !== undefined && (expected ?? '').replaceAll('…', '').trim() === '')
      throw new Error(`line ${line}: this expectation matches any text`)
    if (kind === 'warns:') warned.push(expected ?? '')
    else if (kind === 'debug:') debugged.push(expected ?? '')
    else if (kind !== undefined) {
      if (above === undefined)
        throw new Error(`line ${line}: an expectation must follow its console.log, on its line or right below`)
      printed.get(above)?.push(expected ?? '')
    }
  }
  for (const [line, expected] of printed) {
    if (expected.length === 0) throw new Error(`line ${line}: this console.log has no expected output`)
  }
  return { printed, warned, debugged }
}

/** The compiler's errors for the examples of a page against a build, with lines of the page; empty if there are none. */
export function typeErrors(markdown: string, dist: string): string {
  const { prelude, examples } = examplesOf(markdown)
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-docs-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const names = namesOf(prelude)
    const padded = ({ line, code }: Block, more: string) => `${'\n'.repeat(line)}${code}\n${more}`
    if (prelude) writeFileSync(join(folder, 'prelude.ts'), padded(prelude, `export { ${names.join(', ')} }\n`))
    writeFileSync(
      join(folder, 'page.d.ts'),
      names.map((name) => `declare const ${name}: typeof import('./prelude.js').${name}\n`).join(''),
    )
    for (const { block } of examples)
      writeFileSync(join(folder, `line-${block.line}.${block.language}`), padded(block, 'export {}\n'))
    const entry = (name: string) => [join(dist, 'types', `${name}.d.ts`)]
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          // The strictness of a page author, not of this project.
          strict: true,
          allowJs: true,
          noEmit: true,
          skipLibCheck: true,
          target: 'ES2022',
          module: 'ESNext',
          moduleResolution: 'bundler',
          lib: ['ES2023', 'ES2024.String', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
          types: [],
          paths: {
            'tool-agent': entry('index'),
            'tool-agent/agent': entry('agent'),
            'tool-agent/mcp': entry('mcp'),
            'tool-agent/tools': entry('tools'),
            'tool-agent/models': entry('models'),
            'tool-agent/relay': entry('relay'),
            'tool-agent/server': entry('server'),
            'tool-agent/testing': entry('testing'),
            'tool-agent/worker': entry('worker'),
          },
        },
        include: ['*.ts', '*.js', '*.d.ts'],
      }),
    )
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
      { encoding: 'utf8', cwd: folder },
    )
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The names that a prelude provides to the examples: its imports and its constants. */
function namesOf(prelude: Block | undefined): string[] {
  const { code } = prelude ?? { code: '' }
  const imported = [...code.matchAll(/^import \{ (.*) \} from/gm)].flatMap(([, list = '']) => list.split(', '))
  return [...imported, ...[...code.matchAll(/^const (\w+) =/gm)].map(([, name]) => name ?? '')]
}

/** Runs one example with a new prelude. Returns one sentence per difference from the expected output. */
export async function runExample({ block, sent }: Example, prelude: Block | undefined): Promise<string[]> {
  const faults: string[] = []
  const endpoint = await startEndpoint(scriptOf(block))
  const agents: agentEntry.Agent[] = []
  const servers: ScriptedMcp[] = []
  const printed = new Map<number, string[]>()
  const warned: string[] = []
  const print =
    (line: number) =>
    (...values: unknown[]) => {
      const text = values
        .map((value) =>
          typeof value === 'string' ? value : inspect(value, { depth: Infinity, breakLength: Infinity, compact: true }),
        )
        .join(' ')
      printed.set(line, [...(printed.get(line) ?? []), text])
    }
  const debugged: string[] = []
  const said =
    (to: string[]) =>
    (...values: unknown[]) => {
      to.push(values.map(String).join(' ').replace('[tool-agent] ', ''))
    }
  const { warn, error, debug } = console
  console.warn = console.error = said(warned)
  console.debug = said(debugged)
  try {
    const load = loader(endpoint, agents, servers)
    const before = prelude === undefined ? {} : await evaluate(prelude, load, print, {}, namesOf(prelude))
    await evaluate(block, load, print, { ...before, fetch: pageFetch }, [])
    // Hints for page authors are logged when their code is loaded.
    await import('../../../src/page/hints/lint-tool.js')
    await new Promise(setImmediate)
  } catch (thrown) {
    faults.push(`line ${block.line}: the example threw ${inspect(thrown)}`)
  } finally {
    console.warn = warn
    console.error = error
    console.debug = debug
  }
  const expected = expectationsOf(block)
  for (const [line, texts] of expected.printed)
    faults.push(...differences(`line ${line}`, texts, printed.get(line) ?? []))
  faults.push(...differences(`line ${block.line}, the console`, expected.warned, warned))
  if (expected.debugged.length > 0)
    faults.push(...differences(`line ${block.line}, debug`, expected.debugged, debugged))
  for (const part of sent) faults.push(...notSent(part, endpoint))
  for (const { body } of endpoint.requests) if (body) faults.push(...historyFaults(body))
  for (const { session } of agents)
    if (session && openToolCalls(session).length > 0) faults.push(`line ${block.line}: a tool call is still open`)
  await Promise.all([...agents.map((agent) => agent.close()), ...servers.map((server) => server.stop())])
  await endpoint.close().catch((thrown: unknown) => faults.push(`line ${block.line}: ${String(thrown)}`))
  return faults
}

/** The model's answers, from the mark of the block. */
function scriptOf({ marks, line }: Block): ScriptItem[] {
  const text = marks.get('model')
  if (text === undefined) return []
  const call = (name: string, args: JsonObject | string = {}, id?: string): ScriptedCall => ({
    name,
    arguments: args,
    ...(id === undefined ? {} : { id }),
  })
  let items: unknown[]
  try {
    // The page is a file of this project, so its code may run.
    // oxlint-disable-next-line typescript/no-implied-eval
    items = new Function('call', `return [${text}]`)(call) as unknown[]
  } catch (thrown) {
    throw new Error(`line ${line}: the model's answers are not a list of JavaScript values: ${String(thrown)}`)
  }
  return items.map((item): ScriptItem => {
    if (typeof item === 'string') return { text: item }
    if (Array.isArray(item)) return { calls: item as ScriptedCall[] }
    return isObject(item) && 'name' in item ? { calls: [item as unknown as ScriptedCall] } : (item as Reply)
  })
}

type Load = (name: string) => Promise<object>

/** The modules that examples may import. Their agents use the scripted model, each with its own session. */
function loader(endpoint: Endpoint, agents: agentEntry.Agent[], servers: ScriptedMcp[]): Load {
  const createAgent = (options: agentEntry.AgentOptions = {}): agentEntry.Agent => {
    const agent = agentEntry.createAgent({
      scope: crypto.randomUUID(),
      ...options,
      ...(options.endpoint === '/v1' ? { endpoint: endpoint.url } : {}),
    })
    agents.push(agent)
    return agent
  }
  return async (name) => {
    switch (name) {
      case 'tool-agent/agent':
        return { ...agentEntry, createAgent }
      case 'tool-agent/mcp': {
        const { url } = servers[0] ?? servers[servers.push(await startShop()) - 1]!
        const mcpTools = (options: mcpEntry.McpOptions) =>
          mcpEntry.mcpTools({ ...options, url: options.url === '/mcp' ? url : options.url })
        return { ...mcpEntry, mcpTools }
      }
      case 'tool-agent/models':
        return modelsEntry
      case 'tool-agent/relay':
        return relayEntry
      case 'tool-agent/server':
        return serverEntry
      case 'tool-agent/testing':
        return testingEntry
      case 'tool-agent/worker':
        return hostEntry
      case 'zod':
        return import('zod')
      case 'zod/mini':
        return import('zod/mini')
      case 'zod/v3':
        return import('zod/v3')
      default:
        throw new Error(`Examples cannot import '${name}'`)
    }
  }
}

/** The MCP server of the examples, at `/mcp`. */
function startShop(): Promise<ScriptedMcp> {
  const requestedSchema = { type: 'object', properties: { size: { type: 'string' } } }
  return startScriptedMcp([
    textTool('search', 'Green tea', {
      title: 'Search the shop',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
    }),
    {
      ...textTool('order', ''),
      handler: async (order) => {
        const { content } = await order.ask('elicitation/create', { message: 'Which size?', requestedSchema })
        return { content: [{ type: 'text', text: `Ordered size ${String((content as JsonObject)['size'])}` }] }
      },
    },
  ])
}

/** The page's server: a path that starts with `/slow` never answers, any other returns its path. */
function pageFetch(path: string, { signal }: RequestInit = {}): Promise<Response> {
  if (!path.startsWith('/slow')) return Promise.resolve(Response.json({ path }))
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
}

/** Runs a block as the body of a function with its imports, and returns its constants `names`. */
async function evaluate(
  { code, line, language }: Block,
  load: Load,
  print: (line: number) => unknown,
  globals: object,
  names: readonly string[],
): Promise<Record<string, unknown>> {
  // Each console.log is identified by its line of the page, because the compiler moves lines.
  const numbered = code
    .split('\n')
    .map((text, index) => text.replaceAll('console.log(', `__print(${line + 1 + index})(`))
    .join('\n')
  if (/console\.log\b/.test(numbered)) throw new Error(`line ${line}: call console.log(…) directly`)
  const { code: script, errors } = transformSync(`example.${language}`, numbered, {
    // A prelude imports names that only later examples use.
    typescript: { onlyRemoveTypeImports: true },
  })
  if (errors.length > 0) throw new Error(`line ${line}: ${errors.map(String).join('\n')}`)
  const body = script
    .replace(/^import \* as (\w+) from "(.+)";$/gm, 'const $1 = await __load("$2");')
    .replace(
      /^import (\{[^}]*\}) from "(.+)";$/gm,
      (_, list: string, name: string) => `const ${list.replaceAll(' as ', ': ')} = await __load("${name}");`,
    )
    .replace(/^export \{\};?$/m, '')
    .replace(/^import .*$/gm, (text) => {
      throw new Error(`line ${line}: unsupported form of import: ${text}`)
    })
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<Record<string, unknown>>
  const run = new AsyncFunction(
    '__load',
    '__print',
    ...Object.keys(globals),
    `{ ${body}\nreturn { ${names.join(', ')} } }`,
  )
  return run(load, print, ...Object.values(globals))
}

function differences(where: string, expected: readonly string[], actual: readonly string[]): string[] {
  const fits = expected.length === actual.length && expected.every((text, index) => fitsText(text, actual[index] ?? ''))
  return fits ? [] : [`${where}\n  says   ${expected.join('\n         ')}\n  was    ${actual.join('\n         ')}`]
}

/** Compares texts. `…` matches any text, and `⏎` is a line break. */
function fitsText(expected: string, actual: string): boolean {
  const pattern = expected
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('[^]*?')
  return new RegExp(`^${pattern}$`).test(actual.replaceAll('\n', '⏎').trimEnd())
}

/** The difference between a JSON block and the request, if there is one. */
function notSent({ line, code, marks }: Block, { requests }: Endpoint): string[] {
  const path = marks.get('sent') ?? ''
  let value: unknown = requests.map(({ body }) => body)
  for (const key of path.split('.')) {
    if (Array.isArray(value)) value = value.at(Number(key))
    else value = isObject(value) ? value[key] : undefined
  }
  const expected: unknown = JSON.parse(code)
  return holds(value, expected)
    ? []
    : [`line ${line}, sent at ${path}\n  says   ${JSON.stringify(expected)}\n  was    ${JSON.stringify(value)}`]
}

/** Whether `value` contains everything in `expected`. `…` in a text matches any text. */
function holds(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'string') return typeof value === 'string' && fitsText(expected.replaceAll('\n', '⏎'), value)
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((one, index) => holds(value[index], one))
    )
  if (isObject(expected))
    return isObject(value) && Object.entries(expected).every(([key, one]) => holds(value[key], one))
  return Object.is(value, expected)
}

/** Code is not read for links and headings. */
const proseOf = (markdown: string): string => markdown.replace(/^```[^]*?^```$/gm, '')

/** The headings below the title, with the ids that links name. */
function headingsOf(markdown: string): { depth: number; text: string; id: string }[] {
  const anchor = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
  return [...proseOf(markdown).matchAll(/^(##+) (.*)$/gm)].map(([, depth = '', text = '']) => ({
    depth: depth.length,
    text,
    id: anchor(text),
  }))
}

/**
 * Broken links, missing files and sections, and headings that the table of contents leaves out. `read` returns the text of a
 * file, or undefined if there is none; the sections of a file that is not Markdown are not looked for.
 */
export function linkFaults(markdown: string, read: (path: string) => string | undefined): string[] {
  const prose = proseOf(markdown)
  const headings = headingsOf(markdown)
  const ids = headings.map(({ id }) => id)
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to).filter((to) => !/^https?:/.test(to))
  return [
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `two headings have the id #${id}`),
    ...links
      .filter((to) => to.startsWith('#') && !ids.includes(to.slice(1)))
      .map((to) => `no heading has the id ${to}`),
    ...links
      .filter((to) => !to.startsWith('#'))
      .flatMap((to) => {
        const [path = '', id] = to.split('#')
        const text = read(path)
        if (text === undefined) return [`the file ${to} does not exist`]
        const isThere = id === undefined || !path.endsWith('.md') || headingsOf(text).some((one) => one.id === id)
        return isThere ? [] : [`${path} has no heading with the id #${id}`]
      }),
    ...headings
      .filter(({ depth, id }) => depth === 2 && !links.includes(`#${id}`))
      .map(({ text }) => `the contents leave out '${text}'`),
  ]
}

/** Reads what the links of a file name; a folder has no text. */
export const textBeside =
  (file: string) =>
  (path: string): string | undefined => {
    const target = join(dirname(file), decodeURIComponent(path))
    if (!existsSync(target)) return undefined
    return statSync(target).isDirectory() ? '' : readFileSync(target, 'utf8')
  }
