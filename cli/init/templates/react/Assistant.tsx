// The assistant: the panel, and the tools while it is mounted. A tool that belongs to one component can be there instead, with
// useTool.
import { ToolAgent, useTool } from 'tool-agent/react'
import { addNote, findNotes } from './tools'

export function Assistant() {
  useTool(findNotes)
  useTool(addNote)
  return (
    <ToolAgent endpoint="/models/openai" model="gpt-5-mini" pageTools="read fill" layout="floating" heading="Help" />
  )
}
