// Turns a model request into the body of a generateContent request. Parts that Gemini signed are sent back as they
// came. Thoughts and ids of other providers are left out.
import { dropUndefined, isObject, type JsonObject } from '../../../core/data/json.js'
import type { ModelContent } from '../../../core/data/message.js'
import type {
  ModelRequest,
  ModelTool,
  PromptAssistantPart,
  PromptToolResult,
  PromptUserPart,
} from '../../../core/data/model.js'
import { base64Of, fileContent, labelled, textOf, type PromptFile } from '../request/files.js'
import { ownMetadata } from '../request/names.js'
import { canThink, geminiName, isGemini3, isGemma, metadataKey, type PartMetadata } from './gemini-names.js'
import { geminiSchema } from './gemini-schema.js'

/**
 * Gemini 3 answers 400 to a call without a signature. This value, which Google documents, replaces the signature of a
 * call that another model made. https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const skipValidation = 'skip_thought_signature_validator'

/** Media types that the result of a function may contain. Other files follow after the results. */
const resultTypes = /^(image\/(png|jpeg|webp)|application\/pdf|text\/plain)$/

/** The body of one request. */
export function geminiBody(request: ModelRequest): JsonObject {
  const { model, system, tools } = request
  const hasSystem = system !== ''
  const contents = geminiContents(request)
  if (hasSystem && isGemma(model)) contents[0]?.parts.unshift({ text: system })
  return dropUndefined({
    systemInstruction: hasSystem && !isGemma(model) ? { parts: [{ text: system }] } : undefined,
    contents: contents.map(({ role, parts }) => ({ role, parts })),
    tools: tools.length > 0 ? [{ functionDeclarations: tools.map(declaration) }] : undefined,
    toolConfig: tools.length > 0 ? toolConfig(request.toolChoice) : undefined,
    generationConfig: generationConfig(request),
  })
}

function generationConfig({ model, responseFormat }: ModelRequest): JsonObject | undefined {
  const config = dropUndefined({
    thinkingConfig: canThink(model) ? { includeThoughts: true } : undefined,
    responseMimeType: responseFormat && 'application/json',
    responseJsonSchema: responseFormat?.schema,
  })
  return Object.keys(config).length > 0 ? config : undefined
}

/** A tool without parameters has none, because Gemini rejects an object without properties. */
function declaration({ name, description, inputSchema }: ModelTool): JsonObject {
  const schema = geminiSchema(inputSchema)
  return {
    name: geminiName(name),
    description,
    ...(schema === 'none' ? {} : schema),
  }
}

/** `auto` is the default and is left out. */
function toolConfig(choice: ModelRequest['toolChoice']): JsonObject | undefined {
  if (choice === 'auto') return undefined
  if (choice === 'none') return { functionCallingConfig: { mode: 'NONE' } }
  if (choice === 'required') return { functionCallingConfig: { mode: 'ANY' } }
  return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [geminiName(choice.toolName)] } }
}

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: JsonObject[]
  /** The results of a step. No other message joins them. */
  readonly isResults: boolean
}

function geminiContents({ model, messages }: ModelRequest): Content[] {
  const contents: Content[] = []
  const isNew = isGemini3(model)
  /** The server's ids of the calls, by the ids in the session. */
  const ids = new Map<string, string>()
  const push = (role: Content['role'], parts: JsonObject[], isResults = false): void => {
    if (parts.length === 0) return
    const before = contents.at(-1)
    if (before?.role === role && !before.isResults && !isResults) before.parts.push(...parts)
    else contents.push({ role, parts, isResults })
  }
  for (const message of messages) {
    if (message.role === 'user') push('user', message.content.flatMap(userPart))
    else if (message.role === 'tool') push('user', resultParts(message.content, { ids, isNew }), true)
    else {
      for (const part of message.content) {
        const id = part.type === 'tool-call' ? ownOf(part)?.id : undefined
        if (id !== undefined && part.type === 'tool-call') ids.set(part.toolCallId, id)
      }
      push('model', modelParts(message.content, isNew))
    }
  }
  return contents
}

function ownOf({ providerOptions }: PromptAssistantPart): PartMetadata | undefined {
  return ownMetadata<PartMetadata>(providerOptions, metadataKey)
}

function userPart(part: PromptUserPart): JsonObject[] {
  return part.type === 'text' && part.text === '' ? [] : [contentPart(part)]
}

function modelParts(content: readonly PromptAssistantPart[], isNew: boolean): JsonObject[] {
  let isSigned = false
  const parts = content.flatMap((part): JsonObject[] => {
    const own = ownOf(part)
    const thoughtSignature = own?.signature
    if (part.type === 'tool-call') {
      // Only the first call of an answer has a signature.
      const signature = thoughtSignature ?? (isNew && !isSigned ? skipValidation : undefined)
      isSigned ||= signature !== undefined
      const args = isObject(part.input) ? (part.input as JsonObject) : {}
      const functionCall = dropUndefined({ id: own?.id, name: geminiName(part.toolName), args })
      return [dropUndefined({ functionCall, thoughtSignature: signature })]
    }
    if (part.type === 'reasoning' && own === undefined) return []
    if (part.text === '' && thoughtSignature === undefined) return []
    const thought = part.type === 'reasoning' ? own?.thought : undefined
    return [dropUndefined({ text: part.text, thought, thoughtSignature })]
  })
  // Thoughts alone are not a message.
  return parts.some((part) => part['thought'] === undefined) ? parts : []
}

/** One part per result, in order, then the files that a result cannot contain. */
function resultParts(
  results: readonly PromptToolResult[],
  { ids, isNew }: { readonly ids: ReadonlyMap<string, string>; readonly isNew: boolean },
): JsonObject[] {
  const after: JsonObject[] = []
  const parts = results.map(({ toolCallId, toolName, output }): JsonObject => {
    const name = geminiName(toolName)
    const files = output.type === 'content' ? output.value.filter((part) => part.type === 'file') : []
    const isInside = isNew && files.every((file) => resultTypes.test(file.mediaType))
    if (files.length > 0 && !isInside)
      after.push({ text: `Files from the result of ${name}:` }, ...labelled(files).map(contentPart))
    const text = output.type === 'content' ? textOf(output.value, !isInside) : output.value
    return {
      functionResponse: dropUndefined({
        id: ids.get(toolCallId),
        name,
        response: output.type === 'error-text' ? { error: text } : { output: text },
        parts: isInside && files.length > 0 ? files.map(filePart) : undefined,
      }),
    }
  })
  return [...parts, ...after]
}

function contentPart(part: PromptUserPart | ModelContent[number]): JsonObject {
  return part.type === 'text' ? { text: part.text } : filePart(part)
}

function filePart(file: PromptFile): JsonObject {
  const { mediaType } = file
  const content = fileContent(file)
  if (content.isRemote) return { fileData: { mimeType: mediaType, fileUri: file.data } }
  return { inlineData: { mimeType: mediaType, data: base64Of(content) } }
}
