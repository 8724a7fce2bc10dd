import { definePart } from '@longreach/kit/part'
import type { DashboardsDeps } from '../deps.ts'
import { draftsContract } from './contract.ts'
import { draftHandlers } from './draft-handlers.ts'
import { cleanupRevisions } from './draft-store.ts'
import { createKeptBoards } from './kept-boards.ts'

/** Drafts of dashboards: changes in the order of their arrival, and their history. */
export const drafts = definePart<DashboardsDeps>()({
  name: 'drafts',
  contract: draftsContract,
  state: createKeptBoards,
  handlers: draftHandlers,
  every: { hour: ({ db, now }) => cleanupRevisions(db, now()) },
})
