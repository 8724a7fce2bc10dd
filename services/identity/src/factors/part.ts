import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { accounts } from '../accounts/part.ts'
import { tokens } from '../tokens/part.ts'
import { cleanupPendingFactors } from './pending-store.ts'

export const factors = definePart<IdentityDeps>()({
  name: 'factors',
  uses: [pages, accounts, tokens],
  every: { minute: cleanupPendingFactors },
})
