// An index of the words of many tools. It is built on the page in short pieces, because the page must stay responsive
// meanwhile, and follows the tools from step to step.
import MiniSearch from 'minisearch'
import { isObject, type JsonValue } from '../../core/data/json.js'
import type { AvailableTool, AvailableTools } from '../tools/compiled-tool.js'
import { nextTask } from '../tools/compiled-tool.js'
import { longestPiece } from './compile-later.js'
import { isConcept, termsOf } from './words.js'

/** Characters of a tool that are read. */
const longestText = 4_000

/** A tool as it is indexed. */
interface Indexed {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: string
}

const fields = ['name', 'title', 'description', 'input'] as const

/** The index of the tools of one agent. */
export class CatalogueIndex {
  readonly #index = new MiniSearch<Indexed>({
    fields: [...fields],
    tokenize: (text) => termsOf(text),
    processTerm: (term) => term,
    searchOptions: {
      boost: { name: 3, title: 2, description: 1.5, input: 0.5 },
      prefix: (term) => !isConcept(term) && term.length >= 4,
      fuzzy: (term) => !isConcept(term) && term.length >= 5 && 0.2,
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  })
  /** What is indexed of each tool. */
  readonly #indexed = new Map<string, Indexed>()
  /** One update runs at a time. */
  #updating: Promise<void> = Promise.resolve()
  readonly #now: () => number
  readonly #nextTask: () => Promise<void>

  /** @param clock for tests */
  constructor({ now = () => performance.now(), pause = nextTask } = {}) {
    this.#now = now
    this.#nextTask = pause
  }

  /** Brings the index up to date. Rejects with the signal's reason. */
  update(tools: AvailableTools, signal?: AbortSignal): Promise<void> {
    const update = this.#updating.then(() => this.#update(tools, signal))
    this.#updating = update.catch(() => undefined)
    return update
  }

  async #update(tools: AvailableTools, signal: AbortSignal | undefined): Promise<void> {
    let end = this.#now() + longestPiece
    const pause = async (): Promise<void> => {
      if (this.#now() < end) return
      await this.#nextTask()
      signal?.throwIfAborted()
      end = this.#now() + longestPiece
    }
    for (const name of this.#indexed.keys()) {
      if (!tools.has(name)) this.#remove(name)
      await pause()
    }
    for (const [name, tool] of tools) {
      const now = readTool(name, tool)
      const before = this.#indexed.get(name)
      if (before === undefined || fields.some((field) => before[field] !== now[field])) {
        this.#remove(name)
        this.#indexed.set(name, now)
        this.#index.add(now)
      }
      await pause()
    }
  }

  #remove(name: string): void {
    const before = this.#indexed.get(name)
    if (before === undefined) return
    this.#indexed.delete(name)
    this.#index.discard(before.id)
  }

  /** Names of the tools that fit best, best first. `tools`: those that may be found. */
  search(query: string, tools: AvailableTools, most: number): string[] {
    return this.#index
      .search(query, { filter: ({ id }) => tools.has(String(id)) })
      .slice(0, most)
      .map(({ id }) => String(id))
  }
}

const texts = new WeakMap<object, string>()

function readTool(name: string, { entry }: AvailableTool): Indexed {
  const { title, tool, schema } = entry
  const { description = '' } = tool
  const { jsonSchema } = schema
  const input = texts.get(jsonSchema) ?? schemaWords(jsonSchema)
  texts.set(jsonSchema, input)
  return {
    id: name,
    name,
    title,
    // A function of the page is called once per step, for the request.
    description: typeof description === 'function' ? '' : description.slice(0, longestText),
    input,
  }
}

/** The names and descriptions of the properties, and the values that they may have. */
function schemaWords(schema: JsonValue): string {
  const words: string[] = []
  let chars = 0
  const add = (word: JsonValue | undefined): void => {
    if (typeof word !== 'string') return
    chars += word.length
    words.push(word)
  }
  const read = (value: JsonValue | undefined, depth: number): void => {
    if (!isObject(value) || depth > 4 || chars > longestText) return
    const { properties, items, description } = value
    add(description as JsonValue)
    if (isObject(properties))
      for (const [key, property] of Object.entries(properties)) {
        add(key)
        read(property as JsonValue, depth + 1)
      }
    read(items as JsonValue, depth + 1)
  }
  read(schema, 0)
  return words.join(' ').slice(0, longestText)
}
