// Collects the arguments of one call that Vertex AI streams as values with a path, such as `$.items[0].name`. The text
// for display grows in the order of the stream; the complete arguments are made at the end.
import { isObject, type JsonValue } from '../../../core/data/json.js'
import { badResponse } from '../http/http-errors.js'

/** The arguments of one call, while they arrive. */
export interface StreamedArguments {
  /** Whether a text value is not complete. */
  readonly isOpen: boolean
  /** Whether any value arrived. */
  readonly isEmpty: boolean
  /** Adds `partialArgs` and returns their text for display. Throws `bad-response` for a path that cannot be read. */
  add(pieces: readonly unknown[]): string
  /** The complete arguments as JSON. If a text value is still open, a text that is not JSON, so that nothing runs. */
  end(): string
}

type Key = string | number
type Container = Record<Key, unknown> | unknown[]

/** Creates the arguments of one call. */
export function createStreamedArguments(): StreamedArguments {
  // Objects without a prototype, because keys come from the model.
  const root = Object.create(null) as Record<Key, unknown>
  /** The path of the value whose text is open. */
  let open: string | undefined
  let isEmpty = true
  /** The containers that are open in the displayed text, outermost first, and how many values each has. */
  let shown: { readonly key: Key | undefined; readonly isArray: boolean; values: number }[] = []

  const comma = (): string => (shown.at(-1)!.values++ > 0 ? ',' : '')
  const label = (key: Key): string => (typeof key === 'string' ? `${JSON.stringify(key)}:` : '')
  const show = (keys: readonly Key[], text: string): string => {
    let written = open === undefined ? '' : '"'
    if (shown.length === 0) {
      shown = [{ key: undefined, isArray: false, values: 0 }]
      written += '{'
    }
    const path = keys.slice(0, -1)
    let common = 0
    while (common < path.length && shown[common + 1]?.key === path[common]) common++
    for (const { isArray } of shown.splice(common + 1).toReversed()) written += isArray ? ']' : '}'
    for (const [place, key] of path.entries()) {
      if (place < common) continue
      const isArray = typeof keys[place + 1] === 'number'
      written += `${comma()}${label(key)}${isArray ? '[' : '{'}`
      shown.push({ key, isArray, values: 0 })
    }
    return `${written}${comma()}${label(keys.at(-1)!)}${text}`
  }

  const addPiece = (piece: Record<string, unknown>): string => {
    const path = String(piece['jsonPath'])
    const isArrayEnd = path.endsWith('[]')
    const keys = keysOf(isArrayEnd ? path.slice(0, -2) : path)
    if (keys.length === 0) return ''
    const { container, key } = place(root, keys, path)
    const known = (container as Record<Key, unknown>)[key]
    const text = piece['stringValue']
    const continues = piece['willContinue'] === true
    if (typeof text === 'string' && typeof known === 'string') {
      ;(container as Record<Key, unknown>)[key] = known + text
      const isShown = open === path
      if (isShown && !continues) open = undefined
      return isShown ? JSON.stringify(text).slice(1, -1) + (continues ? '' : '"') : ''
    }
    let value: unknown = valueOf(piece)
    if (value === undefined) {
      // A piece without a value ends a value that arrived, or is an empty container.
      if (known !== undefined || continues) return ''
      value = isArrayEnd ? [] : Object.create(null)
    }
    ;(container as Record<Key, unknown>)[key] = value
    isEmpty = false
    const json = JSON.stringify(value)
    const written = show(keys, typeof text === 'string' && continues ? json.slice(0, -1) : json)
    open = typeof text === 'string' && continues ? path : undefined
    return written
  }

  return {
    get isOpen() {
      return open !== undefined
    },
    get isEmpty() {
      return isEmpty
    },
    add: (pieces) => pieces.filter(isObject).map(addPiece).join(''),
    end: () => (open === undefined ? JSON.stringify(root) : JSON.stringify(root).slice(0, -1)),
  }
}

/** The value of a piece; undefined if it has none. */
function valueOf(piece: Record<string, unknown>): JsonValue | undefined {
  if ('nullValue' in piece) return null
  const value = piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue']
  return value === null || value === undefined ? undefined : (value as JsonValue)
}

/** The keys of a path such as `$.items[0].name` or `$["a b"]`. */
function keysOf(path: string): Key[] {
  const step = /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]/y
  const keys: Key[] = []
  step.lastIndex = path.startsWith('$') ? 1 : 0
  while (step.lastIndex < path.length) {
    const found = step.exec(path)
    if (!found) throw badResponse(`Expected a path of an argument, received ${JSON.stringify(path.slice(0, 200))}`)
    const [, name, index, quoted, single] = found
    keys.push(index === undefined ? (name ?? single ?? String(JSON.parse(quoted!))) : Number(index))
  }
  return keys
}

/** The container of the value at `keys`, created where it is missing. An array has no gaps. */
function place(root: Container, keys: readonly Key[], path: string): { container: Container; key: Key } {
  let container = root
  for (const [depth, key] of keys.entries()) {
    const isFitting = Array.isArray(container)
      ? typeof key === 'number' && key <= container.length
      : typeof key === 'string'
    if (!isFitting) throw badResponse(`The arguments of a call have no place for ${path.slice(0, 200)}`)
    if (depth === keys.length - 1) break
    const known = (container as Record<Key, unknown>)[key]
    const isContainer = typeof known === 'object' && known !== null
    const next = isContainer ? known : typeof keys[depth + 1] === 'number' ? [] : (Object.create(null) as object)
    ;(container as Record<Key, unknown>)[key] = next
    container = next as Container
  }
  return { container, key: keys.at(-1)! }
}
