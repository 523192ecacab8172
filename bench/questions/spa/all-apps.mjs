// The applications that are built as single-page applications are, and the two kinds that are counted apart.
import { app as board } from './board.mjs'
import { app as booking } from './booking.mjs'
import { app as chat } from './chat.mjs'
import { app as files } from './files.mjs'
import { app as invoices } from './invoices.mjs'
import { app as issues } from './issues.mjs'
import { apps as leaking } from './leaking.mjs'
import { app as mailbox } from './mailbox.mjs'
import { apps as serverDriven } from './server-driven.mjs'
import { app as settings } from './settings.mjs'
import { app as store } from './store.mjs'
import { app as team } from './team.mjs'

/** @type {import('../server.mjs').App[]} */
export const stateApps = [
  board,
  booking,
  chat,
  files,
  invoices,
  issues,
  mailbox,
  settings,
  store,
  team,
  ...leaking,
  ...serverDriven,
]
