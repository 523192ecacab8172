// The code of the page tools that a usual visit runs, as one chunk. It is loaded with the first call of one of them.
import { pageForms } from '../core/prompt/page-forms.js'
import { formNames } from './read/form-read.run.js'

export { fillForm } from './fill/form-fill.run.js'
export { runFormRead } from './read/form-read.run.js'
export { runPageRead } from './read/page-read.run.js'
export { usualSummary } from './usual-summary.js'

pageForms.describe = formNames
