import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { organizations } from '../organizations/part.ts'
import { agreementHandlers } from './agreement-handlers.ts'
import { agreementsContract } from './contract.ts'

export const agreements = definePart<CoreDeps>()({
  name: 'agreements',
  contract: agreementsContract,
  uses: [organizations],
  handlers: agreementHandlers,
})
