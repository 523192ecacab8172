// Turns a model request into a prompt of the AI SDK. The shapes are almost the same: the system text becomes a message,
// files have the form of the specification, and metadata goes back only to the provider that attached it.
import { dropUndefined, isObject, type JsonObject } from '../../../core/data/json.js'
import type { ModelRequest, PromptAssistantPart, PromptToolResult } from '../../../core/data/model.js'
import { base64Of, fileContent, labelled, type PromptFile } from '../request/files.js'
import { ownMetadata, wireName } from '../request/names.js'

// The types of the AI SDK that `fromAiSdk` uses, as far as it uses them. They are structural, so that no package of the
// SDK is needed.

/** The options of one call of an AI SDK model, as far as this adapter sets them. */
export interface AiSdkCallOptions {
  /** The messages, with the system text as the first one. */
  readonly prompt: readonly unknown[]
  /** The tools on offer; absent if there are none. */
  readonly tools?: readonly unknown[]
  /** Which tools the model may call; absent without tools. */
  readonly toolChoice?: unknown
  /** The form of the answer; absent for text. */
  readonly responseFormat?: unknown
  /** The stream also has each event as the provider sent it, which shows that the model is still at work. */
  readonly includeRawChunks?: boolean
  /** Ends the request. */
  readonly abortSignal?: AbortSignal
}

/** A language model of the AI SDK: `LanguageModelV3` or `LanguageModelV4` of `@ai-sdk/provider`. */
export interface AiSdkModel {
  /** `v3` or `v4`. */
  readonly specificationVersion: string
  /** The provider's name. Metadata goes back only to the provider that attached it. */
  readonly provider: string
  /** The name of the model, which replaces the option `model`. */
  readonly modelId: string
  /** Streams one answer. */
  doStream(options: AiSdkCallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'aiSdk'

type Model = Pick<AiSdkModel, 'specificationVersion' | 'provider'>

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
  const own = ownMetadata(part.providerOptions, metadataKey, { provider })
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
      ? labelled(output.value).map((part) => (part.type === 'text' ? part : resultFile(part, model)))
      : output.value
  return { type: 'tool-result', toolCallId, toolName: wireName(toolName), output: { type: output.type, value } }
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

function contentOf(file: PromptFile): { mediaType: string; url?: URL; base64: string } {
  const content = fileContent(file)
  if (content.isRemote && URL.canParse(file.data))
    return { mediaType: file.mediaType, url: new URL(file.data), base64: '' }
  return { mediaType: content.mediaType, base64: base64Of(content) }
}
