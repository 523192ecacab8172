// All jobs: twenty on the pages of bench/tasks, as they are, those of the four plain applications, and those of
// applications in which the data of the server is the truth.
import { app as calendar } from './calendar/app.mjs'
import { app as mail } from './mail/app.mjs'
import { pageJobs } from './page-jobs.mjs'
import { stateApps } from './spa/all-apps.mjs'
import { app as shop } from './shop/app.mjs'
import { app as tracker } from './tracker/app.mjs'

/** @typedef {{ name: string, job: import('./job.mjs').Job, app?: import('./server.mjs').App }} NamedJob */

/** @type {NamedJob[]} */
export const allJobs = [
  ...pageJobs.map((job) => ({ name: job.name, job })),
  ...[mail, shop, tracker, calendar, ...stateApps].flatMap((app) =>
    (app.jobs ?? []).map((job) => ({ name: `${app.name}/${job.name}`, job, app })),
  ),
]
