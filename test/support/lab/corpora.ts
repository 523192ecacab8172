// Recorded material outside of this project. If it is missing, the specs that need it are skipped and print the number
// of skipped tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder of the corpora, from `$TOOL_AGENT_CORPORA` or beside the project; undefined where there is none. */
export function corporaFolder(): string | undefined {
  const named = process.env['TOOL_AGENT_CORPORA']
  const folder = named === undefined || named === '' ? resolve(root, '../shared/corpora') : resolve(named)
  return existsSync(folder) ? folder : undefined
}

export interface CorpusFile {
  /** Path below the corpus, with slashes. */
  readonly name: string
  read(): string
}

/** The files of one corpus whose name ends so, sorted; none where it is absent. */
export function corpusFiles(corpus: string, ending = ''): CorpusFile[] {
  const folder = corporaFolder()
  if (folder === undefined || !existsSync(join(folder, corpus))) return []
  return readdirSync(join(folder, corpus), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return {
        name: path.slice(join(folder, corpus).length + 1).replaceAll('\\', '/'),
        read: () => readFileSync(path, 'utf8'),
      }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The message of a skipped spec: the missing corpus, where it was expected, and the number of skipped tests. */
export function missingCorpus(corpus: string, tests: number): string {
  return `SKIPPED ${tests} tests: no corpus "${corpus}" at ${process.env['TOOL_AGENT_CORPORA'] || resolve(root, '../shared/corpora')} (set TOOL_AGENT_CORPORA)`
}
