import { organizationsContract } from './organizations-contract.ts'
import { defineService } from '@longreach/kit/service'
import { identityContract } from './contract.ts'
import { account } from './account/part.ts'
import { accounts } from './accounts/part.ts'
import { admin } from './admin/part.ts'
import { clients } from './clients/part.ts'
import { factors } from './factors/part.ts'
import { impersonation } from './impersonation/part.ts'
import { links } from './links/part.ts'
import { mail } from './mail/part.ts'
import { pages } from './pages/part.ts'
import { passwords } from './passwords/part.ts'
import { protocol } from './protocol/part.ts'
import { realms } from './realms/part.ts'
import { rights } from './rights/part.ts'
import { routes } from './routes/part.ts'
import { sessions } from './sessions/part.ts'
import { signIn } from './sign-in/part.ts'
import { tokens } from './tokens/part.ts'

export const identity = defineService({
  contract: identityContract,
  needs: { core: organizationsContract },
  migrations: new URL('migrations/', import.meta.url),
  parts: [
    pages,
    rights,
    mail,
    accounts,
    realms,
    clients,
    sessions,
    tokens,
    factors,
    passwords,
    signIn,
    account,
    impersonation,
    links,
    protocol,
    admin,
    routes,
  ],
})
