import { failure } from '@longreach/kit/errors'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { SecurityPolicy } from './policy-contract.ts'
import { policiesByIds, type PolicyRow } from './policy-store.ts'

export const toPolicy = ({ id, name, type }: PolicyRow): SecurityPolicy => ({ id, name, type })

export const notInOrganization = (what: string, id: number | string) =>
  failure(coreContract, 'not_found', { message: `There is no ${what} ${id} in this organization` })

export async function requirePolicy(db: Kysely<CoreDb>, organizationId: number, id: number) {
  const [policy] = await policiesByIds(db, organizationId, [id])
  if (!policy) throw notInOrganization('device group', id)
  return policy
}

/** A device group that people fill; the others follow the devices. */
export async function requireStandardPolicy(
  db: Kysely<CoreDb>,
  organizationId: number,
  id: number,
) {
  const policy = await requirePolicy(db, organizationId, id)
  if (policy.type === 'STANDARD') return policy
  const message = `"${policy.name}" is kept by the product and follows the devices`
  throw failure(coreContract, 'made_by_system', { message })
}
