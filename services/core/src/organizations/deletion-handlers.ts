import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { deletionEndpoints } from './deletion-contract.ts'
import { purgedAt } from './deletion-rules.ts'
import {
  countDependencies,
  lockDeleted,
  markDeleted,
  markRestored,
  searchDeleted,
} from './deletion-store.ts'
import { lockOrganization } from './organization-store.ts'

type DeletionHandlers = Pick<Handlers<typeof coreContract>, keyof typeof deletionEndpoints>
const { events } = coreContract
const told = (rows: { id: number; resource_id: string }[]) =>
  rows.map(({ id, resource_id }) => ({ id, resourceId: resource_id }))

export const deletionHandlers = (deps: CoreDeps): DeletionHandlers => ({
  ...deleting(deps),
  ...restoring(deps),
})

const deleting = ({ db }: CoreDeps) =>
  ({
    dependencies: async (_, { organization, below }) => {
      const found = await countDependencies(db, organization.id)
      // Who has no rights below learns how many there are, not which.
      return below ? found : { ...found, named: [] }
    },

    deleteOrganization: async ({ query: { cascade = false } }, ctx) => {
      const { id, resourceId } = ctx.organization
      await db.transaction().execute(async (tx) => {
        const row = await lockOrganization(tx, id)
        if (!row) throw failure(coreContract, 'not_found', { message: 'No such organization' })
        if (row.parent === null) {
          const message = 'A root organization holds the whole installation and cannot be deleted'
          throw failure(coreContract, 'is_root', { message })
        }
        const dependencies = await countDependencies(tx, id)
        if (dependencies.organizations > 0 && !cascade) {
          const message = `It has ${dependencies.organizations} organizations below it; delete them too with cascade=true`
          const named = ctx.below ? dependencies.named : []
          throw failure(coreContract, 'in_use', { ...dependencies, named, message })
        }
        const gone = await markDeleted(tx, { id, by: ctx.caller.username, now: ctx.now })
        const organizations = told(gone)
        await publish(tx, events.organizationDeleted, {
          resourceId,
          organizations,
          at: ctx.now.getTime(),
        })
        await publish(tx, events.permissionsChanged, { resourceId })
        const what = { resource: 'organizations', action: 'delete', id, label: row.label }
        const organization = resourceId.slice(0, resourceId.lastIndexOf('.'))
        await recordChange(tx, ctx, { ...what, organization, before: dependencies })
      })
    },
  }) satisfies Partial<DeletionHandlers>

const restoring = ({ db }: CoreDeps) =>
  ({
    deletedOrganizations: async ({ query }, { organization, below }) => {
      const asked = { ...query, above: organization.id, deep: below }
      const { rows, total } = await searchDeleted(db, asked)
      const shown = rows.flatMap(({ deleted_at: deletedAt, deleted_by, ...row }) =>
        deletedAt === null
          ? []
          : [
              {
                id: row.id,
                name: row.name,
                label: row.label,
                resourceId: row.resource_id,
                deletedAt,
                deletedBy: deleted_by ?? '',
                purgedAt: purgedAt(deletedAt),
                organizations: row.organizations ?? 0,
              },
            ],
      )
      return toContentPage(shown, total, query)
    },

    restoreOrganization: async ({ params: { deleted } }, ctx) => {
      const { organization, below, now } = ctx
      return db.transaction().execute(async (tx) => {
        const row = await lockDeleted(tx, organization.id, deleted)
        if (!row || (row.parent !== organization.id && !below)) {
          const message = 'No deleted organization of this number can be restored here'
          throw failure(coreContract, 'not_found', { message })
        }
        // The one above may have been deleted meanwhile, or is just now.
        if (row.parent === null || !(await lockOrganization(tx, row.parent))) {
          const message = 'The organization above it is deleted too; restore that one first'
          throw failure(coreContract, 'parent_deleted', { message })
        }
        const { restored, lost } = await markRestored(tx, deleted, now)
        const { resource_id: resourceId, label } = row
        await publish(tx, events.organizationRestored, {
          resourceId,
          organizations: told(restored),
          at: now.getTime(),
        })
        await publish(tx, events.permissionsChanged, { resourceId })
        const what = { resource: 'organizations', action: 'restore', id: deleted, label }
        await recordChange(tx, ctx, { ...what, after: { organizations: restored.length } })
        return { resourceId, organizations: restored.length - 1, hostnameLost: lost > 0 }
      })
    },
  }) satisfies Partial<DeletionHandlers>
