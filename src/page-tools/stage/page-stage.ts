// What the panel reaches of this folder, by the internals of a page tool.
import type { PageStage } from '../../page/tools/page-stage.js'
import { stagedTarget } from './asked.js'
import { clear, configure, mark, ring } from './stage.js'

export const pageStage: PageStage = { configure, target: stagedTarget, ring, mark, clear }
