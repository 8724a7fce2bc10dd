import type { Handlers } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import type { describedEndpoints } from './described-contract.ts'

/** Handlers for other services that show names and facts of devices. */
export const deviceDescribed = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, keyof typeof describedEndpoints> => ({
  devicesDescribed: async ({ body: { ids } }) => {
    const rows = await db
      .selectFrom('device')
      .select(['id', 'label', 'serial_number', 'attributes'])
      .where(sql<boolean>`id = any(${ids}::text[])`)
      .where('deleted_at', 'is', null)
      .execute()
    return rows.map(({ id, label, serial_number: serialNumber, attributes }) => ({
      id,
      aliases: { label, ...(serialNumber !== '' && { serialNumber }) },
      attributes,
    }))
  },

  devicesByAlias: async ({ query: { organization, alias } }) => {
    const below = `${organization}.`
    const rows = await db
      .selectFrom('device')
      .select(['id', 'label', 'organization'])
      .where(
        sql<boolean>`(label collate mappings.natural_order = ${alias} or id = ${alias}
          or serial_number collate mappings.natural_order = ${alias})`,
      )
      .where(({ or, eb }) =>
        or([
          eb('organization', '=', organization),
          sql<boolean>`starts_with(organization, ${below})`,
        ]),
      )
      .where('deleted_at', 'is', null)
      .orderBy(sql`label = ${alias}`, 'desc')
      .orderBy(sql`organization = ${organization}`, 'desc')
      .orderBy('id')
      .limit(mostOfAlias)
      .execute()
    return rows.map(({ id, label, organization: at }) => {
      const by = label === alias ? ('label' as const) : id === alias ? ('id' as const) : serial
      return { id, by, here: at === organization }
    })
  },
})

const serial = 'serialNumber' as const
const mostOfAlias = 100
