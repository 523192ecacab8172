// The definition of page_scroll, as models see it. It never asks the user.
import type { Tool } from '../../page/tools/tool.js'
import { runPageScroll, type Scrolled } from './scroll.js'

function positionOf({ end, percent, byWheel, isAcross }: Scrolled): string {
  if (byWheel) return 'It moves with the wheel of the mouse, so its ends are not known.'
  const ends = isAcross ? 'left and right' : 'top and bottom'
  if (end === 'both') return `There is nothing more to scroll: ${ends} are visible.`
  if (end === 'left' || end === 'right') return `The ${end} end is reached.`
  return end === null ? `Neither end is reached (at ${percent} %).` : `The ${end} is reached.`
}

function searchOf({ found, stopped, end }: Scrolled): string[] {
  if (found === undefined) return []
  if (found) return ['The text was found and is visible.']
  if (stopped) return ['The text was not found before the time limit. Call again to search further, or use page_read.']
  return [
    `The text was not found${end === null ? '' : ', and the search has reached the end'}. ` +
      'Check the words with page_read, or search in the other direction.',
  ]
}

/** `page_scroll`. It asks nobody, because scrolling only shows what a person could see as well. */
export const pageScroll: Tool<Record<string, unknown>, Scrolled> = {
  name: 'page_scroll',
  title: 'Scroll the page',
  description: 'Scrolls the page or a box. Returns what is visible now, what changed, and whether it is the end.',
  inputSchema: {
    type: 'object',
    properties: {
      to: {
        type: 'string',
        enum: ['top', 'bottom', 'up', 'down', 'left', 'right'],
        description: 'Default: down, by a screen.',
      },
      target: { type: 'string', description: 'Ref or name in the box. Default: the page.' },
      text: { type: 'string', description: 'Scroll until it is visible.' },
    },
  },
  annotations: { untrustedContentHint: true },
  timeout: 45_000,
  exclusive: true,
  execute: runPageScroll,
  toModelOutput: ({ output }) =>
    [
      `Scrolled ${output.scrolled}. ${positionOf(output)}`,
      ...searchOf(output),
      ...(output.changed ? [output.changes] : []),
      output.visible === '' ? 'Nothing readable is visible there.' : `visible now:\n${output.visible}`,
    ].join('\n'),
}
