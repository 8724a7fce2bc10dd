import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { createClosedOrganizations } from './closed-organizations.ts'

export const organizations = definePart<PlatformDeps>()({
  name: 'organizations',
  state: () => createClosedOrganizations(),
  consumers: ({ state: closed }) => [
    on(coreContract.events.organizationDeleted, (told, tx) => closed.tell(tx, told, true)),
    on(coreContract.events.organizationRestored, (told, tx) => closed.tell(tx, told, false)),
  ],
})
