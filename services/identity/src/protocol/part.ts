import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { rights } from '../rights/part.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { clients } from '../clients/part.ts'
import { sessions } from '../sessions/part.ts'
import { tokens } from '../tokens/part.ts'
import { signIn } from '../sign-in/part.ts'
import { createRealms } from './realm-runtime.ts'

export const protocol = definePart<IdentityDeps>()({
  name: 'protocol',
  uses: [pages, rights, accounts, realms, clients, sessions, tokens, signIn],
  state: (deps) => createRealms({ ...deps, rights: deps.used.rights }),
})
