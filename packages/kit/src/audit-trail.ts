import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { type Event, timestamp } from './contract.ts'
import { publish } from './events.ts'
import { masked, storable } from './masked.ts'
import type { Caller, CallerCtx } from './service.ts'

/** What was sent comes from anybody: it may not keep the line from being written. */
const text = z.string().transform(storable)

const Actor = z.object({
  kind: z.enum(['nobody', 'user', 'service', 'device', 'apiKey']),
  sub: z.string(),
  username: z.string(),
  realm: z.string(),
  /** The id of the API key that was used. */
  apiKey: z.int().optional(),
  /** The administrator who acted as this person. */
  impersonator: z.object({ sub: z.string(), username: z.string() }).optional(),
})

/** One line of the audit trail: who did, or tried to do, what to what. */
export const AuditRecord = z.object({
  at: timestamp,
  /** `core.createRole`: the call of a contract, or `identity.signIn` and the like. */
  call: z.string(),
  resource: z.string(),
  action: z.string(),
  id: text,
  label: text,
  /** resourceId of the organization whose trail it belongs to; empty: of the realm. */
  organization: z.string(),
  outcome: z.enum(['done', 'refused']),
  /** HTTP status and error code of a refusal. */
  status: z.int().optional(),
  code: z.string().optional(),
  /** The same refusal so many times within a few seconds. */
  count: z.int().default(1),
  actor: Actor,
  ip: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})
export type AuditRecord = z.output<typeof AuditRecord>

export const auditRecorded = {
  topic: 'audit.recorded',
  payload: AuditRecord,
} as const satisfies Event

/** What changed, as the handler that changed it knows it. */
type Change = {
  resource: string
  action: string
  id: string | number
  label?: string
  /** resourceId; the organization of the call when absent. */
  organization?: string
  before?: unknown
  after?: unknown
}

/**
 * Write a change into the audit trail, in the transaction that makes it. Values under names such as
 * `password` or `secret` are masked. A call that records itself is not recorded by the kit again.
 */
export async function recordChange(tx: QueryExecutorProvider, ctx: CallerCtx, change: Change) {
  if (ctx.call) ctx.call.recorded = true
  await publish(tx, auditRecorded, {
    at: ctx.now,
    call: ctx.call?.name ?? `${change.resource}.${change.action}`,
    ...described(ctx, change),
    outcome: 'done',
    actor: actorOf(ctx.caller),
    ip: ctx.ip,
  })
}

function described(ctx: CallerCtx, { resource, action, id, label, ...change }: Change) {
  const { before, after } = change
  return {
    resource,
    action,
    id: String(id),
    label: (label ?? '').slice(0, 500),
    organization: change.organization ?? organizationOf(ctx),
    ...(before !== undefined && { before: masked(before) }),
    ...(after !== undefined && { after: masked(after) }),
  }
}

/** The organization that a call happened in: the one it was let into, else the session's. */
function organizationOf(ctx: CallerCtx) {
  const { organization } = ctx as Partial<{ organization: { resourceId: string } }>
  return organization?.resourceId ?? ctx.caller.org ?? ''
}

/** The caller as the trail names them. */
export const actorOf = ({ kind, sub, username, realm, apiKey, impersonator }: Caller) => ({
  kind: apiKey ? ('apiKey' as const) : kind,
  sub,
  username,
  realm,
  ...(apiKey && { apiKey: apiKey.id }),
  ...(impersonator && { impersonator }),
})
