import { Change, dropCodes } from '@longreach/board/change'
import { boardLimits } from '@longreach/board/limits'
import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'

/** Number of a change of a draft; 0 is the draft before the first. */
const revision = z.int().min(0).max(2_147_483_647)
const session = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)

/** Changes that somebody made to a draft, which are its revision. */
const Revision = z.object({
  revision: z.int(),
  session: z.string(),
  author: z.string(),
  label: z.string(),
  at: ms,
  changes: z.array(z.unknown()),
})

const edit = {
  access: 'dashboards:read',
  params: byId,
} as const

export const draftsContract = definePartContract({
  errors: {
    /** The caller's revision is not one of this draft. */
    draft_changed: 409,
    no_such_revision: 404,
  },
  endpoints: {
    /** Draft as it is now, for editors. */
    dashboardDraft: {
      method: 'GET',
      path: '/:id/draft',
      ...edit,
      query: inOrganization,
      result: z.object({
        /** Document, by its schema. */
        document: z.record(z.string(), z.unknown()),
        revision: z.int(),
        /** Version that it began with, or was last published as. */
        base: z.string(),
      }),
    },
    /**
     * Makes changes to the draft, in the order of their arrival, and answers those of others that the caller
     * has not seen. The same `session` and `seq` again change nothing.
     */
    changeDraft: {
      method: 'POST',
      path: '/:id/draft/changes',
      ...edit,
      // The draft's own history says what was changed; the audit trail has what is published.
      audit: 'own',
      query: inOrganization,
      largestBody: boardLimits.changeBytes + 4_096,
      mostValues: 200_000,
      body: z.object({
        /** Revision that the caller has seen. */
        base: revision,
        session,
        seq: z.int().min(1).max(1_000_000_000),
        label: z.string().max(120),
        changes: z.array(Change).min(1).max(boardLimits.changes),
      }),
      result: z.object({
        revision: z.int(),
        missed: z.array(Revision),
        /** Changes that were left out, by their place in the request. */
        dropped: z.array(z.object({ index: z.int(), code: z.enum(dropCodes) })),
      }),
    },
    /** Revisions of the draft, newest first; they are kept for 30 days. */
    draftHistory: {
      method: 'GET',
      path: '/:id/draft/history',
      ...edit,
      query: inOrganization.extend({
        before: z.coerce.number<number>().int().min(1).max(2_147_483_647).optional(),
        mine: z.stringbool().default(false),
      }),
      result: z.object({ data: z.array(Revision.omit({ changes: true })), last: z.boolean() }),
    },
    /** Makes the draft what it was at a revision, or what a version is; a change as others are. */
    restoreDraft: {
      method: 'POST',
      path: '/:id/draft/restore',
      ...edit,
      costly: true,
      audit: 'own',
      query: inOrganization,
      body: z.object({
        revision: revision.optional(),
        version: z.string().max(60).optional(),
      }),
      result: z.object({ revision: z.int() }),
    },
  },
})
