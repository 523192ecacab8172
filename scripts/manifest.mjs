// Makes custom-elements.json, the types of the elements for React, Vue and Svelte, and the tables of docs/theming.md
// from the doc tags (@slot, @csspart, @cssproperty, @fires) and the types of the sources. scripts/build.mjs writes the
// first two into dist/; `node scripts/manifest.mjs` writes the tables. A test compares all of it with the code. A
// script of our own, because the usual analyzer brings its own compiler and does not know properties that a class
// defines from tables.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {{ name: string, description: string, default?: string }} Documented
 * @typedef {Documented & { type: string, isReadonly: boolean, throws?: string }} Member
 * @typedef {Documented & { type: string, fieldName: string }} Attribute
 * @typedef {{ name: string, description: string, type: string, signature: string }} Method
 * @typedef {{
 *   tagName: string, className: string, module: string, description: string, attributes: Attribute[],
 *   members: Member[], methods: Method[], events: (Documented & { type: string })[], slots: Documented[],
 *   parts: Documented[], properties: Documented[],
 * }} ElementDocs
 * @typedef {Record<string, any>} Node
 */

/** A source file with its syntax tree and its doc comments. @param {string} path */
export function source(path) {
  const code = readFileSync(join(root, path), 'utf8')
  const { program, comments, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  return {
    code,
    body: /** @type {Node[]} */ (program.body),
    /** The text of the doc comment directly above a node, without its stars. @param {Node} node */
    docOf(node) {
      const found = docs.findLast(({ end }) => end <= node['start'])
      // A member of a union follows its `|`.
      if (found === undefined || !/^[\s|]*$/.test(code.slice(found.end, node['start']))) return ''
      return found.value.replaceAll(/^[ \t]*\* ?/gm, '').trim()
    },
    /** The source text of a node on one line. @param {Node | undefined} node */
    text: (node) => (node === undefined ? '' : code.slice(node['start'], node['end']).replaceAll(/\s+/g, ' ')),
  }
}

/** @typedef {ReturnType<typeof source>} Source */

/**
 * The declaration of a name, also of an exported one, with the node that has its comment.
 * @param {Source} file @param {string} name @param {string} [type]
 */
export function declaration(file, name, type) {
  for (const statement of file.body) {
    const declared = statement['declaration'] ?? statement
    const id = declared.id ?? declared.declarations?.[0]?.id
    if (id?.name === name && (type === undefined || declared.type === type)) return { outer: statement, node: declared }
  }
  throw new Error(`there is no declaration of ${name}`)
}

/** A doc comment as its text and its tags. A tag continues on the lines after it. @param {string} doc */
export function parseDoc(doc) {
  const [text = '', ...tags] = doc.split(
    /(?:^|\s)(?=@(?:slot|csspart|cssproperty|fires|default|throws|returns|param|internal)\b)/,
  )
  return {
    text: oneLine(text),
    tags: tags.map((tag) => {
      const [, name = '', rest = ''] = /^@(\w+)\s*([^]*)$/.exec(tag) ?? []
      return { name, text: oneLine(rest) }
    }),
  }
}

/** @param {string} text */
const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim()

/** The tags of one kind as names with descriptions. @param {string} doc @param {string} kind */
function tagged(doc, kind) {
  return parseDoc(doc)
    .tags.filter(({ name }) => name === kind)
    .map(({ text }) => {
      const [, bracket, plain, type, description] = /^(?:\[([^\]]+)\]|(\S+))(?: \{(\w+)\})? - (.*)$/.exec(text) ?? []
      const [name = '', ...rest] = (bracket ?? plain ?? '').split('=')
      if (name === '' || !description) throw new Error(`@${kind} ${text}: expected “name - description”`)
      return { name, description, type: type ?? '', ...(rest.length > 0 ? { default: rest.join('=') } : {}) }
    })
}

/** The names of a constant array of strings. @param {Source} file @param {string} name @returns {string[]} */
function namesIn(file, name) {
  let { init } = declaration(file, name).node['declarations'][0]
  while (init.expression) init = init.expression
  const list = init.type === 'ObjectExpression' ? init.properties : init.elements
  return list
    .map((/** @type {Node} */ one) => one['value']?.value ?? one['value'] ?? one['key']?.name)
    .map((/** @type {unknown} */ value, /** @type {number} */ index) =>
      init.type === 'ObjectExpression' ? list[index].key.name : String(value),
    )
}

/**
 * The options of a table, with the fields that their entries have.
 * @param {Source} file @param {string} name @returns {{ name: string, fields: string[] }[]}
 */
const entriesOf = (file, name) =>
  declaration(file, name).node['declarations'][0].init.properties.map((/** @type {Node} */ one) => ({
    name: one['key'].name,
    fields: one['value'].properties.map((/** @type {Node} */ field) => field['key'].name),
  }))

/** The properties of an interface. @param {Source} file @param {string} name @returns {Member[]} */
export function interfaceMembers(file, name) {
  const { node } = declaration(file, name, 'TSInterfaceDeclaration')
  return node['body'].body
    .filter((/** @type {Node} */ member) => member['type'] === 'TSPropertySignature')
    .map((/** @type {Node} */ member) => {
      const { text, tags } = parseDoc(file.docOf(member))
      const preset = tags.find((tag) => tag.name === 'default')?.text
      const thrown = tags.find((tag) => tag.name === 'throws')?.text
      return {
        name: member['key'].name,
        type: file.text(member['typeAnnotation']?.typeAnnotation),
        description: text,
        isReadonly: member['readonly'] === true,
        ...(preset === undefined ? {} : { default: preset }),
        ...(thrown === undefined ? {} : { throws: thrown }),
      }
    })
}

/** The public methods and accessors of a class, without those marked as internal. @param {Source} file @param {string} name */
export function classMembers(file, name) {
  const { node } = declaration(file, name, 'ClassDeclaration')
  /** @type {Method[]} */
  const methods = []
  /** @type {Member[]} */
  const members = []
  const setters = new Set()
  for (const member of /** @type {Node[]} */ (node['body'].body)) {
    if (member['key']?.type !== 'Identifier' || member['static'] || member['accessibility'] === 'protected') continue
    const key = member['key'].name
    const doc = file.docOf(member)
    if (member['kind'] === 'set') setters.add(key)
    if (/@internal/.test(doc) || doc === '') continue
    const { text, tags } = parseDoc(doc)
    const returned = tags.find((tag) => tag.name === 'returns')?.text
    const thrown = tags.find((tag) => tag.name === 'throws')?.text
    const description = [
      text,
      returned === undefined ? '' : ` Returns ${lowered(returned)}`,
      thrown === undefined ? '' : ` Throws ${thrown.replace(/^ToolAgentError /, '').replace(/\.?$/, '.')}`,
    ].join('')
    const { returnType, params = [] } = member['value'] ?? {}
    const type = file.text(returnType?.typeAnnotation)
    if (member['kind'] === 'get') members.push({ name: key, type, description, isReadonly: true })
    else if (member['kind'] === 'method' && !methods.some((one) => one.name === key)) {
      const signature = params.map((/** @type {Node} */ one) => (one['left'] ?? one)['name'] ?? 'options').join(', ')
      methods.push({ name: key, description, type, signature: `${key}(${signature})` })
    } else if (member['type'] === 'PropertyDefinition') {
      members.push({
        name: key,
        type: file.text(member['typeAnnotation']?.typeAnnotation),
        description,
        isReadonly: true,
      })
    }
  }
  return { methods, members: members.map((one) => ({ ...one, isReadonly: !setters.has(one.name) })) }
}

/** @param {string} text */
const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1)

/** Names that every element has, or that only the browser calls. */
const lifecycle = new Set(['attributeChangedCallback', 'connectedCallback', 'disconnectedCallback'])

/** What the sources say about the elements. @returns {ElementDocs[]} */
export function elements() {
  const options = source('src/ui/element/element-options.ts')
  const agentOptions = interfaceMembers(source('src/page/options.ts'), 'AgentOptions')
  const settings = interfaceMembers(options, 'Settings')
  const element = source('src/ui/element/agent-element.ts')
  const agent = classMembers(source('src/page/agent.ts'), 'Agent')
  const own = classMembers(element, 'AgentElement')
  const entries = [
    ...entriesOf(source('src/page/option-table.ts'), 'agentOptions'),
    ...entriesOf(options, 'panelOptions'),
  ]
  const onElement = entries.filter(({ fields }) => !fields.includes('isOfAgentOnly'))
  const namesWith = (/** @type {boolean} */ has) =>
    onElement.filter(({ fields }) => fields.includes('attribute') === has).map(({ name }) => name)
  const [withAttribute, withoutAttribute] = [namesWith(true), namesWith(false)]
  const properties = [...withAttribute, ...withoutAttribute].map((name) => found(name, [...settings, ...agentOptions]))
  const getters = namesIn(element, 'agentGetters').map((name) => found(name, agent.members))
  const main = source('src/ui/element/tool-agent-element.ts')
  const inspector = source('src/ui/inspector/inspector-element.ts')
  const inspectorMembers = interfaceMembers(source('src/ui/inspector/define.ts'), 'ToolAgentInspectorElement')
  return [
    {
      ...described(main, 'ToolAgentElement'),
      tagName: 'tool-agent',
      module: 'dist/tool-agent.js',
      attributes: properties
        .filter(({ name }) => withAttribute.includes(name))
        .map(({ isReadonly: _isReadonly, ...one }) => ({ ...one, name: hyphenated(one.name), fieldName: one.name })),
      members: [...properties, ...own.members, ...getters],
      methods: [
        ...namesIn(element, 'agentMethods').map((name) => found(name, agent.methods)),
        ...own.methods.filter(({ name }) => !lifecycle.has(name)),
      ],
    },
    {
      ...described(inspector, 'ToolAgentInspectorElement'),
      tagName: 'tool-agent-inspector',
      module: 'dist/inspector.js',
      attributes: inspectorMembers
        .filter(({ name }) => name !== 'agent')
        .map(({ isReadonly: _isReadonly, ...one }) => ({ ...one, fieldName: one.name })),
      members: inspectorMembers,
      methods: [],
    },
  ]
}

/** @template {{ name: string }} T @param {string} name @param {readonly T[]} list */
function found(name, list) {
  const one = list.find((item) => item.name === name)
  if (one === undefined) throw new Error(`${name} has no docstring in its class or interface`)
  return one
}

/** The part of the docs that the doc comment of a class has. @param {Source} file @param {string} className */
function described(file, className) {
  const doc = file.docOf(declaration(file, className).outer)
  /** @param {string} kind @returns {Documented[]} */
  const named = (kind) => tagged(doc, kind).map(({ type: _type, ...one }) => one)
  return {
    className,
    description: parseDoc(doc).text,
    events: tagged(doc, 'fires'),
    slots: named('slot'),
    parts: named('csspart'),
    properties: named('cssproperty'),
  }
}

/** @param {string} name */
const hyphenated = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

// --- custom-elements.json ----------------------------------------------------------------------------------------

/** The manifest, as https://github.com/webcomponents/custom-elements-manifest describes it. @param {ElementDocs[]} all */
export function manifestOf(all) {
  return {
    schemaVersion: '1.0.0',
    readme: 'README.md',
    modules: all.map(({ tagName, className, module, ...one }) => ({
      kind: 'javascript-module',
      path: module,
      declarations: [
        {
          kind: 'class',
          customElement: true,
          name: className,
          tagName,
          description: one.description,
          superclass: { name: 'HTMLElement' },
          attributes: one.attributes.map(({ type, ...attribute }) => ({ ...attribute, type: { text: type } })),
          members: [
            ...one.members.map(({ type, isReadonly, ...member }) => ({
              kind: 'field',
              ...member,
              type: { text: type },
              ...(isReadonly ? { readonly: true } : {}),
            })),
            ...one.methods.map(({ name, description, type }) => ({
              kind: 'method',
              name,
              description,
              return: { type: { text: type } },
            })),
          ],
          events: one.events.map(({ type, ...event }) => ({ ...event, type: { text: type } })),
          slots: one.slots,
          cssParts: one.parts,
          cssProperties: one.properties,
        },
      ],
      exports: [
        { kind: 'js', name: className, declaration: { name: className, module } },
        { kind: 'custom-element-definition', name: tagName, declaration: { name: className, module } },
      ],
    })),
  }
}

// --- Types for frameworks ----------------------------------------------------------------------------------------

/** The declaration files by their path in dist/types/. @param {ElementDocs[]} all */
export function frameworkTypes(all) {
  const classes = all.map(({ className, module }) => ({
    className,
    entry: module.includes('inspector') ? './inspector.js' : './index.js',
  }))
  const events = all.flatMap((one) => one.events.map(({ type }) => type))
  const imports = [
    `import type { ${[...classes.filter((one) => one.entry === './index.js').map((one) => one.className), ...events].join(', ')} } from './index.js'`,
    `import type { ${classes.filter((one) => one.entry !== './index.js').map((one) => one.className)} } from './inspector.js'`,
  ].join('\n')
  const inputs = all.map(inputsOf).join('\n')
  const header = '// Generated by scripts/manifest.mjs from the doc tags of the elements.\n'
  /** The events as members whose names a framework derives. @param {ElementDocs} one @param {(name: string) => string} nameOf */
  const listeners = (one, nameOf) =>
    one.events
      .map(
        ({ name, type, description }) =>
          `  /** ${description} */\n  '${nameOf(name)}'?: ((event: ${type}) => void) | undefined`,
      )
      .join('\n')
  /** @param {(name: string) => string} nameOf @param {string} framework */
  const listenerTypes = (nameOf, framework) =>
    all
      .map(
        (one) =>
          `/** The events of \`<${one.tagName}>\` in ${framework}. */\nexport interface ${one.className}Listeners {\n${listeners(one, nameOf)}\n}\n`,
      )
      .join('\n')
  const propsImport = `import type { ${all.map((one) => `${one.className}Props`).join(', ')} } from './element-props.js'`
  const tags = (/** @type {(one: ElementDocs) => string} */ type, /** @type {string} */ indent) =>
    all.map((one) => `${indent}'${one.tagName}': ${type(one)}`).join('\n')
  return {
    'element-props.d.ts': `${header}${imports.replace(/, ToolAgent\w+Event/g, '')}\n\n${inputs}`,
    'jsx.d.ts': `${header}import type { DetailedHTMLProps, HTMLAttributes } from 'react'
${imports}
${propsImport}

${listenerTypes((name) => `on${name}`, 'React 19')}
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${tags((one) => `DetailedHTMLProps<HTMLAttributes<${one.className}>, ${one.className}> & ${one.className}Props & ${one.className}Listeners`, '      ')}
    }
  }
}
`,
    'vue-elements.d.ts': `${header}import type { HTMLAttributes, ReservedProps } from 'vue'
${imports.split('\n')[0]?.replace(/\bToolAgentElement, /, '')}
${propsImport}

${listenerTypes(
  (name) =>
    `on${name
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')}`,
  'Vue',
)}
declare module 'vue' {
  interface GlobalComponents {
${tags((one) => `new () => { $props: HTMLAttributes & ReservedProps & ${one.className}Props & ${one.className}Listeners }`, '    ')}
  }
}
`,
    'svelte.d.ts': `${header}import type { HTMLAttributes } from 'svelte/elements'
${imports}
${propsImport}

${listenerTypes((name) => `on${name}`, 'Svelte 5')}
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${tags((one) => `HTMLAttributes<${one.className}> & ${one.className}Props & ${one.className}Listeners`, '    ')}
  }
}
`,
  }
}

/** The attributes and settable properties of an element as an interface. @param {ElementDocs} one */
function inputsOf({ tagName, className, attributes, members }) {
  const lines = members
    .filter(({ isReadonly }) => !isReadonly)
    .flatMap(({ name, description }) => {
      const attribute = attributes.find(({ fieldName }) => fieldName === name)?.name
      const type = `${className}['${name}'] | undefined`
      const text = `  /** ${description === '' ? name : description} */\n`
      return attribute === undefined || attribute === name
        ? [`${text}  ${name}?: ${type}`]
        : [`${text}  ${name}?: ${type}`, `${text}  '${attribute}'?: ${type}`]
    })
  return `/** The attributes and properties of \`<${tagName}>\`. */\nexport interface ${className}Props {\n${lines.join('\n')}\n}\n`
}

// --- The tables of docs/theming.md -------------------------------------------------------------------------------

/** The tables by the heading above them. @param {ElementDocs[]} all @returns {Map<string, string[]>} */
export function themingTables(all) {
  const [main] = all
  if (main === undefined) throw new Error('there is no element')
  /** @param {string} text */
  const cell = (text) => text.replaceAll('|', '\\|')
  /** @param {readonly Documented[]} rows */
  const plain = (rows) => rows.map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`)
  return new Map([
    [
      'Custom properties',
      [
        '| property | default | |',
        '|---|---|---|',
        ...main.properties.map(
          ({ name, default: preset = '', description }) =>
            `| \`${name}\` | ${preset && `\`${preset}\``} | ${cell(description)} |`,
        ),
      ],
    ],
    ['Parts', ['| part | |', '|---|---|', ...plain(main.parts)]],
    ['Slots', ['| slot | |', '|---|---|', ...plain(main.slots)]],
  ])
}

/**
 * A page with its tables replaced. Throws if a heading has no table.
 * @param {string} markdown @param {ReadonlyMap<string, readonly string[]>} tables by the heading above them
 */
export function withTables(markdown, tables) {
  let lines = markdown.split('\n')
  for (const [heading, table] of tables) {
    const start = lines.findIndex((line) => /^##+ /.test(line) && line.replace(/^#+ /, '') === heading)
    const first = start < 0 ? -1 : lines.findIndex((line, index) => index > start && line.startsWith('|'))
    if (first < 0) throw new Error(`there is no table below the heading '${heading}'`)
    let end = first
    while (lines[end]?.startsWith('|')) end++
    lines = [...lines.slice(0, first), ...table, ...lines.slice(end)]
  }
  return lines.join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = join(root, 'docs/theming.md')
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), themingTables(elements())))
}
