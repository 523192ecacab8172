// The definitions of the tools that only read, as models see them.
import { internals } from '../../core/data/tool.js'
import type { Tool } from '../../page/tools/tool.js'
import { implementation, loadGlass } from './load-code.js'

/** `page_read`. */
export const pageRead: Tool = {
  name: 'page_read',
  title: 'Read the page',
  description: 'Outlines the visible page: role, name, [ref], states, value. Other tools take refs.',
  inputSchema: {
    type: 'object',
    properties: {
      scope: { type: 'string', description: 'A part: ref, name, role or CSS selector.' },
      filter: {
        type: 'string',
        description: 'interactive, links (all addresses), headings, text, tables, or words to find.',
      },
      maxChars: { type: 'integer', description: '500 to 40000, default 12000.' },
      cursor: { type: 'string', description: 'Of the last line, for the rest.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  // What took too long once takes too long again.
  maxRetries: 0,
  [internals]: {
    repeatsAsChanges: true,
    readsPage: async () => {
      const { readPage } = await implementation()
      return () => {
        const { redact, hidden } = readPage()
        // Without a tool that fills forms, nobody needs their names.
        return { redact, hidden }
      }
    },
    glass: loadGlass,
  },
  execute: async (input, run) => (await implementation()).runPageRead(input, run),
}

/** `dom_query`. */
export const domQuery: Tool = {
  name: 'dom_query',
  title: 'Find on the page',
  description: 'Finds elements by all that is given: ref, states, visibility. For an overview use page_read.',
  inputSchema: {
    type: 'object',
    properties: {
      selector: { type: 'string', description: 'CSS.' },
      role: { type: 'string' },
      name: { type: 'string' },
      label: { type: 'string', description: 'Of a field.' },
      text: { type: 'string' },
      attributes: { type: 'array', items: { type: 'string' }, description: 'Returned, too.' },
      limit: { type: 'integer', description: 'Default: 20.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  // What took too long once takes too long again.
  maxRetries: 0,
  execute: async (input, run) => (await implementation()).runDomQuery(input, run),
}

/** `form_read`. */
export const formRead: Tool = {
  name: 'form_read',
  title: 'Read the form',
  description:
    'Lists form fields: label, ref, type, value, constraints, options, group, error. ' +
    'Of passwords, cards and codes only whether they are filled.',
  inputSchema: {
    type: 'object',
    properties: {
      form: { type: 'string', description: 'Name, ref or CSS selector.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  // What took too long once takes too long again.
  maxRetries: 0,
  execute: async (input, run) => (await implementation()).runFormRead(input, run),
}

/** `page_wait`. It has no timeout of its own: `seconds` is the limit. */
export const pageWait: Tool = {
  name: 'page_wait',
  title: 'Wait for the page',
  description: 'Waits until all that is given holds.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      gone: { type: 'string', description: 'Text no longer visible.' },
      role: { type: 'string' },
      name: { type: 'string' },
      url: { type: 'string', description: 'Part of the URL.' },
      still: { type: 'boolean', description: 'No change for half a second.' },
      seconds: { type: 'number', description: 'Up to 60, default 10.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 0,
  execute: async (input, run) => (await implementation()).runPageWait(input, run),
}
