import type { Handlers } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'

/** What other services show of devices. */
export const deviceDescribed = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, 'devicesDescribed'> => ({
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
})
