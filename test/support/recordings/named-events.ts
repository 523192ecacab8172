// What the recordings of the Messages API and the Responses API share: each event has a type, which its server also
// writes in a line before the data, and one file may contain several answers.
import { parseJson, type JsonObject } from '../../../src/core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../src/core/data/model.js'
import { corpusFiles } from '../lab/corpora.js'
import { forms, formName, type Form, type Recording } from '../lab/streams.js'

/** A form with the name of each event in a line before its data, as the servers send it, or without. */
export interface NamedForm extends Form {
  readonly named: boolean
}
export const namedForms: readonly NamedForm[] = forms.flatMap((form) => [
  { ...form, named: true },
  { ...form, named: false },
])
export const namedFormName = (form: NamedForm): string => `${formName(form)}${form.named ? ' with names' : ''}`

/** The type of an event. */
export function typeOf(line: string): string {
  return String((JSON.parse(line) as JsonObject)['type'])
}

/** The recorded streams, one for each file. */
export const streamFiles: readonly Recording[] = corpusFiles('streams', '.chunks.txt').map(({ name, read }) => ({
  name,
  events: read()
    .split('\n')
    .filter((line) => line.trim() !== ''),
}))

/** One answer each: a file with several answers in a row becomes several recordings. */
export function answersIn(files: readonly Recording[], isEnd: (line: string) => boolean): Recording[] {
  return files.flatMap(({ name, events }) => {
    const ends = [...events.keys()].filter((index) => isEnd(events[index]!))
    return ends.map((end, index) => ({
      name: `${name} #${index + 1}`,
      events: events.slice(index === 0 ? 0 : ends[index - 1]! + 1, end + 1),
    }))
  })
}

/** The answers that are not streamed and have this value in this field. */
export function wholesWith(field: string, value: string): { readonly name: string; readonly text: string }[] {
  return corpusFiles('streams', '.json')
    .map((file) => ({ name: file.name, text: file.read() }))
    .filter(({ text }) => (parseJson(text) as JsonObject)[field] === value)
}

/** Events as bytes. */
export function namedBytes(events: readonly string[], { newline, comments, named }: NamedForm): Uint8Array {
  const frames = events.map((data) => {
    const comment = comments ? `: keep-alive${newline}${newline}` : ''
    const event = named ? `event: ${typeOf(data)}${newline}` : ''
    return `${comment}${event}data: ${data}${newline}${newline}`
  })
  return new TextEncoder().encode(frames.join(''))
}

/** A request with one message. */
export const plainRequest = (model: string): ModelRequest => ({
  model,
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: 'auto',
})

/** The parts of an answer, and the code of the error that ended it. */
export async function partsOf(
  adapter: ModelAdapter,
  request: ModelRequest,
): Promise<{ parts: ModelPart[]; error?: string }> {
  const parts: ModelPart[] = []
  try {
    for await (const part of adapter.stream(request, new AbortController().signal)) parts.push(part)
  } catch (thrown) {
    return { parts, error: String((thrown as { code?: unknown }).code) }
  }
  return { parts }
}
