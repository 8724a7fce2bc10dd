import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { withDeviceNumbers } from '../directory/device-number.ts'
import { directory } from '../directory/part.ts'
import { explanations } from '../explanations/part.ts'
import { groups } from '../groups/part.ts'
import { policies } from '../policies/part.ts'
import { roles } from '../roles/part.ts'
import { checkHandlers } from './check-handlers.ts'
import { whatIfContract } from './contract.ts'
import { impactHandlers } from './impact-handlers.ts'

export const whatIf = definePart<CoreDeps>()({
  name: 'what-if',
  contract: whatIfContract,
  uses: [directory, policies, roles, groups, devices, explanations],
  handlers: (deps) =>
    withDeviceNumbers(deps.db, {
      ...checkHandlers(deps),
      ...impactHandlers(deps),
    }),
})
