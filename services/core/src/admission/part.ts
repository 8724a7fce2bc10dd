import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { apiKeys } from '../api-keys/part.ts'
import { directory } from '../directory/part.ts'
import { organizations } from '../organizations/part.ts'
import { admissionHandlers } from './admission-handlers.ts'
import { admissionContract } from './contract.ts'

export const admission = definePart<CoreDeps>()({
  name: 'admission',
  contract: admissionContract,
  uses: [directory, access, organizations, apiKeys],
  handlers: admissionHandlers,
})
