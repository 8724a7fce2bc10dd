import type { Handlers } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { resourceEndpoints } from './resource-contract.ts'
import { countResources } from './resource-store.ts'

type ResourceHandlers = Pick<Handlers<typeof coreContract>, keyof typeof resourceEndpoints>
type Counted = { people: number; devices: number; organizations: number; keys: number }
const shownAtMost = 1_000
const none: Counted = { people: 0, devices: 0, organizations: 0, keys: 0 }

const sum = (a: Counted, b: Counted): Counted => ({
  people: a.people + b.people,
  devices: a.devices + b.devices,
  organizations: a.organizations + b.organizations,
  keys: a.keys + b.keys,
})

export const resourceHandlers = ({ db }: CoreDeps): ResourceHandlers => ({
  resources: async (_, { organization, below: reaching }) => {
    const rows = await countResources(db, organization.id)
    const own = rows.find(({ id }) => id === organization.id) ?? none
    const below = rows.filter(({ id }) => id !== organization.id)
    // Each that is directly below is one more than what lies below it.
    const total = below.reduce(
      (all, one) => sum(all, { ...one, organizations: one.organizations + 1 }),
      own,
    )
    // Who has no rights below learns the sums, not whose they are.
    return { own, total, below: reaching ? below.slice(0, shownAtMost) : [] }
  },
})
