import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { sessions } from '../sessions/part.ts'
import { tokens } from '../tokens/part.ts'
import { signIn } from '../sign-in/part.ts'
import { impersonationContract } from './contract.ts'
import { impersonationHandlers } from './impersonation-handlers.ts'

export const impersonation = definePart<IdentityDeps>()({
  name: 'impersonation',
  contract: impersonationContract,
  uses: [pages, accounts, realms, sessions, tokens, signIn],
  handlers: impersonationHandlers,
})
