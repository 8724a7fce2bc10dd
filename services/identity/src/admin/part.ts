import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { clients } from '../clients/part.ts'
import { sessions } from '../sessions/part.ts'
import { factors } from '../factors/part.ts'
import { signIn } from '../sign-in/part.ts'
import { account } from '../account/part.ts'
import { impersonation } from '../impersonation/part.ts'
import { links } from '../links/part.ts'
import { protocol } from '../protocol/part.ts'

export const admin = definePart<IdentityDeps>()({
  name: 'admin',
  uses: [
    accounts,
    realms,
    clients,
    sessions,
    factors,
    signIn,
    account,
    impersonation,
    links,
    protocol,
  ],
})
