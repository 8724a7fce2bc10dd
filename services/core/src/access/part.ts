import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { directory } from '../directory/part.ts'
import { accessContract } from './contract.ts'

export const access = definePart<CoreDeps>()({
  name: 'access',
  contract: accessContract,
  uses: [directory],
})
