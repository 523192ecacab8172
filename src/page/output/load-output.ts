// Loads the code for the option `output` of `send`. A file of its own, because the answers and the agent load it.
import { loadPart } from '../link/load-part.js'

/** Loaded with the first turn that has the option. */
export const loadOutput = () => loadPart(() => import('./output.js'))
