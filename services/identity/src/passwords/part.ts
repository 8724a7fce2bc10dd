import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { accounts } from '../accounts/part.ts'
import { sessions } from '../sessions/part.ts'

export const passwords = definePart<IdentityDeps>()({
  name: 'passwords',
  uses: [accounts, sessions],
})
