// page_read: the outline, a page at a time. What the first page began is kept, so that a cursor goes on in the same
// reading: nothing twice, nothing left out, and an end, however the page changes.
import { ToolAgentError } from '../../core/data/errors.js'
import type { Tool } from '../../page/tools/tool.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import { currentPage } from '../dom/dom.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import type { OutlineItem } from './outline.js'
import { outline } from './outline.js'
import {
  redactItems,
  numberArgument,
  takeSnapshot,
  takePartialSnapshot,
  textArgument,
  redactSecrets,
} from '../dom/page-snapshot.js'

interface Kept {
  readonly items: readonly OutlineItem[]
  readonly head: string
}
const kept = new Map<string, Kept>()
const mostKept = 4
let readings = 0

const kinds = new Map<string, readonly OutlineItem['kind'][]>([
  ['interactive', ['control']],
  ['controls', ['control']],
  ['headings', ['heading']],
  ['text', ['text', 'heading']],
  ['tables', ['table']],
])

/** The items that fit and the parts they stand in. */
function filtered(items: readonly OutlineItem[], filter: string): OutlineItem[] {
  const wanted = kinds.get(filter.toLowerCase())
  const words = toComparable(filter)
  const fits = (item: OutlineItem): boolean =>
    wanted ? wanted.includes(item.kind) : toComparable(item.line).includes(words)
  const found: OutlineItem[] = []
  let shallowest = -1
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (!item) continue
    if (fits(item)) {
      found.push(item)
      shallowest = item.depth
    } else if (item.depth < shallowest) {
      if (item.kind === 'container') found.push(item)
      shallowest = item.depth
    }
  }
  return found.reverse()
}

/** The parts an item stands in, to head a later page with. */
function above(items: readonly OutlineItem[], start: number): string[] {
  const lines: string[] = []
  let depth = items[start]?.depth ?? 0
  for (let index = start - 1; index >= 0 && depth > 0; index--) {
    const item = items[index]
    if (item && item.depth < depth) {
      lines.push(`${'  '.repeat(item.depth)}${item.line} (continued)`)
      depth = item.depth
    }
  }
  return lines.reverse()
}

function linesFrom(id: string, { items, head }: Kept, start: number, maxChars: number): string {
  const lines = [head, ...above(items, start)]
  let length = lines.join('\n').length
  let index = start
  for (; index < items.length; index++) {
    const item = items[index]
    if (!item) break
    const line = '  '.repeat(item.depth) + item.line
    if (index > start && length + line.length + 1 > maxChars) break
    lines.push(line)
    length += line.length + 1
  }
  if (items.length === 0) lines.push('(nothing visible)')
  if (index < items.length)
    lines.push(
      `(items ${start + 1} to ${index} of ${items.length}; for the rest call page_read with cursor "${id}.${index}")`,
    )
  return lines.join('\n')
}

export const pageRead: Tool = {
  name: 'page_read',
  title: 'Read the page',
  description:
    'Returns an outline of what is visible on the page: role, name, [ref], states, value. Dialogs come first. ' +
    'Pass the refs to other tools. Narrow a long page with scope or filter, or read on with the cursor in the last line.',
  inputSchema: {
    type: 'object',
    properties: {
      scope: {
        type: 'string',
        description: 'Part of the page: a ref such as e12, a name, a role such as main, or a CSS selector.',
      },
      filter: {
        type: 'string',
        description: 'interactive (controls and links), headings, text, tables, or words that items must contain.',
      },
      maxChars: {
        type: 'integer',
        minimum: 500,
        maximum: 40_000,
        description: 'Maximum length of the result. Default: 12000.',
      },
      cursor: {
        type: 'string',
        description: 'From the last line of an earlier result, to read on. Omit scope and filter.',
      },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  async execute(input, run) {
    const maxChars = numberArgument(input['maxChars'], 500, 40_000, 12_000)
    const cursor = textArgument(input['cursor'])
    if (cursor !== undefined) {
      const [id = '', start = ''] = cursor.split('.')
      const found = kept.get(id)
      if (!found || !/^\d+$/.test(start) || Number(start) >= found.items.length)
        throw new ToolAgentError(
          'invalid-input',
          `The cursor ${truncate(normalizeText(cursor), 40)} is unknown or expired. Call page_read without it.`,
        )
      return linesFrom(id, found, Number(start), maxChars)
    }
    const scope = textArgument(input['scope'])
    const filter = textArgument(input['filter'])
    const { snapshot, part: root } =
      scope === undefined
        ? { snapshot: takeSnapshot(run), part: currentPage().body }
        : await takePartialSnapshot(run, scope)
    const fields = snapshot.fields()
    const { items, whole } = outline({ root, visibility: snapshot.visibility, refs: snapshot.refs, fields })
    const all = redactItems(items, fields)
    const { innerWidth: width, innerHeight: height } = window
    const head =
      redactSecrets(
        `page ${JSON.stringify(normalizeText(currentPage().title))} ${redactedUrl(location.href)}`,
        fields,
      ) +
      (scope === undefined
        ? ` (${Math.max(1, Math.ceil(currentPage().documentElement.scrollHeight / Math.max(1, height)))} screens of ${width} x ${height})`
        : ` scope ${JSON.stringify(normalizeText(truncate(scope, 80)))}`) +
      (whole ? '' : ' (only the start of the page: use scope)')
    const id = `r${++readings}`
    const record: Kept = { items: filter === undefined ? all : filtered(all, filter), head }
    const answer = linesFrom(id, record, 0, maxChars)
    if (answer.includes(`cursor "${id}.`)) {
      kept.set(id, record)
      for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - mostKept))) kept.delete(old)
    }
    return answer
  },
}
