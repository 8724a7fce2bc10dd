import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { everywhere } from '@longreach/kit/everywhere'
import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { createClosedOrganizations, saveClosed } from './closed-organizations.ts'

export const organizations = definePart<PlatformDeps>()({
  name: 'organizations',
  state: () => createClosedOrganizations(),
  consumers: () => [
    on(coreContract.events.organizationDeleted, (told, tx) => saveClosed(tx, told, true)),
    on(coreContract.events.organizationRestored, (told, tx) => saveClosed(tx, told, false)),
  ],
  effects: ({ state: closed }) => [
    everywhere(coreContract.events.organizationDeleted, (told) => closed.tell(told, true)),
    everywhere(coreContract.events.organizationRestored, (told) => closed.tell(told, false)),
  ],
})
