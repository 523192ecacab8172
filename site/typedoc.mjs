// Settings of TypeDoc: one page of the API for each entry of the package, and an overview with all names.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ReflectionKind } from 'typedoc'
import { ModuleRouter } from 'typedoc-plugin-markdown'
import { apiEntries, slugOf } from './navigation.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const entries = new Map(apiEntries.map((entry) => [entry.name, entry]))

/** Ids that stay: a type has its name, and a member the names of its type and its own, never a number. */
class SiteRouter extends ModuleRouter {
  /** @param {import('typedoc').ProjectReflection} project */
  buildPages(project) {
    const pages = super.buildPages(project)
    for (const [target, anchor] of this.anchors) {
      if (anchor === undefined || anchor.startsWith('property-') || target.isTypeParameter()) continue
      const names = []
      for (let one = target; one && !one.kindOf(ReflectionKind.Module | ReflectionKind.Project); one = one.parent)
        if (!one.kindOf(ReflectionKind.TypeLiteral | ReflectionKind.SomeSignature)) names.unshift(slugOf(one.name))
      const id = names.join('-')
      this.anchors.set(target, id)
      this.fullUrls.set(target, this.fullUrls.get(target)?.replace(/#.*$/, `#${id}`) ?? '')
    }
    return pages
  }
}

/** Names the modules as the package does, and writes the overview. @param {import('typedoc').Application} app */
function site(app) {
  app.renderer.defineRouter('site', SiteRouter)
  app.converter.on('resolveBegin', ({ project }) => {
    for (const one of project.children ?? []) one.name = one.name === 'index' ? 'tool-agent' : one.name
  })
  app.renderer.postRenderAsyncJobs.push(async ({ outputDirectory }) => {
    const parts = apiEntries.map(({ name, specifier, about }) => {
      const text = readFileSync(join(outputDirectory, `${name}.md`), 'utf8')
      const names = [...text.matchAll(/^### (?:~~)?([\w$\\]+)/gm)].map(([, one = '']) => one.replaceAll('\\', ''))
      const links = names.map((one) => `[\`${one}\`](${name}.md#${slugOf(one)})`)
      return `## [\`${specifier}\`](${name}.md) {#${slugOf(specifier)}}\n\n${about}\n\n${links.join(' · ')}\n`
    })
    const elements =
      'Every attribute, property, method and event of `<tool-agent>` is in the [reference](../../../docs/reference.md#attributes); ' +
      'its parts, slots and custom properties are in [Theming](../../../docs/theming.md#parts).'
    const text = `# API\n\nEvery public name of the package, with its type and its documentation.\n\n## Elements\n\n${elements}\n\n`
    writeFileSync(join(outputDirectory, 'index.md'), text + parts.join('\n'))
  })
}

export default {
  tsconfig: join(root, 'tsconfig.json'),
  entryPoints: apiEntries.map(({ file }) => join(root, file)),
  basePath: join(root, 'src'),
  displayBasePath: join(root, 'src'),
  plugin: ['typedoc-plugin-markdown', site],
  router: 'site',
  out: join(root, 'site/generated/api'),
  entryFileName: 'index',
  readme: 'none',
  logLevel: 'Error',
  skipErrorChecking: true,
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeExternals: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  sanitizeComments: true,
  useHTMLEncodedBrackets: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  pageTitleTemplates: {
    /** @param {{ name: string }} page */
    module: ({ name }) => `\`${entries.get(name)?.specifier ?? name}\`\n\n${entries.get(name)?.about ?? ''}`,
  },
}
