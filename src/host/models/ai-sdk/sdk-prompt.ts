// Turns a model request into a prompt of the AI SDK. The shapes are almost the same: the system text becomes a message,
// files have the form of the specification, and metadata goes back only to the provider that attached it.
import { dropUndefined, isObject, type JsonObject } from '../../../core/data/json.js'
import type { Metadata, ModelContent } from '../../../core/data/message.js'
import type { ModelRequest, PromptAssistantPart, PromptToolResult } from '../../../core/data/model.js'
import { base64OfPercentEncoded } from '../http/data-url.js'
import type { AiSdkModel } from './sdk-model.js'

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'aiSdk'

type Model = Pick<AiSdkModel, 'specificationVersion' | 'provider'>
interface PromptFile {
  readonly mediaType: string
  readonly data: string
  readonly filename?: string
  readonly name?: string
}

/** The messages of a call. */
export function sdkPrompt({ system, messages }: ModelRequest, model: Model): unknown[] {
  const prompt: unknown[] = system.trim() === '' ? [] : [{ role: 'system', content: system }]
  for (const { role, content } of messages) {
    if (role === 'user')
      prompt.push({ role, content: content.map((part) => (part.type === 'text' ? part : userFile(part, model))) })
    else if (role === 'tool') prompt.push({ role, content: content.map((result) => toolResult(result, model)) })
    else {
      const parts = content.flatMap((part) => assistantPart(part, model.provider))
      if (parts.length > 0) prompt.push({ role, content: parts })
    }
  }
  return prompt
}

function assistantPart(part: PromptAssistantPart, provider: string): JsonObject[] {
  const own = ownMetadata(part.providerOptions, provider)
  // Reasoning of another provider would be refused, or read as text.
  if (part.type === 'reasoning' && own === undefined) return []
  if (part.type === 'text' && part.text.trim() === '' && own === undefined) return []
  const { providerOptions: _stored, ...rest } = part
  const metadata = own?.['metadata']
  const named = part.type === 'tool-call' ? { toolName: wireName(part.toolName) } : {}
  return [
    dropUndefined({ ...rest, ...named, providerOptions: isObject(metadata) ? metadata : undefined }) as JsonObject,
  ]
}

function toolResult({ toolCallId, toolName, output }: PromptToolResult, model: Model): unknown {
  const value =
    output.type === 'content'
      ? output.value.flatMap((part, index) => resultPart(part, index, output.value, model))
      : output.value
  return { type: 'tool-result', toolCallId, toolName: wireName(toolName), output: { type: output.type, value } }
}

/** A file follows after its label, which marks untrusted content. */
function resultPart(part: ModelContent[number], index: number, content: ModelContent, model: Model): unknown[] {
  if (part.type === 'text') return [part]
  const before = content[index - 1]
  const isLabelled = before?.type === 'text' && before.text === part.label
  return [...(part.label && !isLabelled ? [{ type: 'text', text: part.label }] : []), resultFile(part, model)]
}

function userFile(file: PromptFile, { specificationVersion }: Model): unknown {
  const { mediaType, url, base64 } = contentOf(file)
  const v4 = url ? { type: 'url', url } : { type: 'data', data: base64 }
  const data = specificationVersion === 'v3' ? (url ?? base64) : v4
  return dropUndefined({ type: 'file', mediaType, data, filename: file.filename ?? file.name })
}

function resultFile(file: PromptFile, model: Model): unknown {
  if (model.specificationVersion !== 'v3') return userFile(file, model)
  const { mediaType, url, base64 } = contentOf(file)
  const kind = mediaType.startsWith('image/') ? 'image' : 'file'
  if (url) return { type: `${kind}-url`, url: url.href }
  const filename = kind === 'file' ? (file.filename ?? file.name) : undefined
  return dropUndefined({ type: `${kind}-data`, data: base64, mediaType, filename })
}

function contentOf({ mediaType, data }: PromptFile): { mediaType: string; url?: URL; base64: string } {
  if (/^https?:/i.test(data) && URL.canParse(data)) return { mediaType, url: new URL(data), base64: '' }
  const [, type = '', encoding = '', payload] = /^data:([^;,]*)([^,]*),([^]*)$/i.exec(data) ?? []
  const isBase64 = payload === undefined || /;base64$/i.test(encoding)
  return { mediaType: mediaType || type, base64: isBase64 ? (payload ?? data) : base64OfPercentEncoded(payload) }
}

function ownMetadata(options: Metadata | undefined, provider: string): JsonObject | undefined {
  const own = options?.[metadataKey]
  return isObject(own) && own['provider'] === provider ? (own as JsonObject) : undefined
}

/** A tool name without characters that providers reject. Models invent such names. */
function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'missing_name'
}
