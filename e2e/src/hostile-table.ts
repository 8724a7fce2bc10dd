import { serviceNames } from '../../apps/server/src/services.ts'
import type { HostileRow } from './hostile-row.ts'

type Rows = { rows: readonly HostileRow[] }

/** Calls that are made to cost much, by the name of the service that answers them: `hostile-<service>.ts`. */
export const hostileTable: Readonly<Record<string, readonly HostileRow[]>> = Object.fromEntries(
  await Promise.all(
    serviceNames.map(async (name) => {
      const { rows } = (await import(`./hostile-${name}.ts`)) as Rows
      return [name, rows] as const
    }),
  ),
)
