import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { mail } from '../mail/part.ts'
import { accountsContract } from './contract.ts'
import { cleanupLinks } from './link-store.ts'

export const accounts = definePart<IdentityDeps>()({
  name: 'accounts',
  contract: accountsContract,
  uses: [pages, mail],
  every: { minute: cleanupLinks },
})
