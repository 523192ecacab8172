// `test` with the packed package, for projects that install it.
import { test as base } from '../project/dist.js'
import { packed } from './projects.js'

export { expect, root } from '../project/dist.js'

export const test = base.extend<object, { tarball: string }>({
  tarball: [
    async ({ dist }, use) => {
      const { tarball, remove } = packed(dist)
      await use(tarball)
      remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})
