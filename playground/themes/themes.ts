// The theme editor: edits the custom properties of the panel beside it, warns about low contrast, and exports the CSS.
import '../../src/index.js'
import type { ToolAgentElement } from '../../src/index.js'
import { h } from '../shared/dom.js'

/** The colour roles with their defaults in light and dark. */
const colours = new Map<string, readonly [light: string, dark: string]>([
  ['background', ['#ffffff', '#18191c']],
  ['surface', ['#f4f5f7', '#232529']],
  ['text', ['#1c2027', '#e6e8ed']],
  ['muted', ['#5b6270', '#a0a7b4']],
  ['border', ['#dfe2e8', '#363940']],
  ['accent', ['#2f5bd0', '#8fb0ff']],
  ['on-accent', ['#ffffff', '#0e1526']],
  ['good', ['#1b7f4b', '#6fcf97']],
  ['warn', ['#94600a', '#e9b85c']],
  ['bad', ['#b3261e', '#ff9a90']],
  ['user-background', ['#e6ebf9', '#252b39']],
  ['user-text', ['#1c2027', '#e6e8ed']],
  ['code-background', ['#f4f5f7', '#232529']],
  ['link', ['#2f5bd0', '#8fb0ff']],
  ['focus-ring', ['#2f5bd0', '#8fb0ff']],
])
/** The numbers with their default, smallest and largest value, step and unit. */
const numbers = new Map<string, readonly [preset: number, min: number, max: number, step: number, unit: string]>([
  ['font-size', [0.9375, 0.75, 1.25, 0.0625, 'rem']],
  ['radius', [14, 0, 32, 1, 'px']],
  ['radius-box', [10, 0, 24, 1, 'px']],
  ['radius-control', [9, 0, 24, 1, 'px']],
  ['density', [1, 0.6, 1.4, 0.05, '']],
])
/** Text and background that must contrast by 4.5 to 1. */
const pairs = [
  ['text', 'background'],
  ['text', 'surface'],
  ['muted', 'background'],
  ['muted', 'surface'],
  ['accent', 'background'],
  ['on-accent', 'accent'],
  ['good', 'background'],
  ['warn', 'background'],
  ['bad', 'background'],
  ['link', 'background'],
  ['user-text', 'user-background'],
] as const
const presets = ['default', 'paper', 'graphite', 'bloom']
const schemes = { 'light dark': 'Light or dark, as your system', light: 'Light', dark: 'Dark' }

/** The values that differ from the defaults, by the name without its prefix. */
let theme = new Map<string, string>()
/** What else a theme of the package changes: the styles of parts. */
let rules = ''
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets.push(sheet)
const element = document.querySelector<ToolAgentElement>('tool-agent')!
const byId = (id: string): HTMLElement => document.getElementById(id)!

/** Both colours of a role. */
function colourOf(role: string): readonly [string, string] {
  const [, light, dark] = /^light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)$/i.exec(theme.get(role) ?? '') ?? []
  return light !== undefined && dark !== undefined ? [light, dark] : (colours.get(role) ?? ['#000000', '#ffffff'])
}

/** The relative luminance of a colour such as `#1c2027`, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Applies the theme, and shows its CSS and its warnings. */
function apply(): void {
  const lines = [...theme].map(([name, value]) => `  --tool-agent-${name}: ${value};`)
  const css = `tool-agent {\n${lines.join('\n')}\n}\n${rules}`
  sheet.replaceSync(css)
  byId('css').textContent = css
  const warnings = pairs.flatMap(([front, back]) =>
    (['light', 'dark'] as const).flatMap((scheme, index) => {
      const ratio = contrast(colourOf(front)[index] ?? '', colourOf(back)[index] ?? '')
      const text = `${front} on ${back} in ${scheme} has a contrast of ${ratio.toFixed(1)} to 1; 4.5 is needed.`
      return ratio < 4.5 ? [h('p', {}, text)] : []
    }),
  )
  byId('warnings').replaceChildren(...warnings)
}

/** Draws the controls for the values of the theme. */
function drawControls(preset: string): void {
  const choice = h('select', { name: 'preset' }, ...presets.map((name) => h('option', { value: name }, name)))
  choice.value = preset
  choice.addEventListener('change', () => void load(choice.value))
  const scheme = h(
    'select',
    { name: 'scheme' },
    ...Object.entries(schemes).map(([value, text]) => h('option', { value }, text)),
  )
  scheme.value = element.style.colorScheme || 'light dark'
  scheme.addEventListener('change', () => {
    element.style.colorScheme = scheme.value
  })
  const rows = [...colours.keys()].map((role) => {
    const inputs = colourOf(role).map((value, index) => {
      const name = `${role} in ${index === 0 ? 'light' : 'dark'}`
      const input = h('input', { type: 'color', value, 'aria-label': name })
      input.addEventListener('input', () => {
        const [light, dark] = inputs.map((one) => one.value)
        theme.set(role, `light-dark(${light}, ${dark})`)
        apply()
      })
      return input
    })
    return h('label', {}, role, ...inputs)
  })
  const ranges = [...numbers].map(([name, [start, min, max, step, unit]]) => {
    const value = String(theme.has(name) ? parseFloat(theme.get(name) ?? '') : start)
    const input = h('input', { type: 'range', min: String(min), max: String(max), step: String(step), value })
    input.addEventListener('input', () => {
      theme.set(name, `${input.value}${unit}`)
      apply()
    })
    return h('label', {}, name, input)
  })
  byId('controls').replaceChildren(
    h('label', {}, 'Start with', choice),
    h('label', {}, 'Show in', scheme),
    ...rows,
    ...ranges,
  )
}

/** Starts with a theme of the package, or with the defaults. */
async function load(preset: string): Promise<void> {
  // The development server answers with a script where the type is not asked for.
  const headers = { accept: 'text/css' }
  const css = preset === 'default' ? '' : await (await fetch(`../../themes/${preset}.css`, { headers })).text()
  const longColour = (value: string): string => value.replaceAll(/#([\da-f])([\da-f])([\da-f])\b/gi, '#$1$1$2$2$3$3')
  theme = new Map(
    [...css.matchAll(/--tool-agent-([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, longColour(value)]),
  )
  rules = /^:where\(tool-agent\)::part\([^]*/m.exec(css)?.[0].replaceAll(/^:where\(tool-agent\)/gm, 'tool-agent') ?? ''
  drawControls(preset)
  apply()
}

byId('copy').addEventListener('click', () => void navigator.clipboard.writeText(byId('css').textContent ?? ''))

const teapots = [
  { id: 'pot-betty', name: 'Brown Betty', litres: 1.1, price: 29 },
  { id: 'pot-glass', name: 'Glass teapot', litres: 0.6, price: 38 },
  { id: 'pot-kyoto', name: 'Kyoto teapot', litres: 0.8, price: 64 },
]
const compared = `Three teapots cost less than **€ 70**. I can put the *cheapest* into [your cart](./):

| Teapot | Litres | Price |
|:--|--:|--:|
${teapots.map(({ name, litres, price }) => `| ${name} | ${litres} | € ${price} |`).join('\n')}`
const added =
  'Done. Your theme, in case you want to keep it:\n\n```css\n/* An example */\ntool-agent { --tool-agent-radius: 8px }\n```'

/** A model in the page that always says the same, so that the preview has one of everything. */
element.modelAdapter = {
  async *stream({ messages }) {
    const text = function* (delta: string) {
      yield { type: 'text-start', id: 't' } as const
      yield { type: 'text-delta', id: 't', delta } as const
      yield { type: 'text-end', id: 't' } as const
    }
    const call = (toolName: string, input: object) =>
      ({ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }) as const
    const results = messages.slice(messages.findLastIndex(({ role }) => role === 'user')).filter(isResult).length
    if (results === 0) yield call('find_teapots', { maxPrice: 70 })
    if (results === 1) {
      yield* text(compared)
      yield call('add_to_cart', { product: 'Brown Betty', count: 1 })
    }
    if (results > 1) yield* text(added)
    yield { type: 'finish', finishReason: { unified: results > 1 ? 'stop' : 'tool-calls' } }
  },
}
element.registerTool([
  {
    name: 'find_teapots',
    title: 'Find teapots',
    description: 'Find teapots up to a price.',
    inputSchema: { type: 'object', properties: { maxPrice: { type: 'number', title: 'Up to (€)' } } },
    annotations: { readOnlyHint: true },
    summary: () => 'Found 3 teapots',
    execute: () => teapots,
  },
  {
    name: 'add_to_cart',
    title: 'Add to the cart',
    description: 'Put a product into the cart.',
    inputSchema: { type: 'object', properties: { product: { type: 'string' }, count: { type: 'integer' } } },
    needsApproval: true,
    execute: () => 'Added',
  },
])
element.suggestions = ['Find a teapot under 70 euros']
await load('default')
await converse()
document.documentElement.dataset['ready'] = ''

/** Begins a conversation with a card, a table and a question, in place of those of earlier visits. */
async function converse(): Promise<void> {
  const { agent } = element
  await agent.connect()
  const earlier = await agent.sessions.list()
  if (agent.messages.length > 0) await agent.sessions.create()
  for (const { id } of earlier) if (id !== agent.session?.id) await agent.sessions.delete(id)
  // Not awaited: the turn waits for the answer to its question.
  element.send('Put the cheapest teapot into my cart').catch(() => {
    // The panel shows why.
  })
}

function isResult({ role }: { readonly role: string }): boolean {
  return role === 'tool'
}
