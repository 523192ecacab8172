// Which file of a folder an address means. `eval`, `attack` and `dev` serve files by the same rule.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The folder or file of a decoded path; `forbidden` for one that is not served; undefined if there is none. */
export type ServedFile = { readonly path: string; readonly isFolder: boolean } | 'forbidden' | undefined

/**
 * The file of a decoded path. Names that start with a dot, such as `.env`, are not served, nor is what a symbolic link
 * leads to outside of the folder.
 */
export function servedFile(folder: string, path: string): ServedFile {
  if (/[\\\0]|\/\./.test(path)) return 'forbidden'
  const asked = join(folder, path)
  if (!existsSync(asked)) return undefined
  const [root, real] = [realpathSync(folder), realpathSync(asked)]
  const isInside = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!isInside || hasDot(real.slice(root.length))) return 'forbidden'
  return { path: asked, isFolder: statSync(real).isDirectory() }
}

/** A link may lead to a file that starts with a dot. */
const hasDot = (path: string): boolean => path.split(sep).some((name) => name.startsWith('.'))
