// A model that runs on the page (`modelAdapter`). The host sends one query; the parts arrive as its progress.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ModelAdapter, ModelPart } from '../../core/data/model.js'

/**
 * `ask` runs the page's model: it passes each part to `onPart` and resolves when the model ends. `onResponse` gets all
 * parts once, also after an error. Values without a `type` are ignored.
 */
export function pageModel(
  ask: (signal: AbortSignal, onPart: (part: unknown) => void) => Promise<null>,
  onResponse?: (body: JsonValue) => void,
): ModelAdapter {
  return {
    async *stream(_request, signal): AsyncIterable<ModelPart> {
      const parts: ModelPart[] = []
      const seen: JsonObject[] = []
      let wake: () => void = () => undefined
      let end: { error?: unknown } | undefined
      const onPart = (part: unknown) => {
        if (!isObject(part) || typeof part['type'] !== 'string') return
        parts.push(part as unknown as ModelPart)
        if (onResponse && part['type'] !== 'alive') seen.push(part as JsonObject)
        wake()
      }
      const ended = ask(signal, onPart).then(
        () => {
          end = {}
        },
        (error: unknown) => {
          end = { error }
        },
      )
      void ended.then(() => wake())
      try {
        for (;;) {
          const part = parts.shift()
          if (part) yield part
          else if (end) break
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        onResponse?.({ parts: seen })
      }
      if ('error' in end) throw end.error
    },
  }
}
