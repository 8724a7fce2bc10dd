import { z } from 'zod'
import { inOrganization, ms } from '../asked-contract.ts'

const kinds = <T extends z.ZodType>(of: T) => ({
  webhookAction: of,
  emailAction: of,
  attributeAction: of,
  telegramAction: of,
  teamsAction: of,
})

/** Reason for which actions of a kind do not run: no mail server, or switched off by this organization or one above it. */
const BlockedReason = z.enum(['no_mail_server', 'here', 'above'])

const Blocked = z.object({
  ...kinds(z.boolean()),
  longreach: z.object({
    /** Null: actions of this kind run. */
    reasons: z.object(kinds(BlockedReason.nullable())),
    /** Kinds that this organization has switched off itself, for itself and all below it. */
    own: z.object(kinds(z.boolean())),
    /** Last change of `own`. */
    changedAt: ms.nullable(),
    changedBy: z.string().nullable(),
  }),
})

const read = { access: ['triggers:read', 'organizations:read'], query: inOrganization } as const

/** Kinds of actions that do not run in an organization. */
export const blockedEndpoints = {
  /** True: these actions do not run, as there is no mail server, or as an organization above or this one has switched them off. */
  blockedActions: {
    method: 'GET',
    path: '/blockedActions',
    also: ['/triggers/blockedActions'],
    ...read,
    result: Blocked,
  },
  /** Switches actions off for the organization and all below it, or on again; false does not switch on what is off above. */
  setBlockedActions: {
    method: 'PUT',
    path: '/blockedActions',
    access: ['triggers:update', 'organizations:update'],
    query: inOrganization,
    body: z.object(kinds(z.boolean())),
    ignored: ['longreach'],
    result: Blocked,
  },
  /** Triggers with an action of each kind in the organization, and in those below it that the caller sees. */
  blockableActions: {
    method: 'GET',
    path: '/blockedActions/triggers',
    ...read,
    result: z.object(kinds(z.object({ here: z.int(), below: z.int() }))),
  },
} as const
