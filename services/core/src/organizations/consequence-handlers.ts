import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { consequenceEndpoints } from './consequence-contract.ts'
import { accessRulesAbove } from './consequence-store.ts'
import { consequencesOf, peopleWithoutFactor } from './consequences.ts'
import {
  findOrganization,
  lockOrganization,
  setPrivateRoot,
  updateOrganization,
} from './organization-store.ts'

type ConsequenceHandlers = Pick<Handlers<typeof coreContract>, keyof typeof consequenceEndpoints>
const organizationGone = () =>
  failure(coreContract, 'not_found', { message: 'No such organization' })
const listedAtMost = 200

export const consequenceHandlers = (deps: CoreDeps): ConsequenceHandlers => ({
  consequences: async ({ body }, { organization, caller, ip, below }) => {
    const row = await findOrganization(deps.db, organization.id)
    if (!row) throw organizationGone()
    const found = await consequencesOf(deps, { row, change: body, caller, ip })
    // Who has no rights below learns how many are affected there, not who.
    return below ? found : found.map((one) => ({ ...one, names: [] }))
  },

  accessRules: async (_, { organization }) => {
    const rules = await accessRulesAbove(deps.db, organization.id)
    const named = rules.find(({ addresses }) => addresses.length > 0)
    const strict = rules.find(({ secondFactor }) => secondFactor)
    return {
      allowedAddresses: named?.addresses ?? [],
      allowedAddressesFrom: named?.resourceId ?? null,
      secondFactorRequired: strict !== undefined,
      secondFactorFrom: strict?.resourceId ?? null,
      privateFrom: rules.find(({ isPrivate }) => isPrivate)?.resourceId ?? null,
    }
  },

  peopleWithoutFactor: async (_, { organization, below }) => {
    const people = await peopleWithoutFactor(deps, organization.id, below)
    return { total: people.length, people: people.slice(0, listedAtMost) }
  },

  liftPrivateAccess: async ({ params: { child } }, ctx) => {
    await deps.db.transaction().execute(async (tx) => {
      const row = await lockOrganization(tx, child)
      if (!row || row.parent !== ctx.organization.id || !row.private_access) {
        const message = 'No organization directly below with private access has this number'
        throw failure(coreContract, 'not_found', { message })
      }
      if (!row.allow_disable_private_access) {
        const message = `${row.label} does not let others lift its private access; ask its administrator`
        throw failure(coreContract, 'private_access_kept', { message })
      }
      const change = { private_access: false, updated_at: ctx.now }
      await updateOrganization(tx, child, change)
      await setPrivateRoot(tx, row, false)
      const { resource_id: organization, label } = row
      await publish(tx, coreContract.events.permissionsChanged, { resourceId: organization })
      await recordChange(tx, ctx, {
        resource: 'organizations',
        action: 'liftPrivateAccess',
        id: child,
        label,
        organization,
        before: { privateAccess: true },
        after: { privateAccess: false },
      })
    })
  },
})
