// Keeps our copy of Lit apart from one that the page brings. Lit creates a Trusted Types policy named `lit-html`, and a
// name may be taken once: on a page with a list of policies, one of the two could not start. Ours uses the policy
// `tool-agent`. It does not add itself to the lists of versions either, by which Lit warns authors of two copies. And it
// does not call `remove` of elements, which old libraries of pages replace (src/ui/element/nodes.ts). Used by the build,
// the development server and the bundles of test pages.
import { fileURLToPath } from 'node:url'

const policy = fileURLToPath(new URL('../src/page/trusted-types.ts', import.meta.url)).replaceAll('\\', '/')
/** In the minified file of Lit, and in the one for development. */
const creation = /[\w.]+\.createPolicy\((['"])lit-html\1,\s*\{\s*createHTML:\s*\(?(\w+)\)?\s*=>\s*\2,?\s*\}\)/
/** In the minified files alone: those for development read the list again. */
const version = /\(\w+\.(?:litHtml|litElement|reactiveElement)Versions\?\?=\[\]\)\.push\("[\d.]+"\)/
/** In both files. */
const removal = /(\w+\(\w+\))\.remove\(\)/
const files =
  /[\\/]node_modules[\\/](?:lit-html[\\/](?:development[\\/])?lit-html|lit-element[\\/]lit-element|@lit[\\/]reactive-element[\\/]reactive-element)\.js(?:\?|$)/

/**
 * A plugin for Rolldown and Vite.
 * @type {{ name: string, transform: { filter: { id: RegExp }, handler(code: string, id: string): { code: string, map: null } } }}
 */
export const litApart = {
  name: 'lit-apart',
  transform: {
    filter: { id: files },
    handler(code, id) {
      const isTemplates = /lit-html\.js(?:\?|$)/.test(id)
      const missing = [
        ...(isTemplates ? [creation, removal] : []),
        ...(id.includes('development') ? [] : [version]),
      ].find((pattern) => !pattern.test(code))
      if (missing) throw new Error(`${id} does not match ${missing}: adapt litApart`)
      const ours = code
        .replace(creation, 'trustedTypesPolicy()')
        .replace(version, '0')
        .replace(removal, '$1.parentNode?.removeChild($1)')
      // At the end, because imports are hoisted and the lines of the file must stay where its source map expects them.
      const used = isTemplates ? `\nimport { trustedTypesPolicy } from ${JSON.stringify(policy)}\n` : ''
      return { code: ours + used, map: null }
    },
  },
}
