// Makes the tables of docs/reference.md from the docstrings, and those of docs/languages.md from the texts of the panel:
// `node scripts/reference.mjs` writes them. A test compares
// them with the sources, so no option, attribute, member, event or error code is missing there.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorWords } from './error-words.mjs'
import { classMembers, declaration, elements, interfaceMembers, parseDoc, source, withTables } from './manifest.mjs'

/** @typedef {import('./manifest.mjs').Member} Member */
/** @typedef {import('./manifest.mjs').Source} Source */
/** @typedef {import('./error-words.mjs').Sentence} Sentence */
/** @typedef {import('../src/core/data/failure.ts').ErrorCode} ErrorCode */
/** @typedef {Record<string, any>} Node */

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|')
/** Code in a cell. @param {string} text */
const code = (text) => `\`${cell(text)}\``
/** A default in words stays as it is, also one that names code. @param {string} [text] */
const preset = (text = '') => (/^(?:none|all|see|a |the |.*`|.*;)/.test(text) ? cell(text) : text && code(text))
/** @param {readonly string[]} head @param {readonly string[][]} rows */
const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `|${'---|'.repeat(head.length)}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
]

/** A type, or the values of a type that only has a name for them. @param {Source} file @param {string} type */
function written(file, type) {
  const found = file.body
    .map((statement) => statement['declaration'] ?? statement)
    .find((node) => node.type === 'TSTypeAliasDeclaration' && node.id.name === type)
  const values = found?.typeAnnotation
  if (values?.type !== 'TSUnionType') return type.replace(/^\| /, '')
  return values.types.map((/** @type {Node} */ one) => file.text(one)).join(' | ')
}

/**
 * Every option must have its default and its error.
 * @param {Source} file @param {string} name
 * @param {{ error: string, place?: (name: string) => string }} columns `place`: where the element has the option
 */
function options(file, name, { error, place }) {
  const rows = interfaceMembers(file, name).map((one) => {
    const { throws } = one
    if (one.default === undefined || throws === undefined)
      throw new Error(`${name}.${one.name} needs @default and @throws`)
    const where = place === undefined ? [] : [place(one.name)]
    return [
      code(one.name),
      code(written(file, one.type)),
      preset(one.default),
      cell(one.description),
      cell(throws),
      ...where,
    ]
  })
  return table(['option', 'type', 'default', '', error, ...(place === undefined ? [] : ['on the element'])], rows)
}

/** The options of the functions for servers. @param {string} path @param {string} name */
const serverOptions = (path, name) =>
  table(
    ['option', 'type', 'default', ''],
    interfaceMembers(source(path), name).map((one) => [
      code(one.name),
      code(one.type.replaceAll(/\s+/g, ' ')),
      preset(one.default),
      cell(one.description),
    ]),
  )

/** @param {readonly Member[]} members @param {Source} file */
const properties = (members, file) =>
  table(
    ['property', 'type', ''],
    members.map(({ name, type, description }) => [code(name), code(written(file, type)), cell(description)]),
  )

/** The methods of a class, by their names. @param {Source} file @param {string} name */
const methods = (file, name) =>
  table(
    ['method', ''],
    classMembers(file, name).methods.map((one) => [code(one.signature), cell(one.description)]),
  )

/** One field of an event: its name, type and meaning. @param {string} name @param {string} type @param {string} text */
const field = (name, type, text) => `${code(name)}: ${code(type.replace(/^\| /, ''))}, ${cell(lowered(text))}`

/** The fields of an event of an element. @param {Source} file @param {string} name */
const fields = (file, name) =>
  classMembers(file, name)
    .members.map((one) => field(one.name, one.type, one.description))
    .join('<br>')

/** The events that `subscribe` reports: the members of a union. @param {Source} file @param {string} name @param {string} kind */
const agentEvents = (file, name, kind) =>
  declaration(file, name).node['typeAnnotation'].types.map((/** @type {Node} */ one) => {
    /** @type {Node[]} */
    const members = one['members']
    const type = file.text(members[0]?.['typeAnnotation'].typeAnnotation).replaceAll("'", '')
    const isShown = (/** @type {Node} */ each) =>
      !['type', 'at'].includes(each['key'].name) && !parseDoc(file.docOf(each)).text.startsWith('@internal')
    const rest = members.filter(isShown)
    const texts = rest.map((each) =>
      field(
        `${each['key'].name}${each['optional'] ? '?' : ''}`,
        file.text(each['typeAnnotation'].typeAnnotation),
        parseDoc(file.docOf(each)).text,
      ),
    )
    return [code(type), kind, cell(parseDoc(file.docOf(one)).text), texts.join('<br>')]
  })

/** @param {'properties' | 'methods'} section */
const asOnAgent = (section) => `as [on an agent](#${section}-of-an-agent)`

/** @param {string} text */
const lowered = (text) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text)

/** The members of a union of texts that have a docstring. @param {Source} file @param {string} name */
const documentedValues = (file, name) =>
  declaration(file, name).node['typeAnnotation'].types.map((/** @type {Node} */ one) => [
    code(String(one['literal'].value)),
    cell(parseDoc(file.docOf(one)).text),
  ])

/** The error codes with their group and what its docstring says. @param {Source} file */
function errorGroups(file) {
  const doc = file.docOf(declaration(file, 'ErrorCode').outer)
  /** @type {{ code: ErrorCode, meaning: string, receiver: string }[]} */
  const codes = []
  for (const group of doc.split(/\n\s*\n/).slice(1)) {
    const [head = '', ...items] = group.split(/\n- /)
    for (const item of items) {
      const [, name = '', meaning = ''] = /^`([\w-]+)`: ([^]+)$/.exec(item) ?? []
      if (name === '') throw new Error(`ErrorCode: ${item}: expected a code and what it means`)
      codes.push({
        code: /** @type {ErrorCode} */ (name),
        meaning: meaning.replaceAll(/\s+/g, ' ').trim(),
        receiver: head,
      })
    }
  }
  return codes
}

/** @param {string} receiver */
const isOfCall = (receiver) => receiver.startsWith('A tool call')

/** Every code with what the visitor reads. @param {Source} file @param {Sentence} english */
const errorCodes = (file, english) =>
  table(
    ['code', '', 'who gets it', 'the visitor reads'],
    errorGroups(file).map(({ code: name, meaning, receiver }) => [
      code(name),
      cell(meaning),
      cell(receiver),
      cell(english(name, isOfCall(receiver))),
    ]),
  )

/** The same sentences in the other languages, each once. @returns {Promise<Map<string, string[]>>} */
export async function languageTables() {
  const groups = errorGroups(source('src/core/data/failure.ts'))
  const [[, english], ...others] = /** @type {[[string, Sentence], ...[string, Sentence][]]} */ ([
    ...(await errorWords()),
  ])
  /** @type {Map<string, { codes: string[], texts: string[] }>} */
  const rows = new Map()
  for (const { code: name, receiver } of groups) {
    const text = english(name, isOfCall(receiver))
    const row = rows.get(text) ?? { codes: [], texts: others.map(([, sentence]) => sentence(name, isOfCall(receiver))) }
    row.codes.push(code(name))
    rows.set(text, row)
  }
  return new Map([
    [
      'Errors in every language',
      table(
        ['code', 'en', ...others.map(([tag]) => tag)],
        [...rows].map(([text, { codes, texts }]) => [codes.join(', '), cell(text), ...texts.map(cell)]),
      ),
    ],
  ])
}

/** The tables by the heading above them. @returns {Promise<Map<string, string[]>>} */
export async function referenceTables() {
  const english = /** @type {Sentence} */ ((await errorWords()).get('en'))
  const [element] = elements()
  if (element === undefined) throw new Error('there is no element')
  const agentOptions = source('src/page/options.ts')
  const agent = source('src/page/agent.ts')
  const events = source('src/ui/element/element-events.ts')
  const feedback = source('src/ui/element/feedback-event.ts')
  const panel = source('src/ui/element/element-options.ts')
  const messages = source('src/core/data/message.ts')
  const optionNames = new Set(interfaceMembers(agentOptions, 'AgentOptions').map(({ name }) => name))
  const attributes = new Map(element.attributes.map(({ fieldName, name }) => [fieldName, name]))
  const agentNames = new Set(classMembers(agent, 'Agent').members.map(({ name }) => name))
  const own = new Set(
    classMembers(source('src/ui/element/agent-element.ts'), 'AgentElement').methods.map(({ name }) => name),
  )
  const onElement = (/** @type {string} */ name) => {
    const attribute = attributes.get(name)
    if (attribute !== undefined) return `attribute ${code(attribute)}`
    return name === 'tools' ? 'no' : 'property'
  }
  const limits = interfaceMembers(source('src/core/data/tool.ts'), 'Limits')
  return new Map([
    [
      'Options of createAgent',
      options(agentOptions, 'AgentOptions', { error: 'throws `invalid-option`', place: onElement }),
    ],
    ['Hooks', table(['hook', ''], methodRows(agentOptions, 'Hooks'))],
    [
      'Limits',
      table(
        ['limit', 'default', ''],
        limits.map((one) => [code(one.name), cell(one.default ?? ''), cell(one.description)]),
      ),
    ],
    ['Options of send', options(agentOptions, 'SendOptions', { error: 'rejects with `invalid-option`' })],
    [
      'Options of agentTool',
      table(
        ['option', 'type', ''],
        interfaceMembers(agentOptions, 'AgentToolOptions').map(({ name, type, description }) => [
          code(name),
          code(type),
          cell(description),
        ]),
      ),
    ],
    ['Properties of an agent', properties(classMembers(agent, 'Agent').members, agent)],
    ['Methods of an agent', methods(agent, 'Agent')],
    ['Stored sessions', methods(source('src/page/client/agent-sessions.ts'), 'AgentSessions')],
    [
      'Attributes',
      table(
        ['attribute', 'type', 'default', '', 'option of `createAgent`'],
        element.attributes.map((one) => [
          code(one.name),
          code(written(one.fieldName === 'layout' ? panel : agentOptions, one.type)),
          preset(one.default),
          cell(one.description),
          optionNames.has(one.fieldName) ? 'yes' : 'no',
        ]),
      ),
    ],
    [
      'Properties of the element',
      table(
        ['property', 'type', ''],
        element.members
          .filter(({ name }) => !attributes.has(name) && (!optionNames.has(name) || agentNames.has(name)))
          .map(({ name, type, description }) => [
            code(name),
            code(type),
            agentNames.has(name) && name !== 'sessions' ? asOnAgent('properties') : cell(description),
          ]),
      ),
    ],
    [
      'Methods of the element',
      table(
        ['method', ''],
        element.methods.map(({ name, signature, description }) => [
          code(signature),
          own.has(name) ? cell(description) : asOnAgent('methods'),
        ]),
      ),
    ],
    [
      'Events',
      table(
        ['event', 'class', '', 'fields'],
        element.events.map(({ name, type, description }) => [
          code(name),
          code(type),
          cell(description),
          fields(type === 'ToolAgentFeedbackEvent' ? feedback : events, type),
        ]),
      ),
    ],
    [
      'Events of an agent',
      table(
        ['event', '', '', 'fields'],
        [
          ...agentEvents(source('src/core/data/event.ts'), 'DurableEvent', 'durable'),
          ...agentEvents(source('src/core/data/event.ts'), 'TransientEvent', 'transient'),
        ],
      ),
    ],
    ['Options of createRelay', serverOptions('src/relay/create-relay.ts', 'RelayOptions')],
    ['Upstreams of a relay', serverOptions('src/relay/create-relay.ts', 'Upstream')],
    ['Limits of a relay', serverOptions('src/relay/create-relay.ts', 'RelayLimits')],
    ['Options of SessionServer', serverOptions('src/server/session-server.ts', 'SessionServerOptions')],
    ['Limits of a server', serverOptions('src/server/session-server.ts', 'ServerLimits')],
    ['Hooks of a server', serverOptions('src/server/session-server.ts', 'SessionServerHooks')],
    ['Methods of SessionServer', methods(source('src/server/session-server.ts'), 'SessionServer')],
    ['Options of upgradeHandler', serverOptions('src/server/upgrade.ts', 'UpgradeOptions')],
    ['Options of uploadHandler', serverOptions('src/server/upload.ts', 'UploadOptions')],
    [
      'Methods of sqliteStore',
      table(['method', ''], methodRows(source('src/host/store/sqlite/sqlite-store.ts'), 'SqliteStore')),
    ],
    [
      'Methods of postgresStore',
      table(['method', ''], methodRows(source('src/host/store/postgres/postgres-store.ts'), 'PostgresStore')),
    ],
    [
      'Functions for storeConformance',
      table(['function', ''], methodRows(source('src/testing/store/conformance.ts'), 'StoreHarness')),
    ],
    ['Why a turn ended', table(['reason', ''], documentedValues(messages, 'Reason'))],
    ['Error codes', errorCodes(source('src/core/data/failure.ts'), english)],
  ])
}

/** The methods and properties of an interface. @param {Source} file @param {string} name */
const methodRows = (file, name) =>
  declaration(file, name, 'TSInterfaceDeclaration').node['body'].body.map((/** @type {Node} */ one) => [
    code(
      one.type === 'TSPropertySignature'
        ? one['key'].name
        : `${one['key'].name}(${one['params'].map((/** @type {Node} */ param) => param['name']).join(', ')})`,
    ),
    cell(parseDoc(file.docOf(one)).text),
  ])

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, tables] of /** @type {const} */ ([
    ['docs/reference.md', await referenceTables()],
    ['docs/languages.md', await languageTables()],
  ])) {
    const page = join(fileURLToPath(new URL('..', import.meta.url)), name)
    writeFileSync(page, withTables(readFileSync(page, 'utf8'), tables))
  }
}
