import { isAmong } from '@longreach/kit/network-of'
import type { Caller } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'
import { accessRulesAbove } from './consequence-store.ts'
import type { OrganizationChange } from './organization-contract.ts'
import type { Field } from './organization-rules.ts'
import type { OrganizationRow } from './organization-store.ts'

type Executor = Kysely<CoreDb>
export type Attempt = {
  row: OrganizationRow
  change: OrganizationChange
  caller: Caller
  ip: string
}

/** The first field of a change by which the caller could not enter the organization any more. */
export async function lockoutOf(db: Executor, attempt: Attempt): Promise<Field | undefined> {
  const { row, change, caller, ip } = attempt
  if (change.ipAddressesWhitelist !== undefined) {
    const allowed = await addressesAfter(db, attempt)
    if (allowed && !isAmong(allowed, ip)) return 'ipAddressesWhitelist'
  }
  if (change.secondFactorRequired === true && needsFactor(caller)) return 'secondFactorRequired'
  if (change.privateAccess === true && !(await isMember(db, row.id, caller.sub))) {
    return 'privateAccess'
  }
  return undefined
}

/** The addresses that would hold: the organization's own, else those of the nearest above. */
export async function addressesAfter(
  db: Executor,
  { row, change }: Pick<Attempt, 'row' | 'change'>,
) {
  const own = change.ipAddressesWhitelist ?? row.ip_addresses_whitelist
  if (own.length > 0) return own
  const above = await accessRulesAbove(db, row.id)
  return above.find(({ distance, addresses }) => distance > 0 && addresses.length > 0)?.addresses
}

/** Would a rule for second factors keep this caller out? */
const needsFactor = ({ secondFactor, serviceAccount, apiKey }: Caller) =>
  secondFactor !== true && serviceAccount !== true && apiKey === undefined

const isMember = async (db: Executor, organizationId: number, sub: string) =>
  (await db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('u.id')
    .where('m.organization_id', '=', organizationId)
    .where('u.sub', '=', sub)
    .executeTakeFirst()) !== undefined
