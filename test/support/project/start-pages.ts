// The blocks of docs/start.md that lead from an empty folder to an assistant.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './build-once.js'

const page = readFileSync(join(root, 'docs/start.md'), 'utf8')

/** The first block of a language below a heading of the third level. */
export function startBlock(heading: string, language: string): string {
  const section = page.split(/^### /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const code = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(section)?.[1]
  if (code === undefined) throw new Error(`docs/start.md has no block of ${language} below ${heading}`)
  return code
}
