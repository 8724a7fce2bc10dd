import type { Handlers } from '@longreach/kit/service'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import type { describedEndpoints } from './described-contract.ts'

/** Handler for other services that show names and facts of devices. */
export const deviceDescribed = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, keyof typeof describedEndpoints> => ({
  devicesDescribed: async ({ body }) => {
    const rows =
      'ids' in body
        ? await described(db, sql<boolean>`id = any(${body.ids}::text[])`).execute()
        : await devicesOfAlias(db, body)
    return rows.map(({ serial_number: serialNumber, label, ...facts }) => ({
      ...facts,
      aliases: { label, ...(serialNumber !== '' && { serialNumber }) },
    }))
  },
})

type Db = Kysely<MappingsDb>

const described = (db: Db, which: RawBuilder<boolean>) =>
  db
    .selectFrom('device')
    .select(['id', 'organization', 'label', 'serial_number', 'attributes'])
    .where(which)
    .where('deleted_at', 'is', null)

const mostOfAlias = 100

const devicesOfAlias = (db: Db, { organization, alias }: { organization: string; alias: string }) =>
  described(
    db,
    sql<boolean>`(label collate mappings.natural_order = ${alias} or id = ${alias}
      or serial_number collate mappings.natural_order = ${alias})`,
  )
    .where(({ or, eb }) =>
      or([
        eb('organization', '=', organization),
        sql<boolean>`starts_with(organization, ${`${organization}.`})`,
      ]),
    )
    .orderBy(sql`label = ${alias}`, 'desc')
    .orderBy(sql`organization = ${organization}`, 'desc')
    .orderBy('id')
    .limit(mostOfAlias)
    .execute()
