import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { withDeviceNumbers } from '../directory/device-number.ts'
import { directory } from '../directory/part.ts'
import { organizations } from '../organizations/part.ts'
import { people } from '../people/part.ts'
import { policies } from '../policies/part.ts'
import { roles } from '../roles/part.ts'
import { devicesContract } from './contract.ts'
import { deviceAccount } from './device-account.ts'
import { deviceHandlers } from './device-handlers.ts'
import { deviceMoving } from './device-moving.ts'
import { devicePlaces } from './device-places.ts'
import { policyDevices } from './policy-devices.ts'

export const devices = definePart<CoreDeps>()({
  name: 'devices',
  contract: devicesContract,
  uses: [directory, access, policies, roles, people, organizations],
  handlers: (deps) =>
    withDeviceNumbers(deps.db, {
      ...policyDevices(deps),
      ...deviceHandlers(deps),
      ...deviceAccount(deps),
      ...deviceMoving(deps),
      ...devicePlaces(deps),
    }),
})
