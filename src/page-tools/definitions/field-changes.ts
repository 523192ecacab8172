// How the user undoes what a page tool has changed in fields. Whether that is possible is known without its code.
import type { FieldChanges } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'
import { changesBy } from './undo-store.js'

/** For the tools that change fields. */
export const undoableFields: FieldChanges = {
  holds(session, call) {
    const changes = changesBy(session, call)
    return changes && (changes.isBack ? 'before' : 'after')
  },
  valuesBefore(session, call) {
    const { fields = [] } = changesBy(session, call) ?? {}
    return new Map(fields.flatMap(({ label, was }) => (was === undefined ? [] : [[label, was]])))
  },
  savedBy: (session, call) => changesBy(session, call)?.saved ?? [],
  putBack: async (run, to, label) => (await implementation()).putBackFields(run, to, label),
  review: async () => (await implementation()).fieldReview,
}
