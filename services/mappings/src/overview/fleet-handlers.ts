import type { Handlers } from '@longreach/kit/service'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { devicesFor } from '../reach.ts'
import type { FleetCounts, fleetEndpoints } from './fleet-contract.ts'
import { countsByOrganization, failedDevices } from './fleet-store.ts'

type FleetHandlers = Pick<Handlers<typeof mappingsContract>, keyof typeof fleetEndpoints>

const none: FleetCounts = {
  total: 0,
  online: 0,
  offline: 0,
  never: 0,
  withoutPreset: 0,
  configurationPending: 0,
  configurationFailed: 0,
}

/** The state of all devices that the caller may read, in two statements. */
export const fleetHandlers = ({ db }: MappingsDeps): FleetHandlers => ({
  fleet: async (_, ctx) => {
    const where = devicesFor(ctx, 'read')
    const [rows, failed] = await Promise.all([
      countsByOrganization(db, where),
      failedDevices(db, where),
    ])
    const organizations = rows.flatMap(({ organization, organizations: _all, ...counts }) =>
      organization === null ? [] : [{ orgResourceId: organization, ...counts }],
    )
    const whole = rows.find(({ organization }) => organization === null)
    if (whole === undefined) return { counts: none, organizations, organizationCount: 0, failed }
    const { organization: _none, organizations: organizationCount, ...counts } = whole
    return { counts, organizations, organizationCount, failed }
  },
})
