import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { sessions } from '../sessions/part.ts'
import { tokens } from '../tokens/part.ts'
import { factors } from '../factors/part.ts'
import { passwords } from '../passwords/part.ts'
import { cleanupSignIns } from './sign-in-cleanup.ts'

export const signIn = definePart<IdentityDeps>()({
  name: 'sign-in',
  uses: [pages, accounts, realms, sessions, tokens, factors, passwords],
  every: { minute: cleanupSignIns },
})
