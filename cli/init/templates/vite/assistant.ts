// The assistant of this page: defines <tool-agent> and registers the tools.
import 'tool-agent'
import { addNote, findNotes } from './tools'

document.querySelector('tool-agent')?.registerTool([findNotes, addNote])
