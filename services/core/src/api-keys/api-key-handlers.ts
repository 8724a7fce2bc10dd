import { can } from '@longreach/authorization/can'
import type { Permission } from '@longreach/authorization/permissions'
import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { AppError, failure } from '@longreach/kit/errors'
import { localName } from '@longreach/kit/person-name-rules'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { findStanding } from '../access/access-store.ts'
import { checkOutranksHere } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub, findUserByName } from '../directory/user-store.ts'
import { isParticipant, rightsOf } from './api-key-access.ts'
import type { ApiKey, apiKeyEndpoints } from './api-key-contract.ts'
import { isUsual, mostLiveKeys } from './api-key-rules.ts'
import {
  type ApiKeyRow,
  countLiveKeys,
  deleteKey,
  expireKey,
  findKey,
  findKeyIn,
  insertKey,
  listKeys,
  lockOwner,
  nextKeyId,
  recordKeyUse,
} from './api-key-store.ts'
import { digestOf, idOfKey, isSameDigest, newKey, publicPart } from './api-key-text.ts'

type ApiKeyHandlers = Pick<Handlers<typeof coreContract>, keyof typeof apiKeyEndpoints>

const dayMs = 86_400_000
const apiKeyNotFound = (id: number) =>
  failure(coreContract, 'not_found', { message: `There is no API key ${id} in this organization` })

export const apiKeyHandlers = (deps: CoreDeps): ApiKeyHandlers => ({
  ...apiKeyReadHandlers(deps),
  ...apiKeyChangeHandlers(deps),
  ...resolving(deps),
})

const pepperOf = ({ secrets }: CoreDeps) => secrets.derive('api-key')

const toApiKey = ({ site, now }: CoreDeps, row: ApiKeyRow, key?: string): ApiKey => ({
  id: row.id,
  orgResourceId: row.resource_id,
  userId: row.user_id,
  username: row.username,
  serviceAccount: row.service_account,
  key: key ?? publicPart(row.id, site.origin),
  label: row.label,
  permissions: row.permissions as Permission[],
  addresses: row.addresses,
  createdAt: row.created_at,
  createdBy: row.created_by,
  expiresAt: row.expires_at,
  expired: row.expires_at <= now(),
  lastUsedAt: row.last_used_at,
  lastUsedIp: row.last_used_ip,
})

/** Check that no API key makes the call: they cannot manage keys, so a leaked key cannot create another. */
function checkNoApiKey({ caller }: OrgCtx) {
  if (caller.apiKey) throw new AppError(403, 'auth.not_with_api_key')
}

const apiKeyReadHandlers = (deps: CoreDeps) =>
  ({
    apiKeys: async ({ query }, ctx) => {
      checkNoApiKey(ctx)
      const everybody = can(ctx.capability, 'users', 'read')
      const { rows, total } = await listKeys(deps.db, {
        ...query,
        ...(query.username !== undefined && {
          username: localName(query.username, ctx.organization.realm),
        }),
        organizationId: ctx.organization.id,
        ...(!everybody && { sub: ctx.caller.sub }),
      })
      return toContentPage(
        rows.map((row) => toApiKey(deps, row)),
        total,
        query,
      )
    },

    apiKeyPermissions: async ({ query: { username } }, ctx) => {
      checkNoApiKey(ctx)
      return rightsHere(deps, ctx, await ownerOf(deps, ctx, username))
    },
  }) satisfies Partial<ApiKeyHandlers>

type Owner = { id: number; sub: string; username: string }

/** Owner of a new key: the caller, or a person whom the caller administers. */
async function ownerOf(deps: CoreDeps, ctx: OrgCtx, username: string | undefined): Promise<Owner> {
  const { caller, organization, capability } = ctx
  const own = await findUserBySub(deps.db, caller)
  if (own && (username === undefined || localName(username, own.realm) === own.username)) return own
  const noOne = failure(coreContract, 'not_in_organization', {
    field: 'username',
    message: `There is nobody named "${username ?? caller.username}" in this organization`,
  })
  if (username === undefined) throw noOne
  if (!can(capability, 'users', 'update')) {
    throw new AppError(403, 'auth.missing_permission', { permission: 'users:update' })
  }
  const person = await findUserByName(deps.db, organization.realm, username)
  const standing = person && (await findStanding(deps.pool, person.sub, String(organization.id)))
  if (!person || !standing?.member) throw noOne
  await checkOutranksHere(deps, ctx, person)
  return person
}

/** Permissions that a key of this person can have in the organization of the call, now. */
const rightsHere = async ({ pool }: CoreDeps, { organization }: OrgCtx, { sub }: Owner) =>
  rightsOf(await findStanding(pool, sub, String(organization.id)))

const apiKeyChangeHandlers = (deps: CoreDeps) =>
  ({
    createApiKey: async ({ body }, ctx) => {
      checkNoApiKey(ctx)
      const { username, label, permissions, validForDays, addresses } = {
        label: 'API key',
        validForDays: 90,
        addresses: [],
        ...body,
      }
      const owner = await ownerOf(deps, ctx, username)
      const rights = await rightsHere(deps, ctx, owner)
      const given = permissions ?? rights.filter(isUsual)
      checkPermissions(rights, given)
      const settings = { label, permissions: given, validForDays, addresses }
      return deps.db.transaction().execute((tx) => makeKey(deps, tx, ctx, { owner, ...settings }))
    },

    rotateApiKey: async ({ params: { apiKey }, body: { overlapHours, validForDays } }, ctx) => {
      checkNoApiKey(ctx)
      const { row, owner } = await keyInHand(deps, ctx, apiKey)
      const rights = new Set<string>(await rightsHere(deps, ctx, owner))
      const permissions = (row.permissions as Permission[]).filter((one) => rights.has(one))
      checkPermissions([...rights], permissions)
      const settings = { label: row.label, permissions, validForDays, addresses: row.addresses }
      return deps.db.transaction().execute(async (tx) => {
        const made = await makeKey(deps, tx, ctx, { owner, ...settings })
        await expireKey(tx, row.id, new Date(ctx.now.getTime() + overlapHours * 3_600_000))
        return made
      })
    },

    deleteApiKey: async ({ params: { apiKey } }, ctx) => {
      checkNoApiKey(ctx)
      const { row } = await keyInHand(deps, ctx, apiKey)
      await deps.db.transaction().execute(async (tx) => {
        if (!(await deleteKey(tx, ctx.organization.id, row.id))) throw apiKeyNotFound(apiKey)
        await publishKeyChange(tx, ctx, {
          action: 'delete',
          id: row.id,
          label: row.label,
          before: facts(row),
        })
      })
    },
  }) satisfies Partial<ApiKeyHandlers>

/** A key that the caller may end or replace: their own, or one of somebody whom they administer. */
async function keyInHand(deps: CoreDeps, ctx: OrgCtx, id: number) {
  const row = await findKeyIn(deps.db, ctx.organization.id, id)
  const own = row?.sub === ctx.caller.sub
  if (!row || !(own || can(ctx.capability, 'users', 'read'))) throw apiKeyNotFound(id)
  if (!own && !can(ctx.capability, 'users', 'update')) {
    throw new AppError(403, 'auth.missing_permission', { permission: 'users:update' })
  }
  const owner = { id: row.user_id, sub: row.sub, username: row.username }
  if (!own) await checkOutranksHere(deps, ctx, owner)
  return { row, owner }
}

function checkPermissions(rights: readonly string[], wanted: readonly string[]) {
  const held = new Set(rights)
  const beyond = wanted.find((one) => !held.has(one))
  if (beyond !== undefined) {
    const message = `The key cannot have ${beyond}: its owner does not have it here, or it administers people`
    throw failure(coreContract, 'beyond_own_rights', { field: 'permissions', message })
  }
  if (wanted.length > 0) return
  const message = 'The owner has no rights here that a key could use; give them a role first'
  throw failure(coreContract, 'beyond_own_rights', { field: 'permissions', message })
}

type Wanted = {
  owner: Owner
  label: string
  permissions: Permission[]
  validForDays: number
  addresses: string[]
}

async function makeKey(deps: CoreDeps, tx: Kysely<CoreDb>, ctx: OrgCtx, wanted: Wanted) {
  const { owner, label, permissions, addresses, validForDays } = wanted
  const of = { organizationId: ctx.organization.id, userId: owner.id }
  await lockOwner(tx, owner.id)
  if ((await countLiveKeys(tx, { ...of, now: ctx.now })) >= mostLiveKeys) {
    const message = `${owner.username} has ${mostLiveKeys} keys here already: the one in use and the next; revoke one first`
    throw failure(coreContract, 'too_many_keys', { message })
  }
  const id = await nextKeyId(tx)
  const key = newKey(id, deps.site.origin)
  await insertKey(tx, {
    ...of,
    id,
    label,
    digest: digestOf(pepperOf(deps), key),
    permissions,
    addresses,
    createdAt: ctx.now,
    createdBy: ctx.caller.username,
    expiresAt: new Date(ctx.now.getTime() + validForDays * dayMs),
  })
  const row = await findKey(tx, id)
  if (!row) throw apiKeyNotFound(id)
  await publishKeyChange(tx, ctx, { action: 'create', id, label, after: facts(row) })
  return toApiKey(deps, row, key)
}

const facts = ({ label, username, permissions, addresses, expires_at }: ApiKeyRow) => ({
  label,
  username,
  permissions,
  addresses,
  expiresAt: expires_at,
})

type Told = { action: string; id: number; label: string; before?: object; after?: object }

/** Into the trail, and to every process that remembers what keys may do. */
async function publishKeyChange(tx: Kysely<CoreDb>, ctx: OrgCtx, change: Told) {
  await recordChange(tx, ctx, { resource: 'apikeys', ...change })
  const { resourceId } = ctx.organization
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
}

const resolving = (deps: CoreDeps) =>
  ({
    resolveApiKey: async ({ body: { key, ip } }) => {
      const no = failure(coreContract, 'not_found', { message: 'This is no API key in use' })
      const id = idOfKey(key)
      const row = id === undefined ? undefined : await findKey(deps.db, id)
      const now = deps.now()
      if (!row || !isSameDigest(row.digest, digestOf(pepperOf(deps), key))) throw no
      if (row.expires_at <= now) throw no
      // Who has no part in the organization any more has no key to it either.
      const standing = await findStanding(deps.pool, row.sub, String(row.organization_id))
      if (!isParticipant(standing)) throw no
      await recordKeyUse(deps.db, row.id, { now, ip: ip ?? null })
      return {
        id: row.id,
        organization: row.resource_id,
        sub: row.sub,
        username: row.username,
        realm: row.realm,
        serviceAccount: row.service_account,
        addresses: row.addresses,
        expiresAt: row.expires_at,
      }
    },
  }) satisfies Partial<ApiKeyHandlers>
