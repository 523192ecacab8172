// What the assistant can do: one tool that reads, and one that asks the visitor first. Replace them with functions of your
// own; node_modules/tool-agent/docs/tools.md has everything that a tool can do.
import { defineTool } from 'tool-agent/agent'

const key = 'assistant-notes'
const notes = () => (localStorage.getItem(key) ?? '').split('\n').filter(Boolean)

/** `readOnlyHint`: it changes nothing, so nobody is asked. */
export const findNotes = defineTool({
  name: 'find_notes',
  title: 'Find notes',
  description: 'Finds the notes of the visitor by a part of their text. Without a query it returns all notes.',
  inputSchema: { type: 'object', properties: { query: { type: 'string', default: '' } } },
  annotations: { readOnlyHint: true },
  execute: ({ query = '' }) => notes().filter((note) => note.toLowerCase().includes(query.toLowerCase())),
})

/** `needsApproval`: the panel shows the call and waits for the visitor. */
export const addNote = defineTool({
  name: 'add_note',
  title: 'Add a note',
  description: 'Adds a note with this text to the notes of the visitor. Returns all notes.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  needsApproval: true,
  execute: ({ text }) => {
    localStorage.setItem(key, [...notes(), text.replaceAll('\n', ' ')].join('\n'))
    return notes()
  },
})
