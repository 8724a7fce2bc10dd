import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Named = { service: string; property: string }

export const findProperty = async (
  db: Kysely<CoreDb>,
  userId: number,
  { service, property }: Named,
) => {
  const row = await db
    .selectFrom('user_property')
    .select('value')
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .where('property', '=', property)
    .executeTakeFirst()
  return row?.value
}

export const saveProperty = (
  db: Kysely<CoreDb>,
  userId: number,
  { service, property, value }: Named & { value: string },
) =>
  db
    .insertInto('user_property')
    .values({ user_id: userId, service, property, value })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'service', 'property']).doUpdateSet({ value }),
    )
    .execute()

/** Kept once for a person, whatever the organization that it was chosen in. */
const personal = 'locale'

/** Preferences of the person in the organization, with those that hold in every organization. */
export const listPreferences = (
  db: Kysely<CoreDb>,
  userId: number,
  organizationId: number,
  serviceName: string | undefined,
) => {
  const all = db
    .selectFrom('user_preference')
    .selectAll()
    .where('user_id', '=', userId)
    .where((either) =>
      either.or([
        either('organization_id', '=', organizationId),
        either('service_name', '=', personal),
      ]),
    )
    .distinctOn('service_name')
    .orderBy('service_name')
    .orderBy('id', 'desc')
  return (serviceName === undefined ? all : all.where('service_name', '=', serviceName)).execute()
}

/** Save a preference; one that holds in every organization replaces those saved in the others. */
export const savePreference = (
  db: Kysely<CoreDb>,
  userId: number,
  organizationId: number,
  { serviceName, value }: { serviceName: string; value: string },
) =>
  db
    .with('elsewhere', (own) =>
      own
        .deleteFrom('user_preference')
        .where('user_id', '=', userId)
        .where('organization_id', '<>', organizationId)
        .where('service_name', '=', serviceName === personal ? personal : null)
        .returning('id'),
    )
    .insertInto('user_preference')
    .values({
      user_id: userId,
      organization_id: organizationId,
      service_name: serviceName,
      value,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'organization_id', 'service_name']).doUpdateSet({ value }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const deletePreference = (
  db: Kysely<CoreDb>,
  userId: number,
  organizationId: number,
  serviceName: string,
) =>
  db
    .deleteFrom('user_preference')
    .where('user_id', '=', userId)
    .where('service_name', '=', serviceName)
    .$if(serviceName !== personal, (own) => own.where('organization_id', '=', organizationId))
    .execute()

/** The language that a person chose last, in whichever organization. */
export async function findLanguage(db: Kysely<CoreDb>, sub: string) {
  const row = await db
    .selectFrom('user_preference as p')
    .innerJoin('app_user as u', 'u.id', 'p.user_id')
    .select('p.value')
    .where(sql<string>`u.sub::text`, '=', sub)
    .where('p.service_name', '=', 'locale')
    .orderBy('p.id', 'desc')
    .executeTakeFirst()
  return row?.value
}
