import { holdLock } from '@longreach/kit/locks'
import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'
import { confirmableMs, countedMs, mostOfAddress, mostOfNetwork } from './onboarding-rules.ts'

type Executor = Kysely<CoreDb>
const claimLivesMs = 60_000

type Counted = { address: string; network: string; now: Date }

/** Note a registration, or undefined when there were too many of this address or network within the hour. */
export const countRegistration = (db: Executor, { address, network, now }: Counted) =>
  db.transaction().execute(async (tx) => {
    await holdLock(tx, 'core.registrations')
    const old = new Date(now.getTime() - confirmableMs)
    await tx.deleteFrom('registration').where('created_at', '<', old).execute()
    const { of_address, of_network } = await tx
      .selectFrom('registration')
      .select((eb) => [
        eb.fn.countAll<number>().filterWhere('address', '=', address).as('of_address'),
        eb.fn.countAll<number>().filterWhere('network', '=', network).as('of_network'),
      ])
      .where('created_at', '>', new Date(now.getTime() - countedMs))
      .executeTakeFirstOrThrow()
    if (of_network >= mostOfNetwork || (address !== '' && of_address >= mostOfAddress)) {
      return undefined
    }
    const row = await tx
      .insertInto('registration')
      .values({ address, network, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })

export const saveRegistration = (
  db: Executor,
  id: number,
  kept: { fingerprint: string; content: Buffer },
) => db.updateTable('registration').set(kept).where('id', '=', id).execute()

/** Be the one who makes what was registered; undefined when it is gone, or somebody else is at it. */
export const claimRegistration = (db: Executor, fingerprint: string, now: Date) =>
  db
    .updateTable('registration')
    .set({ claimed_at: now })
    .where('fingerprint', '=', fingerprint)
    .where('content', 'is not', null)
    .where('created_at', '>', new Date(now.getTime() - confirmableMs))
    .where((eb) =>
      eb.or([
        eb('claimed_at', 'is', null),
        eb('claimed_at', '<', new Date(now.getTime() - claimLivesMs)),
      ]),
    )
    .returning(['id', 'content'])
    .executeTakeFirst()

export const releaseRegistration = (db: Executor, id: number) =>
  db.updateTable('registration').set({ claimed_at: null }).where('id', '=', id).execute()

/** It is made: the link is used up with it. False when another call did so before. */
export async function redeemRegistration(tx: Executor, id: number) {
  const { numUpdatedRows } = await tx
    .updateTable('registration')
    .set({ fingerprint: null, content: null })
    .where('id', '=', id)
    .where('content', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Was this resourceId ever given to an organization? */
export const wasResourceIdUsed = async (db: Executor, resourceId: string) =>
  (await db
    .selectFrom('organization')
    .select('id')
    .where('resource_id', '=', resourceId)
    .executeTakeFirst()) !== undefined

/** The organization that registered ones are below. */
export const findParent = (db: Executor, resourceId: string) =>
  db
    .selectFrom('organization')
    .selectAll()
    .where('resource_id', '=', resourceId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()

/** The installation's own organization: the root organization that was made first. */
export const findInstallationRoot = (db: Executor) =>
  db
    .selectFrom('organization')
    .selectAll()
    .where('parent', 'is', null)
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .executeTakeFirst()

/** Has somebody in the realm this user name or e-mail address? */
export const isNameKnown = async (db: Executor, realm: string, email: string) =>
  (await db
    .selectFrom('app_user')
    .select('id')
    .where('realm', '=', realm)
    .where((eb) =>
      eb.or([eb('username', '=', email), eb(eb.fn<string>('lower', ['email']), '=', email)]),
    )
    .executeTakeFirst()) !== undefined
