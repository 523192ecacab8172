// Collects the arguments of one call that Vertex AI streams as values with a path, such as `$.items[0].name`.
import { isObject, type JsonValue } from '../../../core/data/json.js'
import { badResponse } from '../http/answer-errors.js'

/** The arguments of one call, while they arrive. */
export interface StreamedArguments {
  /** Whether a text value is not complete. */
  readonly isOpen: boolean
  /** Adds `partialArgs`. Throws `bad-response` for a path that cannot be read. */
  add(pieces: readonly unknown[]): void
  /** The arguments so far as JSON without the brackets and quotes at the end, so that more can follow. */
  begun(): string
  /** The complete arguments as JSON. If a text value is still open, a text that is not JSON, so that nothing runs. */
  end(): string
}

type Key = string | number
type Container = Record<Key, unknown> | unknown[]

/** Creates the arguments of one call. */
export function createStreamedArguments(): StreamedArguments {
  // Objects without a prototype, because keys come from the model.
  const root = Object.create(null) as Record<Key, unknown>
  let isOpen = false

  const addPiece = (piece: Record<string, unknown>): void => {
    const path = String(piece['jsonPath'])
    const isArrayEnd = path.endsWith('[]')
    const keys = keysOf(isArrayEnd ? path.slice(0, -2) : path)
    if (keys.length === 0) return
    const { container, key } = place(root, keys, path)
    const target = container as Record<Key, unknown>
    const known = target[key]
    const value = valueOf(piece)
    const continues = piece['willContinue'] === true
    isOpen = typeof value === 'string' && continues
    if (typeof value === 'string' && typeof known === 'string') target[key] = known + value
    else if (value !== undefined) target[key] = value
    // A piece without a value ends a value that arrived, or is an empty container.
    else if (known === undefined && !continues) target[key] = isArrayEnd ? [] : Object.create(null)
  }

  return {
    get isOpen() {
      return isOpen
    },
    add: (pieces) => pieces.filter(isObject).forEach(addPiece),
    begun: () => JSON.stringify(root).replace(/["\]}]*$/, ''),
    end: () => (isOpen ? JSON.stringify(root).slice(0, -1) : JSON.stringify(root)),
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
    const created: object = typeof keys[depth + 1] === 'number' ? [] : Object.create(null)
    const next = typeof known === 'object' && known !== null ? known : created
    ;(container as Record<Key, unknown>)[key] = next
    container = next as Container
  }
  return { container, key: keys.at(-1)! }
}
