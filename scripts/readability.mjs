// `npm run readability`: how readable src/ is, in numbers: comments, line lengths, docstrings. With `--walk` also
// how many functions and files run for one `agent.send()` with one tool call. Prints, never fails.
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { requireNode } from './node-version.mjs'

/**
 * @typedef {{ path: string, code: string, program: any, comments: Comment[] }} SourceFile
 * @typedef {{ type: string, value: string, start: number, end: number }} Comment
 * @typedef {{ documented: number, all: number, missing: string[] }} Count
 */

const maxColumns = 120

/** Reads and parses every TypeScript file of a folder. @param {string} folder */
function readSources(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => parseSource(name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')))
}

/** @param {string} path @param {string} code @returns {SourceFile} */
export function parseSource(path, code) {
  const { program, comments, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return { path, code, program, comments }
}

/** @param {SourceFile[]} files */
export function measureLines(files) {
  let nonBlank = 0
  let commentOnly = 0
  let longLines = 0
  let longest = { columns: 0, place: '' }
  for (const { path, code, comments } of files) {
    let withoutComments = code
    for (const { start, end } of comments) {
      const blank = code.slice(start, end).replaceAll(/[^\n]/g, ' ')
      withoutComments = withoutComments.slice(0, start) + blank + withoutComments.slice(end)
    }
    const codeLines = withoutComments.split('\n')
    for (const [index, line] of code.split('\n').entries()) {
      const columns = Array.from(line).length
      if (columns > maxColumns) longLines += 1
      if (columns > longest.columns) longest = { columns, place: `${path}:${index + 1}` }
      if (line.trim() === '') continue
      nonBlank += 1
      if (codeLines[index]?.trim() === '') commentOnly += 1
    }
  }
  return { nonBlank, commentOnly, longLines, longest }
}

/**
 * Counts docstrings. Names are the exported declarations. Members are the properties and methods of exported interfaces,
 * object types and classes; private ones, constructors and overrides do not count.
 * @param {SourceFile[]} files
 * @returns {{ names: Count, members: Count }}
 */
export function countDocstrings(files) {
  const names = newCount()
  const members = newCount()
  for (const file of files) {
    for (const { name, node, outer } of exportedDeclarations(file.program)) {
      add(names, hasDocstring(file, outer), `${file.path} ${name}`)
      /** One entry per member name: overloads, and a getter with its setter, share a docstring. @type {Map<string, boolean>} */
      const known = new Map()
      for (const member of membersOf(node)) {
        const key = memberName(member)
        if (key !== undefined) known.set(key, known.get(key) === true || hasDocstring(file, member))
      }
      for (const [key, isDocumented] of known) add(members, isDocumented, `${file.path} ${name}.${key}`)
    }
  }
  return { names, members }
}

/** @returns {Count} */
function newCount() {
  return { documented: 0, all: 0, missing: [] }
}

/** @param {Count} count @param {boolean} isDocumented @param {string} name */
function add(count, isDocumented, name) {
  count.all += 1
  if (isDocumented) count.documented += 1
  else count.missing.push(name)
}

/**
 * The declarations that a file exports, also those that it lists in `export { … }`. Re-exports count in their own file.
 * @param {any} program
 * @returns {{ name: string, node: any, outer: any }[]} `outer` is the statement that a docstring precedes.
 */
function exportedDeclarations(program) {
  const listed = new Set()
  for (const node of program.body) {
    if (node.type !== 'ExportNamedDeclaration' || node.source) continue
    for (const { local } of node.specifiers) listed.add(local.name)
  }
  /** @type {Map<string, { name: string, node: any, outer: any }>} */
  const found = new Map()
  for (const outer of program.body) {
    const isExport = outer.type === 'ExportNamedDeclaration' || outer.type === 'ExportDefaultDeclaration'
    const declaration = isExport ? outer.declaration : outer
    for (const { name, node } of declared(declaration)) {
      // The first of several overloads has the docstring.
      if ((isExport || listed.has(name)) && !found.has(name)) found.set(name, { name, node, outer })
    }
  }
  return [...found.values()]
}

/** @param {any} node @returns {{ name: string, node: any }[]} */
function declared(node) {
  if (node?.type === 'VariableDeclaration') {
    return node.declarations.flatMap((/** @type {any} */ one) =>
      one.id.type === 'Identifier' ? [{ name: one.id.name, node: one }] : [],
    )
  }
  return typeof node?.id?.name === 'string' ? [{ name: node.id.name, node }] : []
}

/** @param {any} node @returns {any[]} */
function membersOf(node) {
  if (node.type === 'TSInterfaceDeclaration' || node.type === 'ClassDeclaration') return node.body.body
  return node.type === 'TSTypeAliasDeclaration' ? membersOfType(node.typeAnnotation) : []
}

/** The members of an object type, and of the object types in a union or an intersection. @param {any} type @returns {any[]} */
function membersOfType(type) {
  if (type?.type === 'TSTypeLiteral') return type.members
  return type?.type === 'TSUnionType' || type?.type === 'TSIntersectionType' ? type.types.flatMap(membersOfType) : []
}

/** The name of a public member; undefined for anything else. @param {any} member @returns {string | undefined} */
function memberName(member) {
  if (['private', 'protected'].includes(member.accessibility) || member.override || member.kind === 'constructor') {
    return undefined
  }
  // A tag of a discriminated union explains itself.
  if (member.typeAnnotation?.typeAnnotation?.type === 'TSLiteralType' && member.type === 'TSPropertySignature') {
    return undefined
  }
  return member.key?.type === 'Identifier' && !member.computed ? member.key.name : undefined
}

/** Whether a `/** … *\/` comment directly precedes a node. @param {SourceFile} file @param {any} node */
function hasDocstring({ code, comments }, node) {
  const before = comments.findLast(({ end }) => end <= node.start)
  const isDocstring = before?.type === 'Block' && before.value.startsWith('*')
  return isDocstring && code.slice(before.end, node.start).trim() === ''
}

/**
 * Sends one message to an agent in Node whose model calls one tool, and counts the code of src/ that runs, from the
 * creation of the agent to its answer. The host runs in the same thread, over a MessageChannel.
 * @param {string} root
 */
export async function walk(root) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'tool-agent-walk-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const server = await scriptedServer()
  const session = new Session()
  session.connect()
  try {
    await buildModules(root, folder)
    const { createAgent } = await import(pathToFileURL(join(folder, 'agent.mjs')).href)
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const agent = createAgent({ endpoint: server.url, model: 'm', logErrors: false })
    agent.registerTool({
      name: 'find',
      description: 'Finds the orders of the signed-in customer by text and returns them',
      execute: () => 'Green tea',
    })
    const { text } = await agent.send('Find my order')
    const { result } = await session.post('Profiler.takePreciseCoverage')
    if (text !== 'Green tea.') throw new Error(`The agent answered ${JSON.stringify(text)}`)
    await agent.close()
    return countRun(result, folder)
  } finally {
    session.disconnect()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/** @param {import('node:inspector').Profiler.ScriptCoverage[]} scripts @param {string} folder */
function countRun(scripts, folder) {
  const base = `${pathToFileURL(folder).href}/`
  /** @type {Map<string, string[]>} */
  const files = new Map()
  for (const { url, functions } of scripts) {
    if (!url.startsWith(base)) continue
    const names = functions
      .filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName)
    if (names.length > 0) files.set(url.slice(base.length).replace(/mjs$/, 'ts'), names)
  }
  return { functions: [...files.values()].flat().length, files: [...files.keys()].sort() }
}

/** Builds src/agent.ts with one output file per source file. @param {string} root @param {string} folder */
async function buildModules(root, folder) {
  const { build } = await import('rolldown')
  await build({
    cwd: root,
    input: { agent: join(root, 'src/agent.ts') },
    platform: 'node',
    tsconfig: false,
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.includes(`${sep}src${sep}`),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: {
      dir: folder,
      format: 'es',
      preserveModules: true,
      preserveModulesRoot: join(root, 'src'),
      entryFileNames: '[name].mjs',
    },
    logLevel: 'silent',
  })
  if (!existsSync(join(folder, 'agent.mjs'))) throw new Error(`No agent.mjs among ${readdirSync(folder).join(', ')}`)
}

/** An endpoint that answers the first request with one tool call, and the second with a text. */
async function scriptedServer() {
  const answers = [
    { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } }] },
    { content: 'Green tea.' },
  ]
  const server = createServer((request, response) => {
    request.resume()
    const delta = answers.shift()
    const finish_reason = delta?.tool_calls ? 'tool_calls' : 'stop'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const choice of [
      { index: 0, delta },
      { index: 0, delta: {}, finish_reason },
    ]) {
      response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

/**
 * The types of controls: those of native inputs, and what the kinds of controls in page-tools claim. Without `month`,
 * which is also a part of a date.
 */
const controlTypes = new Set(
  (
    'text search email tel url password textarea number range slider spinbutton color date time datetime-local ' +
    'week checkbox switch radio select listbox combobox file editable custom'
  ).split(' '),
)

/**
 * The places outside of `page-tools/controls/` that decide by the type of a control, as in `type === 'radio'` and
 * `/^(checkbox|radio)$/.test(input.type)`: a new kind of control would have to change them.
 * @param {SourceFile[]} files
 */
export function kindSwitches(files) {
  /** @type {string[]} */
  const places = []
  for (const { path, code, program } of files) {
    if (!path.startsWith('page-tools/') || path.startsWith('page-tools/controls/')) continue
    visit(program, (node) => {
      const isEqual = node.type === 'BinaryExpression' && /^[!=]==$/.test(node.operator) && isType(node.left)
      const isMatch =
        node.type === 'CallExpression' && node.callee.property?.name === 'test' && isType(node.arguments[0])
      if (!isEqual && !isMatch) return
      const { value, regex } = isEqual ? node.right : node.callee.object
      const words = regex ? (regex.pattern.match(/[\w-]+/g) ?? []) : [value]
      if (words.some((/** @type {unknown} */ word) => controlTypes.has(String(word))))
        places.push(`${path}:${code.slice(0, node.start).split('\n').length}`)
    })
  }
  return places
}

/** How many statements of a file import or re-export from another one. @param {any} program */
function importsOf(program) {
  return program.body.filter((/** @type {any} */ { source }) => source).length
}

/** Whether it is `type` or `….type`. @param {any} node */
function isType(node) {
  return node?.name === 'type' || (node?.type === 'MemberExpression' && node.property.name === 'type')
}

/** Calls back for a node and all nodes inside. @param {any} node @param {(node: any) => void} found */
function visit(node, found) {
  if (typeof node?.type === 'string') found(node)
  for (const inner of Object.values(node ?? {})) if (typeof inner === 'object') visit(inner, found)
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
}

/** @param {string} root @param {string[]} args */
async function main(root, args) {
  const files = readSources(join(root, 'src'))
  const { nonBlank, commentOnly, longLines, longest } = measureLines(files)
  const { names, members } = countDocstrings(files)
  const short = files.filter(({ code }) => code.split('\n').length <= 60).length
  const crossroads = files
    .map(({ path, program }) => /** @type {const} */ ([importsOf(program), path]))
    .reduce((most, one) => (one[0] > most[0] ? one : most))
  const switches = kindSwitches(files)
  const lines = [
    `files                 ${files.length}, ${nonBlank} lines that are not blank`,
    `comment lines         ${percent(commentOnly, nonBlank)}`,
    `longest line          ${longest.columns} columns (${longest.place})`,
    `lines over ${maxColumns}        ${longLines}`,
    `names with docstring  ${percent(names.documented, names.all)} of ${names.all} exported names`,
    `members with one      ${percent(members.documented, members.all)} of ${members.all} members of exported types`,
    `files below 60 lines  ${percent(short, files.length)}`,
    `most imports          ${crossroads[0]} (${crossroads[1]})`,
    `import() calls        ${files.flatMap(({ code }) => code.match(/(?<!typeof )\bimport\(['"]/g) ?? []).length}`,
    `switches on controls  ${switches.length} outside of page-tools/controls`,
  ]
  if (args.includes('--switches')) lines.push(...switches.map((place) => `  ${place}`))
  if (args.includes('--missing')) {
    lines.push('without a docstring:', ...[...names.missing, ...members.missing].map((name) => `  ${name}`))
  }
  if (args.includes('--walk')) {
    const { functions, files: run } = await walk(root)
    lines.push(`one send, one call    ${functions} named functions in ${run.length} files`)
    if (args.includes('--files')) lines.push(...run.map((file) => `  ${file}`))
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode()
  await main(fileURLToPath(new URL('..', import.meta.url)), process.argv.slice(2))
}
