// The component of docs/start.md for Vite and Next.js, as it is there, compiles against the packed package.
import { join } from 'node:path'
import { typeErrorsOf } from '../../support/project/compile.js'
import { expect, root, test } from '../../support/project/dist.js'
import { startBlock } from '../../support/project/start-pages.js'

test('the component for React compiles in strict mode, also with the line for Next.js', ({ dist }) => {
  const modules = join(root, 'node_modules')
  const packages = { '@types/react': modules, csstype: modules, '@standard-schema/spec': modules }
  const component = startBlock('Vite and React', 'tsx')
  const directive = startBlock('Next.js', 'tsx')
  expect(directive).toBe("'use client'\n")
  const files = { 'app.tsx': component, 'page.tsx': directive + component }
  // As in the templates of Vite and Next.js, which do not check the declarations of packages.
  expect(typeErrorsOf(files, { dist, packages, more: { skipLibCheck: true, verbatimModuleSyntax: true } })).toBe('')
})
