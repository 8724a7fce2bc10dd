import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { rights } from '../rights/part.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { clients } from '../clients/part.ts'
import { sessions } from '../sessions/part.ts'

export const tokens = definePart<IdentityDeps>()({
  name: 'tokens',
  uses: [rights, accounts, realms, clients, sessions],
})
