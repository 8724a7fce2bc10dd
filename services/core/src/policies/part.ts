import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { withDeviceNumbers } from '../directory/device-number.ts'
import { directory } from '../directory/part.ts'
import { policiesContract } from './contract.ts'
import { deviceConsumers } from './device-groups.ts'
import { policyHandlers } from './policy-handlers.ts'

export const policies = definePart<CoreDeps>()({
  name: 'policies',
  contract: policiesContract,
  uses: [directory, access],
  handlers: (deps) => withDeviceNumbers(deps.db, policyHandlers(deps)),
  consumers: deviceConsumers,
})
