import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { withDeviceNumbers } from '../directory/device-number.ts'
import { directory } from '../directory/part.ts'
import { policies } from '../policies/part.ts'
import { roles } from '../roles/part.ts'
import { explanationsContract } from './contract.ts'
import { explainHandlers } from './explain-handlers.ts'

export const explanations = definePart<CoreDeps>()({
  name: 'explanations',
  contract: explanationsContract,
  uses: [directory, policies, roles],
  handlers: (deps) =>
    withDeviceNumbers(deps.db, {
      ...explainHandlers(deps),
    }),
})
