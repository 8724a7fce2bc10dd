import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { groups } from '../groups/part.ts'
import { roles } from '../roles/part.ts'
import { createNameGuesses } from './name-guesses.ts'

export const memberships = definePart<CoreDeps>()({
  name: 'memberships',
  uses: [directory, access, roles, groups],
  state: ({ fabric }) => createNameGuesses({ fabric }),
})
