import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { mail } from '../mail/part.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { clients } from '../clients/part.ts'
import { sessions } from '../sessions/part.ts'
import { tokens } from '../tokens/part.ts'
import { factors } from '../factors/part.ts'
import { passwords } from '../passwords/part.ts'
import { signIn } from '../sign-in/part.ts'
import { accountHandlers } from './account-handlers.ts'
import { accountContract } from './contract.ts'

export const account = definePart<IdentityDeps>()({
  name: 'account',
  contract: accountContract,
  uses: [pages, mail, accounts, realms, clients, sessions, tokens, factors, passwords, signIn],
  handlers: accountHandlers,
})
