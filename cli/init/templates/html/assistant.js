// The assistant of this page. The server passes /tool-agent/ on to node_modules/tool-agent/dist/; copy that folder to the
// same place of your site.
import '/tool-agent/tool-agent.js'
import { addNote, findNotes } from './tools.js'

document.querySelector('tool-agent').registerTool([findNotes, addNote])
