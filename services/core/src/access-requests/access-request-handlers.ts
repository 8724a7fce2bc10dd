import { createAttempts } from '@longreach/kit/attempts'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { joinOrExtend, resolvePlace } from '../memberships/joining.ts'
import { findUserBySub, type UserRow } from '../directory/user-store.ts'
import type { accessRequestEndpoints } from './access-request-contract.ts'
import {
  administratorsOf,
  countRequests,
  decideRequest,
  insertRequest,
  lockRequest,
  openRequests,
} from './access-request-store.ts'

type RequestHandlers = Pick<Handlers<typeof coreContract>, keyof typeof accessRequestEndpoints>

/** Requests of one person within an hour, whatever they ask for. */
const asked = { most: 10, windowMs: 3_600_000 }

export const accessRequestHandlers = (deps: CoreDeps): RequestHandlers => ({
  ...requesting(deps),
  ...deciding(deps),
})

const requesting = (deps: CoreDeps) => {
  const attempts = createAttempts(asked, { fabric: deps.fabric, name: 'core.access_requests' })
  return {
    requestAccess: async ({ body: { organization: resourceId, note } }, { caller, now }) => {
      const retryAfterS = attempts.waitS(caller.sub, now)
      if (retryAfterS > 0) {
        const message = `You asked often; try again in ${Math.ceil(retryAfterS / 60)} min`
        throw failure(coreContract, 'too_many_attempts', { retryAfterS, message })
      }
      attempts.failed(caller.sub, now)
      const user = await findUserBySub(deps.db, caller)
      const organization = user && (await inRealm(deps.db, user.realm, resourceId))
      if (!organization) return undefined
      const about = { organizationId: organization.id, userId: user.id, note, now }
      const id = await deps.db.transaction().execute((tx) => insertRequest(tx, about))
      // Nobody waits for the mails, and how long the answer takes says nothing either.
      if (id !== undefined) void mailAdministrators(deps, organization, user)
      return undefined
    },
  } satisfies Partial<RequestHandlers>
}

/** An organization of the person's own realm: nobody of another could come in. */
const inRealm = (db: Kysely<CoreDb>, realm: string, resourceId: string) =>
  db
    .selectFrom('organization')
    .select(['id', 'resource_id', 'label'])
    .where('resource_id', '=', resourceId)
    .where('realm', '=', realm)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()

type Place = { id: number; resource_id: string; label: string }

async function mailAdministrators({ db, clients, log }: CoreDeps, place: Place, user: UserRow) {
  const organization = { resourceId: place.resource_id, label: place.label }
  try {
    for (const sub of await administratorsOf(db, place.id)) {
      await clients.identity.sendMail({
        body: { kind: 'accessRequest', sub, organization, person: user.username },
      })
    }
  } catch (error) {
    log.warn(error, 'administrators were not told of a request')
  }
}

const deciding = (deps: CoreDeps) =>
  ({
    accessRequests: async (_, { organization: { id } }) => {
      const rows = await openRequests(deps.db, id)
      const content = rows.map((row) => ({
        id: row.id,
        username: row.username,
        firstName: row.first_name,
        lastName: row.last_name,
        email: row.email,
        note: row.note,
        member: row.member !== null,
        createdAt: row.created_at,
      }))
      return { content, total: await countRequests(deps.db, id) }
    },

    acceptAccessRequest: async ({ params: { request: id }, body }, ctx) => {
      if (body.memberOf.length + body.rolesId.length === 0) {
        const message = 'Choose a group or a role, or the person could do nothing here'
        throw failure(coreContract, 'nothing_given', { field: 'rolesId', message })
      }
      const wish = { ...body, regularUserOf: [], adminUserOf: [], groupPoliciesEnabled: false }
      const place = await resolvePlace(deps, ctx, wish)
      await deps.db.transaction().execute(async (tx) => {
        const user = await decide(tx, ctx, { id, status: 'ACCEPTED' })
        await joinOrExtend(tx, ctx, user, place)
      })
      return undefined
    },

    declineAccessRequest: async ({ params: { request: id } }, ctx) => {
      await deps.db.transaction().execute((tx) => decide(tx, ctx, { id, status: 'DECLINED' }))
      return undefined
    },
  }) satisfies Partial<RequestHandlers>

type Decided = { id: number; status: 'ACCEPTED' | 'DECLINED' }

/** Decide a request that waits; answers who made it. */
async function decide(tx: Kysely<CoreDb>, ctx: OrgCtx, { id, status }: Decided) {
  const found = await lockRequest(tx, ctx.organization.id, id)
  const user =
    found &&
    (await tx
      .selectFrom('app_user')
      .selectAll()
      .where('id', '=', found.user_id)
      .where('realm', '=', ctx.organization.realm)
      .executeTakeFirst())
  if (!user) {
    throw failure(coreContract, 'not_found', { message: `There is no request ${id} here` })
  }
  if (found.status !== 'OPEN') {
    const message = `The request of ${user.username} was decided by ${found.decided_by}`
    throw failure(coreContract, 'already_decided', { message })
  }
  await decideRequest(tx, { id, status, by: ctx.caller.username, now: ctx.now })
  await recordChange(tx, ctx, {
    resource: 'users',
    action: status === 'ACCEPTED' ? 'acceptRequest' : 'declineRequest',
    id: user.id,
    label: user.username,
    after: { request: id, note: found.note },
  })
  return user
}
