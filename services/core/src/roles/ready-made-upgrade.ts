import { recordChange } from '@longreach/kit/audit-trail'
import { publish } from '@longreach/kit/events'
import { startRounds } from '@longreach/kit/rounds'
import type { CallerCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { type ReadyMadeRole, readyMadeRoles, versionOf } from './ready-made-roles.ts'
import {
  insertReadyMadeRoles,
  lockReadyMadeRoles,
  outdatedOrganizations,
} from './ready-made-store.ts'
import type { RoleRule } from './role-contract.ts'
import { replaceRules, type RoleRow, rolesByIds, updateRole } from './role-store.ts'
import { toRole } from './role-wire.ts'

type Deps = Pick<CoreDeps, 'db' | 'now'>
type Organization = { id: number; resource_id: string }

const retryMs = 60_000
/** Organizations read at once; each is upgraded in a transaction of its own. */
const batch = 500

/** Starts the upgrade of the ready-made roles of all organizations, repeated until it succeeded. */
export function startRoleUpgrade(deps: Pick<CoreDeps, 'db' | 'now' | 'log'>) {
  let done = false
  const upgrade = async () => {
    if (done) return
    const changed = await upgradeReadyMadeRoles(deps)
    done = true
    if (changed > 0) deps.log.info({ changed }, 'ready-made roles were upgraded')
  }
  return startRounds(retryMs, upgrade, (error) =>
    deps.log.error(error, 'ready-made roles could not be upgraded'),
  )
}

/**
 * Gives every organization the present ready-made roles: missing ones are added, others get the
 * present texts and permissions. Each change has an audit entry. Roles that an organization made
 * itself stay, also under the name of a ready-made one. Returns the number of changed roles.
 */
export async function upgradeReadyMadeRoles(deps: Deps, roles = readyMadeRoles) {
  let changed = 0
  for (let afterId = 0; ;) {
    const outdated = await outdatedOrganizations(deps.db, roles, { afterId, limit: batch })
    for (const organization of outdated) {
      changed += await upgradeOrganization(deps, organization, roles)
      afterId = organization.id
    }
    if (outdated.length < batch) return changed
  }
}

const upgradeOrganization = (
  { db, now }: Deps,
  organization: Organization,
  roles: readonly ReadyMadeRole[],
) =>
  db.transaction().execute(async (tx) => {
    // Locked first: of two processes that start together, the second finds the present version.
    const ids = await lockReadyMadeRoles(tx, organization.id)
    const present = await rolesByIds(tx, organization.id, ids)
    const upgrade = { tx, organization, ctx: upgradeContext(now()) }
    let changed = 0
    for (const role of roles) {
      const before = present.find(({ name }) => name === role.name)
      const isChanged = before
        ? await updateReadyMadeRole(upgrade, before, role)
        : await addReadyMadeRole(upgrade, role)
      if (isChanged) changed += 1
    }
    const { resource_id: resourceId } = organization
    if (changed > 0) await publish(tx, coreContract.events.permissionsChanged, { resourceId })
    return changed
  })

type Upgrade = { tx: Kysely<CoreDb>; organization: Organization; ctx: CallerCtx }

async function updateReadyMadeRole(upgrade: Upgrade, before: RoleRow, role: ReadyMadeRole) {
  const version = versionOf(role)
  if (before.version === version) return false
  const { tx, organization, ctx } = upgrade
  if (roleContent(before) === roleContent(role)) {
    await updateRole(tx, organization.id, before.id, { version })
    return false
  }
  const { rules, name: _same, ...facts } = role
  await updateRole(tx, organization.id, before.id, { ...facts, version, updated_at: ctx.now })
  await replaceRules(tx, before.id, rules)
  await recordUpgrade(upgrade, before.id, before)
  return true
}

async function addReadyMadeRole(upgrade: Upgrade, role: ReadyMadeRole) {
  const { tx, organization, ctx } = upgrade
  const [id] = await insertReadyMadeRoles(tx, organization.id, [role], ctx.now)
  if (id === undefined) return false
  await recordUpgrade(upgrade, id)
  return true
}

async function recordUpgrade({ tx, organization, ctx }: Upgrade, id: number, before?: RoleRow) {
  const { id: organizationId, resource_id: resourceId } = organization
  const [after] = await rolesByIds(tx, organizationId, [id])
  if (!after) throw new Error(`role ${id} of ${resourceId} is missing in its own transaction`)
  await recordChange(tx, ctx, {
    resource: 'roles',
    action: before ? 'update' : 'create',
    id,
    label: after.label,
    organization: resourceId,
    ...(before && { before: toRole(before, resourceId) }),
    after: toRole(after, resourceId),
  })
}

/** Texts and permissions of a role, equal for equal roles whatever the order of their rules. */
const roleContent = ({ label, description, type, inherit, rules }: Content) =>
  JSON.stringify([label, description, type, inherit, rules.map(ruleText).toSorted()])

type Content = Pick<ReadyMadeRole, 'label' | 'description' | 'type' | 'inherit'> & {
  rules: readonly RoleRule[]
}

const ruleText = ({ resource, actions, deviceGroup, vpnName }: RoleRule) =>
  JSON.stringify([resource, actions.toSorted(), deviceGroup, vpnName])

/** Context of the upgrade for the audit trail: the product itself, from no address. */
const upgradeContext = (now: Date): CallerCtx => ({
  caller: { kind: 'service', sub: 'core', username: 'core', realm: '' },
  now,
  ip: '',
  signal: new AbortController().signal,
  call: { name: 'core.upgradeRoles', recorded: true },
})
