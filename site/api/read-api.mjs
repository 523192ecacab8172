// Reads the public exports from the sources: their declarations without bodies, and their docstrings. Made with the parser
// of Rolldown, because documentation tools need the compiler API that TypeScript 7 does not have.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { root } from '../navigation.mjs'

/**
 * @typedef {{ text: string, tags: { name: string, text: string }[] }} Doc
 * @typedef {{ name: string, signature: string, doc: Doc }} Member
 * @typedef {object} Exported
 * @property {string} name
 * @property {'function' | 'class' | 'interface' | 'type' | 'constant'} kind
 * @property {string} signature TypeScript without comments
 * @property {Doc} doc
 * @property {Member[]} members
 * @property {string} place file and name, the same for every entry that exports it
 *
 * @typedef {{ name: string, specifier: string, about: string, exports: Exported[], includes: string[] }} ApiEntry
 *
 * @typedef {Record<string, any>} Node
 * @typedef {{ path: string, code: string, body: Node[], comments: { type: string, value: string, start: number, end: number }[] }} File
 */

/** The entries for page authors, in the order of the reference. */
const entryFiles = [
  { name: 'agent', about: 'The agent without an element, for frameworks and for pages that have their own view.' },
  { name: 'tool-agent', about: 'The element. For bundlers and script tags.', file: 'src/index.ts' },
  { name: 'react', about: 'Components and hooks for React.' },
  { name: 'vue', about: 'Components and functions for Vue.' },
  { name: 'tools', about: 'The page tools and WebMCP, for pages that register them explicitly.' },
  { name: 'mcp', about: 'The tools of MCP servers. The client is loaded before the first step.' },
  { name: 'models', about: 'Model adapters, to pass as `modelAdapter` or to `serve`.' },
  { name: 'testing', about: 'For tests: a scripted model, traces that replay, tasks for `npx tool-agent eval`.' },
  { name: 'worker', about: 'The host without a page, for a worker of your own and for Node.' },
  { name: 'inspector', about: 'Defines `<tool-agent-inspector>`, for developers.' },
]
  .map(({ name, about, file = `src/${name}.ts` }) => ({
    name,
    about,
    file,
    specifier: name === 'tool-agent' ? name : `tool-agent/${name}`,
  }))
  .filter(({ file }) => existsSync(join(root, file)))

/** The public exports of each entry. @returns {ApiEntry[]} */
export function readApi() {
  /** @type {Map<string, File>} */
  const files = new Map()
  const open = (/** @type {string} */ path) => {
    const known = files.get(path)
    if (known !== undefined) return known
    const code = readFileSync(join(root, path), 'utf8')
    const { program, comments, errors } = parseSync(path, code)
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
    const file = { path, code, body: /** @type {Node[]} */ (program.body), comments }
    files.set(path, file)
    return file
  }
  return entryFiles.map(({ name, specifier, about, file }) => {
    const source = open(file)
    const includes = source.body
      .filter(({ type }) => type === 'ExportAllDeclaration')
      .map((node) => entryFiles.find((one) => one.file === resolve(file, node['source'].value))?.specifier ?? '')
    const names = source.body
      .filter((node) => node['type'] === 'ExportNamedDeclaration' && node['source'])
      .flatMap((node) => node['specifiers'].map((/** @type {Node} */ one) => ({ from: node['source'].value, one })))
    return {
      name,
      specifier,
      about,
      includes,
      exports: names
        .map(({ from, one }) => exported(one['exported'].name, one['local'].name, resolve(file, from), open))
        .sort((a, b) => order(a) - order(b) || a.name.localeCompare(b.name)),
    }
  })
}

/** Functions and classes come first. @param {Exported} one */
const order = ({ kind }) =>
  ['function', 'class', 'constant', 'interface', 'type'].indexOf(kind === 'type' ? 'interface' : kind)

/** @param {string} from @param {string} specifier */
function resolve(from, specifier) {
  const path = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
  return existsSync(join(root, path)) ? path : `${path}x`
}

/** @param {string} name @param {string} local @param {string} path @param {(path: string) => File} open @returns {Exported} */
function exported(name, local, path, open) {
  const file = open(path)
  const found = file.body.filter((node) => {
    const declared = node['declaration'] ?? node
    return (declared.id ?? declared.declarations?.[0]?.id)?.name === local
  })
  if (found.length === 0) {
    // Re-exported from another file, or imported and exported.
    for (const node of file.body) {
      if (!node['source'] || !node['specifiers']) continue
      const one = node['specifiers'].find(
        (/** @type {Node} */ each) => (each['exported'] ?? each['local']).name === local,
      )
      const origin = one?.['imported'] ?? one?.['local']
      if (origin) return exported(name, origin.name, resolve(path, node['source'].value), open)
    }
    throw new Error(`${path} has no declaration of ${local}`)
  }
  const doc = parseDoc(docBefore(file, /** @type {Node} */ (found[0])))
  const place = `${path} ${local}`
  const nodes = found.map((node) => node['declaration'] ?? node)
  const [node] = nodes
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction': {
      const overloads = nodes.length > 1 ? nodes.filter((one) => one.body == null) : nodes
      const signature = overloads.map((one) => withoutBody(file, one)).join('\n')
      return { name, kind: 'function', signature, doc, members: [], place }
    }
    case 'ClassDeclaration':
      return { name, kind: 'class', signature: classHead(file, node), doc, members: classMembers(file, node), place }
    case 'TSInterfaceDeclaration': {
      const head = file.code.slice(node.start, node.body.start).trim()
      return {
        name,
        kind: 'interface',
        signature: `${head} { … }`,
        doc,
        members: typeMembers(file, node.body.body),
        place,
      }
    }
    case 'TSTypeAliasDeclaration': {
      const signature = clean(file, node.start, node.end)
      return {
        name,
        kind: 'type',
        signature,
        doc,
        members: typeMembers(file, documentedMembers(file, node.typeAnnotation)),
        place,
      }
    }
    case 'VariableDeclaration': {
      const { id, init } = node.declarations[0]
      const annotation =
        id.typeAnnotation?.typeAnnotation ?? (init?.type === 'TSAsExpression' ? init.typeAnnotation : undefined)
      const type = annotation ? `: ${clean(file, annotation.start, annotation.end)}` : ''
      return { name, kind: 'constant', signature: `const ${name}${type}`, doc, members: [], place }
    }
    default:
      throw new Error(`${place}: unexpected declaration ${node.type}`)
  }
}

/** @param {File} file @param {Node} node */
function withoutBody(file, node) {
  const end = node['body']?.start ?? node['end']
  return clean(file, node['start'], end).replace(/^async /, '')
}

/** @param {File} file @param {Node} node */
function classHead(file, node) {
  return `${clean(file, node['start'], node['body'].start)} { … }`
}

/** Public members with a docstring that is not internal. @param {File} file @param {Node} node @returns {Member[]} */
function classMembers(file, node) {
  /** @type {Member[]} */
  const members = []
  for (const member of /** @type {Node[]} */ (node['body'].body)) {
    const isPrivate = member['key']?.type !== 'Identifier' || ['private', 'protected'].includes(member['accessibility'])
    if (isPrivate || member['kind'] === 'constructor' || member['static']) continue
    const text = docBefore(file, member)
    if (text === '' || /@internal\b/.test(text)) continue
    const end =
      member['value']?.body?.start ??
      (member['type'] === 'PropertyDefinition' ? (member['typeAnnotation']?.end ?? member['key'].end) : member['end'])
    const signature = clean(file, member['start'], end)
      .replace(/^(?:declare |override |async )+/g, '')
      .replace(/^readonly declare /, 'readonly ')
    members.push({ name: member['key'].name, signature, doc: parseDoc(text) })
  }
  return members
}

/** @param {File} file @param {Node[]} members @returns {Member[]} */
function typeMembers(file, members) {
  return members.flatMap((member) => {
    const text = docBefore(file, member)
    if (/@internal\b/.test(text)) return []
    const name = member['key']?.name ?? member['key']?.value ?? ''
    const signature = clean(file, member['start'], member['end'])
      .replace(/[,;]$/, '')
      .replace(/^readonly /, '')
    return name === '' ? [] : [{ name, signature, doc: parseDoc(text) }]
  })
}

/** The members with a docstring of the object types in a type. @param {File} file @param {Node} type @returns {Node[]} */
function documentedMembers(file, type) {
  if (type['type'] === 'TSTypeLiteral')
    return type['members'].filter((/** @type {Node} */ one) => docBefore(file, one) !== '')
  const isJoined = type['type'] === 'TSUnionType' || type['type'] === 'TSIntersectionType'
  if (type['type'] === 'TSParenthesizedType') return documentedMembers(file, type['typeAnnotation'])
  return isJoined ? type['types'].flatMap((/** @type {Node} */ one) => documentedMembers(file, one)) : []
}

/** A part of a file without comments and without empty lines. @param {File} file @param {number} start @param {number} end */
function clean(file, start, end) {
  let code = file.code.slice(start, end)
  for (const comment of file.comments.toReversed()) {
    if (comment.start < start || comment.end > end) continue
    code = code.slice(0, comment.start - start) + code.slice(comment.end - start)
  }
  return code
    .replaceAll(/^\s*\n/gm, '')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
}

/** The text of the doc comment directly above a node, without its stars. @param {File} file @param {Node} node */
function docBefore(file, node) {
  const found = file.comments.findLast(
    ({ type, value, end }) => type === 'Block' && value.startsWith('*') && end <= node['start'],
  )
  if (found === undefined || !/^\s*(?:export\s+)?$/.test(file.code.slice(found.end, node['start']))) return ''
  return found.value
    .replaceAll(/^[ \t]*\* ?/gm, '')
    .replaceAll(/^\*/g, '')
    .trim()
}

/** A doc comment as its text and its tags. A tag continues on the lines after it. @param {string} doc @returns {Doc} */
export function parseDoc(doc) {
  const [text = '', ...tags] = doc.split(
    /(?:^|\s)(?=@(?:slot|csspart|cssproperty|fires|default|throws|returns|param|internal)\b)/,
  )
  return {
    text: text.trim(),
    tags: tags.map((tag) => {
      const [, name = '', rest = ''] = /^@(\w+)\s*([^]*)$/.exec(tag) ?? []
      return { name, text: rest.trim() }
    }),
  }
}
